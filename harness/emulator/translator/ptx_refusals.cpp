#include "translator/ptx_refusals.h"

#include <array>
#include <string>

#include "translator/ptx_text.h"

namespace simtlab::emulator {
namespace {

constexpr std::string_view no_tensor_cores =
    "The emulator has tensor cores as nvcuda::wmma alone (mma.h): use its fragments, or test the kernel on a GPU";
constexpr std::string_view bulk_copies =
    "The emulator has neither bulk copies nor their barriers: copy with cp.async or plain loads, or test the kernel on "
    "a GPU";
constexpr std::string_view jumps =
    "The emulator knows labels and `bra` in inline PTX, no other jumps: write the call or the return in C++";
constexpr std::string_view no_clusters = "The emulator has no clusters of blocks: test the kernel on a GPU";
constexpr std::string_view other_texels = "Fetch with tex1Dfetch, tex2D and their kin";

struct refused {
  std::string_view name;  ///< begins with, up to a point or the end
  std::string_view what, advice;
};
constexpr std::array all_refused{
    refused{"wgmma", "a tensor core's instruction of a group of warps", no_tensor_cores},
    refused{"tcgen05", "a tensor core's instruction", no_tensor_cores},
    refused{"mma", "a tensor core's instruction", no_tensor_cores},
    refused{"wmma", "a tensor core's instruction", no_tensor_cores},
    refused{"ldmatrix", "a tensor core's load", no_tensor_cores},
    refused{"stmatrix", "a tensor core's store", no_tensor_cores},
    refused{"movmatrix", "a tensor core's instruction", no_tensor_cores},
    refused{"cp.async.bulk", "a bulk copy (TMA)", bulk_copies},
    refused{"cp.reduce.async", "a bulk copy (TMA)", bulk_copies},
    refused{"cp.async.mbarrier", "a barrier in shared memory", bulk_copies},
    refused{"mbarrier", "a barrier in shared memory",
            "The emulator has it as cuda::barrier (header cuda/barrier): use that, or test the kernel on a GPU"},
    refused{"tensormap", "a descriptor of bulk copies (TMA)", bulk_copies},
    refused{"setmaxnreg", "a change of the number of registers", bulk_copies},
    refused{"fence.proxy", "a fence for bulk copies", bulk_copies},
    refused{"fence.mbarrier_init", "a fence for barriers in shared memory", bulk_copies},
    refused{"barrier.cluster", "a cluster's barrier", no_clusters},
    refused{"mapa", "an address of another block's shared memory", no_clusters},
    refused{"getctarank", "a block's number in its cluster", no_clusters},
    refused{"griddepcontrol", "a launch that depends on another", "Leave it out here, or test the kernel on a GPU"},
    refused{"createpolicy", "a cache policy", "Load and store without `.L2::cache_hint`"},
    refused{"brx", "a branch", jumps},
    refused{"call", "a call", jumps},
    refused{"ret", "a return", jumps},
    refused{"exit", "a thread's end", jumps},
    refused{"tex", "a texture fetch", other_texels},
    refused{"tld4", "a texture fetch", other_texels},
    refused{"suld", "a surface's load", other_texels},
    refused{"sust", "a surface's store", other_texels},
};

}  // namespace

void refuse_known_instruction(std::string_view instruction, std::size_t offset) {
  for (const refused& r : all_refused) {
    if (!instruction.starts_with(r.name)) continue;
    const std::string_view rest = instruction.substr(r.name.size());
    if (rest.empty() || rest[0] == '.' || rest.starts_with("::"))
      throw ptx_error(offset,
                      "the instruction `" + std::string(instruction) + "` in inline PTX, " + std::string(r.what),
                      std::string(r.advice));
  }
}

}  // namespace simtlab::emulator
