"""Tokens by which programs act for a person, and the page on which they are made and revoked."""
