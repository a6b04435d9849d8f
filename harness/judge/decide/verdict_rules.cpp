#include "judge/decide/verdict_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <future>

#include "judge/decide/finding_context.h"
#include "judge/decide/product_check.h"
#include "judge/decide/short_copies.h"
#include "judge/decide/wrong_answer.h"
#include "judge/stage/runner_process.h"
#include "judge/wording.h"
#include "spec/pieces.h"
#include "timing/fresh_values.h"

namespace simtlab {
namespace {

constexpr std::size_t most_bytes_examined = std::size_t{1} << 22;  // of a wrong output, for its pattern
constexpr const char* leak_rule = "leak";
constexpr const char* failed_launch_rule = "failed-launch";  // a note: the program asked for the error
constexpr int timeout_error = 702;                           // cudaErrorLaunchTimeout
constexpr int configuration_error = 9;                       // cudaErrorInvalidConfiguration
constexpr int allocation_error = 2;                          // cudaErrorMemoryAllocation
// Errors after which the CUDA context is lost: the hardware stopped the kernel.
constexpr std::array stopping_errors{700, 710, 714, 715, 716, 717, 718, 719};

const finding* first_error(const std::vector<finding>& findings) {
  const auto found = std::ranges::find(findings, severity::error, &finding::level);
  return found == findings.end() ? nullptr : &*found;
}

// One cause for all cases that stop at the same place.
explanation as_explanation(const finding& f) {
  return {fmt::format("{} at {}:{}", f.rule, f.first.file, f.first.line), describe(f), certainty::finding};
}

// Everything that is known of one run, on its way to a verdict.
class verdict_rules {
 public:
  verdict_rules(const judged_run& r, case_outcome& out)
      : lab_(r.of), options_(r.options), case_(r.judged), run_(r.run), out_(out) {}

  void decide(verdict v, std::string message) {
    out_.judged = v;
    out_.message = std::move(message);
    out_.summary = out_.message;
  }

  /// The explanations are told behind the message, of several the first.
  void decide(verdict v, std::string summary, std::vector<explanation> likely) {
    decide(v, summary);
    out_.likely = std::move(likely);
    if (out_.likely.empty()) return;
    out_.summary = std::move(summary);
    out_.message = out_.summary + (out_.summary.empty() ? "" : " ") + out_.likely.front().says;
  }

  /// True when the process gives the verdict already.
  bool by_process(const process_outcome& p, const process_limits& limits, bool started, bool has_result) {
    using way = process_outcome::way;
    if (p.how == way::not_executed || p.how == way::never_started) {
      decide(verdict::internal_error,
             p.how == way::not_executed ? p.text : "The command prefix did not start the runner in time.");
    } else if (p.how == way::timed_out || p.how == way::out_of_processor_time) {
      decide(verdict::timeout,
             fmt::format("The program did not finish within {:g} s. Does every loop end, in host code "
                         "and in kernels, and does no kernel wait for what never comes?",
                         case_seconds(lab_, options_)));
    } else if (p.how == way::printed_too_much) {
      decide(verdict::output_limit,
             fmt::format("The program printed more than {} KB. Remove the printf that every thread "
                         "runs, or let one thread print.",
                         limits.printed_bytes / 1024));
    } else if (p.how == way::wrote_too_much) {
      decide(verdict::output_limit,
             "The program wrote more files, or larger ones, than it may. Its results need none.");
    } else if (p.how == way::out_of_memory) {
      decide(verdict::memory_limit, fmt::format("The program and what it started used more memory than the {} MB that "
                                                "it may have, and was ended.",
                                                limits.memory_bytes >> 20));
    } else if (has_result) {
      return false;
    } else if (!started) {
      decide(verdict::internal_error,
             options_.runner_prefix.empty()
                 ? fmt::format("{} ended before it began: is it a runner of this lab?", options_.runner.string())
                 : fmt::format("The command prefix \"{}\" ended without starting the runner.",
                               fmt::join(options_.runner_prefix, " ")));
    } else if (p.how == way::signalled) {
      by_signal(p, limits);
    } else {
      decide(
          verdict::crash,
          fmt::format("The program ended before the kernel's results were returned (exit code {}). Does it call exit, "
                      "perhaps before main or in a static initialiser?",
                      p.exit_code));
    }
    return true;
  }

  void by_result(case_result r, const std::vector<round_arguments>& rounds) {
    for (finding& f : r.measured.findings) {
      add_shape(f, lab_, case_, rounds.front(), r.measured.launches);
      add_short_copy(f, lab_, r.measured);
    }
    out_.measured = r.measured;
    out_.where = r.where;
    if (run_.keep) out_.given = rounds.front();
    if (run_.keep && !r.rounds.empty()) out_.returned = r.rounds.front();
    switch (r.how) {
      case ending::our_fault:
        return decide(verdict::internal_error, r.detail.text);
      case ending::fatal:
        return by_fault(r);
      case ending::exception:
        return by_exception(r.detail);
      case ending::error:
      case ending::returned:
        break;
    }
    if (r.measured.injected_error != 0) return by_planted_fault(r);
    // An error comes from a call that somebody wrote: that is no stub any more.
    out_.untouched = r.how == ending::returned && is_untouched(r, rounds.front());
    if (r.how == ending::error) return by_error(r.detail);
    by_outputs(r, rounds);
  }

 private:
  void by_signal(const process_outcome& p, const process_limits& limits) {
    const bool near_limit = limits.memory_bytes > 0 && p.peak_bytes > limits.memory_bytes / 10 * 9;
    if (near_limit && (p.signal == SIGABRT || p.signal == SIGKILL || p.signal == SIGSEGV)) {
      decide(verdict::memory_limit, fmt::format("The program used more than {} MB and was ended by {}.",
                                                limits.memory_bytes >> 20, signal_in_words(p.signal)));
    } else if (p.signal == SIGXFSZ) {
      decide(verdict::output_limit, "The program wrote a file larger than it may.");
    } else {
      decide(verdict::crash, fmt::format("The program was ended by {}.", signal_in_words(p.signal)));
    }
  }

  void by_fault(const case_result& r) {
    const finding* why = first_error(r.measured.findings);
    if (why == nullptr) return decide(verdict::crash, "The program was stopped by a fault of unknown origin.");
    decide(verdict::crash, "The program was stopped:", {as_explanation(*why)});
  }

  void by_exception(const ending_detail& e) {
    if (e.name == "std::bad_alloc")
      decide(verdict::memory_limit, "The program asked for more host memory than it may have (std::bad_alloc).");
    else
      decide(verdict::crash, fmt::format("A C++ exception left the entry: {}{}{}.", e.name, e.text.empty() ? "" : ": ",
                                         printable(e.text, 300)));
  }

  void by_planted_fault(const case_result& r) {
    const auto planted = static_cast<int>(r.measured.injected_error);
    const std::string call = fmt::format(
        "The {} CUDA call of this case was made to fail{}{}, with {} ({}).", ordinal(case_.fault().nth),
        r.measured.injected_call.empty() ? "" : ": ", printable(r.measured.injected_call, 300),
        planted == allocation_error ? "cudaErrorMemoryAllocation" : "cudaErrorLaunchOutOfResources", planted);
    if (r.how == ending::returned || !r.detail.returned)
      decide(verdict::wrong_answer, fmt::format("{} The entry returned cudaSuccess.", call),
             {{"error lost",
               "Look at what every call returns, and hand an error on: it gets lost where nobody looks, where a later "
               "call's result takes its place, and where the last line returns cudaSuccess."}});
    else if (r.detail.code != planted)
      decide(verdict::wrong_answer,
             fmt::format("{} The entry returned another error, {} ({}).", call, r.detail.name, r.detail.code),
             {{"other error", "Return the first error that a call gave."}});
    else if (r.measured.host.leaked_bytes > 0)
      decide(verdict::leak,
             fmt::format("{} The entry returned the error, as it should, but {} bytes of device memory were "
                         "not given back. Call cudaFree on every way out.",
                         call, grouped(r.measured.host.leaked_bytes)));
    else
      decide(verdict::pass, "");
  }

  void by_error(const ending_detail& e) {
    const finding* why = first_error(out_.measured.findings);
    std::string message = e.returned ? fmt::format("The entry returned {} ({}).", e.name, e.text)
                                     : fmt::format("CUDA reported {} ({}).", e.name, e.text);
    const auto launch = std::ranges::find(out_.measured.findings, failed_launch_rule, &finding::rule);
    const bool launch_failed = launch != out_.measured.findings.end();
    if (e.code == configuration_error && !launch_failed)
      message +=
          " A block has 1 to 1024 threads, z at most 64 of them; a grid has at least one block in each direction.";
    std::vector<explanation> likely;
    if (why != nullptr) {
      message.clear();
      likely.push_back(as_explanation(*why));
    } else if (launch_failed) {
      likely.push_back(as_explanation(*launch));
      likely.back().how = certainty::likely;
      if (launch->message.find("has no block") != std::string::npos)
        likely.push_back({grid_rounded_down, likely.back().says});
    }
    if (e.code == timeout_error)
      decide(verdict::timeout, why == nullptr ? "A kernel ran without end." : message, likely);
    else if (std::ranges::find(stopping_errors, e.code) != stopping_errors.end())
      decide(verdict::crash, message.empty() ? "The kernel was stopped:" : "The kernel was stopped: " + message,
             likely);
    else if (e.code == allocation_error && !e.returned)
      decide(verdict::memory_limit, message, likely);
    else
      decide(verdict::wrong_answer, message, likely);
  }

  // The values of the one timed call whose outputs came back.
  [[nodiscard]] std::vector<argument_value> values_of_checked_call(const timed_calls& timed,
                                                                   const std::vector<round_arguments>& rounds) const {
    std::vector<argument_value> values;
    for (std::size_t i = 0; i < rounds[0].size(); ++i) {
      const argument_value& first = rounds[0][i];
      const argument_role role = lab_.arguments[i].role;
      if (role != argument_role::input && role != argument_role::in_out) {
        values.push_back(first);
        continue;
      }
      const std::size_t element = lab_.arguments[i].element_bytes;
      values.push_back({std::vector<std::byte>(first.bytes.size()), first.extents});
      in_pieces(first.bytes.size() / element, [&](std::size_t begin, std::size_t end) {
        mix_values(values[i].bytes.data(), first.bytes.data(), rounds[1][i].bytes.data(), begin, end, element,
                   timed.key, i);
      });
    }
    return values;
  }

  void by_timed_outputs(const case_result& r, const std::vector<round_arguments>& rounds) {
    if (!compares()) return;
    const timed_calls& timed = r.measured.timed.value();
    std::vector<argument_value> values = values_of_checked_call(timed, rounds);
    if (lab_.proof)
      out_.wrong = disproved(lab_, *lab_.proof, lab_.tolerance_of(case_), values, r.rounds.front());
    else
      compare_outputs(r, values, 0);
    if (out_.wrong)
      decide(verdict::wrong_answer,
             fmt::format("{} This is call {} of {} that were timed, each with other values in other memory.",
                         summary_of(*out_.wrong), timed.checked + 1, timed.milliseconds.size()));
  }

  void by_outputs(const case_result& r, const std::vector<round_arguments>& rounds) {
    if (run_.timing) by_timed_outputs(r, rounds);
    for (std::size_t round = 0; compares() && !run_.timing && round < rounds.size() && !out_.wrong; ++round) {
      compare_outputs(r, rounds[round], round);
      if (!out_.wrong) continue;
      if (round > 0) likely_ = from_the_call_before(as_wrong_answer(r, rounds[round]), round);
      if (is_nearly_right(*out_.wrong))
        prefer_rounding(as_wrong_answer(r, rounds[round]));
      else if (likely_.empty() && round == 0)
        if (auto other = another_input(as_wrong_answer(r, rounds[round]), *out_.wrong)) likely_ = {std::move(*other)};
      decide(verdict::wrong_answer, summary_of(*out_.wrong, !likely_.empty()), likely_);
    }
    if (out_.wrong) return;
    const auto host_work = std::ranges::find_if(r.measured.findings, [](const finding& f) {
      return f.rule == host_computation_rule && f.level == severity::error;
    });
    if (host_work != r.measured.findings.end())
      decide(verdict::forbidden, describe(*host_work));
    else if (const finding* why = first_error(r.measured.findings))
      decide(only_leaks(r.measured.findings) ? verdict::leak : verdict::unsafe, describe(*why));
    else
      decide(verdict::pass, "");
  }

  [[nodiscard]] bool compares() const { return run_.compare && !options_.without.contains("outputs"); }

  [[nodiscard]] static bool only_leaks(const std::vector<finding>& findings) {
    return std::ranges::all_of(findings,
                               [](const finding& f) { return f.level != severity::error || f.rule == leak_rule; });
  }

  void compare_outputs(const case_result& r, const round_arguments& given, std::size_t round) {
    std::vector<argument_value> values = given;
    const tolerance allowed = lab_.tolerance_of(case_);
    std::vector<argument_value> magnitudes;
    std::future<void> other;  // beside the reference itself where both take long
    if (allowed.needs_magnitude()) {
      magnitudes = absolute_values(lab_, values);
      other =
          std::async(run_.timing ? std::launch::async : std::launch::deferred, [&] { lab_.run_reference(magnitudes); });
    }
    lab_.run_reference(values);
    if (other.valid()) other.get();
    const written_bytes written = is_poison_unwritten() ? written_bytes() : written_in(r);
    out_.wrong = compare(lab_, allowed, values, magnitudes, r.rounds[round], written);
    if (!out_.wrong || run_.timing || r.rounds[round][out_.wrong->position].size() > most_bytes_examined) return;
    const output_values output =
        values_of(lab_, allowed, out_.wrong->position, values, magnitudes, r.rounds[round], written);
    likely_ = what_it_looks_like(as_wrong_answer(r, given), output);
  }

  // Guesses at uninitialised variables and the like do not fit values that are nearly right.
  void prefer_rounding(const wrong_answer& w) {
    std::erase_if(likely_, [](const explanation& e) { return e.how == certainty::vague; });
    if (!likely_.empty()) return;
    const auto other = another_input(w, *out_.wrong);
    likely_ = {other ? *other : rounding(*out_.wrong)};
  }

  [[nodiscard]] wrong_answer as_wrong_answer(const case_result& r, const round_arguments& given) const {
    return {lab_,
            case_,
            given,
            r,
            out_.wrong->position,
            run_.counters && r.where.emulator.has_value(),
            options_.source.empty() ? std::vector<std::string>() : device_variables(source_text(options_.source))};
  }

  // Kernels store to device memory; what is compared is the host's, which only a copy fills.
  [[nodiscard]] bool is_poison_unwritten() const { return lab_.kind == entry_kind::host; }

  // Bytes that kernels stored into each argument, as far as a backend counts.
  [[nodiscard]] written_bytes written_in(const case_result& r) const {
    written_bytes written{std::vector<std::size_t>(lab_.arguments.size())};
    for (const launch_counters& l : r.measured.launches)
      for (const access_counters& a : l.accesses)
        for (std::size_t i = 0; i < lab_.arguments.size(); ++i)
          if (a.access != "read" && a.variable == lab_.arguments[i].name) written.of_argument[i] += a.bytes;
    return written;
  }

  [[nodiscard]] bool is_untouched(const case_result& r, const std::vector<argument_value>& values) const {
    const written_bytes written = written_in(r);
    for (std::size_t i = 0; i < lab_.arguments.size(); ++i) {
      const argument_role role = lab_.arguments[i].role;
      if (is_written(role) && written.of_argument[i] > 0) return false;
      if (role == argument_role::in_out && r.rounds.front()[i] != values[i].bytes) return false;
      if (role == argument_role::output &&
          !std::ranges::all_of(r.rounds.front()[i], [](std::byte b) { return b == std::byte{poison_byte}; }))
        return false;
    }
    return true;
  }

  const lab& lab_;
  const judge_options& options_;
  const test_case& case_;
  const case_run& run_;
  case_outcome& out_;
  std::vector<explanation> likely_;  ///< what a wrong answer looks like
};

}  // namespace

bool decide_by_process(const judged_run& run, const process_outcome& ended, const process_limits& limits, bool started,
                       bool has_result, case_outcome& out) {
  return verdict_rules(run, out).by_process(ended, limits, started, has_result);
}

void decide_by_result(const judged_run& run, const case_result& result, const std::vector<round_arguments>& rounds,
                      case_outcome& out) {
  verdict_rules(run, out).by_result(result, rounds);
}

void decide_by_broken_result(const protocol_error& why, case_outcome& out) {
  out.judged = verdict::implausible;
  out.message = out.summary =
      fmt::format("What the program left behind is no result of this lab's runner: {}.", why.what());
}

void add_last_words(const case_result& result, case_outcome& out) {
  out.measured.findings = result.measured.findings;
  const auto where = std::ranges::find(out.measured.findings, "interrupted", &finding::rule);
  if (where != out.measured.findings.end()) out.message += " " + describe(*where);
}

}  // namespace simtlab
