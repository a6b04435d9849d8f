#include "translator/inline_hooks.h"

#include <algorithm>
#include <array>
#include <optional>

#include "trace/bundle.h"

namespace simtlab::emulator {
namespace {

struct hook {
  bool is_read = false;
  unsigned width = 0;
};

std::optional<hook> inlined_hook(std::string_view line) {
  constexpr std::string_view call = "\tcall\t";
  if (!line.starts_with(call)) return std::nullopt;
  line.remove_prefix(call.size());
  if (line == "__sanitizer_cov_trace_pc") return hook{};
  for (const std::string_view name : {"__tsan_read", "__tsan_unaligned_read"}) {
    for (const unsigned width : {1u, 2u, 4u, 8u, 16u}) {
      if (line.starts_with(name) && line.substr(name.size()) == std::to_string(width)) return hook{true, width};
    }
  }
  return std::nullopt;
}

/// Whether control may come here or go from here otherwise than straight on, or is about to leave the section.
bool ends_bundle(std::string_view line) {
  if (line.empty()) return false;
  if (line.front() !=
      '\t') {  // a label; those that only debug information and exception tables refer to are no targets
    constexpr std::array<std::string_view, 5> marks{".LVL", ".LBB", ".LBE", ".LEHB", ".LEHE"};
    return std::none_of(marks.begin(), marks.end(), [line](std::string_view m) { return line.starts_with(m); });
  }
  line.remove_prefix(1);
  if (line.starts_with('.')) return !line.starts_with(".loc\t") && !line.starts_with(".loc ");
  constexpr std::array<std::string_view, 7> leaving{"j", "call", "ret", "ud2", "hlt", "int", "#"};
  return std::any_of(leaving.begin(), leaving.end(), [line](std::string_view l) { return line.starts_with(l); });
}

/// The line at `at`; moves `at` behind it.
std::string_view next_line(std::string_view text, std::size_t& at) {
  const std::size_t end = std::min(text.find('\n', at), text.size());
  const std::string_view line = text.substr(at, end - at);
  at = end + 1;
  return line;
}

bool is_in_label(char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z'); }

/// The `.L5` that a conditional jump goes to; empty for anything else.
std::string_view conditional_target(std::string_view line) {
  if (!line.starts_with("\tj") || line.starts_with("\tjmp")) return {};
  const std::size_t target = line.rfind('\t') + 1;
  return line.substr(target).starts_with(".L") ? line.substr(target) : std::string_view();
}

/// If `check` jumps over nothing but the report of an index out of bounds, where it goes on; otherwise npos.
std::size_t behind_bounds_check(std::string_view check, std::string_view text, std::size_t at) {
  const std::string_view target = conditional_target(check);
  if (target.empty()) return std::string_view::npos;
  bool reported = false;
  while (at < text.size()) {
    const std::string_view line = next_line(text, at);
    if (line.starts_with("\tcall\t__ubsan_handle_"))
      reported = true;
    else if (line.size() == target.size() + 1 && line.starts_with(target) && line.back() == ':')
      return reported ? at : std::string_view::npos;
    else if (ends_bundle(line))
      break;
  }
  return std::string_view::npos;
}

constexpr std::size_t row_bytes = warp_size * sizeof(std::uint64_t);

/// One that a call may change, so that it holds nothing of g++'s at a hook, and nothing in `text` behind it either.
std::string_view unmentioned_register(std::string_view text) {
  for (const std::string_view name : {"%r11", "%r10", "%r9", "%r8"})
    if (text.find(name) == std::string_view::npos) return name;
  return {};
}

}  // namespace

inline_hooks::inline_hooks(std::string_view text) {
  for (std::size_t at = text.find(".L"); at != std::string_view::npos; at = text.find(".L", at + 2)) {
    std::size_t end = at + 2;
    while (end < text.size() && is_in_label(text[end])) ++end;
    ++mentions_[text.substr(at, end - at)];
  }
}

inline_hooks::stretch inline_hooks::reads_ahead(std::string_view text) const {
  stretch found;
  std::size_t at = 0;
  while (at < text.size() && found.reads + 1 < bundle::most_events) {
    const std::string_view line = next_line(text, at);
    const auto h = inlined_hook(line);
    if (h && !h->is_read) break;
    if (h) {
      ++found.reads;
      found.bytes = at;
    } else if (ends_bundle(line)) {
      const std::size_t behind = behind_bounds_check(line, text, at);
      if (behind == std::string_view::npos || mentions_.at(conditional_target(line)) != 2) break;
      at = behind;  // nothing else comes to the label, so this is straight on
    }
  }
  return found;
}

void inline_hooks::begin_bundle(bool with_read, std::string_view following, std::string_view group, std::string& out) {
  const stretch ahead = reads_ahead(following);
  events_ = 1 + ahead.reads;
  written_ = 0;
  group_ = group;
  table_.clear();
  const std::string name = ".Lsimtlab_bundle" + std::to_string(++bundles_);
  const std::string number = std::to_string(bundles_);
  const bool has_reads = with_read || ahead.reads > 0;
  row_ = has_reads ? unmentioned_register(following.substr(0, ahead.bytes)) : std::string_view();

  out += "\tmovq\t%fs:simtlab_hooks@tpoff+16, %rdx\n\tmovq\t%fs:simtlab_hooks@tpoff, %rax\n\taddq\t$" + name +
         ", %rdx\n\tcmpq\t%rdx, simtlab_no_template(%rax)\n\tjne\t.Lsimtlab_slow" + number + "\n\taddq\t$" +
         std::to_string(events_ * sizeof(record_key)) + ", %fs:simtlab_hooks@tpoff\n";
  // Through the register where there is one: the reads behind need not wait until what was stored can be loaded.
  const std::string claim = "\taddq\t$" + std::to_string(events_ * row_bytes) + ", ",
                    rows = "%fs:simtlab_hooks@tpoff+8";
  out += row_.empty() ? claim + rows + "\n"
                      : load_row() + claim + std::string(row_) + "\n\tmovq\t" + std::string(row_) + ", " + rows + "\n";
  out += ".Lsimtlab_begun" + number + ":\n";
  cold_paths_.add(".Lsimtlab_slow" + number + ":\n\tcall\tsimtlab_log_bundle\n" + load_row() +
                  "\tjmp\t.Lsimtlab_begun" + number + "\n");
}

std::string inline_hooks::load_row() const {
  return row_.empty() ? std::string() : "\tmovq\t%fs:simtlab_hooks@tpoff+8, " + std::string(row_) + "\n";
}

bool inline_hooks::write(std::string_view line, std::string_view following, std::string_view group, std::string& out) {
  cold_paths_.look_at(line, out);
  const auto h = inlined_hook(line);
  if (!h) return false;
  if (!h->is_read || written_ == events_) begin_bundle(h->is_read, following, group, out);
  const std::string number = std::to_string(++sites_);
  const std::string name = ".Lsimtlab_site" + number;
  if (h->is_read) {
    const std::string row(row_.empty() ? "%rax" : row_);
    if (row_.empty()) out += "\tmovq\t%fs:simtlab_hooks@tpoff+8, %rax\n";
    out += "\ttestq\t" + row + ", " + row + "\n\tje\t.Lsimtlab_host" + number + "\n\tmovq\t%rdi, -" +
           std::to_string((events_ - written_) * row_bytes) + "(" + row + ")\n";
    cold_paths_.add(".Lsimtlab_host" + number + ":\n\tmovl\t$" + name + ", %esi\n\tmovl\t$" + std::to_string(h->width) +
                    ", %edx\n\tcall\tsimtlab_host_read\n" + load_row() + "\tjmp\t" + name + "\n");
  }
  out += name + ":\n";
  const auto kind = static_cast<unsigned>(h->is_read ? record_kind::read : record_kind::step);
  table_ += "\t.long " + name + "\n\t.value " + std::to_string(h->width) + "\n\t.value " + std::to_string(kind) + "\n";
  if (++written_ == events_) write_table(out);
  return true;
}

void inline_hooks::behind(std::string_view line, std::string& out) const {
  if (written_ < events_ && line.starts_with("\tcall\t")) out += load_row();
}

void inline_hooks::write_table(std::string& out) {
  out += "\t.pushsection .rodata.simtlab_bundles,";
  out += group_.empty() ? "\"a\",@progbits\n" : "\"aG\",@progbits," + group_ + ",comdat\n";
  out += "\t.balign 8\n.Lsimtlab_bundle" + std::to_string(bundles_) + ":\n\t.quad " + std::to_string(events_) + "\n" +
         table_ + "\t.popsection\n";
}

}  // namespace simtlab::emulator
