// All files of a case, opened before any code of the submission runs, so that nothing has to be opened afterwards. What they
// hold is read and written only when its turn has come: the values of a round just before its call, the results last.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "protocol/file.h"
#include "protocol/request.h"
#include "protocol/result.h"

namespace simtlab {

class case_files {
 public:
  /// The request lies in `folder`, results go to `result`. Throws protocol_error where there is no place for a result; what
  /// else is wrong, `request` says.
  case_files(const std::filesystem::path& folder, const std::filesystem::path& result);
  ~case_files();
  case_files(const case_files&) = delete;  // it owns descriptors
  case_files& operator=(const case_files&) = delete;

  /// Throws protocol_error.
  [[nodiscard]] const case_request& request() const;
  [[nodiscard]] round_values read_round(unsigned round) const;
  /// The same where they lie (for timed calls).
  [[nodiscard]] mapped_round map_round(unsigned round) const { return {folder_, request(), round}; }

  /// The outputs, then the result, which is there when it is whole.
  void write(const case_result&) const;
  /// The folder that results are given their names in.
  [[nodiscard]] int result_folder() const { return result_folder_.handle(); }

 private:
  void open_all();
  [[nodiscard]] bool is_timed() const { return request_->timing && request_->kind == entry_kind::device; }

  std::filesystem::path folder_;
  folder_handle result_folder_;
  int result_;
  std::optional<case_request> request_;
  std::string why_none_;
  std::vector<std::vector<int>> inputs_, outputs_;  ///< by round and argument; -1: no file
};

}  // namespace simtlab
