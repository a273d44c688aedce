"""Breaks the rules on purpose, one place at a time, and names each fault that no test notices.

    python bench/mutate.py                      # every layer of bench/mutating/layers.py
    python bench/mutate.py consensus settle     # some of them
    python bench/mutate.py consensus --every 5  # every fifth fault of each module alone
    python bench/mutate.py consensus --every 5 --start 2  # others: from the third one on
    python bench/mutate.py statistics --only agreement.statistics.two_raters
    python bench/mutate.py statistics --again survivors.txt  # those that an earlier run printed

A fault turns a comparison, drops a condition of a query, an argument or a statement, leaves out an
element of a list, changes a number by one, takes a refusal away and so on. Each is put into the
functions of a forked process, which then runs the tests that run its statement until one fails.
What survives is either a missing test or a fault that changes nothing; the latter are named in
`SAME` with their reason and do not count.
"""

import argparse
import os
import sys
from collections import Counter
from importlib import import_module
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.path.insert(1, str(Path(__file__).resolve().parent.parent / "client" / "src"))

from bench.mutating.faults import Fault, faults_in
from bench.mutating.layers import LAYERS, SAME, Layer
from bench.mutating.trial import HUNG, NOT_TRIED, SURVIVED, Trial

ROOT = Path(__file__).resolve().parent.parent


def faults_of(layer: Layer, sample: slice, printed: str) -> list[tuple[Fault, str]]:
    """The faults of a layer that do something, each with its file; where an earlier run printed
    some, those alone, wherever they stand by now."""
    faults = []
    for module in layer.modules:
        file = str(import_module(module).__file__)
        source = Path(file).read_text(encoding="utf-8")
        for fault in list(faults_in(module, source, layer.functions))[sample]:
            if fault.key not in SAME and (not printed or f" {fault.key}\n" in printed):
                faults.append((fault, file))
    return faults


def survivors_of(name: str, layer: Layer, sample: slice, printed: str) -> int:
    """Try every fault of a layer, say what was not noticed, and count it."""
    import pytest

    counts: Counter[int] = Counter()
    by_module: dict[str, Counter[int]] = {}

    def report(fault: Fault, status: int) -> None:
        if by_module and fault.module not in by_module:
            _print_last(by_module)
        counts[status] += 1
        by_module.setdefault(fault.module, Counter())[status] += 1
        if status == SURVIVED:
            print(f"  not noticed: {fault}", flush=True)
        elif status == NOT_TRIED:
            print(f"  could not be tried: {fault}", flush=True)
        elif status == HUNG:
            print(f"  noticed by hanging: {fault}", flush=True)

    trial = Trial(faults_of(layer, sample, printed), report)
    options = ["-qq", "-n0", "-s", "-m", "not browser", "--no-summary"]
    # Hypothesis is loaded before pytest could look into it.
    options += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
    pytest.main([*options, *layer.tests], plugins=[trial])
    if trial.failed:
        sys.exit(f"{name}: tests fail without any fault. Mend them first.\n" + trial.failed[0])
    if len(by_module) > 1:
        _print_last(by_module)
    print(f"{name}: {_score(counts)}", flush=True)
    return counts[SURVIVED]


def _print_last(by_module: dict[str, Counter[int]]) -> None:
    module, counts = list(by_module.items())[-1]
    print(f"  {module}: {_score(counts)}", flush=True)


def _score(counts: Counter[int]) -> str:
    tried = counts.total() - counts[NOT_TRIED]
    killed = tried - counts[SURVIVED]
    return f"{killed} of {tried} noticed ({killed / max(tried, 1):.1%})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("layers", nargs="*", choices=[[], *LAYERS], help="all where none is named")
    parser.add_argument("--every", type=int, default=1, help="of each module only every so many")
    parser.add_argument("--start", type=int, default=0, help="of each module not the first so many")
    parser.add_argument("--only", nargs="*", default=(), help="modules of the layers, not all")
    parser.add_argument("--again", type=Path, help="a file of what an earlier run printed")
    chosen = parser.parse_args()
    printed = chosen.again.read_text(encoding="utf-8") if chosen.again else ""
    os.chdir(ROOT)
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"

    import django

    django.setup()
    survivors = 0
    for name in chosen.layers or LAYERS:
        layer = LAYERS[name].only(chosen.only)
        survivors += survivors_of(name, layer, slice(chosen.start, None, chosen.every), printed)
    sys.exit(1 if survivors else 0)


if __name__ == "__main__":
    main()
