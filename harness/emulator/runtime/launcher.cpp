#include "runtime/launcher.h"

// A kernel launch as the program makes it: the configuration is checked against the device's limits, the pointer
// arguments lend their parameters' names to the memory they point to, and the grid runs.
#include <cxxabi.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "checks/region_text.h"
#include "core/occupancy.h"
#include "report/finding_layout.h"
#include "runtime/api_call.h"
#include "runtime/debug_stop.h"
#include "runtime/graph.h"
#include "runtime/machine_launch.h"
#include "runtime/program_image.h"
#include "runtime/virtual_gpu.h"
#include "scheduler/block_scheduler.h"
#include "trace/hook_state.h"
#include "trace/parameters.h"

using namespace simtlab::emulator;

namespace {

std::string shape(const extents& e) {
  return "(" + std::to_string(e.x) + ", " + std::to_string(e.y) + ", " + std::to_string(e.z) + ")";
}

extents block_of(const simtlab_launch_request& request) {
  const std::optional<extents>& other = device::instance().settings.launch_block;
  return other ? *other : extents{request.block[0], request.block[1], request.block[2]};
}

/// What is wrong with the configuration; empty if nothing is.
std::string complaint(const extents& grid, const extents& block) {
  if (grid.count() == 0)
    return "the grid " + shape(grid) +
           " has no block: there is no element, or a division rounds down to zero. Round up: (n + block - 1) / block";
  if (block.count() == 0) return "the block " + shape(block) + " has no thread";
  if (block.count() > virtual_gpu::threads_per_block)
    return "the block " + shape(block) + " has " + std::to_string(block.count()) + " threads; a block has at most " +
           std::to_string(virtual_gpu::threads_per_block) +
           (block.y * block.z == 1 ? ". Take a fixed size of block, say 256, and (n + 255) / 256 blocks"
                                   : ". In two dimensions that is at most 32 x 32: make the block or the tile smaller");
  if (block.x > virtual_gpu::block_x || block.y > virtual_gpu::block_y || block.z > virtual_gpu::block_z)
    return "the block " + shape(block) + " exceeds " +
           shape({virtual_gpu::block_x, virtual_gpu::block_y, virtual_gpu::block_z});
  if (grid.x > virtual_gpu::grid_x || grid.y > virtual_gpu::grid_y || grid.z > virtual_gpu::grid_z)
    return "the grid " + shape(grid) + " exceeds " +
           shape({virtual_gpu::grid_x, virtual_gpu::grid_y, virtual_gpu::grid_z});
  return "";
}

/// The same of the dynamic shared memory, for which an H200 answers cudaErrorInvalidValue.
std::string complaint_of_shared(std::size_t bytes, std::size_t limit, const gpu_model& gpu) {
  if (bytes <= limit) return "";
  return std::to_string(bytes) + " bytes of dynamic shared memory are asked for; the limit is " +
         std::to_string(limit) + " (cudaFuncSetAttribute can raise it to " +
         std::to_string(gpu.shared_per_block_optin) + ")";
}

/// "A kernel will fail to launch if it is executed with more threads per block than its launch bound" (CUDA C++ Programming Guide,
/// "Launch Bounds"). The guide names no error; CUDA's driver answers CUDA_ERROR_INVALID_VALUE, which is cudaErrorInvalidValue.
std::string complaint_of_bounds(const simtlab_launch_request& request, const extents& block) {
  const std::uint64_t bound =
      launch_bound(request.function == nullptr ? reinterpret_cast<const void*>(request.invoke) : request.function);
  if (bound == 0 || block.count() <= bound) return "";
  return "the block " + shape(block) + " has " + std::to_string(block.count()) + " threads; the kernel's " +
         "__launch_bounds__ allow " + std::to_string(bound) + ". Launch smaller blocks, or raise the bound";
}

/// What a launch asks for that the emulator does not have; empty if nothing. All else that a launch may ask for is a hint, or
/// holds here anyway: launches of a stream run one after the other.
std::string complaint_of_attributes(const simtlab_launch_request& request) {
  const auto* const attributes = static_cast<const cudaLaunchAttribute*>(request.attributes);
  for (unsigned i = 0; i < request.attribute_count; ++i) {
    const cudaLaunchAttributeValue& value = attributes[i].val;
    switch (attributes[i].id) {
      case cudaLaunchAttributeIgnore:
      case cudaLaunchAttributeAccessPolicyWindow:
      case cudaLaunchAttributeSynchronizationPolicy:
      case cudaLaunchAttributeClusterSchedulingPolicyPreference:
      case cudaLaunchAttributeProgrammaticStreamSerialization:
      case cudaLaunchAttributePriority:
      case cudaLaunchAttributeMemSyncDomainMap:
      case cudaLaunchAttributeMemSyncDomain:
      case cudaLaunchAttributePreferredSharedMemoryCarveout:
      case cudaLaunchAttributeCooperative:  // complaint_of_cooperation
        break;
      case cudaLaunchAttributeClusterDimension:
        if (value.clusterDim.x == 1 && value.clusterDim.y == 1 && value.clusterDim.z == 1) break;
        return "it asks for clusters of blocks, which the emulator does not have. Leave the attribute out, and let "
               "each "
               "block work by itself";
      default:
        return "its attribute " + std::to_string(attributes[i].id) +
               " is none that the emulator has. Leave it out, or run on a GPU";
    }
  }
  return "";
}

bool is_cooperative(const simtlab_launch_request& request) {
  const auto* const attributes = static_cast<const cudaLaunchAttribute*>(request.attributes);
  return std::any_of(attributes, attributes + request.attribute_count, [](const cudaLaunchAttribute& a) {
    return a.id == cudaLaunchAttributeCooperative && a.val.cooperative != 0;
  });
}

/// Why not all blocks can run at a time, and the error that says so; 0: they can.
std::pair<error_code, std::string> complaint_of_cooperation(const device& d, const simtlab_launch_request& request,
                                                            const extents& grid, const extents& block) {
  const gpu_model& gpu = *d.settings.gpu;
  if (!gpu.has_cooperative_launches())
    return {cudaErrorNotSupported, "it is cooperative, and " + std::string(gpu.name) + " has no cooperative launches"};
  const auto threads = static_cast<unsigned>(block.count());
  const unsigned blocks =
      occupancy_of(gpu, {threads, d.static_shared_bytes(request.function), request.dynamic_shared, 0}).blocks;
  const std::uint64_t most = std::uint64_t{blocks} * static_cast<unsigned>(gpu.multiprocessors);
  if (grid.count() > most)
    return {cudaErrorCooperativeLaunchTooLarge,
            "it is cooperative and has " + std::to_string(grid.count()) + " blocks; the GPU has room for " +
                std::to_string(most) + " of them at a time: " + std::to_string(blocks) + " on each of " +
                std::to_string(gpu.multiprocessors) +
                " multiprocessors (cudaOccupancyMaxActiveBlocksPerMultiprocessor). Launch no more, and let each do "
                "more"};
  if (grid.count() > block_scheduler::most_cooperative_blocks)
    return {cudaErrorNotSupported, "it is cooperative and has " + std::to_string(grid.count()) +
                                       " blocks; the emulator runs " +
                                       std::to_string(block_scheduler::most_cooperative_blocks) +
                                       " at a time. Launch fewer, and let each do more"};
  const std::uint64_t room = block_scheduler::threads_at_a_time();
  if (grid.count() * threads > room)
    return {cudaErrorNotSupported,
            "it is cooperative and has " + std::to_string(grid.count() * threads) + " threads; the emulator runs " +
                std::to_string(room) +
                " at a time on this machine (the system's vm.max_map_count bounds it). Launch fewer blocks, and let "
                "each do more"};
  return {cudaSuccess, ""};
}

/// What the launch's parameters carry: all but pointers into memory, and null. A pointer to nowhere is data.
std::vector<char> values_of_parameters(const device& d, const simtlab_launch_request& request) {
  std::vector<char> values;
  for (unsigned i = 0; i < request.argument_count; ++i) {
    if (request.argument_is_pointer[i] != 0) {
      const auto a = reinterpret_cast<address>(*static_cast<void* const*>(request.arguments[i]));
      if (a == 0 || d.map.find(a) != nullptr) continue;
    }
    const auto* value = static_cast<const char*>(request.arguments[i]);
    values.insert(values.end(), value, value + request.argument_bytes[i]);
  }
  return values;
}

/// The memory that an argument reads or writes if it is a texture or surface object.
void name_texture(device& d, const void* argument, unsigned bytes, const std::string& parameter) {
  cudaTextureObject_t object = 0;
  if (bytes != sizeof object) return;
  std::memcpy(&object, argument, sizeof object);
  const texture* const t = d.textures.find(object);
  const surface* const s = d.surfaces.find(object);
  const bool is_live = t != nullptr ? t->live : s != nullptr && s->live;
  const variable_id memory = t != nullptr ? t->memory : s != nullptr ? s->memory : 0;
  if (is_live && d.map.region(memory).live && d.map.name(memory).empty()) d.map.rename(memory, parameter);
}

/// Memory that has no name yet is called as the kernel calls the parameter that points to it.
void name_arguments(device& d, const simtlab_launch_request& request, launch_info& launch, site caller) {
  if (request.function == nullptr) return;
  const std::vector<std::string> names = d.sources.parameters_of(reinterpret_cast<address>(request.function));
  for (unsigned i = 0; i < request.argument_count && i < names.size(); ++i) {
    if (request.argument_is_pointer[i] == 0) continue;
    const auto a = reinterpret_cast<address>(*static_cast<void* const*>(request.arguments[i]));
    const memory_region* r = d.map.find(a);
    if (r != nullptr && r->live && r->begin == a && r->name.empty()) d.map.rename(r->id, names[i]);
    if (const memory_region* symbol = d.unasked_symbol(a); symbol != nullptr) {
      d.report_host(rule::device_access_to_host, caller, symbol->name,
                    "Parameter " + names[i] + " of " + launch.kernel + " is given " + shadow_text(*symbol) +
                        ", which a kernel cannot reach. Use " + symbol->name +
                        " in the kernel itself, or ask cudaGetSymbolAddress for its address on the device and pass "
                        "that.");
    }
    if (r == nullptr && a != 0) launch.host_pointers.push_back({a, names[i]});
  }
  for (unsigned i = 0; i < request.argument_count && i < names.size(); ++i)  // behind the pointers, which come first
    if (request.argument_is_pointer[i] == 0) name_texture(d, request.arguments[i], request.argument_bytes[i], names[i]);
}

/// The parameters that a GPU's threads read in constant memory, and that lie in no registers here.
std::vector<wide_parameter> wide_parameters(device& d, const simtlab_launch_request& request) {
  constexpr unsigned most_in_registers = 16;
  std::vector<wide_parameter> wide;
  std::vector<std::string> names;
  for (unsigned i = 0; i < request.argument_count; ++i) {
    if (request.argument_is_pointer[i] != 0 || request.argument_bytes[i] <= most_in_registers) continue;
    if (wide.empty() && request.function != nullptr)
      names = d.sources.parameters_of(reinterpret_cast<address>(request.function));
    const void* const kernel =
        request.function == nullptr ? reinterpret_cast<const void*>(request.invoke) : request.function;
    const address counted =
        d.parameters.place_of(kernel, i, request.argument_bytes[i], i < names.size() ? names[i] : "");
    if (counted == 0) continue;
    wide_parameter p{static_cast<const char*>(request.arguments[i]), request.argument_bytes[i], counted};
    p.holds_table = d.table_copies.holds_table(p);
    wide.push_back(p);
  }
  return wide;
}

/// `fill<float>` of its symbol, for a kernel that has no name in the text of the launch.
std::string name_of(const std::string& symbol, const char* launched_by) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> whole(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  if (status != 0) return symbol.starts_with("_Z") ? launched_by : symbol;  // of a kernel that is `extern "C"`
  std::string text = whole.get();
  constexpr std::string_view unnamed = "(anonymous namespace)::";
  for (std::size_t at = text.find(unnamed); at != std::string::npos; at = text.find(unnamed, at))
    text.erase(at, unnamed.size());
  std::size_t begin = 0, depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '<') ++depth;
    if (text[i] == '>') --depth;
    if (text[i] == ' ' && depth == 0) begin = i + 1;  // behind the type of a template's result
    if (text[i] == '(' && depth == 0 && i > begin) return text.substr(begin, i - begin);
  }
  return launched_by;
}

/// Whether a launch that is written `arrays::fill<T>` names the kernel with this symbol, and no pointer to one.
bool names_kernel(std::string_view written, const std::string& symbol) {
  written = written.substr(0, written.find('<'));
  const std::string name(written.substr(written.rfind(':') + 1));  // npos + 1 is 0
  return symbol == name || symbol.find(std::to_string(name.size()) + name) != std::string::npos;
}

/// `<16u, 4ul>` as a programmer writes it: `<16, 4>`.
std::string without_suffixes(std::string arguments) {
  constexpr std::string_view digits = "0123456789";
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    if (digits.find(arguments[i]) == digits.npos || std::string_view("<, -").find(arguments[i - 1]) == digits.npos)
      continue;
    const std::size_t suffix = arguments.find_first_not_of(digits, i);
    const std::size_t end = arguments.find_first_not_of("ul", suffix);
    if (end != std::string::npos && (arguments[end] == ',' || arguments[end] == '>'))
      arguments.erase(suffix, end - suffix);
  }
  return arguments;
}

/// `matmul<16>` of a launch that is written `matmul<T>`: instances of one template are told apart by their symbols.
std::string with_arguments(const std::string& written, const std::string& symbol) {
  const std::size_t open = written.find('<');
  if (open == std::string::npos || symbol.empty() || !written.ends_with('>')) return written;
  const std::string whole = name_of(symbol, written.c_str());
  std::size_t begin = whole.size(), depth = 0;
  if (whole.empty() || whole.back() != '>') return written;
  do {
    --begin;
    if (whole[begin] == '>') ++depth;
    if (whole[begin] == '<') --depth;
  } while (begin > 0 && depth != 0);
  return depth != 0 ? written : written.substr(0, open) + without_suffixes(whole.substr(begin));
}

/// The kernel of a launch whose template arguments were deduced: the function that runs it calls it by name.
const machine_kernel* kernel_called_by(device& d, void (*invoke)(void*), std::string& problem) {
  for (const address target : calls_of(reinterpret_cast<address>(invoke)))
    if (const std::string name = d.sources.linkage_name_at(target); !name.empty())
      if (const machine_kernel* const found = d.machine.find(name, problem); found != nullptr) return found;
  return nullptr;
}

/// The launch of what nvcc made of the kernel, where the program carries that along and nobody wants otherwise; nothing, after a note
/// that says why, where it cannot be executed.
std::optional<machine_launch> on_machine(device& d, const simtlab_launch_request& request, const std::string& symbol,
                                         running_launch& launch, site caller) {
  if (!d.settings.as_compiled || !machine_kernels::are_there()) return std::nullopt;
  const arena::access open(d.memory);  // constants are read, which host code could not do unseen
  std::string problem;
  const machine_kernel* const kernel =
      symbol.empty() ? kernel_called_by(d, request.invoke, problem) : d.machine.find(symbol, problem);
  std::vector<std::byte> parameters;
  if (kernel != nullptr) {
    problem.clear();
    parameters = machine_launch::parameters_of(*kernel->function, request.arguments, request.argument_bytes,
                                               request.argument_count, problem);
  }
  if (problem.empty()) {
    if (launch.cooperative) launch.grid_workspace = d.new_grid_workspace();
    return std::optional<machine_launch>(std::in_place, *kernel, launch, parameters);
  }
  d.report_host(rule::not_as_compiled, caller, "",
                "Kernel " + launch.info.kernel + " runs as g++ compiled it, not as nvcc did: " + problem +
                    ". Its counters are those of the source; SIMTLAB_ENGINE=g++ asks for that.");
  return std::nullopt;
}

/// What the launch has left where the program's next locals will lie: addresses, which a kernel may have made of its operands.
[[gnu::noinline]] void wipe_stack_below() {
  std::array<char, 65536> left;
  std::memset(left.data(), 0, left.size());
  asm volatile("" : : "r"(left.data()) : "memory");
}

/// The configuration is valid. Returns the sticky error.
error_code run_launch(device& d, const simtlab_launch_request& request, stream_handle stream, site caller) {
  running_launch launch;
  launch.cooperative = is_cooperative(request);
  const std::string symbol =
      request.function == nullptr ? "" : d.sources.linkage_name_at(reinterpret_cast<address>(request.function));
  launch.info.kernel = symbol.empty() || names_kernel(request.kernel, symbol) ? with_arguments(request.kernel, symbol)
                                                                              : name_of(symbol, request.kernel);
  name_arguments(d, request, launch.info, caller);
  launch.info.grid = {request.grid[0], request.grid[1], request.grid[2]};
  launch.info.block = block_of(request);
  launch.info.dynamic_shared_bytes = request.dynamic_shared;
  launch.function = request.function;
  const std::vector<char> values = values_of_parameters(d, request);
  d.host.parameter_bytes += values.size();
  d.work.passed_by_value(request.function, values, caller);
  launch.invoke = request.invoke;
  launch.pack = request.pack;
  the_parameters = {reinterpret_cast<address>(request.pack), request.pack_bytes, wide_parameters(d, request)};
  launch.stream = stream;
  std::optional<machine_launch> machine = on_machine(d, request, symbol, launch, caller);
  launch.machine = machine ? &*machine : nullptr;
  if (is_thread_chosen()) d.settings.workers = 1;
  stop_in_chosen_thread(launch, symbol.empty() ? launch.info.kernel : symbol);
  const error_code ended = d.run(launch);
  if (launch.grid_workspace != 0) d.heap.free(reinterpret_cast<void*>(launch.grid_workspace), 0);
  return ended;
}

/// More than any type's.
constexpr std::align_val_t pack_alignment{4096};

}  // namespace

void kept_launch::pack_deleter::operator()(std::byte* pack) const { ::operator delete[](pack, pack_alignment); }

kept_launch::kept_launch(const simtlab_launch_request& request, site where)
    : request_(request),
      where_(where),
      pack_(new (pack_alignment) std::byte[request.pack_bytes]),
      argument_bytes_(request.argument_bytes, request.argument_bytes + request.argument_count),
      argument_is_pointer_(request.argument_is_pointer, request.argument_is_pointer + request.argument_count) {
  std::memcpy(pack_.get(), request.pack, request.pack_bytes);
  for (unsigned i = 0; i < request.argument_count; ++i)
    arguments_.push_back(pack_.get() + (static_cast<const std::byte*>(request.arguments[i]) -
                                        static_cast<const std::byte*>(request.pack)));
  const auto* const attributes = static_cast<const cudaLaunchAttribute*>(request.attributes);
  attributes_.assign(attributes, attributes + request.attribute_count);
  request_.pack = pack_.get();
  request_.arguments = arguments_.data();
  request_.argument_bytes = argument_bytes_.data();
  request_.argument_is_pointer = argument_is_pointer_.data();
  request_.attributes = attributes_.data();
}

cudaKernelNodeParams kept_launch::parameters(std::shared_ptr<void>& arguments) const {
  constexpr std::size_t alignment = 64;
  const std::size_t of_pointers = rounded_up(arguments_.size() * sizeof(void*) + 1, alignment);
  std::byte* const memory = static_cast<std::byte*>(
      std::aligned_alloc(alignment, of_pointers + rounded_up(request_.pack_bytes, alignment)));  // NOLINT
  arguments = std::shared_ptr<void>(memory, [](void* p) { std::free(p); });                      // NOLINT
  std::memcpy(memory + of_pointers, pack_.get(), request_.pack_bytes);
  auto** const pointers = reinterpret_cast<void**>(memory);
  for (std::size_t i = 0; i < arguments_.size(); ++i)
    pointers[i] = memory + of_pointers + (static_cast<const std::byte*>(arguments_[i]) - pack_.get());
  return {const_cast<void*>(kernel()),
          {request_.grid[0], request_.grid[1], request_.grid[2]},
          {request_.block[0], request_.block[1], request_.block[2]},
          static_cast<unsigned>(request_.dynamic_shared),
          pointers,
          nullptr};
}

bool kept_launch::launch_with(device& d, const api_caller& caller, const cudaKernelNodeParams& p) const {
  if (!caller.may_read(d, p.kernelParams, arguments_.size() * sizeof(void*))) return false;
  if (p.kernelParams == nullptr && !arguments_.empty()) return false;
  kept_launch other(request_, where_);
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    if (p.kernelParams[i] == nullptr || !caller.may_read(d, p.kernelParams[i], argument_bytes_[i])) return false;
    std::memcpy(const_cast<void*>(other.arguments_[i]), p.kernelParams[i], argument_bytes_[i]);
  }
  const simtlab_launch_request shape =
      simtlab::request_of(request_.kernel, p.gridDim, p.blockDim, p.sharedMemBytes, nullptr);
  std::copy_n(shape.grid, 3, other.request_.grid);
  std::copy_n(shape.block, 3, other.request_.block);
  other.request_.dynamic_shared = shape.dynamic_shared;
  other.request_.stream = nullptr;
  simtlab_launch(&other.request_);
  return true;
}

std::shared_ptr<const kept_launch> kept_launch::with_attributes_of(const kept_launch& other) const {
  simtlab_launch_request request = request_;
  request.attributes = other.attributes_.data();
  request.attribute_count = other.request_.attribute_count;
  return std::make_shared<kept_launch>(request, where_);
}

error_code kept_launch::run(device& d, stream_handle stream) const {
  // A kernel's arguments are its own to change.
  const std::unique_ptr<std::byte[], pack_deleter> pack(new (pack_alignment) std::byte[request_.pack_bytes]);
  std::memcpy(pack.get(), pack_.get(), request_.pack_bytes);
  std::vector<const void*> arguments;
  arguments.reserve(arguments_.size());
  for (const void* a : arguments_) arguments.push_back(pack.get() + (static_cast<const std::byte*>(a) - pack_.get()));
  simtlab_launch_request request = request_;
  request.pack = pack.get();
  request.arguments = arguments.data();
  return run_launch(d, request, stream, where_);
}

void simtlab::emulator::let_program_print(const void* frame) {
  if (!kernels_print_apart || !is_memory_closed()) return;
  note_library_call(reinterpret_cast<address>(frame) - sizeof(address));
  std::fflush(stdout);
}

namespace {

/// The kernels whose parameters are known, by address. Static variables of the program tell of some: before there is a device.
struct known_kernel_list {
  std::mutex lock;
  std::map<const void*, simtlab_launcher> launchers;

  static known_kernel_list& instance() {
    static auto* const the = new known_kernel_list;  // never destroyed, as the device
    return *the;
  }
};

}  // namespace

simtlab_launcher simtlab::emulator::launcher_of(const void* kernel) {
  known_kernel_list& list = known_kernel_list::instance();
  const std::lock_guard guard(list.lock);
  const auto known = list.launchers.find(kernel);
  return known == list.launchers.end() ? nullptr : known->second;
}

extern "C" void simtlab_know_kernel(const void* kernel, simtlab_launcher launcher) {
  const emulator_call inside;
  known_kernel_list& list = known_kernel_list::instance();
  const std::lock_guard guard(list.lock);
  list.launchers[kernel] = launcher;
}

void simtlab::emulator::launch_known_at(const api_caller& from, const void* kernel,
                                        const simtlab_launch_request& request, void** arguments) {
  simtlab_launcher launcher = nullptr;
  {
    const emulator_call inside;
    from.refuse_in_kernel();
    launcher = launcher_of(kernel);
    device& d = device::instance();
    const std::lock_guard guard(d.lock);
    if (launcher != nullptr) {
      d.launch_site = from.where;
    } else {
      if (kernel != nullptr)  // a GPU may know it; of a null pointer the program asks what the call returns
        d.report_host(rule::invalid_address, from.where, "",
                      std::string(from.function) +
                          ": this is the address of no kernel whose parameters are known. The emulator learns them "
                          "where a kernel's name is cast: write (void*)kernel, or pass the kernel without a cast.");
      d.record(cudaErrorInvalidDeviceFunction);
    }
  }
  if (launcher != nullptr) launcher(kernel, &request, arguments);
}

extern "C" void simtlab_launch_known(const void* kernel, const simtlab_launch_request* request, void** arguments) {
  launch_known_at(api_caller(request->kernel, __builtin_return_address(0), __builtin_dwarf_cfa()), kernel, *request,
                  arguments);
}

extern "C" int simtlab_has_arguments(const simtlab_launch_request* request, void** arguments, unsigned count) {
  unsigned found = 0;
  while (arguments != nullptr && found < count && arguments[found] != nullptr) ++found;
  if (found == count) return 1;
  const api_caller from(request->kernel, __builtin_return_address(0), __builtin_dwarf_cfa());
  const emulator_call inside;
  device& d = device::instance();
  const std::lock_guard guard(d.lock);
  const site told = std::exchange(d.launch_site, 0);
  const std::string which = arguments == nullptr
                                ? "the array of arguments"
                                : "the address of argument " + std::to_string(found + 1) + " in the array of arguments";
  d.report_host(rule::invalid_address, told == 0 ? from.where : told, "",
                std::string(from.function) + ": " + which + " is a null pointer, but the kernel has " +
                    counted_text(count, "parameter") +
                    ". Write the address of each argument there: void* arguments[] = {&data, &count}.");
  d.record(cudaErrorInvalidValue);
  return 0;
}

extern "C" void simtlab_launch(const simtlab_launch_request* request) {
  const api_caller from("A launch", __builtin_return_address(0), __builtin_dwarf_cfa());
  let_program_print(__builtin_dwarf_cfa());
  const emulator_call inside;
  device& d = device::instance();
  const site told = std::exchange(d.launch_site, 0), caller = told == 0 ? from.where : told;
  std::shared_ptr<const kept_launch>* const recorded = std::exchange(d.recorded, nullptr);
  if (worker* w = worker::current(); w != nullptr && w->in_lane()) {
    w->end_lane(rule::unsupported, caller,
                "A kernel launches a kernel (dynamic parallelism), which the emulator does not have.",
                stop_reason::unsupported);
  }
  const std::lock_guard guard(d.lock);
  const auto fail = [&](error_code e, const std::string& reason = "") {
    d.record(e);
    if (e == d.sticky_error) return;  // the finding that stopped the kernel says more
    if (d.failed_launch_site != caller) d.report_unasked_launch();
    d.unasked_launch_error = true;
    d.failed_launch_site = caller;
    d.failed_kernel = request->kernel;
    d.failed_launch_reason = reason;
  };
  if (d.sticky_error != 0) return fail(d.sticky_error);
  if (d.must_fail())
    return fail(d.inject(failure::launch_out_of_resources, std::string("the launch of ") + request->kernel, caller));
  const extents grid{request->grid[0], request->grid[1], request->grid[2]};
  const extents block = block_of(*request);
  if (const std::string wrong = complaint(grid, block); !wrong.empty())
    return fail(cudaErrorInvalidConfiguration, wrong);
  if (const std::string wrong =
          complaint_of_shared(request->dynamic_shared, d.shared_limit(request->function), *d.settings.gpu);
      !wrong.empty())
    return fail(cudaErrorInvalidValue, wrong);
  if (const std::string wrong = complaint_of_bounds(*request, block); !wrong.empty())
    return fail(cudaErrorInvalidValue, wrong);
  if (request->attribute_count > 0 &&
      !from.may_read(d, request->attributes, request->attribute_count * sizeof(cudaLaunchAttribute)))
    return fail(cudaErrorInvalidValue, "its attributes lie in no memory of the program's");
  if (const std::string wrong = complaint_of_attributes(*request); !wrong.empty()) {
    d.record(cudaErrorNotSupported);  // and told, whoever asks: a GPU would have launched it
    return d.report_host(rule::unsupported, caller, "",
                         "The launch (" + std::string(request->kernel) + ") failed: " + wrong + ".");
  }
  if (is_cooperative(*request))
    if (const auto [error, wrong] = complaint_of_cooperation(d, *request, grid, block); error != cudaSuccess)
      return fail(error, wrong);
  if (!from.is_stream(d, static_cast<cudaStream_t>(request->stream)))
    return fail(cudaErrorInvalidResourceHandle, "its stream is none that cudaStreamCreate made, or was destroyed");
  if (recorded != nullptr) {
    *recorded = std::make_shared<kept_launch>(*request, caller);
    return;
  }
  if (stream_captures& captures = graph_tables::instance().captures; captures.any()) {
    auto kept = std::make_shared<kept_launch>(*request, caller);
    if (const auto taken = captures.take(request->stream, from, std::move(kept)); taken)
      return *taken == cudaSuccess ? void() : fail(*taken);
  }
  if (const error_code e = run_launch(d, *request, request->stream, caller); e != 0) fail(e);
  wipe_stack_below();
}
