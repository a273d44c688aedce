"""The ratings that figures are made of: read, kept, chosen, counted."""
