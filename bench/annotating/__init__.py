"""The parts of `bench/annotate.py`: the study, those who rate in it, and what they met."""
