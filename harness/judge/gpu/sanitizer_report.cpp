#include "judge/gpu/sanitizer_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace simtlab {
namespace {

constexpr std::string_view mark = "=========";

// The text between two others; "" when one is missing.
std::string_view between(std::string_view text, std::string_view before, std::string_view behind) {
  const std::size_t begin = text.find(before);
  if (begin == std::string_view::npos) return {};
  text.remove_prefix(begin + before.size());
  return text.substr(0, std::min(text.find(behind), text.size()));
}

std::uint64_t number_in(std::string_view text) {
  std::uint64_t number = 0;
  for (const char c : text) {
    if (c == ',') continue;  // thousands
    if (c < '0' || c > '9' || number > (UINT64_MAX >> 4)) break;
    number = 10 * number + static_cast<std::uint64_t>(c - '0');
  }
  return number;
}

// "96,0,0"
std::optional<coordinates> coordinates_in(std::string_view text) {
  coordinates found{};
  for (std::uint64_t& coordinate : found) {
    if (text.empty()) return std::nullopt;
    const std::string_view one = text.substr(0, text.find(','));
    coordinate = number_in(one);
    text.remove_prefix(std::min(one.size() + 1, text.size()));
  }
  return found;
}

struct place_of_code {
  finding_place at;
  std::string kernel;
};

// "at space::kernel(const float *, int)+0x70 in kernel.cu:172", or without the line.
place_of_code place_in(std::string_view line) {
  place_of_code found;
  const std::size_t at = line.rfind(" at ");
  std::string_view text = at == std::string_view::npos ? line : line.substr(at + 4);
  std::string_view kernel = text.substr(0, text.find_first_of("(+"));
  if (const std::size_t scope = kernel.rfind("::"); scope != std::string_view::npos) kernel.remove_prefix(scope + 2);
  found.kernel = kernel;
  if (const std::size_t in = text.rfind(" in "); in != std::string_view::npos) {
    text.remove_prefix(in + 4);
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos) return found;
    const std::string_view path = text.substr(0, colon);
    found.at.file = path.substr(path.find_last_of('/') + 1);
    found.at.line = static_cast<int>(std::min<std::uint64_t>(number_in(text.substr(colon + 1)), 1U << 30));
  }
  return found;
}

void add(std::vector<finding>& to, finding made) {
  const auto same_place = [](const finding_place& a, const finding_place& b) {
    return a.file == b.file && a.line == b.line;
  };
  const auto known = std::ranges::find_if(to, [&](const finding& f) {
    return f.rule == made.rule && same_place(f.first, made.first) && f.second.has_value() == made.second.has_value() &&
           (!f.second || same_place(*f.second, *made.second));
  });
  if (known == to.end()) {
    to.push_back(std::move(made));
    return;
  }
  known->times += made.times;
  known->level = std::max(known->level, made.level);
}

// A record: its headline, and the lines under it without the mark.
struct record {
  std::string_view headline;
  std::vector<std::string_view> details;

  [[nodiscard]] std::string_view detail(std::string_view begin) const {
    const auto found = std::ranges::find_if(details, [&](std::string_view d) { return d.starts_with(begin); });
    return found == details.end() ? std::string_view{} : *found;
  }
  [[nodiscard]] std::string_view detail_with(std::string_view part) const {
    const auto found = std::ranges::find_if(details, [&](std::string_view d) { return d.find(part) != d.npos; });
    return found == details.end() ? std::string_view{} : *found;
  }
};

std::vector<record> records_of(std::string_view log) {
  std::vector<record> records;
  bool open = false;
  while (!log.empty()) {
    std::string_view line = log.substr(0, log.find('\n'));
    log.remove_prefix(std::min(line.size() + 1, log.size()));
    if (!line.starts_with(mark)) continue;
    line.remove_prefix(mark.size());
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    line.remove_prefix(indent);
    if (line.empty()) {
      open = false;
    } else if (indent <= 1) {
      records.push_back({line, {}});
      open = true;
    } else if (open) {
      records.back().details.push_back(line);
    }
  }
  return records;
}

finding at_thread(const record& r, std::string_view action) {
  finding f;
  const place_of_code code = place_in(fmt::format(" {}", r.detail("at ")));
  f.kernel = code.kernel;
  f.first = code.at;
  f.first.action = action;
  const std::string_view by = r.detail("by thread");
  f.first.thread = coordinates_in(between(by, "thread (", ")"));
  f.first.block = coordinates_in(between(by, "block (", ")"));
  return f;
}

// "Invalid __global__ read of size 4 bytes"
finding invalid_access(const record& r) {
  const std::string_view space = between(r.headline, "__", "__");
  const std::string_view access = between(r.headline, "__ ", " of size");
  const std::uint64_t bytes = number_in(between(r.headline, "of size ", " "));
  finding f = at_thread(r, access == "read" ? "reads" : access == "write" ? "writes" : "changes");
  const std::string_view nearest = r.detail_with("nearest allocation");
  const std::string_view address = between(r.detail("Access to "), "Access to ", " is ");
  if (r.detail("Access to ").ends_with("misaligned")) {
    f.rule = "misaligned";
    f.message = fmt::format(
        "An access of {0} bytes needs an address that is a multiple of {0}. A pointer may only be cast to a wider type "
        "where it is aligned for that type.",
        bytes);
  } else if (address.size() <= 6 && space == "global") {  // below the first page that anybody is given
    f.rule = "invalid-address";
    f.message = "The pointer is null. Was the allocation made, and did it succeed?";
  } else {
    f.rule = "out-of-bounds";
    f.message = fmt::format("An access of {} bytes lies outside of ", bytes);
    const std::string_view distance = between(nearest, "and is ", " bytes ");
    if (space == "shared")
      f.message += "the block's shared memory.";
    else if (nearest.empty())
      f.message += fmt::format("everything that was allocated in {} memory.", space);
    else
      f.message += fmt::format("every allocation; the nearest one, of {} bytes, lies {} bytes {} it.",
                               between(nearest, "of size ", " "), distance,
                               nearest.find(" after ") != nearest.npos ? "before" : "behind");
    f.message += " Compare the index with the array's size before the access.";
  }
  return f;
}

// "Error: Race reported between Write access at … in kernel.cu:22", and under it "and Read access at … [3456 hazards]".
void add_race(std::vector<finding>& to, const record& r) {
  const auto action_of = [](std::string_view line) {
    return line.find("Write access") != line.npos ? "writes" : "reads";
  };
  const place_of_code first = place_in(r.headline);
  for (const std::string_view other : r.details) {
    if (!other.starts_with("and ")) continue;
    const std::size_t count = other.rfind(" [");
    const place_of_code second = place_in(other.substr(0, count));
    finding f;
    f.rule = "shared-race";
    f.level = r.headline.starts_with("Warning") ? severity::warning : severity::error;
    f.kernel = first.kernel;
    f.first = first.at;
    f.first.action = action_of(r.headline);
    f.second = second.at;
    f.second->action = action_of(other);
    f.times = std::max<std::uint64_t>(1, count == other.npos ? 1 : number_in(other.substr(count + 2)));
    f.message =
        "Two threads of the block access the same element of shared memory, at least one of them writes, and nothing "
        "orders them. Put a __syncthreads() between the two lines, or a __syncwarp() where both are in one warp.";
    add(to, std::move(f));
  }
}

}  // namespace

std::vector<finding> findings_of_sanitizer(std::string_view log) {
  std::vector<finding> found;
  for (const record& r : records_of(log)) {
    if (r.headline.find("Race reported between") != r.headline.npos) {
      add_race(found, r);
    } else if (r.headline.starts_with("Invalid __")) {
      add(found, invalid_access(r));
    } else if (r.headline.starts_with("Uninitialized __")) {
      finding f = at_thread(r, "reads");
      const bool is_shared = r.headline.find("__shared__") != r.headline.npos;
      f.rule = is_shared ? "uninitialised-shared" : "uninitialised-global";
      f.message = is_shared
                      ? "No thread of the block has written this element yet, and shared memory holds garbage when "
                        "a block starts."
                      : "Nothing was ever stored here, and cudaMalloc does not clear memory. Copy to it, or set it "
                        "with cudaMemset, before it is read.";
      add(found, std::move(f));
    } else if (r.headline.starts_with("Barrier error detected")) {
      finding f = at_thread(r, "waits");
      f.rule = "divergent-barrier";
      f.message =
          "Some threads of the block wait at this barrier, and others do not come to it. Every thread of the block has "
          "to "
          "reach the same __syncthreads().";
      add(found, std::move(f));
    } else if (r.headline.starts_with("Warp assert")) {
      finding f = at_thread(r, "stops");
      f.rule = "failed-assertion";
      f.message = "An assertion failed.";
      add(found, std::move(f));
    } else if (r.headline.starts_with("Program hit") && r.headline.ends_with("on CUDA API call to cudaFree.") &&
               r.headline.find("cudaErrorInvalidValue") != r.headline.npos) {
      finding f;
      f.rule = "invalid-free";
      f.message = "cudaFree was given a pointer that cudaMalloc did not return, or one that was freed before.";
      add(found, std::move(f));
    }
  }
  return found;
}

bool is_complete_log(std::string_view log) { return log.find(" SUMMARY: ") != std::string_view::npos; }

}  // namespace simtlab
