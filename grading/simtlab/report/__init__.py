"""The report: a folder of pages that open from a file, without a network."""
