#include "judge/stage/runner_process.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "judge/gpu/gpu_lock.h"
#include "protocol/result.h"

namespace simtlab {
namespace {

constexpr std::size_t room_for_result = std::size_t{64} << 20;
// What a sandbox may take beyond the lab's limit of memory: the files in its /tmp, bubblewrap, and with CUDA its context.
constexpr std::size_t sandbox_megabytes = 192, cuda_megabytes = 4096;
constexpr std::chrono::seconds time_to_clear_away{5};
constexpr std::chrono::seconds time_for_last_words{3};

// What a case may take is processor time: on a loaded machine a right program must not time out. The wall clock behind
// it ends a program that sleeps.
constexpr int wall_for_processor_time = 3;

// A word of the command prefix with the values that only this case knows.
std::string with_values(std::string word, std::initializer_list<std::pair<std::string, std::string>> values) {
  for (const auto& [name, value] : values)
    for (std::size_t at = 0; (at = word.find(name, at)) != std::string::npos; at += value.size())
      word.replace(at, name.size(), value);
  return word;
}

}  // namespace

double case_seconds(const lab& of, const judge_options& o) { return o.limit_seconds.value_or(of.limits.seconds); }

ended_runner run_runner(const lab& of, const judge_options& options, const std::filesystem::path& folder,
                        const folder_handle& result, const case_run& run, std::size_t largest_output) {
  using clock = std::chrono::steady_clock;
  const auto memory_mb = static_cast<std::size_t>(options.limit_memory_mb.value_or(of.limits.memory_mb));
  const std::size_t beyond_mb = options.backend == backend_kind::cuda ? cuda_megabytes : sandbox_megabytes;
  std::vector<std::string> words;
  for (const std::string& word : options.runner_prefix)
    words.push_back(
        with_values(word, {{"{case}", folder.string()}, {"{memory_mb}", std::to_string(memory_mb + beyond_mb)}}));
  words.push_back(options.runner.string());
  words.push_back(folder.string());

  ended_runner ended;
  process_limits& limits = ended.limits;
  const double seconds = case_seconds(of, options);
  const double of_processor = std::min(seconds, run.processor_seconds.value_or(seconds));
  limits.processor = std::chrono::seconds(static_cast<std::int64_t>(std::ceil(of_processor * options.workers)));
  limits.wall = std::chrono::milliseconds(static_cast<std::int64_t>(1000 * seconds * wall_for_processor_time));
  if (!options.runner_prefix.empty()) {
    limits.until_started = std::chrono::minutes(5);
    limits.grace = time_to_clear_away;
  } else if (options.backend == backend_kind::emulator) {
    limits.grace = time_for_last_words;
  }
  if (options.backend == backend_kind::emulator) limits.memory_bytes = memory_mb << 20;  // CUDA maps what it never uses
  limits.file_bytes = largest_output + room_for_result;
  limits.printed_bytes = static_cast<std::size_t>(of.limits.output_kb) * 1024 * run.rounds;

  const auto before_turn = clock::now();
  std::optional<gpu_lock> turn;  // for the process alone: inputs and references are made while others have the GPU
  if (options.backend == backend_kind::cuda) turn.emplace(run.timing ? gpu_lock::use::alone : gpu_lock::use::shared);
  ended.had_turn = !turn || turn->granted();
  ended.waited_milliseconds = std::chrono::duration<double, std::milli>(clock::now() - before_turn).count();
  ended.process = run_process(words, folder / "result", limits, [&] { return result.has(started_file); });
  turn.reset();
  if (run.after_process) run.after_process(result.has("result.json"));
  ended.sandboxed = read_sandbox_status(folder);
  if (ended.sandboxed) ended.process = inside(std::move(ended.process), *ended.sandboxed, limits);
  return ended;
}

}  // namespace simtlab
