#include "judge/gpu/nsight_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>

#include "judge/gpu/nsight_names.h"
#include "protocol/protocol_error.h"

namespace simtlab {
namespace {

using row = std::vector<std::string>;
using counter = std::uint64_t access_counters::*;

constexpr std::size_t most_page_bytes = std::size_t{256} << 20;

// RFC 4180, and lines that are no values (ncu's own remarks begin with "==") left out.
std::vector<row> rows_of(std::string_view page) {
  if (page.size() > most_page_bytes) throw protocol_error("a page of Nsight Compute is longer than 256 MB");
  std::vector<row> rows;
  for (std::size_t at = 0; at < page.size();) {
    if (page[at] != '"') {  // every value of ncu's is quoted
      at = std::min(page.find('\n', at), page.size() - 1) + 1;
      continue;
    }
    row values;
    while (at < page.size() && page[at] == '"') {
      std::string value;
      for (++at; at < page.size(); ++at) {
        if (page[at] != '"')
          value += page[at];
        else if (at + 1 < page.size() && page[at + 1] == '"')
          value += page[at++];
        else
          break;
      }
      values.push_back(std::move(value));
      if (++at < page.size() && page[at] == ',') ++at;
    }
    rows.push_back(std::move(values));
  }
  return rows;
}

// "16,384", "16384.000000" or "-"; what is no number is none.
std::uint64_t number_in(std::string text) {
  std::erase(text, ',');
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && number > 0 && number < 1e18 ? static_cast<std::uint64_t>(std::llround(number)) : 0;
}

// "(32, 8, 1)"
coordinates extents_in(const std::string& text) {
  coordinates extents{1, 1, 1};
  std::size_t at = 1;
  for (std::uint64_t& extent : extents) {
    const std::size_t end = text.find_first_of(",)", at);
    if (end == std::string::npos)
      throw protocol_error(fmt::format("Nsight Compute's \"{}\" is no grid or block", text));
    extent = number_in(text.substr(at, end - at));
    at = end + 2;
  }
  return extents;
}

struct kind {
  const char *space, *access;
  friend bool operator==(const kind&, const kind&) = default;
};
constexpr kind global_read{"global", "read"}, global_write{"global", "write"}, global_atomic{"global", "atomic"},
    shared_read{"shared", "read"}, shared_write{"shared", "write"}, shared_atomic{"shared", "atomic"};

bool is_of(const access_counters& a, const kind& k) { return a.space == k.space && a.access == k.access; }

// What tells the space of an instruction that takes an address of any.
struct space_evidence {
  bool has_sectors = false, has_wavefronts = false;
  bool has_global_atomics = false;  ///< the launch
};

// By the first part of the opcode. LD, ST, ATOM and RED take an address of any space: sectors are global memory's, wavefronts
// shared memory's, and one without either is local memory's. An instruction with both is called global: nothing tells how
// many of its lanes were which.
std::optional<kind> kind_of(std::string_view opcode, const space_evidence& seen) {
  const std::string_view name = opcode.substr(0, opcode.find('.'));
  if (name == "LDG") return global_read;
  if (name == "STG") return global_write;
  if (name == "REDG" || name == "ATOMG") return global_atomic;
  if (name == "LDS") return shared_read;
  if (name == "STS") return shared_write;
  if (name == "ATOMS") return shared_atomic;
  if (name == "RED" || name == "ATOM") return seen.has_global_atomics ? global_atomic : shared_atomic;
  if ((name != "LD" && name != "ST") || (!seen.has_sectors && !seen.has_wavefronts)) return std::nullopt;
  if (name == "LD") return seen.has_sectors ? global_read : shared_read;
  return seen.has_sectors ? global_write : shared_write;
}

// "@!P0  LDG.E R3, …": the opcode.
std::string_view opcode_in(std::string_view instruction) {
  std::size_t begin = instruction.find_first_not_of(' ');
  if (begin != std::string_view::npos && instruction[begin] == '@')
    begin = instruction.find_first_not_of(' ', std::min(instruction.find(' ', begin), instruction.size()));
  if (begin == std::string_view::npos) return {};
  return instruction.substr(begin, instruction.find_first_of(" ;", begin) - begin);
}

// "void space::scale<(int)2>(const float *, int)": scale.
std::string kernel_in(const std::string& signature) {
  std::string name;
  int depth = 0;
  for (const char c : signature) {
    if (c == '<') ++depth;
    if (c == '(' && depth == 0) break;
    if (depth == 0) name += c;
    if (c == '>') --depth;
  }
  const std::size_t begin = name.find_last_of(" :");
  return begin == std::string::npos ? name : name.substr(begin + 1);
}

// Which counters of the whole launch a kind's member is the sum of.
struct launch_total {
  kind of;
  counter member;
  std::vector<std::string> counters;
};

const std::vector<launch_total>& launch_totals() {
  static const std::vector<launch_total> all = [] {
    std::vector<launch_total> made;
    for (const nsight_name& n : nsight_names) {
      const bool is_further = !made.empty() && made.back().member == n.value &&
                              made.back().of.space == std::string_view(n.memory) &&
                              made.back().of.access == std::string_view(n.access);
      if (!is_further) made.push_back({{n.memory, n.access}, n.value, {}});
      made.back().counters.emplace_back(n.name);
    }
    return made;
  }();
  return all;
}

constexpr const char *executed = "inst_executed", *lanes = "thread_inst_executed_true",
                     *width = "memory_access_size_type", *theoretical_sectors = "memory_l2_theoretical_sectors_global",
                     *least_sectors = "memory_l2_theoretical_sectors_global_ideal",
                     *of_wavefronts = "memory_l1_wavefronts_shared",
                     *least_wavefronts = "memory_l1_wavefronts_shared_ideal";

// One row of the source page that is an instruction.
struct instruction {
  std::string file;
  int line = 0;
  std::string text;
  std::map<std::string, std::uint64_t> did;
};

// By the function's name and the instruction's address: the page repeats them launch after launch.
using instruction_list = std::map<std::string, std::map<std::string, std::vector<instruction>>>;

instruction_list instructions_of(std::string_view page) {
  instruction_list found;
  std::string file, function;
  row head;
  int line = 0;
  for (row& values : rows_of(page)) {
    if (values.size() >= 2 && (values[0] == "File Path" || values[0] == "File Name")) {
      file = values[1].substr(values[1].find_last_of('/') + 1);
    } else if (values.size() >= 2 && values[0] == "Function Name") {
      function = values[1];
    } else if (!values.empty() && values[0] == "Line No") {
      head = std::move(values);
      if (head.size() < 5 || head[2] != "Address")
        throw protocol_error("Nsight Compute's page of lines and instructions has other columns than expected");
    } else if (values.size() == head.size() && !head.empty()) {
      if (!values[0].empty()) line = static_cast<int>(std::min<std::uint64_t>(number_in(values[0]), 1U << 30));
      if (!values[2].starts_with("0x")) continue;  // the sum of a line, or instructions that are left out
      instruction one{file, line, values[3], {}};
      for (std::size_t i = 4; i < head.size(); ++i) one.did[head[i]] = number_in(values[i]);
      found[function][values[2]].push_back(std::move(one));
    }
  }
  return found;
}

// The raw page and the source page write a template's arguments differently: then the kernel's own name tells which function
// is meant, as long as it tells. "": none, or more than one.
std::string function_in(const instruction_list& instructions, const std::string& signature) {
  if (instructions.contains(signature)) return signature;
  std::string found;
  for (const auto& [function, own] : instructions) {
    if (kernel_in(function) != kernel_in(signature)) continue;
    if (!found.empty()) return "";
    found = function;
  }
  return found;
}

access_counters& access_at(launch_counters& of, const instruction& i, const kind& k) {
  const std::uint64_t bytes = i.did.contains(width) ? i.did.at(width) / 8 : 0;
  for (access_counters& a : of.accesses)
    if (a.file == i.file && a.line == i.line && is_of(a, k) && a.width == bytes) return a;
  access_counters made;
  made.file = i.file;
  made.line = i.line;
  made.space = k.space;
  made.access = k.access;
  made.width = bytes;
  of.accesses.push_back(made);
  return of.accesses.back();
}

void add_instruction(launch_counters& to, const instruction& i, bool has_global_atomics) {
  const auto did = [&](const char* what) { return i.did.contains(what) ? i.did.at(what) : 0; };
  const std::optional<kind> k =
      kind_of(opcode_in(i.text), {did(theoretical_sectors) > 0, did(of_wavefronts) > 0, has_global_atomics});
  if (!k || did(lanes) == 0) return;  // executed, but never for a lane
  access_counters& a = access_at(to, i, *k);
  a.requests += did(executed);
  a.lanes += did(lanes);
  a.bytes += did(lanes) * a.width;
  a.sectors += did(theoretical_sectors);
  a.ideal_sectors += did(least_sectors);
  a.wavefronts += did(of_wavefronts);
  a.ideal_wavefronts += did(least_wavefronts);
}

// Shares `total` among the lines by what their instructions counted. Rounded down, the rest to the first.
void share(launch_counters& among, const kind& k, counter member, std::uint64_t total) {
  std::uint64_t counted = 0, given = 0;
  for (const access_counters& a : among.accesses)
    if (is_of(a, k)) counted += a.*member;
  if (counted == total || total == 0) return;
  access_counters* first = nullptr;
  for (access_counters& a : among.accesses) {
    if (!is_of(a, k)) continue;
    if (first == nullptr) first = &a;
    if (counted > 0)
      a.*member = static_cast<std::uint64_t>(static_cast<long double>(a.*member) * static_cast<long double>(total) /
                                             static_cast<long double>(counted));
    given += a.*member;
  }
  if (first != nullptr && given < total) first->*member += total - given;
}

// Where no source page tells lines, the launch's accesses of a kind stand together at none.
void add_without_line(launch_counters& to, const kind& k) {
  if (std::ranges::any_of(to.accesses, [&](const access_counters& a) { return is_of(a, k); })) return;
  access_counters made;
  made.space = k.space;
  made.access = k.access;
  to.accesses.push_back(made);
}

bool is_same(const launch_counters& a, const launch_counters& b) {
  return a.kernel == b.kernel && a.grid == b.grid && a.block == b.block;
}

void add_launch(std::vector<launch_counters>& to, launch_counters made) {
  const auto known = std::ranges::find_if(to, [&](const launch_counters& l) { return is_same(l, made); });
  if (known == to.end()) {
    to.push_back(std::move(made));
    return;
  }
  ++known->times;
  for (const access_counters& more : made.accesses) {
    const auto same = std::ranges::find_if(known->accesses, [&](const access_counters& a) {
      return a.file == more.file && a.line == more.line && a.space == more.space && a.access == more.access &&
             a.width == more.width;
    });
    if (same == known->accesses.end()) {
      known->accesses.push_back(more);
      continue;
    }
    *same += more;
  }
}

}  // namespace

std::string nsight_metrics() {
  std::vector<std::string> names{executed,      lanes,         width,           theoretical_sectors,
                                 least_sectors, of_wavefronts, least_wavefronts};
  for (const launch_total& t : launch_totals()) names.insert(names.end(), t.counters.begin(), t.counters.end());
  return fmt::format("{}", fmt::join(names, ","));
}

std::vector<launch_counters> launches_of_nsight(std::string_view raw_page, std::string_view source_page) {
  const std::vector<row> rows = rows_of(raw_page);
  const auto head = std::ranges::find_if(rows, [](const row& r) { return !r.empty() && r[0] == "ID"; });
  if (head == rows.end()) throw protocol_error("Nsight Compute's raw page has no line that begins with \"ID\"");
  const instruction_list instructions = instructions_of(source_page);
  std::vector<std::map<std::string, std::string>> launched;
  std::map<std::string, std::size_t> launches_of_function;
  for (auto r = head + 1; r != rows.end(); ++r) {
    if (r->size() != head->size() || r->front().empty()) continue;  // the units
    std::map<std::string, std::string> values;
    for (std::size_t i = 0; i < r->size(); ++i) values[(*head)[i]] = (*r)[i];
    ++launches_of_function[function_in(instructions, values["Kernel Name"])];
    launched.push_back(std::move(values));
  }

  std::vector<launch_counters> launches;
  std::map<std::string, std::size_t> number_of_function;
  for (auto& values : launched) {
    const std::string function = function_in(instructions, values["Kernel Name"]);
    launch_counters made;
    made.kernel = kernel_in(values["Kernel Name"]);
    made.grid = extents_in(values["Grid Size"]);
    made.block = extents_in(values["Block Size"]);
    made.shared_bytes = number_in(values["launch__shared_mem_per_block_static"]) +
                        number_in(values["launch__shared_mem_per_block_dynamic"]);
    const auto total = [&](const std::vector<std::string>& counters) {
      std::uint64_t sum = 0;
      for (const std::string& name : counters) sum += number_in(values[name]);
      return sum;
    };
    const bool has_global_atomics = std::ranges::any_of(launch_totals(), [&](const launch_total& t) {
      return t.of.space == std::string_view("global") && t.of.access == std::string_view("atomic") &&
             total(t.counters) > 0;
    });
    const std::size_t number = number_of_function[function]++;
    if (const auto own = instructions.find(function); own != instructions.end())
      for (const auto& [address, times] : own->second) {
        const std::size_t each = times.size() / launches_of_function[function];  // the page may show a launch twice
        if (each * launches_of_function[function] != times.size())
          throw protocol_error(
              fmt::format("Nsight Compute's source page shows {} {} times, but it was launched {} times", function,
                          times.size(), launches_of_function[function]));
        add_instruction(made, times[number * each], has_global_atomics);
      }
    for (const launch_total& t : launch_totals()) {
      const std::uint64_t sum = total(t.counters);
      if (source_page.empty() && sum > 0) add_without_line(made, t.of);
      share(made, t.of, t.member, sum);
    }
    add_launch(launches, std::move(made));
  }
  return launches;
}

std::string refusal_of_nsight(std::string_view said) {
  if (said.find("ERR_NVGPUCTRPERM") != std::string_view::npos)
    return "Only an administrator may read this GPU's counters. Ask for the driver's option "
           "NVreg_RestrictProfilingToAdminUsers=0 (in /etc/modprobe.d/, then load the driver anew), or for the "
           "capability "
           "CAP_SYS_ADMIN.";
  if (said.find("driver resource was unavailable") != std::string_view::npos)
    return "Somebody else has this GPU's counters: one program at a time can read them (another profiler, or a monitor "
           "such as DCGM). Try again when it has ended.";
  if (said.find("No kernels were profiled") != std::string_view::npos) return "No kernel was launched.";
  const std::size_t error = said.find("==ERROR==");
  if (error == std::string_view::npos) return "Nsight Compute made no profile and did not say why.";
  return fmt::format("Nsight Compute made no profile: {}.",
                     said.substr(error + 10, std::min(said.find('\n', error), said.size()) - error - 10));
}

}  // namespace simtlab
