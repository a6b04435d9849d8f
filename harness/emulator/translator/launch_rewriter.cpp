// kernel<<<grid, block, bytes, stream>>>(arguments)
//
// becomes  ::simtlab::launch("kernel", [&](auto t) -> decltype(::simtlab::plain(t, kernel)) {..}, [&](auto&... a) {..})
//          ._(grid, block, bytes, stream)._(arguments)
//
// with a third lambda, [&](auto&&... a) -> decltype(kernel(a...)) {}, where the kernel may be a template,
// where everything the user wrote keeps its line and column: a linemarker follows the inserted text.
#include <algorithm>

#include "translator/source_rewriter.h"

namespace simtlab::emulator {
namespace {

constexpr const char* no_hooks = "__attribute__((always_inline)) SIMTLAB_NO_HOOKS";

/// The first token of the expression that names the kernel, which ends at `last`: `ns::kernel<16>`, `kernels[i]`.
std::size_t begin_of_kernel(const token_walk& walk, std::size_t last) {
  std::size_t i = last;
  for (;;) {
    if (walk.is(i, ">")) {
      const std::size_t open = walk.opening_angle(i);
      if (open == token_walk::none || open == 0 || !walk.is_identifier(open - 1)) return token_walk::none;
      i = open - 1;
    } else if (walk.is(i, "]") || walk.is(i, ")")) {
      const std::size_t open = walk.opening(i);
      if (open == token_walk::none) return token_walk::none;
      const bool continues =
          open > 0 && (walk.is_identifier(open - 1) || walk.is(open - 1, "]") || walk.is(open - 1, ")"));
      if (!continues) return walk.is(i, ")") ? open : token_walk::none;
      i = open - 1;
      continue;
    } else if (!walk.is_identifier(i) && !(i > 1 && walk.is_pasting(i - 2))) {
      return token_walk::none;
    }
    // `i` is an identifier: go on before `::`, `.`, `->` and `template`.
    while (i > 2 && walk.is_pasting(i - 2)) i -= 3;  // `name##_kernel`
    if (i > 0 && walk.is(i - 1, "template")) --i;
    if (i > 0 && walk.is(i - 1, "::")) {
      --i;
      if (i == 0 || !(walk.is_identifier(i - 1) || walk.is(i - 1, ">")) || walk.is(i - 1, "return")) return i;
      --i;
    } else if (i > 1 && walk.is(i - 1, ".")) {
      i -= 2;
    } else if (i > 2 && walk.is(i - 1, ">") && walk.is(i - 2, "-") && walk.adjacent(i - 2)) {
      i -= 3;
    } else {
      return i;
    }
  }
}

/// The first of the three `>` that end the configuration; `open` is the index behind `<<<`.
std::size_t closing_chevron(const token_walk& walk, std::size_t open) {
  for (std::size_t i = open; i < walk.size(); ++i) {
    if (walk.is(i, "(") || walk.is(i, "[") || walk.is(i, "{")) {
      i = walk.closing(i);
      if (i == token_walk::none) return token_walk::none;
    } else if (walk.is(i, ";") || walk.is(i, "}") || walk.is(i, ")")) {
      return token_walk::none;
    } else if (walk.is(i, ">")) {
      std::size_t end = i;
      while (walk.is(end, ">")) ++end;
      if (end - i >= 3 && (walk.is(end, "(") || end == walk.size())) return end - 3;
      i = end - 1;
    }
  }
  return token_walk::none;
}

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

/// The text that findings show for a kernel named by the tokens [first, last]. A macro's parameter is shown as what the macro
/// is called with where it is the whole name or pasted into it.
std::string shown_name(const rewrite_context& context, std::size_t first, std::size_t last) {
  const token_walk& walk = context.walk;
  const auto is_parameter = [&](std::size_t i) {
    return context.in_macro && std::ranges::find(context.parameters, walk.text(i)) != context.parameters.end();
  };
  if (first == last && is_parameter(first)) return "#" + std::string(walk.text(first));
  std::string text, plain;
  for (std::size_t i = first; i <= last; ++i) {
    if (walk.is_pasting(i)) {
      ++i;
    } else if (is_parameter(i) && (walk.is_pasting(i + 1) || (i > 1 && walk.is_pasting(i - 2)))) {
      text += quoted(plain) + " #" + std::string(walk.text(i)) + " ";
      plain.clear();
    } else {
      plain += walk.text(i);
      if (i < last && !walk.adjacent(i) && !walk.is_pasting(i + 1)) plain += ' ';
    }
  }
  return text + quoted(plain);
}

/// `replacement` (three characters) for the tokens [first, last], padded to their width.
void replace_padded(const rewrite_context& context, std::size_t first, std::size_t last, std::string replacement,
                    bool keep_newlines) {
  const std::uint32_t begin = context.walk.at(first).begin;
  const std::uint32_t end = context.walk.at(last).end;
  for (std::uint32_t i = begin + 3; i < end; ++i)
    replacement += keep_newlines && context.source.text[i] == '\n' ? '\n' : ' ';
  context.edits.replace(begin, end, std::move(replacement));
}

}  // namespace

bool begins_launch(const token_walk& walk, std::size_t i) {
  return walk.is(i, "<") && walk.is(i + 1, "<") && walk.adjacent(i) && walk.is(i + 2, "<") &&
         !(i > 0 && walk.is(i - 1, "operator"));
}

std::size_t rewrite_launch(const rewrite_context& context, std::size_t chevron, bool may_deduce, bool resync) {
  const token_walk& walk = context.walk;
  const std::size_t first = chevron == 0 ? token_walk::none : begin_of_kernel(walk, chevron - 1);
  if (first == token_walk::none)
    context.refuse(chevron, "a launch `<<<` without the name of a kernel before it",
                   "Write kernel<<<blocks, threads>>>(arguments)");
  const std::string name = context.spelled(first, chevron - 1);
  const std::size_t close = closing_chevron(walk, chevron + 3);
  if (close == token_walk::none)
    context.refuse(chevron, "the launch of '" + name + "' has a `<<<` without its `>>>` and the arguments behind it",
                   "Write " + name + "<<<blocks, threads>>>(arguments)");
  const std::size_t arguments = close + 3;
  const bool closed = arguments < walk.size() ? walk.closing(arguments) != token_walk::none : context.in_macro;
  if (!closed)
    context.refuse(close, "the launch of '" + name + "' has no closed list of arguments in parentheses",
                   "Write " + name + "<<<blocks, threads>>>(arguments), with () when there are none");

  std::string text = "::simtlab::launch(" + shown_name(context, first, chevron - 1) +
                     ", [&](auto simtlab_t) -> decltype(::simtlab::plain(simtlab_t, ";
  if (resync) text += context.back_to(first);
  text +=
      name + ")) { return ::simtlab::plain(simtlab_t, " + name + "); }, [&](auto&... simtlab_a) " + no_hooks + " { ";
  if (resync) text += context.back_to(first);
  text += name + "(simtlab_a...); }";
  if (may_deduce) {
    text += ", [&](auto&&... simtlab_a) -> decltype(";
    if (resync) text += context.back_to(first);
    text += name + "(static_cast<decltype(simtlab_a)>(simtlab_a)...)) {}";
  }
  text += ")";
  if (resync) text += context.back_to(chevron);
  context.edits.replace(walk.at(first).begin, resync ? walk.at(chevron).begin : walk.at(chevron - 1).end,
                        std::move(text));
  replace_padded(context, chevron, chevron + 2, "._(", resync);
  replace_padded(context, close, close + 2, ")._", resync);
  return arguments;
}

namespace {

/// Whether the tokens from `first` on, up to `end`, are `void*`, perhaps of constants.
bool is_void_pointer(const token_walk& walk, std::size_t first, std::size_t end) {
  bool is_void = false;
  while (first < end && (walk.is(first, "const") || walk.is(first, "void"))) is_void |= walk.is(first++, "void");
  return is_void && first + 1 == end && walk.is(first, "*");
}

}  // namespace

void know_cast_kernel(const rewrite_context& context, std::size_t i, bool resync) {
  const token_walk& walk = context.walk;
  std::size_t first = i;
  while (first > 0 && walk.is(first - 1, "::")) first -= first > 1 && walk.is_identifier(first - 2) ? 2 : 1;
  std::size_t before = first;  // behind what stands there
  if (before > 0 && walk.is(before - 1, "&")) --before;
  if (before < 4) return;
  bool is_cast = false;
  if (walk.is(before - 1, ")")) {
    const std::size_t open = walk.opening(before - 1);
    is_cast = open != token_walk::none && is_void_pointer(walk, open + 1, before - 1);
  } else if (walk.is(before - 1, "(") && walk.is(before - 2, ">")) {
    const std::size_t open = walk.opening_angle(before - 2);
    is_cast = open != token_walk::none && open > 0 && walk.is(open - 1, "reinterpret_cast") &&
              is_void_pointer(walk, open + 1, before - 2);
  }
  if (!is_cast) return;
  const std::size_t last = walk.is(i + 1, "<") ? walk.closing_angle(i + 1) : i;
  if (last == token_walk::none) return;
  context.edits.insert(walk.at(first).begin, "::simtlab::known(" + (resync ? context.back_to(first) : ""));
  context.edits.insert(walk.at(last).end, ")");
}

bool is_kernel_as_value(const token_walk& walk, std::size_t i) {
  const auto is_any = [&](std::size_t at, auto... words) { return (walk.is(at, words) || ...); };
  if (i == 0 || !is_any(i - 1, "(", ",", "=", "{", "&", "return", "?", ":")) return false;
  if (!is_any(i + 1, ")", ",", ";", "}", ":")) return false;
  for (std::size_t n = i; n-- > 1 && !is_any(n, ";", "{", "}");) {
    if (walk.is(n, ")")) n = walk.opening(n);
    if (n == token_walk::none) break;
    if (walk.is(n, "(") && walk.closing(n) > i)
      return !walk.text(n - 1).starts_with("cuda");  // which sees the kernel's type
  }
  return true;
}

void know_defined_kernel(const rewrite_context& context, std::string_view kernel, std::size_t brace) {
  const std::string name(kernel);
  const std::string plain = "::simtlab::plain(simtlab_t, " + name + ")";
  std::string text = " [[maybe_unused]] static const bool simtlab_knows_" + name + "_" + std::to_string(brace) +
                     " = ::simtlab::know([](auto simtlab_t) -> decltype(" + plain + ") { return " + plain + "; });";
  const std::size_t next = brace + 1;
  const std::uint32_t end = context.walk.at(brace).end;
  const bool more_on_line = next < context.walk.size() && !context.walk.at(next).first_on_line;
  if (more_on_line) text += context.back_to(next);
  context.edits.replace(end, more_on_line ? context.walk.at(next).begin : end, std::move(text));
}

void uncast_launched_kernel(const rewrite_context& context, std::size_t i) {
  const token_walk& walk = context.walk;
  if (!walk.is(i + 1, "(")) return;
  std::size_t first = i + 2;
  if (walk.is(i, "cudaLaunchKernelExC")) {  // behind the configuration
    for (const std::size_t close = walk.closing(i + 1); first < walk.size() && !walk.is(first, ","); ++first) {
      if (first == close) return;
      const bool opens = walk.is(first, "(") || walk.is(first, "[") || walk.is(first, "{");
      if (opens && walk.closing(first) == token_walk::none) return;
      if (opens) first = walk.closing(first);
    }
    ++first;
  }
  const bool is_named = walk.is(first, "reinterpret_cast");
  const std::size_t open = is_named ? first + 1 : first;
  if (!walk.is(open, is_named ? "<" : "(")) return;
  std::size_t last = open + 1;
  while (walk.is(last, "const") || walk.is(last, "void")) ++last;
  const bool is_void = walk.is(last - 1, "void") || walk.is(last - 2, "void");
  if (!is_void || !walk.is(last, "*") || !walk.is(last + 1, is_named ? ">" : ")")) return;
  for (std::size_t n = first; n <= last + 1; ++n)
    context.edits.blank(context.source.text, walk.at(n).begin, walk.at(n).end);
}

}  // namespace simtlab::emulator
