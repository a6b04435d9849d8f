// A claim that makes a benchmark's answer cheap to check.
#pragma once

#include <string>

namespace simtlab {

/// `.proof = product_of("a", "b", "c")`: the output c (j × l) is the product of the inputs a (j × k) and b (k × l), all
/// single precision with two extents. The judge then proves the benchmark's answer instead of multiplying
/// (judge/decide/product_proof.h).
struct product_claim {
  std::string left, right, product;
};

inline product_claim product_of(const char* left, const char* right, const char* product) {
  return {left, right, product};
}

}  // namespace simtlab
