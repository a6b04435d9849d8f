#include "scheduler/integer_division.h"

#ifdef __x86_64__

#include <ucontext.h>

#include <array>
#include <cstring>

// Encodings: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, chapter 2 and DIV, IDIV.
namespace simtlab::emulator {
namespace {

constexpr std::array<int, 16> general{REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                                      REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};

struct division {
  std::size_t length = 0;  ///< of the instruction; 0: it is no division
  std::size_t bytes = 0;   ///< of divisor and quotient
  std::uint64_t divisor = 0;
};

class decoder {
 public:
  explicit decoder(const gregset_t& registers)
      : registers_(registers), begin_(reinterpret_cast<const std::uint8_t*>(registers[REG_RIP])), at_(begin_) {}

  division read() {
    bool half = false;
    for (; is_prefix(*at_); ++at_) half = half || *at_ == 0x66;
    if ((*at_ & 0xf0) == 0x40) rex_ = *at_++;
    const std::uint8_t opcode = *at_++;
    const std::uint8_t form = *at_++;
    if ((opcode != 0xf6 && opcode != 0xf7) || (form >> 3 & 7) < 6) return {};
    division d;
    d.bytes = opcode == 0xf6 ? 1 : (rex_ & 8) != 0 ? 8 : half ? 2 : 4;
    if (form >> 6 == 3) {
      const unsigned number = (form & 7) | extension(0);
      const bool high_byte = d.bytes == 1 && rex_ == 0 && number >= 4;  // AH to BH
      d.divisor = high_byte ? value(number - 4) >> 8 : value(number);
    } else {
      const std::uint64_t from = address(form);
      std::memcpy(&d.divisor, reinterpret_cast<const void*>(from), d.bytes);
    }
    d.length = static_cast<std::size_t>(at_ - begin_);
    return d;
  }

 private:
  static bool is_prefix(std::uint8_t byte) {
    return byte == 0x66 || byte == 0x2e || byte == 0x36 || byte == 0x3e || byte == 0x26;
  }
  /// The bit of REX that extends a register's number: 0 of the base, 1 of the index.
  [[nodiscard]] unsigned extension(unsigned bit) const { return (rex_ >> bit & 1U) << 3; }
  [[nodiscard]] std::uint64_t value(unsigned number) const {
    return static_cast<std::uint64_t>(registers_[general[number]]);
  }
  template <class T>
  T take() {
    T number;
    std::memcpy(&number, at_, sizeof number);
    at_ += sizeof number;
    return number;
  }

  std::uint64_t address(std::uint8_t form) {
    const unsigned mode = form >> 6, base = form & 7;
    std::uint64_t result = 0;
    bool wide = mode == 2;
    if (base == 4) {
      const auto scaled = take<std::uint8_t>();
      const unsigned index = (scaled >> 3 & 7) | extension(1);
      if (index != 4) result += value(index) << (scaled >> 6);
      if ((scaled & 7) == 5 && mode == 0)
        wide = true;
      else
        result += value((scaled & 7) | extension(0));
    } else if (base == 5 && mode == 0) {
      const auto distance = take<std::int32_t>();
      return reinterpret_cast<std::uint64_t>(at_) + static_cast<std::uint64_t>(static_cast<std::int64_t>(distance));
    } else {
      result = value(base | extension(0));
    }
    const std::int64_t distance = wide ? take<std::int32_t>() : mode == 1 ? take<std::int8_t>() : 0;
    return result + static_cast<std::uint64_t>(distance);
  }

  const gregset_t& registers_;
  const std::uint8_t* begin_;
  const std::uint8_t* at_;
  std::uint8_t rex_ = 0;
};

/// `whole` with its lowest `bytes` replaced; four bytes clear the rest, as in the processor.
greg_t with_low(greg_t whole, std::uint64_t low, std::size_t bytes) {
  if (bytes >= 4) return static_cast<greg_t>(bytes == 4 ? low & 0xffffffff : low);
  const std::uint64_t mask = (std::uint64_t{1} << (8 * bytes)) - 1;
  return static_cast<greg_t>((static_cast<std::uint64_t>(whole) & ~mask) | (low & mask));
}

}  // namespace

trapped_division step_over_division(ucontext_t& context) {
  gregset_t& registers = context.uc_mcontext.gregs;
  const division d = decoder(registers).read();
  if (d.length == 0) return trapped_division::none;
  const std::uint64_t mask = d.bytes == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * d.bytes)) - 1;
  const bool by_zero = (d.divisor & mask) == 0;
  const auto dividend = static_cast<std::uint64_t>(registers[REG_RAX]) & mask;
  const std::uint64_t quotient = by_zero ? mask : dividend, remainder = by_zero ? dividend : 0;
  if (d.bytes == 1) {
    registers[REG_RAX] = with_low(registers[REG_RAX], quotient | remainder << 8, 2);
  } else {
    registers[REG_RAX] = with_low(registers[REG_RAX], quotient, d.bytes);
    registers[REG_RDX] = with_low(registers[REG_RDX], remainder, d.bytes);
  }
  registers[REG_RIP] += static_cast<greg_t>(d.length);
  return by_zero ? trapped_division::by_zero : trapped_division::overflow;
}

}  // namespace simtlab::emulator

#else

namespace simtlab::emulator {

trapped_division step_over_division(ucontext_t&) { return trapped_division::none; }

}  // namespace simtlab::emulator

#endif
