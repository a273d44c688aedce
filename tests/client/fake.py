"""A server that says what a test lays down, and keeps the requests that came."""

import json

import httpx
from facetwise.connection import Connection


class Server:
    """Gives these answers in turn: responses, or what a JSON answer holds."""

    def __init__(self, *answers):
        self.left = [
            answer if isinstance(answer, httpx.Response) else httpx.Response(200, json=answer)
            for answer in answers
        ]
        self.requests = []
        self.transport = httpx.MockTransport(self._answer)

    def _answer(self, request):
        self.requests.append(request)
        return self.left.pop(0)

    @property
    def connection(self):
        return Connection("https://example.org", "fw_x", transport=self.transport)

    @property
    def addresses(self):
        """Method and address of each request, as below the collections."""
        return [
            f"{request.method} {str(request.url).partition('/api/v1/')[2]}"
            for request in self.requests
        ]

    @property
    def sent(self):
        """The body of the last request."""
        return json.loads(self.requests[-1].content)

    @property
    def accepts(self):
        return [request.headers["Accept"] for request in self.requests]
