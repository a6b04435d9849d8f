#include "report/sarif.h"

#include <algorithm>
#include <vector>

#include "report/finding_layout.h"
#include "report/json_writer.h"

namespace simtlab::emulator {
namespace {

/// Each rule once, in the order of the findings: results refer to them by their index.
std::vector<rule> rules_of(const std::vector<finding>& findings) {
  std::vector<rule> rules;
  for (const finding& f : findings)
    if (std::find(rules.begin(), rules.end(), f.what) == rules.end()) rules.push_back(f.what);
  return rules;
}

class sarif_writer {
 public:
  sarif_writer(const report& r, const program_end& end, const source_paths& paths)
      : report_(r), end_(end), paths_(paths), rules_(rules_of(r.findings)) {}

  std::string write() {
    out_.begin('{').member("$schema", "https://json.schemastore.org/sarif-2.1.0.json").member("version", "2.1.0");
    out_.key("runs").begin('[').element().begin('{');
    write_tool();
    // By this name GitHub tells runs apart: it takes one of each.
    out_.key("automationDetails").begin('{').member("id", "simtlab/" + paths_.program() + "/").end('}');
    out_.key("columnKind").value("utf16CodeUnits");
    out_.key("originalUriBaseIds").begin('{').key(root_name).begin('{');
    out_.member("uri", "file://" + uri_path((paths_.root() / "").string())).end('}').end('}');
    write_invocation();
    out_.key("results").begin('[');
    for (const finding& f : report_.findings) write_result(f);
    out_.end(']').end('}').end(']').end('}');
    return out_.take();
  }

 private:
  static constexpr const char* root_name = "%SRCROOT%";

  void write_text(const char* name, const std::string& text) {
    out_.key(name).begin('{').member("text", text).end('}');
  }

  void write_tool() {
    out_.key("tool").begin('{').key("driver").begin('{').member("name", "simtlab").key("rules").begin('[');
    for (const rule r : rules_) {
      out_.element().begin('{').member("id", rule_name(r));
      write_text("shortDescription", rule_description(r));
      out_.key("defaultConfiguration").begin('{').member("level", severity_name(default_severity(r))).end('}').end('}');
    }
    out_.end(']').end('}').end('}');
  }

  void write_invocation() {
    out_.key("invocations").begin('[').element().begin('{').member("executionSuccessful", end_.ended);
    out_.key("executableLocation").begin('{').member("uri", uri_path(end_.program)).end('}').end('}').end(']');
  }

  void write_result(const finding& f) {
    const auto index = std::find(rules_.begin(), rules_.end(), f.what) - rules_.begin();
    out_.element().begin('{').member("ruleId", rule_name(f.what)).member("ruleIndex", index);
    out_.member("level", severity_name(f.level));
    write_text("message", title_text(f) + "\n" + details_text(f));
    out_.member("occurrenceCount", f.count).key("locations").begin('[').element().begin('{');
    write_physical(f.first);
    if (!f.kernel.empty()) {
      out_.key("logicalLocations").begin('[').element().begin('{');
      out_.member("fullyQualifiedName", f.kernel).member("kind", "function").end('}').end(']');
    }
    out_.end('}').end(']');
    if (f.second.where.line != 0) write_related(f.second);
    out_.end('}');
  }

  void write_related(const finding_place& p) {
    out_.key("relatedLocations").begin('[').element().begin('{').member("id", 1);
    write_physical(p);
    write_text("message", thread_text(p) + " " + p.action);
    out_.end('}').end(']');
  }

  void write_physical(const finding_place& p) {
    const std::string path = paths_.path_of(p);
    const bool absolute = path.starts_with('/');
    out_.key("physicalLocation").begin('{').key("artifactLocation").begin('{');
    out_.member("uri", (absolute ? "file://" : "") + uri_path(path));
    if (!absolute) out_.member("uriBaseId", root_name);
    out_.end('}');
    if (p.where.line > 0) out_.key("region").begin('{').member("startLine", p.where.line).end('}');
    out_.end('}');
  }

  const report& report_;
  const program_end& end_;
  const source_paths& paths_;
  std::vector<rule> rules_;
  json_writer out_;
};

}  // namespace

std::string sarif_report(const report& r, const program_end& end, const source_paths& paths) {
  return sarif_writer(r, end, paths).write();
}

}  // namespace simtlab::emulator
