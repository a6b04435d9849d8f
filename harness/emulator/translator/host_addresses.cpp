#include "translator/host_addresses.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "translator/assembly_symbol.h"
#include "translator/take_line.h"

namespace simtlab::emulator {
namespace {

constexpr std::string_view prefix = "simtlab_host_address_of_", table_prefix = "simtlab_host_table_of_";

/// An instruction that may hold an address; calls and jumps go where they go.
bool may_take_address(std::string_view line) {
  return line.size() > 2 && line[0] == '\t' && line[1] != '.' && line[1] != 'j' && !line.starts_with("\tcall");
}

class host_bodies {
 public:
  host_bodies(std::string_view text, const std::vector<std::string>& hosts, const std::vector<std::string>& devices)
      : text_(text), hosts_(hosts.begin(), hosts.end()), devices_(devices.begin(), devices.end()) {}

  std::string run() {
    std::string result;
    bool in_host = false;
    for (std::string_view rest = text_; !rest.empty();) {
      const std::string_view line = take_line(rest);
      if (line.ends_with(':') && line[0] != '.' && line[0] != '\t') {
        in_host = hosts_.contains(line.substr(0, line.find_first_of(".:")));  // `main`, and its parts `main.cold`
      } else if (line.starts_with("\t.size\t")) {
        in_host = false;
      } else if (in_host && may_take_address(line)) {
        add_rewritten(line, result);
        continue;
      }
      result.append(line) += '\n';
    }
    std::string tables;
    for (const std::string_view name : tables_taken_) add_table_of(name, tables);
    for (const std::string_view name : taken_) add_jump_to(name, result);
    result += tables;
    return result;
  }

 private:
  void add_rewritten(std::string_view line, std::string& result) {
    std::size_t copied = 0;
    for (std::size_t i = line.find('\t', 1); i < line.size();) {
      if (!is_in_symbol(line[i]) || line[i] == '$') {
        ++i;
        continue;
      }
      std::size_t end = i;
      while (end < line.size() && is_in_symbol(line[end])) ++end;
      const std::string_view symbol = line.substr(i, end - i);
      const bool is_address = (i > 0 && line[i - 1] == '$') || line.substr(end).starts_with("(%rip)");
      if (is_table(symbol) && leads_to_device(symbol)) {
        tables_taken_.insert(symbol);
        result.append(line.substr(copied, i - copied)).append(table_prefix);
        copied = i;
      } else if (is_address && devices_.contains(symbol)) {
        taken_.insert(symbol);
        result.append(line.substr(copied, i - copied)).append(prefix);
        copied = i;
      }
      i = end;
    }
    result.append(line.substr(copied)) += '\n';
  }

  static bool is_table(std::string_view symbol) { return symbol.starts_with("_ZTV"); }

  /// The lines of a table that this file defines, between its label and the next line that is no data; else none.
  [[nodiscard]] std::string_view lines_of(std::string_view table) const {
    const std::string label = "\n" + std::string(table) + ":\n";
    const std::size_t at = text_.find(label);
    if (at == std::string_view::npos) return {};
    const std::size_t begin = at + label.size();
    std::size_t end = begin;
    while (text_.substr(end).starts_with("\t.quad\t")) end = std::min(text_.find('\n', end), text_.size() - 1) + 1;
    return text_.substr(begin, end - begin);
  }

  template <class Visit>
  static void each_entry(std::string_view lines, Visit visit) {
    constexpr std::string_view quad = "\t.quad\t";
    while (!lines.empty()) visit(take_line(lines).substr(quad.size()));
  }

  [[nodiscard]] bool leads_to_device(std::string_view table) {
    const auto known = leads_.find(table);
    if (known != leads_.end()) return known->second;
    bool leads = false;
    each_entry(lines_of(table), [&](std::string_view entry) { leads = leads || devices_.contains(entry); });
    leads_.emplace(table, leads);
    return leads;
  }

  /// The same table with host code's addresses of functions.
  void add_table_of(std::string_view table, std::string& result) {
    result += "\t.pushsection .rodata\n\t.balign 8\n\t.type\t";
    result.append(table_prefix).append(table).append(", @object\n").append(table_prefix).append(table) += ":\n";
    each_entry(lines_of(table), [&](std::string_view entry) {
      result += "\t.quad\t";
      if (devices_.contains(entry)) {
        taken_.insert(entry);
        result.append(prefix);
      }
      result.append(entry) += '\n';
    });
    result += "\t.size\t";
    result.append(table_prefix).append(table).append(", .-").append(table_prefix).append(table) += "\n\t.popsection\n";
  }

  static void add_jump_to(std::string_view function, std::string& result) {
    const std::string name = std::string(prefix).append(function);
    result += "\t.pushsection .text\n\t.type\t" + name + ", @function\n" + name + ":\n\tjmp\t";
    result.append(function) += "\n\t.size\t" + name + ", .-" + name +
                               "\n\t.popsection\n\t.pushsection simtlab_own_host_functions,\"a\",@progbits\n"
                               "\t.balign 8\n\t.quad " +
                               name + "\n\t.popsection\n";
  }

  std::string_view text_;
  std::unordered_set<std::string_view> hosts_, devices_;
  std::set<std::string_view> taken_, tables_taken_;
  std::unordered_map<std::string_view, bool>
      leads_;  // whether a table leads to a function with a version for the device
};

}  // namespace

std::string with_host_addresses(std::string assembly, const std::vector<std::string>& hosts,
                                const std::vector<std::string>& devices) {
  return devices.empty() ? std::move(assembly) : host_bodies(assembly, hosts, devices).run();
}

}  // namespace simtlab::emulator
