// The one error of the exchange, for those who read no JSON themselves.
#pragma once

#include <stdexcept>

namespace simtlab {

/// A file of the exchange between judge and runner is not what it should be.
class protocol_error : public std::runtime_error {
  using runtime_error::runtime_error;
};

}  // namespace simtlab
