#include "runtime/machine_kernels.h"

#include <cxxabi.h>
#include <gelf.h>
#include <libelf.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <span>
#include <sstream>
#include <utility>

#include "include/simtlab/emulator_entry.h"
#include "runtime/machine_guesses.h"
#include "runtime/volatile_shared.h"
#include "sass/shared_layout.h"

extern "C" {
// The linker's names; weak, because a program may have no machine code.
extern const unsigned char __start_simtlab_machine_code[]
    __attribute__((weak));                                                       // NOLINT(bugprone-reserved-identifier)
extern const unsigned char __stop_simtlab_machine_code[] __attribute__((weak));  // NOLINT(bugprone-reserved-identifier)
}

namespace simtlab::emulator {
namespace {

/// One record of the section, its parts where they lie.
struct carried_code {
  std::span<const std::byte> cubin;
  std::string_view listing, resources, calls;
};

std::vector<carried_code> carried() {
  std::vector<carried_code> all;
  const unsigned char* at = __start_simtlab_machine_code;
  while (at < __stop_simtlab_machine_code) {
    simtlab_machine_code sizes{};
    std::memcpy(&sizes, at, sizeof sizes);
    at += sizeof sizes;
    const auto part = [&at](std::uint64_t bytes) {
      const auto* const begin = reinterpret_cast<const char*>(at);
      at += rounded_up(bytes, 8);
      return std::string_view(begin, bytes);
    };
    const std::string_view cubin = part(sizes.cubin_bytes), listing = part(sizes.listing_bytes);
    const std::string_view resources = part(sizes.resource_bytes), calls = part(sizes.call_bytes);
    all.push_back({std::as_bytes(std::span(cubin)), listing, resources, calls});
  }
  return all;
}

/// The content of a section of the cubin; empty where it has none of the name.
std::string section(std::span<const std::byte> cubin, std::string_view wanted) {
  elf_version(EV_CURRENT);
  std::string content(reinterpret_cast<const char*>(cubin.data()), cubin.size());  // libelf writes to what it reads
  Elf* const elf = elf_memory(content.data(), content.size());
  std::string found;
  std::size_t names = 0;
  if (elf != nullptr && elf_getshdrstrndx(elf, &names) == 0) {
    for (Elf_Scn* s = elf_nextscn(elf, nullptr); s != nullptr; s = elf_nextscn(elf, s)) {
      GElf_Shdr header;
      if (gelf_getshdr(s, &header) == nullptr) continue;
      const char* const name = elf_strptr(elf, names, header.sh_name);
      if (name == nullptr || name != wanted) continue;
      if (header.sh_type != SHT_NOBITS && header.sh_offset + header.sh_size <= content.size())
        found = content.substr(header.sh_offset, header.sh_size);
      break;
    }
  }
  if (elf != nullptr) elf_end(elf);
  return found;
}

/// `tile` of `_ZZ6kernelPfE4tile`.
std::string source_name(const std::string& mangled) {
  const std::string whole = as_written(mangled);
  const std::size_t last = whole.rfind("::");
  return last == std::string::npos ? whole : whole.substr(last + 2);
}

/// Behind `key` in the listing's head, up to `end`.
std::string_view value_in(std::string_view listing, std::string_view key, char end) {
  const std::string_view head = listing.substr(0, 4096);
  const std::size_t at = head.find(key);
  if (at == head.npos) return {};
  const std::string_view rest = head.substr(at + key.size());
  return rest.substr(0, rest.find(end));
}

/// What headers of the toolkit made stands at the line that calls it.
void name_callers(std::string_view calls, const sass::machine_code& code, std::vector<machine_place>& places) {
  std::istringstream lines{std::string(calls)};
  std::string name, path;
  for (std::size_t number = 0, line = 0; lines >> name >> number >> line && std::getline(lines >> std::ws, path);) {
    const sass::function* const f = code.find(name);
    if (f != nullptr && number < f->instructions && f->first_place + number < places.size())
      places[f->first_place + number] = {path, static_cast<int>(line)};
  }
}

}  // namespace

std::string as_written(const std::string& mangled) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      mangled.starts_with("_Z") ? abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status) : nullptr,
      &std::free);
  std::string result = text == nullptr ? mangled : text.get();
  // nvcc puts static functions into a namespace of the file's: `_INTERNAL_7f0291a7_4_a_cu_65cb7a86::plus(float, float)`.
  constexpr std::string_view of_file = "_INTERNAL_", behind = "::";
  for (std::size_t at = 0; (at = result.find(of_file, at)) != result.npos;) {
    const std::size_t end = result.find(behind, at);
    if (end == result.npos) break;
    result.erase(at, end + behind.size() - at);
  }
  // The toolkit's library has a namespace for its version, and thread scopes and orders in cuda::std:
  // `cuda::__4::atomic<int, (cuda::std::__4::…`. Here orders are the standard library's.
  constexpr std::string_view version = "::__",
                             of_standard = "cuda::std::", of_cuda = "cuda::", order = "(std::memory_order)";
  for (std::size_t at = 0; (at = result.find(version, at)) != result.npos;) {
    const std::size_t digits = at + version.size(), end = result.find_first_not_of("0123456789", digits);
    if (end == digits || end == result.npos || result.compare(end, behind.size(), behind) != 0)
      at = digits;
    else
      result.erase(at, end - at);
  }
  for (std::size_t at = 0; (at = result.find(of_standard, at)) != result.npos;)
    result.erase(at + of_cuda.size(), of_standard.size() - of_cuda.size());
  for (std::size_t at = 0; (at = result.find(order, at)) != result.npos;)
    result.insert(at + 1, "cuda::").erase(at + 1 + of_cuda.size(), 5);
  return result;
}

bool machine_kernels::are_there() { return __start_simtlab_machine_code + 0 < __stop_simtlab_machine_code + 0; }

std::string machine_kernels::tools() {
  if (!are_there()) return "";
  const std::string_view listing = carried().front().listing;
  return "nvcc " + std::string(value_in(listing, "release 13.0, V", '"')) + " for sm_" +
         std::string(value_in(listing, "nv_note_cuinfo_virt_sm\":", ',')) + ", nvdisasm " +
         std::string(value_in(listing, "nvdisasm V", ' '));
}

void machine_kernels::read() {
  if (std::exchange(was_read_, true)) return;
  for (const carried_code& c : carried()) {
    try {
      module m{sass::machine_code::load(c.cubin, c.listing), 0, c.resources, section(c.cubin, ".nv_debug_ptx_txt"), {}};
      std::vector<machine_place> places;
      for (const sass::source_place& p : m.code->places()) places.push_back({p.file, p.line});
      name_callers(c.calls, *m.code, places);
      if (std::ranges::all_of(places, [](const machine_place& p) { return p.line == 0; }))
        throw sass::unreadable_code(
            "nothing says which lines its machine code was made of: expected the table that nvcc -lineinfo makes, and "
            "an "
            "nvdisasm that reads it (make setup SASS=1 installs one)");
      m.first_site = sources_.add_places(std::move(places));
      m.symbols = places_of(*m.code);
      modules_.push_back(std::move(m));
    } catch (const sass::unreadable_code& e) {
      unreadable_ = e.what();
    }
  }
}

std::vector<address> machine_kernels::places_of(const sass::machine_code& code) {
  std::vector<address> places;
  for (const sass::global_symbol& s : code.symbols()) {
    const auto& all = sources_.device_symbols();
    const auto known = std::ranges::find_if(all, [&](const device_symbol& d) {
      return d.space != memory_space::shared &&
             (d.linkage_name == s.name || as_written(d.linkage_name) == as_written(s.name));
    });
    places.push_back(known == all.end() ? 0 : known->begin);
    if (known == all.end() && s.own_storage != nullptr && s.bytes > 0) {
      map_.add({0, s.space, reinterpret_cast<address>(s.own_storage), s.bytes, as_written(s.name), true});
      initialised_.mark(reinterpret_cast<address>(s.own_storage), s.bytes);
    }
  }
  return places;
}

machine_kernel machine_kernels::kernel_of(const module& m, const sass::function& f) {
  machine_kernel k;
  k.code = m.code;
  k.function = &f;
  k.first_site = m.first_site;
  k.symbols = m.symbols;
  std::istringstream lines{std::string(m.resources)};
  std::string name;
  for (std::uint64_t registers = 0, stack = 0, stores = 0, loads = 0;
       lines >> name >> registers >> stack >> stores >> loads;)
    if (name == f.name) k.registers = registers, k.stack_bytes = stack, k.spill_bytes = stores + loads;
  // The driver adds its own code of these functions: an H200 gave 32 registers to five kernels for which ptxas said 24 to 30, and as many
  // as ptxas said to four for which it said more.
  constexpr std::uint64_t registers_of_driver = 32;
  if (f.calls_driver && k.registers != 0) k.registers = std::max(k.registers, registers_of_driver);
  sass::shared_layout layout = sass::shared_layout::of(m.ptx, f.name, f.reserved_shared, f.static_shared);
  if (layout.variables.empty() && f.static_shared > f.reserved_shared)
    layout.variables.push_back({"shared memory", f.reserved_shared, f.static_shared - f.reserved_shared});
  const std::set<std::string> of_volatile = volatile_shared(m.ptx, f.name);
  if (of_volatile.contains(layout.dynamic)) k.volatile_shared.push_back({dynamic_shared_window, ~address{0}});
  for (const sass::shared_variable& v : layout.variables) {
    if (of_volatile.contains(v.name)) k.volatile_shared.push_back({v.begin, v.begin + v.bytes});
    const variable_id id = map_.add({0, memory_space::shared, v.begin, v.bytes, source_name(v.name), true});
    map_.withdraw(id);
    k.shared.push_back(id);
  }
  k.dynamic_name = layout.dynamic.empty() ? "" : source_name(layout.dynamic);
  k.guesses = machine_guesses(*m.code, f);
  const auto own = std::span(m.code->code()).subspan(f.first_place, f.instructions);
  k.may_order =
      !k.volatile_shared.empty() || std::ranges::find(k.guesses, true) != k.guesses.end() ||
      std::ranges::any_of(own, [](const sass::instruction& i) { return i.strength != sass::strong_access::none; });
  return k;
}

const machine_kernel* machine_kernels::find(const std::string& name, std::string& problem) {
  read();
  if (const auto known = kernels_.find(name); known != kernels_.end()) return &known->second;
  for (const module& m : modules_)
    for (const sass::function& f : m.code->functions())
      if (f.name == name || as_written(f.name) == as_written(name)) {
        problem = f.problem;
        return problem.empty() ? &kernels_.emplace(name, kernel_of(m, f)).first->second : nullptr;
      }
  problem = unreadable_.empty() ? "nvcc has compiled no kernel of its name" : unreadable_;
  return nullptr;
}

void machine_kernels::enter(const machine_kernel* kernel, const std::vector<const memory_region*>& of_program) {
  if (kernel == entered_) return;
  const auto each = [&](const machine_kernel* of, void (memory_map::*then)(variable_id)) {
    if (of == nullptr)
      for (const memory_region* r : of_program) (map_.*then)(r->id);
    else
      for (const variable_id id : of->shared) (map_.*then)(id);
  };
  each(entered_, &memory_map::withdraw);
  each(kernel, &memory_map::put_back);
  entered_ = kernel;
}

}  // namespace simtlab::emulator
