#include "runner/case_files.h"

#include <unistd.h>

#include "protocol/protocol_error.h"
#include "runner/file_calls.h"

namespace simtlab {
namespace {

std::size_t bytes_of(const request_argument& a) { return a.element_bytes * a.elements; }

}  // namespace

case_files::case_files(const std::filesystem::path& folder, const std::filesystem::path& result)
    : folder_(folder), result_folder_(result), result_(result_folder_.open_to_write(unfinished_result_name)) {
  try {
    request_ = read_request(folder_);
    open_all();
  } catch (const std::exception& e) {
    request_.reset();
    why_none_ = e.what();
  }
}

case_files::~case_files() {
  for (const auto* all : {&inputs_, &outputs_})
    for (const std::vector<int>& round : *all)
      for (const int file : round)
        if (file >= 0) close(file);
  close(result_);
}

void case_files::open_all() {
  if (is_timed()) return;  // values are mapped, and the outputs of one call come back
  const folder_handle from(folder_ / "request");
  for (unsigned round = 0; round < request_->rounds; ++round) {
    std::vector<int>& inputs = inputs_.emplace_back();
    std::vector<int>& outputs = outputs_.emplace_back();
    for (std::size_t i = 0; i < request_->arguments.size(); ++i) {
      const request_argument& a = request_->arguments[i];
      const bool given = a.role != argument_role::output;
      inputs.push_back(given ? from.open_to_read(input_file(round, i), bytes_of(a)) : -1);
      outputs.push_back(is_written(a.role) ? result_folder_.open_to_write(output_file(round, i)) : -1);
    }
  }
}

const case_request& case_files::request() const {
  if (!request_) throw protocol_error(why_none_);
  return *request_;
}

round_values case_files::read_round(unsigned round) const {
  round_values values;
  for (std::size_t i = 0; i < request().arguments.size(); ++i) {
    values.emplace_back(bytes_of(request().arguments[i]), std::byte{poison_byte});
    if (inputs_[round][i] >= 0) read_whole(inputs_[round][i], values.back(), input_file(round, i).c_str());
  }
  return values;
}

void case_files::write(const case_result& result) const {
  for (std::size_t round = 0; round < rounds_with_outputs(result); ++round)
    for (std::size_t i = 0; i < request().arguments.size(); ++i) {
      if (!is_written(request().arguments[i].role)) continue;
      if (is_timed())
        result_folder_.write(output_file(round, i), result.rounds[round][i]);
      else
        write_whole(outputs_[round][i], result.rounds[round][i], output_file(round, i).c_str());
    }
  const std::string text = result_text(result);
  write_whole(result_, std::as_bytes(std::span(text)), result_name);
  publish_result(result_folder());
}

}  // namespace simtlab
