"""The emulator's counters beside those of a GPU, launch by launch."""
