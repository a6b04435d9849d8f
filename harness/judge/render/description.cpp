#include "judge/render/description.h"

namespace simtlab {
namespace {

json listed(const sizes& of) {
  json list = json::array();
  for (const named_size& s : of) list.push_back(json_object({{"name", s.name}, {"value", s.value}}));
  return list;
}

json to_json(const tolerance& t) {
  return json_object(
      {{"absolute", t.absolute}, {"relative", t.relative}, {"ulps", t.ulps}, {"condition", t.condition}});
}

}  // namespace

// How many elements the entry gets in each array, in the emulator's benchmark.
json benchmark_elements(const lab& of) {
  const test_case benchmark("benchmark", of.benchmark.emulator);
  random_source random(0, benchmark.name());
  const auto values = of.make_arguments(benchmark, random);
  json elements = json::object();
  for (std::size_t i = 0; i < values.size(); ++i)
    if (const argument_description& a = of.arguments[i]; is_array(a.role))
      elements[a.name] = values[i].bytes.size() / a.element_bytes;
  return elements;
}

json description_of_lab(const std::string& name, const lab& of) {
  json arguments = json::array(), cases = json::array(), criteria = json::array();
  for (const argument_description& a : of.arguments) arguments.push_back(a.name);
  for (const test_case& c : of.cases)
    cases.push_back(json_object({{"name", c.name()},
                                 {"sizes", listed(c.all_sizes())},
                                 {"fails_call", c.fault().nth},
                                 {"tolerance", to_json(of.tolerance_of(c))}}));
  for (const criterion& c : of.criteria) {
    json anchors = json::array();
    for (const anchor& a : c.anchors) anchors.push_back(json_object({{"name", a.name}, {"mark", a.mark}}));
    const metric_description& d = description_of(c.metric.what);
    criteria.push_back(json_object({{"metric", d.name},
                                    {"says", d.says},
                                    {"of", c.metric.of},
                                    {"full_at", c.full_value},
                                    {"none_at", c.none_value},
                                    {"weight", c.share},
                                    {"anchors", std::move(anchors)},
                                    {"hint", c.hint},
                                    {"emulator", d.emulator},
                                    {"gpu", d.gpu}}));
  }
  return json_object(
      {{"lab", name},
       {"kind", of.kind == entry_kind::host ? "host" : "device"},
       {"arguments", std::move(arguments)},
       {"cases", std::move(cases)},
       {"benchmark", json_object({{"emulator", listed(of.benchmark.emulator)}, {"gpu", listed(of.benchmark.gpu)}})},
       {"benchmark_elements", benchmark_elements(of)},
       {"criteria", std::move(criteria)},
       {"pass_at", of.pass_at}});
}

}  // namespace simtlab
