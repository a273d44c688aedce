"""How a collection is judged: its scheme, guidelines, and the schemes that are shipped."""
