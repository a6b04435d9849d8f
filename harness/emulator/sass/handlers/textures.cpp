// Texture fetches: coordinates and results in registers, the rest is the surroundings'.
#include "sass/handlers/lanes.h"
#include "sass/handlers/tables.h"

namespace simtlab::emulator::sass::SIMTLAB_SASS_LEVEL {
namespace {

void prepare_fetch(instruction& i) {
  i.variant = i.has("1D"_m) ? 1 : i.has("2D"_m) ? 2 : i.has("3D"_m) ? 3 : 0;
  if (i.variant == 0) throw unreadable_code("a texture fetch of layers or of a cubemap");
  const auto is_register = [&](unsigned k) { return i.operands[k].kind == operand_kind::reg; };
  if (i.count < 5 || !is_register(0) || !is_register(1) || !is_register(2) ||
      i.operands[i.count - 1U].kind != operand_kind::immediate)
    throw unreadable_code("a texture fetch of a form that is not known");
}

void tell(warp& w, const instruction& i, const fetched_texels& got) {
  if (got.width == 0) return;
  for (unsigned tap = 0; tap < got.taps && tap < got.texels.size(); ++tap) {
    const address* const at = got.texels[tap].data();
    lane_mask texels = 0;
    for (lane_mask rest = w.on; rest != 0; rest &= rest - 1)
      if (at[lowest_lane(rest)] != 0) texels |= rest & -rest;
    memory_access a{.instruction = i.number,
                    .where = w.block->of.site_of(i.number),
                    .width = got.width,
                    .warp = w.number,
                    .lanes = w.on};
    a.addresses = at;
    w.block->requests.tell_fetch(a, texels, tap > 0);
  }
}

/// TEX.LL RZ,R3,R2,R0,UR4,0x0,2D,0x1: components 0 and 1 go to the second register and the next, 2 and 3 to the first and the next, as
/// far as the mask at the end has them; all four where none stands. Coordinates stand in the third; a level of detail is of no account
/// where there are no mipmaps.
void fetch(warp& w, const instruction& i, bool by_texel) {
  unsigned handle_at = 3;
  while (handle_at < i.count && i.operands[handle_at].kind != operand_kind::uniform) ++handle_at;
  const operand& handle = i.operands[handle_at];
  texture_fetch f;
  f.handle = handle_at == i.count ? 0 : w.uniforms[handle.index];
  f.where = w.block->of.site_of(i.number);
  f.dimensions = i.variant;
  f.by_texel = by_texel;
  f.warp = w.number;
  f.active = w.on;
  const operand& first = i.operands[2];
  for (unsigned k = 0; k < f.dimensions; ++k)
    f.coordinates[k] = w.registers[first.index == zero_register ? zero_register : first.index + k].lane;
  fetched_texels got;
  w.block->around.fetch(f, got);
  tell(w, i, got);
  const bool has_mask = i.count > handle_at + 2;
  const auto mask = static_cast<unsigned>(has_mask ? i.operands[i.count - 1U].value & 15 : 15);
  for (unsigned component = 0, place = 0; component < 4; ++component) {
    if ((mask >> component & 1) == 0) continue;
    const operand& to = i.operands[place < 2 ? 1 : 0];
    if (to.index != zero_register)
      set(
          w, to, [&](unsigned l) { return got.component[component][l]; }, place % 2);
    ++place;
  }
}

void tex(warp& w, const instruction& i) { fetch(w, i, false); }
void tld(warp& w, const instruction& i) { fetch(w, i, true); }

constexpr opcode_rule texture_rules[] = {
    {"TEX", tex, "LL LZ 1D 2D 3D", number_format::integer, false, prepare_fetch},
    {"TLD", tld, "LZ LL 1D 2D 3D", number_format::integer, false, prepare_fetch},
};

}  // namespace

std::span<const opcode_rule> texture_opcodes() { return texture_rules; }

}  // namespace simtlab::emulator::sass::SIMTLAB_SASS_LEVEL
