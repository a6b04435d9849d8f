"""What a course decides beyond its labs: `course.toml`, and the arithmetic that it asks for."""
