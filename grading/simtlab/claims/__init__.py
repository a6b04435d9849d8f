"""What the lectures state, each statement beside what the emulator measures."""
