// doctest's reporter of the judge: the parts print for themselves, so nothing of doctest's own (file names and
// assertions of the judge) reaches a student. What remains is our own fault and the count that CTest looks at.
#include <doctest/doctest.h>

#include <ostream>

namespace {

class quiet_reporter : public doctest::IReporter {
 public:
  explicit quiet_reporter(const doctest::ContextOptions& options) : out_(*options.cout) {}

  void report_query(const doctest::QueryData& query) override {
    for (unsigned i = 0; i < query.num_data; ++i) out_ << query.data[i]->m_name << "\n";
  }
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats& stats) override {
    if (stats.numTestCasesPassingFilters == 0) out_ << "test cases: 0 | the judge has correct, safe and fast\n";
  }
  void test_case_start(const doctest::TestCaseData&) override {}
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_end(const doctest::CurrentTestCaseStats&) override {}
  void test_case_exception(const doctest::TestCaseException& e) override {
    out_ << "The test could not be run; this is no fault of your program:\n" << e.error_string.c_str() << "\n";
  }
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData&) override {}
  void log_message(const doctest::MessageData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}

 private:
  std::ostream& out_;
};

}  // namespace

DOCTEST_REGISTER_REPORTER("simtlab", 1, quiet_reporter);
