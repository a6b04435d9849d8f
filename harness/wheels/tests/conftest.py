"""The marker of tests that only `make check-full` runs."""

import pytest


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "long: takes longer than everybody's patience; run by make check-full")
