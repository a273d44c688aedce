"""The parts of `bench/mutate.py`."""
