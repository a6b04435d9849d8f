// doctest's main, compiled once for every C++ test of the project.
// The emulator turns signals into findings; doctest's own handlers would be in its way.
#define DOCTEST_CONFIG_NO_POSIX_SIGNALS
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <cstdio>

namespace {

/// A test that skips itself says why (AddTest.cmake); doctest's own skip() has no reason. What `--source-file` leaves out is
/// another test's.
class told_skips : public doctest::IReporter {
 public:
  explicit told_skips(const doctest::ContextOptions&) {}
  void test_case_skipped(const doctest::TestCaseData& test) override {
    if (test.m_skip) std::printf("skipped without a reason: %s\n", test.m_name);
  }
  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats&) override {}
  void test_case_start(const doctest::TestCaseData&) override {}
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_end(const doctest::CurrentTestCaseStats&) override {}
  void test_case_exception(const doctest::TestCaseException&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData&) override {}
  void log_message(const doctest::MessageData&) override {}
};

REGISTER_LISTENER("told_skips", 1, told_skips);

}  // namespace
