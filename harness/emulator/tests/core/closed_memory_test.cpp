// Closed memory cannot be written, private memory not read either, and what nothing depends on stays open.
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

enum class access_kind { read, store };

/// Whether an access there ends a process in which memory is closed.
bool is_closed_to(volatile char* place, access_kind kind = access_kind::store) {
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGSEGV, SIG_DFL);
    const char before = *place;
    close_memory();
    if (kind == access_kind::read) std::_Exit(*place == before ? 0 : 1);
    *place = before;
    std::_Exit(0);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE((WIFSIGNALED(status) ? WTERMSIG(status) == SIGSEGV : WEXITSTATUS(status) == 0));
  return WIFSIGNALED(status);
}

/// The same while nothing is closed but what `closes` closes.
int end_of(void (*closes)()) {
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGSEGV, SIG_DFL);
    closes();
    std::_Exit(0);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
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
  const address_range middle{of(variables) + 1, of(variables) + 3 * page + 1};  // without the first page
  prepare_to_close(&middle, 1);
  for (char* const place : {small.get(), large.get(), large.get() + (std::size_t{3} << 20) - 1, mapped + 123456,
                            variables + page, variables + 3 * page - 1})
    CHECK(is_closed_to(place));
  for (char* const place : {apart, heap, variables, variables + page - 1, variables + 3 * page})
    CHECK(!is_closed_to(place));
#ifdef __x86_64__
  for (char* const place : {small.get(), large.get(), mapped + 123456}) CHECK(is_closed_to(place, access_kind::read));
#endif
  for (char* const place : {variables + page, apart, heap}) CHECK(!is_closed_to(place, access_kind::read));
  stop_closing();
  CHECK(!is_closed_to(small.get()));
  unmap_privately(mapped, std::size_t{1} << 20);
  unmap_privately(apart, page);
  std::free(heap);
}

TEST_CASE("what was closed is open again, with its content, for all sizes that came since") {
  const private_allocation own;
  const address_range none{};
  prepare_to_close(&none, 0);
  auto first = std::make_unique<long>(17);
  for (int i = 1; i <= 40; ++i) {
    close_memory();
    const bool was_closed = is_memory_closed();
    close_memory();
    const bool opens = open_memory(), opens_again = open_memory();
    CHECK(was_closed);
    CHECK(*first == 16 + i);
    CHECK(opens);
    CHECK(!opens_again);
    const auto more = std::make_unique<char[]>(std::size_t{30'000} * i);
    more[std::size_t{30'000} * i - 1] = 'b';
    ++*first;
  }
  CHECK(is_closable(of(first.get())));
  CHECK(!is_closable(of(&first)));
  stop_closing();
}

TEST_CASE("while memory is closed, nobody but who opens all of it changes how its pages may be accessed") {
  const address_range all{of(variables), of(variables) + sizeof variables};
  prepare_to_close(&all, 1);
  constexpr int refused = 70;
  CHECK(end_of([] { protect(variables, page, PROT_READ | PROT_WRITE); }) == 0);
  CHECK(end_of([] {
          close_memory();
          protect(variables, page, PROT_READ | PROT_WRITE);
        }) == refused);
  CHECK(end_of([] {
          close_memory();
          discard(variables + page, page);
        }) == refused);
  CHECK(end_of([] {
          close_memory();
          map_fixed(variables, page, PROT_READ | PROT_WRITE);
        }) == refused);
  CHECK(end_of([] {
          close_memory();
          open_memory();
          protect(variables, page, PROT_READ | PROT_WRITE);
        }) == 0);
  stop_closing();
}

TEST_CASE("who opens memory has to be called from the code that may") {
  const address_range all{of(variables), of(variables) + sizeof variables};
  prepare_to_close(&all, 1, {address_range{1, 2}, address_range{}});
  CHECK(end_of([] {
          close_memory();
          open_memory();
        }) == 70);
  prepare_to_close(&all, 1);
  CHECK(end_of([] {
          close_memory();
          open_memory();
        }) == 0);
  stop_closing();
}
