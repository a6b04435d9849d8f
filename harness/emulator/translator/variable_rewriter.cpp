// Qualifiers of variables. `__device__` says the same of functions and variables, but only a variable belongs into a
// section of its own; `extern __shared__ T s[]` declares what no C++ declaration can.
#include <algorithm>
#include <array>
#include <initializer_list>
#include <string>
#include <string_view>

#include "translator/source_rewriter.h"

namespace simtlab::emulator {
namespace {

/// Declarations are short; a longer one is not looked through, so that hostile input costs little.
constexpr std::size_t longest_declaration = 512;

std::string joined(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const std::string_view part : parts) text += part;
  return text;
}

/// What a declaration says up to its first declarator's end.
struct declaration {
  bool is_variable = false;
  bool is_extern = false, is_constexpr = false, has_pointer = false, has_array = false, has_initialiser = false;
  std::vector<std::size_t> const_words;
  std::size_t extern_word = token_walk::none, static_word = token_walk::none;
  bool is_constant = false, is_managed = false, is_shared = false;
};

bool is_class_key(const token_walk& walk, std::size_t i) {
  return walk.is(i, "struct") || walk.is(i, "union") || walk.is(i, "class");
}

/// `*rows(int k)` of `float (*rows(int k))[8]`, a function that returns a pointer to an array.
bool is_function_behind(const token_walk& walk, std::size_t i) {
  while (walk.is(i, "*") || walk.is(i, "&") || walk.is(i, "const") || walk.is(i, "__restrict__")) ++i;
  while (walk.is_identifier(i) && walk.is(i + 1, "::")) i += 2;
  return walk.is_identifier(i) && walk.is(i + 1, "(");
}

declaration read_declaration(const token_walk& walk, std::size_t statement, std::size_t qualifier) {
  declaration d;
  std::size_t angle_end = 0;
  const std::size_t limit = std::min(walk.size(), statement + longest_declaration);
  for (std::size_t i = statement; i < limit; ++i) {
    if (const std::size_t behind = walk.after_attribute(i); behind != i) {
      i = behind - 1;
      continue;
    }
    if (i < angle_end) continue;
    if (walk.is(i, "<") && i > 0 && walk.is_identifier(i - 1)) {
      const std::size_t close = walk.closing_angle(i);
      if (close != token_walk::none) angle_end = close + 1;
    } else if (walk.is(i, "extern")) {
      d.is_extern = true;
      d.extern_word = i;
    } else if (walk.is(i, "static")) {
      d.static_word = i;
    } else if (walk.is(i, "constexpr")) {
      d.is_constexpr = true;
    } else if (walk.is(i, "const")) {
      d.const_words.push_back(i);
    } else if (walk.is(i, "__constant__")) {
      d.is_constant = true;
    } else if (walk.is(i, "__managed__")) {
      d.is_managed = true;
    } else if (walk.is(i, "__shared__")) {
      d.is_shared = true;
    } else if (walk.is(i, "*") || walk.is(i, "&")) {
      d.has_pointer = true;
    } else if (walk.is(i, "operator")) {
      return d;
    } else if (walk.is(i, "alignas") && walk.is(i + 1, "(")) {
      i = walk.closing(i + 1);
      if (i == token_walk::none) return d;
    } else if (is_class_key(walk, i)) {
      const std::size_t open = walk.is(i + 1, "{") ? i + 1 : i + 2;
      if (walk.is(open, "{")) i = walk.closing(open);
      if (i == token_walk::none) return d;
    } else if (i > qualifier) {
      if (walk.is(i, "(")) {
        // A pointer to a function is a variable; anything else in parentheses are parameters.
        d.is_variable = walk.is(i + 1, "*") && !is_function_behind(walk, i + 1);
        if (d.is_variable && walk.is(i + 2, "const")) d.const_words.push_back(i + 2);
        d.has_pointer = true;
        d.has_initialiser = true;
        return d;
      }
      if (walk.is(i, "[")) d.has_array = true;
      if (walk.is(i, "=") || walk.is(i, "{")) d.has_initialiser = true;
      if (walk.is(i, "[")) {
        i = walk.closing(i);
        if (i == token_walk::none) return d;
        d.is_variable = true;
      } else if (d.has_initialiser || walk.is(i, ";") || walk.is(i, ",")) {
        d.is_variable = !(walk.is(i, "{") && walk.is(i - 1, "__device__"));
        return d;
      }
    }
  }
  return d;
}

void blank_token(const rewrite_context& context, std::size_t i) {
  const token& t = context.walk.at(i);
  context.edits.blank(context.source.text, t.begin, t.end);
}

/// One name of `extern __shared__ T a[], b[][4];`: the index of the identifier and the end of its brackets.
struct dynamic_array {
  std::size_t name = token_walk::none;
  std::size_t last = token_walk::none;
};

std::vector<dynamic_array> dynamic_arrays(const token_walk& walk, std::size_t statement, std::size_t end) {
  std::vector<dynamic_array> found;
  for (std::size_t i = statement; i < end; ++i) {
    if (const std::size_t behind = walk.after_attribute(i); behind != i) {
      i = behind - 1;
      continue;
    }
    if (!walk.is_identifier(i)) continue;
    std::size_t last = i;
    while (walk.is(last + 1, "[") && last + 1 < end) {
      const std::size_t close = walk.closing(last + 1);
      if (close == token_walk::none || close >= end) break;
      last = close;
    }
    const bool ends = last + 1 == end || walk.is(last + 1, ",") || walk.is(last + 1, "__attribute__");
    if (ends && (last != i || (i > statement && !walk.is(i, "__shared__")))) found.push_back({i, last});
    i = last;
  }
  return found;
}

/// Behind the statement that ends at token `end` its line goes on at its own columns.
void resume_line(const rewrite_context& context, std::size_t end) {
  const token_walk& walk = context.walk;
  const bool more = end + 1 < walk.size() && !walk.at(end).last_on_line && !context.in_macro;
  if (more && !walk.at(end + 1).first_on_line)
    context.edits.replace(walk.at(end).end, walk.at(end + 1).begin, context.back_to(end + 1));
}

bool is_built_in(std::string_view type) {
  constexpr std::array<std::string_view, 10> names{"float", "double", "int",  "unsigned", "signed",
                                                   "char",  "short",  "long", "bool",     "volatile"};
  return std::find(names.begin(), names.end(), type) != names.end();
}

/// `__shared__ half tile[16];`: g++ would run an initialiser for a class that has any constructor, be it trivial. An empty
/// one says that there is nothing to run; where there is, the assembly shows it, and the variable is refused.
void initialise_with_nothing(const rewrite_context& context, std::size_t qualifier) {
  const token_walk& walk = context.walk;
  const std::size_t end = walk.end_of_statement(qualifier);
  const bool is_aligned = walk.is(qualifier + 1, "alignas") && walk.is(qualifier + 2, "(");
  const std::size_t type = is_aligned ? walk.closing(qualifier + 2) : qualifier;
  if (end == token_walk::none || type == token_walk::none || is_built_in(walk.text(type + 1))) return;
  for (std::size_t i = qualifier + 1; i <= end; ++i) {
    if (walk.is(i, "(") || walk.is(i, "[") || walk.is(i, "{")) {
      i = walk.closing(i);
      if (i == token_walk::none) return;
    } else if (walk.is(i, "<")) {
      const std::size_t close = walk.closing_angle(i);
      if (close != token_walk::none) i = close;
    } else if (walk.is(i, ",") || i == end) {
      context.edits.insert(walk.at(i - 1).end, "{}");
    }
  }
  resume_line(context, end);
}

/// `__shared__ alignas(16) float t[4];`: g++ wants `alignas` in front of all that `__shared__` stands for.
void move_behind_alignments(const rewrite_context& context, std::size_t qualifier) {
  const token_walk& walk = context.walk;
  std::size_t last = qualifier;
  while (walk.is(last + 1, "alignas") && walk.is(last + 2, "(") && walk.closing(last + 2) != token_walk::none)
    last = walk.closing(last + 2);
  if (last == qualifier || last + 1 >= walk.size()) return;
  blank_token(context, qualifier);
  const token& next = walk.at(last + 1);
  const bool is_apart = context.in_macro || walk.at(last).last_on_line || next.first_on_line;
  if (is_apart)
    context.edits.insert(walk.at(last).end, " __shared__ ");
  else
    context.edits.replace(walk.at(last).end, next.begin, " __shared__" + context.back_to(last + 1));
}

void rewrite_dynamic_shared(const rewrite_context& context, std::size_t i, const declaration& d,
                            const declaration_place& place, std::vector<std::string>& namespace_names) {
  const token_walk& walk = context.walk;
  const std::size_t end = walk.end_of_statement(i);
  const auto arrays = end == token_walk::none ? std::vector<dynamic_array>()
                                              : dynamic_arrays(walk, std::max(i, d.extern_word) + 1, end);
  if (arrays.empty())
    context.refuse(i, "an `extern __shared__` declaration that names no array",
                   "Write extern __shared__ float name[]; and give its size as the launch's third configuration value");
  blank_token(context, i);
  if (!place.at_namespace) {
    blank_token(context, d.extern_word);
    for (const dynamic_array& a : arrays) {
      const std::string name(walk.text(a.name));
      const std::string brackets = a.last == a.name ? "" : context.spelled(a.name + 1, a.last);
      context.edits.replace(walk.at(a.name).begin, walk.at(a.last).end,
                            joined({"(&", name, ")", brackets, " = ::simtlab::dynamic_shared{\"", name, "\"}"}));
    }
  } else {
    std::string objects;
    for (const dynamic_array& a : arrays) {
      const std::string name(walk.text(a.name));
      context.edits.replace(walk.at(a.name).begin, walk.at(a.name).end, "simtlab_type_of_" + name);
      if (std::find(namespace_names.begin(), namespace_names.end(), name) != namespace_names.end()) continue;
      namespace_names.push_back(name);
      objects += joined({" static constexpr char simtlab_name_of_", name, "[] = \"", name,
                         "\"; static constexpr ::simtlab::dynamic_shared_object<decltype(simtlab_type_of_", name,
                         "), simtlab_name_of_", name, "> ", name, "{};"});
    }
    context.edits.insert(walk.at(end).end, objects);
  }
  resume_line(context, end);
}

}  // namespace

void rewrite_device_variable(const rewrite_context& context, std::size_t i, const declaration_place& place) {
  const token_walk& walk = context.walk;
  if (i > 0 && walk.is(i - 1, "]")) return;  // the qualifier of a lambda
  const declaration d = read_declaration(walk, place.statement, i);
  const bool constant = walk.is(i, "__constant__");
  if (!constant && (!d.is_variable || d.is_constant || d.is_managed || d.is_shared)) return;
  const bool folded = d.is_constexpr || (!d.const_words.empty() && !d.has_pointer && !d.has_array && d.has_initialiser);
  if (folded) return blank_token(context, i);  // a compile-time constant, for host and device alike
  // The arrays of a section are all writable or all not, and reads of what is const would go unseen.
  for (const std::size_t word : d.const_words) {
    const bool of_variable = word > 0 && walk.is(word - 1, "*") && walk.is_identifier(word + 1);  // `int* const p`
    if (!d.has_pointer || of_variable) blank_token(context, word);
  }
  const token& t = walk.at(i);
  if (d.is_extern && !d.has_initialiser) return blank_token(context, i);
  const bool may_be_instance = !place.at_namespace || walk.is(place.statement, "template");
  context.edits.replace(t.begin, t.end, constant ? "__constvar__" : may_be_instance ? "__devinst__" : "__devvar__");
}

void rewrite_static_local(const rewrite_context& context, std::size_t i, const declaration_place& place) {
  const token_walk& walk = context.walk;
  const declaration d = read_declaration(walk, place.statement, i);
  const bool is_placed = d.is_constant || d.is_managed || d.is_shared || walk.is(i + 1, "__device__") ||
                         (i > 0 && walk.is(i - 1, "__device__"));
  if (!d.is_variable || is_placed || d.is_constexpr || !d.const_words.empty())
    return;  // what is const, any code may read
  context.edits.insert(walk.at(i).begin, "__devinst__ ");
}

void rewrite_shared_variable(const rewrite_context& context, std::size_t i, const declaration_place& place,
                             std::vector<std::string>& namespace_names) {
  const declaration d = read_declaration(context.walk, place.statement, i);
  if (d.is_extern) return rewrite_dynamic_shared(context, i, d, place, namespace_names);
  if (d.static_word != token_walk::none) blank_token(context, d.static_word);
  if (d.is_variable && d.has_initialiser)
    context.refuse(
        i, "a `__shared__` variable with an initialiser",
        "Every block has its own copy, so no initialiser can run: declare it, let one thread store the value, "
        "then call __syncthreads()");
  move_behind_alignments(context, i);
  if (d.is_variable) initialise_with_nothing(context, i);
}

}  // namespace simtlab::emulator
