// The PTX instructions that the emulator knows by name and does not have: what each is, and what to do instead.
#pragma once

#include <cstddef>
#include <string_view>

namespace simtlab::emulator {

/// `instruction` as it is written, `wgmma.fence.sync.aligned`; `offset`: where in the text. Throws ptx_error for one of them.
void refuse_known_instruction(std::string_view instruction, std::size_t offset);

}  // namespace simtlab::emulator
