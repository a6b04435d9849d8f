// A cubin, decoded once: its kernels as typed instructions, its variables, and which line of the source made what.
//
// The ELF file says how much of everything a kernel needs and where its parameters lie ("CUDA Binary Utilities" names the sections;
// the attributes of .nv.info were found by experiment), `nvdisasm -json -g` says what its instructions are. Whatever is not
// known (an opcode, a modifier, an operand's form) is refused by name, never guessed: a kernel that has such cannot be launched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/types.h"
#include "sass/instruction.h"

namespace simtlab::emulator::sass {

/// Says which object could not be read, what was expected, what was found, and the next step.
class unreadable_code : public std::runtime_error {
  using runtime_error::runtime_error;
};

/// What made an instruction; line 0: not known, because the code was compiled without -lineinfo.
struct source_place {
  std::string file;
  int line = 0;
};

struct parameter {
  std::uint32_t offset = 0, bytes = 0;  ///< in the block of parameters
};

/// A `__device__` or `__constant__` variable, or a table of the compiler's.
struct global_symbol {
  std::string name;  ///< the linker's
  memory_space space = memory_space::global;
  std::uint64_t bytes = 0, alignment = 1;
  std::uint32_t bank_offset = 0;         ///< of a constant: where it lies in c[0x3]
  std::vector<std::byte> initial_value;  ///< `bytes` of them
  /// Where a variable that the program does not have lies in this process: tables and literals of the compiler's.
  std::byte* own_storage = nullptr;
};

/// An address that the code finds in its bank of constants, or in an instruction: symbol + addend, at `offset`.
struct relocation {
  std::uint32_t offset = 0;
  std::uint32_t symbol = 0;  ///< index of machine_code::symbols()
  std::int64_t addend = 0;
};

/// Where c[0x0] has the end of a thread's stack, on every architecture so far: what a function that has one reads first.
inline constexpr std::uint32_t stack_end_at = 0x28;

/// A kernel.
struct function {
  std::string name;               ///< the linker's
  std::string problem;            ///< why it cannot be executed: which instructions are not known; empty: it can
  unsigned registers = 0;         ///< of a thread, by ptxas
  unsigned barriers = 0;          ///< named barriers that it uses
  std::uint32_t local_bytes = 0;  ///< the most that a thread's stack takes
  bool has_fences = false;        ///< MEMBAR: order among threads that is no barrier's
  bool calls_driver = false;      ///< names functions that the cubin has not: printf, malloc, free, a failed assert
  bool has_open_stack = false;    ///< what it takes depends on a recursion's depth: `local_bytes` is a limit of ours
  /// The shared window of a block begins with `reserved_shared` bytes of the system's; static variables end at `static_shared`, and
  /// dynamic shared memory begins there.
  std::uint32_t reserved_shared = 0, static_shared = 0;
  std::vector<parameter> parameters;  ///< in their order
  std::uint32_t parameter_base = 0;   ///< where their block begins in c[0x0]
  std::uint32_t parameter_bytes = 0;
  /// c[0x2]. A pointer to a device function is an offset in it, where the function's place in this kernel's section stands.
  std::vector<std::byte> own_constants;
  std::map<std::string, std::uint32_t, std::less<>>
      called;                     ///< functions in the kernel's section by the linker's name: their places
  std::uint32_t first_place = 0;  ///< number of its first instruction, and of that one's place
  std::uint32_t instructions = 0;
};

/// Immutable but for the storage of its tables; all launches share it.
class machine_code {
 public:
  /// `cubin` must outlive nothing: it is copied. `listing` is what `nvdisasm -json -g` prints of it. Throws `unreadable_code`.
  static std::shared_ptr<const machine_code> load(std::span<const std::byte> cubin, std::string_view listing);

  /// Null where there is no kernel of that name.
  [[nodiscard]] const function* find(std::string_view mangled_name) const;
  [[nodiscard]] const std::vector<function>& functions() const { return functions_; }
  [[nodiscard]] const std::vector<global_symbol>& symbols() const { return symbols_; }
  /// The instructions of all functions, one behind the other; the first one belongs to none, so that no function has address 0.
  [[nodiscard]] const std::vector<instruction>& code() const { return code_; }
  /// Of each instruction: what made it, and how nvdisasm writes it.
  [[nodiscard]] const std::vector<source_place>& places() const { return places_; }
  [[nodiscard]] const std::vector<std::string>& texts() const { return texts_; }
  /// Names of functions that kernels call and the cubin has not, by what is called: such a number, times 16.
  [[nodiscard]] const std::vector<std::string>& missing_functions() const { return missing_; }
  [[nodiscard]] unsigned architecture() const { return architecture_; }  ///< 90 for sm_90

  /// Bytes of c[0x3], where `__constant__` variables lie, and of c[0x4], where addresses of variables do.
  [[nodiscard]] const std::vector<std::byte>& constants() const { return constants_; }
  [[nodiscard]] const std::vector<std::byte>& addresses() const { return addresses_; }
  [[nodiscard]] const std::vector<relocation>& address_relocations() const { return address_relocations_; }

 private:
  friend class cubin_reader;
  machine_code() = default;

  unsigned architecture_ = 0;
  std::vector<function> functions_;
  std::vector<global_symbol> symbols_;
  std::vector<instruction> code_;
  std::vector<source_place> places_;
  std::vector<std::string> texts_, missing_;
  std::vector<std::byte> constants_, addresses_;
  std::vector<relocation> address_relocations_;
  std::vector<std::unique_ptr<std::byte[]>> storage_;
};

}  // namespace simtlab::emulator::sass
