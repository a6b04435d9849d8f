#include "sass/block_runner.h"

namespace simtlab::emulator::sass {

struct block_runner::state {};

block_runner::block_runner(const launch&, surroundings&, std::span<observer* const>, const launch_info&)
    : state_(std::make_unique<state>()) {}
block_runner::~block_runner() = default;

void block_runner::run(coordinates block, std::uint64_t index) {
  begin(block, index);
  while (!advance(~std::uint64_t{0})) {
  }
}

void block_runner::begin(coordinates, std::uint64_t) {}
bool block_runner::advance(std::uint64_t) { return true; }
void block_runner::settle() {}
std::vector<instruction_count> block_runner::counts() const { return {}; }

}  // namespace simtlab::emulator::sass
