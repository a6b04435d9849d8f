# Run behind debug_thread.py: to the first line of the kernel in the chosen thread.
source harness/setup/debug_until_launch.gdb
continue
