// What code of libraries stores on host code's behalf, through pointers that the program forged: nothing of the emulator's or its
// embedder's changes, and the program ends with a finding. This file has no hooks, so what it stores itself stands for a library.
#include <cuda_runtime_api.h>
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <list>
#include <memory>
#include <new>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/closed_memory.h"
#include "emulator.h"
#include "runtime/boundary.h"
#include "trace/hook_state.h"

using namespace simtlab::emulator;

extern "C" std::uintptr_t simtlab_known_targets[256];  // of the emulator

namespace {

enum class end { returned, refused, otherwise };

void on_end(const report& r) {
  for (const finding& f : r.findings)
    if (f.what == rule::foreign_memory) std::_Exit(42);
  for (const finding& f : r.findings) std::fprintf(stderr, "%s\n", f.message.c_str());
}

/// How a process ends that guards and closes its memory, and in it calls `program`.
end run(const std::function<void()>& program, bool closes = true) {
  const pid_t child = fork();
  if (child == 0) {
    guard_host_memory(true);
    close_host_memory(closes);
    on_fatal(on_end);
    std::_Exit(call_program([&] {
      program();
      return 7;
    }));
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  if (!WIFEXITED(status)) return end::otherwise;
  return WEXITSTATUS(status) == 7 ? end::returned : WEXITSTATUS(status) == 42 ? end::refused : end::otherwise;
}

struct string_parts {
  char* begin;
  std::size_t size, capacity, unused;
};

using store = void (*)(char*);

/// Each stores what stands there already.
const std::array stores{
    store([](char* place) { *static_cast<volatile char*>(place) = *static_cast<volatile char*>(place); }),
    store([](char* place) {
      const string_parts parts{place, 0, 64, 0};
      alignas(std::string) std::array<char, sizeof(std::string)> forged{};
      std::memcpy(forged.data(), &parts, sizeof parts);
      reinterpret_cast<std::string*>(forged.data())->append(std::string(place, 16));
    }),
    store([](char* place) {
      std::istringstream text(std::string(place, 16));
      text.read(place, 16);
    }),
    store([](char* place) {
      std::FILE file{};
      static std::array<long, 8> lock{};
      file._lock = lock.data();
      file._IO_write_base = file._IO_write_ptr = place;
      file._IO_write_end = place + 8;
      std::fputc(*place, &file);
    }),
    store([](char* place) {
      std::list<int> one{1};
      auto* const before = reinterpret_cast<std::__detail::_List_node_base*>(place);
      std::__detail::_List_node_base node{};
      node._M_next = node._M_prev = before;
      node._M_unhook();  // stores to both neighbours
    }),
};

}  // namespace

TEST_CASE(
    "stores to private memory, to the emulator's variables, and to the stack of the program's callers are refused") {
  char above[65536] = {};
  std::vector<char*> places;
  {
    const private_allocation own;
    places = {new char[256]{}, new char[8 << 20]{}};
  }
  places.push_back(reinterpret_cast<char*>(simtlab_known_targets));
  places.push_back(above + 60000);
  for (char* const place : places)
    for (std::size_t i = 0; i < stores.size(); ++i) {
      CAPTURE(place - places[0]);
      CAPTURE(i);
      CHECK(run([&] { stores[i](place); }) == end::refused);
      if (i < 4) CHECK(run([&] { stores[i](place); }, false) == end::returned);  // the fifth changes what stands there
    }
}

TEST_CASE("the program's own memory is open to them: the heap, the stack, variables, and what it was given") {
  static std::array<char, 256> variable{};
  auto* const given = static_cast<char*>(memory_for_program(256));
  const auto stores_everywhere = [&] {
    std::array<char, 256> local{};
    const auto heap = std::make_unique<char[]>(256);
    for (char* const place : {variable.data(), given, local.data(), heap.get()})
      for (std::size_t i = 0; i < 4; ++i) stores[i](place);
  };
  CHECK(run(stores_everywhere) == end::returned);
  release_memory_for_program(given, 256);
}

TEST_CASE("calls of the runtime open the memory, and close it behind them") {
  static char* place = [] {
    const private_allocation own;
    return new char[16]{};
  }();
  CHECK(run([] {
          std::vector<void*> all(20);
          for (void*& where : all)
            if (cudaMalloc(&where, 100'000) != cudaSuccess || !is_memory_closed()) std::_Exit(1);
          float value = 1;
          for (void* where : all)
            if (cudaMemcpy(where, &value, 4, cudaMemcpyHostToDevice) != cudaSuccess) std::_Exit(2);
          for (void* where : all) cudaFree(where);
          if (cudaGetLastError() != cudaSuccess || cudaDeviceReset() != cudaSuccess || !is_memory_closed())
            std::_Exit(3);
        }) == end::returned);
  CHECK(run([] {
          cudaGetLastError();
          stores[1](place);
        }) == end::refused);
  CHECK(run([] {  // host code in a stream
          cudaLaunchHostFunc(
              nullptr, [](void* data) { stores[1](static_cast<char*>(data)); }, place);
        }) == end::refused);
}

TEST_CASE("an exception leaves the program as it would have done, with memory open behind it") {
  const auto thrown = [] {
    guard_host_memory(true);
    close_host_memory(true);
    bool caught = false;
    try {
      call_program([]() -> int { throw std::runtime_error("of the program"); });
    } catch (const std::runtime_error& e) {
      caught = std::string(e.what()) == "of the program" && !is_memory_closed();
    }
    guard_host_memory(false);
    return caught;
  };
  CHECK(thrown());
}

TEST_CASE("the thread's variables, which stay open, decide nothing: they are made anew") {
  static char* place = [] {
    const private_allocation own;
    return new char[16]{};
  }();
  // As if the emulator called itself: then no pointer would be looked at.
  CHECK(run([] {
          allocates_privately = true;
          float value = 1;
          cudaMemcpy(place, &value, 4, cudaMemcpyHostToHost);
        }) == end::refused);
  CHECK(run([] {
          attributed_site = 1;
          int count = 0;
          if (cudaGetDeviceCount(&count) != cudaSuccess || attributed_site != 0) std::_Exit(1);
        }) == end::returned);
  // What hooks and records of frames are found by is closed with the rest.
  for (std::size_t i = 0; i < stores.size() - 1; ++i)
    CHECK(run([&] { stores[i](reinterpret_cast<char*>(&hooks)); }) == end::refused);
}

TEST_CASE(
    "a library that calls what opens memory, through a table of functions that the program forged, ends the program") {
  static char* place = [] {
    const private_allocation own;
    return new char[16]{};
  }();
  static std::array<std::uintptr_t, 64> table{};
  const auto stores_behind = [](std::uintptr_t opener) {
    table.fill(opener);
    std::stringbuf buffer;
    std::ostream out(&buffer);
    const void* const forged = table.data();
    std::memcpy(static_cast<void*>(&buffer), &forged, sizeof forged);
    out << "text";
    stores[0](place);
    std::_Exit(7);  // without the destructor
  };
  const auto of = [](auto* function) { return reinterpret_cast<std::uintptr_t>(function); };
  for (const std::uintptr_t opener : {of(&open_memory), of(&stop_closing), of(&simtlab_initialisers_end)}) {
    CHECK(run([&] { stores_behind(opener); }) == end::otherwise);
    CHECK(run([&] { stores_behind(opener); }, false) == end::returned);
  }
}
