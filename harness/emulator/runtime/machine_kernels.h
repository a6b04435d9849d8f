// The program's kernels as nvcc compiled them: what simtcc --engine sass has left in section `simtlab_machine_code`, read when the
// first of them is launched. Host code, and with it all memory, is g++'s: a `__device__` or `__constant__` variable of the machine
// code is the program's own variable of that name, and a kernel is found by the name of the function that the program launches.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "checks/memory/initialised_bytes.h"
#include "core/memory_map.h"
#include "report/source_map.h"
#include "sass/machine_code.h"

namespace simtlab::emulator {

/// One kernel's machine code, ready to be launched.
struct machine_kernel {
  std::shared_ptr<const sass::machine_code> code;
  const sass::function* function = nullptr;
  std::uint64_t registers = 0, stack_bytes = 0, spill_bytes = 0;  ///< by ptxas, and by what the driver adds
  site first_site = 0;                                            ///< of the code's places
  /// Its `__shared__` variables, which share their places with those of all other kernels; found while the kernel is entered.
  std::vector<variable_id> shared;
  std::string dynamic_name;  ///< of the array without a size; may be empty
  /// Where each of `code->symbols()` lies in this process; 0: the program has no such variable.
  std::vector<address> symbols;
  /// Where its volatile `__shared__` variables lie.
  std::vector<address_range> volatile_shared;
  /// Of each instruction from the kernel's first: whether it is a load that may be a swap's first guess.
  std::vector<bool> guesses;
  bool may_order = false;  ///< it has such loads, or accesses that may order threads beside atomic ones
};

/// As a programmer writes it: nvcc and g++ mangle what has internal linkage in ways of their own.
[[nodiscard]] std::string as_written(const std::string& mangled);

class machine_kernels {
 public:
  static bool are_there();
  /// The releases of nvcc and nvdisasm, and for what they compiled; empty: there is no code.
  static std::string tools();

  machine_kernels(memory_map& map, source_map& sources, initialised_bytes& initialised)
      : map_(map), sources_(sources), initialised_(initialised) {}
  /// The kernel that the linker knows as `name`, or that a function of this name calls; null after `problem` was set to why there is
  /// none.
  [[nodiscard]] const machine_kernel* find(const std::string& name, std::string& problem);
  /// Until the next call the shared window is laid out as the kernel's; null: as g++'s code has it, with `of_program`.
  void enter(const machine_kernel*, const std::vector<const memory_region*>& of_program);

 private:
  struct module {
    std::shared_ptr<const sass::machine_code> code;
    site first_site = 0;
    std::string_view resources;
    std::string ptx;
    std::vector<address> symbols;
  };
  void read();
  [[nodiscard]] machine_kernel kernel_of(const module&, const sass::function&);
  /// Where the variables of the code lie; tables of nvcc's own get a name.
  [[nodiscard]] std::vector<address> places_of(const sass::machine_code&);

  memory_map& map_;
  source_map& sources_;
  initialised_bytes& initialised_;
  bool was_read_ = false;
  std::vector<module> modules_;
  std::string unreadable_;                         ///< why a module could not be read
  std::map<std::string, machine_kernel> kernels_;  ///< by the linker's name, as launched so far
  const machine_kernel* entered_ = nullptr;
};

}  // namespace simtlab::emulator
