#include "judge/stage/prepared_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>

namespace simtlab {

prepared_case::prepared_case(const lab& of, std::uint64_t secret, test_case c, case_kind when, unsigned rounds)
    : lab_(of), case_(std::move(c)) {
  const auto make = [&](unsigned round) {
    random_source random(input_seed(secret, when, case_.name(), round), case_.name());
    return of.make_arguments(case_, random);
  };
  std::vector<std::future<round_arguments>> made;  // a benchmark's sets take a while each
  for (unsigned round = 0; round < rounds; ++round)
    made.push_back(std::async(when == case_kind::benchmark ? std::launch::async : std::launch::deferred, make, round));
  for (unsigned round = 0; round < rounds; ++round) {
    rounds_.push_back(made[round].get());
    for (std::size_t i = 0; i < of.arguments.size(); ++i)
      if (rounds_.back()[i].bytes.size() != rounds_.front()[i].bytes.size())
        throw specification_error(fmt::format(
            "lab.cpp makes {} of the case \"{}\" {} bytes long in one call and {} in another. Let sizes "
            "depend on the case alone.",
            of.arguments[i].name, case_.name(), rounds_.front()[i].bytes.size(), rounds_.back()[i].bytes.size()));
  }
}

round_view prepared_case::inputs(unsigned round) const {
  round_view inputs;
  for (std::size_t i = 0; i < rounds_[round].size(); ++i)
    inputs.push_back(lab_.arguments[i].role == argument_role::output ? std::span<const std::byte>()
                                                                     : rounds_[round][i].bytes);
  return inputs;
}

void prepared_case::stage_inputs(const case_request& request) {
  files_ = std::make_unique<scratch_folder>();
  std::vector<std::future<void>> written;
  for (unsigned round = 0; round < rounds_.size(); ++round)
    written.push_back(
        std::async(std::launch::async, [&, round] { write_values(files_->path(), request, round, inputs(round)); }));
  for (std::future<void>& one : written) one.get();
}

void prepared_case::place_in(const std::filesystem::path& folder, const case_request& request) const {
  begin_request(folder, request);
  if (files_) return link_values(files_->path(), folder);
  for (unsigned round = 0; round < rounds_.size(); ++round)
    write_values(folder / "request", request, round, inputs(round));
}

std::size_t prepared_case::largest_output() const {
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < rounds_[0].size(); ++i)
    if (is_written(lab_.arguments[i].role)) bytes = std::max(bytes, rounds_[0][i].bytes.size());
  return bytes;
}

}  // namespace simtlab
