"""Starting a collection, and what every export of it carries."""
