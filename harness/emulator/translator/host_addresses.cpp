#include "translator/host_addresses.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_set>

#include "translator/assembly_symbol.h"

namespace simtlab::emulator {
namespace {

constexpr std::string_view prefix = "simtlab_host_address_of_";

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
    for (std::size_t at = 0; at < text_.size();) {
      const std::size_t end = std::min(text_.find('\n', at), text_.size());
      const std::string_view line = text_.substr(at, end - at);
      at = end + 1;
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
    for (const std::string_view name : taken_) add_jump_to(name, result);
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
      if (is_address && devices_.contains(symbol)) {
        taken_.insert(symbol);
        result.append(line.substr(copied, i - copied)).append(prefix);
        copied = i;
      }
      i = end;
    }
    result.append(line.substr(copied)) += '\n';
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
  std::set<std::string_view> taken_;
};

}  // namespace

std::string with_host_addresses(std::string assembly, const std::vector<std::string>& hosts,
                                const std::vector<std::string>& devices) {
  return devices.empty() ? std::move(assembly) : host_bodies(assembly, hosts, devices).run();
}

}  // namespace simtlab::emulator
