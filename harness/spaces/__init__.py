"""Programs that a CUDA compiler refuses, and programs that look alike and are legal: what nvcc says of each is recorded,
and simtcc has to agree."""
