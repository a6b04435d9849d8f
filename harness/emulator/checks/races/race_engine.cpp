#include "checks/races/race_engine.h"

#include "checks/races/barrier_epochs/barrier_epoch_races.h"
#include "checks/races/vector_clock/vector_clock_races.h"
#include "checks/shared_state.h"

namespace simtlab::emulator {

std::unique_ptr<race_engine> make_race_engine(shared_state& shared, worker_memory& memory, finding_log& findings) {
  if (shared.order() != nullptr) return std::make_unique<vector_clock_races>(shared, findings);
  return std::make_unique<barrier_epoch_races>(shared, memory, findings);
}

}  // namespace simtlab::emulator
