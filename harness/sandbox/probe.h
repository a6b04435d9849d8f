// Which layers work on this machine: found out by trying, from inside.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace simtlab::sandbox {

struct probe_result {
  std::vector<std::string> layers;  ///< of a launch with namespaces; empty when there can be none
  std::string problem;              ///< why there can be none
  std::vector<std::string> without_namespaces;
};

/// Starts this program in a sandbox and lets it look around.
[[nodiscard]] probe_result probe();

/// Prints the result for people, or as JSON. Exit code 0: namespaces work; 1: they do not.
int print_probe(std::ostream&, bool json);

/// What a process finds that looks around, as JSON: the other end of probe().
int check_inside(std::ostream&);

}  // namespace simtlab::sandbox
