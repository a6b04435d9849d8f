// Box blur of an 8-bit image, grey or RGB: a stencil in two dimensions whose window ends at the borders.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "spec/lab.h"

using namespace simtlab;

// Implemented by the student in kernel.cu.
void blur(const unsigned char* input, unsigned char* output, int width, int height, int channels, int radius);

// Where a byte of an image stands.
struct byte_place {
  int x, y, channel;
};
static byte_place place_of(std::size_t byte, int width, int channels) {
  const int pixel = static_cast<int>(byte) / channels;
  return {pixel % width, pixel / width, static_cast<int>(byte) % channels};
}

// Discs of plain colours under noise: a person sees what went wrong, and hardly two neighbouring bytes are alike.
static std::vector<unsigned char> some_picture(random_source& random, int width, int height, int channels) {
  constexpr int darkest = 16, brightest_noise = 64;
  struct disc {
    int x, y, size, colour[3];
  };
  random_stream scene = random["scene"];
  const auto below = [&](int n) { return static_cast<int>(scene.below(static_cast<std::uint64_t>(n))); };
  std::vector<disc> discs(4);
  for (disc& d : discs)
    d = {below(width), below(height), 1 + below(std::min(width, height) / 2 + 1), {below(190), below(190), below(190)}};
  std::vector<unsigned char> bytes =
      random["noise"].uniform<unsigned char>(width * height * channels, darkest, brightest_noise);
  const auto paint = [&](std::size_t begin, std::size_t end) {
    for (std::size_t byte = begin; byte != end; ++byte) {
      const byte_place at = place_of(byte, width, channels);
      const auto covers = [&](const disc& d) {
        return (at.x - d.x) * (at.x - d.x) + (at.y - d.y) * (at.y - d.y) <= d.size * d.size;
      };
      const auto found = std::ranges::find_if(discs, covers);
      if (found != discs.end()) bytes[byte] = static_cast<unsigned char>(bytes[byte] + found->colour[at.channel]);
    }
  };
  in_pieces(bytes.size(), paint);
  return bytes;
}

lab define_lab() {
  return lab_spec<in<unsigned char>, out<unsigned char>, int, int, int, int>{
      .entry = blur,
      .parameters = {"input", "output", "width", "height", "channels", "radius"},
      .arguments =
          [](const test_case& c, random_source& random) {
            const int width = c["width"], height = c["height"], channels = c["channels"], radius = c["radius"];
            return arguments(image(some_picture(random, width, height, channels), width, height, channels),
                             image(width, height, channels), width, height, channels, radius);
          },
      // By a table: `before(x, y, channel)` is the sum of all bytes above y and to the left of x, and a window four of them.
      .reference =
          [](std::span<const unsigned char> input, std::span<unsigned char> output, int width, int height, int channels,
             int radius) {
            std::vector<std::uint64_t> table(static_cast<std::size_t>(width + 1) * (height + 1) * channels);
            const auto before = [&](int x, int y, int channel) -> std::uint64_t& {
              return table[(static_cast<std::size_t>(y) * (width + 1) + x) * channels + channel];
            };
            for (std::size_t byte = 0; byte != input.size(); ++byte) {
              const auto [x, y, channel] = place_of(byte, width, channels);
              before(x + 1, y + 1, channel) =
                  input[byte] + before(x + 1, y, channel) + before(x, y + 1, channel) - before(x, y, channel);
            }
            const auto average = [&](std::size_t begin, std::size_t end) {
              for (std::size_t byte = begin; byte != end; ++byte) {
                const byte_place at = place_of(byte, width, channels);
                const int left = std::max(0, at.x - radius), right = std::min(width, at.x + radius + 1);
                const int top = std::max(0, at.y - radius), bottom = std::min(height, at.y + radius + 1);
                const std::uint64_t sum = before(right, bottom, at.channel) - before(right, top, at.channel) -
                                          before(left, bottom, at.channel) + before(left, top, at.channel);
                const auto pixels = static_cast<std::uint64_t>(right - left) * static_cast<unsigned>(bottom - top);
                output[byte] = static_cast<unsigned char>((sum + pixels / 2) / pixels);
              }
            };
            in_pieces(output.size(), average);
          },
      .tolerance = exact,  // sums of bytes are exact, and the handout says how the mean is rounded
      .cases = {{"one pixel", {{"width", 1}, {"height", 1}, {"channels", 1}, {"radius", 1}}},
                {"one RGB pixel", {{"width", 1}, {"height", 1}, {"channels", 3}, {"radius", 0}}},
                {"smaller than the window", {{"width", 5}, {"height", 3}, {"channels", 3}, {"radius", 4}}},
                {"one row", {{"width", 67}, {"height", 1}, {"channels", 1}, {"radius", 3}}},
                {"one column", {{"width", 1}, {"height", 71}, {"channels", 3}, {"radius", 2}}},
                {"less than a warp", {{"width", 19}, {"height", 13}, {"channels", 1}, {"radius", 0}}},
                {"primes, grey", {{"width", 61}, {"height", 47}, {"channels", 1}, {"radius", 3}}},
                {"ragged edges, RGB", {{"width", 33}, {"height", 65}, {"channels", 3}, {"radius", 2}}},
                {"a large window", {{"width", 45}, {"height", 40}, {"channels", 3}, {"radius", 11}}}},
      .benchmark = {.emulator = {{"width", 256}, {"height", 96}, {"channels", 3}, {"radius", 2}},
                    .gpu = {{"width", 4096}, {"height", 4096}, {"channels", 3}, {"radius", 2}}},
      .model =
          [](const test_case& c) {
            const double bytes = static_cast<double>(c["width"]) * c["height"] * c["channels"];
            const double window = (2.0 * c["radius"] + 1) * (2.0 * c["radius"] + 1);
            return work{.bytes_read = bytes,
                        .bytes_written = bytes,
                        .operations = bytes * window,
                        .asks = {{"input", bytes * window}}};
          },
      .criteria =
          {{metric::sector_efficiency("input"), full_at(0.5), none_at(0.2),
            "Which bytes of the input do the 32 lanes of a warp read in one request? In an RGB image the pixel to the "
            "right is three bytes away: is a pixel the best thing to give to a thread?",
            weight(2)},
           {metric::sector_efficiency("output"), full_at(1.0), none_at(0.2),
            "Which bytes of the output do the 32 lanes of a warp write? 32 neighbouring bytes are one sector."},
           {metric::active_lanes, full_at(30), none_at(24),
            "At the borders of the image lanes have nothing to read, and nothing can be done about it. Everywhere else "
            "all 32 should take part: which threads of your blocks compute no byte?"},
           {metric::time_among_anchors,
            {anchor("solution", 1), anchor("strided", 0)},
            "The windows of neighbouring threads overlap. How many lanes read a byte, and where does it come from?"}},
      .pass_at = 60,
  };
}
