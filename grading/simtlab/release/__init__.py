"""The students' copy: what goes into it, its history of one commit, and the proof that nothing hidden went with it."""
