// From code sites to source lines, and from the program's ELF symbols to the names of its variables (libdw, libelf).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/types.h"
#include "report/report.h"

namespace simtlab::emulator {

/// A variable of the program that lives in device memory.
struct device_symbol {
  std::string name;         ///< unqualified source name: `tile` for `kernel(float*)::tile`
  memory_space space{};     ///< shared (thread-local storage), constant or global (`__device__`)
  std::uint64_t begin = 0;  ///< shared: offset in the thread-local segment; otherwise the process address
  std::uint64_t bytes = 0;
  std::string linkage_name;  ///< mangled: tells which function a static local belongs to
};

/// Where an instruction of machine code stands in the source, as its line table says it.
struct machine_place {
  std::string path;  ///< empty: nobody knows
  int line = 0;
};

/// Reads the running executable once, lazily; lookups are cached and may come from any thread.
class source_map {
 public:
  source_map();
  ~source_map();
  source_map(const source_map&) = delete;  // it owns what it reads with
  source_map& operator=(const source_map&) = delete;
  /// The map of this process.
  static source_map& of_this_program();
  /// Opens the executable's file now, for a process that will not be able to open files when somebody asks.
  static void open_executable();

  /// The line of the instruction that *precedes* the return address `s` (a site is where a hook returns to), in the
  /// innermost function that was inlined there. A site that has no line gives {"", 0}.
  [[nodiscard]] source_line line_of(site s) const;
  /// From now on the sites from the returned one on stand for `places`, in their order: of code that is none of the program's text.
  site add_places(std::vector<machine_place> places);
  /// The first of such sites; those of the program's text are less.
  static constexpr site first_machine_site = site{1} << 31;
  /// Whether `s` is an instruction of nvcc's code, and none of the program's text.
  static constexpr bool is_machine_site(site s) { return s >= first_machine_site; }
  /// Where that line's file lay when it was compiled, an absolute path; empty for a site that has no line.
  [[nodiscard]] std::string path_of(site s) const;
  /// The paths of all files that lines named so far, by the names that `line_of` gave them.
  [[nodiscard]] std::map<std::string, std::set<std::string>> named_files() const;
  /// `(process address) - text_base()` is a site.
  [[nodiscard]] std::uint64_t text_base() const;
  /// Variables of the student's program in shared (TLS), constant and device memory; the emulator's own excluded.
  [[nodiscard]] const std::vector<device_symbol>& device_symbols() const;
  /// Name of the host variable or function at a process address; empty if none.
  [[nodiscard]] std::string symbol_at(std::uint64_t address) const;
  /// The same name as the linker knows it.
  [[nodiscard]] std::string linkage_name_at(std::uint64_t address) const;
  /// Names of the formal parameters of the function that starts at `address`, in order; empty if unknown.
  [[nodiscard]] std::vector<std::string> parameters_of(std::uint64_t address) const;
  /// The function that `s` lies in, though g++ may have put it into another; empty where nobody knows.
  [[nodiscard]] std::string function_at(site s) const;
  /// The one array of the C++ type `type` (`float [6]` or `float[6]`) among the variables of the functions that `s` lies in; empty if
  /// there is none or several.
  [[nodiscard]] std::string array_at(site s, std::string_view type) const;

 private:
  struct implementation;
  std::unique_ptr<implementation> implementation_;
};

}  // namespace simtlab::emulator
