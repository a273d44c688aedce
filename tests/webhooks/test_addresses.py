"""Which addresses a hook may have, and which machines may be called."""

from ipaddress import ip_address

import pytest

from audit.refusals import Invalid
from webhooks.addresses import is_public, may_be_called, read_address

PUBLIC = ["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c", "::ffff:93.184.215.14"]
# What stands for a public address of IPv4 (compatible, NAT64) is public as well.
PUBLIC += ["::93.184.215.14", "64:ff9b::93.184.215.14"]
PRIVATE = [
    # IPv4: this machine, local networks, carriers, test networks, multicast, reserved.
    *("127.0.0.1", "127.9.9.9", "0.0.0.0", "10.1.2.3", "172.16.0.1", "192.168.1.1"),
    *("169.254.169.254", "100.64.0.1", "192.0.0.8", "192.0.2.1", "198.18.0.1"),
    *("224.0.0.1", "239.1.2.3", "240.0.0.1", "255.255.255.255"),
    # IPv6: the same.
    *("::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12:3456::1", "fec0::1"),
    *("ff02::1", "ff0e::1", "2001:db8::1", "100::1", "3fff::1"),
    # IPv4 inside IPv6: mapped, compatible, 6to4, Teredo, NAT64.
    *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:a9fe:a9fe", "::127.0.0.1", "::10.0.0.1"),
    *("2002:7f00:1::", "2002:c0a8:101::1", "2001:0:53aa:64c:0:0:80ff:fffe"),
    *("64:ff9b::127.0.0.1", "64:ff9b::10.0.0.1", "64:ff9b:1::1"),
]


@pytest.mark.parametrize("machine", PUBLIC)
def test_a_machine_of_the_internet_is_public(machine):
    assert is_public(ip_address(machine))


@pytest.mark.parametrize("machine", PRIVATE)
def test_a_machine_that_only_some_reach_is_not_public(machine):
    assert not is_public(ip_address(machine))


def test_plain_http_to_this_machine_has_its_usual_port():
    address = read_address("http://localhost/", allows_loopback=True)

    assert (address.port, address.host_header) == (80, "localhost")


LOOPBACK = ["127.0.0.1", "::1", "::ffff:127.0.0.1"]


@pytest.mark.parametrize("machine", LOOPBACK)
def test_this_machine_is_called_where_the_setting_allows_it(machine):
    plain = read_address("http://localhost:1/", allows_loopback=True)

    assert may_be_called(ip_address(machine), plain, allows_loopback=True)
    assert not may_be_called(ip_address(machine), plain, allows_loopback=False)


@pytest.mark.parametrize("machine", ["10.0.0.1", "93.184.215.14", "169.254.169.254"])
def test_the_setting_opens_no_other_machine_to_plain_http(machine):
    plain = read_address("http://localhost:1/", allows_loopback=True)

    assert not may_be_called(ip_address(machine), plain, allows_loopback=True)


@pytest.mark.parametrize(
    ("text", "host", "port", "target"),
    [
        ("https://Hooks.example.org", "hooks.example.org", 443, "/"),
        ("https://hooks.example.org:8443/a/b?c=d", "hooks.example.org:8443", 8443, "/a/b?c=d"),
        ("https://[2606:2800::1]/x", "[2606:2800::1]", 443, "/x"),
    ],
)
def test_an_address_is_taken_apart(text, host, port, target):
    address = read_address(text, allows_loopback=False)

    assert (address.host_header, address.port, address.target) == (host, port, target)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("http://example.org/", "begins with https://"),
        ("ftp://example.org/", "begins with https://"),
        ("https://", "names a host"),
        ("example.org", "begins with https://"),
        ("https://me:secret@example.org/", "user or password"),
        ("https://example.org/#part", "from # on"),
        ("https://exa mple.org/", "without spaces"),
        ("https://example.org/\r\nX-Header: 1", "without spaces"),
        ("https://example.org\\@127.0.0.1/", "without spaces"),
        ("https://exämple.org/", "ASCII"),
        ('https://exam"ple.org/', "cannot be looked up"),
        ("https://" + "a" * 64 + ".org/", "cannot be looked up"),
        ("https://example.org:99999/", "not an address"),
        ("https://[::1/", "not an address"),
        ("https://127.0.0.1/", "not a public one"),
        ("https://[::ffff:10.0.0.1]/", "not a public one"),
        ("https://169.254.169.254/latest/", "not a public one"),
    ],
)
def test_other_addresses_are_refused_with_a_sentence(text, sentence):
    with pytest.raises(Invalid, match=sentence):
        read_address(text, allows_loopback=False)
