"""One POST to a receiver that is well, fails, hangs, lies, or sends elsewhere."""

import datetime
import ipaddress
import socket
import ssl
import time

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.webhooks.receiver import answering
from webhooks import sending
from webhooks.addresses import read_address
from webhooks.sending import Outcome, post


def send(address, **options):
    address = read_address(address, allows_loopback=True)
    options = {"allows_loopback": True, "seconds": 60} | options
    return post(address, b'{"a":1}', {"X-Test": "yes"}, **options)


@pytest.fixture
def names(monkeypatch):
    """`names(*machines)`: what every name stands for from now on; counts how often it is asked."""
    looked_up = []

    def stand_for(*machines):
        def look_up(host, port, **options):
            looked_up.append(host)
            return [(2, 1, 6, "", (machine, port)) for machine in machines]

        # A literal address needs no look-up, also in the connection that follows.
        monkeypatch.setattr(
            sending.socket,
            "getaddrinfo",
            lambda host, port, *args, **options: (
                REAL_LOOK_UP(host, port, *args, **options)
                if is_literal(host)
                else look_up(host, port)
            ),
        )
        return looked_up

    return stand_for


REAL_LOOK_UP = socket.getaddrinfo


def is_literal(host):
    try:
        return bool(ipaddress.ip_address(host))
    except ValueError:
        return False


def test_a_receiver_gets_the_body_and_the_headers(receiver):
    outcome = send(receiver.address + "?key=1")

    [(path, headers, body)] = receiver.received
    assert outcome == Outcome(204, "")
    assert (path, body, headers["X-Test"]) == ("/hook?key=1", b'{"a":1}', "yes")
    assert headers["Host"] == f"127.0.0.1:{receiver.server_address[1]}"


@pytest.mark.parametrize("status", [400, 404, 410, 500, 503])
def test_another_status_is_a_failure_that_names_it(receiver, status):
    receiver.answer = answering(status)

    assert send(receiver.address) == Outcome(status, f"The answer was {status}.")


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_to_this_machine_is_not_followed(receiver, status):
    receiver.answer = answering(status, Location=receiver.address)

    outcome = send(receiver.address)

    assert outcome == Outcome(status, f"The answer was {status}. Redirects are not followed.")
    assert len(receiver.received) == 1


def drip(handler):
    """A header that never ends, a letter at a time: no single read takes long."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Long: ")
    for _ in range(100):
        handler.wfile.write(b"a")
        handler.wfile.flush()
        time.sleep(0.05)


def hang(handler):
    handler.rfile.read(1)  # until the caller goes


@pytest.mark.parametrize("answer", [hang, drip])
def test_a_receiver_that_hangs_is_left_when_the_time_is_over(receiver, answer):
    receiver.answer = answer

    outcome = send(receiver.address, seconds=0.5)

    assert outcome == Outcome(None, "No answer came within 0.5 seconds.")


def flood(handler):
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 999999999\r\n\r\n")
    handler.server.flooded = 0
    try:
        while True:
            handler.server.flooded += handler.connection.send(bytes(65536))
    except OSError:
        pass


def test_of_an_answer_without_end_little_is_read(receiver):
    receiver.answer = flood

    assert send(receiver.address) == Outcome(200, "")
    # What lies in the buffers of both sides is sent, and not one of the gigabyte's rest.
    assert receiver.flooded < 50_000_000


def test_headers_without_end_are_no_answer(receiver):
    receiver.answer = lambda handler: handler.wfile.write(b"HTTP/1.1 200 OK\r\n" + b"a" * 200_000)

    assert send(receiver.address).sentence == "The answer is not HTTP."


@pytest.mark.parametrize("text", [b"SSH-2.0-OpenSSH\r\n", b""])
def test_what_is_no_http_is_no_answer(receiver, text):
    def answer(handler):
        handler.wfile.write(text)
        handler.close_connection = True

    receiver.answer = answer

    assert send(receiver.address).sentence == "The answer is not HTTP."


def test_a_closed_port_refuses(receiver):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]

    outcome = send(f"http://127.0.0.1:{port}/")

    assert outcome == Outcome(None, "The connection was refused.")


PRIVATE = ["127.0.0.1", "10.0.0.1", "::1", "::ffff:127.0.0.1", "fd00::1", "169.254.169.254"]


@pytest.mark.parametrize("machine", PRIVATE)
def test_a_name_that_leads_inside_is_not_called(receiver, names, machine):
    names(machine)

    outcome = send("https://hooks.example.org/", allows_loopback=False)

    assert outcome == Outcome(None, "hooks.example.org leads to a machine that is not public.")


def test_a_name_of_which_one_machine_is_inside_is_not_called(names, monkeypatch):
    names("93.184.215.14", "10.0.0.1")
    monkeypatch.setattr(sending.socket, "create_connection", pytest.fail)

    outcome = send("https://hooks.example.org/", allows_loopback=False)

    assert "not public" in outcome.sentence


def test_a_name_is_looked_up_once_and_that_machine_is_called(receiver, names):
    looked_up = names("127.0.0.1")

    outcome = send(f"http://hooks.example.org:{receiver.server_address[1]}/")

    assert (outcome.status, looked_up) == (204, ["hooks.example.org"])
    [(_, headers, _)] = receiver.received
    assert headers["Host"].startswith("hooks.example.org:")


def test_a_name_nobody_knows_is_reported(monkeypatch):
    def look_up(*args, **options):
        raise socket.gaierror

    monkeypatch.setattr(sending.socket, "getaddrinfo", look_up)

    assert send("https://gone.example.org/").sentence == "The name gone.example.org is not known."


def test_a_resolver_that_hangs_is_left_when_the_time_is_over(monkeypatch):
    monkeypatch.setattr(sending.socket, "getaddrinfo", lambda *args, **options: time.sleep(1))

    outcome = send("https://slow.example.org/", seconds=0.1)

    assert outcome == Outcome(None, "No answer came within 0.1 seconds.")


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """A certificate for hooks.example.org that signs itself, with its key, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "hooks.example.org")])
    now = datetime.datetime.now(datetime.UTC)
    signed = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("hooks.example.org")]), False)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path_factory.mktemp("tls") / "hooks.pem"
    path.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        + signed.public_bytes(serialization.Encoding.PEM)
    )
    return path


@pytest.fixture
def encrypted(receiver, certificate, names):
    """The receiver behind TLS, under a name; keeps the names that callers asked it for."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    receiver.server_names = []
    context.sni_callback = lambda _, name, __: receiver.server_names.append(name)
    receiver.socket = context.wrap_socket(receiver.socket, server_side=True)
    receiver.scheme, receiver.host = "https", "hooks.example.org"
    names("127.0.0.1")
    return receiver


def test_by_tls_the_name_is_asked_for_and_its_certificate_checked(
    encrypted, certificate, monkeypatch
):
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))

    outcome = send(encrypted.address)

    assert outcome == Outcome(204, "")
    assert encrypted.server_names == ["hooks.example.org"]


def test_a_certificate_that_nobody_vouches_for_is_refused(encrypted):
    outcome = send(encrypted.address)

    assert outcome.sentence.startswith("The certificate is not valid: self-signed certificate")
    assert encrypted.received == []


def test_a_certificate_of_another_name_is_refused(encrypted, certificate, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    encrypted.host = "other.example.org"

    outcome = send(encrypted.address)

    assert "not valid for 'other.example.org'" in outcome.sentence
