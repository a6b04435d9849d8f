"""The example site of the documentation, made of the bundled class, and the documentation's pictures of it."""
