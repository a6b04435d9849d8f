// The backend over the stand-in. It reports one launch, half as efficient as could be for `output`, so that `fast` has
// something to grade. Each element of the first argument is read once; of the stores, it knows what the program records.
#include <cstdlib>

#include "plain/plain_runtime.h"
#include "runner/backend.h"

namespace simtlab {
namespace {

access_counters access_at(int line, const char* kind, const char* variable, std::uint64_t id, std::uint64_t elements) {
  access_counters a;
  a.array = {id, true};
  a.file = "kernel.cu";
  a.line = line;
  a.space = "global";
  a.access = kind;
  a.variable = variable;
  a.width = 4;
  a.requests = (elements + 31) / 32;
  a.lanes = elements;
  a.bytes = 4 * elements;
  a.sectors = a.ideal_sectors = 4 * a.requests;
  a.lines = a.requests;
  return a;
}

class plain_backend final : public backend {
 public:
  environment describe(const case_request& r) override {
    return {"plain", emulator_description{"plain", r.workers}, {}};
  }
  std::size_t guard_bytes() const override { return 256; }
  bool fills_fresh_memory() const override { return true; }
  bool starts_quickly() const override { return std::getenv("TEST_STARTS_SLOWLY") == nullptr; }
  void name_memory(const void*, std::size_t, std::string_view) override {}
  void begin(const case_request& r) override {
    plain::the_account().fail_call = r.fail_api_call;
    elements_ = r.arguments.front().elements;
  }
  measurements take(bool final) override {
    plain::account& a = plain::the_account();
    measurements m;
    launch_counters l;
    l.kernel = "scale";
    l.accesses = {access_at(7, "read", "input", 1, elements_), access_at(7, "write", "output", 2, elements_)};
    l.accesses.back().sectors *= 2;
    l.accesses.back().bytes = plain::take_recorded_write("output");
    m.launches.push_back(l);
    m.host.allocations = a.allocated;
    m.host.frees = a.freed;
    m.host.allocated_bytes = a.allocated_bytes;
    m.host.bytes_to_device = a.bytes_to_device;
    m.host.bytes_to_host = a.bytes_to_host;
    m.injected_error = static_cast<std::uint64_t>(a.injected_error);
    if (final) m.host.leaked_bytes = a.live_bytes;
    const std::uint64_t live = a.live_bytes, fail_call = a.fail_call;
    a = {};
    a.live_bytes = live;
    a.fail_call = fail_call;
    return m;
  }
  void on_fatal(std::function<void(measurements)>) override {}

 private:
  std::size_t elements_ = 0;
};

}  // namespace

backend& this_backend() {
  static plain_backend backend;
  return backend;
}

}  // namespace simtlab
