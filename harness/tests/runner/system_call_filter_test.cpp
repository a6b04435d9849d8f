// The filter's program, run here as the kernel would run it, on many calls.
#include "runner/system_call_filter.h"

#include <doctest/doctest.h>
#include <linux/audit.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <random>

using namespace simtlab;

namespace {

constexpr std::uint32_t refused = SECCOMP_RET_ERRNO | EPERM;

/// Classic BPF, as far as filters may use it. Fails the test where a program leaves its end.
std::uint32_t answer_of(const filter_program& program, const seccomp_data& call) {
  const filter_program::code& code = program.instructions();
  std::array<std::uint32_t, BPF_MEMWORDS> memory{};
  std::uint32_t a = 0, x = 0;
  for (std::size_t at = 0; at < code.size(); ++at) {
    const sock_filter& i = code[at];
    switch (i.code) {
      case BPF_LD | BPF_W | BPF_ABS:
        REQUIRE(i.k + 4 <= sizeof call);
        std::memcpy(&a, reinterpret_cast<const char*>(&call) + i.k, 4);
        break;
      case BPF_LD | BPF_MEM:
        a = memory.at(i.k);
        break;
      case BPF_ST:
        memory.at(i.k) = a;
        break;
      case BPF_MISC | BPF_TAX:
        x = a;
        break;
      case BPF_ALU | BPF_ADD | BPF_K:
        a += i.k;
        break;
      case BPF_ALU | BPF_ADD | BPF_X:
        a += x;
        break;
      case BPF_ALU | BPF_AND | BPF_K:
        a &= i.k;
        break;
      case BPF_JMP | BPF_JA:
        at += i.k;
        break;
      case BPF_JMP | BPF_JEQ | BPF_K:
        at += a == i.k ? i.jt : i.jf;
        break;
      case BPF_JMP | BPF_JGT | BPF_K:
        at += a > i.k ? i.jt : i.jf;
        break;
      case BPF_JMP | BPF_JGE | BPF_K:
        at += a >= i.k ? i.jt : i.jf;
        break;
      case BPF_JMP | BPF_JGE | BPF_X:
        at += a >= x ? i.jt : i.jf;
        break;
      case BPF_RET | BPF_K:
        return i.k;
      default:
        FAIL("an instruction that filters may not have");
    }
  }
  FAIL("the program has no answer");
  return 0;
}

#ifdef __x86_64__
constexpr std::uint32_t architecture = AUDIT_ARCH_X86_64;
#else
constexpr std::uint32_t architecture = AUDIT_ARCH_AARCH64;
#endif

seccomp_data call(long number, std::initializer_list<std::uint64_t> arguments, std::uint64_t returns_to = 0x1000) {
  seccomp_data data{};
  data.nr = static_cast<int>(number);
  data.arch = architecture;
  data.instruction_pointer = returns_to;
  std::size_t i = 0;
  for (const std::uint64_t argument : arguments) data.args[i++] = argument;
  return data;
}

constexpr closed_span emulators{0x7f00'0000'0000, 0x7f40'0000'0000}, library{0x7f50'1234'5000, 0x7f50'1235'6000};
constexpr int process = 4711;

process_outline outline(bool threads = false) {
  process_outline p;
  p.file_calls = 0x7f50'1234'5678;
  p.memory_calls = 0x4'0000'1234;
  p.result_folder = 5;
  p.result_name = 0x40'2000;
  p.unfinished_name = 0x40'3000;
  p.not_written = {emulators, library};
  p.threads = threads;
  return p;
}

filter_program whole(bool threads = false) {
  return system_call_filter(outline(threads), {emulators, library}, process);
}

bool is_allowed(const seccomp_data& data, bool threads = false) {
  const std::uint32_t answer = answer_of(whole(threads), data);
  CHECK((answer == SECCOMP_RET_ALLOW || (answer & ~0xffffU) == SECCOMP_RET_ERRNO));
  return answer == SECCOMP_RET_ALLOW;
}

}  // namespace

TEST_CASE("a stretch that touches a closed span is refused, any other passes") {
  std::mt19937_64 random(20261123);
  const std::vector<closed_span> spans{emulators, library, {0x1'0000'0000, 0x1'0000'1000}};
  const auto near = [&](std::uint64_t at) { return at + random() % 0x4000 - 0x2000; };
  for (int i = 0; i < 100'000; ++i) {
    const closed_span& span = spans[random() % spans.size()];
    const std::uint64_t begin =
        random() % 8 == 0 ? random() >> (random() % 48) : near(random() % 2 ? span.begin : span.end);
    const std::uint64_t bytes = random() % 4 == 0 ? (random() >> (17 + random() % 40)) : random() % 0x5000;
    if (begin + bytes < begin) continue;  // which the kernel refuses by itself
    bool touches = false;
    for (const closed_span& s : spans) touches = touches || (begin < s.end && begin + bytes > s.begin);
    CAPTURE(begin);
    CAPTURE(bytes);
    const filter_program by_argument = filter_program().take_stretch(0, 1).lies_outside(spans).allow();
    REQUIRE(answer_of(by_argument, call(0, {begin, bytes})) == (touches ? refused : SECCOMP_RET_ALLOW));
    if (bytes > 4096) continue;
    const filter_program by_size =
        filter_program().take(0, static_cast<std::uint32_t>(bytes)).lies_outside(spans).allow();
    REQUIRE(answer_of(by_size, call(0, {begin})) == (touches ? refused : SECCOMP_RET_ALLOW));
  }
}

TEST_CASE(
    "every call that is not named is refused, whatever its arguments, and so is every call of another architecture") {
  std::mt19937_64 random(7);
  int allowed = 0;
  for (int number = 0; number < 600; ++number)
    for (int i = 0; i < 20; ++i) {
      seccomp_data data = call(number, {random(), random(), random(), random(), random(), random()}, random());
      allowed += is_allowed(data) ? 1 : 0;
      data.arch = AUDIT_ARCH_I386;
      CHECK_FALSE(is_allowed(data));
      data.arch = architecture;
      data.nr |= 0x4000'0000;  // x32
      CHECK_FALSE(is_allowed(data));
    }
  CHECK(allowed > 0);
  for (const long number : {SYS_openat,
                            SYS_execve,
                            SYS_execveat,
                            SYS_clone,
                            SYS_clone3,
                            SYS_socket,
                            SYS_sendto,
                            SYS_sendmsg,
                            SYS_kill,
                            SYS_ptrace,
                            SYS_process_vm_writev,
                            SYS_memfd_create,
                            SYS_dup,
                            SYS_fcntl,
                            SYS_ioctl,
                            SYS_read,
                            SYS_readv,
                            SYS_preadv,
                            SYS_pwrite64,
                            SYS_close,
                            SYS_rt_sigaction,
                            SYS_prctl,
                            SYS_seccomp,
                            SYS_splice,
                            SYS_sendfile,
                            SYS_io_uring_setup,
                            SYS_unlinkat,
                            SYS_linkat,
                            SYS_symlinkat,
                            SYS_newfstatat,
                            SYS_faccessat,
                            SYS_readlinkat,
                            SYS_chdir,
                            SYS_shmget,
                            SYS_setitimer})
    for (const std::uint64_t first : {0, 1, 3, 5})
      CHECK_FALSE(is_allowed(call(number, {first, 0x40'3000, 5, 0x40'2000})));
}

TEST_CASE("files pass from one place only, the result's name with its own texts only") {
  const std::uint64_t own = outline().file_calls;
  CHECK(is_allowed(call(SYS_write, {7, 0x5000, 10}, own)));
  CHECK_FALSE(is_allowed(call(SYS_write, {7, 0x5000, 10}, own + 1)));
  CHECK_FALSE(is_allowed(call(SYS_write, {7, 0x5000, 10}, own + 0x1'0000'0000)));
  CHECK(is_allowed(call(SYS_write, {1, 0x5000, 10})));
  CHECK(is_allowed(call(SYS_write, {2, 0x5000, 10})));
  CHECK_FALSE(is_allowed(call(SYS_write, {0, 0x5000, 10})));
  CHECK(is_allowed(call(SYS_pread64, {7, 0x5000, 10, 0}, own)));
  CHECK_FALSE(is_allowed(call(SYS_pread64, {7, 0x5000, 10, 0})));
  const std::initializer_list<std::uint64_t> named{5, 0x40'3000, 5, 0x40'2000};
  CHECK(is_allowed(call(SYS_renameat, named, own)));
  CHECK_FALSE(is_allowed(call(SYS_renameat, named)));
  CHECK_FALSE(is_allowed(call(SYS_renameat, {5, 0x40'2000, 5, 0x40'2000}, own)));
  CHECK_FALSE(is_allowed(call(SYS_renameat, {6, 0x40'3000, 5, 0x40'2000}, own)));
}

TEST_CASE("memory is had as malloc has it, and nothing becomes code") {
  constexpr std::uint64_t none = ~std::uint64_t{0}, plain = MAP_PRIVATE | MAP_ANONYMOUS;
  const std::uint64_t own = outline().memory_calls;
  CHECK(is_allowed(call(SYS_mmap, {0, 4096, PROT_READ | PROT_WRITE, plain, none, 0})));
  CHECK(is_allowed(call(SYS_mmap, {0, 4096, PROT_NONE, plain | MAP_NORESERVE | MAP_STACK, none, 0})));
  CHECK_FALSE(is_allowed(call(SYS_mmap, {0, 4096, PROT_READ | PROT_EXEC, plain, none, 0})));
  CHECK_FALSE(is_allowed(call(SYS_mmap, {emulators.begin, 4096, PROT_READ, plain | MAP_FIXED, none, 0})));
  CHECK_FALSE(is_allowed(call(SYS_mmap, {0, 4096, PROT_READ, MAP_PRIVATE, 3, 0})));
  CHECK(is_allowed(call(SYS_mmap, {emulators.begin, 4096, PROT_READ, plain | MAP_FIXED, none, 0}, own)));
  CHECK_FALSE(is_allowed(call(SYS_mmap, {emulators.begin, 4096, PROT_EXEC, plain | MAP_FIXED, none, 0}, own)));
  for (const long number : {SYS_munmap, SYS_mprotect, SYS_madvise, SYS_mremap}) {
    CHECK(is_allowed(call(number, {0x5555'0000, 4096, 1, 1})));
    CHECK_FALSE(is_allowed(call(number, {library.begin, 4096, 1, 1})));
    CHECK_FALSE(is_allowed(call(number, {emulators.begin - 4096, 8192, 1, 1})));
  }
  CHECK_FALSE(is_allowed(call(SYS_mprotect, {0x5555'0000, 4096, PROT_READ | PROT_EXEC})));
  CHECK_FALSE(is_allowed(call(SYS_mremap, {0x5555'0000, 4096, 4096, MREMAP_MAYMOVE | MREMAP_FIXED, 0})));
  CHECK(is_allowed(call(SYS_mprotect, {emulators.begin, 4096, PROT_READ}, own)));
}

TEST_CASE("what the kernel writes on the program's behalf goes to the program's memory") {
  CHECK(is_allowed(call(SYS_clock_gettime, {1, 0x5555'0000})));
  CHECK_FALSE(is_allowed(call(SYS_clock_gettime, {1, library.end - 1})));
  CHECK_FALSE(is_allowed(call(SYS_getrandom, {emulators.begin + 100, 1, 0})));
  CHECK(is_allowed(call(SYS_futex, {0x5555'0000, FUTEX_WAIT | FUTEX_PRIVATE_FLAG})));
  CHECK_FALSE(is_allowed(call(SYS_futex, {0x5555'0000, FUTEX_WAKE_OP | FUTEX_PRIVATE_FLAG})));
  CHECK_FALSE(is_allowed(call(SYS_futex, {0x5555'0000, FUTEX_LOCK_PI})));
}

TEST_CASE("threads are the emulator's, and only where it has several workers") {
  CHECK_FALSE(is_allowed(call(SYS_clone, {0x3d0f00})));
  CHECK(is_allowed(call(SYS_clone, {0x3d0f00}), true));
  CHECK_FALSE(is_allowed(call(SYS_clone, {17}), true));      // SIGCHLD: a process
  CHECK_FALSE(is_allowed(call(SYS_clone, {0x4100}), true));  // as vfork does
  CHECK(answer_of(whole(true), call(SYS_clone3, {})) == (SECCOMP_RET_ERRNO | ENOSYS));
  CHECK(is_allowed(call(SYS_tgkill, {process, 1, 6})));
  CHECK_FALSE(is_allowed(call(SYS_tgkill, {1, 1, 9})));
}

TEST_CASE("a process with very many libraries is closed, too") {
  std::vector<closed_span> many;
  for (std::uintptr_t i = 0; i < 100; ++i)
    many.push_back({0x7f00'0000'0000 + i * 0x1000'0000, 0x7f00'0010'0000 + i * 0x1000'0000});
  process_outline p = outline();
  p.not_written = many;
  CHECK(system_call_filter(p, many, process).instructions().size() <= BPF_MAXINSNS);
}
