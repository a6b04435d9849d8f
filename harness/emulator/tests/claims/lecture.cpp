#include "claims/lecture.h"

#include <cmath>
#include <cstdio>
#include <ostream>
#include <vector>

namespace simtlab::emulator::claims {
namespace {

struct row {
  std::string what, lecture, measured;
  bool agrees;
};

/// Of the test case that runs.
std::vector<row>& rows() {
  static std::vector<row> all;
  return all;
}

std::string number_text(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", number);
  return text;
}

std::string quoted(const std::string& text) {
  std::string made = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') made += '\\';
    made += c;
  }
  return made + "\"";
}

bool keep(row r) {
  rows().push_back(std::move(r));
  return rows().back().agrees;
}

/// One JSON object per test case and line: its name, whether it passed, its rows.
class claims_reporter : public doctest::IReporter {
 public:
  explicit claims_reporter(const doctest::ContextOptions& options) : out_(*options.cout) {}

  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats&) override {}
  void test_case_start(const doctest::TestCaseData& test) override {
    name_ = test.m_name;
    rows().clear();
  }
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_end(const doctest::CurrentTestCaseStats& ended) override {
    out_ << "{\"name\": " << quoted(name_) << ", \"ok\": " << (ended.failure_flags == 0 ? "true" : "false")
         << ", \"rows\": [";
    const char* between = "";
    for (const row& r : rows()) {
      out_ << between << "{\"what\": " << quoted(r.what) << ", \"lecture\": " << quoted(r.lecture)
           << ", \"measured\": " << quoted(r.measured) << ", \"ok\": " << (r.agrees ? "true" : "false") << "}";
      between = ", ";
    }
    out_ << "]}\n";
  }
  void test_case_exception(const doctest::TestCaseException&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData&) override {}
  void log_message(const doctest::MessageData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}

 private:
  std::ostream& out_;
  std::string name_;
};

DOCTEST_REGISTER_REPORTER("claims", 1, claims_reporter);

}  // namespace

bool record(const std::string& what, double lecture, double measured) {
  const bool agrees = std::abs(lecture - measured) <= 1e-6 * std::abs(lecture);
  return keep({what, number_text(lecture), number_text(measured), agrees});
}

bool record(const std::string& what, bool lecture, bool measured) {
  return keep({what, lecture ? "yes" : "no", measured ? "yes" : "no", lecture == measured});
}

std::string last_row() {
  const row& r = rows().back();
  return r.what + ": the lecture's " + r.lecture + ", measured " + r.measured;
}

}  // namespace simtlab::emulator::claims
