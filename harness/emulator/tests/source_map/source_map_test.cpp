// Sites become lines and addresses names. The subject is compiled by simtcc; the hooks here only note who called them.
#include "report/source_map.h"

#include <doctest/doctest.h>

#include <fstream>
#include <map>
#include <string>
#include <vector>

using namespace simtlab::emulator;

void call_kernels();
const void* address_of_plain();
const void* address_of_template();

namespace {

std::vector<const void*> callers;

void note(const void* caller) { callers.push_back(caller); }

int line_with(const char* file, const std::string& mark) {
  std::ifstream in(std::string(SIMTLAB_TEST_FOLDER) + "/" + file);
  std::string line;
  for (int n = 1; std::getline(in, line); ++n)
    if (line.find("// line: " + mark) != std::string::npos) return n;
  return -1;
}

std::vector<source_line> lines() {
  callers.clear();
  call_kernels();
  const source_map& map = source_map::of_this_program();
  std::vector<source_line> result;
  result.reserve(callers.size());
  for (const void* caller : callers)
    result.push_back(map.line_of(static_cast<site>(reinterpret_cast<std::uint64_t>(caller) - map.text_base())));
  return result;
}

bool contains(const std::vector<source_line>& all, const char* file, const char* mark) {
  const source_line wanted{file, line_with(file, mark)};
  REQUIRE(wanted.line > 0);
  for (const source_line& l : all)
    if (l == wanted) return true;
  return false;
}

int host_variable = 3;

}  // namespace

extern "C" {
__thread unsigned simtlab_thread_index[3], simtlab_block_index[3], simtlab_block_dim[3], simtlab_grid_dim[3];
// As outside of kernels: no token matches, and no lane has a row.
__thread std::uint64_t simtlab_hooks[6];
extern const std::uint64_t simtlab_no_template;
const std::uint64_t simtlab_no_template = ~std::uint64_t{0};
void simtlab_log_bundle() {}
void simtlab_tsan_init() {}
void simtlab_tsan_func_entry(void*) {}
void simtlab_tsan_func_exit() {}
void simtlab_cov_trace_pc() {}
void simtlab_ubsan_out_of_bounds(void*, unsigned long) {}
void simtlab_host_read(void*, const void*, std::uint32_t) {}
void simtlab_tsan_write4(void*) { note(__builtin_return_address(0)); }
void simtlab_tsan_write8(void*) { note(__builtin_return_address(0)); }
void simtlab_tsan_write_range(void*, unsigned long) {}
void simtlab_tsan_write_pieces(void*, unsigned long, std::uint32_t) { note(__builtin_return_address(0)); }
void simtlab_tsan_volatile_read8(void*) {}
void simtlab_tsan_read_pieces(void*, unsigned long, std::uint32_t) {}
void simtlab_know_kernel(const void*, void*) {}
int simtlab_has_arguments(const void*, void**, unsigned) { return 0; }
void simtlab_launch(const void*) {}
void simtlab_syncthreads() { note(__builtin_return_address(0)); }
std::uint64_t simtlab_atomic(volatile void*, unsigned, unsigned, unsigned, std::uint64_t) {
  note(__builtin_return_address(0));
  return 0;
}
}

#ifdef __x86_64__
// Guards, which change no register; calls through pointers, whose target is in %r11, or where %r11 points to.
__asm__(R"(
	.text
	.globl	simtlab_guard_read, simtlab_guard_write, simtlab_local_read, simtlab_local_write
	.globl	simtlab_frame_begin, simtlab_frame_end, simtlab_stack_to
simtlab_frame_begin:
simtlab_frame_end:
simtlab_stack_to:
simtlab_guard_read:
simtlab_guard_write:
simtlab_local_read:
simtlab_local_write:
	ret
	.globl	simtlab_indirect_call
simtlab_indirect_call:
	jmp	*%r11
	.globl	simtlab_indirect_call_at
simtlab_indirect_call_at:
	jmp	*(%r11)
)");
#endif

TEST_CASE("a site is the student's own line, in their own file") {
  const auto found = lines();
  CHECK(contains(found, "subject.cu", "shared write"));
  CHECK(contains(found, "subject.cu", "global write"));
  CHECK(contains(found, "subject.cu", "barrier"));
}

TEST_CASE("what CUDA's headers do stands at the line that called them") {
  CHECK(contains(lines(), "subject.cu", "atomic"));
  CHECK(contains(lines(), "subject.cu", "atomic in a lambda"));
  CHECK(contains(lines(), "subject.cu", "atomic in a local type"));
}

TEST_CASE("a function of the student's own that was inlined keeps its line") {
  CHECK(contains(lines(), "subject_inline.cuh", "write in a header"));
}

TEST_CASE("no site, no line") {
  CHECK(source_map::of_this_program().line_of(0) == source_line{});
  CHECK(source_map::of_this_program().line_of(0xfffffff0u) == source_line{});
}

TEST_CASE("variables in device memory are listed by their source names, with their sizes") {
  std::multimap<std::string, device_symbol> by_name;
  for (const device_symbol& s : source_map::of_this_program().device_symbols()) by_name.emplace(s.name, s);
  REQUIRE(by_name.size() == 6);
  CHECK(by_name.find("weights")->second.space == memory_space::constant);
  CHECK(by_name.find("weights")->second.bytes == 20);
  CHECK(by_name.find("hits")->second.space == memory_space::global);
  CHECK(by_name.find("hits")->second.bytes == 12);
  CHECK(by_name.find("total")->second.bytes == 8);
  CHECK(by_name.find("tile")->second.space == memory_space::shared);
  CHECK(by_name.find("tile")->second.bytes == 28);
  CHECK(by_name.count("scratch") == 2);
  std::uint64_t end = 0;
  for (const device_symbol& s : source_map::of_this_program().device_symbols()) {
    if (s.space != memory_space::shared) continue;
    CHECK(s.begin >= end + 256);  // the red zone
    end = s.begin + s.bytes;
  }
}

TEST_CASE("parameters of a kernel, templates too") {
  const source_map& map = source_map::of_this_program();
  CHECK(map.parameters_of(reinterpret_cast<std::uint64_t>(address_of_plain())) ==
        std::vector<std::string>{"output", "input", "count"});
  CHECK(map.parameters_of(reinterpret_cast<std::uint64_t>(address_of_template())) == std::vector<std::string>{"first"});
  CHECK(map.parameters_of(1).empty());
}

TEST_CASE("host variables and functions by address") {
  const source_map& map = source_map::of_this_program();
  CHECK(map.symbol_at(reinterpret_cast<std::uint64_t>(&host_variable)) == "host_variable");
  CHECK(map.symbol_at(reinterpret_cast<std::uint64_t>(address_of_plain())) == "plain");
  CHECK(map.symbol_at(3).empty());
}
