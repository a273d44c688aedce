"""The tables of the pages of runs as files, under the same choices."""

from collections.abc import Callable

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from agreement.pages.downloads import check_format, table_file
from agreement.tables.pictures import PICTURES
from agreement.tables.table import Table
from annotation.steering import SCORES_CLOSED
from audit.refusals import raised_as
from evaluation.pages.compare import two_runs
from evaluation.pages.frame import Page, ask
from evaluation.pages.lab import lab_of
from evaluation.runs import tables as sheets
from evaluation.runs.comparison import Comparison
from evaluation.runs.disagreement import Matter
from evaluation.runs.files import about
from evaluation.runs.scores import scores_of


@require_safe
def table(request: HttpRequest, slug: str, figure: str, suffix: str) -> HttpResponse:
    page = ask(request, slug)
    check_format(suffix)
    sheet, evaluation = sheet_of(page, figure), page.evaluation
    if suffix in PICTURES and not sheet.rows:
        raise Http404(f"The table {figure!r} has no picture.")
    return table_file(
        sheet,
        suffix,
        name=f"{slug}-runs-{figure}",
        about=f"{evaluation.collection.name}. Values of {evaluation.source.in_words}.",
        facts=lambda: about(evaluation),
    )


def sheet_of(page: Page, figure: str) -> Table:
    """One table under the choices of the page; 404 with a sentence where there is none."""
    if page.evaluation.judging.is_closed:
        raise Http404(SCORES_CLOSED)
    measure, draws = page.measure(), page.draws
    makers: dict[str, Callable[[], Table]] = {
        "scores": lambda: sheets.scores_sheet(page.evaluation, measure),
        "by-source": lambda: sheets.by_source_sheet(_comparison(page)),
        "by-topic": lambda: sheets.by_topic_sheet(_comparison(page)),
        "ranks": lambda: sheets.ranks_sheet(_matter(page), draws),
        "pairs": lambda: sheets.pairs_sheet(_matter(page), draws),
        "claims": lambda: sheets.pairs_sheet(_matter(page), draws, significant=True),
        "changes": lambda: sheets.changes_sheet(_matter(page)),
        "lab": lambda: sheets.lab_sheet(lab_of(page)),
    }
    if figure not in makers:
        raise Http404(f"There is no table {figure!r}; expected one of {', '.join(makers)}.")
    with raised_as(Http404):
        return makers[figure]()


def _comparison(page: Page) -> Comparison:
    evaluation, measure = page.evaluation, page.measure()
    if len(evaluation.runs) < 2 or not evaluation.topics:
        raise Http404("A comparison takes two runs and a topic that counts.")
    runs = [row.name for row in scores_of(evaluation, measure).rows]
    return Comparison(evaluation, measure, *two_runs(page, runs))


def _matter(page: Page) -> Matter:
    matter = Matter(page.evaluation, page.measure())
    if matter.why_none:
        raise Http404(matter.why_none)
    return matter
