#include "sandbox/probe.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <ostream>

#include "sandbox/descriptor.h"
#include "sandbox/launch.h"
#include "sandbox/layers.h"

namespace simtlab::sandbox {
namespace {

using nlohmann::json;
constexpr std::size_t trial_processes = 8, trial_memory_mb = 64;

std::string namespace_of(const char* kind) {
  std::error_code failed;
  return std::filesystem::read_symlink(std::string("/proc/self/ns/") + kind, failed).string();
}

bool has_capabilities() {
  std::ifstream from("/proc/self/status");
  for (std::string line; std::getline(from, line);)
    if (line.starts_with("CapEff:")) return line.find_first_not_of("0\t ", 7) != std::string::npos;
  return true;
}

json look_around() {
  rlimit processes{};
  getrlimit(RLIMIT_NPROC, &processes);
  const descriptor internet(socket(AF_INET, SOCK_DGRAM, 0));
  return {{"user", namespace_of("user")},
          {"mnt", namespace_of("mnt")},
          {"pid", namespace_of("pid")},
          {"net", namespace_of("net")},
          {"filtered", prctl(PR_GET_SECCOMP) == 2 && internet.get() < 0},
          {"capabilities", has_capabilities()},
          {"processes", processes.rlim_cur}};
}

// Standard output and error go into a file in memory while this lives.
class captured_output {
 public:
  captured_output() : file_(memfd_create("output", MFD_CLOEXEC)) {
    for (const int fd : {STDOUT_FILENO, STDERR_FILENO}) {
      saved_[static_cast<std::size_t>(fd)] = descriptor(fcntl(fd, F_DUPFD_CLOEXEC, 10));
      dup2(file_.get(), fd);
    }
  }
  ~captured_output() {
    for (const int fd : {STDOUT_FILENO, STDERR_FILENO}) dup2(saved_[static_cast<std::size_t>(fd)].get(), fd);
  }
  captured_output(const captured_output&) = delete;  // there is one standard output
  captured_output& operator=(const captured_output&) = delete;
  [[nodiscard]] std::string text() const {
    std::string all(4096, '\0');
    const ssize_t got = pread(file_.get(), all.data(), all.size(), 0);
    all.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    return all;
  }

 private:
  descriptor file_;
  std::array<descriptor, 3> saved_;
};

struct trial {
  launch_status status;
  json seen;
  std::string said;
};

trial try_out(bool namespaces) {
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe");
  launch_options options;
  options.shown = {{shown_path::way::read, self}};
  options.namespaces = namespaces;
  options.processes = trial_processes;
  options.memory_mb = trial_memory_mb;
  options.command = {self.string(), "--check-inside"};
  trial made;
  {
    const captured_output output;
    made.status = launch(options);
    made.said = output.text();
  }
  made.seen = json::parse(made.said, nullptr, false);
  return made;
}

// The layers that the process inside does not confirm.
std::vector<std::string> contradicted(const trial& made, bool namespaces) {
  if (!made.seen.is_object()) return {layer::mount_namespace};
  const json outside = look_around();
  std::vector<std::string> wrong;
  const auto expect = [&](bool held, const char* name) {
    if (!held) wrong.emplace_back(name);
  };
  if (namespaces) {
    expect(made.seen["user"] != outside["user"], layer::user_namespace);
    expect(made.seen["mnt"] != outside["mnt"], layer::mount_namespace);
    expect(made.seen["pid"] != outside["pid"], layer::pid_namespace);
    expect(made.seen["net"] != outside["net"], layer::network_namespace);
    expect(made.seen["processes"] < 64, layer::rlimits);
  }
  expect(made.seen["filtered"].get<bool>(), layer::seccomp);
  expect(!made.seen["capabilities"].get<bool>(), layer::unprivileged_user);
  return wrong;
}

std::vector<std::string> confirmed_layers(bool namespaces, std::string& problem) {
  const trial made = try_out(namespaces);
  if (!made.status.started || made.status.exit_code != 0 || made.status.signal != 0) {
    problem = made.status.why.empty() ? "the trial ended early" : made.status.why;
    if (!made.said.empty()) problem += ": " + made.said.substr(0, made.said.find('\n'));
    return {};
  }
  const std::vector<std::string> wrong = contradicted(made, namespaces);
  std::vector<std::string> layers;
  for (const std::string& name : made.status.layers)
    if (std::find(wrong.begin(), wrong.end(), name) == wrong.end()) layers.push_back(name);
  return layers;
}

}  // namespace

probe_result probe() {
  probe_result result;
  result.layers = confirmed_layers(true, result.problem);
  std::string ignored;  // what is missing there is missing above, too
  result.without_namespaces = confirmed_layers(false, ignored);
  return result;
}

int print_probe(std::ostream& to, bool as_json) {
  const probe_result found = probe();
  if (as_json) {
    to << json{{"format", "simtlab-sandbox-probe"},
               {"version", 1},
               {"layers", found.layers},
               {"problem", found.problem},
               {"without_namespaces", found.without_namespaces}}
              .dump(-1, ' ', false, json::error_handler_t::replace)
       << '\n';
  } else {
    for (const std::string& name : found.layers) to << name << '\n';
    if (found.layers.empty()) to << "no namespaces: " << found.problem << '\n';
  }
  return found.layers.empty() ? 1 : 0;
}

int check_inside(std::ostream& to) {
  to << look_around().dump() << '\n';
  return 0;
}

}  // namespace simtlab::sandbox
