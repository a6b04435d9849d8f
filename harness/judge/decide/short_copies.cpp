#include "judge/decide/short_copies.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "judge/wording.h"

namespace simtlab {
namespace {

struct copied_bytes {
  std::uint64_t begin = 0, bytes = 0;
  friend auto operator<=>(const copied_bytes&, const copied_bytes&) = default;
};

bool is_to_device(const timed_operation& o) { return o.kind == "to_device"; }

// Arrays of the lab have their elements' size; memory of the program's own has that of the lab's arrays, where all are alike.
std::size_t element_bytes_of(const lab& of, const std::string& array) {
  std::size_t common = 0;
  for (const argument_description& a : of.arguments) {
    if (!is_array(a.role)) continue;
    if (a.name == array) return a.element_bytes;
    common = common == 0 || common == a.element_bytes ? a.element_bytes : 1;
  }
  return std::max<std::size_t>(common, 1);
}

// Whether the copies would follow one another, from the array's begin on, if each moved as many elements as it moves bytes.
bool is_in_elements(std::vector<copied_bytes> all, std::uint64_t array_bytes, std::size_t element) {
  std::ranges::sort(all);
  const auto repeated = std::ranges::unique(all);
  all.erase(repeated.begin(), repeated.end());
  std::uint64_t end = 0;
  for (const copied_bytes& c : all) {
    if (c.begin != end) return false;
    end += c.bytes * element;
  }
  return all.size() == 1 ? end == array_bytes : end <= array_bytes;
}

std::string place_of(const timed_copy& c) { return fmt::format("{}:{}", c.file, c.line); }

struct short_copy {
  const timed_operation* first = nullptr;
  std::string says;
};

// The copies that one line of the source makes in one direction, of one array.
struct copies_of_line {
  std::vector<copied_bytes> all;
  const timed_operation* first = nullptr;
  copied_range array;
  std::size_t count = 0;
};

std::optional<short_copy> first_in_elements(const lab& of, const measurements& m,
                                            const std::string& only_of = std::string()) {
  using line = std::tuple<std::string, int, std::string, std::string, std::uint64_t>;
  std::map<line, copies_of_line> lines;
  std::vector<copies_of_line*> in_order;
  for (const timed_operation& o : m.timeline) {
    if (!o.copy) continue;
    const copied_range& array = o.copy->on_host.bytes > 0 ? o.copy->on_host : o.copy->on_device;
    if (array.bytes == 0 || (!only_of.empty() && array.array != only_of && o.copy->on_device.array != only_of))
      continue;
    const auto [at, fresh] =
        lines.try_emplace(line{o.copy->file, o.copy->line, o.kind, array.array, array.id}, copies_of_line{});
    copies_of_line& l = at->second;
    if (fresh) {
      l.first = &o;
      l.array = array;
      in_order.push_back(&l);
    }
    l.all.push_back({array.offset, o.bytes});
    ++l.count;
  }
  for (const copies_of_line* l : in_order) {
    const std::size_t element = element_bytes_of(of, l->array.array);
    if (element == 1 || !is_in_elements(l->all, l->array.bytes, element)) continue;
    std::uint64_t bytes = 0;
    for (const copied_bytes& c : l->all) bytes += c.bytes;
    const std::string name = l->array.array.empty() ? "an array" : l->array.array;
    const std::string place = place_of(*l->first->copy);
    std::string says =
        l->count == 1
            ? fmt::format("The copy at {} moves {} byte{} of {}, which has {}: {} is the number of its elements.",
                          place, grouped(bytes), bytes == 1 ? "" : "s", name, grouped(l->array.bytes), grouped(bytes))
            : fmt::format(
                  "The {} copies at {} move {} bytes of {} in all, which has {}: their sizes are numbers of "
                  "elements.",
                  grouped(l->count), place, grouped(bytes), name, grouped(l->array.bytes));
    says += fmt::format(" The size of a copy counts bytes: multiply it by sizeof of an element, here by {}.", element);
    return short_copy{l->first, std::move(says)};
  }
  return std::nullopt;
}

// The parts of [0, bytes) that no copy reaches.
std::vector<copied_bytes> gaps_between(std::vector<copied_bytes> copied, std::uint64_t bytes) {
  std::ranges::sort(copied);
  std::vector<copied_bytes> gaps;
  std::uint64_t reached = 0;
  for (const copied_bytes& c : copied) {
    if (c.begin > reached) gaps.push_back({reached, c.begin - reached});
    reached = std::max(reached, c.begin + c.bytes);
  }
  if (reached < bytes) gaps.push_back({reached, bytes - reached});
  return gaps;
}

// "kernel.cu:61", "kernel.cu:61 and 70": the lines that make the copies.
std::string lines_of(const std::vector<const timed_operation*>& copies) {
  std::vector<std::string> lines;
  for (const timed_operation* o : copies)
    if (std::string line = std::to_string(o->copy->line); std::ranges::find(lines, line) == lines.end())
      lines.push_back(std::move(line));
  return copies.front()->copy->file + ":" + listed(lines);
}

std::string gap_text(const std::vector<const timed_operation*>& copies, const copied_range& array,
                     const std::vector<copied_bytes>& gaps, std::size_t element) {
  std::uint64_t missing = 0;
  for (const copied_bytes& g : gaps) missing += g.bytes;
  const bool one = copies.size() == 1;
  return fmt::format("The {}{} at {} fill{} {} of the {} bytes of {}; what {} out begins at byte {}{}.",
                     one ? "copy " : "copies ", is_to_device(*copies.front()) ? "to the device" : "back to the host",
                     lines_of(copies), one ? "s" : "", grouped(array.bytes - missing), grouped(array.bytes),
                     array.array, one ? "it leaves" : "they leave", grouped(gaps.front().begin),
                     element > 1 ? fmt::format(", {}[{}]", array.array, gaps.front().begin / element) : "");
}

}  // namespace

std::optional<explanation> size_in_elements(const lab& of, const measurements& m) {
  auto found = first_in_elements(of, m);
  if (!found) return std::nullopt;
  return explanation{"size in elements", std::move(found->says), certainty::certain};
}

std::optional<explanation> never_copied_back(const output_values& of, std::size_t element_bytes,
                                             const measurements& m) {
  if (m.timeline.size() >= measurements::most_operations || element_bytes == 0) return std::nullopt;
  std::vector<const timed_operation*> copies;
  std::vector<copied_bytes> copied;
  for (const timed_operation& o : m.timeline) {
    if (!o.copy || is_to_device(o)) continue;
    const copied_range& to = o.copy->on_host;
    if (to.bytes == 0) return std::nullopt;  // it may have come by another array of the host's, or in rows
    if (to.array != of.argument) continue;
    copies.push_back(&o);
    copied.push_back({to.offset, o.bytes});
  }
  if (copies.empty()) return std::nullopt;
  const copied_range array = copies.front()->copy->on_host;
  const std::vector<copied_bytes> gaps = gaps_between(copied, array.bytes);
  if (gaps.empty()) return std::nullopt;
  for (std::size_t i = 0; i < of.wrong.size(); ++i) {
    const std::uint64_t begin = i * element_bytes;
    const bool is_left_out = std::ranges::any_of(
        gaps, [&](const copied_bytes& g) { return begin < g.begin + g.bytes && g.begin < begin + element_bytes; });
    if (of.wrong[i] && !is_left_out) return std::nullopt;
  }
  return explanation{"never copied back",
                     gap_text(copies, array, gaps, element_bytes) +
                         " All that is wrong lies in what they leave out. Where do the last piece and its size end?",
                     certainty::certain};
}

void add_short_copy(finding& f, const lab& of, const measurements& m) {
  if (of.kind != entry_kind::host || f.variable.empty() || f.rule != "uninitialised-global") return;
  std::string says;
  if (const auto found = first_in_elements(of, m, f.variable)) {
    says = found->says;
  } else if (m.timeline.size() < measurements::most_operations) {
    std::map<std::uint64_t, std::pair<std::vector<const timed_operation*>, std::vector<copied_bytes>>> arrays;
    for (const timed_operation& o : m.timeline) {
      if (!o.copy || !is_to_device(o) || o.copy->on_device.bytes == 0) continue;
      auto& [copies, copied] = arrays[o.copy->on_device.id];
      copies.push_back(&o);
      copied.push_back({o.copy->on_device.offset, o.bytes});
    }
    for (const auto& [id, array] : arrays) {
      // Its name may change: it is called as the host's array is that was copied last.
      const auto named = std::ranges::find_if(
          array.first, [&](const timed_operation* o) { return o->copy->on_device.array == f.variable; });
      if (named == array.first.end()) continue;
      const copied_range whole = (*named)->copy->on_device;
      const std::vector<copied_bytes> gaps = gaps_between(array.second, whole.bytes);
      if (!gaps.empty() && says.empty())
        says = gap_text(array.first, whole, gaps, element_bytes_of(of, f.variable)) +
               " Where do the last piece and its size end?";
    }
  }
  if (says.empty()) return;
  f.message = "Nothing was ever stored here, and cudaMalloc does not clear memory. " + says;
}

}  // namespace simtlab
