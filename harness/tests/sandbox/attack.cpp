// A submission of the test lab `scale` that attacks what it runs in. Which attack it makes is in its own file's name,
// attack-NAME: one program, because each would be linked from the same objects.
//
// An attack on a resource ends as it ends. An attack on something held back gives the right answer when it got it, and
// zeros when it was refused: `pass` means that a layer failed. What it did is printed.
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/memfd.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>

void scale(const float* input, float* output, int rows, int cols);

namespace {

constexpr std::size_t megabyte = std::size_t{1} << 20;

// Tells what happened; true when the attempt succeeded.
bool got(const char* what, bool succeeded) {
  std::printf("%s: %s\n", what, succeeded ? "SUCCEEDED" : std::strerror(errno));
  return succeeded;
}

[[noreturn]] void spin() {
  for (volatile int i = 0;;) i = i + 1;
}

bool fork_bomb() {
  for (;;) fork();
}

bool memory_bomb() {
  std::vector<char*> hoard;
  for (;;) {
    hoard.push_back(new char[megabyte]);
    std::memset(hoard.back(), 1, megabyte);
  }
}

// Each below its own limit, together far above.
bool children_with_memory() {
  for (int i = 0; i < 6; ++i)
    if (fork() == 0) {
      auto* block = static_cast<volatile char*>(std::malloc(150 * megabyte));
      for (std::size_t at = 0; block != nullptr && at < 150 * megabyte; at += 1024) block[at] = 1;
      sleep(1);
      _exit(0);
    }
  while (wait(nullptr) > 0) {
  }
  return false;
}

bool shared_memory() {
  void* block = mmap(nullptr, 600 * megabyte, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return got("shared memory", block != MAP_FAILED);
}

bool memory_file() { return got("memory file", memfd_create("attack", 0) >= 0); }

bool shared_zeros() {
  const int fd = open("/dev/zero", O_RDWR);
  return got("/dev/zero shared", mmap(nullptr, megabyte, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) != MAP_FAILED);
}

bool ignores_the_clock() {
  signal(SIGXCPU, SIG_IGN);
  signal(SIGTERM, SIG_IGN);
  spin();
}

bool sleeps() {
  for (;;) pause();
}

bool spinning_children() {
  for (int i = 0; i < 6; ++i)
    if (fork() == 0) spin();
  sleeps();
  return false;
}

bool floods_output() {
  const std::vector<char> block(megabyte, 'x');
  for (int i = 0; i < 10'000; ++i)
    if (write(1, block.data(), block.size()) < 0) break;
  return true;
}

// How many megabytes go into files of 16 MB each in a folder, up to `most`.
std::size_t megabytes_into(const std::string& folder, std::size_t most) {
  const std::vector<char> block(megabyte, 'x');
  std::size_t written = 0;
  for (int file = 0; written < most; ++file) {
    const int fd = open((folder + "/fill-" + std::to_string(file)).c_str(), O_WRONLY | O_CREAT, 0644);
    if (fd < 0) break;
    for (int i = 0; i < 16 && written < most; ++i, ++written)
      if (write(fd, block.data(), block.size()) != static_cast<ssize_t>(block.size())) {
        close(fd);
        return written;
      }
    close(fd);
  }
  return written;
}

bool fills_the_disk() {
  megabytes_into(".", 700);
  sleep(1);
  return false;
}

bool one_large_file() {
  const int fd = open("large", O_WRONLY | O_CREAT, 0644);
  const std::vector<char> block(megabyte, 'x');
  for (int i = 0; i < 2000; ++i)
    if (write(fd, block.data(), block.size()) < 0) break;
  return false;
}

bool many_files() {
  for (int i = 0; i < 200'000; ++i) close(open(("f" + std::to_string(i)).c_str(), O_WRONLY | O_CREAT, 0644));
  return false;
}

bool fills_temporary() { return got("200 MB into /tmp", megabytes_into("/tmp", 200) == 200); }
bool fills_shared() { return got("200 MB into /dev/shm", megabytes_into("/dev/shm", 200) == 200); }

bool reaches_the_network() {
  return got("internet socket", socket(AF_INET, SOCK_STREAM, 0) >= 0) ||
         got("packet socket", socket(AF_PACKET, SOCK_RAW, 0) >= 0) ||
         got("netlink socket", socket(AF_NETLINK, SOCK_RAW, 0) >= 0);
}

bool reads_what_is_hidden() {
  constexpr const char* solution = SOURCE_FOLDER "/solutions/01-vector-add/kernel.cu";
  constexpr const char* judge = SOURCE_FOLDER "/harness/judge/main.cpp";
  bool any = false;
  for (const char* path : {solution, judge, "/etc/passwd", "/etc/shadow", "/root", "/home", "/var/log", "/sys/kernel",
                           "/proc/1/root/etc/passwd", "../sandbox.json", "../../facts.json"})
    any = got(path, open(path, O_RDONLY) >= 0) || any;
  return any;
}

bool reads_the_environment() {
  char byte = 0;
  bool any = false;
  for (int process = 1; process < getpid(); ++process) {
    const int fd = open(("/proc/" + std::to_string(process) + "/environ").c_str(), O_RDONLY);
    any = got("environment", fd >= 0 && read(fd, &byte, 1) == 1) || any;
  }
  return got("a variable", std::getenv("ATTACKED_SECRET") != nullptr) || any;
}

bool writes_outside() {
  bool any = false;
  for (const char* path : {"/usr/bin/attack", "/attack", "/etc/attack", "../request/request.json", "/proc/self/exe",
                           "/dev/attack", "/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger"})
    any = got(path, open(path, O_WRONLY | O_CREAT, 0644) >= 0) || any;
  return any;
}

bool kills_others() {
  const bool parent = got("kill process 1", kill(1, SIGKILL) != 0 && errno != 0);
  kill(getppid(), SIGKILL);
  kill(-1, SIGKILL);
  static_cast<void>(parent);
  return false;  // still here, and the judge too
}

bool traces() {
  return got("ptrace", ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0) ||
         got("attach", ptrace(PTRACE_ATTACH, 1, nullptr, nullptr) == 0);
}

bool reads_memory_of_others() {
  char byte = 0;
  iovec local{&byte, 1}, remote{&byte, 1};
  return got("process_vm_readv", process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == 1);
}

bool makes_namespaces() {
  return got("unshare", unshare(CLONE_NEWUSER) == 0) || got("unshare net", unshare(CLONE_NEWNET) == 0) ||
         got("clone", syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, nullptr, nullptr, nullptr, 0) > 0) ||
         got("clone3", syscall(SYS_clone3, nullptr, 0) >= 0 || errno != ENOSYS);
}

bool mounts() {
  return got("mount", mount("none", "/tmp", "tmpfs", 0, nullptr) == 0) || got("chroot", chroot("/tmp") == 0);
}

bool kernel_doors() {
  return got("bpf", syscall(SYS_bpf, 0, nullptr, 0) >= 0 || errno != EPERM) ||
         got("perf", syscall(SYS_perf_event_open, nullptr, 0, -1, -1, 0) >= 0 || errno != EPERM) ||
         got("keyctl", syscall(SYS_keyctl, 0, 0, 0, 0, 0) >= 0 || errno != EPERM) ||
         got("userfaultfd", syscall(SYS_userfaultfd, 0) >= 0 || errno != EPERM) ||
         got("io_uring", syscall(SYS_io_uring_setup, 1, nullptr) >= 0 || errno != EPERM);
}

bool types_into_the_terminal() {
  const int fd = open("/dev/tty", O_RDWR);
  return got("terminal", fd >= 0) || got("TIOCSTI", ioctl(0, TIOCSTI, "x") == 0);
}

bool raises_limits() {
  const rlimit more{1U << 20, 1U << 20};
  return got("more processes", setrlimit(RLIMIT_NPROC, &more) == 0) ||
         got("more files", setrlimit(RLIMIT_NOFILE, &more) == 0) || got("becoming root", setuid(0) == 0);
}

bool leaves_a_daemon() {
  if (fork() == 0) {
    setsid();
    if (fork() == 0) {
      prctl(PR_SET_NAME, "left-behind");
      for (;;) pause();
    }
    _exit(0);
  }
  wait(nullptr);
  return true;  // and the answer is right: what stays behind is the sandbox's to remove
}

bool exits_like_a_kill() { _exit(137); }

const std::map<std::string, std::function<bool()>> attacks{
    {"fork_bomb", fork_bomb},
    {"memory_bomb", memory_bomb},
    {"children_with_memory", children_with_memory},
    {"shared_memory", shared_memory},
    {"memory_file", memory_file},
    {"shared_zeros", shared_zeros},
    {"endless_loop",
     [] {
       spin();
       return false;
     }},
    {"ignores_the_clock", ignores_the_clock},
    {"sleeps", sleeps},
    {"spinning_children", spinning_children},
    {"floods_output", floods_output},
    {"fills_the_disk", fills_the_disk},
    {"one_large_file", one_large_file},
    {"many_files", many_files},
    {"fills_temporary", fills_temporary},
    {"fills_shared", fills_shared},
    {"reaches_the_network", reaches_the_network},
    {"reads_what_is_hidden", reads_what_is_hidden},
    {"reads_the_environment", reads_the_environment},
    {"writes_outside", writes_outside},
    {"kills_others", kills_others},
    {"traces", traces},
    {"reads_memory_of_others", reads_memory_of_others},
    {"makes_namespaces", makes_namespaces},
    {"mounts", mounts},
    {"kernel_doors", kernel_doors},
    {"types_into_the_terminal", types_into_the_terminal},
    {"raises_limits", raises_limits},
    {"leaves_a_daemon", leaves_a_daemon},
    {"exits_like_a_kill", exits_like_a_kill},
    {"none", [] { return true; }},
};

std::string own_name() {
  char path[4096] = {};
  static_cast<void>(!readlink("/proc/self/exe", path, sizeof path - 1));
  const std::string name = path;
  return name.substr(name.rfind("attack-") + 7);
}

}  // namespace

void scale(const float* input, float* output, int rows, int cols) {
  const auto attack = attacks.find(own_name());
  if (attack == attacks.end()) std::abort();
  const bool succeeded = attack->second();
  std::fflush(stdout);
  for (int i = 0; i < rows * cols; ++i) output[i] = succeeded ? 2 * input[i] : 0;
}
