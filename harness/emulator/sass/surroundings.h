// What machine code needs from whoever runs it: which memory it may touch and whose that is, and the few functions of CUDA's that
// kernels call without carrying their code along (vprintf, malloc, free, __assertfail).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/types.h"
#include "observers/observer.h"
#include "sass/order_follower.h"

namespace simtlab::emulator::sass {

/// The variable that an address belongs to.
struct memory_place {
  memory_space space = memory_space::unmapped;
  variable_id variable = 0;
  address_range bytes;  ///< around the address, all of it the same place: asked once for all of them
};

/// One lane's call of a function whose code the cubin has not.
struct device_call {
  std::string_view name;  ///< the linker's
  site where = 0;
  std::uint32_t thread = 0;  ///< linear index in the block
  std::uint64_t block_index = 0;
  const launch_info* launch = nullptr;
  std::array<std::uint32_t, 12> registers{};  ///< R4 to R15 as the caller left them: arguments, pointers in two each
  /// The bytes from a generic address of this thread on that may be touched: local and shared memory, too. Empty: none.
  std::span<std::byte> (*reach)(const device_call&, address generic) = nullptr;
  const void* block = nullptr;  ///< for `reach`
};

/// What a texture instruction asks for. A texture of one dimension may be asked with two coordinates, the second zero.
struct texture_fetch {
  std::uint32_t handle = 0;  ///< the lower half of the cudaTextureObject_t: the instruction has no more of it
  site where = 0;
  unsigned dimensions = 1;
  std::array<const std::uint32_t*, 3> coordinates{};  ///< [32] each: bits of floats, or whole texels (tex1Dfetch)
  bool by_texel = false;                              ///< whole texels
  std::uint32_t warp = 0;
  lane_mask active = 0;
};

/// What the texture unit answers.
struct fetched_texels {
  std::uint32_t component[4][warp_size] = {};  ///< bits of what each active lane gets
  std::uint32_t width = 0;                     ///< bytes of a texel; 0: nobody counts this fetch
  /// Where the texels lie that the lanes ask for (0: outside), and behind them those that the filter reads besides.
  std::array<std::array<address, warp_size>, 8> texels{};
  unsigned taps = 1;  ///< how many of these there are
};

class surroundings {
 public:
  surroundings() = default;
  surroundings(const surroundings&) = delete;  // runners point to it
  surroundings& operator=(const surroundings&) = delete;
  virtual ~surroundings() = default;

  /// The bytes around the process address `a` that a kernel may touch without harm to this process, whether or not they belong to a
  /// variable: an arena. Empty: the launch ends with a memory_fault.
  [[nodiscard]] virtual address_range reachable(address a) = 0;
  /// What lies at a process address. Asked for the lowest lane of a request.
  [[nodiscard]] virtual memory_place place_of(address a) = 0;
  /// What lies at an offset in the block's shared window; dynamic shared memory begins at dynamic_shared_window (memory_map.h).
  [[nodiscard]] virtual memory_place shared_place_of(address offset) = 0;
  /// A kernel calls through a pointer that is none of the machine code's, whose lower half this is: where its own copy of that function
  /// begins, in bytes from its first instruction; `no_function` where it has none.
  [[nodiscard]] virtual std::uint32_t place_of_function(std::uint32_t) { return no_function; }
  static constexpr std::uint32_t no_function =
      1;  ///< no instruction begins there: what c[0x2] has for a null pointer, too
  /// What the function leaves in R4 and R5. Throws what it likes; the default refuses.
  virtual std::uint64_t call(const device_call&);
  /// Null: nobody follows what orders this block's threads. Asked when it begins.
  [[nodiscard]] virtual order_follower* follower() { return nullptr; }
  /// The default refuses.
  virtual void fetch(const texture_fetch&, fetched_texels&);
};

}  // namespace simtlab::emulator::sass
