// What g++ made of a translated source before it optimised anything: every function that the program needs, with its calls
// and the names it uses, overloads, templates, lambdas and constructors resolved.
//
// g++ writes it as text beside its assembly (-fdump-tree-lower-lineno-asmname-uid); each name carries the number of its
// declaration (`squareD.2814`), each statement its place (`[kernel.cu:15:22]`).
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace simtlab::emulator {

struct source_place {
  std::string_view file;  ///< as the linemarkers name it
  std::uint32_t line = 0, column = 0;
};

/// Files and their lines.
using source_lines = std::set<std::pair<std::string, std::uint32_t>>;

/// A function or variable that a function's body names.
struct dumped_use {
  std::uint32_t declaration = 0;  ///< g++'s number for it
  std::string_view name;          ///< its symbol where g++ knows one already, else its plain name
  bool is_call = false;
  bool has_arguments = false;
  std::size_t statement = 0;  ///< uses of one statement have one number
  source_place place;
};

struct dumped_function {
  std::uint32_t declaration = 0;
  std::string_view name;        ///< `S::get`, `k(int*)::<lambda(int)>::operator()`
  std::string_view symbol;      ///< `_ZNK1S3getEv`
  std::string_view attributes;  ///< separated by commas
  std::string_view result;      ///< the type that it returns, with its number: `voidD.48`
  source_place begin;           ///< of the first statement that has a place
  bool has_object = false;      ///< a method that is not static
  std::vector<dumped_use> uses;
};

struct program_dump {
  std::vector<dumped_function> functions;
  std::unordered_set<std::uint32_t> locals;  ///< variables that belong to a function, static ones among them
  std::unordered_set<std::uint32_t> types;
  std::vector<source_place> computed_jumps;  ///< to a label by its address, `goto *p`
};

/// The option that makes g++ write the dump into `file`.
[[nodiscard]] std::string dump_option(const std::string& file);

/// `text` must outlive the result. What cannot be understood is left out.
[[nodiscard]] program_dump read_dump(std::string_view text);

}  // namespace simtlab::emulator
