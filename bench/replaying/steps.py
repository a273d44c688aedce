"""What replays share: waiting for jobs, saving a rating, downloading, comparing, timing."""

import io
import re
import time
import zipfile

from bench.visitor import UnexpectedAnswer, parse, path_of, words_of

TOLERANCE = 1e-9


def link_on(page):
    [link] = page.xpath("//input[@id='link']/@value")
    return link


def wait_for_job(visitor, page, seconds=900):
    """The page that a job's own page leads to once it is done."""
    deadline = time.monotonic() + seconds
    while page.xpath("//*[@id='job'][@hx-get]"):
        if time.monotonic() > deadline:
            raise UnexpectedAnswer(f"{page.base_url} was not done within {seconds} seconds.")
        time.sleep(0.5)
        page = visitor.page(path_of(page.base_url))
    if not page.xpath("//*[@id='job']//*[contains(@class, 'banner ok')]"):
        raise UnexpectedAnswer(words_of(page.xpath("//*[@id='job']")[0])[:2000])
    [link] = page.xpath("//*[@id='job']//a/@href")
    return visitor.page(path_of(link))


def bring_in(lead, home, files, **settings):
    """Import files by the page: they are looked at, perhaps read otherwise, and imported."""
    address = f"{home}import/"
    page = _after_job(lead, lead.submit(lead.page(address), "/import/", files=files))
    if settings:
        page = _after_job(lead, lead.submit(page, "/import/check/", **settings))
    page = _after_job(lead, lead.submit(page, "/import/start/"))
    if not page.xpath("//*[contains(@class, 'banner ok')]"):
        raise UnexpectedAnswer(words_of(page.xpath("//main")[0])[:2000])


def _after_job(lead, page, seconds=900):
    """The import page once its work is done."""
    deadline = time.monotonic() + seconds
    while page.xpath("//*[@id='import'][@hx-get]"):
        if time.monotonic() > deadline:
            raise UnexpectedAnswer(f"{page.base_url} was not done within {seconds} seconds.")
        time.sleep(0.5)
        page = lead.page(path_of(page.base_url))
    return page


def open_seats(visitor):
    """The addresses of a person's seats, from their home page."""
    links = {path_of(link) for link in visitor.page("/").xpath("//a/@href")}
    return sorted(link for link in links if re.fullmatch(r"/seats/[0-9a-f-]{36}/", link))


def pair_at(visitor, seat, position):
    """One pair of a seat, as the browser's script fetches it."""
    return parse(visitor.get(f"{seat}{position}/", headers={"HX-Request": "true"}))


def save(visitor, url, address, fields):
    """One save as the browser's script sends it; the answer must name it."""
    headers = {"HX-Request": "true", "Referer": f"{url}{address}"}
    answer = visitor.request("POST", address, data=fields, headers=headers)
    saved = parse(answer).xpath("//*[@id='saved']/@data-save-id")
    if answer.status_code != 200 or saved != [fields["save_id"]]:
        raise UnexpectedAnswer(f"{address}: {answer.status_code} {answer.text}")
    return answer


class Differences(list):
    """What is not as recorded, and how much was compared."""

    def __init__(self):
        super().__init__()
        self.compared = 0

    def same(self, place, actual, expected):
        self.compared += 1
        numbers = isinstance(actual, int | float) and isinstance(expected, int | float)
        equal = abs(actual - expected) <= TOLERANCE if numbers else actual == expected
        if not equal:
            self.append(f"{place}: {actual!r} instead of {expected!r}")


def export(study, export_format, **options):
    """The files of an export, by name."""
    lead = study.visitor("lead")
    page = lead.page(f"{study.home}exports/")
    page = lead.submit(page, "/exports/", format=export_format, **options)
    page = wait_for_job(lead, page)
    archives = [link for link in page.xpath("//a[@download]/@href") if link.endswith(".zip")]
    with zipfile.ZipFile(io.BytesIO(lead.get(path_of(archives[0])).content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


class stage:
    """Print what is done and how long it took."""

    def __init__(self, name):
        self.name, self.outcome = name, ""

    def __enter__(self):
        self.start = time.monotonic()
        return lambda outcome: setattr(self, "outcome", f": {outcome}")

    def __exit__(self, *failure):
        if failure == (None, None, None):
            print(f"  {self.name}{self.outcome}, {time.monotonic() - self.start:.1f} s", flush=True)
