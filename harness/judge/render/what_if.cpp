#include "judge/render/what_if.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "emulator/core/memory_geometry.h"
#include "judge/render/request_picture.h"

namespace simtlab {
namespace {

constexpr std::int64_t line_bytes = emulator::line_bytes;
constexpr std::array<std::uint64_t, 6> widths{1, 2, 4, 8, 12, 16};

/// In elements from lane `a` to lane `b`; nothing where one of them is not active, or no whole number of elements lies between.
std::optional<std::int64_t> elements_between(const request_example& e, std::int64_t width, unsigned a, unsigned b) {
  if (!is_active(e, a) || !is_active(e, b)) return std::nullopt;
  const auto bytes = static_cast<std::int64_t>(e.addresses.at(b) - e.addresses.at(a));
  return bytes % width == 0 ? std::optional(bytes / width) : std::nullopt;
}

/// By the first two lanes that have a known distance: `apart` is 1 inside a row, or a row.
std::int64_t distance(const request_example& e, std::int64_t width, unsigned row, unsigned apart) {
  for (unsigned lane = 0; lane + apart < lanes_of_warp; ++lane) {
    if (apart == 1 && lane % row == row - 1) continue;
    if (const auto found = elements_between(e, width, lane, lane + apart)) return *found;
  }
  return 0;
}

std::optional<affine_pattern> with_rows_of(unsigned row, const request_example& e, std::int64_t width) {
  affine_pattern made{.row = row};
  made.step = row > 1 ? distance(e, width, row, 1) : 0;
  made.pitch = row < lanes_of_warp ? distance(e, width, row, row) : 0;
  const auto from_lane_0 = [&](unsigned lane) { return lane % row * made.step + lane / row * made.pitch; };
  const auto first = static_cast<unsigned>(std::countr_zero(e.active));
  const std::int64_t begin = static_cast<std::int64_t>(e.addresses.at(first)) - width * from_lane_0(first);
  for (unsigned lane = first; lane < lanes_of_warp; ++lane)
    if (is_active(e, lane) && static_cast<std::int64_t>(e.addresses.at(lane)) != begin + width * from_lane_0(lane))
      return std::nullopt;
  std::int64_t in_line = (begin % line_bytes + line_bytes) % line_bytes;
  for (int lines = 0; in_line % width != 0 && lines < 2; ++lines) in_line += line_bytes;  // 12 bytes: three lines
  if (in_line % width != 0) return std::nullopt;
  made.offset = in_line / width;
  return made;
}

std::string number_input(const char* name, std::int64_t value, const char* label) {
  return fmt::format("<label>{} <input type=\"number\" name=\"{}\" value=\"{}\" min=\"-4096\" max=\"4096\"></label>\n",
                     label, name, value);
}

template <class Values>
std::string choice(const char* name, const Values& values, std::uint64_t chosen, const char* label) {
  std::string options;
  for (const std::uint64_t v : values)
    options += fmt::format("<option{}>{}</option>", v == chosen ? " selected" : "", v);
  return fmt::format("<label>{} <select name=\"{}\">{}</select></label>\n", label, name, options);
}

constexpr const char* script = R"(
// What a request costs, by the emulator's rules: costs/coalescing.h and costs/bank_conflicts.h.
const simtlab = (() => {
  const warp = 32, banks = 32, base = 2 ** 30;
  const addresses = s => Array.from({length: warp}, (_, l) => (s.active >>> l & 1) === 0 ? null :
    base + s.width * (s.offset + l % s.row * s.step + Math.floor(l / s.row) * (s.pitch + s.padding)));
  const pieces = (at, width, size) => {
    const seen = new Set();
    for (const a of at)
      if (a !== null) for (let p = Math.floor(a / size); p <= Math.floor((a + width - 1) / size); ++p) seen.add(p);
    return seen.size;
  };
  // The passes of some lanes: by bank the lanes of each different word, a word a pass.
  const passes = (word, begin, lanes, words) => {
    const wanted = new Map();
    for (let l = begin; l < begin + lanes; ++l)
      for (let w = 0; word[l] !== null && w < words; ++w) wanted.set(word[l] + w, [...wanted.get(word[l] + w) ?? [], l]);
    const rows = [];
    for (const [at, those] of [...wanted].sort((a, b) => a[0] - b[0])) {
      let row = rows.find(one => !one[at % banks]);
      if (!row) rows.push(row = []);
      row[at % banks] = those;
    }
    return rows;
  };
  const pairsUp = (word, begin, lanes) => {
    const inside = word.slice(begin, begin + lanes).map((w, i) => w === null ? -1 : begin + i).filter(l => l >= 0);
    return inside.length > 0 &&
      [1, 2].some(distance => inside.every(l => word[l ^ distance] === null || word[l ^ distance] === word[l]));
  };
  const shared = (at, width, isLoad) => {
    const piece = width <= 4 ? width : Math.min(Math.max(width & -width, 4), 16), words = Math.max(piece >> 2, 1);
    const group = warp / words, rows = [];
    let ideal = 0;
    for (let offset = 0; offset < width; offset += piece) {
      const word = at.map(a => a === null ? null : Math.floor((a + offset) / 4)), before = rows.length;
      let groups = 0;
      for (let begin = 0; begin < warp; begin += group) groups += word.slice(begin, begin + group).some(w => w !== null);
      for (let begin = 0; begin < warp; begin += group) {
        if (isLoad && words > 1 && begin % (2 * group) === 0 && pairsUp(word, begin, 2 * group)) {
          const both = passes(word, begin, 2 * group, words);
          if (both.length === 1) {
            rows.push(...both);
            begin += group;
            continue;
          }
        }
        rows.push(...passes(word, begin, group, words));
      }
      ideal += Math.min(rows.length - before, groups);
    }
    return {rows, ideal};
  };
  const counts = s => {
    const at = addresses(s);
    if (s.space === 'shared') {
      const {rows, ideal} = shared(at, s.width, s.access === 'read');
      return {count: rows.length, ideal};
    }
    return {count: pieces(at, s.width, 32), ideal: Math.ceil(pieces(at, s.width, 1) / 32)};
  };
  const rowsOf = s => {
    const at = addresses(s);
    if (s.space === 'shared')
      return {between: 32, rows: shared(at, s.width, s.access === 'read').rows.map(
        (cells, i) => ({label: `pass ${i + 1}`, cells, moved: () => false}))};
    const cell = s.width >= 4 ? 4 : s.width === 2 ? 2 : 1, rows = new Map(), sectors = new Set();
    at.forEach((a, l) => {
      for (let c = Math.floor(a / cell); a !== null && c <= Math.floor((a + s.width - 1) / cell); ++c) {
        const r = Math.floor(c / 32), row = rows.get(r) ?? [];
        row[c % 32] = [...row[c % 32] ?? [], l];
        rows.set(r, row);
        sectors.add(Math.floor(c * cell / 32));
      }
    });
    return {between: 32 / cell, rows: [...rows].sort((a, b) => a[0] - b[0]).map(([r, cells]) => {
      const from = r * 32 * cell - base;
      return {label: from < 0 ? `- ${-from}` : `+ ${from}`, cells, moved: c => sectors.has(Math.floor((r * 32 + c) * cell / 32))};
    })};
  };
  const svgOf = (s, title, most) => {
    const {between, rows} = rowsOf(s), shown = rows.slice(0, most), size = 18;
    const left = 8 * (Math.max(...shown.map(row => row.label.length)) + 1), width = left + 32 * size + 1;
    const height = (shown.length + 1) * size + 1;
    let svg = `<svg role="img" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"><title>${title}</title>`;
    for (let c = 0; c < 32; c += 4) svg += `<text class="n" x="${left + c * size + 2}" y="13">${c}</text>`;
    shown.forEach((row, i) => {
      const y = (i + 1) * size;
      svg += `<text x="0" y="${y + 13}">${row.label}</text>`;
      for (let c = 0; c < 32; c += between)
        svg += `<rect class="${row.moved(c) ? 'm' : 'f'}" x="${left + c * size}" y="${y}" width="${between * size}" height="${size}"/>`;
      row.cells.forEach((lanes, c) => {
        const x = left + c * size;
        svg += `<rect class="${lanes.length > 1 ? 's' : 'a'}" x="${x + 1}" y="${y + 1}" width="${size - 2}" height="${size - 2}"/>` +
          `<text class="l" x="${x + size / 2}" y="${y + 13}">${lanes.length > 1 ? '×' + lanes.length : lanes[0]}</text>`;
      });
    });
    return svg + '</svg>' + (rows.length > most ? `<p>and ${rows.length - most} rows more</p>` : '');
  };
  const settingOf = control => {
    const s = {space: control.dataset.space, access: control.dataset.access, active: Number(control.dataset.active)};
    for (const one of control.querySelectorAll('input, select')) {
      s[one.name] = Number(one.value);
      if (one.value === '' || !Number.isInteger(s[one.name]) || Math.abs(s[one.name]) > 4096) return null;
    }
    return s;
  };
  const show = control => {
    const s = settingOf(control), words = control.querySelector('.counted'), place = control.querySelector('.redrawn');
    if (s === null) {
      words.textContent = 'Each field takes a whole number from -4096 to 4096.';
      place.innerHTML = '';
      return;
    }
    const {count, ideal} = counts(s), noun = s.space === 'shared' ? 'wavefront' : 'sector';
    words.textContent = `${count} ${noun}${count === 1 ? '' : 's'}${count > ideal ? `, where ${ideal} would do` : ''}; ` +
      `your program's request takes ${control.dataset.now}.`;
    place.innerHTML = svgOf(s, words.textContent, 32);
  };
  for (const control of document.querySelectorAll('.what-if')) {
    control.addEventListener('input', () => show(control));
    control.addEventListener('toggle', () => control.open && show(control));
  }
  return {counts};
})();
)";

}  // namespace

std::optional<affine_pattern> affine_pattern_of(const example_place& p, const request_example& e) {
  if (e.active == 0 || std::ranges::find(widths, p.width) == widths.end()) return std::nullopt;
  for (unsigned row = lanes_of_warp; row > 0; row /= 2)
    if (const auto found = with_rows_of(row, e, static_cast<std::int64_t>(p.width))) return found;
  return std::nullopt;
}

std::string what_if_control(const example_place& p, const request_example& e) {
  const bool is_shared = p.space == "shared";
  if ((!is_shared && p.space != "global") || p.access == "atomic") return "";
  if (e.active == 0 || std::ranges::find(widths, p.width) == widths.end()) return "";
  const auto fit = affine_pattern_of(p, e);
  const affine_pattern from = fit.value_or(affine_pattern{.step = 1});
  std::string text = fmt::format(
      "<details class=\"what-if\" data-space=\"{}\" data-access=\"{}\" data-active=\"{}\" data-now=\"{}\">"
      "<summary>What if …</summary>\n",
      p.space, p.access, e.active, is_shared ? e.cost.wavefronts : e.cost.sectors);
  if (!fit)
    text +=
        "<p>These lanes' addresses have no fixed distance, as where an array is indexed by data: the fields begin with "
        "neighbouring elements instead.</p>\n";
  text += "<div class=\"knobs\">\n" + choice("width", widths, p.width, "bytes per element") +
          number_input("offset", from.offset, "offset") +
          choice("row", std::array<std::uint64_t, 6>{1, 2, 4, 8, 16, 32}, from.row, "lanes per row") +
          number_input("step", from.step, "step in a row") + number_input("pitch", from.pitch, "pitch of rows") +
          number_input("padding", 0, "padding of rows") + "</div>\n";
  return text +
         "<p class=\"counted\" role=\"status\"></p><div class=\"wide redrawn\" tabindex=\"0\" role=\"region\" "
         "aria-label=\"the request that the fields describe\"></div></details>\n";
}

const char* what_if_script() { return script; }

}  // namespace simtlab
