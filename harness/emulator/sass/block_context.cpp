#include "sass/block_context.h"

#include <bit>
#include <cstdio>

namespace simtlab::emulator::sass {
namespace {

std::string hexadecimal(std::uint64_t value) {
  char text[20];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

}  // namespace

std::string block_context::instruction_text(const instruction& i) const {
  const source_place& place = of.code().places()[i.number];
  std::string text =
      of.code().texts()[i.number] + " at " + hexadecimal(std::uint64_t{i.number - i.origin} * instruction_bytes);
  if (place.line != 0) text += " (" + place.file + ':' + std::to_string(place.line) + ')';
  return text;
}

void block_context::fail_address(const warp& w, const instruction& i, unsigned lane, address a,
                                 std::string_view what) const {
  throw machine_fault(
      machine_fault::reason::address, of.site_of(i.number),
      instruction_text(i) + ": expected an address of " + std::string(what) + ", found " + hexadecimal(a),
      w.number * warp_size + lane, a);
}

void block_context::fail_local(const warp& w, const instruction& i, unsigned lane, address a) const {
  const bool is_below = (a & 0x80000000U) != 0;  // stacks grow downwards, to 0
  throw machine_fault(
      is_below && of.kernel().has_open_stack ? machine_fault::reason::stack : machine_fault::reason::local,
      of.site_of(i.number),
      instruction_text(i) + ": expected an address of the thread's local memory, found " + hexadecimal(a & 0xffffffffU),
      w.number * warp_size + lane, a);
}

void block_context::fail_alignment(const warp& w, const instruction& i, unsigned lane, address a,
                                   std::uint32_t width) const {
  throw machine_fault(
      machine_fault::reason::alignment, of.site_of(i.number),
      instruction_text(i) + ": expected a multiple of " + std::to_string(width) + ", found " + hexadecimal(a),
      w.number * warp_size + lane, a);
}

void block_context::check_process(const warp& w, const instruction& i, lane_mask lanes, const address* addresses,
                                  std::uint32_t width) {
  for (lane_mask rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const address a = addresses[lane];
    if (reachable.contains(a) && reachable.end - a >= width) continue;
    const address_range found = around.reachable(a);
    if (!found.contains(a) || found.end - a < width) fail_address(w, i, lane, a, "memory that the program owns");
    reachable = found;
  }
}

}  // namespace simtlab::emulator::sass
