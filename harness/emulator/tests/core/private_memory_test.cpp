// Whose memory it is follows from the address alone, wherever it is freed.
#include "core/private_memory.h"

#include <doctest/doctest.h>

#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <vector>

using namespace simtlab::emulator;

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool is_sanitized = true;  // there every allocation is ordinary
#else
constexpr bool is_sanitized = false;
#endif

bool is_private(const void* p) { return private_memory().contains(reinterpret_cast<address>(p)); }

}  // namespace

TEST_CASE("operator new is private inside a scope and ordinary outside, on the thread that says so") {
  const auto before = std::make_unique<int>();
  CHECK(!is_private(before.get()));
  {
    const private_allocation own;
    const auto inside = std::make_unique<int>();
    CHECK(is_private(inside.get()) == !is_sanitized);
    std::thread([] { CHECK(!is_private(std::make_unique<int>().get())); }).join();
    { const private_allocation again; }
    CHECK(is_private(std::make_unique<int>().get()) == !is_sanitized);
  }
  CHECK(!is_private(std::make_unique<int>().get()));
}

TEST_CASE("every size and alignment: aligned, writable, apart from each other, and freed anywhere") {
  std::vector<std::unique_ptr<std::string>> kept;
  for (std::size_t bytes = 1; bytes < (std::size_t{8} << 20); bytes = bytes * 3 + 1) {
    const private_allocation own;
    kept.push_back(std::make_unique<std::string>(bytes, static_cast<char>('a' + kept.size())));
  }
  for (std::size_t i = 0; i < kept.size(); ++i)
    CHECK(kept[i]->find_first_not_of(static_cast<char>('a' + i)) == std::string::npos);
  kept.clear();
  for (const std::size_t alignment : {32U, 256U, 4096U, 65536U}) {
    const private_allocation own;
    void* p = ::operator new (1000, std::align_val_t{alignment});
    CHECK(reinterpret_cast<address>(p) % alignment == 0);
    std::memset(p, 1, 1000);
    ::operator delete (p, std::align_val_t{alignment});
  }
}

TEST_CASE("what is freed is used again") {
  if (is_sanitized) return;
  const private_allocation own;
  for (const std::size_t bytes : {100U, 100'000U, 10'000'000U}) {
    void* first = ::operator new(bytes);
    ::operator delete(first);
    void* second = ::operator new(bytes);
    CHECK(first == second);
    std::memset(second, 2, bytes);
    ::operator delete(second);
  }
}

TEST_CASE("mapped memory is private, zero, and zero again the next time") {
  for (int i = 0; i < 3; ++i) {
    auto* p = static_cast<char*>(map_privately(1 << 20, true));
    CHECK(is_private(p));
    CHECK(p[12345] == 0);
    p[12345] = 1;
    unmap_privately(p, 1 << 20);
  }
}

TEST_CASE("more than there is, is refused") {
  const private_allocation own;
  if (!is_sanitized) CHECK_THROWS_AS(static_cast<void>(::operator new (std::size_t{1} << 60)), std::bad_alloc);
}
