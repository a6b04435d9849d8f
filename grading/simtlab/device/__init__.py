"""What a GPU is, so that times of two are not compared, and whether it holds still."""
