"""The part of its cases that a test takes, as tests/scale.h says for programs."""

import os

SHARE, SCALE = (int(os.environ.get(name, "100")) for name in ("SVS_TEST_SHARE", "SVS_TEST_SCALE"))


def is_short():
    """Whether this is the short run. The shares of .ci/run are for loads of random seeds: it has all programs and all cases."""
    return SHARE < 25


def is_partial():
    """Whether a list of cases is run in part: in the short run, and with sanitizers, for which the cases are much alike."""
    return is_short() or SCALE != 100


def share_of(count):
    return max(1, count * SHARE // 100) if is_short() else count
