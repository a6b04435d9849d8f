"""`make wheel`: the Python package with everything compiled inside, for courses without a checkout."""
