#include "runner/file_calls.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "emulator/core/system_call_stub.h"
#include "protocol/protocol_error.h"

SIMTLAB_SYSTEM_CALL_STUB(simtlab_runner_file_call);
extern "C" {
long simtlab_runner_file_call(long number, long, long, long, long, long, long);
extern const char simtlab_runner_file_call_end[];
}

namespace simtlab {
namespace emulator {
extern bool memory_is_closed __attribute__((weak));  // core/closed_memory.h; absent on a GPU
}

extern const char result_name[] = "result.json";
extern const char unfinished_result_name[] = "result.json.part";

namespace {

long call(long number, long a, long b, long c, long d = 0) {
  // While host code of a submission runs nothing of the runner's does, however control got here.
  if (&emulator::memory_is_closed != nullptr && emulator::memory_is_closed) _exit(70);
  long result = 0;
  do result = simtlab_runner_file_call(number, a, b, c, d, 0, 0);
  while (result == -EINTR);
  return result;
}

[[noreturn]] void fail(const char* name, const char* what, long result) {
  throw protocol_error(std::string(name) + ": cannot be " + what + ": " + std::strerror(static_cast<int>(-result)));
}

}  // namespace

std::uintptr_t file_calls_return_to() { return reinterpret_cast<std::uintptr_t>(simtlab_runner_file_call_end); }

void read_whole(int file, std::span<std::byte> to, const char* name) {
  for (std::size_t done = 0; done < to.size();) {
    const std::span<std::byte> left = to.subspan(done);
    const long got = call(SYS_pread64, file, reinterpret_cast<long>(left.data()), static_cast<long>(left.size()),
                          static_cast<long>(done));
    if (got < 0) fail(name, "read", got);
    if (got == 0) throw protocol_error(std::string(name) + ": shrank while it was read");
    done += static_cast<std::size_t>(got);
  }
}

void write_whole(int file, std::span<const std::byte> from, const char* name) {
  while (!from.empty()) {
    const long put = call(SYS_write, file, reinterpret_cast<long>(from.data()), static_cast<long>(from.size()));
    if (put < 0) fail(name, "written", put);
    from = from.subspan(static_cast<std::size_t>(put));
  }
}

void publish_result(int folder) {
  const long failed = call(SYS_renameat, folder, reinterpret_cast<long>(unfinished_result_name), folder,
                           reinterpret_cast<long>(result_name));
  if (failed < 0) fail(result_name, "renamed into place", failed);
}

}  // namespace simtlab
