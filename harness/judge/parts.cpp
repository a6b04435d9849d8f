// The judge's face: three test cases.
#include "judge/parts.h"

#include <doctest/doctest.h>

#include <iostream>
#include <stdexcept>

#include "judge/render/problem_lines.h"

namespace simtlab {
namespace {

const judged_submission* the_submission = nullptr;

const judged_submission& submission() {
  if (the_submission == nullptr) throw std::logic_error("no submission was given to the judge");
  return *the_submission;
}

// Our own fault is none of the student's: it ends the test as an exception, which the reporter tells.
void refuse_internal_errors() {
  const lab_verdict overall = submission().of.overall();
  if (overall.judged == verdict::internal_error) throw std::runtime_error(overall.message);
}

}  // namespace

void set_judged_submission(const judged_submission* s) { the_submission = s; }

TEST_CASE("correct") {
  refuse_internal_errors();
  std::cout << submission().report.correct() << std::flush;
  CHECK(submission().of.correct().how == status::pass);
}

TEST_CASE("safe") {
  refuse_internal_errors();
  std::cout << submission().report.safe();
  if (problem_lines_are_asked_for()) std::cout << problem_lines(submission().of.safe().findings);
  std::cout << std::flush;
  CHECK(submission().of.safe().how == status::pass);
}

TEST_CASE("fast") {
  refuse_internal_errors();
  const fast_result& fast = submission().of.fast();
  std::cout << submission().report.fast() << std::flush;
  if (!fast.measurable && submission().of.correct().how == status::pass) {
    std::cout << "SKIP: " << fast.reason << "\n" << std::flush;  // CTest counts it as skipped
    return;
  }
  CHECK(fast.how == status::pass);
}

}  // namespace simtlab
