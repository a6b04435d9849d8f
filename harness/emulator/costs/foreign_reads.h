// Bytes that lanes read in shared memory where another thread of the block has stored: what threads hand to one another there.
// A tile in which each thread finds what it has put there itself is no more than a register.
//
// It asks for every request, and remembers for each byte of the block's shared memory who stored there last; so it is there only
// where somebody wants to know (options::foreign_reads).
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>

#include "observers/observer.h"

namespace simtlab::emulator {

class foreign_reads final : public observer {
 public:
  void launch_begins(const launch_info&) override { bytes_ = 0; }
  void block_begins(const block_info&) override {
    pages_.clear();
    last_ = nullptr;
  }
  void request(const warp_request&) override;

  /// Of the launch so far.
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

 private:
  using thread_number = std::uint16_t;  // from 1 on; 0: nobody
  static constexpr address page_bytes = 4096;
  using page = std::array<thread_number, page_bytes>;  // who stored to each byte
  /// The page that holds `at`. Static and dynamic shared memory lie far apart.
  [[nodiscard]] page& page_of(address at);

  std::unordered_map<address, page> pages_;
  page* last_ = nullptr;
  address last_number_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace simtlab::emulator
