// The context that the rewriting rules of the source translator share: tokens, edits, and how to refuse.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "translator/edit_list.h"
#include "translator/lexer.h"
#include "translator/refusal.h"
#include "translator/token_walk.h"

namespace simtlab::emulator {

struct rewrite_context {
  const lexed_source& source;
  const token_walk& walk;
  edit_list& edits;
  bool in_macro;                               ///< the tokens are a macro's replacement: one line, no linemarkers
  const std::vector<std::string>& parameters;  ///< of that macro

  [[noreturn]] void refuse(std::size_t i, const std::string& found, const std::string& advice) const {
    const token& t = walk.at(i);
    throw refusal(source.files[t.file], static_cast<int>(t.line), static_cast<int>(t.column) + 1, found, advice);
  }
  /// A linemarker that lets the text behind it continue at the place of token `i`.
  [[nodiscard]] std::string back_to(std::size_t i) const;
  /// The tokens [first, last] as one line: white space between them only where there was some.
  [[nodiscard]] std::string spelled(std::size_t first, std::size_t last) const;
};

/// Rewrites the launch whose `<<` or `<<<` begins at token `chevron`; `resync` allows linemarkers. Returns the index of
/// the `(` of the arguments, which may follow behind a macro's end. `may_deduce`: the kernel may be a template.
std::size_t rewrite_launch(const rewrite_context&, std::size_t chevron, bool may_deduce, bool resync);
/// Whether `<<<`, or the `<< <` that nvcc takes for it, begins at token `i`.
[[nodiscard]] bool begins_launch(const token_walk&, std::size_t i);

/// `cudaLaunchKernel((void*)kernel, …` or `cudaLaunchKernelExC(&config, (void*)kernel, …` at token `i`: the cast goes, for
/// the kernel's type is needed.
void uncast_launched_kernel(const rewrite_context&, std::size_t i);

/// A kernel's name at token `i`: where a cast takes its type away, as in `(void*)kernel<16>`, the emulator is told of it before.
void know_cast_kernel(const rewrite_context&, std::size_t i, bool resync);
/// Whether the kernel's name at token `i` is passed, assigned, returned or listed, so that its type may get lost elsewhere.
[[nodiscard]] bool is_kernel_as_value(const token_walk&, std::size_t i);
/// Behind the `}` at token `brace`, which ends the kernel's definition, the emulator is told of the kernel.
void know_defined_kernel(const rewrite_context&, std::string_view kernel, std::size_t brace);

/// `while` or `for` at token `i`. Where nothing stands between two passes of the loop, a call gets there. Without the call,
/// lanes that are done with a pass (`continue`, or an `if` at the body's end) jump to the loop's head, and pass lanes of
/// their warp that are still in the body. A GPU's compiler lets them wait. `resync` allows linemarkers.
void join_passes(const rewrite_context&, std::size_t i, bool resync);
/// The same for the label at token `label`, to which all of `gotos`, behind it, go back.
void join_passes_of_label(const rewrite_context&, std::size_t label, std::span<const std::size_t> gotos, bool resync);

/// `<` or `>` at token `i`, in device code: where it begins `<<`, `>>`, `<<=` or `>>=` of an amount that is no number, the shift
/// gets a GPU's meaning (include/simtlab/shifts.h). `statement` is the first token of the statement around it; `resync` allows
/// linemarkers.
void clamp_shift(const rewrite_context&, std::size_t i, std::size_t statement, bool resync);

/// Whose instructions the text of an `asm` may hold: a GPU's, or in a macro those of the host's processor, too.
enum class asm_texts : std::uint8_t { ptx, ptx_or_host };
/// `asm` at token `i`: inline PTX becomes C++ (ptx_instructions.h). Returns whether it is PTX. `resync` allows linemarkers.
bool rewrite_asm(const rewrite_context&, std::size_t i, asm_texts, bool resync);

/// What a declaration's surroundings say about it.
struct declaration_place {
  std::size_t statement = 0;  ///< first token of the declaration
  bool at_namespace = false;  ///< outside of every function and class
};

/// `__device__` or `__constant__` at token `i`: a variable's gets another qualifier.
void rewrite_device_variable(const rewrite_context&, std::size_t i, const declaration_place&);
/// `static` at token `i`, in device code: a variable that it declares there is a `__device__` variable.
void rewrite_static_local(const rewrite_context&, std::size_t i, const declaration_place&);
/// `__shared__` at token `i`. `namespace_names` are the dynamic arrays already declared at namespace scope.
void rewrite_shared_variable(const rewrite_context&, std::size_t i, const declaration_place&,
                             std::vector<std::string>& namespace_names);

/// Whether a variable of that name may be something else than `extern __shared__ T name[]` somewhere.
[[nodiscard]] bool is_declared_otherwise(const token_walk&, std::string_view name);
/// The name at token `i` is that of dynamic shared memory declared at namespace scope; `is_sole`: and of nothing else.
void point_at_dynamic_shared(const rewrite_context&, std::size_t i, bool is_sole);

}  // namespace simtlab::emulator
