#include "translator/ptx_writer.h"

#include <algorithm>

namespace simtlab::emulator {

void ptx_writer::fail(const std::string& what, std::string advice) const {
  throw ptx_error(in_.offset, "the instruction `" + in_.written + "` in inline PTX" + what, std::move(advice));
}
void ptx_writer::fail_unknown() const {
  fail(", which the emulator does not know", "Write it with CUDA's intrinsics or in C++, or test the kernel on a GPU");
}
void ptx_writer::expect_operands(std::size_t least, std::size_t most) const {
  if (in_.operands.size() < least || in_.operands.size() > most)
    fail(" with " + std::to_string(in_.operands.size()) + " operands",
         "It takes " + (least == most ? "" : std::to_string(least) + " to ") + std::to_string(most));
}

bool ptx_writer::is_in_list(std::string_view word, std::string_view list) {
  for (std::size_t from = 0; from < list.size();) {
    const std::size_t to = std::min(list.find(' ', from), list.size());
    if (list.substr(from, to - from) == word) return true;
    from = to + 1;
  }
  return false;
}
bool ptx_writer::take(std::string_view modifier) {
  const auto found = std::ranges::find(left_, modifier);
  if (found == left_.end()) return false;
  left_.erase(found);
  return true;
}
std::string ptx_writer::take_one_of(std::string_view list) {
  for (auto m = left_.begin(); m != left_.end(); ++m) {
    if (!is_in_list(*m, list)) continue;
    std::string found = std::move(*m);
    left_.erase(m);
    return found;
  }
  return {};
}
void ptx_writer::expect_no_more() const {
  if (!left_.empty())
    fail(", whose `." + left_.front() + "` the emulator does not know",
         "Write it with CUDA's intrinsics or in C++, or test the kernel on a GPU");
}
std::string ptx_writer::take_type(std::string_view list) {
  if (left_.empty() || !is_in_list(left_.back(), list))
    fail(left_.empty() ? " without a type" : ", whose type `." + left_.back() + "` the emulator does not know",
         "It has " + std::string(list) + " there");
  std::string type = std::move(left_.back());
  left_.pop_back();
  return type;
}

std::string ptx_writer::cpp_type(std::string_view type) {
  const std::string width(type.substr(1));
  if (type == "f32") return "float";
  if (type == "f64") return "double";
  if (type == "f16") return of_header("half");
  if (type == "f16x2") return of_header("half_pair");
  if (type == "bf16") return of_header("bfloat");
  if (type == "bf16x2") return of_header("bfloat_pair");
  if (type[0] == 's') return "int" + width + "_t";
  if (type[0] == 'u') return "uint" + width + "_t";
  return width == "8" ? "uint8_t" : of_header("b" + width);
}

const std::string& ptx_writer::value(std::size_t i) const {
  if (operand(i).kind != ptx_operand_kind::value || !operand(i).predicate.empty())
    fail(", whose operand " + std::to_string(i + 1) + " is no register or number", "Write one there");
  return operand(i).value;
}
void ptx_writer::expect_held(const std::string& type, std::size_t i) const {
  const bool is_integer = type.starts_with("int") || type.starts_with("uint") || type.starts_with(of_header("wide_of"));
  const bool is_word =
      type == "uint8_t" || type == of_header("b16") || type == of_header("b32") || type == of_header("b64");
  const ptx_held held = operand(i).held;
  if (is_word || held == ptx_held::anything || is_integer == (held == ptx_held::integer)) return;
  const std::string number = std::to_string(i + 1);
  if (is_integer)
    fail(", which takes integers, with a register of floating-point numbers as operand " + number,
         "Give it an integer (constraint \"r\", \"h\" or \"l\"), or move the bits with `mov.b32` or `mov.b64`");
  fail(", which takes floating-point numbers, with a register of integers as operand " + number,
       "Declare the register for them (.f32, .f64) or without a type (.b32, .b64)");
}
std::string ptx_writer::put(const std::string& type, std::size_t i, const std::string& what,
                            const char* function) const {
  if (operand(i).kind == ptx_operand_kind::sink) return "static_cast<void>(" + what + ");";
  if (operand(i).is_literal) fail(", which writes to a number", "Write to a register or to an output of the asm");
  expect_held(type, i);
  return of_header(function) + "<" + type + ">(" + value(i) + ", " + what + ");";
}
std::string ptx_writer::set(std::size_t i, const std::string& what) const {
  if (operand(i).kind == ptx_operand_kind::sink) return "static_cast<void>(" + what + ");";
  return of_header("set(") + value(i) + ", " + what + ");";
}
std::string ptx_writer::constant(std::size_t i) const {
  if (!operand(i).is_literal)
    fail(", whose operand " + std::to_string(i + 1) + " is no constant",
         "Write a number, or an operand with the constraint \"n\"");
  return "(" + value(i) + ").value";
}
std::string ptx_writer::address(const std::string& type, std::size_t i, const std::string& memory) const {
  if (operand(i).kind != ptx_operand_kind::address)
    fail(", whose operand " + std::to_string(i + 1) + " is no address", "Write `[register]` or `[register+number]`");
  return of_header(is_shared(memory) ? "at_shared<" : "at<") + type + ">(" + operand(i).value + ")";
}

}  // namespace simtlab::emulator
