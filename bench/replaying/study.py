"""The people of a replay and the addresses of their collection."""

import secrets

from bench.replaying.steps import link_on
from bench.visitor import Visitor, path_of


class Study:
    """The people of a replay and the addresses of their collection."""

    def __init__(self, recording, url):
        self.recording = recording
        self.url = url
        self.slug = f"replay-{secrets.token_hex(4)}"
        self.home = f"/collections/{self.slug}/"
        self.visitors = {}

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        for visitor in self.visitors.values():
            visitor.close()

    def visitor(self, name):
        return self.visitors[name]

    def join(self, name, link):
        """Accept an invitation with a new account."""
        visitor = self.visitors[name] = Visitor(self.url)
        address = path_of(link)
        password = secrets.token_urlsafe(18)
        page = visitor.page(address)
        visitor.submit(
            page,
            address,
            name=name,
            email=f"{name}@{self.slug}.example.org",
            password1=password,
            password2=password,
        )

    def make_collection(self, email, password):
        """The admin makes the collection; its lead accepts the link."""
        admin = Visitor(self.url)
        admin.sign_in(email, password)
        page = admin.submit(
            admin.page("/collections/new/"),
            "/collections/new/",
            name=f"Replay of {self.recording.folder.name}",
            slug=self.slug,
            scheme=self.recording.scheme,
        )
        admin.close()
        self.join("lead", link_on(page))

    def invite(self, name, role):
        lead = self.visitor("lead")
        page = lead.page(f"{self.home}members/")
        self.join(name, link_on(lead.submit(page, "/members/invite/", role=role)))
