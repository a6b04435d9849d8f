// Lab 03, predict: fixed snippets about layouts. Read them, answer in predict.toml, then write your own kernels.
#include "predict/device_array.h"
#include "predict/question.h"

using namespace simtlab::predict;

namespace {

constexpr int lanes = 32;

// One warp reads the first field of 32 structures of `fields` floats each.
__global__ void read_field(const float* records, float* out, int fields) {
  out[threadIdx.x] = records[threadIdx.x * fields];
}

// One warp reads one of four fields of 32 cells, which are stored in groups of `cells`: all of a group's first fields,
// then all of its second fields, and so on.
__global__ void read_group(const float* groups, float* out, int cells) {
  const int group = threadIdx.x / cells, within = threadIdx.x % cells;
  out[threadIdx.x] = groups[group * cells * 4 + within];
}

// One warp reads the first 32 floats of a row.
__global__ void read_row(const float* rows, float* out, int row, int length) {
  out[threadIdx.x] = rows[row * length + threadIdx.x];
}

// The same four floats, which the compiler may read at once, or only one by one.
struct alignas(16) together {
  float x, y, z, w;
};
struct apart {
  float x, y, z, w;
};
template <class T>
__global__ void read_structures(const T* points, T* out, int distance) {
  out[threadIdx.x] = points[threadIdx.x * distance];
}

}  // namespace

std::vector<question> define_questions() {
  return {
      {.name = "field",
       .text = "An array of structures of {fields} floats each begins where a sector does. Each lane of a warp reads "
               "the first field of a structure of its own (read_field). How many sectors does this one request touch?",
       .numbers = {{"fields", {2, 3, 4, 5, 6, 7, 8, 12}}},
       .run =
           [](const drawn& n) {
             device_array<float> records("records", lanes * 12), out("out", lanes);
             read_field<<<1, lanes>>>(records.data(), out.data(), n["fields"]);
           },
       .measurement = sectors_per_read("records")},
      {.name = "group",
       .text = "Cells have four fields and are stored in groups of {cells}. Each lane of a warp reads the first field "
               "of a cell of its own (read_group). How many sectors does this one request touch?",
       .numbers = {{"cells", {4, 1, 2, 8, 16, 32}}},
       .run =
           [](const drawn& n) {
             device_array<float> groups("groups", lanes * 4), out("out", lanes);
             read_group<<<1, lanes>>>(groups.data(), out.data(), n["cells"]);
           },
       .measurement = sectors_per_read("groups")},
      {.name = "row",
       .text = "A row of a structure of arrays is {length} floats long, without room between rows. A warp reads the "
               "first 32 floats of row {row} (read_row). How many sectors does this one request touch?",
       .numbers = {{"length", {1001, 1000, 1004, 1007}}, {"row", {2, 1, 3, 4, 8}}},
       .run =
           [](const drawn& n) {
             device_array<float> rows("rows", 9 * 1007), out("out", lanes);
             read_row<<<1, lanes>>>(rows.data(), out.data(), n["row"], n["length"]);
           },
       .measurement = sectors_per_read("rows")},
      {.name = "aligned",
       .text = "Each lane of a warp reads a structure of four floats, the one {distance} further than its neighbour's "
               "(read_structures). The structure is aligned to {bytes} bytes: at 16 it is read at once, at 4 float by "
               "float. How many sectors do all requests for it touch together?",
       .numbers = {{"distance", {1, 2, 3}}, {"bytes", {4, 16}}},
       .run =
           [](const drawn& n) {
             if (n["bytes"] == 16) {
               device_array<together> points("points", lanes * 3), out("out", lanes);
               read_structures<<<1, lanes>>>(points.data(), out.data(), n["distance"]);
             } else {
               device_array<apart> points("points", lanes * 3), out("out", lanes);
               read_structures<<<1, lanes>>>(points.data(), out.data(), n["distance"]);
             }
           },
       .measurement =
           [](const simtlab::emulator::report& r) { return static_cast<double>(reads_of(r, "points").sectors); }}};
}
