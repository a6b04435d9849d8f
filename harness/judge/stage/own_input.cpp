#include "judge/stage/own_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <map>
#include <optional>
#include <sstream>

#include "judge/options.h"
#include "judge/stage/netpbm.h"

namespace simtlab {
namespace {

constexpr int largest_size = 1 << 20;
constexpr double seconds_for_a_picture = 120;  // photos are larger than any case

struct named_numbers {
  int line = 0;
  std::vector<double> numbers;
};
using input_text = std::map<std::string, named_numbers>;

[[noreturn]] void refuse(const std::filesystem::path& file, int line, const std::string& why) {
  throw usage_error(line == 0 ? fmt::format("{}: {}", file.string(), why)
                              : fmt::format("{}:{}: {}", file.string(), line, why));
}

std::optional<double> number_from(const std::string& word) {
  double number = 0;
  const char* begin = word.data() + (word.front() == '+' ? 1 : 0);
  const auto [end, error] = std::from_chars(begin, word.data() + word.size(), number);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return number;
}

input_text read(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) refuse(file, 0, "cannot be read. Is the name right? It is looked for from the folder you are in");
  input_text found;
  named_numbers* current = nullptr;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    std::istringstream words(line.substr(0, line.find('#')));
    for (std::string word; words >> word;) {
      if (const auto value = number_from(word)) {
        if (current == nullptr) refuse(file, number, fmt::format("the number {} comes before any name", word));
        current->numbers.push_back(*value);
      } else {
        const auto [at, is_new] = found.try_emplace(word);
        if (!is_new) refuse(file, number, fmt::format("{} is given twice, first in line {}", word, at->second.line));
        current = &at->second;
        current->line = number;
      }
    }
  }
  return found;
}

template <class T>
void store(std::byte* to, double number) {
  const T value = static_cast<T>(number);
  std::memcpy(to, &value, sizeof value);
}

/// Whether `number` is a value of the type; stores it if so.
bool store_as(scalar_type type, std::byte* to, double number) {
  const auto integer = [&]<class T>(T) {
    if (number != std::floor(number) || number < static_cast<double>(std::numeric_limits<T>::min()) ||
        number > static_cast<double>(std::numeric_limits<T>::max()))
      return false;
    store<T>(to, number);
    return true;
  };
  switch (type) {
    case scalar_type::f32:
      store<float>(to, number);
      return true;
    case scalar_type::f64:
      store<double>(to, number);
      return true;
    case scalar_type::i8:
      return integer(std::int8_t{});
    case scalar_type::u8:
      return integer(std::uint8_t{});
    case scalar_type::i16:
      return integer(std::int16_t{});
    case scalar_type::u16:
      return integer(std::uint16_t{});
    case scalar_type::i32:
      return integer(std::int32_t{});
    case scalar_type::u32:
      return integer(std::uint32_t{});
    case scalar_type::i64:
      return integer(std::int64_t{});
    default:
      return integer(std::uint64_t{});
  }
}

std::size_t scalar_bytes(const argument_description& a) { return a.element_bytes / a.components; }

std::string extents_text(const shape& extents) {
  return extents.empty() ? "a number" : fmt::format("{}", fmt::join(extents, " x "));
}

void put(const std::filesystem::path& file, const argument_description& a, const named_numbers& given,
         argument_value& value) {
  const std::size_t expected = value.bytes.size() / scalar_bytes(a);
  if (given.numbers.size() != expected)
    refuse(file, given.line,
           fmt::format("{} takes {} ({}), found {}", a.name,
                       expected == 1 ? "one number" : fmt::format("{} numbers", expected), extents_text(value.extents),
                       given.numbers.size()));
  for (std::size_t i = 0; i < expected; ++i)
    if (!store_as(a.scalar, value.bytes.data() + i * scalar_bytes(a), given.numbers[i]))
      refuse(file, given.line,
             fmt::format("{} holds whole numbers of {} bytes, which {} is not", a.name, scalar_bytes(a),
                         given.numbers[i]));
}

std::string names_of_sizes(const lab& of) {
  std::string names;
  for (const named_size& s : of.cases.front().all_sizes()) names += (names.empty() ? "" : ", ") + s.name;
  return names;
}

sizes take_sizes(const std::filesystem::path& file, const lab& of, input_text& given) {
  std::vector<named_size> list;
  const std::string names = names_of_sizes(of);
  for (const named_size& s : of.cases.front().all_sizes()) {
    const auto found = given.find(s.name);
    if (found == given.end())
      refuse(file, 0, fmt::format("the size {} is missing; this lab's sizes are {}", s.name, names));
    const std::vector<double>& numbers = found->second.numbers;
    if (numbers.size() != 1 || numbers[0] != std::floor(numbers[0]) || numbers[0] < 0 || numbers[0] > largest_size)
      refuse(file, found->second.line,
             fmt::format("the size {} is one whole number from 0 to {}", s.name, largest_size));
    list.push_back({s.name, static_cast<int>(numbers[0])});
    given.erase(found);
  }
  return sizes(std::move(list));
}

/// Adds the sizes of the command line to those of the file.
void add_sizes(const std::filesystem::path& file, const sizes& own, input_text& given) {
  for (const named_size& s : own) {
    const auto [at, is_new] = given.try_emplace(s.name);
    if (!is_new)
      refuse(file, at->second.line, fmt::format("{} stands here and on the command line: once is enough", s.name));
    at->second.numbers = {static_cast<double>(s.value)};
  }
}

/// The argument that a picture is for: the first input that is an image.
std::optional<std::size_t> image_input(const lab& of) {
  random_source random(1, of.cases.front().name());
  const std::vector<argument_value> made = of.make_arguments(of.cases.front(), random);
  for (std::size_t i = 0; i < made.size(); ++i)
    if (made[i].is_image && of.arguments[i].role == argument_role::input) return i;
  return std::nullopt;
}

sizes sizes_with_picture(const std::filesystem::path& file, const lab& of, const netpbm_image& picture,
                         const sizes& own) {
  std::map<std::string, int> known{
      {"width", picture.width}, {"height", picture.height}, {"channels", picture.channels}};
  for (const named_size& s : own) {
    const bool is_one =
        std::ranges::any_of(of.cases.front().all_sizes(), [&](const auto& a) { return a.name == s.name; });
    if (!is_one)
      refuse(file, 0, fmt::format("{} is no size of this lab; its sizes are {}", s.name, names_of_sizes(of)));
    if (s.value > largest_size)
      refuse(file, 0, fmt::format("the size {} is one whole number from 0 to {}", s.name, largest_size));
    if (!known.try_emplace(s.name, s.value).second)
      refuse(file, 0, fmt::format("the size {} comes from the picture, where it is {}", s.name, known[s.name]));
  }
  std::vector<named_size> list;
  for (const named_size& s : of.benchmark.emulator) {
    const auto found = known.find(s.name);
    list.push_back({s.name, found == known.end() ? s.value : found->second});
  }
  return sizes(std::move(list));
}

lab with_picture(lab of, const std::filesystem::path& file, const sizes& own) {
  const std::optional<std::size_t> position = image_input(of);
  if (!position)
    refuse(file, 0,
           "this lab takes no picture. Its input is a text file with sizes and numbers; docs/student.md shows how one "
           "looks");
  const netpbm_image picture = read_netpbm(file);
  of.cases = {test_case("own picture", sizes_with_picture(file, of, picture, own))};
  of.limits.seconds = std::max(of.limits.seconds, seconds_for_a_picture);
  of.make_arguments = [made = of.make_arguments, bytes = picture.bytes, at = *position](const test_case& c,
                                                                                        random_source& random) {
    std::vector<argument_value> values = made(c, random);
    values[at].bytes = bytes;
    return values;
  };
  return of;
}

bool can_be_given(const argument_description& a) { return a.role != argument_role::output; }

}  // namespace

lab with_own_input(lab of, const std::filesystem::path& file, const sizes& own) {
  if (is_meant_as_picture(file)) return with_picture(std::move(of), file, own);
  input_text given = read(file);
  add_sizes(file, own, given);
  const sizes all = take_sizes(file, of, given);
  std::string names;
  for (const argument_description& a : of.arguments)
    if (can_be_given(a)) names += (names.empty() ? "" : ", ") + a.name;
  for (const auto& entry : given) {
    const std::string& name = entry.first;
    if (std::ranges::none_of(of.arguments, [&](const auto& a) { return a.name == name && can_be_given(a); }))
      refuse(file, entry.second.line,
             fmt::format("{} is no size and no input of this lab; its inputs are {}", name, names));
  }
  of.cases = {test_case("own input", all)};
  of.make_arguments = [made = of.make_arguments, given, file, described = of.arguments](const test_case& c,
                                                                                        random_source& random) {
    std::vector<argument_value> values = made(c, random);
    for (std::size_t i = 0; i < described.size(); ++i)
      if (const auto found = given.find(described[i].name); found != given.end())
        put(file, described[i], found->second, values[i]);
    return values;
  };
  return of;
}

}  // namespace simtlab
