// In place of what reads and executes machine code, where a user's tree leaves it out: harness/emulator/sass/CMakeLists.txt.
#include <stdexcept>

#include "sass/block_runner.h"
#include "sass/machine_code.h"

namespace simtlab::emulator::sass {

std::shared_ptr<const machine_code> machine_code::load(std::span<const std::byte>, std::string_view) {
  throw unreadable_code("this emulator was built without the engine sass; make setup SASS=1 builds it");
}

struct block_runner::state {};
block_runner::block_runner(const launch&, surroundings&, std::span<observer* const>, const launch_info&) {
  throw std::logic_error("no machine code was read, and a block of it is run");
}
block_runner::~block_runner() = default;
void block_runner::run(coordinates, std::uint64_t) {}
void block_runner::begin(coordinates, std::uint64_t) {}
bool block_runner::advance(std::uint64_t) { return true; }
std::pair<site, std::uint32_t> block_runner::standing() const { return {}; }
void block_runner::settle() {}
bool block_runner::only_looked() const { return false; }
std::uint64_t block_runner::clock() const { return 0; }

}  // namespace simtlab::emulator::sass
