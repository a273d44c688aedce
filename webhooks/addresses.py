"""Allowed addresses of hooks, and the machines behind a name that may be called.

Facetwise stands inside networks that trust it. What a lead types must not make it call a machine
in there.
"""

import re
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from urllib.parse import urlsplit

from audit.refusals import Invalid

# Labels of at most 63 letters, digits and hyphens.
NAME = re.compile(r"(?=.{1,253}$)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*\.?")
# Set aside by IANA; older versions of Python take some of them for public.
SET_ASIDE: list[IPv4Network | IPv6Network] = [
    IPv4Network("192.0.0.0/24"),
    IPv4Network("192.88.99.0/24"),
    IPv4Network("198.18.0.0/15"),
    IPv6Network("64:ff9b:1::/48"),
    IPv6Network("2001::/23"),
    IPv6Network("3fff::/20"),
    IPv6Network("5f00::/16"),
]
# Prefixes of IPv6 under which a gateway reaches the IPv4 address in the bits that are named.
NAT64 = IPv6Network("64:ff9b::/96")
COMPATIBLE = IPv6Network("::/96")


@dataclass(frozen=True)
class Address:
    """An address taken apart; `host` is what certificates and the Host header name."""

    is_https: bool
    host: str
    port: int
    target: str

    @property
    def host_header(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        usual = 443 if self.is_https else 80
        return host if self.port == usual else f"{host}:{self.port}"


def read_address(text: str, *, allows_loopback: bool) -> Address:
    """Take an address apart; raises Invalid with what is wrong about it.

    Plain http is for tests, to this machine alone.
    """
    if not re.fullmatch(r"[!-\[\]-~]+", text):
        raise Invalid("Write the address in ASCII without spaces, other letters percent-encoded.")
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise Invalid(
            "That is not an address. Write one that begins with https:// and names a host."
        ) from None
    schemes = {"https", "http"} if allows_loopback else {"https"}
    if parts.scheme not in schemes or not parts.hostname:
        raise Invalid("The address begins with https:// and names a host.")
    if "@" in parts.netloc:
        raise Invalid("The address holds a user or password. Deliveries are signed instead.")
    if parts.fragment:
        raise Invalid("Leave out the part from # on; it is not sent.")
    host, literal = parts.hostname, _literal(parts.hostname)
    if not literal and not NAME.fullmatch(host):
        raise Invalid("The name of the host cannot be looked up.")
    is_https = parts.scheme == "https"
    address = Address(
        is_https=is_https,
        host=host,
        port=port or (443 if is_https else 80),
        target=(parts.path or "/") + (f"?{parts.query}" if parts.query else ""),
    )
    if literal and not may_be_called(literal, address, allows_loopback=allows_loopback):
        raise Invalid("The address is not a public one.")
    return address


def may_be_called(
    machine: IPv4Address | IPv6Address, address: Address, *, allows_loopback: bool
) -> bool:
    """Whether a machine that the name of an address stands for may be called."""
    if allows_loopback and _inner(machine).is_loopback:
        return True
    return address.is_https and is_public(machine)


def is_public(machine: IPv4Address | IPv6Address) -> bool:
    """Whether anybody on the internet would reach the same machine under it.

    What stands for an IPv4 address (mapped, 6to4, Teredo, NAT64) is what that one is.
    """
    inner = _inner(machine)
    if inner is not machine:
        return is_public(inner)
    if any(machine in network for network in SET_ASIDE):
        return False
    if machine.is_multicast or machine.is_reserved or machine.is_unspecified:
        return False
    if isinstance(machine, IPv6Address) and (machine.is_site_local or machine.scope_id):
        return False
    return machine.is_global


def _inner(machine: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    """The IPv4 address that an IPv6 address carries, or the address itself."""
    if isinstance(machine, IPv4Address):
        return machine
    if machine.ipv4_mapped:
        return machine.ipv4_mapped
    if machine.sixtofour:
        return machine.sixtofour
    if machine.teredo:
        return machine.teredo[1]
    is_compatible = machine in COMPATIBLE and int(machine) > 1
    if machine in NAT64 or is_compatible:
        return IPv4Address(int(machine) & 0xFFFFFFFF)
    return machine


def _literal(host: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(host)
    except ValueError:
        return None
