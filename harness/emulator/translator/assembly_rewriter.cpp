#include "translator/assembly_rewriter.h"

#include <cxxabi.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "include/simtlab/emulator_entry.h"
#include "translator/cas_probe_reads.h"
#include "translator/frame_checks.h"
#include "translator/guards.h"
#include "translator/indirect_calls.h"
#include "translator/inline_hooks.h"
#include "translator/launch_bounds.h"
#include "translator/missing_hooks.h"
#include "translator/retained_sections.h"
#include "translator/spill_promotion.h"
#include "translator/take_line.h"
#include "translator/used_results.h"

namespace simtlab::emulator {
namespace {

struct renaming {
  std::string_view from, to;
};
constexpr std::array<renaming, 3> prefixes{
    {{"__tsan_", "simtlab_tsan_"}, {"__sanitizer_cov_", "simtlab_cov_"}, {"__ubsan_handle_", "simtlab_ubsan_"}}};
/// Functions of the C library whose calls go to the emulator (trace/library_functions.def).
const std::unordered_set<std::string_view>& library_functions() {
#define SIMTLAB_HOOKED(name) #name,
#define SIMTLAB_HOST_ONLY(name) #name,
#define SIMTLAB_UNTOUCHING(name)
  static const std::unordered_set<std::string_view> names{
#include "trace/library_functions.def"
  };
#undef SIMTLAB_HOOKED
#undef SIMTLAB_HOST_ONLY
#undef SIMTLAB_UNTOUCHING
  return names;
}

/// Kernels allocate device memory (runtime/device_heap.cpp), and a failed assertion or a missing return ends them.
constexpr std::array<renaming, 11> own_calls{{{"__assert_fail", "simtlab_assert_fail"},
                                              {"__ubsan_handle_missing_return", "simtlab_missing_return"},
                                              {"__cxa_throw_bad_array_new_length", "simtlab_bad_array_size"},
                                              {"malloc", "simtlab_malloc"},
                                              {"free", "simtlab_free"},
                                              {"_Znwm", "simtlab_new"},
                                              {"_Znam", "simtlab_new"},
                                              {"_ZdlPv", "simtlab_delete"},
                                              {"_ZdlPvm", "simtlab_delete"},
                                              {"_ZdaPv", "simtlab_delete"},
                                              {"_ZdaPvm", "simtlab_delete"}}};

bool is_of_emulator(std::string_view function) {
  return library_functions().contains(function) ||
         std::any_of(own_calls.begin(), own_calls.end(), [&](const renaming& r) { return r.from == function; });
}

bool continues_symbol(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '$';
}

/// What a line of assembly is, apart from its text.
struct line_view {
  std::string_view text;       ///< without the newline
  std::string_view directive;  ///< `.zero` for `\t.zero\t256`; empty for instructions, labels, comments
  std::string_view rest;       ///< behind the directive
  std::string_view label;      ///< `name` of `name:`

  explicit line_view(std::string_view line) : text(line) {
    if (line.empty()) return;
    if (line.front() == '\t' && line.size() > 1 && line[1] == '.') {
      const std::size_t end = std::min(line.find_first_of(" \t", 1), line.size());
      directive = line.substr(1, end - 1);
      rest = line.substr(std::min(line.find_first_not_of(" \t", end), line.size()));
    } else if (line.front() != '\t' && line.back() == ':') {
      label = line.substr(0, line.size() - 1);
    }
  }
  [[nodiscard]] bool is_instruction() const { return directive.empty() && !text.empty() && text.front() == '\t'; }
};

/// Where the words of a directive's operands end: `a,b` and `"a,b",c`.
std::string_view operand(std::string_view rest, int index) {
  std::size_t begin = 0;
  bool quoted = false;
  for (std::size_t i = 0; i <= rest.size(); ++i) {
    if (i < rest.size() && rest[i] == '"') quoted = !quoted;
    if (i < rest.size() && (rest[i] != ',' || quoted)) continue;
    if (index-- == 0) {
      while (begin < i && rest[begin] == ' ') ++begin;
      return rest.substr(begin, i - begin);
    }
    begin = i + 1;
  }
  return {};
}

/// What the variables of a section are; nothing for sections of the host's variables, its thread-local ones among them.
std::optional<simtlab_symbol_kind> kind_of_section(std::string_view name, std::string_view operands) {
  const auto is = [name](std::string_view what) {
    return name == what || (name.starts_with(what) && name[what.size()] == '.');
  };
  if (is_section_of_shared_memory(operands)) return simtlab_symbol_shared;
  if (is_section_of_device_memory(operands)) return simtlab_symbol_device;
  if (is("simtlab_constant")) return simtlab_symbol_constant;
  if (is("simtlab_device")) return simtlab_symbol_device;
  if (is("simtlab_managed")) return simtlab_symbol_managed;
  return std::nullopt;
}

bool is_data(std::string_view directive) {
  constexpr std::array<std::string_view, 15> names{".zero",  ".byte",  ".value",  ".short", ".hword",
                                                   ".long",  ".word",  ".quad",   ".xword", ".octa",
                                                   ".ascii", ".asciz", ".string", ".float", ".double"};
  for (const auto& name : names)
    if (directive == name) return true;
  return directive == ".2byte" || directive == ".4byte" || directive == ".8byte" || directive == ".base64";
}

/// The symbol of the guard that g++ makes for a local variable with a constructor: `_ZGVZ1kvE1s` for `_ZZ1kvE1s`.
std::string guard_of(std::string_view symbol) {
  return symbol.starts_with("_Z") ? "_ZGV" + std::string(symbol.substr(2)) : std::string();
}

/// Refuses a shared variable.
[[noreturn]] void refuse_initialised(std::string_view symbol) {
  int status = 0;
  char* demangled = abi::__cxa_demangle(std::string(symbol).c_str(), nullptr, nullptr, &status);
  std::string name = demangled == nullptr ? std::string(symbol) : demangled;
  std::free(demangled);  // NOLINT(cppcoreguidelines-no-malloc): the ABI's contract
  const std::size_t scope = name.rfind("::");
  std::string what = "the variable '" + name.substr(scope == std::string::npos ? 0 : scope + 2) + "'";
  if (scope != std::string::npos) what += " of " + name.substr(0, scope);
  throw refusal(
      "", 0, 0, what + " is __shared__ and has a constructor or an initial value",
      "Every block has its own copy, which nothing fills: use a type without a constructor, let one thread store the "
      "value, then call __syncthreads()");
}

class rewriter {
 public:
  explicit rewriter(std::string_view text) : text_(text), inline_hooks_(text), indirect_calls_(text, &is_of_emulator) {
    out_.reserve(text.size() + text.size() / 8);
  }

  std::string run() {
    note_sizes();
    for (std::string_view rest = text_; !rest.empty();) {
      const std::string_view line = take_line(rest);
      if (inline_hooks_.write(line, rest, group_, out_)) continue;
      rewrite(line_view(line));
      inline_hooks_.behind(line, out_);
    }
    finish_object();
    if (is_x86_64_)
      for (const std::string_view name : indirect_calls_.foreign())
        out_ += indirect_calls_.is_for_hosts(name) ? indirect_calls::entry_for_hosts(name)
                                                   : indirect_calls::entry(renamed(name), {});
    inline_hooks_.finish(out_);
    return std::move(out_);
  }

 private:
  void rewrite(const line_view& line) {
    if (!object_.empty() && !is_data(line.directive)) finish_object();
    if (line.directive == ".section")
      enter_section(line.rest);
    else if (line.directive == ".text" || line.directive == ".data" || line.directive == ".bss")
      leave_section();
    else if (kind_ && !line.label.empty())
      begin_object(line.label);
    const std::string checked = is_x86_64_ ? indirect_calls_.replaced(line.text) : std::string();
    if (is_x86_64_) look_at(line);
    if (!checked.empty())
      rename_in(checked);
    else if (line.is_instruction() || line.directive == ".quad")  // a table of functions calls them too
      rename_in(line.text);
    else if (line.directive == ".section" &&
             (kind_ == simtlab_symbol_managed || is_section_of_device_memory(line.rest)))
      out_ += "\t.section\tsimtlab_device,\"aw\"";  // kernels see no difference; a record's kind lets the host in
    else
      out_ += line.text;
    out_ += '\n';
    // Before the first object's alignment, so that the zone does not disturb it.
    if (kind_ && line.directive == ".section" && zoned_.emplace(section_, true).second) red_zone();
  }

  void look_at(const line_view& line) {
    indirect_calls_.look_at(line.text);
    if (line.directive == ".type" && operand(line.rest, 1) == "@function")
      out_ += indirect_calls::entry(operand(line.rest, 0), group_);
  }

  /// A function's size stands behind it.
  void note_sizes() {
    constexpr std::string_view size = "\t.size\t";
    for (std::size_t at = text_.find(size); at != std::string_view::npos; at = text_.find(size, at + 1)) {
      const std::string_view rest = text_.substr(at + size.size(), text_.find('\n', at) - at - size.size());
      sizes_[operand(rest, 0)] = operand(rest, 1);
    }
  }

  void leave_section() {
    kind_.reset();
    group_ = {};
  }

  void enter_section(std::string_view rest) {
    section_ = operand(rest, 0);
    kind_ = kind_of_section(section_, rest);
    group_ = {};
    if (operand(rest, 1).find('G') == std::string_view::npos) return;
    // section,"awG",@type[,entry size],group,comdat
    const std::string_view third = operand(rest, 3);
    group_ = !third.empty() && third[0] >= '0' && third[0] <= '9' ? operand(rest, 4) : third;
  }

  void begin_object(std::string_view label) {
    const auto size = sizes_.find(label);
    if (size == sizes_.end()) return;
    if (*kind_ == simtlab_symbol_shared) {
      if (section_.starts_with(".tdata") || sizes_.contains(guard_of(label))) refuse_initialised(label);
    }
    object_ = label;
    object_bytes_ = size->second;
  }

  void finish_object() {
    if (object_.empty()) return;
    red_zone();
    const std::string number = std::to_string(records_++);
    const std::string name(object_);
    const bool shared = *kind_ == simtlab_symbol_shared;
    if (shared && is_aarch64_) return record(number, simtlab_symbol_shared_by_function, write_getter(name, number));
    record(number, *kind_, name + (shared ? "@dtpoff" : ""));
  }

  /// AArch64's assembler knows thread-local addresses in instructions only.
  std::string write_getter(const std::string& name, const std::string& number) {
    std::string getter = ".Lsimtlab_address" + number;
    out_ += group_.empty()
                ? std::string("\t.pushsection .text.simtlab_addresses,\"ax\",@progbits\n")
                : "\t.pushsection .text.simtlab_addresses,\"axG\",@progbits," + std::string(group_) + ",comdat\n";
    out_ += "\t.balign 4\n" + getter + ":\n\tmrs\tx0, tpidr_el0\n\tadd\tx0, x0, #:tprel_hi12:" + name +
            ", lsl #12\n\tadd\tx0, x0, #:tprel_lo12_nc:" + name + "\n\tret\n\t.popsection\n";
    return getter;
  }

  void record(const std::string& number, simtlab_symbol_kind kind, const std::string& begin) {
    const std::string name(object_);
    out_ += group_.empty() ? std::string("\t.pushsection simtlab_symbols,\"aw\",@progbits\n")
                           : "\t.pushsection simtlab_symbols,\"awG\",@progbits," + std::string(group_) + ",comdat\n";
    out_ += "\t.balign 8\n\t.quad " + std::to_string(static_cast<int>(kind)) + "\n\t.quad " + begin + "\n\t.quad " +
            std::string(object_bytes_) + "\n\t.quad .Lsimtlab_name" + number +
            "\n\t.popsection\n\t.pushsection .rodata.simtlab_names,\"a\",@progbits\n.Lsimtlab_name" + number +
            ":\n\t.string \"" + name + "\"\n\t.popsection\n";
    object_ = {};
  }

  void red_zone() { out_ += "\t.zero " + std::to_string(red_zone_bytes) + "\n"; }

  /// Copies an instruction, symbols renamed.
  void rename_in(std::string_view line) {
    std::size_t at = 0;
    while (at < line.size()) {
      const bool begins =
          continues_symbol(line[at]) && (at == 0 || !continues_symbol(line[at - 1]) || line[at - 1] == '$');
      if (!begins) {
        out_ += line[at++];
        continue;
      }
      std::size_t end = at;
      while (end < line.size() && continues_symbol(line[end])) ++end;
      if (line[at] == '$' && end > at + 1) out_ += line[at++];  // an immediate of AT&T syntax
      rename(line.substr(at, end - at));
      at = end;
    }
  }

  void rename(std::string_view symbol) {
    if (library_functions().count(symbol) > 0 && sizes_.count(symbol) == 0) {  // unless the program has its own
      out_ += "simtlab_";
      out_ += symbol;
      return;
    }
    for (const auto& f : own_calls) {
      if (symbol != f.from) continue;
      out_ += f.to;
      return;
    }
    if (!rename_prefix(symbol)) out_ += symbol;
  }

  [[nodiscard]] std::string renamed(std::string_view symbol) {
    const std::size_t end = out_.size();
    rename(symbol);
    std::string name = out_.substr(end);
    out_.resize(end);
    return name;
  }

  bool rename_prefix(std::string_view symbol) {
    for (const renaming& p : prefixes) {
      if (!symbol.starts_with(p.from)) continue;
      out_ += p.to;
      out_ += symbol.substr(p.from.size());
      return true;
    }
    return false;
  }

  std::string_view text_;
  bool is_aarch64_ = text_.find("\ttpidr_el0") != std::string_view::npos ||
                     text_.find(", tpidr_el0") != std::string_view::npos;  // a shared variable that is used at all
  bool is_x86_64_ = text_.find("%rsp") != std::string_view::npos;
  std::string out_;
  inline_hooks inline_hooks_;
  indirect_calls indirect_calls_;
  std::string_view section_, group_;
  std::optional<simtlab_symbol_kind> kind_;  ///< of the current section, if its variables are device memory
  std::string_view object_, object_bytes_;   ///< the variable whose bytes are being copied
  std::unordered_map<std::string_view, std::string_view> sizes_;
  std::unordered_map<std::string_view, bool> zoned_;  ///< sections that have their leading zone
  unsigned records_ = 0;
};

}  // namespace

std::string_view code_of(std::string_view assembly) {
  constexpr std::string_view section = "\n\t.section\t", for_debugger = ".debug_", stack = ".note.GNU-stack";
  const std::size_t end = assembly.find("\n\t.section\t.debug_");
  if (end == std::string_view::npos) return assembly;
  for (const std::string_view other : {"\n\t.text", "\n\t.data", "\n\t.bss", "\n\t.pushsection"})
    if (assembly.find(other, end) != std::string_view::npos) return assembly;
  for (std::size_t at = end; at != std::string_view::npos; at = assembly.find(section, at + 1)) {
    const std::string_view name = assembly.substr(at + section.size());
    if (!name.starts_with(for_debugger) && !name.starts_with(stack)) return assembly;
  }
  return assembly.substr(0, end + 1);
}

std::string rewrite_assembly(std::string_view text) {
  const std::string_view code = code_of(text);
  const std::string marked = mark_cas_probe_reads(mark_used_results(place_missing_hooks(record_launch_bounds(code))));
  return place_frame_checks(place_guards(promote_spills(rewriter(marked).run()))).append(text.substr(code.size()));
}

std::string with_targets_apart(std::string text, const std::vector<std::string>& for_hosts_alone) {
  return indirect_calls::apart(std::move(text), for_hosts_alone);
}

}  // namespace simtlab::emulator
