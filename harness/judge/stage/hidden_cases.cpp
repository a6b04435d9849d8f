#include "judge/stage/hidden_cases.h"

#include <fmt/format.h>

#include <fstream>
#include <limits>
#include <set>
#include <sstream>

#include "protocol/bounded_json.h"

namespace simtlab {
namespace {

std::set<std::string> size_names(const sizes& of) {
  std::set<std::string> names;
  for (const named_size& s : of) names.insert(s.name);
  return names;
}

test_case case_from(const json_reader& from, const std::set<std::string>& expected, bool has_fault) {
  std::vector<named_size> list;
  from["sizes"].for_each_member([&](const std::string& name, const json_reader& value) {
    const std::int64_t number = value.integer();
    if (number < std::numeric_limits<int>::min() || number > std::numeric_limits<int>::max())
      value.fail("a number that fits an int");
    list.push_back({name, static_cast<int>(number)});
  });
  test_case made(from["name"].text(), sizes(std::move(list)),
                 has_fault ? fail_api_call(from["fail_api_call"].count()) : fail_api_call(), true);
  if (size_names(made.all_sizes()) != expected)
    from["sizes"].fail(fmt::format("the sizes {}", fmt::join(expected, ", ")));
  return made;
}

}  // namespace

std::vector<test_case> read_hidden_cases(const std::filesystem::path& file, const lab& of) {
  std::ifstream from(file);
  std::stringstream text;
  text << from.rdbuf();
  if (!from) throw specification_error(fmt::format("the hidden cases {} cannot be read", file.string()));
  try {
    const json document = parse_bounded(text.str(), file.string());
    std::vector<test_case> cases;
    std::set<std::string> names;
    for (const test_case& c : of.cases) names.insert(c.name());
    std::size_t i = 0;
    json_reader(document, "hidden").for_each([&](const json_reader& c) {
      cases.push_back(case_from(c, size_names(of.cases.front().all_sizes()), document[i++].contains("fail_api_call")));
      if (!names.insert(cases.back().name()).second) c["name"].fail("a name that no other case has");
    });
    return cases;
  } catch (const protocol_error& e) {
    throw specification_error(fmt::format("the hidden cases {} do not fit the lab: {}", file.string(), e.what()));
  }
}

}  // namespace simtlab
