"""Lists for programs, all declared in the same way."""
