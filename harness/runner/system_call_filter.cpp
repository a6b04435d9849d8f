#include "runner/system_call_filter.h"

#include <fcntl.h>
#include <link.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>

namespace simtlab {
namespace {

using rules = filter_program;

constexpr std::uintptr_t smallest_mapping =
    65536;                                   // of malloc's: no memory of the program's lies in less between libraries
constexpr std::uint32_t first_own_file = 3;  // behind standard input, output and error

// Calls without a pointer, and without an effect outside of the thread.
constexpr long harmless[] = {SYS_exit,        SYS_exit_group, SYS_rt_sigreturn, SYS_restart_syscall,
                             SYS_sched_yield, SYS_getpid,     SYS_gettid,       SYS_getuid,
                             SYS_geteuid,     SYS_getgid,     SYS_getegid,      SYS_brk};

// Calls that write a few bytes where an argument points to: number, argument, bytes.
struct answer {
  long number;
  unsigned argument;
  std::uint32_t bytes;
};
constexpr answer answers[] = {{SYS_clock_gettime, 1, 16},
                              {SYS_clock_getres, 1, 16},
                              {SYS_gettimeofday, 0, 16},
                              {SYS_getrusage, 1, 144},
                              {SYS_times, 0, 32},
                              {SYS_rt_sigprocmask, 2, 8},
                              {SYS_nanosleep, 1, 16},
                              {SYS_clock_nanosleep, 3, 16},
#ifdef SYS_time
                              {SYS_time, 0, 8}
#endif
};

void add_memory(rules& all, const process_outline& p, const std::vector<closed_span>& as_mapped) {
  const rules from_the_emulator = rules().argument_is_one_of(2, {0}, PROT_EXEC).allow();
  all.if_call(SYS_mmap,
              rules()
                  .if_returns_to(p.memory_calls, from_the_emulator)
                  .argument_is_one_of(2, {0}, PROT_EXEC)
                  .argument_is_one_of(3, {MAP_ANONYMOUS}, MAP_FIXED | MAP_FIXED_NOREPLACE | MAP_SHARED | MAP_ANONYMOUS)
                  .allow());
  all.if_calls({{SYS_mprotect, rules()
                                   .if_returns_to(p.memory_calls, from_the_emulator)
                                   .argument_is_one_of(2, {0}, PROT_EXEC)
                                   .take_stretch(0, 1)},
                {SYS_madvise, rules().if_returns_to(p.memory_calls, rules().allow()).take_stretch(0, 1)},
                {SYS_munmap, rules().take_stretch(0, 1)},
                {SYS_mremap, rules().argument_is_one_of(3, {0, MREMAP_MAYMOVE}).take_stretch(0, 1)}},
               rules().lies_outside(as_mapped).allow());
}

void add_answers(rules& all, const std::vector<closed_span>& not_written) {
  std::vector<std::pair<long, rules>> calls{{SYS_getrandom, rules().take_stretch(0, 1)},
                                            {SYS_sched_getaffinity, rules().take_stretch(2, 1)}};
  for (const answer& a : answers) calls.emplace_back(a.number, rules().take(a.argument, a.bytes));
  all.if_calls(calls, rules().lies_outside(not_written).allow());
}

// Ordered, and those that overlap or leave less than `gap` between them as one.
std::vector<closed_span> joined(std::vector<closed_span> spans, std::uintptr_t gap) {
  std::sort(spans.begin(), spans.end(), [](const closed_span& a, const closed_span& b) { return a.begin < b.begin; });
  std::vector<closed_span> all;
  for (const closed_span& span : spans) {
    if (span.begin >= span.end) continue;
    if (!all.empty() && span.begin <= all.back().end + gap)
      all.back().end = std::max(all.back().end, span.end);
    else
      all.push_back(span);
  }
  return all;
}

void add_files(rules& all, const process_outline& p) {
  const rules own_file = rules().argument_is_at_least(0, first_own_file).allow();
  all.if_call(SYS_pread64, rules().if_returns_to(p.file_calls, own_file).refuse(EPERM));
  all.if_call(
      SYS_write,
      rules().if_returns_to(p.file_calls, own_file).argument_is_one_of(0, {STDOUT_FILENO, STDERR_FILENO}).allow());
  all.if_call(SYS_writev, rules().argument_is_one_of(0, {STDOUT_FILENO, STDERR_FILENO}).allow());
  const rules named = rules()
                          .argument_is_one_of(0, {static_cast<std::uint32_t>(p.result_folder)})
                          .argument_is(1, p.unfinished_name)
                          .argument_is_one_of(2, {static_cast<std::uint32_t>(p.result_folder)})
                          .argument_is(3, p.result_name)
                          .allow();
  all.if_call(SYS_renameat, rules().if_returns_to(p.file_calls, named).refuse(EPERM));
}

void add_threads(rules& all, bool threads) {
  // What waits and wakes; other operations store where the caller says.
  constexpr std::uint32_t variations = FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME;
  all.if_call(SYS_futex,
              rules()
                  .argument_is_one_of(1, {FUTEX_WAIT, FUTEX_WAKE, FUTEX_WAIT_BITSET, FUTEX_WAKE_BITSET}, ~variations)
                  .allow());
  if (!threads) return;
  // As pthread_create asks, and nothing that would be another process.
  constexpr std::uint32_t of_a_thread = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD |
                                        CLONE_SYSVSEM | CLONE_SETTLS | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID;
  all.if_call(SYS_clone, rules().argument_is_one_of(0, {of_a_thread}).allow());
  all.if_call(SYS_clone3, rules().refuse(ENOSYS));  // its flags lie in memory; glibc falls back to clone
  for (const long call : {SYS_set_robust_list, SYS_rseq, SYS_sigaltstack, SYS_set_tid_address})
    all.if_call(call, rules().allow());
}

closed_span this_stack() {
  pthread_attr_t attributes;
  void* lowest = nullptr;
  std::size_t bytes = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return {};
  pthread_attr_getstack(&attributes, &lowest, &bytes);
  pthread_attr_destroy(&attributes);
  const auto begin = reinterpret_cast<std::uintptr_t>(lowest);
  return {begin, begin + bytes};
}

}  // namespace

std::vector<closed_span> loaded_memory() {
  std::vector<closed_span> all{this_stack()};
  dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* data) {
        constexpr std::uintptr_t page = 4096;
        closed_span whole{~std::uintptr_t{0}, 0};
        for (int i = 0; i < object->dlpi_phnum; ++i) {
          const auto& segment = object->dlpi_phdr[i];
          if (segment.p_type != PT_LOAD) continue;
          const std::uintptr_t begin = object->dlpi_addr + segment.p_vaddr;
          whole.begin = std::min(whole.begin, begin / page * page);
          whole.end = std::max(whole.end, (begin + segment.p_memsz + page - 1) / page * page);
        }
        if (whole.begin < whole.end) static_cast<std::vector<closed_span>*>(data)->push_back(whole);
        return 0;
      },
      &all);
  return all;
}

filter_program system_call_filter(const process_outline& p, const std::vector<closed_span>& as_mapped, int process) {
  rules all;
  all.own_architecture();
  for (const long call : harmless) all.if_call(call, rules().allow());
  add_memory(all, p, joined(as_mapped, smallest_mapping));
  add_files(all, p);
  add_answers(all, joined(p.not_written, 0));
  all.if_call(SYS_tgkill,
              rules().argument_is_one_of(0, {static_cast<std::uint32_t>(process)}).allow());  // abort, raise
  add_threads(all, p.threads);
  return all.refuse(EPERM);
}

bool close_process(const process_outline& p) {
  std::vector<closed_span> as_mapped = loaded_memory();
  as_mapped.insert(as_mapped.end(), p.not_written.begin(), p.not_written.end());
  filter_program::code code = system_call_filter(p, as_mapped, getpid()).instructions();
  const sock_fprog program{static_cast<unsigned short>(code.size()), code.data()};
  if (prctl(PR_GET_SECCOMP) < 0 && errno == EINVAL) return false;
  if (code.size() > BPF_MAXINSNS)
    throw std::runtime_error("the filter of system calls has " + std::to_string(code.size()) +
                             " instructions, more than a kernel takes");
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0)
    return true;
  throw std::runtime_error(std::string("the kernel refuses the filter of system calls: ") + std::strerror(errno));
}

}  // namespace simtlab
