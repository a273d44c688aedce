"""The pairs behind a number: lists of them, and the page of each."""
