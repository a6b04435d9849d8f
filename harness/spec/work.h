// Small plain members of a lab's specification that judge and runner read alike.
#pragma once

#include <cstdint>
#include <vector>

namespace simtlab {

/// The physics of one case, whatever the program does: compulsory traffic and useful arithmetic.
struct work {
  double bytes_read = 0;     ///< every input byte that must be read at least once
  double bytes_written = 0;  ///< every output byte
  double operations = 0;     ///< the lab's unit of work: multiply-adds of a product, elements of a reduction
  double shared_bytes = 0;   ///< what the textbook's kernel stores to and reads from shared memory; 0: nothing is said
  /// Bytes that the textbook's kernel asks for in an argument, where that is more than its size.
  struct asked {
    const char* argument;
    double bytes;
  };
  std::vector<asked> asks = {};
  // Of a host entry that is to move its data by several means, what each has to move: fewer of one earns as little as more.
  double copied_bytes = 0;    ///< by copies, both ways; 0: the bytes of the arguments, and fewer are fine
  double migrated_pages = 0;  ///< of managed memory, both ways (docs/unified-memory.md)
  double streamed_bytes = 0;  ///< by copies in streams that the program creates, both ways
};

/// What one case may use. The grader may lower them.
struct case_limits {
  double seconds = 10;   ///< processor time of the whole runner, for each worker; the clock may show three times that
  int memory_mb = 4096;  ///< data the process may allocate; not enforced by rlimit on CUDA
  int output_kb = 256;   ///< printed text
};

enum class severity : std::uint8_t { note, warning, error };

}  // namespace simtlab
