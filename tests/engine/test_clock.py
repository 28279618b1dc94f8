"""The time of a run passes by what is said, and nobody waits."""

import pytest

from app.engine.clock import Clock


def test_time_passes_at_once():
    clock = Clock()
    for seconds in (0.1, 0.2, 3600):
        clock.sleep(seconds)
    assert clock.now == 3600.3


def test_time_does_not_run_backwards():
    with pytest.raises(ValueError, match="backwards"):
        Clock().sleep(-1)
