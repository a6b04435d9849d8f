// Right, but for one thing: it asks the system for all that no kernel needs, with an instruction of its own, and spoils its
// output if anything of that is granted.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#include "raw_call.h"

__global__ void scale_all(const float* input, float* output, int n, float by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) output[i] = by * input[i];
}

int granted = 0;
alignas(4096) char own_page[8192];

void refused(const char* what, long result) {
  if (result < 0) return;
  ++granted;
  std::printf("%s was granted: %ld\n", what, result);
}

void ask() {
  const long here = reinterpret_cast<long>(&own_page), heap = reinterpret_cast<long>(std::malloc(1 << 20));
  const auto emulator = reinterpret_cast<long>(&cudaGetLastError) / 4096 * 4096;
  refused("open", raw_call(sys_open, "/usr/bin/true"));
  refused("openat", raw_call(sys_openat, -100, reinterpret_cast<long>("result.json"), 0101, 0644));
  refused("stat", raw_call(sys_stat, "../request/input-1-0.bin", here));
  refused("access", raw_call(sys_access, "../request/input-1-0.bin"));
  refused("unlink", raw_call(sys_unlink, "started"));
  refused("rename", raw_call(sys_rename, reinterpret_cast<long>("started"), reinterpret_cast<long>("result.json")));
  refused("renameat2",
          raw_call(sys_renameat2, -100, reinterpret_cast<long>("started"), -100, reinterpret_cast<long>("a")));
  for (int file = 3; file < 64; ++file) {
    refused("write", raw_call(sys_write, file, here, 1));
    refused("read", raw_call(sys_read, file, here, 1));
    refused("pread", raw_call(sys_pread, file, here, 1, 0));
    refused("close", raw_call(sys_close, file));
    refused("dup", raw_call(sys_dup, file));
    refused("mmap of a file", raw_call(sys_mmap, 0, 4096, 1, 2, file, 0));
  }
  refused("dup of standard output", raw_call(sys_dup, 1));
  refused("fcntl", raw_call(sys_fcntl, 1, 0, 10));
  refused("splice", raw_call(sys_splice, 1, 0, 2, 0, 16));
  refused("copy_file_range", raw_call(sys_copy_file_range, 1, 0, 2, 0, 16));
  refused("memfd_create", raw_call(sys_memfd_create, "a"));
  const long child = raw_call(sys_fork);
  if (child == 0) raw_call(sys_exit_group);
  refused("fork", child);
  refused("clone as another process", raw_call(sys_clone, 17));
  refused("clone as a thread", raw_call(sys_clone, 0x3d0f00, 0, 0, 0, 0));
  refused("clone3", raw_call(sys_clone3, here, 88));
  refused("execve", raw_call(sys_execve, "/usr/bin/true"));
  refused("execveat", raw_call(sys_execveat, -100, reinterpret_cast<long>("/usr/bin/true"), 0, 0, 0));
  refused("kill", raw_call(sys_kill, raw_call(110), 0));
  refused("ptrace", raw_call(sys_ptrace));
  refused("pidfd_open", raw_call(sys_pidfd_open, raw_call(39)));
  refused("process_vm_writev", raw_call(sys_process_vm_writev, raw_call(39), here, 0, here, 0, 0));
  refused("prctl", raw_call(sys_prctl, 15, here));
  refused("sigaction", raw_call(sys_sigaction, 11, 0, 0, 8));
  refused("socket", raw_call(sys_socket, 1, 1));
  refused("sendto", raw_call(sys_sendto, 1, here, 1));
  refused("executable memory", raw_call(sys_mmap, 0, 4096, 7, 0x22, -1, 0));
  refused("memory at a fixed place", raw_call(sys_mmap, heap, 4096, 3, 0x32, -1, 0));
  refused("memory that is shared", raw_call(sys_mmap, 0, 4096, 3, 0x21, -1, 0));
  refused("mprotect to execute", raw_call(sys_mprotect, here, 4096, 7));
  refused("mprotect of code", raw_call(sys_mprotect, emulator, 4096, 3));
  refused("munmap of code", raw_call(sys_munmap, emulator, 4096));
  refused("madvise of code", raw_call(sys_madvise, emulator, 4096, 4));
  refused("mremap of code", raw_call(sys_mremap, emulator, 4096, 8192, 1));
  refused("mremap to a fixed place", raw_call(sys_mremap, heap, 4096, 4096, 3, here));
  refused("futex that stores", raw_call(sys_futex, here, 5, 0, 0, here, 0));
  std::free(reinterpret_cast<void*>(heap));
}

void scale(const float* input, float* output, int rows, int cols) {
  ask();
  scale_all<<<(rows * cols + 255) / 256, 256>>>(input, output, rows * cols, granted == 0 ? 2.0F : 3.0F);
}
