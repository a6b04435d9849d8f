"""Programs that a CUDA compiler refuses, and legal ones that look alike: nvcc's answers are recorded, and simtcc has to
agree."""
