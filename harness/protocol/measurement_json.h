// The JSON form of measurements, the same in results and in facts.
#pragma once

#include "protocol/bounded_json.h"
#include "protocol/measurement.h"

namespace simtlab {

[[nodiscard]] std::optional<coordinates> coordinates_from(const json_reader&);  ///< null: nothing
[[nodiscard]] json to_json(const finding&);
[[nodiscard]] json to_json(const launch_counters&);
[[nodiscard]] json to_json(const host_counters&);
[[nodiscard]] json to_json(const device_copies&);
[[nodiscard]] json to_json(const environment&);
/// How far each counter of a document may be believed, by its name: once in each document that has counters of the emulator.
[[nodiscard]] json fidelity_json();
/// Adds a member for each counter.
void write_counters(json& to, const emulator::request_counters&);

[[nodiscard]] finding finding_from(const json_reader&);
[[nodiscard]] launch_counters launch_from(const json_reader&);
[[nodiscard]] host_counters host_counters_from(const json_reader&);
[[nodiscard]] device_copies copies_from(const json_reader&);
[[nodiscard]] json to_json(const timed_operation&);
[[nodiscard]] timed_operation operation_from(const json_reader&);
[[nodiscard]] environment environment_from(const json_reader&);

[[nodiscard]] const char* name_of(severity);
/// Throws protocol_error.
[[nodiscard]] severity severity_from(const json_reader&);

}  // namespace simtlab
