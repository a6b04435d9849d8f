#include "judge/render/documents.h"

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "judge/render/description.h"
#include "judge/render/difference.h"
#include "judge/render/facts.h"
#include "protocol/bounded_json.h"

namespace simtlab {
namespace {

json document_in(const std::filesystem::path& file) {
  std::ifstream from(file);
  std::stringstream text;
  text << from.rdbuf();
  try {
    return parse_bounded(text.str(), file.string());
  } catch (const protocol_error&) {
    return nullptr;
  }
}

}  // namespace

std::string description_text(const evaluation& of) {
  return to_text(description_of_lab(of.lab_name(), of.specification()));
}

std::string counters_text(evaluation& of) { return to_text(counters_of(of)); }

std::string facts_text(evaluation& of) { return to_text(facts_of(of)); }

void write_document(const std::filesystem::path& target, const std::string& text) {
  const std::filesystem::path unfinished = target.string() + ".part";
  std::ofstream to(unfinished);
  to << text;
  to.close();
  if (!to) throw std::runtime_error(unfinished.string() + " cannot be written");
  std::filesystem::rename(unfinished, target);
}

changed_run compared_with_last(const std::filesystem::path& last, evaluation& of) {
  const json before = document_in(last);
  const json now = facts_of(of);
  write_document(last, to_text(now));
  const headline head = headline_of(now);
  changed_run run{head.passed, head.text, ""};
  for (const std::string& line : differences(before, now)) run.changes += "  " + line + "\n";
  if (run.changes.empty()) run.changes = is_comparable(before, now) ? "  as in the last run\n" : "  the first run\n";
  return run;
}

}  // namespace simtlab
