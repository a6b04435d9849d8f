// Closed memory can be read and not written, and what nothing depends on stays open.
#include "core/closed_memory.h"

#include <doctest/doctest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <memory>

#include "core/memory_calls.h"

using namespace simtlab::emulator;

namespace {

constexpr std::size_t page = 4096;
alignas(page) char variables[4 * page];

address of(const void* p) { return reinterpret_cast<address>(p); }

/// Whether a store there ends a process in which memory is closed.
bool is_closed_to(volatile char* place) {
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGSEGV, SIG_DFL);
    const char before = *place;  // reading is free
    close_memory();
    *place = before;
    std::_Exit(*place == before ? 0 : 1);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE((WIFSIGNALED(status) ? WTERMSIG(status) == SIGSEGV : WEXITSTATUS(status) == 0));
  return WIFSIGNALED(status);
}

}  // namespace

TEST_CASE("before anybody prepares for it nothing closes") {
  close_memory();
  CHECK(!is_memory_closed());
  CHECK(!open_memory());
}

TEST_CASE(
    "private memory, small and large, and whole pages of variables are closed; what is apart and the heap are not") {
  const private_allocation own;
  const auto small = std::make_unique<char>('a');
  const auto large = std::make_unique<char[]>(std::size_t{3} << 20);
  auto* const mapped = static_cast<char*>(map_privately(std::size_t{1} << 20, true));
  auto* const apart = static_cast<char*>(map_privately(page, false));
  REQUIRE(protect(apart, page, PROT_READ | PROT_WRITE));
  char* const heap = static_cast<char*>(std::calloc(16, 1));
  const private_range middle{of(variables) + 1, of(variables) + 3 * page + 1};  // without the first page
  prepare_to_close(&middle, 1);
  for (char* const place : {small.get(), large.get(), large.get() + (std::size_t{3} << 20) - 1, mapped + 123456,
                            variables + page, variables + 3 * page - 1})
    CHECK(is_closed_to(place));
  for (char* const place : {apart, heap, variables, variables + page - 1, variables + 3 * page})
    CHECK(!is_closed_to(place));
  stop_closing();
  CHECK(!is_closed_to(small.get()));
  unmap_privately(mapped, std::size_t{1} << 20);
  unmap_privately(apart, page);
  std::free(heap);
}

TEST_CASE("what was closed is open again, with its content, for all sizes that came since") {
  const private_allocation own;
  const private_range none{};
  prepare_to_close(&none, 0);
  auto first = std::make_unique<long>(17);
  for (int i = 1; i <= 40; ++i) {
    close_memory();
    CHECK(is_memory_closed());
    close_memory();
    CHECK(*first == 16 + i);
    CHECK(open_memory());
    CHECK(!open_memory());
    const auto more = std::make_unique<char[]>(std::size_t{30'000} * i);
    more[std::size_t{30'000} * i - 1] = 'b';
    ++*first;
  }
  CHECK(is_closable(of(first.get())));
  CHECK(!is_closable(of(&first)));
  stop_closing();
}
