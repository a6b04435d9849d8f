"""The emulator's functions beside those of the CUDA Toolkit."""
