"""A visitor without a browser: fetches pages, fills in their forms, follows redirects.

It keeps to what the pages offer, so that what it does is what a person without script could do,
over the same routes. `PairForm` and `Workbench` do what the workbench's script does; what `bench/`
knows of a pair's page, of a save and of its answer stands there and nowhere else.
"""

import re
import time
from urllib.parse import urlencode, urljoin, urlsplit

import httpx
from lxml import html

PATIENCE_SECONDS = 60
TEXTS_AT_ONCE = 12
KNOWN_AT_ONCE = 20  # keys of what a script has already
KEY = re.compile(rb' data-(?:query|paper)-key="([^"]*)"')


class UnexpectedAnswer(Exception):
    """The server answered otherwise than a replay can go on with."""


class Visitor:
    """One person's browser session. Requests that meet a dead or busy server are sent again."""

    def __init__(self, url):
        self.client = httpx.Client(base_url=url, timeout=60, follow_redirects=True)
        self.requests = 0

    def close(self):
        self.client.close()

    def request(self, method, address, **details):
        """The answer; repeated for a minute while the server is away (it may be restarting)."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                self.requests += 1
                answer = self.client.request(method, address, **details)
            except httpx.TransportError:
                if time.monotonic() > deadline:
                    raise
            else:
                if answer.status_code != 503 or time.monotonic() > deadline:
                    return answer
            time.sleep(0.2)

    def get(self, address, **details):
        return self._expect(self.request("GET", address, **details))

    def page(self, address):
        answer = self.get(address)
        return parse(answer)

    def submit(self, page, action, *, status=None, files=None, **values):
        """Fill in the form of `page` whose action ends with `action` and send it.

        Values that are None leave the field out. Returns the page that follows.
        """
        form = find_form(page, action)
        fields = dict(form.form_values())
        # lxml says "on" for a chosen radio button whose value is empty; browsers send it empty.
        for radio in form.xpath(".//input[@type='radio'][@checked][@value='']"):
            fields[radio.name] = ""
        fields.update(values)
        fields = {name: value for name, value in fields.items() if value is not None}
        target = urljoin(page.base_url or "", form.action or page.base_url or "")
        answer = self.request(
            form.method, path_of(target), data=fields, files=files, headers=self._referer(page)
        )
        return parse(self._expect(answer, status))

    def _referer(self, page):
        return {"Referer": page.base_url or str(self.client.base_url)}

    def _expect(self, answer, status=None):
        accepted = {status} if status else {200}
        if answer.status_code not in accepted:
            page = parse(answer)
            messages = page.xpath("//*[@role='alert'] | //*[contains(@class, 'error')]") or [page]
            words = "; ".join(words_of(element) for element in messages)
            raise UnexpectedAnswer(
                f"{answer.request.method} {answer.request.url}: {answer.status_code} {words[:600]}"
            )
        return answer

    def sign_in(self, email, password):
        page = self.submit(self.page("/sign-in/"), "/sign-in/", email=email, password=password)
        if page.xpath("//input[@name='password']"):
            raise UnexpectedAnswer(f"{email} could not sign in.")
        return page


class PairForm:
    """The form on the page of a pair."""

    headers = {"HX-Request": "true", "Content-Type": "application/x-www-form-urlencoded"}

    def __init__(self, page, address):
        form = find_form(page, address)
        self.address = address
        self.options = form.xpath(".//input[@name='answer'][@data-key]/@value")
        [title] = page.xpath("//*[@id='candidate']//*[contains(@class, 'doc-title')]")
        self.title = words_of(title)
        self._fields = {name: value for name, value in form.form_values() if name != "answer"}

    def body(self, *, save_id, based_on, **answer):
        """The body of a save as the workbench's script sends it.

        `answer` has the fields of the form that a person fills in.
        """
        fields = self._fields | answer | {"save_id": save_id, "based_on": str(based_on)}
        return urlencode(fields).encode()


def acknowledges(status, body, save_id):
    """Whether an answer says that this save is kept: a success that names it."""
    return 200 <= status < 300 and save_id.encode() in body


class Workbench:
    """A seat at work, as the script of its page walks through it: the first pair's page, then texts
    a dozen at a time, and saves apart."""

    def __init__(self, visitor, address, size):
        self.visitor, self.address, self.size = visitor, address, size
        self.form = PairForm(visitor.page(f"{address}1/"), f"{address}1/")
        self._titles = {1: self.form.title}

    def title(self, position):
        """The title of the paper at a position."""
        if position not in self._titles:
            self._titles = dict(self._fetch(texts_after(self.address, position - 1, self.size)))
        return self._titles[position]

    def _fetch(self, address):
        for text in parse(self.visitor.get(address)).xpath("//*[@data-position]"):
            # Of papers under several topics only the first text brings the title.
            titles = text.xpath(".//*[@id='candidate']//*[contains(@class, 'doc-title')]")
            yield int(text.get("data-position")), words_of(titles[0]) if titles else ""

    def save(self, position, *, save_id, based_on, **answer):
        """Send one save until it is answered; raises where the answer does not name it."""
        address = f"{self.address}{position}/"
        referer = str(self.visitor.client.base_url.join(address))
        received = self.visitor.request(
            "POST",
            address,
            content=self.form.body(save_id=save_id, based_on=based_on, **answer),
            headers=self.form.headers | {"Referer": referer},
        )
        if not acknowledges(received.status_code, received.content, save_id):
            raise UnexpectedAnswer(f"{address}: {received.status_code} {received.text[:500]}")


def texts_after(address, position, size, known=()):
    """Where a script fetches the next dozen texts of a seat of so many pairs, or those left;
    `known` are the keys of queries and papers that it has."""
    last = min(position + TEXTS_AT_ONCE, size)
    positions = [("at", at) for at in range(position + 1, last + 1)]
    return f"{address}texts/?" + urlencode(positions + [("known", key) for key in known])


def keys_of(texts):
    """The keys of the queries and papers of these texts, in their order."""
    return [key.decode() for key in KEY.findall(texts)]


def parse(answer):
    return html.fromstring(answer.text or "<p></p>", base_url=str(answer.url))


def find_form(page, action):
    """The form of the page whose address ends with `action`; a query string counts where named."""
    for form in page.forms:
        address = path_of(urljoin(page.base_url or "", form.action or ""))
        if address.endswith(action) or address.partition("?")[0].endswith(action):
            return form
    raise UnexpectedAnswer(f"{page.base_url} has no form for {action}.")


def path_of(address):
    parts = urlsplit(address)
    return parts.path + (f"?{parts.query}" if parts.query else "")


def words_of(element):
    """The text of an element with white space folded: how texts are recognised."""
    return " ".join(element.text_content().split())
