#include "spaces/source_outline.h"

#include <algorithm>
#include <array>

namespace simtlab::emulator {
namespace {

constexpr std::size_t none = token_walk::none;
/// Heads are short; a longer one is not looked through.
constexpr std::size_t longest_head = 256;

}  // namespace

source_outline::source_outline(const lexed_source& source) : source_(source), walk_(source, source.code) {
  for (const token_list& macro : source.macros) note_macro(macro);
  for (std::size_t i = 0; i < walk_.size(); ++i) {
    by_file_[source_.files[walk_.at(i).file]].push_back(i);
    if (walk_.is(i, "constexpr") || says(i, "__device__")) note_function(i);
  }
}

/// `#define ON_BOTH __host__ __device__`: the name says what its replacement says.
void source_outline::note_macro(const token_list& macro) {
  const token_walk walk(source_, macro);
  if (walk.size() > 0 && (walk.is(walk.size() - 1, "}") || walk.is(walk.size() - 1, ";")))
    whole_declarations_.insert(macro.name);
  for (std::size_t i = 0; i < walk.size(); ++i) {
    const std::string_view word = walk.text(i);
    if (!word.starts_with("__") || !word.ends_with("__")) continue;
    std::string_view line = source_.text.substr(0, walk.at(0).begin);
    line.remove_prefix(std::min(line.rfind("define") + 6, line.size()));
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin != std::string_view::npos)
      qualifier_macros_[line.substr(begin, line.find_first_of(" \t(", begin) - begin)].push_back(word);
  }
}

bool source_outline::says(std::size_t i, std::string_view qualifier) const {
  if (walk_.is(i, qualifier)) return true;
  const auto macro = walk_.is_identifier(i) ? qualifier_macros_.find(walk_.text(i)) : qualifier_macros_.end();
  return macro != qualifier_macros_.end() &&
         std::find(macro->second.begin(), macro->second.end(), qualifier) != macro->second.end();
}

/// `constexpr` or `__device__` at token `i`: a function's, or a variable's, which is not noted.
void source_outline::note_function(std::size_t i) {
  const auto ends = [this](std::size_t t) {
    return walk_.is(t, "(") || walk_.is(t, ";") || walk_.is(t, "=") || walk_.is(t, "{");
  };
  std::size_t open = i;
  while (open < walk_.size() && open < i + longest_head && !ends(open)) ++open;
  const std::size_t name = open - 1;
  if (!walk_.is(open, "(") || !walk_.is_identifier(name) || walk_.is(name, "constexpr") || says(name, "__device__"))
    return;
  bool device = false;
  for (std::size_t q = begin_of_declaration(i); q < name; ++q) device = device || says(q, "__device__");
  (device ? device_functions_ : host_constexpr_).insert(walk_.text(name));
}

std::size_t source_outline::begin_of_declaration(std::size_t i) const {
  const std::size_t limit = i > longest_head ? i - longest_head : 0;
  std::size_t first = i;
  while (first > limit) {
    const std::size_t before = first - 1;
    if (walk_.is(before, ";") || walk_.is(before, "{") || walk_.is(before, "}")) break;
    const std::size_t open = walk_.is(before, ")") ? walk_.opening(before) : first;
    if (whole_declarations_.contains(walk_.text(open < first && open > 0 ? open - 1 : before))) break;
    if (walk_.is(before, ":") && before > 0 &&
        (walk_.is(before - 1, "public") || walk_.is(before - 1, "private") || walk_.is(before - 1, "protected")))
      break;
    first = before;
  }
  while (walk_.is(first, "template") && walk_.is(first + 1, "<")) {
    const std::size_t close = walk_.closing_angle(first + 1);
    if (close == none || close >= i) break;
    first = close + 1;
  }
  return first;
}

bool source_outline::names_function(std::size_t i, std::string_view name) const {
  if (!name.starts_with("operator")) {
    const bool destructor = name.starts_with('~');
    if (!walk_.is(i, destructor ? name.substr(1) : name)) return false;
    std::size_t open = i + 1;
    if (walk_.is(open, "<") && walk_.closing_angle(open) != none) open = walk_.closing_angle(open) + 1;  // f<float>(
    if (!walk_.is(open, "(")) return false;
    return destructor == (i > 0 && walk_.is(i - 1, "~"));
  }
  return walk_.is(i, "operator");
}

function_head source_outline::head_at(std::size_t name) const {
  std::size_t open = name;
  while (open < walk_.size() && open < name + longest_head && !walk_.is(open, "(")) ++open;
  if (walk_.is(name, "operator") && walk_.is(name + 1, "(")) open = name + 3;
  if (!walk_.is(open, "(") || walk_.closing(open) == none) return {};
  const std::size_t first = begin_of_declaration(name), last = walk_.closing(open);
  if (last - first > longest_head) return {};
  function_head head{{source_.files[walk_.at(name).file], walk_.at(name).line, walk_.at(name).column + 1}, {}};
  for (std::size_t i = first; i <= last; ++i) {
    head.text += walk_.text(i);
    if (i < last && !walk_.adjacent(i)) head.text += ' ';
  }
  return head;
}

std::size_t source_outline::head_token(std::string_view name, const source_place& body) const {
  const auto file = by_file_.find(body.file);
  if (file == by_file_.end()) return none;
  const auto& tokens = file->second;
  auto at = std::partition_point(tokens.begin(), tokens.end(), [&](std::size_t i) {
    const token& t = walk_.at(i);
    return t.line < body.line || (t.line == body.line && t.column < body.column);
  });
  while (at != tokens.begin())
    if (names_function(*--at, name)) return *at;
  return none;
}

function_head source_outline::head_before(std::string_view name, const source_place& body) const {
  const std::size_t token = head_token(name, body);
  return token == none ? function_head() : head_at(token);
}

/// A call by the plain name of a function that is declared `constexpr`, and nowhere `__device__`, or of numeric_limits.
bool source_outline::is_host_constexpr(std::size_t call) const {
  if (!walk_.is(call + 1, "(") || call == 0) return false;
  const bool scoped = walk_.is(call - 1, "::");
  if (scoped && call > 1 && walk_.is(call - 2, ">")) {
    const std::size_t open = walk_.opening_angle(call - 2);
    if (open == none || open == 0 || !walk_.is(open - 1, "numeric_limits")) return false;
    // Of `cuda::std`, or of another name for it, all of it is there for the device.
    if (open < 3 || !walk_.is(open - 2, "::")) return true;
    return walk_.is(open - 3, "std") && !(open > 4 && walk_.is(open - 4, "::") && walk_.is(open - 5, "cuda"));
  }
  const bool member = walk_.is(call - 1, ".") || (walk_.is(call - 1, ">") && call > 1 && walk_.is(call - 2, "-"));
  if (scoped || member || walk_.is_identifier(call - 1)) return walk_.is(call - 1, "return") && host_only(call);
  return host_only(call);
}

bool source_outline::host_only(std::size_t name) const {
  constexpr std::array<std::string_view, 5> folded{"memmove", "memcmp", "strlen", "strcmp", "strcpy"};
  const std::string_view word = walk_.text(name);
  if (device_functions_.contains(word)) return false;
  return host_constexpr_.contains(word) || std::find(folded.begin(), folded.end(), word) != folded.end();
}

std::vector<function_head> source_outline::constexpr_calls(std::string_view name, const source_place& body) const {
  std::vector<function_head> found;
  const std::size_t head = head_token(name, body);
  if (head == none || !walk_.is(head + 1, "(") || walk_.closing(head + 1) == none) return found;
  std::size_t open = walk_.closing(head + 1);
  while (open < walk_.size() && !walk_.is(open, "{") && !walk_.is(open, ";")) ++open;
  if (!walk_.is(open, "{") || walk_.closing(open) == none) return found;
  for (std::size_t i = open; i < walk_.closing(open); ++i) {
    const bool unevaluated = walk_.is(i, "sizeof") || walk_.is(i, "decltype") || walk_.is(i, "noexcept");
    if (unevaluated && walk_.is(i + 1, "(") && walk_.closing(i + 1) != none) i = walk_.closing(i + 1);
    if (!walk_.is_identifier(i) || !is_host_constexpr(i)) continue;
    const token& t = walk_.at(i);
    found.push_back({{source_.files[t.file], t.line, t.column + 1}, std::string(walk_.text(i))});
  }
  return found;
}

function_head source_outline::first_head(std::string_view name) const {
  for (std::size_t i = 0; i < walk_.size(); ++i)
    if (names_function(i, name) && is_declaration(i)) return head_at(i);
  return {};
}

bool source_outline::defines(std::string_view name) const {
  for (std::size_t i = 0; i < walk_.size(); ++i) {
    if (!names_function(i, name)) continue;
    std::size_t end = i;
    while (!walk_.is(end, "(") && end < walk_.size()) ++end;
    end = walk_.closing(end);
    const std::size_t limit = end == none ? none : end + longest_head;
    while (end < walk_.size() && end < limit && !walk_.is(end, ";") && !walk_.is(end, "{") && !walk_.is(end, ":"))
      ++end;
    if (end == none || !walk_.is(end, ";")) return true;
  }
  return false;
}

/// `float f(` or `T* f(`, not `f(`, `x = f(` or `return f(`.
bool source_outline::is_declaration(std::size_t name) const {
  if (name == 0 || walk_.is(name - 1, "return")) return false;
  const bool behind_type =
      walk_.is_identifier(name - 1) || walk_.is(name - 1, "*") || walk_.is(name - 1, "&") || walk_.is(name - 1, ">");
  return behind_type && begin_of_declaration(name) < name;
}

execution_space source_outline::declared_space(std::string_view name) const {
  bool host = false, device = false;
  for (std::size_t i = 0; i < walk_.size(); ++i) {
    if (!names_function(i, name) || !is_declaration(i)) continue;
    for (std::size_t q = begin_of_declaration(i); q < i; ++q) {
      if (says(q, "__global__")) return execution_space::kernel;
      host = host || says(q, "__host__");
      device = device || says(q, "__device__");
    }
  }
  if (!device) return execution_space::host;
  return host ? execution_space::host_device : execution_space::device;
}

bool source_outline::is_implicit(const source_place& begin) const {
  const auto file = by_file_.find(begin.file);
  if (file == by_file_.end()) return false;
  const auto& tokens = file->second;
  const auto found = std::partition_point(tokens.begin(), tokens.end(), [&](std::size_t i) {
    const token& t = walk_.at(i);
    return t.line < begin.line || (t.line == begin.line && t.column + 1 < begin.column);
  });
  if (found == tokens.end()) return false;
  const std::size_t i = *found;
  for (std::size_t back = i; back > 0 && i - back < 8; --back) {
    if (walk_.is(back - 1, "struct") || walk_.is(back - 1, "class") || walk_.is(back - 1, "union")) return true;
    if (walk_.is(back - 1, ";") || walk_.is(back - 1, "{") || walk_.is(back - 1, "}")) break;
  }
  if (walk_.is(i, "using") || (i > 0 && walk_.is(i - 1, "using"))) return true;  // inherited constructors
  std::size_t open = i;
  while (open < walk_.size() && open < i + 8 && !walk_.is(open, "(")) ++open;
  if (!walk_.is(open, "(") || walk_.closing(open) == none) return false;
  for (std::size_t n = walk_.closing(open); n + 1 < walk_.size() && !walk_.is(n, "{") && !walk_.is(n, ";"); ++n)
    if (walk_.is(n, "=") && walk_.is(n + 1, "default")) return i == 0 || !walk_.is(i - 1, "::");
  return false;
}

bool source_outline::is_specialisation(std::string_view name, const source_place& body) const {
  const std::size_t head = head_token(name, body);
  if (head == none) return false;
  const std::size_t first = begin_of_declaration(head);
  return first > 2 && walk_.is(first - 1, ">") && walk_.is(first - 2, "<") && walk_.is(first - 3, "template");
}

std::vector<kernel_fault> source_outline::kernel_faults() const {
  std::vector<kernel_fault> found;
  std::vector<bool> in_class;  // of each open brace
  for (std::size_t i = 0; i < walk_.size(); ++i) {
    if (walk_.is(i, "{")) {
      const std::size_t first = begin_of_declaration(i);
      bool type = false;
      for (std::size_t q = first; q < i; ++q) {
        type = type || walk_.is(q, "struct") || walk_.is(q, "class") || walk_.is(q, "union");
        if (walk_.is(q, "(") || walk_.is(q, "=")) {
          type = false;
          break;
        }
      }
      in_class.push_back(type);
    } else if (walk_.is(i, "}")) {
      if (!in_class.empty()) in_class.pop_back();
    } else if (walk_.is(i, "__global__")) {
      const token& t = walk_.at(i);
      const source_place place{source_.files[t.file], t.line, t.column + 1};
      std::size_t open = i;
      bool mixed = false, deduced = false, ellipsis = false, is_friend = false;
      for (std::size_t q = begin_of_declaration(i); q < walk_.size() && !walk_.is(q, ";") && !walk_.is(q, "{"); ++q) {
        if (q > i && walk_.is(q, "(") && walk_.is_identifier(q - 1) && !walk_.is(q - 1, "__launch_bounds__")) {
          open = q;
          break;
        }
        mixed = mixed || says(q, "__device__") || says(q, "__host__");
        deduced = deduced || walk_.is(q, "auto");
        is_friend = is_friend || walk_.is(q, "friend");
      }
      bool is_defined = false;
      if (open > i && walk_.closing(open) != none) {
        const std::size_t close = walk_.closing(open);
        ellipsis = close > open + 4 && walk_.is(close - 1, ".") && walk_.is(close - 4, ",");
        is_defined = walk_.is(close + 1, "{");
        ellipsis = ellipsis || (walk_.is(close - 1, "...") && walk_.is(close - 2, ","));
        deduced = deduced && !(walk_.is(close + 1, "-") && walk_.is(close + 2, ">"));  // auto k() -> void
      }
      if (mixed)
        found.push_back({place, "a kernel is `__global__` alone: remove `__host__` and `__device__` beside it"});
      if (deduced) found.push_back({place, "a kernel's return type is written out: `__global__ void`, not `auto`"});
      if (ellipsis) found.push_back({place, "a kernel takes no `...`: name each parameter"});
      if (is_friend && is_defined)
        found.push_back(
            {place, "a kernel cannot be defined where it is declared a friend: define it outside of the class"});
      if (!is_friend && !in_class.empty() && in_class.back())
        found.push_back(
            {place, "a kernel cannot be a member of a class: write it outside, and let it call a `__device__` member"});
    }
  }
  return found;
}

std::vector<source_place> source_outline::annotated_lambdas() const {
  std::vector<source_place> found;
  for (std::size_t i = 1; i < walk_.size(); ++i) {
    const bool behind_capture = walk_.is(i - 1, "]") && (i < 2 || !walk_.is(i - 2, "]"));  // no [[attribute]]
    if (!behind_capture || !(says(i, "__device__") || says(i, "__host__"))) continue;
    const token& t = walk_.at(i);
    found.push_back({source_.files[t.file], t.line, t.column + 1});
  }
  return found;
}

std::vector<source_place> source_outline::thread_locals() const {
  std::vector<source_place> found;
  std::vector<bool> device;  // of each open brace: whether it or one around it is device code
  for (std::size_t i = 0; i < walk_.size(); ++i) {
    if (walk_.is(i, "{")) {
      bool said = !device.empty() && device.back();
      for (std::size_t q = begin_of_declaration(i); q < i && !said; ++q)
        said = says(q, "__global__") || says(q, "__device__");
      device.push_back(said);
    } else if (walk_.is(i, "}")) {
      if (!device.empty()) device.pop_back();
    } else if (walk_.is(i, "thread_local") && !device.empty() && device.back()) {
      found.push_back({source_.files[walk_.at(i).file], walk_.at(i).line, walk_.at(i).column + 1});
    }
  }
  return found;
}

bool source_outline::is_device_variable(std::string_view name) const {
  for (std::size_t i = 0; i < walk_.size(); ++i) {
    if (!walk_.is(i, name) || walk_.is(i + 1, "(")) continue;
    bool device = false;
    for (std::size_t q = begin_of_declaration(i); q < i; ++q) {
      device =
          device || says(q, "__device__") || says(q, "__constant__") || says(q, "__managed__") || says(q, "__shared__");
    }
    if (device) return true;
  }
  return false;
}

std::string_view plain_name(std::string_view name) {
  if (const std::size_t op = name.rfind("operator"); op != std::string_view::npos && (op == 0 || name[op - 1] == ':'))
    return name.substr(op, name.find('(', name.substr(op).starts_with("operator()") ? op + 10 : op) - op);
  int depth = 0;
  std::size_t begin = 0, end = name.size();
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '<' || name[i] == '(') {
      if (depth++ == 0) end = i;
    } else if (name[i] == '>' || name[i] == ')') {
      --depth;
    } else if (name[i] == ':' && depth == 0) {
      begin = i + 1;
      end = name.size();
    }
  }
  name = name.substr(begin, end - begin);
  while (name.ends_with(' ')) name.remove_suffix(1);
  return name;
}

}  // namespace simtlab::emulator
