"""The parts of `kill_under_load.py`: what people send, and whether it was kept."""
