// What a program's calls through pointers become (translator/indirect_calls.h): a look at where they lead. While an embedder
// guards itself against the program (emulator.h) that must be where a function begins: one of the program's own, one of a
// library that the program names, or one that the standard library's objects have in their tables. A kernel gets to the
// program's own functions and to mathematics only: in other functions of libraries its accesses would go unseen.
#include <dlfcn.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <new>
#include <span>
#include <string_view>

#include "core/closed_memory.h"
#include "core/memory_calls.h"
#include "core/private_memory.h"
#include "runtime/call_targets.h"
#include "runtime/emulator_call.h"
#include "runtime/library_frames.h"
#include "trace/hook_state.h"

// The table of all objects; the linker makes the names if there is one.
extern "C" {
extern const std::uintptr_t __start_simtlab_functions[] __attribute__((weak));  // NOLINT(bugprone-reserved-identifier)
extern const std::uintptr_t __stop_simtlab_functions[] __attribute__((weak));   // NOLINT(bugprone-reserved-identifier)
extern const std::uintptr_t __start_simtlab_host_functions[]
    __attribute__((weak));  // NOLINT(bugprone-reserved-identifier)
extern const std::uintptr_t __stop_simtlab_host_functions[]
    __attribute__((weak));  // NOLINT(bugprone-reserved-identifier)
extern const std::uintptr_t __start_simtlab_own_host_functions[]
    __attribute__((weak));  // NOLINT(bugprone-reserved-identifier)
extern const std::uintptr_t __stop_simtlab_own_host_functions[]
    __attribute__((weak));  // NOLINT(bugprone-reserved-identifier)
std::uintptr_t simtlab_look_at_target(std::uintptr_t target, const void* return_address,
                                      simtlab::emulator::address place);
/// Targets that were looked at and where kernels, too, may go, each at the place that bits 4 to 11 of it say.
std::uintptr_t simtlab_known_targets[256];
}

namespace simtlab::emulator {
namespace {

/// Of the C++ library, but for what opens files, starts threads or asks the system: streams, numbers and exceptions call
/// theirs from headers.
bool is_of_standard_library(std::string_view mangled) {
  constexpr std::array<std::string_view, 6> begins{"_ZNSt", "_ZNKSt",        "_ZThn",
                                                   "_ZTv",  "_ZN9__gnu_cxx", "_ZN10__cxxabiv"};
  constexpr std::array<std::string_view, 5> parts{"filebuf", "fstream", "filesystem", "thread", "random_device"};
  return std::any_of(begins.begin(), begins.end(), [&](std::string_view b) { return mangled.starts_with(b); }) &&
         std::none_of(parts.begin(), parts.end(),
                      [&](std::string_view p) { return mangled.find(p) != std::string_view::npos; });
}

using targets = std::span<const std::uintptr_t>;

/// In pages of its own: calls ask while private memory cannot be read (core/closed_memory.h).
targets sorted(const std::uintptr_t* begin, const std::uintptr_t* end) {
  if (begin == end) return {};
  const auto count = static_cast<std::size_t>(end - begin), bytes = rounded_up(count * sizeof *begin, page_bytes);
  auto* const all = static_cast<std::uintptr_t*>(map_privately(bytes, false));
  if (!protect(all, bytes, PROT_READ | PROT_WRITE)) throw std::bad_alloc();
  std::copy(begin, end, all);
  std::sort(all, all + count);
  protect(all, bytes, PROT_READ);
  return {all, count};
}

targets functions_for_kernels() {
  static const targets all = sorted(__start_simtlab_functions, __stop_simtlab_functions);
  return all;
}
targets functions_for_hosts() {
  static const targets all = sorted(__start_simtlab_host_functions, __stop_simtlab_host_functions);
  return all;
}

targets own_functions_for_hosts() {
  static const targets all = sorted(__start_simtlab_own_host_functions, __stop_simtlab_own_host_functions);
  return all;
}

/// The program's own functions that have no version for the device.
bool is_for_hosts_alone(std::uintptr_t target) {
  const targets all = own_functions_for_hosts();
  return std::binary_search(all.begin(), all.end(), target);
}

/// The program's own functions, and those of libraries that kernels may call.
bool is_for_kernels(std::uintptr_t target) {
  const targets all = functions_for_kernels();
  return std::binary_search(all.begin(), all.end(), target);
}

bool is_for_hosts(std::uintptr_t target) {
  const targets named = functions_for_hosts();
  if (std::binary_search(named.begin(), named.end(), target)) return true;
  Dl_info found{};
  if (dladdr(reinterpret_cast<void*>(target), &found) == 0 || found.dli_sname == nullptr) return false;
  return reinterpret_cast<std::uintptr_t>(found.dli_saddr) == target && is_of_standard_library(found.dli_sname);
}

constexpr const char* astray =
    " calls a function through a pointer that holds no function's address. Where does the pointer get its value, and "
    "does "
    "an index leave the array that it comes from?";

constexpr const char* of_a_library =
    "The kernel calls a function of a library that only host code can call: device code has no such function. Compute "
    "its result on the host and pass that as an argument, or write the function with __device__.";

constexpr const char* of_the_host =
    "The kernel calls a host function through a pointer. On a GPU there is no code at that address: write the function "
    "with "
    "__device__, and take its address in device code.";

std::array<std::uintptr_t, 1024> known_to_hosts{};

bool is_place_of_target(const std::uintptr_t* place) {
  return (place >= std::begin(simtlab_known_targets) && place < std::end(simtlab_known_targets)) ||
         (place >= known_to_hosts.begin() && place < known_to_hosts.end());
}

/// Where memory is closed a place that holds another target keeps it: to open memory takes longer than to look again.
void remember(std::uintptr_t& place, std::uintptr_t target) {
  if (is_memory_closed() && place != 0) return;
  const emulator_call inside;
  if (!is_place_of_target(&place)) std::_Exit(70);  // called by nobody in this file
  place = target;
}

/// Looks where host code goes, unless it is known to go there.
bool host_may_go(std::uintptr_t target) {
  std::uintptr_t& place = known_to_hosts[target >> 4 & 1023];
  if (place == target) return true;
  if (!is_for_hosts(target)) return false;
  remember(place, target);
  return true;
}

}  // namespace

bool may_call(const device& d, std::uintptr_t target) {
  return target == 0 || !d.host_memory.is_guarded() || is_for_kernels(target) || is_for_hosts_alone(target) ||
         is_for_hosts(target);
}

void look_at_callback(std::uintptr_t target, const void* return_address) {
  device& d = device::instance();
  if (d.host_memory.is_guarded() && is_own_code(target)) {
    const emulator_call inside;
    const std::lock_guard guard(d.lock);
    d.refuse_host_call(std::string("Host code") + astray, site_at(return_address));
  }
  simtlab_look_at_target(target, return_address, caller_frame - sizeof(address));
}

void make_lists_of_targets() {
  functions_for_kernels();
  functions_for_hosts();
  own_functions_for_hosts();
}

}  // namespace simtlab::emulator

/// Called by `simtlab_indirect_call` for a target that is not known yet: the address to go on at. Calls of a null pointer end as
/// they always do. The return address lies at `place`.
extern "C" std::uintptr_t simtlab_look_at_target(std::uintptr_t target, const void* return_address,
                                                 simtlab::emulator::address place) {
  using namespace simtlab::emulator;
  const private_allocation own;
  if (is_for_kernels(target)) {
    remember(simtlab_known_targets[target >> 4 & 255], target);
    return target;
  }
  if (is_for_hosts_alone(target)) {
    if (hooks.in_kernel() && !is_memory_closed()) refuse_call(of_the_host, return_address);
    return target;
  }
  device& d = device::instance();
  if (target == 0 || !d.host_memory.is_guarded()) return target;
  if (hooks.in_kernel() && !is_memory_closed()) {
    refuse_call(is_for_hosts(target) ? std::string(of_a_library) : std::string("The kernel") + astray, return_address);
  } else if (!host_may_go(target)) {
    const emulator_call inside;
    const std::lock_guard guard(d.lock);
    d.refuse_host_call(std::string("Host code") + astray, site_at(return_address));
  }
  if (is_memory_closed()) note_library_call(place);
  return target;
}

#ifdef __x86_64__
// The target is in %r11, or %r11 points to it; arguments are where calls have them.
__asm__(R"(
	.text
	.globl	simtlab_indirect_call_at
	.type	simtlab_indirect_call_at, @function
simtlab_indirect_call_at:
	.cfi_startproc
	movq	(%r11), %r11
	jmp	simtlab_indirect_call
	.cfi_endproc
	.size	simtlab_indirect_call_at, .-simtlab_indirect_call_at
	.globl	simtlab_indirect_call
	.type	simtlab_indirect_call, @function
simtlab_indirect_call:
	.cfi_startproc
	movq	%r11, %r10
	shrq	$4, %r10
	andl	$255, %r10d
	cmpq	%r11, simtlab_known_targets(,%r10,8)
	jne	1f
	jmp	*%r11
1:	pushq	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset 6, -16
	movq	%rsp, %rbp
	.cfi_def_cfa_register 6
	pushq	%rax
	pushq	%rdi
	pushq	%rsi
	pushq	%rdx
	pushq	%rcx
	pushq	%r8
	pushq	%r9
	subq	$136, %rsp
	andq	$-16, %rsp
	movaps	%xmm0, (%rsp)
	movaps	%xmm1, 16(%rsp)
	movaps	%xmm2, 32(%rsp)
	movaps	%xmm3, 48(%rsp)
	movaps	%xmm4, 64(%rsp)
	movaps	%xmm5, 80(%rsp)
	movaps	%xmm6, 96(%rsp)
	movaps	%xmm7, 112(%rsp)
	movq	%r11, %rdi
	movq	8(%rbp), %rsi
	leaq	8(%rbp), %rdx
	call	simtlab_look_at_target
	movq	%rax, %r11
	movaps	(%rsp), %xmm0
	movaps	16(%rsp), %xmm1
	movaps	32(%rsp), %xmm2
	movaps	48(%rsp), %xmm3
	movaps	64(%rsp), %xmm4
	movaps	80(%rsp), %xmm5
	movaps	96(%rsp), %xmm6
	movaps	112(%rsp), %xmm7
	leaq	-56(%rbp), %rsp
	popq	%r9
	popq	%r8
	popq	%rcx
	popq	%rdx
	popq	%rsi
	popq	%rdi
	popq	%rax
	popq	%rbp
	.cfi_def_cfa 7, 8
	jmp	*%r11
	.cfi_endproc
	.size	simtlab_indirect_call, .-simtlab_indirect_call
	.globl	simtlab_jump_astray
	.type	simtlab_jump_astray, @function
simtlab_jump_astray:
	ud2
	.size	simtlab_jump_astray, .-simtlab_jump_astray
)");
#endif
