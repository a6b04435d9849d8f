// `simtlab-baselines NAME CASE_FOLDER`: times a library on arrays of the sizes that CASE_FOLDER/request/request.json asks
// for, and measures what the GPU can do. It is ours alone: no submission is linked with it or runs in its process. It fills
// the inputs itself, so a request of sizes is enough. NAME "copy" times nothing but the limits. `--check` shows that each
// library does the work that it is timed at.
#include <cuda_runtime.h>
#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <exception>

#include "cuda/baselines/library.h"
#include "cuda/baselines/library_check.h"
#include "cuda/baselines/temporary_memory.h"
#include "cuda/cache_flush.h"
#include "cuda/device_description.h"
#include "cuda/device_hold.h"
#include "cuda/device_kernels.h"
#include "cuda/device_limits.h"
#include "cuda/management_library.h"
#include "protocol/result.h"
#include "runner/event_timer.h"

namespace simtlab {
namespace {

using clock = std::chrono::steady_clock;
// Where arrays lie in the GPU's memory is worth 1 % of a time: each call takes the next of so many sets of them.
constexpr std::size_t most_places = 8;

const std::map<std::string, library_factory>& libraries() {
  static const std::map<std::string, library_factory> all{
      {"cublas_sgemm", cublas_sgemm}, {"cublas_geam", cublas_geam},     {"cub_reduce", cub_reduce},
      {"cub_scan", cub_scan},         {"cub_histogram", cub_histogram}, {"cub_transform", cub_transform}};
  return all;
}

// The entry's arrays, filled with random numbers. Integers stay below the smaller of 256 and the output's elements, so
// that they are bins of a histogram.
class filled_arrays {
 public:
  explicit filled_arrays(const case_request& request) {
    std::uint64_t bound = 256, key = 1;
    for (const request_argument& a : request.arguments)
      if (is_written(a.role) && a.elements > 0) bound = std::min<std::uint64_t>(bound, a.elements);
    for (const request_argument& a : request.arguments) {
      if (!is_array(a.role) || a.elements == 0) continue;  // a part of the lab that the benchmark leaves out
      memory_.push_back(std::make_unique<temporary_memory>(a.elements * a.element_bytes));
      void* data = memory_.back()->data();
      if (a.scalar == scalar_type::f32)
        fill_with_floats(data, a.elements * a.element_bytes / sizeof(float), ++key);
      else
        fill_with_integers(data, a.elements, a.element_bytes, bound, ++key);
      (is_written(a.role) ? problem_.outputs : problem_.inputs).push_back({&a, data});
    }
  }
  [[nodiscard]] const library_problem& problem() const { return problem_; }

 private:
  std::vector<std::unique_ptr<temporary_memory>> memory_;
  library_problem problem_;
};

timed_calls time_library(const std::vector<library_call>& calls, const timing_request& timing, cache_flush& flush) {
  timed_calls timed;
  std::vector<double> host;
  stopping_rule rule(timing.until);
  const device_hold hold;
  event_timer timer([&] { hold.run(); });
  const auto begin = clock::now();
  for (unsigned i = 0; i < timing.warm_ups || rule.samples().empty() ||
                       !rule.is_enough(std::chrono::duration<double>(clock::now() - begin).count());
       ++i) {
    flush.run();
    timer.start();
    calls[i % calls.size()]();
    const double milliseconds = timer.stop();
    if (i < timing.warm_ups) continue;
    rule.add(milliseconds);
    host.push_back(timer.host_milliseconds());
  }
  SIMTLAB_CHECKED(cudaGetLastError());
  timed.milliseconds = rule.samples();
  timed.host_milliseconds = median(std::move(host)).value_or(0);
  timed.state = rule.state();
  return timed;
}

case_result measure(const std::string& name, const case_request& request) {
  case_result result;
  result.where = {cuda_compiler_text(), std::nullopt, describe_gpu()};
  cache_flush flush;
  result.measured.limits = measure_device_limits(flush);
  if (name != "copy") {
    const auto library = libraries().find(name);
    if (library == libraries().end()) throw unfit_arguments("there is no baseline \"" + name + "\"");
    std::vector<std::unique_ptr<filled_arrays>> places;
    std::vector<library_call> calls;
    std::size_t before = 0, after = 0, total = 0;
    do {
      SIMTLAB_CHECKED(cudaMemGetInfo(&before, &total));
      places.push_back(std::make_unique<filled_arrays>(request));
      calls.push_back(library->second(places.back()->problem()));
      SIMTLAB_CHECKED(cudaMemGetInfo(&after, &total));
    } while (places.size() < most_places && 8 * (before - after) < after);
    result.measured.timed = time_library(calls, request.timing.value(), flush);
  }
  result.measured.state = ask_management_library();
  result.rounds.emplace_back(request.arguments.size());  // outputs are nobody's business
  return result;
}

int run(const std::string& name, const std::string& folder) {
  const folder_handle to(folder + "/result");
  case_request request;
  try {
    request = read_request(folder);
    case_result result = measure(name, request);
    result.how = ending::fatal;  // the ending that returns measurements and no outputs
    write_result(to, request, result);
    return 0;
  } catch (const std::exception& e) {
    case_result result;
    result.how = ending::our_fault;
    result.detail.text = e.what();
    write_result(to, request, result);
    return 1;
  }
}

}  // namespace
}  // namespace simtlab

int main(int count, char** words) {
  const bool checks = count == 2 && std::string(words[1]) == "--check";
  if (count != 3 && !checks) {
    std::fputs("usage: simtlab-baselines NAME CASE_FOLDER | --check\nThe judge of a lab starts this program.\n",
               stderr);
    return 2;
  }
  try {
    if (checks) return simtlab::check_libraries() ? 0 : 1;
    return simtlab::run(words[1], words[2]);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
