// Puts a cubin and its listing together.
#include <algorithm>
#include <cstring>
#include <map>

#include "sass/elf_image.h"
#include "sass/instruction_text.h"
#include "sass/json_reader.h"
#include "sass/machine_code.h"

namespace simtlab::emulator::sass {
namespace {

constexpr std::uint16_t cuda_machine = 190;  // EM_CUDA
/// What a listing says of one function.
struct listed_function {
  std::string name;
  std::vector<instruction_line> code;
  std::vector<std::pair<std::uint32_t, int>> lines;  ///< number of the file, and the line, by instruction; line 0: none
};

struct listing {
  unsigned major = 0, minor = 0;
  std::vector<listed_function> functions;
  std::vector<std::string> files;
};

class listing_reader {
 public:
  explicit listing_reader(std::string_view text) : json_(text) {}

  listing read() {
    json_.array([&](std::size_t index) {
      if (index == 0) return read_head();
      if (index == 1) return json_.array([&](std::size_t) { read_function(); });
      read_files();
    });
    json_.end();
    return std::move(result_);
  }

 private:
  void read_head() {
    json_.object([&](std::string_view name) {
      if (name != "SM") return json_.skip();
      json_.object([&](std::string_view part) {
        if (part != "version") return json_.skip();
        json_.object([&](std::string_view number) {
          if (number == "major")
            result_.major = static_cast<unsigned>(json_.number());
          else if (number == "minor")
            result_.minor = static_cast<unsigned>(json_.number());
          else
            json_.skip();
        });
      });
    });
  }

  void read_function() {
    listed_function f;
    json_.object([&](std::string_view name) {
      if (name == "function-name")
        f.name = json_.string();
      else if (name == "sass-instructions")
        json_.array([&](std::size_t) { read_line(f); });
      else
        json_.skip();
    });
    result_.functions.push_back(std::move(f));
  }

  void read_line(listed_function& f) {
    instruction_line line;
    std::pair<std::uint32_t, int> place = f.lines.empty() ? std::pair<std::uint32_t, int>{} : f.lines.back();
    json_.object([&](std::string_view name) {
      if (name == "predicate")
        line.predicate = json_.string();
      else if (name == "opcode")
        line.opcode = json_.string();
      else if (name == "operands")
        line.operands = json_.string();
      else if (name == "source-file-id")
        place.first = static_cast<std::uint32_t>(json_.number());
      else if (name == "source-line")
        place.second = static_cast<int>(std::min<std::uint64_t>(json_.number(), 1U << 30));
      else
        json_.skip();
    });
    f.code.push_back(std::move(line));
    f.lines.push_back(place);
  }

  /// {"directories": […], "files": [{"dir-idx": 0, "file": "a.cu"}, …]}
  void read_files() {
    std::vector<std::string> directories;
    json_.object([&](std::string_view name) {
      if (name == "directories") return json_.array([&](std::size_t) { directories.push_back(json_.string()); });
      if (name != "files") return json_.skip();
      json_.array([&](std::size_t) {
        std::string file;
        std::uint64_t directory = directories.size();
        json_.object([&](std::string_view part) {
          if (part == "file")
            file = json_.string();
          else if (part == "dir-idx")
            directory = json_.number();
          else
            json_.skip();
        });
        if (!file.starts_with('/') && directory < directories.size()) file = directories[directory] + '/' + file;
        result_.files.push_back(std::move(file));
      });
    });
  }

  json_reader json_;
  listing result_;
};

template <class T>
T value_at(std::span<const std::byte> bytes, std::size_t offset) {
  T value{};
  if (offset + sizeof value <= bytes.size()) std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

/// Calls `attribute(number, content)` for what a section .nv.info says; values of one or two bytes stand in the content's place.
template <class Attribute>
void each_attribute(std::span<const std::byte> info, const Attribute& attribute) {
  constexpr unsigned sized = 4;
  for (std::size_t at = 0; at + 4 <= info.size();) {
    const unsigned format = value_at<std::uint8_t>(info, at), number = value_at<std::uint8_t>(info, at + 1);
    const std::size_t bytes = format == sized ? value_at<std::uint16_t>(info, at + 2) : 0;
    if (bytes > info.size() - at - 4) return;
    attribute(number, format == sized ? info.subspan(at + 4, bytes) : info.subspan(at + 2, 2));
    at += 4 + bytes;
  }
}
enum : unsigned {
  of_parameters = 0x0a,
  missing_functions = 0x0f,
  stack_bytes = 0x12,
  of_parameter = 0x17,
  register_count = 0x2f,
  barrier_count = 0x4c
};

}  // namespace

class cubin_reader {
 public:
  cubin_reader(std::span<const std::byte> cubin, std::string_view text)
      : elf_(cubin), listing_(listing_reader(text).read()) {}

  std::shared_ptr<const machine_code> read() {
    if (elf_.machine() != cuda_machine)
      throw unreadable_code("expected a cubin (machine " + std::to_string(cuda_machine) + "), found code of machine " +
                            std::to_string(elf_.machine()) + "; compile with nvcc -cubin");
    code_->architecture_ = listing_.major * 10 + listing_.minor;
    if (code_->architecture_ < 70 || code_->architecture_ > 90)
      throw unreadable_code("expected code for sm_75 to sm_90, found sm_" + std::to_string(code_->architecture_) +
                            "; compile with nvcc -arch=sm_90");
    if (elf_.symbols().empty())
      throw unreadable_code(
          "expected a cubin with symbols, which say where variables lie and how large stacks are, found none; compile "
          "it "
          "anew with nvcc -cubin, and do not strip it");
    read_symbols();
    read_constants();
    number_functions();
    read_code();
    for (std::size_t k = 0; k < listing_.functions.size(); ++k) read_function(listing_.functions[k], problems_[k]);
    return code_;
  }

 private:
  /// Variables, in the sections that hold such.
  void read_symbols() {
    number_of_.assign(elf_.symbols().size(), none);
    for (std::size_t k = 0; k < elf_.symbols().size(); ++k) {
      const elf_symbol& s = elf_.symbols()[k];
      if (s.type != elf_object || s.section >= elf_.sections().size()) continue;
      const elf_section& in = elf_.sections()[s.section];
      const bool is_constant = in.name == ".nv.constant3";
      if (!is_constant && !in.name.starts_with(".nv.global")) continue;
      if (s.value > in.bytes || s.bytes > in.bytes - s.value || s.bytes > most_bytes)
        throw unreadable_code("the variable " + std::string(s.name) + " leaves its section " + std::string(in.name));
      global_symbol g;
      g.name = s.name;
      g.space = is_constant ? memory_space::constant : memory_space::global;
      g.bytes = s.bytes;
      g.alignment = std::max<std::uint64_t>(1, in.alignment);
      g.bank_offset = is_constant ? static_cast<std::uint32_t>(s.value) : 0;
      g.initial_value.assign(s.bytes, std::byte{0});
      if (!in.content.empty()) std::ranges::copy(in.content.subspan(s.value, s.bytes), g.initial_value.begin());
      auto& own = code_->storage_.emplace_back(std::make_unique<std::byte[]>(s.bytes + 16));
      std::ranges::copy(g.initial_value, own.get());
      g.own_storage = own.get();
      number_of_[k] = static_cast<std::uint32_t>(code_->symbols_.size());
      code_->symbols_.push_back(std::move(g));
    }
  }

  void read_constants() {
    if (const elf_section* s = elf_.section(".nv.constant3"))
      code_->constants_.assign(s->content.begin(), s->content.end());
    if (const elf_section* s = elf_.section(".nv.constant4"))
      code_->addresses_.assign(s->content.begin(), s->content.end());
  }

  [[nodiscard]] std::string section_of(std::string_view function) const { return ".text." + std::string(function); }

  /// Each function's first instruction, and what names in the code stand for.
  void number_functions() {
    std::uint32_t next = 1;
    std::map<std::string, std::uint32_t, std::less<>> first_of_section;
    for (const listed_function& f : listing_.functions) {
      if (f.code.size() > most_instructions)
        throw unreadable_code("the function " + f.name + " has too many instructions");
      first_of_section.emplace(section_of(f.name), next);
      labels_.emplace(f.name, next);
      next += static_cast<std::uint32_t>(f.code.size());
    }
    for (const elf_symbol& s : elf_.symbols()) {
      if (s.section == 0 || s.section >= elf_.sections().size()) continue;
      const auto first = first_of_section.find(elf_.sections()[s.section].name);
      if (first == first_of_section.end() || s.name.empty()) continue;
      labels_.emplace(s.name, first->second + static_cast<std::uint32_t>(s.value / instruction_bytes));
    }
    instructions_ = next;
    for (const elf_relocation& r : elf_.relocations(".nv.constant4")) relocate_address(r);
  }

  [[nodiscard]] std::optional<std::uint32_t> label(std::string_view name) const {
    const auto known = labels_.find(name);
    return known == labels_.end() ? std::nullopt : std::optional(known->second);
  }

  /// The number that stands for a function that the cubin has not.
  std::uint32_t missing(std::string_view name) {
    auto& all = code_->missing_;
    auto known = std::ranges::find(all, name);
    if (known == all.end()) known = all.insert(all.end(), std::string(name));
    return instructions_ + static_cast<std::uint32_t>(known - all.begin());
  }

  void relocate_address(const elf_relocation& r) {
    if (r.symbol >= elf_.symbols().size() || r.offset + 8 > code_->addresses_.size()) return;
    const elf_symbol& s = elf_.symbols()[r.symbol];
    if (number_of_[r.symbol] != none) {
      code_->address_relocations_.push_back({static_cast<std::uint32_t>(r.offset), number_of_[r.symbol], r.addend});
      return;
    }
    if (s.type == elf_object && s.section != 0) return;
    const auto known = label(s.name);
    const std::uint64_t value = std::uint64_t{known ? *known : missing(s.name)} * instruction_bytes;
    std::memcpy(code_->addresses_.data() + r.offset, &value, sizeof value);
  }

  void read_code() {
    code_->code_.reserve(instructions_);
    add({"", "BPT.TRAP", "0x1"}, 1, "", {});
    for (const listed_function& f : listing_.functions) {
      const auto origin = static_cast<std::uint32_t>(code_->code_.size());
      const elf_section* const text = elf_.section(section_of(f.name));
      std::vector<std::string> problems;  // each once
      std::size_t count = 0;
      for (std::size_t k = 0; k < f.code.size(); ++k) {
        const auto [number, line] = f.lines[k];
        const std::string file = number < listing_.files.size() ? listing_.files[number] : "";
        try {
          instruction_line listed = f.code[k];
          if (text != nullptr) listed.encoding = value_at<std::uint64_t>(text->content, k * instruction_bytes);
          add(listed, origin, file, line);
        } catch (const unreadable_code& e) {
          add({"", "BPT.TRAP", "0x1"}, origin, "", {});
          ++count;
          std::string problem = f.code[k].opcode;
          if (line != 0) problem += " at " + file.substr(file.rfind('/') + 1) + ':' + std::to_string(line);
          problem += std::string(" (") + e.what() + ')';
          if (std::ranges::find(problems, problem) == problems.end()) problems.push_back(std::move(problem));
        }
      }
      mark_blocks(origin);
      mark_guesses(origin);
      problems_.push_back(in_words(problems, count));
    }
  }

  static std::string in_words(const std::vector<std::string>& problems, std::size_t count) {
    if (count == 0) return "";
    std::string named;
    for (std::size_t k = 0; k < std::min(problems.size(), most_problems); ++k)
      named += (k == 0 ? "" : ", ") + problems[k];
    if (problems.size() > most_problems) named += " and " + std::to_string(problems.size() - most_problems) + " more";
    return "its machine code has " + std::to_string(count) + (count == 1 ? " instruction" : " instructions") +
           " that nothing is known of: " + named;
  }

  void add(const instruction_line& line, std::uint32_t origin, const std::string& file, int line_number) {
    const auto number = static_cast<std::uint32_t>(code_->code_.size());
    code_->code_.push_back(read_instruction(line, number, origin, [&](std::string_view name) { return label(name); }));
    code_->texts_.push_back(line.text());
    code_->places_.push_back({file, line_number});
    instruction& i = code_->code_.back();
    if (!i.has("STRONG"_m) || !(line.opcode.starts_with("LD") || line.opcode.starts_with("ST"))) return;
    // A volatile access is of the system's scope, as an atomic one of the toolkit's library may be; __ldcg() and __stcg() are plain.
    if (file.find("/__atomic/") != std::string::npos || !i.has("SYS"_m))
      i.strength = strong_access::by_atomic;
    else
      i.strength = strong_access::by_volatile;
    if (file.ends_with("intrinsics.hpp")) i.strength = strong_access::none;
  }

  /// Where basic blocks begin: at targets of branches and behind them.
  void mark_blocks(std::uint32_t origin) {
    auto& code = code_->code_;
    bool has_voted = false;
    if (origin < code.size()) code[origin].begins_block = true;
    for (std::size_t k = origin; k < code.size(); ++k) {
      const std::string_view text = code_->texts_[k];
      const std::string_view name = text.substr(text.starts_with('@') ? std::min(text.find(' ') + 1, text.size()) : 0);
      // Lanes that are together let one of them add for all: it asks who is there.
      has_voted = (has_voted && !code[k].begins_block) || (name.starts_with("VOTE") && name.find(".ANY") != name.npos);
      const bool is_atomic = name.starts_with("ATOM") || name.starts_with("RED");
      code[k].is_for_all = has_voted && is_atomic && code[k].guard.index != true_predicate;
      const bool leads = name.starts_with("BRA") || name.starts_with("CALL") || name.starts_with("BSSY");
      if (leads && code[k].target >= origin && code[k].target < code.size()) code[code[k].target].begins_block = true;
      const bool ends = leads || name.starts_with("BRX") || name.starts_with("RET") || name.starts_with("EXIT") ||
                        name.starts_with("BSYNC");
      if (ends && !name.starts_with("BSSY") && k + 1 < code.size()) code[k + 1].begins_block = true;
    }
  }

  /// Atomic operations that shared memory has not are loops: a load, the operation, and a CAST.SPIN that compares with what was loaded,
  /// which nvcc makes of nothing else (found in what it makes of atomicAdd of a float, and of 64 bits).
  void mark_guesses(std::uint32_t origin) {
    auto& code = code_->code_;
    const auto address_of = [](const instruction& i) {
      return std::ranges::find(i.operands, operand_kind::address, &operand::kind);
    };
    for (std::size_t k = origin; k < code.size(); ++k) {
      const auto* const at = address_of(code[k]);
      if (!code[k].has("CAST"_m) || code[k].operands.end() - at < 2) continue;
      for (std::size_t j = k; j-- > origin;) {
        const operand& to = code[j].operands[0];
        if (to.kind != operand_kind::reg || to.index != at[1].index) continue;
        code[j].is_guess = address_of(code[j]) != code[j].operands.end();
        break;
      }
    }
  }

  void read_function(const listed_function& listed, const std::string& problem) {
    function f;
    f.name = listed.name;
    f.problem = problem;
    f.first_place = *label(f.name);
    f.instructions = static_cast<std::uint32_t>(listed.code.size());
    f.has_fences = std::ranges::any_of(listed.code,
                                       [](const instruction_line& line) { return line.opcode.starts_with("MEMBAR"); });
    f.reserved_shared = code_->architecture_ >= 90 ? 0x400 : 0;
    const elf_section* const shared = elf_.section(".nv.shared." + f.name);
    f.static_shared =
        shared == nullptr ? f.reserved_shared : static_cast<std::uint32_t>(std::min(shared->bytes, most_bytes));
    if (const elf_section* s = elf_.section(".nv.constant2." + f.name)) {
      f.own_constants.assign(s->content.begin(), s->content.end());
      for (const elf_relocation& r : elf_.relocations(s->name)) relocate_own(f, r);
    }
    const std::string prefix = "$" + f.name + "$";
    for (const elf_symbol& s : elf_.symbols())
      if (s.type == elf_function && s.name.starts_with(prefix))
        f.called.emplace(s.name.substr(prefix.size()), static_cast<std::uint32_t>(s.value));
    if (const elf_section* s = elf_.section(".nv.info")) read_module_info(s->content, f);
    if (const elf_section* s = elf_.section(".nv.info." + f.name)) read_info(s->content, f);
    find_recursion(f);
    code_->functions_.push_back(std::move(f));
  }

  /// ptxas knows no limit of a stack that recursion takes, and says 0; code that moves R1, the stack's pointer, has one.
  void find_recursion(function& f) const {
    constexpr std::uint16_t stack_pointer = 1;
    constexpr std::uint32_t most_stack = 256U << 10;  // as of kernels that g++ compiled
    for (std::uint32_t k = f.first_place; f.local_bytes == 0 && k < f.first_place + f.instructions; ++k) {
      const auto& operands = code_->code_[k].operands;
      const bool begins = std::ranges::any_of(operands, [](const operand& o) {
        return o.kind == operand_kind::constant && o.bank == 0 && o.value == stack_end_at;
      });
      f.has_open_stack |= operands[0].kind == operand_kind::reg && operands[0].index == stack_pointer && !begins;
    }
    if (f.has_open_stack) f.local_bytes = most_stack;
  }

  /// A table of places in the code: relative to the function, as CALL.REL and BRX take them.
  void relocate_own(function& f, const elf_relocation& r) const {
    if (r.symbol >= elf_.symbols().size() || r.offset + 8 > f.own_constants.size()) return;
    const elf_symbol& s = elf_.symbols()[r.symbol];
    const auto known = label(s.name);
    const std::uint64_t place = known ? (std::uint64_t{*known} - f.first_place) * instruction_bytes : s.value;
    const std::uint64_t value = place + static_cast<std::uint64_t>(r.addend);
    std::memcpy(f.own_constants.data() + r.offset, &value, sizeof value);
  }

  void read_module_info(std::span<const std::byte> info, function& f) const {
    each_attribute(info, [&](unsigned attribute, std::span<const std::byte> content) {
      const auto symbol = value_at<std::uint32_t>(content, 0), value = value_at<std::uint32_t>(content, 4);
      if (symbol >= elf_.symbols().size() || elf_.symbols()[symbol].name != f.name) return;
      if (attribute == register_count) f.registers = value;
      if (attribute == stack_bytes)
        f.local_bytes = std::min<std::uint32_t>(value, 512U << 10);  // CUDA's limit of local memory
    });
  }

  static void read_info(std::span<const std::byte> info, function& f) {
    std::map<unsigned, parameter> parameters;
    each_attribute(info, [&](unsigned attribute, std::span<const std::byte> content) {
      if (attribute == of_parameters) {
        f.parameter_base = value_at<std::uint16_t>(content, 4);
        f.parameter_bytes = value_at<std::uint16_t>(content, 6);
      } else if (attribute == of_parameter) {
        parameters[value_at<std::uint16_t>(content, 4)] = {value_at<std::uint16_t>(content, 6),
                                                           value_at<std::uint32_t>(content, 8) >> 18};
      } else if (attribute == missing_functions) {
        f.calls_driver = true;
      } else if (attribute == barrier_count) {
        f.barriers = value_at<std::uint8_t>(content, 0);
      }
    });
    for (const auto& [ordinal, p] : parameters) f.parameters.push_back(p);
  }

  static constexpr std::uint32_t none = ~std::uint32_t{0};
  static constexpr std::uint64_t most_bytes = std::uint64_t{1} << 32;
  static constexpr std::size_t most_instructions = 1U << 22;
  static constexpr std::size_t most_problems = 5;

  elf_image elf_;
  listing listing_;
  std::shared_ptr<machine_code> code_{new machine_code};
  std::vector<std::uint32_t> number_of_;  // by the ELF file's symbol: of machine_code::symbols
  std::map<std::string, std::uint32_t, std::less<>> labels_;
  std::uint32_t instructions_ = 0;
  std::vector<std::string> problems_;  // by function
};

std::shared_ptr<const machine_code> machine_code::load(std::span<const std::byte> cubin, std::string_view listing) {
  try {
    return cubin_reader(cubin, listing).read();
  } catch (const elf_error& e) {
    throw unreadable_code(std::string("a cubin that cannot be read: ") + e.what() +
                          "; compile it anew with nvcc -cubin");
  } catch (const json_error& e) {
    throw unreadable_code(std::string("a listing that cannot be read: ") + e.what() +
                          "; make it anew with nvdisasm -json -g");
  }
}

}  // namespace simtlab::emulator::sass
