#include "judge/decide/thread_coverage.h"

#include <fmt/format.h>

#include <algorithm>

#include "judge/wording.h"

namespace simtlab {
namespace {

constexpr std::size_t fewest_elements = 32;  // of an input whose reads are counted: a single warp may well read more
constexpr std::uint64_t small_block = 32;

// "3 x 5 blocks"
std::string extents_text(const coordinates& c, const std::string& thing) {
  if (c[2] > 1) return fmt::format("{} x {} x {} {}s", c[0], c[1], c[2], thing);
  return c[1] > 1 ? fmt::format("{} x {} {}s", c[0], c[1], thing) : counted_text(c[0], thing);
}

bool stores_to(const launch_counters& l, const std::string& argument) {
  return std::ranges::any_of(l.accesses,
                             [&](const access_counters& a) { return a.access != "read" && a.variable == argument; });
}

bool is_flat(const launch_counters& l) { return l.grid[1] * l.grid[2] * l.block[1] * l.block[2] == 1; }

std::vector<explanation> in_one_direction(const launch_counters& l, const output_values& of) {
  const std::uint64_t threads = l.grid[0] * l.block[0], count = of.found.size();
  if (threads >= count) {
    for (std::size_t i = 0; i < of.found.size(); ++i)
      if (of.unwritten[i] != (i >= l.block[0])) return {};
    return {{"index without block",
             fmt::format("{}, and every block wrote elements 0 to {}: the index lacks blockIdx.x * blockDim.x.",
                         launch_text(l), l.block[0] - 1)}};
  }
  const std::string text = fmt::format("{}: {} for the {} elements of {}.", launch_text(l),
                                       counted_text(threads, "thread"), grouped(count), of.argument);
  std::vector<explanation> all;
  const std::string up =
      l.block[0] == 1 ? "one for each element" : fmt::format("(n + {0} - 1) / {0} blocks", l.block[0]);
  if (count / l.block[0] == l.grid[0] && l.grid[0] > 0) {
    const std::uint64_t rest = count % l.block[0];
    all.push_back(
        {grid_rounded_down,
         text + fmt::format(" {} / {} rounds down, and the last {} no thread. Round up: {}.", count, l.block[0],
                            rest == 1 ? "element has" : counted_text(rest, "element") + " have", up)});
  }
  all.push_back(
      {"grid too small", text + fmt::format(" Launch more blocks, {}; or let each thread take several elements "
                                            "in a loop.",
                                            up)});
  return all;
}

std::vector<explanation> in_two_directions(const launch_counters& l, const output_values& of) {
  const std::uint64_t x = l.grid[0] * l.block[0], y = l.grid[1] * l.block[1];
  const std::uint64_t rows = of.extents[0], cols = of.extents[1];
  if (x >= cols && y >= rows) return {};
  const std::string text = fmt::format("{}: {} in x and {} in y. {} has {} columns and {} rows.", launch_text(l),
                                       counted_text(x, "thread"), y, of.argument, cols, rows);
  std::vector<explanation> all;
  if (x >= rows && y >= cols)
    all.push_back(
        {"grid swapped", text + " That is enough the other way round: x and y are swapped in the grid. By custom "
                                "x runs along the columns and y along the rows."});
  const bool rounded = (x >= cols || cols / l.block[0] == l.grid[0]) && (y >= rows || rows / l.block[1] == l.grid[1]);
  if (rounded)
    all.push_back(
        {grid_rounded_down,
         text + fmt::format(" The division that gives the number of blocks rounds down, and the last tile has "
                            "no threads: round up, (columns + {0} - 1) / {0} and (rows + {1} - 1) / {1}.",
                            l.block[0], l.block[1])});
  all.push_back(
      {"grid too small",
       text + fmt::format(" The grid needs more blocks: (columns + {0} - 1) / {0} in x, (rows + {1} - 1) / {1} in "
                          "y.",
                          l.block[0], l.block[1])});
  return all;
}

// Threads enough, but those that were there wrote a block of another shape: what the index made of x and y.
std::string swapped_in_the_index(const launch_counters& l, const output_values& of) {
  const std::uint64_t x = l.grid[0] * l.block[0], y = l.grid[1] * l.block[1];
  const std::size_t rows = of.extents[0], cols = of.extents[1];
  if (x < cols || y < rows || (x >= rows && y >= cols)) return "";
  for (std::size_t i = 0; i < of.found.size(); ++i)
    if (of.unwritten[i] != (i / cols >= x || i % cols >= y)) return "";
  return fmt::format(
      "{} rows and {} columns of {} are written; {} ran with {} threads in x and {} in y. x and y are swapped "
      "in the kernel: by custom the column comes from blockIdx.x and threadIdx.x, the row from blockIdx.y and "
      "threadIdx.y.",
      std::min<std::uint64_t>(rows, x), std::min<std::uint64_t>(cols, y), of.argument, l.kernel, x, y);
}

}  // namespace

std::string configuration_text(const launch_counters& l) {
  return extents_text(l.grid, "block") + " of " + extents_text(l.block, "thread");
}

std::string launch_text(const launch_counters& l) {
  return fmt::format("{} ran with {}", l.kernel, configuration_text(l));
}

std::optional<explanation> swapped_launch(const std::vector<launch_counters>& launches) {
  for (const launch_counters& l : launches) {
    const std::uint64_t threads = l.block[0] * l.block[1] * l.block[2], blocks = l.grid[0] * l.grid[1] * l.grid[2];
    if (threads < small_block && blocks > threads)
      return explanation{"launch swapped",
                         fmt::format("{}: the two values of <<<blocks, threads>>> look swapped. Mend the launch first.",
                                     launch_text(l)),
                         certainty::certain};
  }
  return std::nullopt;
}

std::string unshared_arrays(const std::vector<launch_counters>& launches) {
  for (const launch_counters& l : launches) {
    const bool shares = l.shared_bytes > 0 ||
                        std::ranges::any_of(l.accesses, [](const access_counters& a) { return a.space == "shared"; });
    if (l.barriers > 0 && !shares)
      return fmt::format(
          "{} waits at __syncthreads(), but uses no shared memory. An array without __shared__ is each thread's own, "
          "and no "
          "other thread sees what is stored there: write __shared__ before the tiles.",
          l.kernel);
  }
  return "";
}

std::vector<explanation> missing_threads(const output_values& of, const std::vector<launch_counters>& launches) {
  if (launches.empty() || std::ranges::find(of.unwritten, true) == of.unwritten.end()) return {};
  const launch_counters* writer = nullptr;
  for (const launch_counters& l : launches)
    if (stores_to(l, of.argument)) writer = &l;
  if (writer == nullptr)
    return {{"nothing stored",
             launches.size() == 1
                 ? fmt::format("{}, and none of its threads stored to {}.", launch_text(launches[0]), of.argument)
                 : fmt::format("None of the kernels that ran stored to {}.", of.argument),
             certainty::vague}};
  const auto written = static_cast<std::uint64_t>(std::ranges::count(of.unwritten, false));
  const coordinates &grid = writer->grid, &block = writer->block;
  if (written > grid[0] * grid[1] * grid[2] * block[0] * block[1] * block[2]) return {};  // threads take several
  if (is_flat(*writer)) return in_one_direction(*writer, of);
  if (of.extents.size() != 2) return {};
  std::vector<explanation> all = in_two_directions(*writer, of);
  if (std::string text = swapped_in_the_index(*writer, of); all.empty() && !text.empty())
    all.push_back({"index swapped", std::move(text)});
  return all;
}

std::string missing_copy(const output_values& of, std::size_t element_bytes, const measurements& m) {
  const std::size_t bytes = of.found.size() * element_bytes;
  if (m.launches.empty() || std::ranges::find(of.unwritten, true) == of.unwritten.end() ||
      m.host.bytes_to_host >= bytes)
    return "";
  const auto writer =
      std::ranges::find_if(m.launches, [&](const launch_counters& l) { return stores_to(l, of.argument); });
  const std::string stored =
      writer == m.launches.end() ? "" : fmt::format(" after {} stored its results in device memory", writer->kernel);
  if (m.host.bytes_to_host == 0)
    return fmt::format(
        "Nothing was copied to {}{}. Copy them back before the end: cudaMemcpy({}, device pointer, bytes, "
        "cudaMemcpyDeviceToHost).",
        of.argument, stored, of.argument);
  std::string text = fmt::format("Only {} bytes were copied back to the host in all; {} has {} bytes.",
                                 grouped(m.host.bytes_to_host), of.argument, grouped(bytes));
  if (m.host.bytes_to_host * element_bytes == bytes)
    text += fmt::format(" The size in cudaMemcpy counts bytes, not elements: multiply by sizeof, here by {}.",
                        element_bytes);
  return text;
}

std::string wrong_share_read(const lab& in, const test_case& c, const std::vector<argument_value>& values,
                             const std::vector<launch_counters>& launches) {
  const double operations = in.model(c).operations;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const argument_description& of = in.arguments[i];
    const std::size_t elements = values[i].bytes.size() / std::max<std::size_t>(of.element_bytes, 1);
    if (of.role != argument_role::input || elements < fewest_elements || values[i].extents.size() != 1) continue;
    std::uint64_t bytes = 0;
    for (const launch_counters& l : launches)
      for (const access_counters& a : l.accesses)
        if (a.access == "read" && a.variable == of.name) bytes += a.bytes;
    const std::uint64_t read = bytes / of.element_bytes;
    if (read == 0) continue;  // through another name, or by a kernel that nobody counted
    if (read < elements)
      return fmt::format("{} has {}, but the kernels read no more than {} of them. No thread takes the others.",
                         of.name, counted_text(elements, "element"), grouped(read));
    if (read > elements && launches.size() == 1 && operations == static_cast<double>(elements))
      return fmt::format(
          "{} has {}, but was read {} times: some are taken more than once. Where all blocks walk through it together, "
          "each thread's loop steps by gridDim.x * blockDim.x. Where each block has a piece of its own, the piece "
          "begins "
          "at blockIdx.x * its length.",
          of.name, counted_text(elements, "element"), grouped(read));
  }
  return "";
}

}  // namespace simtlab
