// simtlab-sandbox: starts compilers and submissions where they can do no harm. Exit codes: the command's; 125 when it was
// not started; 2 for wrong usage.
#include <csignal>
#include <exception>
#include <iostream>

#include "sandbox/control_group.h"
#include "sandbox/descriptor.h"
#include "sandbox/launch.h"
#include "sandbox/options.h"
#include "sandbox/probe.h"

namespace simtlab::sandbox {
namespace {

int launch_and_tell(const launch_options& options) {
  const launch_status status = launch(options);
  if (!options.status.empty()) write_status(status, options.status);
  if (!status.started) {
    std::cerr << "simtlab-sandbox: " << status.why << '\n';
    return not_started;
  }
  return status.signal != 0 ? 128 + status.signal : status.exit_code;
}

int run(const command_line& line) {
  switch (line.what) {
    case action::help:
      std::cout << usage();
      return 0;
    case action::probe:
      return print_probe(std::cout, line.json);
    case action::sweep:
      std::cout << sweep_groups(find_candidates()) << " removed\n";
      return 0;
    case action::check_inside:
      return check_inside(std::cout);
    case action::launch:
      return launch_and_tell(line.launch);
  }
  return not_started;
}

}  // namespace
}  // namespace simtlab::sandbox

int main(int count, char** words) {
  std::signal(SIGPIPE, SIG_IGN);
  try {
    return simtlab::sandbox::run(simtlab::sandbox::parse_command_line({words + 1, words + count}));
  } catch (const simtlab::sandbox::usage_error& e) {
    std::cerr << "simtlab-sandbox: " << e.what() << "\n\n" << simtlab::sandbox::usage();
    return 2;
  } catch (const std::exception& e) {
    std::cerr << "simtlab-sandbox: " << e.what() << '\n';
    return simtlab::sandbox::not_started;
  }
}
