"""What programs can read, declared in one way."""
