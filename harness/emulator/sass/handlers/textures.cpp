// Texture fetches: coordinates and results in registers, the rest is the surroundings'.
#include "sass/handlers/lanes.h"
#include "sass/handlers/tables.h"

namespace simtlab::emulator::sass::SIMTLAB_SASS_LEVEL {
namespace {

/// Where the handle stands: in a uniform register or, with .SCR, as two numbers, of a bank of constants and of a word in it.
unsigned place_of_handle(const instruction& i) {
  const operand_kind wanted = i.has("SCR"_m) ? operand_kind::immediate : operand_kind::uniform;
  unsigned at = 3;
  while (at < i.count && i.operands[at].kind != wanted) ++at;
  return at;
}

std::uint32_t handle_of(const warp& w, const instruction& i, unsigned at) {
  if (i.has("SCR"_m)) return w.block->constant(0, static_cast<std::uint32_t>(4 * i.operands[at + 1].value));
  return at == i.count ? 0 : w.uniforms[i.operands[at].index];
}

void prepare_fetch(instruction& i) {
  i.variant = i.has("1D"_m) ? 1 : i.has("2D"_m) ? 2 : i.has("3D"_m) ? 3 : 0;
  if (i.variant == 0) throw unreadable_code("a texture fetch of layers or of a cubemap");
  const auto is_register = [&](unsigned k) { return i.operands[k].kind == operand_kind::reg; };
  if (i.count < 5 || !is_register(0) || !is_register(1) || !is_register(2) ||
      i.operands[i.count - 1U].kind != operand_kind::immediate)
    throw unreadable_code("a texture fetch of a form that is not known");
  const unsigned at = place_of_handle(i);
  const bool is_second = i.variant < 3 || is_register(3);
  if (i.has("SCR"_m) && (at + 1U >= i.count || i.operands[at].value != 0 || !is_second))
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
/// far as the mask at the end has them; all four where none stands. Coordinates stand in the third; with .SCR the fourth has the ones
/// behind the second. A level of detail is of no account where there are no mipmaps.
void fetch(warp& w, const instruction& i, bool by_texel) {
  const unsigned handle_at = place_of_handle(i);
  texture_fetch f;
  f.handle = handle_of(w, i, handle_at);
  f.where = w.block->of.site_of(i.number);
  f.dimensions = i.variant;
  f.by_texel = by_texel;
  f.warp = w.number;
  f.active = w.on;
  for (unsigned k = 0; k < f.dimensions; ++k) {
    const bool is_in_second = i.has("SCR"_m) && k > 1;
    const std::uint16_t first = i.operands[is_in_second ? 3 : 2].index;
    f.coordinates[k] = w.registers[first == zero_register ? zero_register : first + k - (is_in_second ? 2 : 0)].lane;
  }
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
    {"TEX", tex, "SCR LL LZ 1D 2D 3D", number_format::integer, false, prepare_fetch},
    {"TLD", tld, "SCR LZ LL 1D 2D 3D", number_format::integer, false, prepare_fetch},
};

}  // namespace

std::span<const opcode_rule> texture_opcodes() { return texture_rules; }

}  // namespace simtlab::emulator::sass::SIMTLAB_SASS_LEVEL
