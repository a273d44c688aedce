"""A program that webhooks are sent to, on this machine."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Receiver(ThreadingHTTPServer):
    """Keeps what it is sent as (path, headers, body); `answer(handler)` writes each answer."""

    daemon_threads = True

    def __init__(self):
        self.received = []
        self.answer = answering(204)
        super().__init__(("127.0.0.1", 0), _Handler)
        self.host = "127.0.0.1"
        self.scheme = "http"

    @property
    def address(self):
        return f"{self.scheme}://{self.host}:{self.server_address[1]}/hook"

    def handle_error(self, request, client_address):
        pass  # whoever called has gone


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.received.append((self.path, dict(self.headers), body))
        self.server.answer(self)

    def log_message(self, *args):
        pass


def answering(status, **headers):
    """Answer with a status and nothing more."""

    def answer(handler):
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    return answer


def running(receiver):
    threading.Thread(target=receiver.serve_forever, args=[0.01], daemon=True).start()
    return receiver
