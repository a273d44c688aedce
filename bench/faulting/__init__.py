"""The parts of bench/faults.py."""
