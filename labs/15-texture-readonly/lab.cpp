// Resampling of an image: the texture unit finds the four pixels around a point, weighs them and minds the borders.
#include <algorithm>
#include <cmath>

#include "spec/lab.h"

using namespace simtlab;

// Implemented by the student in kernel.cu.
void resample(const float* input, int width, int height, int pitch, float* output, int new_width, int new_height);

// Rows begin at multiples of 128 bytes; the smallest pitch that cudaMallocPitch gives may be larger.
static int pitch_of(const test_case& c) {
  constexpr int floats = 32;
  return (c["width"] + floats - 1) / floats * floats;
}

// One dimension of a fetch: two neighbouring pixels, and how much the upper one counts.
struct neighbours {
  int lower, upper;
  double share;
};
static neighbours neighbours_of(int at, int size, int new_size) {
  const double place = (at + 0.5) * size / new_size - 0.5;
  const int lower = static_cast<int>(std::floor(place));
  return {std::clamp(lower, 0, size - 1), std::clamp(lower + 1, 0, size - 1), place - lower};
}

lab define_lab() {
  return lab_spec<in<float>, int, int, int, out<float>, int, int>{
      .entry = resample,
      .parameters = {"input", "width", "height", "pitch", "output", "new_width", "new_height"},
      .arguments =
          [](const test_case& c, random_source& random) {
            const int width = c["width"], height = c["height"], pitch = pitch_of(c);
            std::vector<float> rows = random["input"].uniform<float>(pitch * height, 0.0F, 1.0F);
            const std::vector<float> gaps = random["gaps"].uniform<float>(pitch * height, 100.0F, 200.0F);
            for (int i = 0; i < pitch * height; ++i)
              if (i % pitch >= width) rows[static_cast<std::size_t>(i)] = gaps[static_cast<std::size_t>(i)];
            const int new_width = c["new_width"], new_height = c["new_height"];
            return arguments(std::move(rows), width, height, pitch, elements(new_width * new_height), new_width,
                             new_height);
          },
      .reference =
          [](std::span<const float> input, int width, int height, int pitch, std::span<float> output, int new_width,
             int new_height) {
            const auto resample_some = [&](std::size_t begin, std::size_t end) {
              for (std::size_t i = begin; i != end; ++i) {
                const neighbours x = neighbours_of(static_cast<int>(i) % new_width, width, new_width);
                const neighbours y = neighbours_of(static_cast<int>(i) / new_width, height, new_height);
                const auto in_row = [&](int row) {
                  const float* const pixels = input.data() + static_cast<std::ptrdiff_t>(row) * pitch;
                  return (1 - x.share) * pixels[x.lower] + x.share * pixels[x.upper];
                };
                output[i] = static_cast<float>((1 - y.share) * in_row(y.lower) + y.share * in_row(y.upper));
              }
            };
            in_pieces(output.size(), resample_some);
          },
      // A texture's weights have 8 bits of fraction. Two fractions and a product of both, each half a 256th off at most, on
      // pixels between 0 and 1, are 1/128 together; a coordinate in single precision hardly adds to it.
      .tolerance = within(0.01, 0),
      .cases = {{"one pixel from one", {{"width", 1}, {"height", 1}, {"new_width", 1}, {"new_height", 1}}},
                {"many pixels from one", {{"width", 1}, {"height", 1}, {"new_width", 37}, {"new_height", 5}}},
                {"less than a warp", {{"width", 7}, {"height", 3}, {"new_width", 5}, {"new_height", 4}}},
                {"the same size", {{"width", 64}, {"height", 21}, {"new_width", 64}, {"new_height", 21}}},
                {"twice the size", {{"width", 19}, {"height", 23}, {"new_width", 38}, {"new_height", 46}}},
                {"half the size", {{"width", 90}, {"height", 34}, {"new_width", 45}, {"new_height", 17}}},
                {"primes", {{"width", 53}, {"height", 41}, {"new_width", 101}, {"new_height", 29}}},
                {"one row", {{"width", 73}, {"height", 1}, {"new_width", 211}, {"new_height", 1}}},
                {"one column", {{"width", 1}, {"height", 59}, {"new_width", 1}, {"new_height", 83}}}},
      .benchmark = {.emulator = {{"width", 128}, {"height", 48}, {"new_width", 320}, {"new_height", 112}},
                    .gpu = {{"width", 4096}, {"height", 4096}, {"new_width", 8192}, {"new_height", 8192}}},
      .model =
          [](const test_case& c) {
            const double pixels = static_cast<double>(c["new_width"]) * c["new_height"];
            return work{
                .bytes_read = 4.0 * pitch_of(c) * c["height"], .bytes_written = 4 * pixels, .operations = pixels};
          },
      .criteria = {{metric::texture_share("input"), full_at(1), none_at(0.5),
                    "The points are for reading the image through a texture object. Which of your reads take a pointer "
                    "instead?",
                    weight(2)},
                   {metric::lane_loads_per_operation("input"), full_at(1), none_at(4),
                    "How many times does a thread read the image for one pixel? What does the texture unit do between "
                    "texels, if "
                    "it is asked to?",
                    weight(2)},
                   {metric::sector_efficiency("output"), full_at(1.0), none_at(0.25),
                    "Which pixels of the output do the 32 lanes of a warp store in one request? Neighbours in a row "
                    "lie side by "
                    "side."}},
      .pass_at = 60,
  };
}
