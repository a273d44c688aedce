"""What replays share: imports, seats, saves, decisions, exports, comparing, timing."""

import io
import re
import time
import zipfile

from bench.visitor import UnexpectedAnswer, find_form, parse, path_of, words_of

TOLERANCE = 1e-9


def link_on(page):
    [link] = page.xpath("//input[@id='link']/@value")
    return link


def once_done(visitor, page, element, seconds=900):
    """The page when the work that this element of it shows is done."""
    deadline = time.monotonic() + seconds
    while page.xpath(f"//*[@id='{element}'][@hx-get]"):
        if time.monotonic() > deadline:
            raise UnexpectedAnswer(f"{page.base_url} was not done within {seconds} seconds.")
        time.sleep(0.5)
        page = visitor.page(path_of(page.base_url))
    return page


def bring_in(lead, home, files, **settings):
    """Import files by the page: they are looked at, perhaps read otherwise, and imported."""
    address = f"{home}import/"
    page = lead.submit(lead.page(address), "/import/", files=files)
    page = once_done(lead, page, "import")
    if settings:
        page = once_done(lead, lead.submit(page, "/import/check/", **settings), "import")
    page = once_done(lead, lead.submit(page, "/import/start/"), "import")
    if not page.xpath("//*[contains(@class, 'banner ok')]"):
        raise UnexpectedAnswer(words_of(page.xpath("//main")[0])[:2000])


def give_seats(lead, page, batch, names):
    """Assign the seats of a batch on the page of assignments to these people, in order."""
    forms = [form for form in batch.iter("form") if "member" in form.fields]
    for form, name in zip(forms, names, strict=True):
        [member] = [option.get("value") for option in form.iter("option") if option.text == name]
        lead.submit(page, path_of(form.action), member=member)


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


def decide_everything(study):
    """The adjudicator opens topic after topic and decides each disputed pair as recorded."""
    visitor = study.visitor("adjudicator")
    count = 0
    while True:
        page = visitor.page(f"{study.home}adjudicate/")
        opening = [form for form in page.forms if (form.action or "").endswith("/take/")]
        if not opening:
            return count
        page = visitor.submit(page, path_of(opening[0].action))
        while path_of(page.base_url).startswith("/adjudicate/"):
            form = find_form(page, path_of(page.base_url))
            option = study.option_decided(page, form)
            address = path_of(form.action or page.base_url)
            page = visitor.submit(page, address, option=option, reason="As recorded.")
            count += 1


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
    page = once_done(lead, page, "job")
    if not page.xpath("//*[@id='job']//*[contains(@class, 'banner ok')]"):
        raise UnexpectedAnswer(words_of(page.xpath("//*[@id='job']")[0])[:2000])
    [link] = page.xpath("//*[@id='job']//a/@href")
    page = lead.page(path_of(link))
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
