"""The shipped proxy in front of the shipped server: a real nginx with TLS, on loopback."""

import http.client
import http.server
import shutil
import ssl
import subprocess
import threading
from contextlib import closing

import httpx
import pytest

from bench.visitor import Visitor
from tests.factories.studies import PASSWORD, make_user
from tests.processes import ROOT, Process, free_port, wait_until

SITE = ROOT / "deploy" / "nginx.conf"

# What Debian's nginx.conf says around a site, with every file in a folder of the test's own.
AROUND = """
daemon off;
master_process off;
pid {folder}/nginx.pid;
error_log {folder}/nginx.log;
events {{ }}
http {{
    gzip on;
    gzip_min_length 1;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/site.conf;
}}
"""


class Nginx:
    """nginx with the shipped site, moved to free ports and to the name localhost."""

    def __init__(self, folder, program):
        self.folder, self.program = folder, program
        self.plain, self.port = free_port(), free_port()
        self.url = f"https://localhost:{self.port}"
        command = [
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:P-256",
        ]
        command += ["-nodes", "-days", "1", "-subj", "/CN=localhost"]
        command += ["-addext", "subjectAltName=DNS:localhost"]
        command += ["-keyout", folder / "privkey.pem", "-out", folder / "fullchain.pem"]
        subprocess.run(command, check=True, capture_output=True)
        self.tls = ssl.create_default_context(cafile=folder / "fullchain.pem")
        self.process = None

    def start(self, upstream):
        """In front of the server at the address `upstream`."""
        changes = {
            "listen [::]:80;": "",
            "listen [::]:443 ssl http2;": "",
            "listen 80;": f"listen 127.0.0.1:{self.plain};",
            "listen 443 ssl": f"listen 127.0.0.1:{self.port} ssl",
            "/etc/letsencrypt/live/facetwise.example.org": str(self.folder),
            "/var/log/nginx": str(self.folder),
            "facetwise.example.org": "localhost",
            "http://127.0.0.1:8000": upstream,
        }
        site = SITE.read_text()
        for shipped, replacement in changes.items():
            assert shipped in site, shipped
            site = site.replace(shipped, replacement)
        (self.folder / "site.conf").write_text(site)
        (self.folder / "nginx.conf").write_text(AROUND.format(folder=self.folder))
        command = [self.program, "-e", self.folder / "nginx.log", "-c", self.folder / "nginx.conf"]
        checked = subprocess.run([*command, "-t"], capture_output=True, text=True)
        assert checked.returncode == 0, checked.stderr
        self.process = Process(command, None, self.folder / "output.log")
        wait_until(self.answers, f"nginx; see {self.folder}")

    def answers(self):
        assert self.process.popen.poll() is None, (self.folder / "nginx.log").read_text()
        try:
            httpx.get(f"http://127.0.0.1:{self.plain}/")
        except httpx.TransportError:
            return False
        return True

    def client(self):
        return httpx.Client(base_url=self.url, verify=self.tls)


@pytest.fixture
def nginx(tmp_path):
    program = shutil.which("nginx", path="/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin")
    if program is None:
        pytest.skip("not run: needs nginx")
    folder = tmp_path / "nginx"
    folder.mkdir()
    nginx = Nginx(folder, program)
    yield nginx
    if nginx.process:
        nginx.process.kill()


@pytest.fixture
def backend():
    """A server behind nginx; `backend.headers` are those of its last request."""

    class Server(http.server.ThreadingHTTPServer):
        headers = None

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.server.headers = self.headers
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", "100")
            self.end_headers()
            self.wfile.write(b"x" * 100)

        def log_message(self, *args):
            pass

    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def test_what_a_client_says_about_where_it_comes_from_is_replaced(nginx, backend):
    nginx.start(f"http://127.0.0.1:{backend.server_port}")
    lies = {
        "X-Forwarded-For": "198.51.100.7",
        "X-Forwarded-Proto": "http",
        "X-Forwarded-Host": "evil.example.org",
        "X-Forwarded-Ssl": "off",
        "X-Forwarded-Protocol": "http",
        "X-Real-IP": "198.51.100.7",
        "Forwarded": "for=198.51.100.7",
    }

    with nginx.client() as client:
        answer = client.get("/", headers=lies)

    heard = {name: backend.headers.get_all(name) for name in lies if name in backend.headers}
    assert heard == {"X-Forwarded-For": ["127.0.0.1"], "X-Forwarded-Proto": ["https"]}
    assert backend.headers["Host"] == f"localhost:{nginx.port}"
    assert "Content-Encoding" not in answer.headers


def test_plain_http_leads_to_https_and_no_address_is_logged(nginx):
    nginx.start(f"http://127.0.0.1:{free_port()}")

    answer = httpx.get(
        f"http://127.0.0.1:{nginx.plain}/invitations/secret/", headers={"Host": "localhost"}
    )
    with nginx.client() as client:
        away = client.get("/reset/secret/")

    assert away.status_code == 502
    assert (answer.status_code, answer.headers["Location"]) == (
        301,
        "https://localhost/invitations/secret/",
    )
    logs = [path.read_text() for path in nginx.folder.glob("*.log")]
    assert "secret" not in "".join(logs)


def status_of_upload(nginx, size):
    """What is answered to an upload of which only the head has come."""
    with closing(http.client.HTTPSConnection("localhost", nginx.port, context=nginx.tls)) as upload:
        upload.putrequest("POST", "/collections/study/import/")
        upload.putheader("Content-Length", str(size))
        upload.endheaders()
        with closing(upload.getresponse()) as answer:
            return answer.status


def test_people_sign_in_through_the_proxy_and_cannot_choose_their_address(
    installation, nginx, settings
):
    # The server has the product's own hashers.
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
    make_user("Alice")
    site = installation(
        FACETWISE_HTTPS="1",
        ALLOWED_HOSTS="localhost,127.0.0.1",
        FORWARDED_ALLOW_IPS="127.0.0.1",
        WEB_CONCURRENCY="1",
    )
    _, url = site.start_web()
    nginx.start(url)

    visitor = Visitor(nginx.url)
    visitor.client = httpx.Client(base_url=nginx.url, verify=nginx.tls, follow_redirects=True)
    visitor.sign_in("alice@example.org", PASSWORD)
    cookies = {cookie.name: cookie.secure for cookie in visitor.client.cookies.jar}
    visitor.close()
    with httpx.Client(base_url=nginx.url, verify=nginx.tls) as guesser:
        token = guesser.get("/sign-in/").text.partition('csrfmiddlewaretoken" value="')[2][:64]
        guesses = [
            guesser.post(
                "/sign-in/",
                data={
                    "csrfmiddlewaretoken": token,
                    "email": "alice@example.org",
                    "password": "a wrong guess",
                },
                headers={"Referer": nginx.url, "X-Forwarded-For": f"198.51.100.{number}"},
            ).status_code
            for number in range(12)
        ]

    assert cookies["__Host-sessionid"]
    assert 429 in guesses
    assert 403 not in guesses
    # Refused before a byte of it was read.
    assert status_of_upload(nginx, 230 * 2**20) == 413


def test_the_proxy_lets_pass_what_facetwise_may_take(settings):
    [line] = [line for line in SITE.read_text().splitlines() if "client_max_body_size" in line]
    megabytes = int(line.split()[1].removesuffix("m;"))

    assert megabytes * 2**20 > settings.FACETWISE_MAX_UPLOAD
