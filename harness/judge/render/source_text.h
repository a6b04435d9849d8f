// The lines of a submission's source, to quote them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace simtlab {

class source_text {
 public:
  source_text() = default;
  /// An unreadable file gives no lines. Tabs become two spaces, other control characters '?'.
  explicit source_text(const std::filesystem::path&);
  [[nodiscard]] std::size_t size() const { return lines_.size(); }
  /// Line numbers start at 1; empty when there is no such line.
  [[nodiscard]] std::string line(int number) const;
  [[nodiscard]] const std::vector<std::string>& lines() const { return lines_; }
  /// Whether findings and counters that name `file` speak of this source.
  [[nodiscard]] bool is(const std::string& file) const { return !name_.empty() && file == name_; }
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  std::string name_;
  std::vector<std::string> lines_;
};

}  // namespace simtlab
