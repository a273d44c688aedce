"""The API reads ratings and decisions only through the querysets that decide who may see them."""

import ast
from pathlib import Path

API = Path(__file__).resolve().parent.parent.parent / "api"

# What holds ratings, decisions and gold, and the methods by which each may be begun.
MODELS = {
    "Rating": {"visible_to"},
    "Pair": {"visible_to_lead"},
    "RatingRevision": set(),
    "FirstValue": set(),
    "FlagAnswer": set(),
}
# Begun here, and at once limited to pairs that are in view.
LIMITED = {"Decision", "MachineScore"}
RELATED = {"ratings", "decisions", "revisions", "first_values", "machine_scores"}
# What asks the database. A table of figures has columns of such names too, which ask nothing.
READ = {"all", "filter", "exclude", "get", "first", "count", "values", "values_list", "order_by"}
MANAGERS = {"objects", "_default_manager", "_base_manager", "including_inactive"}


def trespasses(source: str) -> list[str]:
    tree = ast.parse(source)
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    places = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Attribute):
            continue
        if node.attr in RELATED and getattr(parents.get(node), "attr", "") in READ:
            places.append(f"line {node.lineno}: .{node.attr}")
        if node.attr not in MANAGERS or not isinstance(node.value, ast.Name):
            continue
        model, step = node.value.id, parents.get(node)
        begun = step.attr if isinstance(step, ast.Attribute) else ""
        if model in MODELS and begun not in MODELS[model]:
            places.append(f"line {node.lineno}: {model}.{node.attr}")
        if model in LIMITED and not _is_limited(parents.get(step)):
            places.append(f"line {node.lineno}: {model}.{node.attr}")
    return places


def _is_limited(call) -> bool:
    """Whether it is `.filter(pair__in=…)` with pairs that are in view."""
    if not isinstance(call, ast.Call):
        return False
    given = {keyword.arg: ast.unparse(keyword.value) for keyword in call.keywords}
    return "visible_pairs" in given.get("pair__in", "") or given.get("pair__in") == "pairs"


def test_no_endpoint_begins_with_an_unfiltered_manager():
    trespasses_by_file = {
        str(file.relative_to(API)): wrong
        for file in API.rglob("*.py")
        if (wrong := trespasses(file.read_text()))
    }

    assert trespasses_by_file == {}


def test_the_rule_sees_what_it_forbids():
    assert trespasses("Rating.objects.filter(pk=1)") == ["line 1: Rating.objects"]
    assert trespasses("Pair.including_inactive.all()") == ["line 1: Pair.including_inactive"]
    assert trespasses("pair.ratings.all()") == ["line 1: .ratings"]
    assert trespasses("Decision.objects.filter(pair=1)") == ["line 1: Decision.objects"]
    assert trespasses("Rating.objects.visible_to(user)") == []
    assert trespasses("Decision.objects.filter(pair__in=visible_pairs(viewer))") == []
