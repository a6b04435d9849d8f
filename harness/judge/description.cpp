#include "judge/description.h"

namespace simtlab {
namespace {

json listed(const sizes& of) {
  json list = json::array();
  for (const named_size& s : of) list.push_back({{"name", s.name}, {"value", s.value}});
  return list;
}

json to_json(const tolerance& t) {
  return {{"absolute", t.absolute}, {"relative", t.relative}, {"ulps", t.ulps}, {"condition", t.condition}};
}

}  // namespace

json description_of_lab(const std::string& name, const lab& of) {
  json arguments = json::array(), cases = json::array(), criteria = json::array();
  for (const argument_description& a : of.arguments) arguments.push_back(a.name);
  for (const test_case& c : of.cases)
    cases.push_back({{"name", c.name()},
                     {"sizes", listed(c.all_sizes())},
                     {"fails_call", c.fault().nth},
                     {"tolerance", to_json(of.tolerance_of(c))}});
  for (const criterion& c : of.criteria) {
    json anchors = json::array();
    for (const anchor& a : c.anchors) anchors.push_back({{"name", a.name}, {"mark", a.mark}});
    const metric_description& d = description_of(c.metric.what);
    criteria.push_back({{"metric", d.name},
                        {"says", d.says},
                        {"of", c.metric.of},
                        {"full_at", c.full_value},
                        {"none_at", c.none_value},
                        {"weight", c.share},
                        {"anchors", std::move(anchors)},
                        {"hint", c.hint},
                        {"emulator", d.emulator},
                        {"gpu", d.gpu}});
  }
  return {{"lab", name},
          {"kind", of.kind == entry_kind::host ? "host" : "device"},
          {"arguments", std::move(arguments)},
          {"cases", std::move(cases)},
          {"benchmark", {{"emulator", listed(of.benchmark.emulator)}, {"gpu", listed(of.benchmark.gpu)}}},
          {"criteria", std::move(criteria)},
          {"pass_at", of.pass_at}};
}

}  // namespace simtlab
