// Where a program's own files declare what, by their tokens: g++'s dump knows what calls what, but neither a function's
// head nor a function that is declared here and defined elsewhere.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "spaces/execution_space.h"
#include "spaces/program_dump.h"
#include "translator/lexer.h"
#include "translator/token_walk.h"

namespace simtlab::emulator {

/// A function's head in the source.
struct function_head {
  source_place place;
  std::string text;  ///< `float square(float x)`
};

/// What a kernel's declaration may not say.
struct kernel_fault {
  source_place place;
  std::string message;
};

class source_outline {
 public:
  /// `source` must outlive this.
  explicit source_outline(const lexed_source& source);

  /// Whether the file is one of the program's own.
  [[nodiscard]] bool is_own(std::string_view file) const { return by_file_.contains(file); }
  /// The head of the function `name` whose body begins at `body`; an empty text when it is not found.
  [[nodiscard]] function_head head_before(std::string_view name, const source_place& body) const;
  /// The first declaration of a function `name`.
  [[nodiscard]] function_head first_head(std::string_view name) const;
  /// Whether anything called `name` has a body.
  [[nodiscard]] bool defines(std::string_view name) const;
  /// What the declarations of `name` say of its space; nothing of any: a host function.
  [[nodiscard]] execution_space declared_space(std::string_view name) const;
  /// Calls of `constexpr` functions that are no device functions, in the body of the function `name` that begins at `body`: g++
  /// knows their values and leaves no call.
  [[nodiscard]] std::vector<function_head> constexpr_calls(std::string_view name, const source_place& body) const;
  [[nodiscard]] bool declares_constexpr(std::string_view name) const { return host_constexpr_.contains(name); }
  /// Whether nobody wrote the function whose code begins at `begin`: the compiler made it, or `= default` asked it to.
  [[nodiscard]] bool is_implicit(const source_place& begin) const;
  /// Whether the function is a template's full specialisation, whose space is the template's.
  [[nodiscard]] bool is_specialisation(std::string_view name, const source_place& body) const;
  [[nodiscard]] std::vector<kernel_fault> kernel_faults() const;
  /// Lambdas with `__device__` or `__host__`, which nvcc knows with an option alone.
  [[nodiscard]] std::vector<source_place> annotated_lambdas() const;
  /// `thread_local` in device code.
  [[nodiscard]] std::vector<source_place> thread_locals() const;
  /// Whether a variable `name` is declared to be the device's, as `extern` and templates are that lie in no section of it.
  [[nodiscard]] bool is_device_variable(std::string_view name) const;

 private:
  void note_macro(const token_list& macro);
  [[nodiscard]] bool says(std::size_t i, std::string_view qualifier) const;
  void note_function(std::size_t i);
  [[nodiscard]] std::size_t head_token(std::string_view name, const source_place& body) const;
  [[nodiscard]] bool is_host_constexpr(std::size_t call) const;
  [[nodiscard]] bool host_only(std::size_t name) const;
  [[nodiscard]] function_head head_at(std::size_t name) const;
  [[nodiscard]] std::size_t begin_of_declaration(std::size_t i) const;
  [[nodiscard]] bool is_declaration(std::size_t name) const;
  [[nodiscard]] bool names_function(std::size_t i, std::string_view name) const;

  const lexed_source& source_;
  token_walk walk_;
  std::unordered_map<std::string_view, std::vector<std::size_t>> by_file_;  ///< tokens in order of their lines
  std::unordered_map<std::string_view, std::vector<std::string_view>> qualifier_macros_;
  std::unordered_set<std::string_view> whole_declarations_;                 ///< macros that end with `}` or `;`
  std::unordered_set<std::string_view> host_constexpr_, device_functions_;  ///< names of functions
};

/// `g` of `k(int*)::L::g`, `tt` of `tt<float>`, `operator()` of `V<int>::operator()`.
[[nodiscard]] std::string_view plain_name(std::string_view name);

}  // namespace simtlab::emulator
