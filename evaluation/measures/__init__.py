"""Measures of a ranking on a topic, by name. Pure functions on arrays, no Django.

Standard measures have the notation of ir-measures; published variants are called after what they
were published with. A name that does not say the least relevant grade takes the protocol's.
"""

import re
from dataclasses import replace
from functools import lru_cache
from math import isfinite

from evaluation.measures import csfcube, doris_mae, litsearch, standard
from evaluation.measures.elsewhere import UnfitError, of_ir_measures
from evaluation.measures.grades import Grades, Ids, Ranked, Values, ranked_by
from evaluation.measures.measure import Measure

NOTATION = re.compile(r"(?P<family>[A-Za-z]+)(?:\((?P<inside>[^()]*)\))?(?:@(?P<depth>\d+))?")
LEAST = re.compile(r"\s*rel\s*=\s*(?P<grade>[0-9.]+)\s*")
LARGEST_DEPTH = 1_000_000
PERSISTENCE = 0.8


def published(least: float) -> dict[str, Measure]:
    """The measures of published scripts, by name."""
    measures = [
        csfcube.r_precision(least),
        csfcube.recall(least, 20),
        csfcube.ndcg(20),
        csfcube.ndcg(100),
        doris_mae.recall(5),
        doris_mae.recall(20),
        doris_mae.r_precision(),
        doris_mae.ndcg(10),
        doris_mae.ndcg_exp(10),
        doris_mae.reciprocal_rank_of_best(10),
        doris_mae.average_precision(),
        litsearch.recall("broad", 20),
        litsearch.recall("specific", 5),
    ]
    return {measure.name: measure for measure in measures}


@lru_cache(maxsize=1024)
def parse(name: str, least: float = 1.0) -> Measure:
    """The measure of a name; ValueError with a sentence for a name there is not.

    >>> parse("P@20", 2).name
    'P(rel=2)@20'
    """
    measure = _known(name.strip(), least)
    # A name leaves the grade 1 out, and would be that of another measure where the usual one is 2.
    if least != 1 and _known(measure.name, least).name != measure.name:
        return replace(measure, name=_with_grade(measure.name, 1))
    return measure


def _known(name: str, least: float) -> Measure:
    if measure := published(least).get(name):
        return measure
    if (match := NOTATION.fullmatch(name)) and (measure := _standard(name, match, least)):
        return measure
    return of_ir_measures(name, least)


def _standard(name: str, match: re.Match[str], least: float) -> Measure | None:
    """A measure of this package; None where the family or a parameter is none of it."""
    parameters = _parameters(match["inside"] or "")
    depth = int(match["depth"]) if match["depth"] else None
    if depth is not None and not 1 <= depth <= LARGEST_DEPTH:
        raise ValueError(f"{name} counts to rank {depth}; expected 1 to {LARGEST_DEPTH:,}.")
    family = match["family"]
    if family == "nDCG" and parameters in ({"dcg": "'exp-log2'"}, {"dcg": '"exp-log2"'}):
        return standard.ndcg_exp(depth)
    try:
        numbers = {key: float(value) for key, value in parameters.items()}
    except ValueError:
        return None
    if not all(map(isfinite, numbers.values())):
        raise ValueError(f"{name} has a parameter that is no number.")
    least = numbers.pop("rel", least)
    if family == "RBP":
        persistence = numbers.pop("p", PERSISTENCE)
        if not 0 < persistence < 1:
            raise ValueError(f"{name} has p = {persistence:g}; expected a number between 0 and 1.")
        return None if numbers else standard.rbp(least, persistence, depth)
    if numbers:
        return None
    return _of_family(family, least, depth)


def _of_family(family: str, least: float, depth: int | None) -> Measure | None:
    if depth is not None:
        with_depth = {
            "P": standard.precision,
            "R": standard.recall,
            "Success": standard.success,
            "AP": standard.average_precision,
            "RR": standard.reciprocal_rank,
        }
        if family in with_depth:
            return with_depth[family](least, depth)
    else:
        without_depth = {
            "Rprec": standard.r_precision,
            "AP": standard.average_precision,
            "RR": standard.reciprocal_rank,
            "Bpref": standard.bpref,
        }
        if family in without_depth:
            return without_depth[family](least)
    graded = {"nDCG": standard.ndcg, "Judged": standard.judged}
    return graded[family](depth) if family in graded else None


def without_least(name: str, least: float) -> str:
    """The name without its least relevant grade, where it says this one.

    >>> without_least("RBP(rel=2,p=0.5)@10", 2)
    'RBP(p=0.5)@10'
    """
    match = NOTATION.fullmatch(name.strip())
    if match is None or not match["inside"]:
        return name
    parameters = [
        parameter
        for parameter in match["inside"].split(",")
        if not (says := LEAST.fullmatch(parameter)) or float(says["grade"]) != least
    ]
    inside = f"({','.join(parameters)})" if parameters else ""
    return f"{match['family']}{inside}{name.strip()[match.end('inside') + 1 :]}"


def _with_grade(name: str, least: float) -> str:
    """A name that says no least relevant grade, with this one."""
    family, bracket, parameters = name.partition("(")
    if bracket:
        return f"{family}(rel={least:g},{parameters}"
    family, at, depth = name.partition("@")
    return f"{family}(rel={least:g}){at}{depth}"


def _parameters(inside: str) -> dict[str, str]:
    parts = [part.partition("=") for part in inside.split(",") if part.strip()]
    return {key.strip(): value.strip() for key, _, value in parts}
