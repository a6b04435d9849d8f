"""The proof that a lab is sound: its stub is not solved, its solution is, and every variant ends as it declares."""
