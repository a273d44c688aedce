"""A collection's scheme and guidelines, and the schemes that are shipped."""
