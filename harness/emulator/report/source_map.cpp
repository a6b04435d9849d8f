// How it works. Names of shared, constant and device variables come from the records that the assembly rewrite left in
// the program (`simtlab_symbols`), so that no file is read for them. Lines, parameters and host symbols come from the
// executable's own DWARF and symbol table, opened when the first of them is asked for. A program without debug
// information gives empty answers.
#include "report/source_map.h"

#include <cxxabi.h>
#include <dwarf.h>
#include <elf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <gelf.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <mutex>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "include/simtlab/emulator_entry.h"

extern "C" {
// Names that the linker makes; weak, because a program may have no such variable.
extern const simtlab_symbol_record __start_simtlab_symbols[]
    __attribute__((weak));  // NOLINT(bugprone-reserved-identifier)
extern const simtlab_symbol_record __stop_simtlab_symbols[]
    __attribute__((weak));  // NOLINT(bugprone-reserved-identifier)
}

namespace simtlab::emulator {
namespace {

/// `tile` of `void tiled<16>(float const*)::tile`.
std::string last_component(std::string_view name) {
  int depth = 0;
  for (std::size_t i = name.size(); i-- > 0;) {
    const char c = name[i];
    if (c == ')' || c == '>' || c == ']' || c == '}')
      ++depth;
    else if (c == '(' || c == '<' || c == '[' || c == '{')
      --depth;
    else if (c == ':' && depth == 0 && i > 0 && name[i - 1] == ':')
      return std::string(name.substr(i + 1));
  }
  return std::string(name);
}

/// The source name of a symbol, without namespaces, functions and parameters around it.
std::string source_name(const char* mangled) {
  int status = 0;
  // A name that is not mangled may read as a mangled type: `x` as long long.
  const bool is_mangled = std::string_view(mangled).starts_with("_Z");
  char* demangled = is_mangled ? abi::__cxa_demangle(mangled, nullptr, nullptr, &status) : nullptr;
  std::string name = demangled == nullptr ? mangled : demangled;
  std::free(demangled);  // NOLINT(cppcoreguidelines-no-malloc): the ABI's contract
  if (const std::size_t parameters = name.find('(');
      parameters != std::string::npos && name.back() == ')' && parameters > 0)
    name.resize(parameters);
  return last_component(name);
}

/// Of the executable's segment, on this thread.
address thread_local_begin() {
  address begin = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* program, std::size_t, void* data) {
        *static_cast<address*>(data) = reinterpret_cast<address>(program->dlpi_tls_data);
        return 1;  // the executable comes first
      },
      &begin);
  return begin;
}

std::vector<device_symbol> recorded_symbols() {
  std::vector<device_symbol> result;
  for (const simtlab_symbol_record* r = __start_simtlab_symbols; r != __stop_simtlab_symbols; ++r) {
    const bool by_function = r->kind == simtlab_symbol_shared_by_function;
    const memory_space space = by_function || r->kind == simtlab_symbol_shared ? memory_space::shared
                               : r->kind == simtlab_symbol_constant            ? memory_space::constant
                                                                               : memory_space::global;
    const address begin = by_function ? reinterpret_cast<address (*)()>(r->begin)() - thread_local_begin()
                                      : r->begin;  // NOLINT(performance-no-int-to-ptr)
    result.push_back({source_name(r->name), space, begin, r->bytes, r->name});
  }
  std::sort(result.begin(), result.end(), [](const device_symbol& a, const device_symbol& b) {
    return std::pair(a.space, a.begin) < std::pair(b.space, b.begin);
  });
  return result;
}

/// Load address of the executable: what its addresses are off by, and where its first byte lies.
struct load_address {
  std::uint64_t bias = 0;
  std::uint64_t first = std::numeric_limits<std::uint64_t>::max();
};

load_address of_executable() {
  load_address result;
  dl_iterate_phdr(
      [](dl_phdr_info* program, std::size_t, void* data) {
        auto& where = *static_cast<load_address*>(data);
        where.bias = program->dlpi_addr;
        for (int i = 0; i < program->dlpi_phnum; ++i)
          if (program->dlpi_phdr[i].p_type == PT_LOAD)
            where.first = std::min<std::uint64_t>(where.first, program->dlpi_addr + program->dlpi_phdr[i].p_vaddr);
        return 1;  // the executable comes first
      },
      &result);
  return result;
}

/// The running executable's file in memory, for as long as the process lives; nothing where it cannot be opened.
struct mapped_executable {
  char* begin = nullptr;
  std::size_t bytes = 0;

  mapped_executable() {
    const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    struct stat status {};
    if (file < 0) return;
    if (fstat(file, &status) == 0) {
      bytes = static_cast<std::size_t>(status.st_size);
      void* mapped = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, file, 0);
      if (mapped != MAP_FAILED) begin = static_cast<char*>(mapped);
    }
    close(file);
  }
};

const mapped_executable& this_executable() {
  static const mapped_executable file;
  return file;
}

/// Frames of headers that a student did not write. simtcc names the emulator's own as if they were in /usr/include.
bool is_foreign(std::string_view file) { return file.starts_with("/usr/include/") || file.starts_with("/usr/lib/"); }

/// A file of a translation unit, seen from the folder in which the unit was compiled.
std::filesystem::path path_in_unit(const char* file, Dwarf_Die* unit) {
  Dwarf_Attribute attribute;
  const char* folder = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
  const std::filesystem::path path = std::filesystem::path(folder == nullptr ? "" : folder);
  return (path / (file == nullptr ? "" : file)).lexically_normal();
}

/// `path` as seen from the folder of the translation unit's own source: machine paths are nobody's business.
std::string short_name(const std::filesystem::path& path, Dwarf_Die* unit) {
  namespace fs = std::filesystem;
  const fs::path here = path_in_unit(dwarf_diename(unit), unit).parent_path();
  const fs::path relative = path.lexically_relative(here);
  const bool inside = !relative.empty() && *relative.begin() != "..";
  return inside ? relative.string() : path.filename().string();
}

std::optional<Dwarf_Word> number_of(Dwarf_Die* die, unsigned attribute_name) {
  Dwarf_Attribute attribute;
  Dwarf_Word value = 0;
  if (dwarf_attr(die, attribute_name, &attribute) == nullptr || dwarf_formudata(&attribute, &value) != 0)
    return std::nullopt;
  return value;
}

/// Appends the scopes below `around` that contain an address, outermost first. libdw's own search passes namespaces by.
void add_scopes(Dwarf_Die* around, std::uint64_t at, std::vector<Dwarf_Die>& scopes) {
  Dwarf_Die child;
  if (dwarf_child(around, &child) != 0) return;
  do {
    const int tag = dwarf_tag(&child);
    if (tag == DW_TAG_namespace) {
      const std::size_t before = scopes.size();
      add_scopes(&child, at, scopes);
      if (scopes.size() != before) return;
    } else if ((tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine) &&
               dwarf_haspc(&child, at) > 0) {
      scopes.push_back(child);
      add_scopes(&child, at, scopes);
      return;
    }
  } while (dwarf_siblingof(&child, &child) == 0);
}

/// The same of a lambda and of a local type's function, which have code of their own and stand below the type, in the function around
/// it: that one's code does not contain them.
void add_scopes_of_local_type(Dwarf_Die* around, std::uint64_t at, std::vector<Dwarf_Die>& scopes) {
  Dwarf_Die child;
  if (dwarf_child(around, &child) != 0) return;
  do {
    switch (dwarf_tag(&child)) {
      case DW_TAG_structure_type:
      case DW_TAG_class_type:
      case DW_TAG_union_type:
        add_scopes(&child, at, scopes);
        [[fallthrough]];
      case DW_TAG_namespace:
      case DW_TAG_subprogram:
      case DW_TAG_lexical_block:
        if (scopes.empty()) add_scopes_of_local_type(&child, at, scopes);
        break;
      default:
        break;
    }
  } while (scopes.empty() && dwarf_siblingof(&child, &child) == 0);
}

/// The scopes around an address, innermost first, as they were compiled (not as they were written).
std::vector<Dwarf_Die> scopes_at(Dwarf_Die* unit, std::uint64_t at) {
  std::vector<Dwarf_Die> result;
  add_scopes(unit, at, result);
  if (result.empty()) add_scopes_of_local_type(unit, at, result);
  std::reverse(result.begin(), result.end());
  return result;
}

/// The same in a program; none where it has no debug information there.
std::vector<Dwarf_Die> scopes_at(Dwarf* debug, std::uint64_t at) {
  Dwarf_Die unit;
  if (debug == nullptr || dwarf_addrdie(debug, at, &unit) == nullptr) return {};
  return scopes_at(&unit, at);
}

/// The type of a variable or of an array's elements, without its qualifiers and other names.
bool type_of(Dwarf_Die* of, Dwarf_Die* type) {
  Dwarf_Attribute attribute;
  return dwarf_formref_die(dwarf_attr_integrate(of, DW_AT_type, &attribute), type) != nullptr;
}

/// `float[4][6]` for the type of an array; empty for any other.
std::string array_text(Dwarf_Die type) {
  if (dwarf_tag(&type) != DW_TAG_array_type) return {};
  std::string bounds;
  Dwarf_Die range, element;
  if (dwarf_child(&type, &range) != 0 || !type_of(&type, &element)) return {};
  do {
    if (const auto last = number_of(&range, DW_AT_upper_bound)) bounds += "[" + std::to_string(*last + 1) + "]";
  } while (dwarf_siblingof(&range, &range) == 0);
  while (dwarf_tag(&element) == DW_TAG_const_type || dwarf_tag(&element) == DW_TAG_volatile_type)
    if (!type_of(&element, &element)) return {};
  const char* name = dwarf_diename(&element);
  return name == nullptr ? std::string() : std::string(name) + bounds;
}

struct host_symbol {
  std::uint64_t begin = 0, end = 0;  ///< addresses in the file
  std::string name;
};

}  // namespace

struct source_map::implementation {
  std::mutex mutex;
  load_address load = of_executable();
  std::vector<device_symbol> symbols = recorded_symbols();

  // Opened lazily, under the mutex.
  bool opened = false;
  Elf* elf = nullptr;
  Dwarf* debug = nullptr;
  std::vector<host_symbol> host_symbols;
  struct place {
    source_line line;
    std::string path;
  };
  std::unordered_map<site, place> places;
  std::unordered_map<std::uint64_t, std::vector<std::string>> parameters;  // asked for at each launch
  std::map<std::string, std::set<std::string>> named_files;
  std::vector<machine_place> machine_places;  ///< by site

  void open();
  void read_symbols();
  place find_place(std::uint64_t at);
  place find_machine_place(site);
  std::vector<std::string> find_parameters(std::uint64_t in_file) const;
  const place& place_of(site s);

  implementation() = default;
  implementation(const implementation&) = delete;  // owns the debug information
  implementation& operator=(const implementation&) = delete;
  ~implementation() {
    if (debug != nullptr) dwarf_end(debug);
    if (elf != nullptr) elf_end(elf);
  }
};

void source_map::implementation::open() {
  if (opened) return;
  opened = true;
  const mapped_executable& file = this_executable();
  if (file.begin == nullptr) return;
  elf_version(EV_CURRENT);
  elf = elf_memory(file.begin, file.bytes);
  debug = dwarf_begin_elf(elf, DWARF_C_READ, nullptr);
  read_symbols();
}

void source_map::implementation::read_symbols() {
  if (elf == nullptr) return;
  for (Elf_Scn* section = elf_nextscn(elf, nullptr); section != nullptr; section = elf_nextscn(elf, section)) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_SYMTAB || header.sh_entsize == 0) continue;
    Elf_Data* data = elf_getdata(section, nullptr);
    const auto count = static_cast<int>(header.sh_size / header.sh_entsize);
    for (int i = 0; data != nullptr && i < count; ++i) {
      GElf_Sym symbol;
      if (gelf_getsym(data, i, &symbol) == nullptr || symbol.st_size == 0 || symbol.st_shndx == SHN_UNDEF) continue;
      const auto type = GELF_ST_TYPE(symbol.st_info);
      if (type != STT_OBJECT && type != STT_FUNC) continue;
      const char* name = elf_strptr(elf, header.sh_link, symbol.st_name);
      if (name != nullptr) host_symbols.push_back({symbol.st_value, symbol.st_value + symbol.st_size, name});
    }
  }
  std::sort(host_symbols.begin(), host_symbols.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
}

source_map::implementation::place source_map::implementation::find_place(std::uint64_t at) {
  Dwarf_Die unit;
  if (debug == nullptr || dwarf_addrdie(debug, at, &unit) == nullptr) return {};
  Dwarf_Line* found = dwarf_getsrc_die(&unit, at);
  const char* name = found == nullptr ? nullptr : dwarf_linesrc(found, nullptr, nullptr);
  int line = 0;
  if (name == nullptr || dwarf_lineno(found, &line) != 0) return {};
  Dwarf_Files* files = nullptr;
  std::size_t count = 0;
  if (dwarf_getsrcfiles(&unit, &files, &count) != 0) count = 0;
  // A call that was inlined stands where the inlined function was called.
  if (is_foreign(name)) {
    for (Dwarf_Die& scope : scopes_at(&unit, at)) {
      if (dwarf_tag(&scope) != DW_TAG_inlined_subroutine) continue;
      const auto call_file = number_of(&scope, DW_AT_call_file);
      const auto call_line = number_of(&scope, DW_AT_call_line);
      if (!call_file || !call_line || *call_file >= count) continue;
      const char* caller = dwarf_filesrc(files, *call_file, nullptr, nullptr);
      if (caller == nullptr) continue;
      name = caller;
      line = static_cast<int>(*call_line);
      if (!is_foreign(name)) break;
    }
  }
  const std::filesystem::path path = path_in_unit(name, &unit);
  return {{short_name(path, &unit), line}, path.string()};
}

const source_map::implementation::place& source_map::implementation::place_of(site s) {
  const auto known = places.find(s);
  if (known != places.end()) return known->second;
  open();
  const place found = is_machine_site(s) ? find_machine_place(s) : find_place(load.first - load.bias + s - 1);
  if (!found.line.file.empty()) named_files[found.line.file].insert(found.path);
  return places[s] = found;
}

source_map::implementation::place source_map::implementation::find_machine_place(site s) {
  const std::size_t number = s - first_machine_site;
  if (number >= machine_places.size() || machine_places[number].path.empty()) return {};
  const machine_place& found = machine_places[number];
  // As the program's own lines name the file, where they do.
  for (const auto& [name, paths] : named_files)
    if (paths.contains(found.path)) return {{name, found.line}, found.path};
  return {{std::filesystem::path(found.path).filename().string(), found.line}, found.path};
}

source_map::source_map() : implementation_(std::make_unique<implementation>()) {}
source_map::~source_map() = default;

void source_map::open_executable() { this_executable(); }

source_map& source_map::of_this_program() {
  static source_map map;
  return map;
}

source_line source_map::line_of(site s) const {
  if (s == 0) return {};
  const std::lock_guard guard(implementation_->mutex);
  return implementation_->place_of(s).line;
}

site source_map::add_places(std::vector<machine_place> places) {
  const std::lock_guard guard(implementation_->mutex);
  std::vector<machine_place>& all = implementation_->machine_places;
  const site first = first_machine_site + static_cast<site>(all.size());
  all.insert(all.end(), std::make_move_iterator(places.begin()), std::make_move_iterator(places.end()));
  return first;
}

std::string source_map::path_of(site s) const {
  if (s == 0) return {};
  const std::lock_guard guard(implementation_->mutex);
  return implementation_->place_of(s).path;
}

std::map<std::string, std::set<std::string>> source_map::named_files() const {
  const std::lock_guard guard(implementation_->mutex);
  return implementation_->named_files;
}

std::uint64_t source_map::text_base() const { return implementation_->load.first; }

const std::vector<device_symbol>& source_map::device_symbols() const { return implementation_->symbols; }

std::string source_map::symbol_at(std::uint64_t where) const {
  const std::string name = linkage_name_at(where);
  return name.empty() ? name : source_name(name.c_str());
}

std::string source_map::linkage_name_at(std::uint64_t where) const {
  implementation& i = *implementation_;
  const std::lock_guard guard(i.mutex);
  i.open();
  const std::uint64_t in_file = where - i.load.bias;
  auto after = std::upper_bound(i.host_symbols.begin(), i.host_symbols.end(), in_file,
                                [](std::uint64_t a, const host_symbol& s) { return a < s.begin; });
  if (after == i.host_symbols.begin()) return {};
  const host_symbol& s = *std::prev(after);
  return in_file < s.end ? s.name : std::string();
}

std::string source_map::function_at(site s) const {
  implementation& i = *implementation_;
  const std::lock_guard guard(i.mutex);
  i.open();
  for (Dwarf_Die& scope : scopes_at(i.debug, i.load.first - i.load.bias + s - 1)) {
    const int tag = dwarf_tag(&scope);
    if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram) continue;
    const char* name = dwarf_diename(&scope);
    return name == nullptr ? "" : name;
  }
  return {};
}

std::string source_map::array_at(site s, std::string_view type) const {
  implementation& i = *implementation_;
  const std::lock_guard guard(i.mutex);
  i.open();
  std::string found, wanted(type);
  if (const std::size_t blank = wanted.find(" ["); blank != std::string::npos)
    wanted.erase(blank, 1);  // as g++ writes it
  for (Dwarf_Die& scope : scopes_at(i.debug, i.load.first - i.load.bias + s - 1)) {
    const int tag = dwarf_tag(&scope);
    const bool is_code = tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine || tag == DW_TAG_subprogram;
    Dwarf_Die child, variable_type;
    if (!is_code || dwarf_child(&scope, &child) != 0) continue;
    do {
      if (dwarf_tag(&child) != DW_TAG_variable || !type_of(&child, &variable_type)) continue;
      const char* name = dwarf_diename(&child);
      if (name == nullptr || array_text(variable_type) != wanted || found == name) continue;
      if (!found.empty()) return {};
      found = name;
    } while (dwarf_siblingof(&child, &child) == 0);
  }
  return found;
}

std::vector<std::string> source_map::parameters_of(std::uint64_t where) const {
  implementation& i = *implementation_;
  const std::lock_guard guard(i.mutex);
  const auto [known, is_new] = i.parameters.try_emplace(where);
  if (is_new) {
    i.open();
    known->second = i.find_parameters(where - i.load.bias);
  }
  return known->second;
}

std::vector<std::string> source_map::implementation::find_parameters(std::uint64_t in_file) const {
  for (Dwarf_Die& scope : scopes_at(debug, in_file)) {
    Dwarf_Addr begin = 0;
    if (dwarf_tag(&scope) != DW_TAG_subprogram || dwarf_lowpc(&scope, &begin) != 0 || begin != in_file) continue;
    std::vector<std::string> names;
    Dwarf_Die child;
    if (dwarf_child(&scope, &child) != 0) return names;
    do {
      if (dwarf_tag(&child) != DW_TAG_formal_parameter) continue;
      const char* name = dwarf_diename(&child);
      names.emplace_back(name == nullptr ? "" : name);
    } while (dwarf_siblingof(&child, &child) == 0);
    return names;
  }
  return {};
}

}  // namespace simtlab::emulator
