// A request and a result with something in every member, and a folder to put them into.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "protocol/request.h"
#include "protocol/result.h"

namespace simtlab::example {

class temporary_folder {
 public:
  temporary_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "simtlab-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) std::abort();
    path = name;
  }
  ~temporary_folder() { std::filesystem::remove_all(path); }
  temporary_folder(const temporary_folder&) = delete;  // it owns the folder
  temporary_folder& operator=(const temporary_folder&) = delete;
  std::filesystem::path path;
};

inline std::vector<std::byte> bytes(std::initializer_list<int> list) {
  std::vector<std::byte> made;
  for (const int b : list) made.push_back(static_cast<std::byte>(b));
  return made;
}

inline case_request request() {
  case_request r;
  r.lab = "99-example";
  r.kind = entry_kind::host;
  r.arguments = {{"a", argument_role::input, 4, 2, scalar_type::f32, {1, 2}},
                 {"b", argument_role::output, 1, 3, scalar_type::u8, {3}},
                 {"n", argument_role::scalar, 4, 1, scalar_type::i32, {}},
                 {"c", argument_role::in_out, 2, 1, scalar_type::i16, {1}}};
  r.rounds = 2;
  r.without = {"poison"};
  r.workers = 2;
  r.checks = false;
  r.fail_api_call = 5;
  r.traced_block = coordinates{3, 1, 0};
  r.traced_kernel = "tiled<16>";
  r.names_racing_threads = r.samples = true;
  r.launch_block = coordinates{16, 16, 1};
  r.severities = {{"leak", severity::error}};
  return r;
}

inline std::vector<round_values> rounds() {
  return {{bytes({1, 2, 3, 4, 5, 6, 7, 8}), {}, bytes({2, 0, 0, 0}), bytes({9, 9})},
          {bytes({8, 7, 6, 5, 4, 3, 2, 1}), {}, bytes({2, 0, 0, 0}), bytes({4, 4})}};
}

inline void write_request(const std::filesystem::path& folder, const case_request& r,
                          const std::vector<round_values>& rounds) {
  begin_request(folder, r);
  for (unsigned i = 0; i < r.rounds; ++i) write_values(folder / "request", r, i, {rounds[i].begin(), rounds[i].end()});
}

inline case_result result() {
  case_result r;
  r.how = ending::error;
  r.detail = {700, "cudaErrorIllegalAddress", "an illegal \"memory\" access\n", true};
  r.where = {"g++ 12", emulator_description{"0.1", 2}, gpu_description{"H200", "13.0", "12.0", "9.0", 132, 1ULL << 37}};
  launch_counters l;
  l.kernel = "tiled<16>";
  l.grid = {3, 2, 1};
  l.times = 4;
  access_counters& a = l.accesses.emplace_back();
  a.file = "kernel.cu";
  a.line = 12;
  a.space = "shared";
  a.access = "read";
  a.variable = "tile";
  a.array = {4, true};
  a.width = 4;
  std::uint64_t value = 0;  // of each counter its own, so that none goes for another
  for (const auto& counter : emulator::request_counter_table) a.*counter.value = ++value;
  request_example one{{"worst", "at random"}, {2, 1, 0}, 3, 64, 0x80000001, {}, {}};
  one.addresses[0] = 4096;
  one.addresses[31] = ~std::uint64_t{0};
  for (const auto& counter : emulator::request_counter_table) one.cost.*counter.value = ++value;
  l.examples.push_back({"kernel.cu", 12, "shared", "read", "tile", 4096, 512, 4, 64, true, {one}});
  l.trace = block_trace{{1, 0, 0},
                        {{"kernel.cu", 12, "request", "shared", "read", "tile"}, {"kernel.cu", 13, "vote", "", "", ""}},
                        {{"kernel.cu", 14, true}},
                        3,
                        {{32, 9, {{0, 0, 0x80000001, 4, 2}, {1, 1, 1, 0, 0}}}}};
  l.completed = false;
  r.measured.launches.push_back(l);
  finding f;
  f.rule = "shared-race";
  f.level = severity::warning;
  f.message = "two threads";
  f.variable = "tile";
  f.first = {"kernel.cu", 3, coordinates{1, 2, 3}, coordinates{0, 0, 1}, "writes"};
  f.second = finding_place{"kernel.cu", 9, {}, {}, "reads"};
  f.times = 17;
  r.measured.findings.push_back(f);
  r.measured.host.leaked_bytes = 77;
  r.measured.injected_error = 2;
  r.measured.injected_call = "cudaMalloc (kernel.cu:7)";
  timed_operation copy;
  copy.kind = "to_host";
  copy.stream = 2;
  copy.bytes = 19;
  copy.issued = 0.5;
  copy.end = 1.5;
  copy.copy = timed_copy{"kernel.cu", 12, {"b", 0, 76, 4}, {"a", 7, 80, 8}, true};
  r.measured.timeline = {copy, timed_operation{"kernel", "k", 2, 64, false, 0.5, 1, 2, std::nullopt}};
  r.measured.timed = timed_calls{{0.25, 0.5}, 0.75, 1, ~std::uint64_t{0}, "noisy"};
  r.measured.limits = device_limits{4092.5, 4391.25, 31500, 50 << 20};
  r.measured.state = gpu_state{1980, 3201, 45, 1, {"power limit"}};
  r.rounds = {{{}, bytes({7, 8, 9}), {}, bytes({1, 0})}, {{}, bytes({1, 1, 2}), {}, bytes({3, 5})}};
  return r;
}

}  // namespace simtlab::example
