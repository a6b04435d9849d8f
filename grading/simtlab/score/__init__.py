"""Facts into points: pure arithmetic, by `lab.toml`."""
