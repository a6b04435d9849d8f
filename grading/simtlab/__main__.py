"""`python -m simtlab` is the command `simtlab`."""

from simtlab.cli import main

main()
