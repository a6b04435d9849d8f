#include "verifier/code_check.h"

#include <elf.h>

#include <algorithm>
#include <array>
#include <deque>
#include <string_view>
#include <utility>

#include "verifier/disassembler.h"

namespace simtlab::verifier {
namespace {

constexpr const char* astray = " a place that is no function's begin";
/// How the inserter of checks names them, written down a second time on purpose.
constexpr std::string_view out_of_table = "simtlab_jump_astray";
constexpr std::array<std::string_view, 3> tables_of_functions{"simtlab_functions", "simtlab_host_functions",
                                                              "simtlab_own_host_functions"};

/// A direct jump or call, or an address that stands in the code.
struct reference {
  place from, to;
  bool goes;  ///< jumps or calls
};

class check {
 public:
  explicit check(const object_code& object) : object_(object), begins_(object.sections().size()) {}

  std::vector<problem> run() {
    for (std::size_t s = 0; s < object_.sections().size(); ++s)
      if (object_.sections()[s].is_code) read_section(s);
    for (const reference& r : references_) look_at(r);
    for (std::size_t s = 0; s < object_.sections().size(); ++s)
      if (!object_.sections()[s].is_code) look_at_data(s);
    return std::move(problems_);
  }

 private:
  using entry = std::map<place, function>::value_type;

  void tell(problem::kind_of_problem kind, place where, std::string message) {
    const entry* const f = function_around(where);
    problems_.push_back({kind, where, f == nullptr ? "?" : f->second.name, std::move(message)});
  }

  void read_section(std::size_t s) {
    const auto size = object_.sections()[s].bytes.size();
    begins_[s].resize(size + 1);
    std::uint64_t at = 0;
    for (auto f = object_.functions().lower_bound({s, 0}); f != object_.functions().end() && f->first.section == s;
         ++f) {
      if (f->first.offset < at || f->second.end > size) {
        tell(problem::forbidden, f->first, "begins inside of another function, or has no end");
        continue;
      }
      read_padding(s, at, f->first.offset);
      at = f->second.end;
      read_function(s, f->first.offset, at);
    }
    read_padding(s, at, size);
  }

  void read_padding(std::size_t s, std::uint64_t at, std::uint64_t end) {
    while (at < end) {
      const auto i = machine_.next(object_.sections()[s].bytes, at, end);
      if (!i || !i->is_padding) return tell(problem::forbidden, {s, at}, "is followed by code that is in no function");
      at = i->end;
    }
  }

  void read_function(std::size_t s, std::uint64_t at, std::uint64_t end) {
    const auto& all = object_.relocations(s);
    std::deque<decoded> before;  // the last two
    auto next = std::lower_bound(all.begin(), all.end(), at, [](const auto& r, auto p) { return r.offset < p; });
    while (at < end) {
      const auto i = machine_.next(object_.sections()[s].bytes, at, end);
      if (!i) return tell(problem::unread, {s, at}, "has bytes that are no known instruction");
      begins_[s][at] = true;
      if (i->reaches_system)
        tell(problem::forbidden, {s, at}, "has the instruction `" + i->name + "`, which CUDA C++ does not come to");
      const bool is_relocated = next != all.end() && next->offset < i->end;
      if (i->names && !is_relocated) references_.push_back({{s, at}, {s, *i->names}, i->goes});
      const decoded now{*i, is_relocated ? &*next : nullptr};
      for (; next != all.end() && next->offset < i->end; ++next) read_relocation(*next, *i, s);
      look_at_jump(now, before, s);
      before.push_back(now);
      if (before.size() > 2) before.pop_front();
      at = i->end;
    }
    begins_[s][end] = true;  // where a call that does not return would return to
  }

  struct decoded {
    instruction i;
    const relocation* r = nullptr;  ///< its first
  };

  /// A jump or call that data decide is the table of a `switch`, behind a comparison with the table's length, or one by the
  /// linker's table.
  void look_at_jump(const decoded& now, const std::deque<decoded>& before, std::size_t s) {
    if (now.i.form == instruction::pointer_jump && !(now.i.names && now.r != nullptr && is_by_linker(now.r->type)))
      tell(problem::forbidden, {s, now.i.at}, "jumps or calls through a pointer without the check of where it leads");
    if (now.i.form != instruction::table_jump) return;
    if (before.size() == 2 && now.r != nullptr && is_bound(now, before[0], before[1]) &&
        is_table(*now.r, before[0].i.number, {s, now.i.at})) {
      begins_[s][before[1].i.at] = begins_[s][now.i.at] = false;  // no way leads between them
      return;
    }
    tell(problem::forbidden, {s, now.i.at}, "jumps by a table without a look at the table's end");
  }

  [[nodiscard]] bool is_bound(const decoded& now, const decoded& compares, const decoded& leaves) const {
    return compares.i.form == instruction::comparison && compares.r == nullptr && compares.i.reg == now.i.reg &&
           leaves.i.form == instruction::above && leaves.r != nullptr &&
           object_.symbols()[leaves.r->symbol].name == out_of_table;
  }

  /// Whether entries 0 to `last` are places of the function that the jump at `from` is in; look_at_data tells whether an
  /// instruction begins at each.
  [[nodiscard]] bool is_table(const relocation& r, std::uint64_t last, place from) const {
    const symbol& of = object_.symbols()[r.symbol];
    if (!of.is_defined || object_.sections()[of.where.section].is_code) return false;
    const std::uint64_t begin = of.where.offset + static_cast<std::uint64_t>(r.addend);
    const auto& all = object_.relocations(of.where.section);
    auto one = std::lower_bound(all.begin(), all.end(), begin, [](const auto& e, auto p) { return e.offset < p; });
    const entry* const own = function_around(from);
    for (std::uint64_t n = 0; n <= last; ++n, ++one) {
      if (one == all.end() || one->offset != begin + n * 8 || one->type != R_X86_64_64) return false;
      const symbol& to = object_.symbols()[one->symbol];
      if (!to.is_defined || !object_.sections()[to.where.section].is_code) return false;
      const entry* const around =
          function_around({to.where.section, to.where.offset + static_cast<std::uint64_t>(one->addend)});
      if (own == nullptr || around == nullptr || whole_name(*own) != whole_name(*around)) return false;
    }
    return true;
  }

  void read_relocation(const relocation& r, const instruction& i, std::size_t s) {
    const symbol& of = object_.symbols()[r.symbol];
    auto offset = static_cast<std::uint64_t>(r.addend);
    if (is_relative(r.type)) offset += i.end - r.offset;
    if (of.is_defined)
      references_.push_back({{s, i.at}, {of.where.section, of.where.offset + offset}, i.goes});
    else if (i.goes && (offset != 0 || of.name.empty()))
      tell(problem::forbidden, {s, i.at}, std::string("jumps to or calls") + astray);
  }

  void look_at(const reference& r) {
    const bool is_code = object_.sections()[r.to.section].is_code;
    if ((!is_code && !r.goes) || object_.functions().contains(r.to)) return;
    const entry *const from = function_around(r.from), *const to = function_around(r.to);
    // g++ may put the rare part of a function elsewhere, and both parts jump into each other.
    const bool is_own = from != nullptr && to != nullptr && whole_name(*from) == whole_name(*to);
    const bool is_own_end = from != nullptr && !r.goes && r.to == place{from->first.section, from->second.end};
    if (is_own_end || (is_own && is_begin(r.to))) return;
    tell(problem::forbidden, r.from, std::string(r.goes ? "jumps to or calls" : "takes the address of") + astray);
  }

  /// Tables of a `switch`, and the places that hooks tell, lie in data: each is where an instruction begins.
  void look_at_data(std::size_t s) {
    const std::string_view name = object_.sections()[s].name;
    if (std::ranges::find(tables_of_functions, name) != tables_of_functions.end()) look_at_functions(s);
    for (const relocation& r : object_.relocations(s)) {
      const symbol& of = object_.symbols()[r.symbol];
      if (is_relative(r.type) || !of.is_defined || !object_.sections()[of.where.section].is_code) continue;
      const place to{of.where.section, of.where.offset + static_cast<std::uint64_t>(r.addend)};
      if (!is_begin(to)) tell(problem::forbidden, to, std::string("is, in data, named at") + astray);
    }
  }

  /// What calls through pointers may lead to: whole functions, and nothing but entries for the linker to fill.
  void look_at_functions(std::size_t s) {
    const auto& all = object_.relocations(s);
    const bool is_whole = all.size() * 8 == object_.sections()[s].size &&
                          std::all_of(all.begin(), all.end(), [this](const relocation& r) {
                            const symbol& of = object_.symbols()[r.symbol];
                            const place to{of.where.section, of.where.offset + static_cast<std::uint64_t>(r.addend)};
                            return r.offset % 8 == 0 && r.type == R_X86_64_64 &&
                                   (of.is_defined ? object_.functions().contains(to) : r.addend == 0);
                          });
    if (!is_whole) tell(problem::forbidden, {s, 0}, "a table of functions has entries that are no function's begin");
  }

  [[nodiscard]] bool is_begin(place p) const {
    const auto& in = begins_[p.section];
    return p.offset < in.size() && in[p.offset];
  }

  [[nodiscard]] const entry* function_around(place p) const {
    auto after = object_.functions().upper_bound(p);
    if (after == object_.functions().begin()) return nullptr;
    --after;
    return after->first.section == p.section ? &*after : nullptr;
  }

  [[nodiscard]] static std::string_view whole_name(const entry& f) {
    const std::string_view name = f.second.name;
    return name.substr(0, name.find(".cold"));
  }

  [[nodiscard]] static bool is_by_linker(std::uint32_t type) {
    return type == R_X86_64_GOTPCREL || type == R_X86_64_GOTPCRELX || type == R_X86_64_REX_GOTPCRELX;
  }

  [[nodiscard]] static bool is_relative(std::uint32_t type) {
    return type == R_X86_64_PC32 || type == R_X86_64_PLT32 || type == R_X86_64_PC64 || type == R_X86_64_GOTPCREL ||
           type == R_X86_64_GOTPCRELX || type == R_X86_64_REX_GOTPCRELX || type == R_X86_64_GOTTPOFF;
  }

  const object_code& object_;
  disassembler machine_;
  std::vector<std::vector<bool>> begins_;  ///< of instructions, by section and offset
  std::vector<reference> references_;
  std::vector<problem> problems_;
};

}  // namespace

std::vector<problem> check_code(const object_code& object) { return check(object).run(); }

}  // namespace simtlab::verifier
