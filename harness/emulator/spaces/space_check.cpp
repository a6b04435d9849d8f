#include "spaces/space_check.h"

#include <cxxabi.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <unordered_map>
#include <unordered_set>

#include "spaces/device_library.h"
#include "spaces/header_names.h"

namespace simtlab::emulator {
namespace {

using std::string;
using std::string_view;

/// The attributes that the qualifiers stand for (include/host_defines.h).
constexpr string_view device_mark = "no_icf", host_mark = "no_profile_instrument_function", kernel_mark = "noclone",
                      launch_mark = "no_sanitize";

bool has(string_view text, string_view what) { return text.find(what) != string_view::npos; }

string demangled(string_view symbol) {
  string name(symbol);
  if (symbol.starts_with("_Z")) {
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                      std::free);
    if (text) name = text.get();
  }
  if (const std::size_t blank = name.find(" []"); blank != string::npos) name.erase(blank, 1);  // operator new []
  return name;
}

/// One name for the variants of a constructor or destructor: complete object, base object, deleting.
string unified(string_view symbol) {
  string name(symbol);
  for (std::size_t i = 2; i + 2 < name.size(); ++i)
    if ((name[i] == 'C' || name[i] == 'D') && name[i + 1] >= '0' && name[i + 1] <= '3' && name[i + 2] == 'E')
      name[i + 1] = '2';
  return name;
}

string_view said(execution_space s) {
  switch (s) {
    case execution_space::device:
      return "a `__device__` function";
    case execution_space::host_device:
      return "a `__host__ __device__` function";
    case execution_space::kernel:
      return "a kernel (`__global__`)";
    default:
      return "a host function";
  }
}

class checker {
 public:
  explicit checker(const checked_program& program) : program_(program) {
    for (const dumped_function& f : program.dump.functions) {
      by_number_.emplace(f.declaration, &f);
      by_symbol_.emplace(unified(f.symbol), &f);
    }
    for (const placed_variable& v : program.variables) device_variables_.emplace(plain_name(demangled(v.symbol)));
  }

  std::vector<space_error> run() {
    for (const kernel_fault& k : program_.source.kernel_faults()) tell(k.place, k.message);
    for (const source_place& place : program_.source.thread_locals())
      tell(place, "device code has no `thread_local` variables: a plain local variable is each thread's own already");
    for (const source_place& place : program_.dump.computed_jumps)
      if (program_.source.is_own(place.file))
        tell(place, "`goto *`, a jump to a label by its address, which CUDA C++ does not have. Write a `switch`");
    if (!program_.extended_lambda)
      for (const source_place& place : program_.source.annotated_lambdas())
        tell(place,
             "a lambda with `__device__` is an extension of nvcc's: compile with --extended-lambda, or write a struct "
             "with a `__device__` operator()");
    for (const dumped_function& f : program_.dump.functions) check(f);
    check_constant_bytes();
    // A function that should have been the device's calls what belongs there: one mistake, told once.
    std::erase_if(errors_,
                  [this](const space_error& e) { return e.in_host != 0 && meant_for_device_.contains(e.in_host); });
    std::stable_sort(errors_.begin(), errors_.end(), [](const space_error& a, const space_error& b) {
      return std::pair(a.place.line, a.place.column) < std::pair(b.place.line, b.place.column);
    });
    return std::move(errors_);
  }

  [[nodiscard]] own_functions functions() const {
    own_functions found;
    for (const dumped_function& f : program_.dump.functions) {
      if (origin_of(f) != origin::own || has(f.attributes, launch_mark)) continue;
      const execution_space space = space_of(f);
      if (space == execution_space::host)
        found.for_hosts_alone.emplace_back(f.symbol);
      else if (space != execution_space::kernel)
        found.for_devices.emplace_back(f.symbol);
    }
    return found;
  }

 private:
  enum class origin : std::uint8_t { own, emulator, library };

  [[nodiscard]] origin origin_of(const dumped_function& f) const {
    if (program_.source.is_own(f.begin.file)) return origin::own;
    return f.begin.line == 0 || f.begin.file.starts_with(program_.own_headers) ? origin::emulator : origin::library;
  }

  [[nodiscard]] const dumped_function* definition(const dumped_use& use) const {
    if (const auto found = by_number_.find(use.declaration); found != by_number_.end()) return found->second;
    if (!use.name.starts_with("_Z")) return nullptr;
    const auto found = by_symbol_.find(unified(use.name));
    return found == by_symbol_.end() ? nullptr : found->second;
  }

  /// The function that a lambda is written in.
  [[nodiscard]] const dumped_function* enclosing(const dumped_function& f) const {
    if (!f.symbol.starts_with("_ZZ") || !has(f.name, "<lambda")) return nullptr;
    for (std::size_t end = f.symbol.size(); end > 3; --end) {
      if (f.symbol[end - 1] != 'E') continue;
      const string inner(f.symbol.substr(3, end - 4));
      for (const string& symbol : {"_Z" + inner, inner, inner.size() > 1 ? inner.substr(1) : inner})
        if (const auto found = by_symbol_.find(unified(symbol)); found != by_symbol_.end() && found->second != &f)
          return found->second;
    }
    // extern "C": the length stands before the name.
    for (const auto& [symbol, function] : by_symbol_)
      if (f.symbol.substr(3).starts_with(std::to_string(symbol.size()) + symbol + "E")) return function;
    return nullptr;
  }

  static execution_space by_marks(string_view attributes) {
    if (has(attributes, kernel_mark)) return execution_space::kernel;
    if (!has(attributes, device_mark)) return execution_space::host;
    return has(attributes, host_mark) ? execution_space::host_device : execution_space::device;
  }

  [[nodiscard]] execution_space space_of(const dumped_function& f) const {
    const bool marked =
        has(f.attributes, kernel_mark) || has(f.attributes, device_mark) || has(f.attributes, host_mark);
    if (marked) return by_marks(f.attributes);
    if (has(f.symbol, "7simtlab") || f.symbol.starts_with("simtlab_")) return execution_space::host_device;
    if (const dumped_function* outer = enclosing(f)) {
      const execution_space s = space_of(*outer);
      return s == execution_space::kernel ? execution_space::device : s;
    }
    const origin from = origin_of(f);
    // The intrinsics among the mathematical functions; the others are for both.
    if (f.begin.file.ends_with("/math_functions.h") && f.name.starts_with("__")) return execution_space::device;
    if (from == origin::emulator) return execution_space::host_device;
    const bool may_be_constexpr = from == origin::library || program_.source.declares_constexpr(plain_name(f.name));
    if (program_.relaxed_constexpr && may_be_constexpr) return execution_space::host_device;
    if (is_implicit(f)) return execution_space::host_device;
    if (from == origin::own && program_.source.is_specialisation(plain_name(f.name), f.begin))
      return execution_space::host_device;
    if (from == origin::library && is_library_device(f)) return execution_space::host_device;
    return execution_space::host;
  }

  static bool is_library_device(const dumped_function& f) {
    return has_device_version(plain_name(f.name), f.name.starts_with("std::")) ||
           f.name.starts_with("std::initializer_list");
  }

  /// `__ldg` of `int __ldg<int>`, as a template's instance is called.
  static string_view without_template(string_view name) {
    name = name.substr(0, name.find('<'));
    return name.substr(name.rfind(' ') + 1);
  }

  /// Of a function that is defined elsewhere.
  [[nodiscard]] execution_space space_of_declared(const dumped_use& use) const {
    if (is_device_entry(use.name)) return execution_space::device;
    if (use.name.starts_with("simtlab_") || use.name.starts_with("__dt_") || use.name.starts_with("__ct_"))
      return execution_space::host_device;
    const string full = demangled(use.name);
    const string_view name = plain_name(full);
    if (has_device_version(name, full.starts_with("std::"))) return execution_space::host_device;
    const execution_space declared = program_.source.declared_space(name);
    const bool is_own = !program_.source.first_head(name).text.empty();
    // A call that is compiled away: of the function there is nothing but its name.
    if (declared == execution_space::host && !is_own && !full.starts_with("std::") &&
        device_headers_have(program_.own_headers, without_template(name)))
      return execution_space::host_device;
    return declared;
  }

  void check(const dumped_function& f) {
    if (has(f.attributes, launch_mark)) return check_launch(f);
    if (origin_of(f) != origin::own || is_implicit(f)) return;
    const execution_space space = space_of(f);
    if (space == execution_space::kernel && !f.result.starts_with("voidD.")) tell_result(f);
    if (space == execution_space::kernel) check_shared_bytes(f);
    if (space == execution_space::host) check_no_shared(f);
    for (const dumped_use& use : f.uses) {
      if (use.name.starts_with("_ZN7simtlab5plain")) check_launched(f, use);
      check(f, space, use);
    }
    if (space == execution_space::device || space == execution_space::kernel) check_constexpr_calls(f, space);
  }

  [[nodiscard]] bool is_implicit(const dumped_function& f) const {
    const bool marked = has(f.attributes, device_mark) || has(f.attributes, host_mark);
    if (has(f.symbol, "CI1") || has(f.symbol, "CI2")) return true;  // an inherited constructor
    return !marked && origin_of(f) == origin::own && program_.source.is_implicit(f.begin);
  }

  void check(const dumped_function& f, execution_space space, const dumped_use& use) {
    const dumped_function* const callee = definition(use);
    if (callee == nullptr && !use.is_call) return check_variable(f, space, use);
    if (callee != nullptr && use.is_call && is_implicit(*callee)) return check_implicit(f, space, use, *callee, 0);
    const execution_space other = callee != nullptr ? space_of(*callee) : space_of_declared(use);
    if (callee == nullptr && use.is_call) check_defined(f, space, use, other);
    if (!use.is_call) {
      if (other == execution_space::host && (space == execution_space::device || space == execution_space::kernel))
        tell_call(f, space, use, callee, other);
      return;
    }
    if (other == execution_space::kernel)
      tell_direct_call(f, use, callee);
    else if (runs_elsewhere(f, space, use, callee, other))
      tell_call(f, space, use, callee, other);
  }

  /// Whether a call leads from a kernel or a device function to a host function, or the other way round.
  [[nodiscard]] bool runs_elsewhere(const dumped_function& f, execution_space space, const dumped_use& use,
                                    const dumped_function* callee, execution_space other) const {
    if (other == execution_space::host) return space == execution_space::device || space == execution_space::kernel;
    if (other != execution_space::device || !is_callable_on_host(space)) return false;
    if (program_.lines_by_arch.contains({string(use.place.file), use.place.line})) return false;
    return !is_late_call(f, use) || (callee != nullptr && is_known_early(f, space, *callee));
  }

  /// Whether nvcc knows what a host template calls whatever the arguments of the call are: the method of an object whose class
  /// is no parameter of the template's, or an intrinsic that nvcc does not declare to the host's compiler at all (those of its
  /// crt/device_functions.h; recorded in harness/spaces/answers.csv).
  [[nodiscard]] bool is_known_early(const dumped_function& f, execution_space space,
                                    const dumped_function& callee) const {
    if (origin_of(callee) == origin::emulator)
      return space == execution_space::host && is_intrinsic(callee) && !is_declared_to_host(plain_name(callee.name));
    if (!callee.has_object || is_constructor(callee)) return false;
    const string_view name = callee.name, of_class = name.substr(0, name.find_first_of(":<"));
    const std::size_t parameters = f.name.find('<');
    if (parameters == string_view::npos || has(name.substr(0, name.rfind("::")), "<")) return false;
    return !has(f.name.substr(parameters), of_class);
  }

  static bool is_intrinsic(const dumped_function& f) {
    return plain_name(f.name).starts_with("__") &&
           (f.begin.file.ends_with("/device_functions.h") || f.begin.file.ends_with("/math_functions.h") ||
            f.begin.file.ends_with("/device_double_functions.h"));
  }

  /// The intrinsics of CUDA's sm_*_intrinsics.h.
  static bool is_declared_to_host(string_view name) {
    constexpr std::array<string_view, 11> beginnings{"__shfl",        "__ballot", "__all",      "__any",
                                                     "__match",       "__reduce", "__ld",       "__st",
                                                     "__funnelshift", "__dp",     "__nanosleep"};
    return std::ranges::any_of(beginnings, [name](string_view b) { return name.starts_with(b); });
  }

  /// Without separate compilation device code is one file's: what device code calls has to be defined there.
  void check_defined(const dumped_function& f, execution_space space, const dumped_use& use, execution_space other) {
    const bool from_device = space == execution_space::device || space == execution_space::kernel;
    const bool of_device = other == execution_space::device || other == execution_space::host_device;
    if (program_.separate_device_code || !from_device || !of_device) return;
    const string full = demangled(use.name);
    const string_view name = plain_name(full);
    if (name.starts_with("__")) return;  // reserved: no function of the program's, and the audit's to judge
    const bool elsewhere = name.starts_with("operator") || program_.source.declared_space(name) != other;
    if (elsewhere || program_.source.defines(name)) return;
    tell(use.place, string(subject(f, space)) + " calls '" + string(name) +
                        "', which this file declares and does not define. Check the spelling and "
                        "the types of its parameters, define it here, or compile all files with -rdc=true");
  }

  /// nvcc lets a host template call what its arguments ask for. Here a call with arguments counts as one of those.
  static bool is_late_call(const dumped_function& f, const dumped_use& use) {
    return use.has_arguments && has(f.name, "<") && !has(f.name, "<lambda");
  }

  /// What the compiler wrote runs where it is called, and so does what that calls: a member's constructor.
  void check_implicit(const dumped_function& f, execution_space space, const dumped_use& use,
                      const dumped_function& implicit, int depth) {
    constexpr int deepest = 16;
    for (const dumped_use& inner : implicit.uses) {
      const dumped_function* const callee = definition(inner);
      if (callee == nullptr || callee == &implicit || !inner.is_call) continue;
      if (is_implicit(*callee)) {
        if (depth < deepest) check_implicit(f, space, use, *callee, depth + 1);
        continue;
      }
      dumped_use here = inner;
      here.place = use.place;
      check(f, space, here);
    }
  }

  void check_constexpr_calls(const dumped_function& f, execution_space space) {
    if (program_.relaxed_constexpr || f.symbol.starts_with("_ZZ")) return;
    for (const function_head& call : program_.source.constexpr_calls(plain_name(f.name), f.begin)) {
      const bool of_library = call.text != plain_name(call.text) || program_.source.first_head(call.text).text.empty();
      tell_line(call.place, subject(f, space) + " calls '" + call.text + "', which is a `constexpr` host function. " +
                                (of_library ? "Use a constant such as INT_MAX or FLT_MAX"
                                            : write_before("__device__", program_.source.first_head(call.text))) +
                                ", or compile with --expt-relaxed-constexpr");
    }
  }

  void check_no_shared(const dumped_function& f) {
    const string own = "_ZZ" + string(f.symbol.substr(std::min<std::size_t>(2, f.symbol.size()))) + "E";
    for (const placed_variable& v : program_.variables)
      if (v.shared && v.symbol.starts_with(own) && plain_name(demangled(v.symbol)).find('.') == string_view::npos)
        tell(f.begin,
             "the host function '" + name_of(f) + "' declares the `__shared__` variable '" +
                 string(plain_name(demangled(v.symbol))) + "'. Shared memory is a block's: declare it in a kernel",
             f.declaration);
  }

  /// Static shared memory of a kernel and of all that it calls.
  void check_shared_bytes(const dumped_function& kernel) {
    constexpr std::size_t most = 48 * 1024;
    std::unordered_set<string_view> counted;
    std::unordered_set<const dumped_function*> seen{&kernel};
    std::vector<const dumped_function*> waiting{&kernel};
    std::size_t bytes = 0;
    while (!waiting.empty()) {
      const dumped_function& f = *waiting.back();
      waiting.pop_back();
      const string own = "_ZZ" + string(f.symbol.substr(std::min<std::size_t>(2, f.symbol.size()))) + "E";
      for (const dumped_use& use : f.uses) {
        const dumped_function* const callee = definition(use);
        if (callee != nullptr && seen.insert(callee).second) waiting.push_back(callee);
        if (callee != nullptr) continue;
        for (const placed_variable& v : program_.variables) {
          const bool local = v.symbol.starts_with("_ZZ");
          if (!v.shared || (local && !v.symbol.starts_with(own))) continue;
          if (plain_name(demangled(v.symbol)) == plain_name(demangled(use.name)) && counted.insert(v.symbol).second)
            bytes += v.bytes;
        }
      }
    }
    if (bytes <= most) return;
    const function_head head = head_of(kernel);
    tell(head.place.line != 0 ? head.place : kernel.begin,
         "the kernel '" + name_of(kernel) + "' has " + std::to_string(bytes) +
             " bytes of static shared memory, but a block has " + std::to_string(most) +
             ". Make its arrays smaller, or let the launch give the size: extern __shared__ T name[]");
  }

  /// A file's constant variables have one bank together (PTX ISA, "Constant State Space").
  void check_constant_bytes() {
    constexpr std::size_t most = 64 * 1024;
    std::size_t bytes = 0;
    const placed_variable* largest = nullptr;
    for (const placed_variable& v : program_.variables) {
      if (!v.constant) continue;
      bytes += v.bytes;
      if (largest == nullptr || v.bytes > largest->bytes) largest = &v;
    }
    if (bytes <= most || program_.dump.functions.empty()) return;
    const auto own = std::ranges::find_if(program_.dump.functions,
                                          [this](const dumped_function& f) { return origin_of(f) == origin::own; });
    if (own == program_.dump.functions.end()) return;
    tell(own->begin, "the `__constant__` variables of this file have " + std::to_string(bytes) +
                         " bytes, but constant memory has " + std::to_string(most) + ". The largest is '" +
                         string(plain_name(demangled(largest->symbol))) +
                         "': make it smaller, or let the kernel read a part of it from global memory");
  }

  void check_variable(const dumped_function& f, execution_space space, const dumped_use& use) {
    if (space != execution_space::device && space != execution_space::kernel) return;
    if (use.place.line == 0) return;  // no statement of the program's
    if (program_.dump.locals.contains(use.declaration) || program_.dump.types.contains(use.declaration)) return;
    if (use.name.starts_with("_ZT") || use.name.starts_with("simtlab_") || use.name.starts_with("_ZZ")) return;
    const string full = demangled(use.name);
    if (has(full, "(")) return;  // a function
    const string_view name = plain_name(full);
    if (device_variables_.contains(string(name)) || program_.source.is_device_variable(name)) return;
    tell(use.place,
         string(subject(f, space)) + " uses '" + string(name) +
             "', which is a host variable: device code cannot reach it. Pass its value as an argument of the kernel, "
             "or declare it `__device__` or `__constant__` and fill it with cudaMemcpyToSymbol");
  }

  /// The body of a launch whose kernel is a template or has default arguments: `kernel(arguments...)`.
  void check_launch(const dumped_function& f) {
    for (const dumped_use& use : f.uses) {
      const dumped_function* const callee = definition(use);
      const bool by_user = use.is_call && program_.source.is_own(use.place.file);
      if (by_user && callee != nullptr && !is_constructor(*callee)) check_kernel(use.place, *callee);
    }
  }

  /// An argument is converted to its parameter's type there, too.
  static bool is_constructor(const dumped_function& f) {
    const string_view name = plain_name(f.name);
    return name.starts_with("operator ") || has(f.name, string(name) + "::" + string(name)) || has(f.name, "::~");
  }

  /// `simtlab::plain(tag, kernel)` of a launch.
  void check_launched(const dumped_function& f, const dumped_use& plain) {
    for (const dumped_use& use : f.uses)
      if (use.statement == plain.statement && !use.is_call)
        if (const dumped_function* const launched = definition(use)) check_kernel(use.place, *launched);
  }

  void check_kernel(const source_place& place, const dumped_function& launched) {
    const execution_space space = space_of(launched);
    if (space == execution_space::kernel || origin_of(launched) != origin::own) return;
    meant_for_device_.insert(launched.declaration);
    const function_head head = head_of(launched);
    tell(place, "'" + name_of(launched) + "' is launched with <<< >>>, but it is " + string(said(space)) +
                    ", no kernel. " +
                    (space == execution_space::host ? write_before("__global__", head)
                                                    : write_instead("__global__", "__device__", head)));
  }

  void tell_result(const dumped_function& f) {
    const function_head head = head_of(f);
    string type(f.result.substr(0, f.result.find("D.")));
    tell(head.place.line != 0 ? head.place : f.begin,
         "the kernel '" + name_of(f) + "' returns a value (" + type +
             "), but a kernel has nobody to return to. Write " +
             "`__global__ void`, and store the result through a pointer that the kernel gets");
  }

  void tell_direct_call(const dumped_function& f, const dumped_use& use, const dumped_function* callee) {
    const string name = callee != nullptr ? name_of(*callee) : string(plain_name(demangled(use.name)));
    const execution_space space = space_of(f);
    if (space == execution_space::device || space == execution_space::kernel)
      return tell(use.place, string(subject(f, space)) + " calls the kernel '" + name +
                                 "' as a function: kernels are launched from host code. Make what both need a "
                                 "`__device__` function and call that");
    tell(use.place, "'" + name_of(f) + "' calls the kernel '" + name + "' without a launch configuration. Write " +
                        name + "<<<blocks, threads>>>(…)");
  }

  void tell_call(const dumped_function& f, execution_space space, const dumped_use& use, const dumped_function* callee,
                 execution_space other) {
    if (other == execution_space::host && callee != nullptr) meant_for_device_.insert(callee->declaration);
    const string full = callee != nullptr ? string(callee->name) : demangled(use.name);
    const string name = callee != nullptr ? name_of(*callee) : name_in_cuda(plain_name(full));
    const bool own = callee == nullptr || origin_of(*callee) == origin::own;
    const function_head head = callee != nullptr ? head_of(*callee) : program_.source.first_head(name);
    string text = string(subject(f, space)) + (use.is_call ? " calls '" : " takes the address of '") + name +
                  "', which is " + string(said(other)) + ". ";
    if (other == execution_space::device) {
      if (head.text.empty() || !own)
        text += "Only kernels and `__device__` functions may call it: move the call into a kernel";
      else
        text += write_instead("__host__ __device__", "__device__", head) + ", or move the call into a kernel";
    } else if (head.text.empty() || !own) {
      text += full.starts_with("std::")
                  ? "Most of the C++ library is host code: use arrays and functions of your own in device code"
                  : "Device code cannot call it: compute the value on the host and pass it as an argument";
    } else {
      text += write_before("__device__", head);
    }
    tell(use.place, text, space == execution_space::host ? f.declaration : 0);
  }

  [[nodiscard]] string subject(const dumped_function& f, execution_space space) const {
    const bool lambda = has(plain_name(f.name), "operator()") && has(f.name, "<lambda");
    const string name = lambda ? "a lambda" : "'" + name_of(f) + "'";
    switch (space) {
      case execution_space::kernel:
        return "the kernel " + name;
      case execution_space::device:
        return lambda ? name + " of device code" : "the `__device__` function " + name;
      case execution_space::host_device:
        return "the `__host__ __device__` function " + name;
      default:
        return lambda ? name + " of host code" : "the host function " + name;
    }
  }

  /// `__syncthreads` of `simtlab_syncthreads`.
  static string name_in_cuda(string_view name) {
    return name.starts_with("simtlab_") ? "__" + string(name.substr(8)) : string(name);
  }
  static string name_of(const dumped_function& f) { return string(plain_name(f.name)); }
  [[nodiscard]] function_head head_of(const dumped_function& f) const {
    return program_.source.head_before(plain_name(f.name), f.begin);
  }
  static string line_of(const function_head& head) {
    return "`" + head.text + "` at line " + std::to_string(head.place.line);
  }
  static string write_before(const string& word, const function_head& head) {
    return head.text.empty() ? "Write `" + word + "` before its declaration"
                             : "Write `" + word + "` before " + line_of(head);
  }
  static string write_instead(const string& word, const string& old, const function_head& head) {
    return "Write `" + word + "` instead of `" + old + "` in " +
           (head.text.empty() ? "its declaration" : line_of(head));
  }

  /// Unless the line has an error already: of a call that g++ left, too.
  void tell_line(const source_place& place, const string& message) {
    for (const space_error& e : errors_)
      if (e.place.line == place.line && e.place.file == place.file) return;
    tell(place, message);
  }
  void tell(const source_place& place, const string& message, std::uint32_t in_host = 0) {
    for (const space_error& e : errors_)
      if (e.place.line == place.line && e.place.column == place.column && e.message == message) return;
    errors_.push_back({place, message, in_host});
  }

  const checked_program& program_;
  std::unordered_map<std::uint32_t, const dumped_function*> by_number_;
  std::unordered_map<string, const dumped_function*> by_symbol_;
  std::unordered_set<string> device_variables_;         ///< plain names
  std::unordered_set<std::uint32_t> meant_for_device_;  ///< host functions that device code calls or a launch names
  std::vector<space_error> errors_;
};

}  // namespace

std::vector<space_error> check_spaces(const checked_program& program) { return checker(program).run(); }
own_functions own_functions_of(const checked_program& program) { return checker(program).functions(); }

}  // namespace simtlab::emulator
