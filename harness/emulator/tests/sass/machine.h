// The tests' kernels, and this process's own memory as a GPU's.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "observers/observer.h"
#include "sass/block_runner.h"
#include "sass/launch.h"
#include "sass/machine_code.h"

namespace simtlab::emulator::testing {

inline std::string content_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// cubins/kernels.cu, as nvcc compiled it for sm_90.
inline const std::shared_ptr<const sass::machine_code>& test_kernels() {
  static const auto code = [] {
    const std::string cubin = content_of(SIMTLAB_CUBINS "/kernels.cubin"),
                      listing = content_of(SIMTLAB_CUBINS "/kernels.json");
    return sass::machine_code::load(std::as_bytes(std::span(cubin)), listing);
  }();
  return code;
}

/// Memory that a kernel may touch: what was given to it.
class own_memory final : public sass::surroundings {
 public:
  template <class T>
  address give(std::vector<T>& v) {
    const auto begin = reinterpret_cast<address>(v.data());
    ranges_.push_back({begin, begin + v.size() * sizeof(T)});
    return begin;
  }
  address give(std::byte* begin, std::size_t bytes) {
    const auto at = reinterpret_cast<address>(begin);
    ranges_.push_back({at, at + bytes});
    return at;
  }
  [[nodiscard]] address_range reachable(address a) override {
    for (const address_range& r : ranges_)
      if (r.contains(a)) return r;
    return {};
  }
  [[nodiscard]] sass::memory_place place_of(address a) override {
    for (std::size_t i = 0; i < ranges_.size(); ++i)
      if (ranges_[i].contains(a)) return {memory_space::global, static_cast<variable_id>(i + 1), ranges_[i]};
    return {memory_space::unmapped, 0, {a, a + 1}};
  }
  [[nodiscard]] sass::memory_place shared_place_of(address) override {
    return {memory_space::shared, 0, {0, address{1} << 32}};
  }

  [[nodiscard]] std::uint32_t place_of_function(std::uint32_t) override { return function_place; }

  /// Every texel is 40 and its number of coordinates.
  void fetch(const sass::texture_fetch& f, sass::fetched_texels& result) override {
    texture = f.handle;
    for (unsigned k = 0; k < f.dimensions; ++k) coordinates.at(k) = f.coordinates.at(k)[0];
    for (std::uint32_t& each : result.component[0]) each = 40 + f.dimensions;
  }

  std::uint32_t function_place = no_function;
  std::uint32_t texture = 0;                   ///< that was read last
  std::array<std::uint32_t, 3> coordinates{};  ///< of its first lane

 private:
  std::vector<address_range> ranges_;
};

/// Values of a kernel's parameters, as their block.
class parameter_block {
 public:
  explicit parameter_block(const sass::function& f) : function_(f), bytes_(f.parameter_bytes) {}
  template <class... Values>
  parameter_block& set(Values... values) {
    std::size_t i = 0;
    (put(i++, values), ...);
    return *this;
  }
  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }

 private:
  template <class T>
  void put(std::size_t i, T value) {
    std::memcpy(bytes_.data() + function_.parameters.at(i).offset, &value, sizeof value);
  }
  const sass::function& function_;
  std::vector<std::byte> bytes_;
};

/// Runs all blocks of a launch, one after the other.
template <class... Values>
void run_kernel(own_memory& memory, const std::string& name, extents grid, extents block, std::size_t dynamic_shared,
                std::span<observer* const> observers, Values... values) {
  const auto& code = test_kernels();
  const sass::function* const f = code->find(name);
  if (f == nullptr) throw std::runtime_error("no kernel " + name);
  for (const sass::global_symbol& s : code->symbols()) memory.give(s.own_storage, s.bytes);
  const parameter_block parameters = parameter_block(*f).set(values...);
  const sass::launch l({.code = code,
                        .kernel = f,
                        .grid = grid,
                        .block = block,
                        .dynamic_shared_bytes = dynamic_shared,
                        .parameters = parameters.bytes(),
                        .symbols = {},
                        .first_site = 1});
  launch_info info;
  info.ordinal = 1;
  info.kernel = name;
  info.grid = grid;
  info.block = block;
  info.dynamic_shared_bytes = dynamic_shared;
  for (observer* o : observers) o->launch_begins(info);
  sass::block_runner runner(l, memory, observers, info);
  for (std::uint64_t b = 0; b < grid.count(); ++b) runner.run(coordinates_of(b, grid), b);
  runner.settle();
  for (observer* o : observers) o->launch_ends();
}

}  // namespace simtlab::emulator::testing
