"""The values of one source against those of another, pair by pair or query by query."""
