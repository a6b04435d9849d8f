#include "translator/clang_accesses.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace simtlab::emulator {
namespace {

constexpr std::string_view copy_call = "call void @llvm.memcpy.p0.p0.i64(", copy_hook = "simtlab_clang_copy";
constexpr unsigned widest = 16;

/// `ptr nonnull align 4 %6`: 4.
unsigned alignment_of(std::string_view argument) {
  constexpr std::string_view word = " align ";
  unsigned value = 1;
  if (const std::size_t at = argument.find(word); at != std::string_view::npos)
    std::from_chars(argument.data() + at + word.size(), argument.data() + argument.size(), value);
  return std::clamp(value, 1U, widest);
}

template <class Each>
void for_each_line(std::string_view text, const Each& each) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    each(text.substr(at, end - at));
    at = end + 1;
  }
}

/// `  %bf.set7 = or i32 %bf.clear6, %bf.shl, !dbg !9`: the result and the first operand, where `operation` is `or`.
struct assignment {
  std::string_view result, operand;
  assignment(std::string_view line, std::string_view operation) {
    const std::size_t equals = line.find(" = ");
    if (!line.starts_with("  %") || equals == std::string_view::npos) return;
    const std::string_view right = line.substr(equals + 3);
    if (!right.starts_with(operation)) return;
    const std::size_t begin = right.find('%');
    if (begin == std::string_view::npos) return;
    result = line.substr(2, equals - 2);
    operand = right.substr(begin, right.find_first_of(", ", begin) - begin);
  }
};

/// `#7`, which ends with a blank.
std::string_view group_at(std::string_view line, std::size_t at) {
  return line.substr(at, std::min(line.find(' ', at), line.size()) - at);
}

/// Without metadata that only the intrinsic may have.
std::string_view behind(std::string_view rest) { return rest.substr(0, rest.find(", !tbaa.struct ")); }

}  // namespace

std::string without_reads_of_bit_fields(std::string_view text) {
  // clang calls the parts of such an assignment bf.load, bf.clear and bf.set; a read has no bf.set. Names are of a function.
  constexpr std::string_view load = "%bf.load", clear = "%bf.clear", set = "%bf.set";
  std::vector<std::string_view> lines;
  std::unordered_map<std::string_view, std::size_t> loads;   // their lines
  std::unordered_map<std::string_view, std::size_t> loaded;  // the same by the result of bf.clear
  std::unordered_set<std::size_t> hidden;
  for_each_line(text, [&](std::string_view line) {
    lines.push_back(line);
    if (line == "}") {
      loads.clear();
      loaded.clear();
    }
    if (line.find("%bf.") == std::string_view::npos) return;
    if (const assignment a(line, "load "); a.result.starts_with(load)) loads[a.result] = lines.size() - 1;
    if (const assignment a(line, "and "); a.result.starts_with(clear) && loads.contains(a.operand))
      loaded[a.result] = loads[a.operand];
    if (const assignment a(line, "or "); a.result.starts_with(set) && loaded.contains(a.operand))
      hidden.insert(loaded[a.operand]);
  });
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (!hidden.contains(i + 1) || lines[i].find(" @__tsan_read") == std::string_view::npos)
      out.append(lines[i]).append(1, '\n');
  return out;
}

std::string name_pieces_of_copies(std::string_view text) {
  std::unordered_set<std::string_view> with_hooks;  // groups of attributes: `attributes #7 = { … sanitize_thread … }`
  for_each_line(text, [&](std::string_view line) {
    constexpr std::string_view group = "attributes ";
    if (line.starts_with(group) && line.find(" sanitize_thread ") != std::string_view::npos)
      with_hooks.insert(line.substr(group.size(), line.find(' ', group.size()) - group.size()));
  });
  bool hooked = false;  // the function that the line is of
  std::string out;
  out.reserve(text.size());
  for_each_line(text, [&](std::string_view line) {
    if (line.starts_with("define ")) {
      const std::size_t group = line.rfind(" #");
      hooked = group != std::string_view::npos && with_hooks.contains(group_at(line, group + 1));
    }
    const std::size_t call = line.find(copy_call);
    if (call == std::string_view::npos || !hooked) {
      out.append(line).append(1, '\n');
      return;
    }
    const std::string_view arguments = line.substr(call + copy_call.size());
    const std::size_t second = arguments.find(", ");
    const unsigned piece = std::min(alignment_of(arguments.substr(0, second)),
                                    alignment_of(arguments.substr(second, arguments.find(", ", second + 1) - second)));
    out.append(line.substr(0, call)).append("call void @").append(copy_hook).append(std::to_string(piece)).append("(");
    out.append(behind(arguments)).append(1, '\n');
  });
  for (unsigned piece = 1; piece <= widest; piece *= 2)
    out += "declare void @" + std::string(copy_hook) + std::to_string(piece) + "(ptr, ptr, i64, i1)\n";
  return out;
}

}  // namespace simtlab::emulator
