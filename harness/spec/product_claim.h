// A claim that makes a benchmark's answer cheap to check.
#pragma once

#include <string>

namespace simtlab {

/// `.proof = product_of("a", "b", "c")`: the output c (j × l) is the product of the inputs a (j × k) and b (k × l), all
/// single precision with two extents. The judge then proves the benchmark's answer instead of multiplying
/// (judge/decide/product_proof.h).
struct product_claim {
  std::string left, right, product;
  bool right_by_columns = false;  ///< element (row, column) of the right operand stands at column · k + row
};

/// `product_of("m", by_columns("n"), "p")`: n is stored column after column. Its extents are its rows and columns, (k, l).
struct by_columns {
  explicit by_columns(const char* argument) : name(argument) {}
  const char* name;
};

inline product_claim product_of(const char* left, const char* right, const char* product) {
  return {left, right, product};
}
inline product_claim product_of(const char* left, by_columns right, const char* product) {
  return {left, right.name, product, true};
}

}  // namespace simtlab
