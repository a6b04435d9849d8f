// predict-NN-name: the questions of a lab with a student's numbers, and how many of the answers are right. Which ones are
// right it does not tell: that is what measuring is for. Exit codes: 0 whatever the answers; 1 the answers cannot be read
// (the student's mistake); 2 wrong usage; 3 our fault or the lab author's.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "predict/answers.h"
#include "predict/drawing.h"
#include "predict/question.h"

namespace simtlab::predict {
namespace {

constexpr int success = 0, unreadable_answers = 1, wrong_usage = 2, our_fault = 3;
constexpr double tolerance = 0.005;  // answers are asked for to two decimals at most
constexpr std::size_t width = 100;

struct options {
  std::string answers_file, student;
  bool named = false, as_json = false, with_key = false;
};

struct judged_question {
  std::string name, text;
  double answer = 0;
  bool answered = false, right = false;
  double given = 0;
};

judged_question judge(const question& of, const answers& by) {
  const drawn numbers = numbers_for(of, by.student);
  judged_question result{of.name, text_of(of, numbers)};
  static_cast<void>(emulator::take_report());
  of.run(numbers);
  const emulator::report report = emulator::take_report();
  for (const emulator::finding& f : report.findings)
    if (f.level == emulator::severity::error)
      throw std::runtime_error("predict.cu: the snippet of \"" + of.name + "\" is unsafe: " + f.message);
  result.answer = of.measurement(report);
  if (const auto at = by.given.find(of.name); at != by.given.end()) {
    result.answered = true;
    result.given = at->second;
    result.right = std::abs(at->second - result.answer) <= tolerance;
  }
  return result;
}

void print_wrapped(const std::string& text) {
  std::istringstream words(text);
  std::string line = "   ";
  for (std::string word; words >> word;) {
    if (line.size() + 1 + word.size() > width) {
      std::cout << line << '\n';
      line = "   ";
    }
    line += ' ' + word;
  }
  std::cout << line << '\n';
}

void print_text(const std::vector<judged_question>& all, const answers& by) {
  const std::string advice = advice_on(by.student);
  std::cout << (by.student.empty() ? "Nobody's numbers" : "The numbers of " + by.student)
            << (advice.empty() ? "" : ": " + advice) << ".\n";
  std::size_t right = 0, answered = 0;
  for (const judged_question& q : all) {
    std::cout << '\n' << q.name << '\n';
    print_wrapped(q.text);
    std::cout << "    your answer: ";
    if (q.answered)
      std::cout << q.given << '\n';
    else
      std::cout << "none yet: `" << q.name << " = ...` in predict.toml\n";
    right += q.right ? 1 : 0;
    answered += q.answered ? 1 : 0;
  }
  std::cout << '\n' << right << " of " << all.size() << " answers are right";
  if (answered < all.size()) std::cout << ", " << all.size() - answered << " not given yet";
  std::cout << ".\n";
}

void print_json(const std::vector<judged_question>& all, const answers& by, bool with_key) {
  using nlohmann::json;
  json questions = json::array();
  for (const judged_question& q : all) {
    questions.push_back({{"name", q.name}, {"text", q.text}, {"answered", q.answered}, {"right", q.right}});
    if (with_key) questions.back()["answer"] = q.answer;
  }
  const json document = {
      {"format", "simtlab-predictions"}, {"version", 1}, {"student", by.student}, {"questions", std::move(questions)}};
  std::cout << document.dump(1, ' ', false, json::error_handler_t::replace) << '\n';
}

answers answers_of(const options& o) {
  answers by;
  if (!o.answers_file.empty()) {
    std::ifstream from(o.answers_file);
    if (!from) throw answers_error(o.answers_file + " cannot be read");
    by = read_answers(from, "predict.toml");
  }
  if (o.named) by.student = o.student;
  return by;
}

void check_names(const answers& by, const std::vector<question>& all) {
  for (const auto& [name, given] : by.given) {
    if (std::ranges::find(all, name, &question::name) != all.end()) continue;
    std::string sentence = "predict.toml: there is no question `";
    sentence.append(name).append("`; the questions are");
    for (const question& q : all) sentence.append(" ").append(q.name);
    throw answers_error(sentence);
  }
}

int run(const options& o) {
  emulator::configure({});
  const std::vector<question> all = define_questions();
  const answers by = answers_of(o);
  check_names(by, all);
  std::vector<judged_question> judged;
  judged.reserve(all.size());
  for (const question& q : all) judged.push_back(judge(q, by));
  if (o.as_json)
    print_json(judged, by, o.with_key);
  else
    print_text(judged, by);
  return success;
}

}  // namespace
}  // namespace simtlab::predict

int main(int count, char** words) {
  using namespace simtlab::predict;
  options o;
  for (int i = 1; i < count; ++i) {
    const std::string option = words[i];
    const bool has_value = i + 1 < count;
    if (option == "--answers" && has_value) {
      o.answers_file = words[++i];
    } else if (option == "--student" && has_value) {
      o.student = words[++i];
      o.named = true;
    } else if (option == "--json") {
      o.as_json = true;
#ifdef SIMTLAB_PREDICT_KEY  // where the solutions are: `simtlab verify` tests the questions with it
    } else if (option == "--key") {
      o.with_key = o.as_json = true;
#endif
    } else {
      std::cerr << "predict [--answers predict.toml] [--student NAME] [--json]\n";
      return wrong_usage;
    }
  }
  try {
    return run(o);
  } catch (const answers_error& e) {
    std::cerr << e.what() << '\n';
    return unreadable_answers;
  } catch (const std::exception& e) {
    std::cerr << e.what() << '\n';
    return our_fault;
  }
}
