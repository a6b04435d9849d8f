// Two locks: who wants to be alone keeps the queue while waiting for the room to empty, so that those who share it cannot
// keep taking turns past it.
#include "judge/gpu/gpu_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cctype>
#include <cstdlib>
#include <thread>

namespace simtlab {
namespace {

using clock = std::chrono::steady_clock;

int open_lock(const std::string& gpu, const char* part) {
  // Not $TMPDIR: the grader gives each judge its own.
  const std::string path = "/tmp/simtlab-gpu-" + gpu + "." + part;
  // Without O_CREAT first: in a folder that all may write, the system may refuse it for another user's file.
  int fd = open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (fd >= 0) return fd;
  fd = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (fd >= 0) static_cast<void>(fchmod(fd, 0666));  // past the umask: the lock is everybody's
  return fd;
}

bool lock(int fd, int how, clock::time_point deadline) {
  while (flock(fd, how | LOCK_NB) != 0) {
    if (clock::now() >= deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

}  // namespace

gpu_lock::gpu_lock(use how, const std::string& gpu, std::chrono::milliseconds at_most)
    : queue_(open_lock(gpu, "queue")), room_(open_lock(gpu, "room")) {
  if (queue_ < 0 || room_ < 0) return;
  const auto deadline = clock::now() + at_most;
  const int kind = how == use::alone ? LOCK_EX : LOCK_SH;
  granted_ = lock(queue_, kind, deadline) && lock(room_, kind, deadline);
  flock(queue_, LOCK_UN);
}

gpu_lock::~gpu_lock() {
  if (queue_ >= 0) close(queue_);
  if (room_ >= 0) close(room_);
}

std::string gpu_lock::this_gpu() {
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  std::string name;
  for (const char* c = visible == nullptr ? "" : visible; *c != '\0' && *c != ','; ++c)
    name += std::isalnum(static_cast<unsigned char>(*c)) != 0 ? *c : '-';
  return name.empty() ? "0" : name;
}

}  // namespace simtlab
