#include "translator/source_translator.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "translator/goto_list.h"
#include "translator/local_arrays.h"
#include "translator/restrictions.h"
#include "translator/source_rewriter.h"
#include "translator/spelled_out_macros.h"
#include "translator/unsupported_headers.h"

namespace simtlab::emulator {

std::string rewrite_context::back_to(std::size_t i) const {
  const token& t = walk.at(i);
  constexpr std::uint32_t widest = 500;  // on longer lines the columns are given up: each would cost its own length
  if (t.column > widest) return " ";
  std::string name;
  for (const char c : source.files[t.file]) {
    if (c == '"' || c == '\\') name += '\\';
    name += c;
  }
  return "\n# " + std::to_string(t.line) + " \"" + name + "\"\n" + std::string(t.column, ' ');
}

std::string rewrite_context::spelled(std::size_t first, std::size_t last) const {
  std::string result;
  for (std::size_t i = first; i <= last; ++i) {
    result += walk.text(i);
    if (i < last && !walk.adjacent(i)) result += ' ';
  }
  return result;
}

namespace {

/// Walks through one token list, knows in which function it is, and applies the rules.
class translation {
 public:
  translation(const lexed_source& source, const token_list& list, edit_list& edits, bool in_macro, source_rules rules,
              loop_passes passes, shift_amounts shifts)
      : source_(source),
        walk_(source, list),
        context_{source, walk_, edits, in_macro, list.parameters},
        rules_(rules),
        passes_(passes),
        shifts_(shifts) {
    for (std::size_t i = 0; i < walk_.size(); ++i)
      if (walk_.is(i, "__global__")) note_kernel(i);
    for (std::size_t i = 0; i < walk_.size(); ++i)
      if (walk_.is_identifier(i) && kernels_.contains(walk_.text(i)) && is_kernel_as_value(walk_, i))
        values_.insert(walk_.text(i));
    scopes_.push_back(
        {.kind = in_macro ? scope_kind::host : scope_kind::outside, .function_end = in_macro ? walk_.size() : 0});
  }

  void run() {
    for (std::size_t i = 0; i < walk_.size(); ++i) visit(i);
  }

 private:
  enum class scope_kind : std::uint8_t { outside, type, host, device };
  struct scope {
    scope_kind kind = scope_kind::outside;
    std::size_t statement = 0;  ///< first token of the statement being read
    std::size_t parentheses = 0;
    bool closed = true;               ///< its brace has a partner
    bool is_block = false;            ///< of statements: no class, no initialiser
    bool for_device = false;          ///< in a function that a kernel is or may call, by its qualifiers
    bool holds_ptx = false;           ///< there, or in a lambda of a host function that has such a qualifier
    std::size_t function_end = 0;     ///< the `}` of the function around it
    std::string_view known_kernel{};  ///< whose body it is, if the emulator is to be told of it
  };

  [[nodiscard]] scope& here() { return scopes_.back(); }

  void visit(std::size_t i) {
    const token& t = walk_.at(i);
    if (t.kind == token_kind::identifier)
      visit_word(i);
    else if (t.kind == token_kind::punctuator)
      visit_punctuator(i);
  }

  void visit_word(std::size_t i) {
    const std::string_view word = walk_.text(i);
    const declaration_place place{here().statement, here().kind == scope_kind::outside};
    const bool in_parameters = here().parentheses > 0;
    if (word == "__noinline__" && !(i > 0 && walk_.is(i - 1, "("))) {
      context_.edits.replace(walk_.at(i).begin, walk_.at(i).end, "__no_inlin__");
    } else if (context_.in_macro && (word == "__device__" || word == "__constant__")) {
      // The macro may qualify a function; what it qualifies is not known here.
      if (word == "__constant__") context_.edits.replace(walk_.at(i).begin, walk_.at(i).end, "__constvar__");
    } else if ((word == "__device__" || word == "__constant__") && !in_parameters) {
      rewrite_device_variable(context_, i, place);
    } else if (word == "__shared__" && !in_parameters) {
      rewrite_shared_variable(context_, i, place, namespace_names_);
    } else if (word == "static" && here().kind == scope_kind::device && !in_parameters) {
      rewrite_static_local(context_, i, place);
    } else if (walk_.is_asm(i) && may_be_ptx()) {
      const asm_texts texts = context_.in_macro ? asm_texts::ptx_or_host : asm_texts::ptx;
      if (!rewrite_asm(context_, i, texts, !context_.in_macro && !is_in_macro_arguments())) restrict(i);
    } else if (word == "while" || word == "for") {
      if (passes_ == loop_passes::joined) join_passes(context_, i, !context_.in_macro && !is_in_macro_arguments());
    } else {
      if (word == "cudaLaunchKernel" || word == "cudaLaunchKernelExC" || word == "cudaLaunchCooperativeKernel")
        uncast_launched_kernel(context_, i);
      if (kernels_.contains(word)) know_cast_kernel(context_, i, !context_.in_macro && !is_in_macro_arguments());
      if (here().kind == scope_kind::device && std::ranges::find(namespace_names_, word) != namespace_names_.end())
        point_at_dynamic_shared(context_, i, is_sole(word));
      restrict(i);
    }
  }

  /// Whether an `asm` here is a GPU's: in a function that kernels are or call, or in a macro, which such a function may use.
  [[nodiscard]] bool may_be_ptx() { return context_.in_macro || here().kind == scope_kind::device || here().holds_ptx; }

  void note_kernel(std::size_t qualifier) {
    const std::size_t name = name_of_kernel(qualifier);
    if (name == token_walk::none) return;
    kernels_.insert(walk_.text(name));
    for (std::size_t i = qualifier; i-- > 0 && !walk_.is(i, ";") && !walk_.is(i, "}") && !walk_.is(i, "{");)
      if (walk_.is(i, "template")) templates_.insert(walk_.text(name));
  }

  /// The name of the function that `qualifier` declares: it stands before its parameters.
  [[nodiscard]] std::size_t name_of_kernel(std::size_t qualifier) const {
    for (std::size_t i = qualifier + 1; i + 1 < walk_.size(); ++i) {
      i = walk_.after_attribute(i);
      if (walk_.is(i, ";") || walk_.is(i, "{") || walk_.is(i, "(") || walk_.is(i, "__global__")) break;
      if (walk_.is_identifier(i) && walk_.is(i + 1, "(")) return i;
    }
    return token_walk::none;
  }

  /// The kernel whose body begins at `brace`, where its name is a value somewhere: it is no template, and not qualified.
  [[nodiscard]] std::string_view known_kernel_at(std::size_t brace) const {
    const scope& around = scopes_.back();
    if (values_.empty() || around.kind != scope_kind::outside || is_in_macro_arguments()) return {};
    for (std::size_t i = std::max(around.statement, brace < 512 ? 0 : brace - 512); i < brace; ++i) {
      if (walk_.is(i, "template")) return {};
      if (!walk_.is(i, "__global__")) continue;
      const std::size_t name = name_of_kernel(i);
      if (name > brace || walk_.is(name - 1, "::") || !values_.contains(walk_.text(name))) return {};
      return walk_.text(name);
    }
    return {};
  }

  [[nodiscard]] bool is_sole(std::string_view name) {
    const auto [known, is_new] = sole_names_.try_emplace(name);
    if (is_new) known->second = !is_declared_otherwise(walk_, name);
    return known->second;
  }

  void restrict(std::size_t i) {
    if (is_restricted(source_.files[walk_.at(i).file], rules_)) check_restrictions(context_, i);
  }

  void visit_punctuator(std::size_t i) {
    const std::string_view s = walk_.text(i);
    if (s == "(" || s == "[") {
      if (s == "[") restrict(i);
      if (s == "[" && here().for_device && here().closed && !context_.in_macro) watch_local_memory(i);
      ++here().parentheses;
      if (s == "(")
        macro_arguments_.push_back(i > 0 && walk_.is_identifier(i - 1) &&
                                   source_.function_like.contains(walk_.text(i - 1)));
    } else if (s == ")" || s == "]") {
      if (here().parentheses > 0) --here().parentheses;
      if (s == ")" && !macro_arguments_.empty()) macro_arguments_.pop_back();
    } else if (s == "{") {
      const bool is_closed = here().closed && walk_.closing(i) != token_walk::none;
      const bool in_function = here().kind == scope_kind::host || here().kind == scope_kind::device;
      scopes_.push_back({.kind = kind_of_scope(i),
                         .statement = i + 1,
                         .closed = is_closed,
                         .is_block = is_block(i),
                         .for_device = in_function ? here().for_device : names_device(i),
                         .holds_ptx = (in_function && here().holds_ptx) || names_device(i),
                         .function_end = in_function ? here().function_end : walk_.closing(i),
                         .known_kernel = is_closed ? known_kernel_at(i) : std::string_view()});
    } else if (s == "}") {
      if (!here().known_kernel.empty()) know_defined_kernel(context_, here().known_kernel, i);
      if (scopes_.size() > 1) scopes_.pop_back();
      if (here().parentheses == 0 && !walk_.is(i + 1, ",") && !walk_.is(i + 1, ";")) here().statement = i + 1;
    } else if ((s == ";" && here().parentheses == 0) || ends_access_specifier(i)) {
      here().statement = i + 1;
    } else if (s == ":" && is_label(i - 1)) {
      visit_label(i - 1);
    } else if (s == "<" && begins_launch(walk_, i)) {
      visit_launch(i);
    } else if ((s == "<" || s == ">") && shifts_ == shift_amounts::clamped && here().for_device && here().closed &&
               !context_.in_macro) {
      clamp_shift(context_, i, here().statement, !is_in_macro_arguments());
    }
  }

  void watch_local_memory(std::size_t bracket) {
    if (here().parentheses == 0 && here().is_block)
      watch_local_array(context_, bracket, here().statement, here().function_end);
    watch_member_array(context_, bracket, here().function_end);
  }

  [[nodiscard]] bool ends_access_specifier(std::size_t i) const {
    return i > 0 && walk_.is(i, ":") &&
           (walk_.is(i - 1, "public") || walk_.is(i - 1, "private") || walk_.is(i - 1, "protected"));
  }

  /// Whether `name` stands at token `i` and begins a statement, in front of a colon.
  [[nodiscard]] bool is_label(std::size_t i) const {
    if (!walk_.is_identifier(i)) return false;
    if (i == 0) return context_.in_macro;
    const std::string_view before = walk_.text(i - 1);
    return before == ";" || before == "{" || before == "}" || before == ":" || before == ")";
  }

  void visit_label(std::size_t i) {
    if (passes_ != loop_passes::joined) return;
    if (!gotos_) gotos_.emplace(walk_);
    if (const auto back = gotos_->between(walk_.text(i), i, here().function_end); !back.empty())
      join_passes_of_label(context_, i, back, !context_.in_macro && !is_in_macro_arguments());
  }

  void visit_launch(std::size_t i) {
    if (context_.in_macro && i == 0) return;  // spelled out where it is used (spelled_out_macros.h), behind its kernel
    if (here().kind == scope_kind::device && here().closed)  // else a `}` is missing somewhere, as g++ will say
      context_.refuse(i, "a kernel launch inside device code (dynamic parallelism)",
                      "The emulator launches from host code only: move the launch to a host function");
    const std::size_t last = walk_.is(i - 1, ">") ? walk_.opening_angle(i - 1) - 1 : i - 1;  // of the kernel's name
    rewrite_launch(context_, i, context_.in_macro || templates_.contains(walk_.text(last)),
                   !context_.in_macro && !is_in_macro_arguments());
  }

  [[nodiscard]] bool is_in_macro_arguments() const {
    return std::ranges::find(macro_arguments_, true) != macro_arguments_.end();
  }

  /// Whether the function whose body begins at `brace` says that a kernel may call it.
  [[nodiscard]] bool names_device(std::size_t brace) const {
    for (std::size_t i = std::max(scopes_.back().statement, brace < 512 ? 0 : brace - 512); i < brace; ++i)
      if (walk_.is(i, "__global__") || walk_.is(i, "__device__")) return true;
    return false;
  }

  /// Whether statements stand between the braces.
  [[nodiscard]] bool is_block(std::size_t brace) const {
    if (brace == 0) return false;
    const std::string_view before = walk_.text(brace - 1);
    if (before == "{") return scopes_.back().is_block;
    if (before == "=" || before == "," || before == "(" || before == "return") return false;
    for (std::size_t i = scopes_.back().statement; i < brace; ++i)
      if (walk_.is(i, "struct") || walk_.is(i, "class") || walk_.is(i, "union") || walk_.is(i, "enum"))
        return before == ")";
    return true;
  }

  [[nodiscard]] scope_kind kind_of_scope(std::size_t brace) {
    const scope_kind outer = here().kind;
    if (outer == scope_kind::host || outer == scope_kind::device) return outer;
    bool device = false, host = false, type = false, call = false, names = false;
    std::size_t begin = here().statement;
    if (walk_.is(begin, "template") && walk_.is(begin + 1, "<")) {
      const std::size_t close = walk_.closing_angle(begin + 1);
      if (close < brace) begin = close + 1;
    }
    // Long initialisers repeat braces: what matters stands close before them.
    for (std::size_t i = std::max(begin, brace < 512 ? 0 : brace - 512); i < brace; ++i) {
      const std::string_view word = walk_.text(i);
      if (word == "__global__" || word == "__device__")
        device = true;
      else if (word == "__host__")
        host = true;
      else if (word == "class" || word == "struct" || word == "union" || word == "enum")
        type = true;
      else if (word == "namespace" || (word == "extern" && i + 1 < brace && walk_.at(i + 1).kind == token_kind::string))
        names = true;
      else if (word == "(")
        call = true;
    }
    if (names && !call) return scope_kind::outside;
    if (type && !call) return scope_kind::type;
    if (device && !host) return scope_kind::device;
    return call || !device ? scope_kind::host : scope_kind::device;
  }

  const lexed_source& source_;
  token_walk walk_;
  rewrite_context context_;
  source_rules rules_;
  loop_passes passes_;
  shift_amounts shifts_;
  std::unordered_set<std::string_view> kernels_;             ///< by name
  std::unordered_set<std::string_view> templates_, values_;  ///< of them those that are templates, and values somewhere
  std::vector<scope> scopes_;
  std::vector<bool> macro_arguments_;  ///< of each open parenthesis: whether a macro is called with it
  std::optional<goto_list> gotos_;
  std::vector<std::string> namespace_names_;
  std::unordered_map<std::string_view, bool> sole_names_;  ///< those of them that were asked for
};

}  // namespace

std::string translate_source(std::string_view text, std::string_view file, source_rules rules, loop_passes passes,
                             shift_amounts shifts) {
  constexpr int deepest = 8;  // macros in macros
  std::string spelled_out;
  lexed_source source = lex(text, file);
  for (int depth = 0; depth < deepest; ++depth) {
    std::optional<std::string> next = with_macros_spelled_out(source);
    if (!next) break;
    spelled_out = std::move(*next);
    source = lex(spelled_out, file);
  }
  for (const inclusion& i : source.inclusions) {
    if (!i.file.starts_with("/usr/") && !i.file.starts_with("/opt/")) continue;  // a file of the user's own
    if (const std::string_view why = why_unsupported(i.file); !why.empty())
      throw refusal(source.files[i.from], static_cast<int>(i.line), 1,
                    "the header " + i.file.substr(i.file.rfind('/') + 1), std::string(why));
  }
  edit_list edits;
  translation(source, source.code, edits, false, rules, passes, shifts).run();
  for (const token_list& macro : source.macros) translation(source, macro, edits, true, rules, passes, shifts).run();
  return edits.apply(source.text);
}

}  // namespace simtlab::emulator
