"""A visitor without a browser: fetches pages, fills in their forms, follows redirects.

It keeps to what the pages offer, so that what it does is what a person without script could do,
over the same routes.
"""

import time
from urllib.parse import urljoin, urlsplit

import httpx
from lxml import html

PATIENCE_SECONDS = 60


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
            told = page.xpath("//*[@role='alert'] | //*[contains(@class, 'error')]") or [page]
            words = "; ".join(words_of(element) for element in told)
            raise UnexpectedAnswer(
                f"{answer.request.method} {answer.request.url}: {answer.status_code} {words[:600]}"
            )
        return answer

    def sign_in(self, email, password):
        page = self.submit(self.page("/sign-in/"), "/sign-in/", email=email, password=password)
        if page.xpath("//input[@name='password']"):
            raise UnexpectedAnswer(f"{email} could not sign in.")
        return page


def parse(answer):
    return html.fromstring(answer.text or "<p></p>", base_url=str(answer.url))


def find_form(page, action):
    for form in page.forms:
        if path_of(urljoin(page.base_url or "", form.action or "")).endswith(action):
            return form
    raise UnexpectedAnswer(f"{page.base_url} has no form for {action}.")


def path_of(address):
    parts = urlsplit(address)
    return parts.path + (f"?{parts.query}" if parts.query else "")


def words_of(element):
    """The text of an element with white space folded: how texts are recognised."""
    return " ".join(element.text_content().split())
