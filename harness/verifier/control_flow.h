// A function's basic blocks, the ways between them, and which block every way to another one leads through.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "verifier/code_check.h"
#include "verifier/operation.h"

namespace simtlab::verifier {

struct block {
  std::size_t first = 0, last = 0;  ///< instructions [first, last); none in the entry
  std::vector<int> next, before;
  int landing = -1;  ///< where an exception of the call at the end lands
};

class control_flow {
 public:
  static constexpr int entry = 0;  ///< an empty block in front of the first instruction

  /// `ends`: for each instruction, whether it is a call that never returns.
  control_flow(const object_code&, const code_range&, const std::vector<operation>&, const std::vector<bool>& ends);

  [[nodiscard]] const std::vector<block>& blocks() const { return blocks_; }
  /// Blocks that some way leads to, so that each comes behind what dominates it.
  [[nodiscard]] const std::vector<int>& order() const { return order_; }
  [[nodiscard]] const std::vector<int>& depths() const { return depths_; }
  /// Whether every way to `b` leads through `a`, which is another block.
  [[nodiscard]] bool leads_through(int b, int a) const;
  [[nodiscard]] const std::vector<problem>& problems() const { return problems_; }

 private:
  void find_blocks(const code_range&, const std::vector<operation>&, const std::vector<bool>& ends);
  void find_dominators();
  [[nodiscard]] std::optional<std::vector<std::uint64_t>> table_of(const object_code&, const code_range&,
                                                                   const std::vector<operation>&, std::size_t) const;
  void tell(std::uint64_t at, std::string message);

  const object_code& object_;
  const code_range& function_;
  std::vector<block> blocks_;
  std::vector<int> order_, dominator_, depths_;
  /// The blocks that a block dominates, itself first, in an order in which they follow each other. None: it is not reached.
  struct range {
    int begin = 0, size = 0;
  };
  std::vector<range> below_;
  std::vector<problem> problems_;
};

/// Where a direct jump or call goes inside the object; nothing when it leaves it or is not direct.
[[nodiscard]] std::optional<place> direct_target(const object_code&, const code_range&, const operation&);

}  // namespace simtlab::verifier
