#include "sandbox/refused_system_calls.h"

#include <fcntl.h>
#include <linux/sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include <memory>

namespace simtlab::sandbox {
namespace {

// By name, because not every architecture has every call and older headers lack the newest.
constexpr const char* refused[] = {
    // other processes
    "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "kcmp", "pidfd_getfd",
    // mounts and namespaces
    "mount", "umount", "umount2", "pivot_root", "chroot", "fsopen", "fsconfig", "fsmount", "fspick", "move_mount",
    "open_tree", "mount_setattr", "unshare", "setns", "open_by_handle_at", "name_to_handle_at",
    // parts of the kernel with a history of holes
    "add_key", "request_key", "keyctl", "bpf", "perf_event_open", "userfaultfd", "io_uring_setup", "io_uring_enter",
    "io_uring_register", "fanotify_init", "lookup_dcookie", "vmsplice", "modify_ldt",
    // the machine
    "kexec_load", "kexec_file_load", "init_module", "finit_module", "delete_module", "create_module", "reboot",
    "swapon", "swapoff", "acct", "quotactl", "quotactl_fd", "settimeofday", "stime", "clock_settime", "clock_settime64",
    "clock_adjtime", "clock_adjtime64", "adjtimex", "sethostname", "setdomainname", "syslog", "iopl", "ioperm",
    "vhangup", "nfsservctl",
    // queues and memory that no limit per process counts
    "shmget", "semget", "msgget", "mq_open", "memfd_secret"};

struct release {
  void operator()(void* filter) const { seccomp_release(filter); }
};
using filter_handle = std::unique_ptr<void, release>;

void add(const filter_handle& filter, std::uint32_t what, const char* name, std::initializer_list<scmp_arg_cmp> when) {
  const int call = seccomp_syscall_resolve_name(name);
  if (call == __NR_SCMP_ERROR) return;  // unknown to this libseccomp, and so to the kernels of its time
  const int failed = seccomp_rule_add_array(filter.get(), what, call, static_cast<unsigned>(when.size()),
                                            when.size() == 0 ? nullptr : when.begin());
  if (failed != 0 && failed != -EDOM)
    throw launch_error(std::string("no filter for ") + name + ": " + std::strerror(-failed));
}

filter_handle make_filter(bool shared_memory) {
  filter_handle filter(seccomp_init(SCMP_ACT_ALLOW));
  if (!filter) throw launch_error("libseccomp made no filter");
  constexpr std::uint32_t no = SCMP_ACT_ERRNO(EPERM);
  for (const char* name : refused) add(filter, no, name, {});
  // Terminal tricks: typing into the terminal that the grader was started from.
  add(filter, no, "ioctl", {SCMP_A1_32(SCMP_CMP_EQ, TIOCSTI)});
  add(filter, no, "ioctl", {SCMP_A1_32(SCMP_CMP_EQ, 0x541C)});  // TIOCLINUX
  add(filter, no, "socket", {SCMP_A0_32(SCMP_CMP_NE, AF_UNIX)});
  for (const unsigned flag : {CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWPID,
                              CLONE_NEWNET, CLONE_NEWTIME})
    add(filter, no, "clone", {SCMP_A0_32(SCMP_CMP_MASKED_EQ, flag, flag)});
  // Its flags lie in memory, where a filter cannot look; glibc falls back to clone.
  add(filter, SCMP_ACT_ERRNO(ENOSYS), "clone3", {});
  if (!shared_memory) {
    constexpr unsigned both = MAP_SHARED | MAP_ANONYMOUS;
    add(filter, no, "mmap", {SCMP_A3_32(SCMP_CMP_MASKED_EQ, both, both)});
    add(filter, no, "memfd_create", {});
  }
  return filter;
}

}  // namespace

descriptor make_filter_file(bool shared_memory) {
  const filter_handle filter = make_filter(shared_memory);
  descriptor file(memfd_create("filter", MFD_CLOEXEC));
  if (file.get() < 0) throw system_failure("no file in memory for the filter of system calls");
  if (const int failed = seccomp_export_bpf(filter.get(), file.get()); failed != 0)
    throw launch_error(std::string("the filter of system calls cannot be written: ") + std::strerror(-failed));
  lseek(file.get(), 0, SEEK_SET);
  return file;
}

void load_filter(bool shared_memory) {
  const filter_handle filter = make_filter(shared_memory);
  if (const int failed = seccomp_load(filter.get()); failed != 0)
    throw launch_error(std::string("the kernel refuses the filter of system calls: ") + std::strerror(-failed));
}

}  // namespace simtlab::sandbox
