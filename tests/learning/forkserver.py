"""What the fork server of `test_resume.py` loads once, before it forks a process for every kill."""

from tests.learning.killed import load_kernels

load_kernels()
