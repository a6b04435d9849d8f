// The lab that this judge was built for.
#pragma once

namespace simtlab {
extern const char* const lab_name;
}
