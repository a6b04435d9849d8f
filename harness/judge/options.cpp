#include "judge/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <sstream>

#include "protocol/bounded_json.h"

namespace simtlab {
namespace {

constexpr std::array<std::string_view, 12> doctest_options{"-tc",  "--test-case",       "-tce", "--test-case-exclude",
                                                           "-ltc", "--list-test-cases", "-nc",  "--no-colors",
                                                           "-d",   "--duration",        "-r",   "--reporters"};

bool is_for_doctest(const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  return name.starts_with("--dt-") || std::ranges::find(doctest_options, name) != doctest_options.end();
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> words;
  std::stringstream from(text);
  for (std::string word; std::getline(from, word, separator);)
    if (!word.empty()) words.push_back(word);
  return words;
}

// Words with spaces between, or a JSON array of words for paths that hold some.
std::vector<std::string> prefix_from(const std::string& text) {
  if (!text.starts_with('[')) return split(text, ' ');
  try {
    const json parsed = parse_bounded(text, "a prefix");
    std::vector<std::string> words;
    json_reader(parsed, "prefix").for_each([&](const json_reader& word) { words.push_back(word.text()); });
    return words;
  } catch (const protocol_error&) {
    throw usage_error(fmt::format("a prefix expects words or a JSON array of words, found \"{}\"", text));
  }
}

template <class Number>
Number number_from(const std::string& option, const std::string& text, Number least) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !(number >= least))
    throw usage_error(fmt::format("{} expects a number of at least {}, found \"{}\"", option, least, text));
  return number;
}

backend_kind backend_from(const std::string& text) {
  if (text == "emulator") return backend_kind::emulator;
  if (text == "cuda") return backend_kind::cuda;
  throw usage_error(fmt::format("--backend expects emulator or cuda, found \"{}\"", text));
}

bool is_sass(const std::string& engine) {
  if (engine != "sass" && engine != "g++")
    throw usage_error(fmt::format("--engine expects g++ or sass, found \"{}\"", engine));
  return engine == "sass";
}

std::pair<std::string, std::filesystem::path> reference_from(const std::string& text) {
  const std::size_t sign = text.find('=');
  if (sign == 0 || sign == std::string::npos || sign + 1 == text.size())
    throw usage_error(fmt::format("--reference expects NAME=PATH, found \"{}\"", text));
  return {text.substr(0, sign), std::filesystem::absolute(text.substr(sign + 1))};
}

sizes sizes_from(const std::string& text) {
  std::vector<named_size> list;
  for (const std::string& word : split(text, ',')) {
    const std::size_t sign = word.find('=');
    if (sign == 0 || sign == std::string::npos)
      throw usage_error(fmt::format("--sizes expects NAME=NUMBER with commas between, found \"{}\"", word));
    list.push_back(
        {word.substr(0, sign), number_from<int>("--sizes " + word.substr(0, sign), word.substr(sign + 1), 0)});
  }
  return sizes(std::move(list));
}

/// Up to three numbers; those that are left out are `least`.
std::array<std::uint64_t, 3> triple_from(const std::string& option, const std::string& text, std::uint64_t least) {
  const std::vector<std::string> words = split(text, ',');
  std::array<std::uint64_t, 3> triple{least, least, least};
  if (words.empty() || words.size() > triple.size())
    throw usage_error(fmt::format("{} expects X, X,Y or X,Y,Z, found \"{}\"", option, text));
  for (std::size_t i = 0; i < words.size(); ++i) triple.at(i) = number_from<std::uint64_t>(option, words[i], least);
  return triple;
}

std::set<std::string> layers_from(const std::string& text) {
  std::set<std::string> named;
  for (const std::string& layer : split(text, ',')) {
    if (std::ranges::find(layers, layer) == layers.end())
      throw usage_error(fmt::format("--without expects some of {}, found \"{}\"", fmt::join(layers, ","), layer));
    named.insert(layer);
  }
  return named;
}

// Taken out of the environment, so that no program we start inherits it.
std::optional<std::uint64_t> take_seed_from_environment() {
  const char* text = std::getenv("SIMTLAB_SEED");
  if (text == nullptr) return std::nullopt;
  const auto seed = number_from<std::uint64_t>("SIMTLAB_SEED", text, 0);
  unsetenv("SIMTLAB_SEED");
  return seed;
}

// By `make test SANITIZE=1`.
bool is_switched_on(const char* variable) {
  const char* text = std::getenv(variable);
  return text != nullptr && *text != '\0' && std::string_view(text) != "0";
}

}  // namespace

const char* name_of(backend_kind b) { return b == backend_kind::emulator ? "emulator" : "cuda"; }

judge_options parse_options(const std::vector<std::string>& words) {
  judge_options o;
  // So that `make test RUN="srun --gres=gpu:1"` reaches every judge that CTest starts.
  if (const char* prefix = std::getenv("SIMTLAB_RUNNER_PREFIX"))
    o.runner_prefix = o.baseline_prefix = prefix_from(prefix);
  // `make test` asks for each part in a process of its own: what is measured needs no tool a second time.
  const bool is_fast_alone = std::ranges::find(words, "--test-case=fast") != words.end();
  if (is_switched_on("SIMTLAB_SANITIZE") && !is_fast_alone) o.sanitizer = "compute-sanitizer";
  if (is_switched_on("SIMTLAB_COUNTERS")) o.counters = "ncu";
  if (const auto seed = take_seed_from_environment()) o.seed = *seed;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& option = words[i];
    if (option == "--help" || option == "-h") {
      o.help = true;
      return o;
    }
    if (option == "--describe" || option == "--until-failure" || option == "--only-times" || option == "--changes") {
      (option == "--describe"        ? o.describe
       : option == "--until-failure" ? o.until_failure
       : option == "--changes"       ? o.changes
                                     : o.only_times) = true;
      continue;
    }
    if (is_for_doctest(option)) {
      o.for_doctest.push_back(option);
      continue;
    }
    const auto value = [&]() -> const std::string& {
      if (i + 1 == words.size()) throw usage_error(option + " expects a value");
      return words[++i];
    };
    if (option == "--runner")
      o.runner = value();
    else if (option == "--runner-prefix")
      o.runner_prefix = prefix_from(value());
    else if (option == "--backend")
      o.backend = backend_from(value());
    else if (option == "--facts")
      o.facts = value();
    else if (option == "--together")
      o.together = std::filesystem::absolute(value());
    else if (option == "--submission")
      o.submission = value();
    else if (option == "--hidden")
      o.hidden = value();
    else if (option == "--seed")
      o.seed = number_from<std::uint64_t>(option, value(), 0);
    else if (option == "--workers")
      o.workers = number_from<unsigned>(option, value(), 1);
    else if (option == "--engine")
      o.as_compiled = is_sass(value());
    else if (option == "--limit-seconds")
      o.limit_seconds = number_from<double>(option, value(), 0.001);
    else if (option == "--limit-memory-mb")
      o.limit_memory_mb = number_from<int>(option, value(), 1);
    else if (option == "--profile")
      o.profile = value();
    else if (option == "--page")
      o.page = value();
    else if (option == "--block")
      o.traced_block = triple_from(option, value(), 0);
    else if (option == "--launch-block")
      o.launch_block = triple_from(option, value(), 1);
    else if (option == "--samples")
      o.samples = true;
    else if (option == "--ncu-csv")
      o.nsight_csv = value();
    else if (option == "--input")
      o.input = value();
    else if (option == "--sizes")
      o.own_sizes = sizes_from(value());
    else if (option == "--print")
      o.print = true;
    else if (option == "--prepare")
      o.prepare = value();
    else if (option == "--case")
      o.case_name = value();
    else if (option == "--source")
      o.source = value();
    else if (option == "--baselines")
      o.baselines = std::filesystem::absolute(value());
    else if (option == "--reference")
      o.references.insert(reference_from(value()));
    else if (option == "--counters")
      o.counters = value();
    else if (option == "--count")
      o.count = value();
    else if (option == "--sanitizer")
      o.sanitizer = value();
    else if (option == "--timing-session")
      o.timing_session = std::filesystem::absolute(value());
    else if (option == "--baseline-prefix")
      o.baseline_prefix = prefix_from(value());
    else if (option == "--front-end")
      o.front_end = value();
    else if (option == "--sandbox-layers")
      o.sandbox_layers = split(value(), ',');
    else if (option == "--without")
      o.without = layers_from(value());
    else
      throw usage_error(fmt::format("unknown option \"{}\"", option));
  }
  if (o.describe) return o;
  if (o.changes && o.facts.empty()) throw usage_error("--changes compares facts: name their file with --facts");
  if (!o.page.empty() && o.profile.empty())
    throw usage_error("--page is the page of a profile: name the source with --profile");
  if ((o.samples || o.launch_block) && o.profile.empty())
    throw usage_error("--samples and --launch-block change the run of a profile: name the source with --profile");
  if (!o.nsight_csv.empty() && o.profile.empty())
    throw usage_error("--ncu-csv has the counters of a profile: name the source with --profile");
  if (o.runner.empty() && o.prepare.empty())
    throw usage_error("--runner is missing: the program built from the submission");
  if (!o.runner.empty()) o.runner = std::filesystem::absolute(o.runner);
  return o;
}

std::string usage(const std::string& program) {
  return fmt::format(
      "{} --runner PATH [options]\n"
      "\n"
      "Judges one submission of one lab. Without --facts and --profile it is a doctest\n"
      "program with the test cases correct, safe and fast.\n"
      "\n"
      "  --runner PATH            the program built from the submission\n"
      "  --runner-prefix \"WORDS\"  words before the runner, or a JSON array of words; {{case}}\n"
      "                           stands for the case's folder, {{memory_mb}} for its memory\n"
      "                           (default: $SIMTLAB_RUNNER_PREFIX)\n"
      "  --backend emulator|cuda  what the runner was built for (default emulator)\n"
      "  --facts FILE             judge everything, write the facts, exit 0 whatever the verdict\n"
      "  --changes                with --facts: print the verdict, what changed since the facts\n"
      "                           that FILE held before, and the part to look at\n"
      "  --together FOLDER        with --test-case: keep there what the other two test cases say of the\n"
      "                           same runner, for the calls that ask for those\n"
      "  --profile SOURCE         print the source with counters beside each line\n"
      "  --page FILE.html         with --profile: write it as a page with pictures of requests, too\n"
      "  --block X,Y,Z            with --page: the block of the first launch whose warps are drawn\n"
      "                           (default: 0,0,0; what is left out is 0)\n"
      "  --samples                with --profile: the runner's result has all accesses of one block to a\n"
      "                           sample of elements, too\n"
      "  --launch-block X,Y,Z     every launch gets blocks of this shape (what is left out is 1)\n"
      "  --ncu-csv FILE.csv       with --profile: write the counters as `ncu --csv --page raw` does, too\n"
      "  --input FILE             run once with the sizes and arrays of this text file, or with this picture\n"
      "  --sizes radius=5         with --input: sizes that FILE leaves out, as a picture does, with commas between\n"
      "  --print                  with --input: print the arrays, or write pictures beside FILE\n"
      "  --prepare FOLDER         only write the inputs of a case there, for `RUNNER FOLDER`\n"
      "  --case NAME              with --prepare: the case (default: the first)\n"
      "  --source FILE            quote lines of this file in messages\n"
      "  --until-failure          run nothing after the first case that does not pass\n"
      "  --only-times             run the benchmark alone: the cases have passed before\n"
      "  --describe               print the specification as JSON and judge nothing\n"
      "  --baselines PATH         the program simtlab-baselines, for times on a GPU\n"
      "  --reference NAME=PATH    the runner of the solution or of an anchor that times are compared\n"
      "                           with: solution=PATH, unpadded=PATH; once for each\n"
      "  --counters NCU           on a GPU: count the benchmark with Nsight Compute, too\n"
      "                           (default: ncu when $SIMTLAB_COUNTERS is set)\n"
      "  --count FILE             only count the benchmark of the emulator's size, as JSON\n"
      "  --sanitizer PROGRAM      on a GPU: run each case under compute-sanitizer, too\n"
      "                           (default: compute-sanitizer when $SIMTLAB_SANITIZE is set)\n"
      "  --timing-session FOLDER  keep the times of baselines and references in FOLDER\n"
      "                           for the next submission\n"
      "  --baseline-prefix WORDS  words before baselines and references\n"
      "                           (default: $SIMTLAB_RUNNER_PREFIX)\n"
      "  --submission NAME        the name of the submission in the facts\n"
      "  --hidden FILE.json       more cases: [{{\"name\", \"sizes\"}}]\n"
      "  --seed N                 the seed of the random inputs (default $SIMTLAB_SEED, or 1)\n"
      "  --workers N              CPU threads of the emulator (default 1)\n"
      "  --engine ENGINE          g++ (default), or sass: kernels run as nvcc compiled them\n"
      "  --limit-seconds S        wall clock of one case\n"
      "  --limit-memory-mb M      data memory of one case\n"
      "  --sandbox-layers A,B     the names of the active layers, for the facts\n"
      "  --without A,B            for simtlab's own tests: switch layers off, some of\n"
      "                           {}\n"
      "  --test-case=NAME         correct, safe or fast\n"
      "\n"
      "Counters of the emulator are exact (the source and CUDA's rules decide) or a model (on a GPU a\n"
      "compiler or an undocumented unit decides). Times and caches are not modelled. Which is which,\n"
      "and Nsight Compute's names: docs/counters.md, and the page of --page.\n",
      program, fmt::join(layers, ","));
}

}  // namespace simtlab
