"""Compare computed figures with a file of expected ones whose nesting is not known beforehand.

A number in the file is recognised by the words on the way to it (keys, and strings beside it):
a facet or a query, before or after, a measure, median, mean or pooled, the rule for missing
ratings. Words that are not said have the published table's default: median, lowest.
"""

import re
from dataclasses import dataclass, field

FACETS = {"background", "method", "result", "all"}
WORDS = {
    "measure": {
        "rho": {"rho", "spearman", "spearmanr"},
        "alpha": {"alpha", "krippendorff"},
        "kappa": {"kappa", "cohen"},
        "percent": {"percent", "agreement", "pct", "perc", "agree"},
    },
    "when": {
        "before": {"pre", "before", "preadjudication"},
        "after": {"post", "after", "postadjudication"},
    },
    "how": {"mean": {"mean", "average", "avg"}, "pooled": {"pooled"}, "median": {"median"}},
    "rule": {
        "drop": {"drop", "dropped", "dropping", "omit", "omitted"},
        "lowest": {"lowest", "zero", "0", "grade0"},
    },
    "count": {
        "outside_range": {"outside", "range"},
        "against_agreement": {"agreed", "unanimous", "both"},
        "overruled": {"count", "overruled", "n"},
        "pairs": {"pairs", "total"},
    },
}
TABLE_ORDER = ("rho", "alpha", "kappa", "percent")


@dataclass
class Comparison:
    matched: dict[str, int] = field(default_factory=dict)
    differing: list[str] = field(default_factory=list)
    unrecognised: list[str] = field(default_factory=list)


def leaves(node, path=()):
    """Yield (path, number or None) for every leaf; strings beside a leaf belong to its path."""
    if isinstance(node, dict):
        beside = tuple(str(value) for value in node.values() if isinstance(value, str))
        for key, value in node.items():
            if not isinstance(value, str):
                yield from leaves(value, (*path, *beside, key))
    elif isinstance(node, list):
        for number, value in enumerate(node):
            whole_row = len(node) == 4 and not isinstance(value, dict | list)
            yield from leaves(value, (*path, TABLE_ORDER[number]) if whole_row else path)
    elif isinstance(node, bool):
        return
    else:
        yield path, node


def read_words(path):
    words = [word for key in path for word in re.split(r"[^a-z0-9]+", str(key).lower()) if word]
    said = {
        kind: next((name for name, known in names.items() if known & set(words)), None)
        for kind, names in WORDS.items()
    }
    # The measure named last wins, so that a coefficient beats a heading such as "agreement".
    for word in reversed(words):
        named = next((m for m, known in WORDS["measure"].items() if word in known), None)
        if named:
            said["measure"] = named
            break
    said["facet"] = next((word for word in reversed(words) if word in FACETS), None)
    said["paper"] = next((word for word in words if word.isdigit() and len(word) > 3), None)
    said["words"] = set(words)
    return said


def compare(expected, actual, tolerance=1e-9):
    """``actual(group, said)`` gives the computed number for recognised words, or KeyError."""
    result = Comparison()
    for path, number in leaves(expected):
        group = next((g for g in ("table2", "overruling", "per_query") if g in str(path[:1])), None)
        said = read_words(path)
        if group is None or "specter" in said["words"]:
            continue
        where = ".".join(str(key) for key in path)
        try:
            value = actual(group, said)
        except KeyError:
            result.unrecognised.append(where)
            continue
        result.matched[group] = result.matched.get(group, 0) + 1
        both = value is not None and number is not None
        if value is not number and not (both and abs(value - number) <= tolerance):
            result.differing.append(f"{where}: file says {number}, computed {value}")
    return result


def look_up_in(reports):
    """Read a recognised figure from the product's reports, `{(rule, summary): report as JSON}`."""

    def look_up(group, said):
        # Only the table has several summaries; the overruling rate is always a mean.
        summary = (said["how"] or "median") if group == "table2" else "median"
        report = reports[said["rule"] or "lowest", summary]
        if group == "per_query":
            topic = report["topics"][f"{said['paper']}_{said['facet']}"]
            if said["when"] is None:
                return {**topic["overruling"], "pairs": topic["pairs"]}[said["count"]]
            return topic[said["when"]]["measures"][said["measure"]]["value"]
        facet = said["facet"] or "all"
        row = report["all"] if facet == "all" else report["facets"][facet]
        if group == "table2":
            return row[said["when"]]["measures"][said["measure"]]["value"]
        if said["count"]:
            return row["overruling"][said["count"]]
        share = row["overruling"]["mean_share"]["value"]
        return 100 * share if said["measure"] == "percent" else share

    return look_up
