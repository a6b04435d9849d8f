#include "runtime/program_image.h"

#include <link.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "include/simtlab/emulator_entry.h"
#include "runtime/boundary.h"

// The linker defines these for sections whose names are C identifiers; weak, because a program may have neither.
extern "C" {
extern char __start_simtlab_device[] __attribute__((weak));  // NOLINT(bugprone-reserved-identifier): the linker's name
extern char __stop_simtlab_device[] __attribute__((weak));   // NOLINT(bugprone-reserved-identifier)
extern const simtlab_symbol_record __start_simtlab_symbols[]
    __attribute__((weak));  // NOLINT(bugprone-reserved-identifier)
extern const simtlab_symbol_record __stop_simtlab_symbols[]
    __attribute__((weak));  // NOLINT(bugprone-reserved-identifier)
extern const simtlab_launch_bound __start_simtlab_launch_bounds[]
    __attribute__((weak));  // NOLINT(bugprone-reserved-identifier)
extern const simtlab_launch_bound __stop_simtlab_launch_bounds[]
    __attribute__((weak));                                     // NOLINT(bugprone-reserved-identifier)
extern char __start_simtlab_constant[] __attribute__((weak));  // NOLINT(bugprone-reserved-identifier)
void simtlab_tsan_volatile_read1(void*);
void simtlab_tsan_volatile_read2(void*);
void simtlab_tsan_volatile_read4(void*);
void simtlab_tsan_volatile_read8(void*);
extern char __stop_simtlab_constant[] __attribute__((weak));  // NOLINT(bugprone-reserved-identifier)
}

namespace simtlab::emulator {
namespace {

/// Each ends a section of variables, and has it begin where a page does: so that they can be closed to host code.
alignas(4096) __attribute__((section("simtlab_device"), used)) char last_page[4096] = {};
alignas(4096) __attribute__((section("simtlab_constant"), used)) char last_page_of_constants[4096] = {};

struct segments {
  address_range read_only, code;
  std::uint64_t text_end = 0;
};

const segments& of_this_program() {
  static const segments found = [] {
    segments result;
    dl_iterate_phdr(
        [](dl_phdr_info* program, std::size_t, void* data) {
          auto& s = *static_cast<segments*>(data);
          for (int i = 0; i < program->dlpi_phnum; ++i) {
            const auto& p = program->dlpi_phdr[i];
            if (p.p_type != PT_LOAD) continue;
            const address begin = program->dlpi_addr + p.p_vaddr;
            if ((p.p_flags & PF_X) != 0) {
              s.text_end = std::max<std::uint64_t>(s.text_end, p.p_vaddr + p.p_memsz);
              s.code = {begin, begin + p.p_memsz};
            }
            if ((p.p_flags & (PF_W | PF_X)) != 0) continue;
            if (s.read_only.end == 0) s.read_only.begin = begin;
            s.read_only.end = std::max(s.read_only.end, begin + p.p_memsz);
          }
          return 1;  // the executable comes first
        },
        &result);
    return result;
  }();
  return found;
}

#ifdef __aarch64__
constexpr address code_step = 4, longest_call = 4;

/// Where a call or jump at `at` goes; 0 for anything else.
address called_at(address at) {
  std::uint32_t instruction = 0;
  std::memcpy(&instruction, reinterpret_cast<const void*>(at), sizeof instruction);
  if ((instruction & 0x7c000000) != 0x14000000) return 0;  // b and bl with a distance of 26 bits, in words
  return at + static_cast<address>(static_cast<std::int64_t>(static_cast<std::int32_t>(instruction << 6) >> 4));
}
#else
constexpr address code_step = 1, longest_call = 5;

address called_at(address at) {
  const auto operation = *reinterpret_cast<const unsigned char*>(at);
  if (operation != 0xe8 && operation != 0xe9) return 0;  // call and jump with a distance of 32 bits
  std::int32_t distance = 0;
  std::memcpy(&distance, reinterpret_cast<const void*>(at + 1), sizeof distance);
  return at + longest_call + static_cast<address>(static_cast<std::int64_t>(distance));
}
#endif

address_range range_of(const char* begin, const char* end) {
  return {reinterpret_cast<address>(begin), reinterpret_cast<address>(end)};
}

address_range pages_of(const address_range& section, const char* last) {
  return section.begin % sizeof last_page == 0 ? address_range{section.begin, reinterpret_cast<address>(last)}
                                               : address_range{};
}

/// All code but the main part of the emulator's own, which makes up nearly all of a runner.
address_range code_of_others() {
  const address_range all = program_code(), own = own_code().front();
  return {all.begin, own.begin == 0 ? all.end : own.begin};
}

}  // namespace

address_range device_symbol_range() { return range_of(__start_simtlab_device, __stop_simtlab_device); }
address_range device_symbol_pages() { return pages_of(device_symbol_range(), last_page); }
address_range constant_symbol_pages() { return pages_of(constant_symbol_range(), last_page_of_constants); }
address_range program_code() { return of_this_program().code; }
std::array<address_range, 2> own_code() {
  if (simtlab_find_boundaries_of_code == nullptr) return {};
  const simtlab_boundaries_of_code own = simtlab_find_boundaries_of_code();
  return {address_range{own.text, program_code().end}, address_range{own.unlikely, own.startup}};
}
bool is_own_code(address a) {
  const auto own = own_code();
  return std::any_of(own.begin(), own.end(), [a](const address_range& r) { return r.contains(a); });
}
bool is_managed_symbol(address a) {
  return std::any_of(__start_simtlab_symbols, __stop_simtlab_symbols, [a](const simtlab_symbol_record& s) {
    return s.kind == simtlab_symbol_managed && a >= s.begin && a - s.begin < s.bytes;
  });
}
address_range constant_symbol_range() { return range_of(__start_simtlab_constant, __stop_simtlab_constant); }
address_range read_only_range() { return of_this_program().read_only; }

const synchronisation_used& synchronisation_of_program() {
  // The linker leaves no list of who calls whom, but a direct call holds the distance to its target. A distance that is
  // found where no call is costs time, nothing else.
  static const synchronisation_used found = [] {
    const auto entry = [](auto* function) { return reinterpret_cast<address>(function); };
    const std::array fences{entry(&simtlab_threadfence), entry(&simtlab_named_barrier), entry(&simtlab_phase_arrival),
                            entry(&simtlab_phase_end)};
    const std::array strong{entry(&simtlab_atomic),
                            entry(&simtlab_atomic_used),
                            entry(&simtlab_compare_and_swap),
                            entry(&simtlab_atomic_load),
                            entry(&simtlab_atomic_store),
                            entry(&simtlab_tsan_volatile_read1),
                            entry(&simtlab_tsan_volatile_read2),
                            entry(&simtlab_tsan_volatile_read4),
                            entry(&simtlab_tsan_volatile_read8)};
    synchronisation_used used;
    const address_range code = code_of_others();
    for (address at = code.begin; at + longest_call <= code.end; at += code_step) {
      const address target = called_at(at);
      if (target == 0) continue;
      used.fences |= std::find(fences.begin(), fences.end(), target) != fences.end();
      used.strong_accesses |= std::find(strong.begin(), strong.end(), target) != strong.end();
    }
    return used;
  }();
  return found;
}

std::vector<address> calls_of(address begin) {
  constexpr address longest_function = 4096;
  constexpr unsigned char end_of_function =
      0xc3;  // ret; a byte of that value amid an instruction ends the look too early
  std::vector<address> targets;
  const address_range code = program_code();
  for (address at = begin; at < begin + longest_function && at + longest_call <= code.end; at += code_step) {
#ifndef __aarch64__
    if (*reinterpret_cast<const unsigned char*>(at) == end_of_function) break;
#endif
    if (const address target = called_at(at); code.contains(target)) targets.push_back(target);
  }
  return targets;
}

std::uint64_t launch_bound(const void* function) {
  const simtlab_launch_bound* const end = __stop_simtlab_launch_bounds;
  const auto* const known = std::find_if(__start_simtlab_launch_bounds, end,
                                         [&](const simtlab_launch_bound& b) { return b.function == function; });
  return known == end ? 0 : known->threads;
}

std::uint64_t text_bytes() { return of_this_program().text_end; }

}  // namespace simtlab::emulator
