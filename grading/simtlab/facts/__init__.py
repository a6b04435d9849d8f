"""What the judge measured: the only thing that crosses from C++ to Python."""
