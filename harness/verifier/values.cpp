#include "verifier/values.h"

#include <algorithm>
#include <utility>

namespace simtlab::verifier {

namespace {

/// The finaliser of Steele's and others' splitmix64.
std::size_t mixed(std::uint64_t z) {
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9U;
  z = (z ^ z >> 27) * 0x94d049bb133111ebU;
  return z ^ z >> 31;
}

}  // namespace

std::size_t value_table::hash::operator()(const key& k) const {
  std::size_t all = 0;
  for (const long part : k) all = mixed(all + static_cast<std::uint64_t>(part) + 0x9e3779b97f4a7c15U);
  return all;
}

std::size_t value_table::hash::operator()(const std::vector<term>& terms) const {
  std::size_t all = 0;
  for (const term& t : terms) all = mixed(all + static_cast<std::uint64_t>(t.unknown) + mixed(t.factor));
  return all;
}

value_table::value_table() { number_of({}); }

value value_table::of(kind what, long a, long b, long c, long d, int block) {
  const auto [found, is_new] = unknown_numbers_.try_emplace(key{what, a, b, c, d}, static_cast<int>(unknowns_.size()));
  if (is_new) unknowns_.push_back({what, a, block});
  return {number_of({{found->second, 1}}), 0};
}

int value_table::number_of(std::vector<term> terms) {
  const auto found = sum_numbers_.find(terms);
  if (found != sum_numbers_.end()) return found->second;
  int block = -1;
  for (const term& t : terms) block = deeper(block, unknown_of(t.unknown).block);
  const int number = static_cast<int>(sums_.size());
  sums_.push_back({terms, block});
  sum_numbers_.emplace(std::move(terms), number);
  return number;
}

value value_table::add(value a, value b) {
  const std::uint64_t constant = a.constant + b.constant;
  if (a.sum == 0) return {b.sum, constant};
  if (b.sum == 0) return {a.sum, constant};
  std::vector<term> both;
  const auto &x = terms(a), &y = terms(b);
  auto i = x.begin(), j = y.begin();
  while (i != x.end() || j != y.end()) {
    if (j == y.end() || (i != x.end() && i->unknown < j->unknown)) {
      both.push_back(*i++);
    } else if (i == x.end() || j->unknown < i->unknown) {
      both.push_back(*j++);
    } else {
      if (const std::uint64_t factor = i->factor + j->factor; factor != 0) both.push_back({i->unknown, factor});
      ++i, ++j;
    }
  }
  return {number_of(std::move(both)), constant};
}

value value_table::times(value v, std::uint64_t by) {
  std::vector<term> scaled;
  for (const term& t : terms(v))
    if (t.factor * by != 0) scaled.push_back({t.unknown, t.factor * by});
  return {number_of(std::move(scaled)), v.constant * by};
}

value value_table::compute(unsigned operation, value a, value b) {
  const int block = deeper(this->block(a), this->block(b));
  // The constants take part in the key, cut to their parts.
  const auto [found, is_new] = unknown_numbers_.try_emplace(
      key{computed + 100 * static_cast<int>(operation), (static_cast<long>(a.sum) << 32) | b.sum,
          static_cast<long>(a.constant), static_cast<long>(b.constant), 0},
      static_cast<int>(unknowns_.size()));
  if (is_new) unknowns_.push_back({computed, 0, block});
  return {number_of({{found->second, 1}}), 0};
}

value value_table::shortened(value v) {
  value all{0, v.constant};
  for (const term& t : std::vector<term>(terms(v))) {
    const auto made_of = halved_.find(t.unknown);
    const value part = made_of == halved_.end() ? value{number_of({{t.unknown, t.factor & 0xffffffff}}), 0}
                                                : times(made_of->second, t.factor);
    all = add(all, part);
  }
  std::vector<term> reduced;
  for (const term& t : terms(all))
    if (const std::uint64_t factor = t.factor & 0xffffffff; factor != 0) reduced.push_back({t.unknown, factor});
  return {number_of(std::move(reduced)), all.constant & 0xffffffff};
}

value value_table::half(kind what, value v) {
  const value s = shortened(v);
  if (s.sum == 0) {
    const auto bits = static_cast<std::uint32_t>(s.constant);
    return {0, what == low_half ? bits : static_cast<std::uint64_t>(static_cast<std::int32_t>(bits))};
  }
  const value made = of(what, s.sum, static_cast<long>(s.constant), 0, 0, block(s));
  halved_.try_emplace(terms(made).front().unknown, s);
  return made;
}

value value_table::low(value v) { return half(low_half, v); }
value value_table::with_sign(value v) { return half(signed_half, v); }

}  // namespace simtlab::verifier
