"""Settings that hold for every test."""

import os

from hypothesis import HealthCheck, settings

# Two test processes share two cores: a second thread of PyTorch or BLAS makes both slower. Set before either is
# imported, and inherited by every process a test starts.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# The same examples every time, so that a failure is a failure of the change under test. A compiled kernel's first call
# takes seconds, so no deadline. `pytest --hypothesis-profile thorough` searches with fresh examples.
settings.register_profile("repeatable", derandomize=True, deadline=None, max_examples=60, print_blob=True)
settings.register_profile(
    "thorough", deadline=None, max_examples=2000, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("repeatable")
