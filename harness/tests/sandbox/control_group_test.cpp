// Where control groups can be made, read from what the kernel says in the ways that machines are set up.
#include "sandbox/control_group.h"

#include <doctest/doctest.h>

using namespace simtlab::sandbox;
using paths = std::vector<std::filesystem::path>;

TEST_CASE("version 1: a tree per controller, and our place in each") {
  const group_candidates found = find_candidates(
      "30 25 0:26 / /sys/fs/cgroup/memory rw,relatime shared:9 - cgroup cgroup rw,memory\n"
      "31 25 0:27 / /sys/fs/cgroup/pids rw,relatime - cgroup cgroup rw,pids\n",
      "8:pids:/\n4:memory:/service/one\n0::/\n");
  CHECK(found.memory == paths{"/sys/fs/cgroup/memory/service/one"});
  CHECK(found.processes == paths{"/sys/fs/cgroup/pids"});
  CHECK(found.unified.empty());
}

TEST_CASE("version 2: our own group, then those above") {
  const group_candidates found = find_candidates("25 1 0:22 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw,nsdelegate\n",
                                                 "0::/user.slice/app.slice/scope\n");
  CHECK(found.unified == paths{"/sys/fs/cgroup/user.slice/app.slice/scope", "/sys/fs/cgroup/user.slice/app.slice",
                               "/sys/fs/cgroup/user.slice", "/sys/fs/cgroup"});
}

TEST_CASE("a container sees its own part of the tree as the whole") {
  const group_candidates found = find_candidates(
      "30 25 0:26 /docker/1f /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n", "4:memory:/docker/1f/inner\n");
  CHECK(found.memory == paths{"/sys/fs/cgroup/memory/inner"});
}

TEST_CASE("no control groups, and texts that make no sense") {
  CHECK(find_candidates("", "").unified.empty());
  CHECK(find_candidates("nonsense - cgroup\n\n", "x:y\n").memory.empty());
  CHECK(find_candidates("25 1 0:22 / /proc rw - proc proc rw\n", "0::/\n").unified.empty());
}

TEST_CASE("where nothing can be made, there is no limit and nothing to join") {
  group_candidates nowhere;
  nowhere.unified = nowhere.memory = nowhere.processes = paths{"/proc/no/such/place"};
  const control_group group(nowhere, 1 << 20, 5);
  CHECK(!group.limits_memory());
  CHECK(!group.limits_processes());
  CHECK(group.doors().empty());
  CHECK(group.memory_kills() == 0);
}
