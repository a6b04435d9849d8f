#include "runtime/machine_surroundings.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <string>

#include "runtime/device_print.h"
#include "runtime/program_image.h"
#include "runtime/texel_value.h"
#include "sass/block_runner.h"
#include "trace/hook_state.h"

namespace simtlab::emulator {
namespace {

using sass::device_call;
using sass::machine_fault;

std::uint64_t pointer_in(const device_call& c, std::size_t number) {
  return c.registers.at(number) | std::uint64_t{c.registers.at(number + 1)} << 32;
}

/// A text of the program's, as far as it may be read; a GPU would read on, too.
std::string text_at(const device_call& c, address at) {
  const std::span<std::byte> bytes = c.reach(c, at);
  const auto end = std::ranges::find(bytes, std::byte{0});
  return {reinterpret_cast<const char*>(bytes.data()), static_cast<std::size_t>(end - bytes.begin())};
}

/// `void k(int *)`, as nvcc writes a function, is `void k(int*)`.
std::string as_by_gcc(std::string function) {
  for (std::size_t at = 0; (at = function.find_first_of("*&", at)) != function.npos; ++at)
    if (at > 0 && function[at - 1] == ' ') function.erase(--at, 1);
  return function;
}

[[noreturn]] void refuse(const device_call& c, const std::string& what) {
  throw machine_fault(machine_fault::reason::call, c.where, what, c.thread);
}

texel_sample sample_for(const texture& t, const sass::texture_fetch& f, unsigned lane) {
  if (f.by_texel && f.dimensions == 1) return element_of(t, static_cast<std::int32_t>(f.coordinates[0][lane]));
  std::array<float, 3> at{};
  for (unsigned i = 0; i < f.dimensions && i < at.size(); ++i)
    at.at(i) = f.by_texel ? static_cast<float>(static_cast<std::int32_t>(f.coordinates.at(i)[lane]))
                          : std::bit_cast<float>(f.coordinates.at(i)[lane]);
  return sample_of(t, {at});
}

}  // namespace

address_range machine_surroundings::reachable(address a) {
  if (device_.heap.contains(reinterpret_cast<const void*>(a))) {
    const auto begin = reinterpret_cast<address>(device_.heap.begin());
    return {begin, begin + device_.heap.accessible()};
  }
  if (const memory_region* r = device_.map.below(a + arena::slack);
      r != nullptr && device_.memory.range().contains(a) && r->live &&
      a - (r->begin - arena::slack) < r->bytes + 2 * arena::slack)
    return {r->begin - arena::slack, r->begin + r->bytes + arena::slack};
  for (const address_range& symbols : {device_symbol_range(), constant_symbol_range()})
    if (symbols.contains(a)) return symbols;
  if (const memory_region* const r = device_.map.of_host_in_page(a); r != nullptr && r->live)
    return {r->begin / arena::page * arena::page, rounded_up(r->begin + r->bytes, address{arena::page})};
  const memory_region* const table = device_.map.find(a);  // of the compiler's
  if (table == nullptr || !table->live || device_.memory.range().contains(a)) return {};
  return {table->begin, table->begin + table->bytes};
}

sass::memory_place machine_surroundings::place_of(address a) {
  if (const memory_region* const r = device_.map.find(a); r != nullptr)
    return {r->space, r->id, {r->begin, r->begin + r->bytes}};
  const bool is_device = device_.memory.range().contains(a) || device_symbol_range().contains(a) ||
                         device_.map.of_host_in_page(a) != nullptr;
  const bool is_constant = constant_symbol_range().contains(a);
  const memory_space space = is_device     ? memory_space::global
                             : is_constant ? memory_space::constant
                                           : memory_space::host;
  return {space, 0, {a, a + 1}};
}

sass::memory_place machine_surroundings::shared_place_of(address offset) {
  const memory_region* const r = device_.map.find_shared(offset);
  if (r == nullptr) return {memory_space::shared, 0, {offset, offset + 1}};
  return {memory_space::shared, r->id, {r->begin, r->begin + r->bytes}};
}

/// Tables of functions are the program's own variables, and hold its own functions.
std::uint32_t machine_surroundings::place_of_function(std::uint32_t lower_half) {
  const auto [known, is_new] = places_.try_emplace(lower_half, no_function);
  if (!is_new) return known->second;
  const address base = device_.sources.text_base();
  address whole = (base & ~address{0xffffffff}) | lower_half;
  if (whole < base) whole += address{1} << 32;
  const std::string name = device_.sources.linkage_name_at(whole);
  if (name.empty() || device_.sources.linkage_name_at(whole - 1) == name) return no_function;
  for (const auto& [called, place] : kernel_.function->called)
    if (called == name || as_written(called) == as_written(name)) known->second = place;
  return known->second;
}

std::uint64_t machine_surroundings::call(const device_call& c) {
  if (c.name == "malloc") {
    void* const piece = device_.heap.allocate(pointer_in(c, 0),
                                              {c.where, c.launch->kernel, c.launch->ordinal, c.block_index, c.thread});
    return reinterpret_cast<std::uint64_t>(piece);
  }
  if (c.name == "free") {
    void* const block = reinterpret_cast<void*>(pointer_in(c, 0));
    if (block != nullptr && !device_.heap.free(block, c.where))
      throw machine_fault(machine_fault::reason::free, c.where, device_.heap.refusal(block), c.thread);
    return 0;
  }
  if (c.name == "vprintf") {
    const std::span<const std::byte> arguments = c.reach(c, pointer_in(c, 2));
    const std::string text =
        device_print(text_at(c, pointer_in(c, 0)), arguments, [&](address at) { return text_at(c, at); });
    await_earlier_blocks();
    std::fwrite(text.data(), 1, text.size(), stdout);
    return text.size();
  }
  if (c.name == "__assertfail") {  // (expression, file, line, function, size of a character)
    const std::string function = as_by_gcc(text_at(c, pointer_in(c, 6)));
    throw machine_fault(machine_fault::reason::assertion, c.where,
                        "Assertion failed: " + text_at(c, pointer_in(c, 0)) + " (in " + function + ").", c.thread);
  }
  refuse(c, "The kernel calls " + std::string(c.name) +
                "(), a function of CUDA's that the engine sass does not have. Run it as g++ compiles it: "
                "SIMTLAB_ENGINE=g++.");
}

void machine_surroundings::fetch(const sass::texture_fetch& f, sass::fetched_texels& result) {
  const texture* const t = device_.textures.find(texture_table::first + f.handle);
  if (t == nullptr || !t->live)
    throw machine_fault(machine_fault::reason::call, f.where,
                        "The kernel reads a texture by a handle that cudaCreateTextureObject never returned, or whose "
                        "texture was destroyed.");
  result.width = t->format.bytes();
  for (lane_mask rest = f.active; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const texel_sample sample = sample_for(*t, f, lane);
    const std::array<std::uint32_t, 4> value = value_of(*t, sample);
    for (unsigned channel = 0; channel < value.size(); ++channel) result.component[channel][lane] = value.at(channel);
    result.taps = std::max(result.taps, sample.count);
    for (unsigned tap = 0; tap < sample.count; ++tap)
      result.texels.at(tap).at(lane) = reinterpret_cast<address>(sample.parts.at(tap).where);
  }
}

}  // namespace simtlab::emulator
