# Run behind debug_thread.py. Runs to the launch of the thread that SIMTLAB_DEBUG_BLOCK and SIMTLAB_DEBUG_THREAD choose, and sets a
# breakpoint at its kernel's first line: `continue` goes there.
set pagination off
set confirm off
set print thread-events off
set print elements 40
set breakpoint pending on
set debuginfod enabled off
break simtlab_debug_stop
run
if $_isvoid($_exitcode)
  delete breakpoints
  hold-breakpoints
  eval "tbreak %s", (char*)simtlab_debug_kernel
else
  echo No launch came to that thread.\n
  quit 1
end
