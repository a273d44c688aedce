"""Handing pairs out: batches, who may take their seats, and who holds them."""
