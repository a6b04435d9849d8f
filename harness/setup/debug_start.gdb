# Run behind debug_thread.py and debug_until_launch.gdb: to the first line of the kernel in the chosen thread.
continue
