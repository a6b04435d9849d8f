// The second bound of criteria: copies count like the argument, accesses that nobody needs thin no mean, and work that is not
// there earns nothing.
#include "judge/score/whole_work.h"

#include <doctest/doctest.h>

#include <array>
#include <random>

using namespace simtlab;

namespace whole_work_test {  // other tests have helpers of the same names

namespace {

constexpr double operations = 4096;
constexpr array_identity a{1, true}, c{2, true}, own{3, false}, own_c{4, false}, tile{5, false}, x{6, false},
    y{7, false};

access_counters access(const char* kind, array_identity array, const char* name, double lanes, double sectors_a_request,
                       const char* space = "global") {
  access_counters of;
  of.file = "kernel.cu";
  of.line = 10;
  of.space = space;
  of.access = kind;
  of.array = array;
  of.variable = name;
  of.width = 4;
  of.lanes = static_cast<std::uint64_t>(lanes);
  of.requests = of.lanes / 32;
  of.bytes = 4 * of.lanes;
  of.sectors = static_cast<std::uint64_t>(sectors_a_request * static_cast<double>(of.requests));
  of.ideal_sectors = 4 * of.requests;
  of.same_address_lanes = of.requests;
  of.wavefronts = of.ideal_wavefronts = of.requests;
  return of;
}

launch_counters launch(std::vector<access_counters> accesses, std::uint64_t blocks = 16) {
  launch_counters l;
  l.grid = {blocks, 1, 1};
  l.block = {64, 1, 1};
  l.warp_value_primitives = 100;
  l.foreign_bytes = 4096;
  l.accesses = std::move(accesses);
  return l;
}

std::vector<criterion> criteria() {
  return {{metric::sector_efficiency("a"), full_at(1), none_at(0.125), ""},
          {metric::sector_efficiency("c"), full_at(1), none_at(0.125), ""},
          {metric::lane_loads_per_operation("a"), full_at(0.5), none_at(2), ""},
          {metric::moved_bytes_per_operation("a"), full_at(2), none_at(16), ""},
          {metric::moved_bytes_per_operation(), full_at(8), none_at(64), ""},
          {metric::requested_bytes_per_operation("a"), full_at(2), none_at(16), ""},
          {metric::atomics_per_operation("c"), full_at(0.0625), none_at(1), ""},
          {metric::atomics_per_block("c"), full_at(1), none_at(32), ""},
          {metric::same_address_lanes("c"), full_at(1), none_at(8), ""},
          {metric::shared_wavefronts_per_warp("a"), full_at(1), none_at(8), ""},
          {metric::wavefronts_over_minimum, full_at(2), none_at(8), ""},
          {metric::stores_per_thread("c"), full_at(4), none_at(1), ""},
          {metric::active_lanes, full_at(31), none_at(8), ""},
          {metric::operations_per_pass, full_at(32), none_at(4), ""}};
}

std::vector<evaluated_criterion> evaluated(const measurements& m) {
  static const std::vector<criterion> all = criteria();
  work model{.bytes_read = 4 * 2048, .bytes_written = 4 * 1024, .operations = operations};
  model.shared_bytes = 8192;
  return evaluate(all,
                  {.measured = m,
                   .model = model,
                   .arguments = {{"a", argument_role::input, 4 * 2048, 4}, {"c", argument_role::output, 4 * 1024, 4}}});
}

evaluated_criterion only(quantity what, std::string_view of, const measurements& m) {
  for (evaluated_criterion& e : evaluated(m))
    if (e.of->metric.what == what && e.of->metric.of == of) return std::move(e);
  FAIL("no such criterion");
  return {};
}

// Reads a badly and often, stores c badly, and keeps a tile between.
measurements plain(double loads, double sectors, double store_sectors) {
  measurements m;
  auto stored = access("write", tile, "tile", 1024, 0, "shared");
  stored.wavefronts *= 4;
  m.launches = {launch({access("read", a, "a", loads, sectors), access("write", c, "c", 1024, store_sectors), stored})};
  return m;
}

// The same on copies, which plain kernels make and bring back.
measurements on_copies(measurements m) {
  for (launch_counters& l : m.launches)
    for (access_counters& one : l.accesses) {
      if (one.space != "global") continue;
      one.array = one.variable == "a" ? own : own_c;
      one.variable = one.variable == "a" ? "c" : "a";  // names are the program's choice
    }
  m.launches.insert(m.launches.begin(),
                    launch({access("read", a, "a", 2048, 4), access("write", own, "c", 2048, 4)}, 32));
  m.launches.push_back(launch({access("read", own_c, "a", 1024, 4), access("write", c, "c", 1024, 4)}, 4));
  return m;
}

}  // namespace

TEST_CASE("what is done on a copy counts like what is done on the argument") {
  const measurements m = on_copies(plain(8192, 32, 32));
  CHECK(only(quantity::lane_loads_per_operation, "a", m).fraction == 0);
  CHECK(only(quantity::sector_efficiency, "a", m).fraction < 0.3);
  CHECK(only(quantity::sector_efficiency, "c", m).fraction == doctest::Approx(0));
  const auto e = only(quantity::lane_loads_per_operation, "a", m);
  CHECK(e.reason == "counted with a and c, which stand for a");
  CHECK(e.where.has_value());
}

TEST_CASE("one copy of an argument costs an honest kernel nothing") {
  const measurements before = plain(2048, 4, 4), after = on_copies(before);
  for (const auto& [what, of] : {std::pair{quantity::lane_loads_per_operation, "a"},
                                 {quantity::moved_bytes_per_operation, "a"},
                                 {quantity::sector_efficiency, "a"},
                                 {quantity::sector_efficiency, "c"}})
    CHECK(only(what, of, after).fraction == doctest::Approx(only(what, of, before).fraction));
}

TEST_CASE("a program that never touches the argument but by copies is measured by its copies") {
  measurements m;
  m.copies = {{a, own, "a", "", 8192, 256, 256}, {own_c, c, "", "c", 4096, 128, 128}};
  m.launches = {launch({access("read", own, "x", 2048, 4), access("write", own_c, "y", 1024, 4)})};
  CHECK(only(quantity::sector_efficiency, "a", m).fraction == 1);
  CHECK(only(quantity::lane_loads_per_operation, "a", m).fraction == 1);
  m.copies[0].sectors_read *= 8;  // element by element
  CHECK(only(quantity::sector_efficiency, "a", m).fraction < 0.3);
}

TEST_CASE("an atomic and a texture fetch ask for what is there like a load") {
  measurements m = plain(2048, 4, 4);
  m.launches.push_back(launch({access("atomic", own, "x", 8192, 4)}));
  CHECK(only(quantity::lane_loads_per_operation, "a", m).fraction == 1);  // x holds nothing of a
  m.launches[0].accesses.push_back(access("write", own, "x", 32, 4));
  CHECK(only(quantity::lane_loads_per_operation, "a", m).fraction == 0);
  m.launches.pop_back();
  m.launches[0].accesses.resize(3);
  m.launches[0].accesses.push_back(access("read", a, "a", 8192, 0, "texture"));
  CHECK(only(quantity::lane_loads_per_operation, "a", m).fraction == 0);
}

namespace {

evaluated_criterion useful_share_of(const measurements& m) {
  static const std::vector<criterion> all{{metric::useful_share, full_at(1), none_at(0), ""}};
  const work model{.bytes_read = 8192, .bytes_written = 4096, .operations = operations};
  return evaluate(all, {.measured = m,
                        .model = model,
                        .arguments = {{"a", argument_role::input, 8192, 4}, {"c", argument_role::output, 4096, 4}}})
      .front();
}

// Looks at all of `from` with so many sectors a request, and makes `to` of it.
launch_counters makes(array_identity from, array_identity to, double sectors = 4) {
  return launch(
      {access("read", from, from.given ? "a" : "", 2048, sectors), access("write", to, to.given ? "c" : "", 1024, 4)});
}

}  // namespace

TEST_CASE("the useful share misses work that is not there") {
  measurements m;
  m.launches = {makes(a, c)};
  CHECK(useful_share_of(m).fraction == doctest::Approx(1));
  m.launches[0].accesses[0] = access("read", a, "a", 1024, 4);  // half of what the work has to look at
  CHECK(useful_share_of(m).fraction == doctest::Approx(0.5 / 0.9));
}

TEST_CASE("the useful share gives one plain copy of each argument for nothing, and counts a second") {
  measurements m;
  m.launches = {makes(own, own_c)};
  m.copies = {{a, own, "a", "", 8192, 256, 256}, {own_c, c, "", "c", 4096, 128, 128}};
  CHECK(useful_share_of(m).fraction == doctest::Approx(1));
  m.copies.push_back({a, x, "a", "", 8192, 256, 256});
  CHECK(useful_share_of(m).fraction == doctest::Approx(12288.0 / (12288 + 2 * 8192)));
  m.copies.back() = {own, x, "", "", 8192, 256, 256};  // of the program's own memory
  CHECK(useful_share_of(m).fraction == doctest::Approx(12288.0 / (12288 + 2 * 8192)));

  m.copies.clear();  // the same by kernels that only move
  const launch_counters brings = launch({access("read", a, "a", 2048, 4), access("write", own, "", 2048, 4)});
  const launch_counters brings_back = launch({access("read", own_c, "", 1024, 4), access("write", c, "c", 1024, 4)});
  m.launches = {brings, makes(own, own_c), brings_back};
  CHECK(useful_share_of(m).fraction == doctest::Approx(1));
  m.launches.push_back(brings);
  CHECK(useful_share_of(m).fraction == doctest::Approx(12288.0 / (12288 + 2 * 8192)));
}

TEST_CASE("the useful share counts a conversion, and what is done badly on a copy") {
  measurements m;
  m.launches = {launch({access("read", a, "a", 2048, 4), access("write", own, "", 2048, 8)}), makes(own, c)};
  const double conversion = 8192 + 2 * 8192;
  CHECK(useful_share_of(m).fraction == doctest::Approx(12288 / (12288 + conversion)));
  m.launches[0] = launch({access("read", a, "a", 2048, 4), access("write", own, "", 2048, 4),
                          access("write", tile, "tile", 2048, 0, "shared")});
  CHECK(useful_share_of(m).fraction == doctest::Approx(12288.0 / (12288 + 2 * 8192)));
  m.launches = {makes(own, c, 32)};
  m.copies = {{a, own, "a", "", 8192, 256, 256}};
  CHECK(useful_share_of(m).fraction == doctest::Approx(12288.0 / (8 * 8192 + 4096)));
  m.copies[0].sectors_read *= 8;  // field by field
  CHECK(useful_share_of(m).fraction == doctest::Approx(12288.0 / (8 * 8192 + 4096 + 9 * 8192)));
}

TEST_CASE("kernels that do not ask for the argument's bytes have not done the work") {
  measurements m = plain(2048, 4, 4);
  m.launches[0].accesses[0] = access("read", a, "a", 32, 4);
  const auto e = only(quantity::moved_bytes_per_operation, "a", m);
  CHECK(e.fraction < 0.02);
  CHECK(e.reason == "kernels ask for 2 % of the bytes that the work needs");
}

TEST_CASE(
    "atomic operations at which nothing meets earn nothing: kernels that store plainly have reduced what the result is "
    "made from") {
  const auto reads_and_stores = [](access_counters from, access_counters to) {
    return launch({std::move(from), std::move(to)});
  };
  measurements m;  // parts in own memory, which a second kernel adds up
  m.launches = {reads_and_stores(access("read", a, "a", 2048, 4), access("write", own, "part", 512, 4)),
                reads_and_stores(access("read", own, "part", 512, 4), access("write", c, "c", 32, 4))};
  const auto fraction = [](const measurements& of) { return only(quantity::same_address_lanes, "c", of).fraction; };
  CHECK(fraction(m) == 0);

  measurements tokens = m;
  tokens.launches.push_back(launch({access("atomic", c, "c", 1024, 4)}));
  CHECK(fraction(tokens) == 0);
  tokens.launches.back().accesses.push_back(access("read", a, "a", 2048, 4));  // and looks at all that it does not need
  CHECK(fraction(tokens) == 0);
  const auto e = only(quantity::same_address_lanes, "c", tokens);
  CHECK(e.reason == "kernels without atomic operations on c have already reduced all bytes that it is made from");

  measurements moved = m;  // what is done moves by atomic operations to memory of its own, and from there
  moved.launches[1].accesses[1] = access("write", own_c, "own_c", 32, 4);
  moved.launches.push_back(reads_and_stores(access("read", own_c, "own_c", 32, 4), access("atomic", x, "x", 32, 4)));
  moved.launches.push_back(reads_and_stores(access("read", x, "x", 32, 4), access("write", c, "c", 32, 4)));
  CHECK(fraction(moved) == 0);
  moved.launches.insert(moved.launches.begin(),  // the argument, too
                        reads_and_stores(access("read", a, "a", 2048, 4), access("atomic", y, "y", 2048, 4)));
  moved.launches[1].accesses[0] = access("read", y, "y", 2048, 4);
  CHECK(fraction(moved) == 0);
}

TEST_CASE("a shared variable that is called like the result is not the result") {
  measurements m;
  m.launches = {launch({access("read", a, "a", 2048, 4), access("atomic", c, "c", 64, 4)})};
  const auto fraction = [](const measurements& of) { return only(quantity::same_address_lanes, "c", of).fraction; };
  const double alone = fraction(m);
  CHECK(alone == 1);
  access_counters namesake = access("atomic", own, "c", 2048, 0);
  namesake.space = "shared";
  namesake.same_address_lanes = namesake.lanes;
  m.launches[0].accesses.push_back(namesake);
  CHECK(fraction(m) == alone);
}

TEST_CASE("results that meet by atomic operations earn their points wherever they meet") {
  const auto fraction = [](const measurements& of) { return only(quantity::same_address_lanes, "c", of).fraction; };
  measurements m;
  m.launches = {launch({access("read", a, "a", 2048, 4), access("atomic", c, "c", 2048, 4)})};
  CHECK(fraction(m) == 1);
  CHECK(fraction(on_copies(m)) == 1);
  m.launches.insert(m.launches.begin(), launch({access("read", a, "a", 32, 4), access("write", c, "c", 4, 4)}, 1));
  CHECK(fraction(m) > 0.97);  // a first value from the argument
  measurements of_parts;      // blocks leave what they have, and others add that
  of_parts.launches = {launch({access("read", a, "a", 2048, 4), access("write", own, "part", 1536, 4)}),
                       launch({access("read", own, "part", 1536, 4), access("atomic", c, "c", 1536, 4)})};
  CHECK(fraction(of_parts) == 1);
  measurements counters;  // each block adds to counters of its own in global memory, and a second kernel sums them up
  counters.launches = {launch({access("read", a, "a", 2048, 4), access("atomic", own, "mine", 2048, 4)}),
                       launch({access("read", own, "mine", 1536, 4), access("write", c, "c", 1024, 4)})};
  CHECK(fraction(counters) == 1);
}

TEST_CASE("shared memory earns nothing where kernels without it have done the work") {
  const auto fraction = [](const measurements& of) { return only(quantity::wavefronts_over_minimum, "", of).fraction; };
  measurements m;  // two thirds of each sector are wasted on the way
  m.launches = {launch({access("read", a, "a", 1024, 4), access("write", c, "c", 1024, 12)})};
  CHECK(fraction(m) == 0);
  m.launches.push_back(launch({access("read", a, "a", 1024, 4), access("write", tile, "tile", 1024, 0, "shared")}));
  const auto e = only(quantity::wavefronts_over_minimum, "", m);
  CHECK(e.fraction == 0);
  CHECK(e.reason.ends_with("kernels without shared memory waste 256 sectors, and the work needs 384"));
  m.launches[0].accesses.push_back(access("write", tile, "tile", 1024, 0, "shared"));  // a tile that does not fit
  CHECK(fraction(m) == doctest::Approx(0.5));
  m.launches.push_back(launch({access("read", own, "own", 1024, 4), access("write", c, "c", 1024, 5)}));  // padding
  CHECK(fraction(m) == doctest::Approx(2.5 / 6));
}

TEST_CASE("a tile in which each thread finds what it has stored itself is no use of shared memory") {
  const auto of = [](const measurements& m) { return only(quantity::wavefronts_over_minimum, "", m); };
  measurements m;
  m.launches = {launch({access("read", a, "a", 2048, 4), access("write", tile, "tile", 1024, 0, "shared"),
                        access("read", tile, "tile", 1024, 0, "shared"), access("write", c, "c", 1024, 4)})};
  CHECK(of(m).fraction == 1);
  m.launches[0].foreign_bytes = 2048;  // what lies on a diagonal stays
  CHECK(of(m).fraction == 1);
  m.launches[0].foreign_bytes = 1024;
  CHECK(of(m).fraction == doctest::Approx(0.5));
  m.launches[0].foreign_bytes = 0;
  CHECK(of(m).fraction == 0);
  CHECK(of(m).reason == "of 4096 bytes that go through shared memory, threads take 0 that others stored");
  m.launches[0].foreign_bytes = 2048;  // half of them for nothing, beside a tile of each thread's own
  m.launches[0].accesses.push_back(access("read", x, "own", 3072, 0, "shared"));
  CHECK(of(m).fraction == doctest::Approx(0.25));
}

TEST_CASE("who brings results back has not made them") {
  measurements m;
  m.launches = {launch({access("read", a, "a", 8192, 4), access("write", own_c, "own", 1024, 4)}, 4),
                launch({access("read", own_c, "own", 1024, 4), access("write", c, "c", 1024, 4)}, 16)};
  CHECK(only(quantity::stores_per_thread, "c", m).fraction == 1);
  m.launches[0].grid = {16, 1, 1};  // one element a thread
  CHECK(only(quantity::stores_per_thread, "c", m).fraction == 0);
  m.launches[0].grid = {4, 1, 1};
  m.launches[1].accesses[0].bytes *= 2;  // and adds: its threads make them
  CHECK(only(quantity::stores_per_thread, "c", m).fraction == 0);
}

// A product of 64 × 128 by 128 × 256 floats as lab 13 judges it: loads of both operands together, and results a thread.
std::vector<evaluated_criterion> judged_product(const measurements& m) {
  static const std::vector<criterion> all{{metric::lane_loads_per_operation(), full_at(0.078125), none_at(0.09375), ""},
                                          {metric::stores_per_thread("p"), full_at(4), none_at(1), ""}};
  return evaluate(all, {.measured = m,
                        .model = work{.bytes_read = 163840, .bytes_written = 65536, .operations = 64 * 128 * 256},
                        .arguments = {{"a", argument_role::input, 32768, 4},
                                      {"b", argument_role::input, 131072, 4},
                                      {"p", argument_role::output, 65536, 4}}});
}

// The lanes per operation that load each operand through a tile.
launch_counters tiled_product(double of_a, double of_b, std::uint64_t blocks, std::uint64_t threads = 256) {
  constexpr double all = 64 * 128 * 256;
  launch_counters l =
      launch({access("read", a, "a", all * of_a, 4), access("read", {8, true}, "b", all * of_b, 4),
              access("write", {9, true}, "p", 16384, 4), access("read", tile, "tile", 2 * all, 0, "shared")},
             blocks);
  l.block = {threads, 1, 1};
  return l;
}

TEST_CASE("loads of all inputs tell coarsening in any direction, and blocks of more threads are none") {
  const auto fraction = [](double of_a, double of_b, std::uint64_t blocks, std::uint64_t threads) {
    measurements m;
    m.launches = {tiled_product(of_a, of_b, blocks, threads)};
    return judged_product(m)[0].fraction;
  };
  CHECK(fraction(1.0 / 64, 1.0 / 16, 16, 256) == 1);   // four columns a thread
  CHECK(fraction(1.0 / 16, 1.0 / 64, 16, 256) == 1);   // four rows
  CHECK(fraction(1.0 / 32, 1.0 / 32, 16, 256) == 1);   // two by two
  CHECK(fraction(1.0 / 32, 1.0 / 16, 32, 256) == 0);   // two columns
  CHECK(fraction(1.0 / 16, 1.0 / 16, 64, 256) == 0);   // one result
  CHECK(fraction(1.0 / 64, 1.0 / 16, 16, 1024) == 0);  // one result, in blocks of 64 × 16
  CHECK(fraction(1.0 / 32, 1.0 / 32, 4, 1024) == 0);   // one after the other, in blocks of 32 × 32
  CHECK(fraction(1.0 / 64, 1.0 / 32, 8, 1024) < 0.1);  // two columns of 32 × 32 tiles
  CHECK(fraction(1.0 / 128, 1.0 / 32, 4, 1024) == 1);  // four of them
  CHECK(fraction(1.0 / 128, 1.0 / 16, 8, 512) == 1);   // four columns of 32 × 16 tiles

  measurements m;
  m.launches = {tiled_product(1.0 / 32, 1.0 / 32, 4, 1024)};
  CHECK(judged_product(m)[0].value == 0.0625);
  CHECK(judged_product(m)[0].reason == "blocks of 1024 threads fetch 0.0625 with one result a thread");
}

TEST_CASE("fewer loads than the textbook's for as many results a thread are the block's") {
  const auto judged = [](double of_each, std::uint64_t blocks, std::uint64_t threads) {
    measurements m;
    m.launches = {tiled_product(of_each, of_each, blocks, threads)};
    return judged_product(m)[0];
  };
  CHECK(judged(0.035, 16, 256).fraction == 1);    // four
  CHECK(judged(0.035, 32, 256).fraction < 0.1);   // two
  CHECK(judged(0.035, 24, 384).fraction < 0.1);   // less than two, for tiles hang over the edge
  CHECK(judged(0.035, 12, 384).fraction > 0.9);   // nearly four
  CHECK(judged(0.0416, 21, 256).fraction > 0.6);  // three
  CHECK(judged(0.035, 24, 384).reason.starts_with("threads of 1.78 results"));
}

TEST_CASE("loads of all inputs count what holds bytes of two inputs once, and one copy of them not at all") {
  measurements m;
  m.launches = {tiled_product(1.0 / 64, 1.0 / 16, 16)};
  auto& reads = m.launches[0].accesses;
  reads[0].array = reads[1].array = own;
  launch_counters move = launch({access("read", a, "a", 8192, 4), access("read", {8, true}, "b", 32768, 4),
                                 access("write", own, "both", 40960, 4)},
                                40);
  move.block = {1024, 1, 1};  // a large block that only moves
  m.launches.insert(m.launches.begin(), move);
  CHECK(judged_product(m)[0].fraction == 1);
  m.launches.insert(m.launches.begin(), move);
  CHECK(judged_product(m)[0].fraction == 0);  // the second copy pays
}

TEST_CASE("eight lanes of a warp that make all of its results are a quarter of a warp") {
  measurements m;
  m.launches = {tiled_product(1.0 / 128, 1.0 / 64, 1)};  // 8 warps: 64 results a lane, if all lanes make them
  CHECK(judged_product(m)[0].fraction == 1);
  for (access_counters& one : m.launches[0].accesses)
    if (one.variable == "tile" || one.variable == "p") one.requests *= 4;
  CHECK(judged_product(m)[0].fraction < 0.26);
}

TEST_CASE("threads of warps that do nothing store nothing, and additions to a result are stores") {
  measurements m;
  m.launches = {tiled_product(1.0 / 64, 1.0 / 16, 264)};  // 16 tiles for a grid that is as large as the GPU
  CHECK(judged_product(m)[1].fraction == 0);
  m.launches[0].working_warps = 128;
  CHECK(judged_product(m)[1].fraction == 1);
  CHECK(judged_product(m)[1].value == 4);
  m.launches[0].working_warps = 512;
  CHECK(judged_product(m)[1].fraction == 0);
  m.launches[0].working_warps = 128;
  m.launches[0].accesses[2].access = "atomic";
  CHECK(judged_product(m)[1].fraction == 1);
}

TEST_CASE(
    "a filter that is copied once before it lies in constant memory, and results that are brought back, cost nothing") {
  const std::vector<criterion> all{{metric::constant_share("a"), full_at(1), none_at(0), ""},
                                   {metric::constant_words_per_request("weights"), full_at(1), none_at(4), ""}};
  constexpr array_identity weights{8, false};
  auto broadcast = access("read", weights, "weights", 65536, 0, "constant");
  broadcast.distinct_words = broadcast.requests;
  const auto fractions = [&](const measurements& m) {
    const auto e = evaluate(
        all, {.measured = m,
              .model = work{.operations = 65536},
              .arguments = {{"a", argument_role::input, 4 * 32, 4}, {"c", argument_role::output, 4 * 1024, 4}}});
    return std::pair{e[0].fraction, e[1].fraction};
  };
  measurements m;
  m.copies = {{own, weights, "own", "weights", 128, 4, 4}};
  m.launches = {launch({access("read", a, "a", 32, 4), access("write", own, "own", 32, 4)}, 1),
                launch({broadcast, access("write", own_c, "own_c", 1024, 4)}),
                launch({access("read", own_c, "own_c", 1024, 4), access("write", c, "c", 1024, 4)})};
  CHECK(fractions(m).first > 0.999);
  CHECK(fractions(m).second == 1);
  m.launches[1].accesses.push_back(access("read", own, "own", 65536, 4));  // the kernel takes it from the copy
  CHECK(fractions(m).first < 0.01);
  CHECK(fractions(m).second < 0.01);
  m.launches[1].accesses.back() = access("read", own, "own", 1024, 4);  // each block brings it to shared memory
  m.launches[1].accesses[1] = access("write", c, "c", 1024, 4);
  m.launches.pop_back();
  CHECK(fractions(m).first < 0.1);
}

TEST_CASE("a kernel that moves an argument through shared memory thins no kernel's passes") {
  const auto value = [](const measurements& of) {
    return only(quantity::shared_wavefronts_per_warp, "a", of).value.value();
  };
  auto tree = access("write", tile, "tile", 2048, 0, "shared"), pass = tree;
  tree.wavefronts *= 6;
  measurements m;
  m.launches = {launch({access("read", a, "a", 2048, 4), access("write", own, "x", 32, 4), tree})};
  const double before = value(m);
  CHECK(before == 12);
  for (int n = 0; n < 8; ++n) m.launches.push_back(launch({access("read", a, "a", 2048, 4), pass}, 32));
  CHECK(value(m) >= before);
  auto few = access("write", tile, "tile", 32, 0, "shared");
  few.wavefronts = 24;
  m.launches.push_back(launch({access("read", own, "x", 32, 4), few}, 1));  // what few values cost changes little
  CHECK(value(m) < 13);
}

TEST_CASE("parameters of kernels that carry data are copies, sizes are not") {
  measurements m;
  m.host.bytes_to_device = 100, m.host.bytes_to_host = 100, m.host.launches = 10;
  const std::vector<criterion> copied{{metric::copied_bytes_over_minimum, full_at(1), none_at(3), ""}};
  const auto value = [&] {
    return evaluate(copied, {m, work{}, 200, backend_kind::emulator, entry_kind::host})[0].value;
  };
  m.host.parameter_bytes = 640;
  CHECK(value() == 1);
  m.host.parameter_bytes = 2400;
  CHECK(value() == (200.0 + 2400 - 640) / 200);
  m.host.launches = 1000, m.host.parameter_bytes = 64000;  // a little data in each of many launches
  CHECK(value() == (200.0 + 64000 - 4096) / 200);
}

// Whatever is added, the criteria together earn no more: 2,000 kernels at random.
TEST_CASE("copies and accesses that nobody needs never raise a score") {
  std::mt19937 random(20261123);
  const auto one_of = [&](std::initializer_list<double> values) {
    return *(values.begin() + random() % values.size());
  };
  for (int n = 0; n < 2000; ++n) {
    measurements m = plain(one_of({2048, 4096, 8192}), one_of({4, 5, 8, 32}), one_of({4, 8, 32}));
    if (random() % 2 == 0) {
      auto adds = access("atomic", c, "c", one_of({64, 512, 4096}), 32);
      adds.same_address_lanes *= static_cast<std::uint64_t>(one_of({1, 4, 32}));
      m.launches[0].accesses.push_back(adds);
    }
    measurements more = random() % 2 == 0 ? on_copies(m) : m;
    auto ballast = access("write", tile, "tile", one_of({0, 32, 65536}), 0, "shared");
    more.launches.back().accesses.push_back(ballast);
    if (random() % 2 == 0) more.launches.push_back(launch({access("read", a, "a", one_of({32, 65536}), 4)}, 4096));
    const auto before = evaluated(m), after = evaluated(more);
    double earned_before = 0, earned_after = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (!before[i].value) continue;
      earned_before += before[i].fraction;
      earned_after += after[i].fraction;
    }
    INFO("kernel " << n);
    std::string rises;
    for (std::size_t i = 0; i < before.size(); ++i)
      if (before[i].value && after[i].fraction > before[i].fraction + 0.01)
        rises += std::string(description_of(before[i].of->metric.what).name) + "(" +
                 std::string(before[i].of->metric.of) + ") " + std::to_string(before[i].fraction) + " -> " +
                 std::to_string(after[i].fraction) + "; ";
    INFO(rises);
    CHECK(earned_after <= earned_before + 0.03);
  }
}

TEST_CASE("a load of four elements counts as four") {
  measurements m = plain(4096, 4, 4);
  const double before = only(quantity::lane_loads_per_operation, "a", m).fraction;
  CHECK(before < 1);
  for (access_counters& one : m.launches.front().accesses)
    if (one.variable == "a") one.lanes /= 4;
  CHECK(only(quantity::lane_loads_per_operation, "a", m).fraction == doctest::Approx(before));
}

TEST_CASE("a kernel that gets its values by shuffles, or four at once, makes its results with all of its threads") {
  const auto stores = [](double lanes, std::uint64_t bytes, std::uint64_t warp_value_primitives) {
    measurements m;
    launch_counters making = launch({access("read", a, "a", lanes, 4), access("write", own_c, "y", 1024, 4)});
    making.accesses.front().bytes = bytes;
    making.warp_value_primitives = warp_value_primitives;
    launch_counters bringing = launch({access("read", own_c, "y", 1024, 4), access("write", c, "c", 1024, 4)}, 4);
    m.launches = {std::move(making), std::move(bringing)};
    return only(quantity::stores_per_thread, "c", m).fraction;
  };
  const double by_loads = stores(operations, 4 * 4096, 0);
  CHECK(stores(operations / 4, 4096, 0) > by_loads);  // little is read: some other launch makes the results
  CHECK(stores(operations / 4, 4 * 4096, 0) == doctest::Approx(by_loads));
  CHECK(stores(operations / 4, 4096, 96) == doctest::Approx(by_loads));
}

TEST_CASE("only what moves is free: no kernel that computes results from a copy") {
  measurements m;
  m.copies = {{a, own, "a", "", 8192, 256, 256}};
  m.launches = {launch({access("read", own, "x", 4096, 4), access("write", c, "c", 1024, 4)})};
  measurements plainly;
  plainly.launches = {launch({access("read", a, "a", 4096, 4), access("write", c, "c", 1024, 4)})};
  CHECK(only(quantity::lane_loads_per_operation, "a", m).fraction ==
        doctest::Approx(only(quantity::lane_loads_per_operation, "a", plainly).fraction));
}

TEST_CASE("values that lanes hand on through device memory pay like passes through shared memory") {
  const auto passes = [](double reads_and_writes, const char* kind, array_identity array, const char* name) {
    measurements m = plain(2048, 4, 4);
    for (launch_counters& l : m.launches) l.accesses.push_back(access(kind, array, name, reads_and_writes, 4));
    return only(quantity::shared_wavefronts_per_warp, "a", m).fraction;
  };
  const double before = only(quantity::shared_wavefronts_per_warp, "a", plain(2048, 4, 4)).fraction;
  CHECK(passes(2048, "write", own, "x") == doctest::Approx(before));      // a copy
  CHECK(passes(8192, "atomic", c, "c") < passes(8192, "write", c, "c"));  // it reads, too
  CHECK(passes(16 * 2048, "write", own, "x") < before - 0.5);
}

TEST_CASE("a result that holds a filter counts like a copy of it, unless a kernel works in place") {
  const std::vector<criterion> all{{metric::constant_share("a"), full_at(1), none_at(0), ""}};
  constexpr array_identity weights{8, false};
  const auto share = [&](double read, double stored) {
    measurements m;
    m.copies = {{a, weights, "a", "weights", 128, 4, 4}};
    m.launches = {launch({access("read", a, "a", 32, 4), access("write", c, "c", 32, 4)}, 1),
                  launch({access("read", weights, "weights", 65536, 0, "constant"), access("read", c, "c", read, 1),
                          access("write", c, "c", stored, 4)})};
    return evaluate(all, {.measured = m,
                          .model = work{.operations = 65536},
                          .arguments = {{"a", argument_role::input, 4 * 32, 4},
                                        {"c", argument_role::output, 4 * 1024, 4}}})[0]
        .fraction;
  };
  CHECK(share(0, 1024) > 0.99);
  CHECK(share(1024, 1024) > 0.99);
  CHECK(share(65536, 65536) > 0.99);  // sums of products in the result itself
  CHECK(share(2048, 1024) > 0.99);    // and one pass that looks at them
  CHECK(share(65536, 1024) < 0.01);
}

TEST_CASE("atomic operations on another result count where that one's values become this one's") {
  const std::vector<criterion> all{{metric::atomics_per_block("c"), full_at(1), none_at(32), ""}};
  constexpr array_identity d{9, true};
  const auto fraction = [&](std::vector<launch_counters> launches) {
    measurements m;
    m.launches = std::move(launches);
    return evaluate(all, {.measured = m,
                          .model = work{.operations = operations},
                          .arguments = {{"a", argument_role::input, 4 * 4096, 4},
                                        {"c", argument_role::output, 4, 4},
                                        {"d", argument_role::output, 4, 4}}})[0]
        .fraction;
  };
  const auto one = [](const char* kind, array_identity of, const char* name) { return access(kind, of, name, 1, 1); };
  const auto adds =
      launch({access("read", a, "a", 4096, 4), access("atomic", c, "c", 16, 1), access("atomic", d, "d", 512, 1)});
  CHECK(fraction({adds}) == 1);
  CHECK(fraction({launch({access("read", a, "a", 4096, 4), access("atomic", d, "d", 512, 1)}),
                  launch({one("read", d, "d"), one("write", c, "c")}, 1)}) < 0.05);
  CHECK(fraction({launch({access("read", a, "a", 4096, 4), access("atomic", d, "d", 512, 1)}),
                  launch({one("atomic", d, "d"), one("atomic", c, "c")}, 1)}) < 0.1);
}

TEST_CASE("warps that have nothing to do, or little beside another, are none of those that share the work") {
  const auto fraction = [](std::uint64_t busiest) {
    constexpr double results = 16384;
    const std::vector<criterion> all{{metric::sector_efficiency("a"), full_at(1), none_at(0.125), ""}};
    measurements m;  // 2,560 requests by 512 warps
    launch_counters l = launch({access("read", a, "a", 65536, 4), access("write", c, "c", results, 4)}, 512);
    l.block = {32, 1, 1};
    l.busiest_warp_requests = busiest;
    m.launches = {l};
    return evaluate(all, {.measured = m,
                          .model = work{.bytes_read = 8192, .bytes_written = 4 * results, .operations = 128 * results},
                          .arguments = {{"a", argument_role::input, 4 * 2048, 4},
                                        {"c", argument_role::output, 4 * results, 4}}})[0]
        .fraction;
  };
  CHECK(fraction(0) == 1);    // a backend that does not count them
  CHECK(fraction(5) == 1);    // each as many
  CHECK(fraction(320) == 1);  // eight of them, of 64 results a lane
  CHECK(fraction(1280) < 0.3);
  CHECK(fraction(2500) < 0.2);  // one for all, and others that do little
}

TEST_CASE("launches with more warps make up for no launch with few of them") {
  const auto fraction = [](const std::vector<launch_counters>& launches) {
    constexpr double results = 16384;
    const std::vector<criterion> all{{metric::sector_efficiency("a"), full_at(1), none_at(0.125), ""}};
    measurements m;
    m.launches = launches;
    return evaluate(all, {.measured = m,
                          .model = work{.bytes_read = 8192,
                                        .bytes_written = 4 * results,
                                        .operations = 128 * results,
                                        .asks = {{"a", 4 * 65536}}},
                          .arguments = {{"a", argument_role::input, 4 * 2048, 4},
                                        {"c", argument_role::output, 4 * results, 4}}})[0]
        .fraction;
  };
  const auto of_warps = [](std::uint64_t warps, double reads, access_counters stored) {
    launch_counters l = launch({access("read", a, "a", reads, 4), std::move(stored)}, warps);
    l.block = {32, 1, 1};
    return l;
  };
  const launch_counters work = of_warps(2, 65536, access("write", c, "c", 16384, 4));
  CHECK(fraction({work}) == doctest::Approx(0.25));
  const auto nobody_needs = [](double lanes) { return access("write", x, "x", lanes, 4); };
  CHECK(fraction({work, of_warps(6, 65536, nobody_needs(32))}) < 0.27);  // better than the work
  CHECK(fraction({work, of_warps(8, 65536, nobody_needs(32))}) < 0.28);  // as many as are wanted
  CHECK(fraction({work, of_warps(1, 8192, nobody_needs(32))}) < 0.25);   // what is worse counts as before
  auto added = nobody_needs(65536);
  added.access = "atomic";
  CHECK(fraction({work, of_warps(2048, 65536, added)}) == doctest::Approx(0.25));  // a copy by additions is no work
}

TEST_CASE("sectors too many are no matter of banks, and idle lanes none of addresses") {
  measurements m = plain(8192, 32, 4);
  m.launches[0].accesses[2].wavefronts = m.launches[0].accesses[2].ideal_wavefronts;
  m.launches[0].accesses[2].line = 12;
  const auto lost = only(quantity::wavefronts_over_minimum, "", m);
  REQUIRE(lost.where);
  CHECK(lost.where->line == 10);
  CHECK(idea_of(lost).starts_with("Most is lost in global memory here"));
  m.launches[0].accesses[2].line = 10;  // the tile's store stands in the same line
  m.launches[0].accesses[2].wavefronts *= 4;
  CHECK(idea_of(only(quantity::wavefronts_over_minimum, "", m)).empty());

  const std::vector<criterion> all{{metric::sector_efficiency("a"), full_at(1), none_at(0.125), "neighbours"}};
  auto few = access("read", tile, "tile", 1024, 0, "shared");
  few.requests = 8 * few.lanes / 32;
  measurements idle;
  idle.launches = {launch({access("read", a, "a", 2048, 4), few, access("write", c, "c", 32, 4)})};
  const auto e =
      evaluate(all, {.measured = idle,
                     .model = work{.bytes_read = 8192, .bytes_written = 128, .operations = 2048},
                     .arguments = {{"a", argument_role::input, 8192, 4}, {"c", argument_role::output, 128, 4}}})[0];
  CHECK(e.reason.starts_with("the value itself is full, but of the work "));
  CHECK(idea_of(e).starts_with("The addresses are right as they are"));
}

TEST_CASE("a copy that is made by additions makes up for no idle lanes") {
  const std::vector<criterion> all{{metric::sector_efficiency("a"), full_at(1), none_at(0.125), ""}};
  const auto fraction = [&all](const std::vector<launch_counters>& launches) {
    measurements m;
    m.launches = launches;
    return evaluate(all, {.measured = m,
                          .model = work{.bytes_read = 8192, .bytes_written = 128, .operations = 2048},
                          .arguments = {{"a", argument_role::input, 8192, 4}, {"c", argument_role::output, 128, 4}}})[0]
        .fraction;
  };
  auto few = access("read", tile, "tile", 1024, 0, "shared");
  few.requests = 8 * few.lanes / 32;
  const launch_counters work = launch({access("read", a, "a", 2048, 4), few, access("write", c, "c", 32, 4)});
  auto copied = launch({access("read", a, "a", 2048, 4), access("atomic", own, "x", 2048, 4)});
  CHECK(fraction({work}) < 0.9);
  CHECK(fraction({copied, work}) == doctest::Approx(fraction({work})));
  copied.accesses[1].access = "read";  // looks at all of it twice: that is done with all lanes
  CHECK(fraction({copied, work}) > fraction({work}));
}

TEST_CASE("copies of an argument that is hardly loaded thin no waste") {
  const std::vector<criterion> all{{metric::sector_efficiency("a"), full_at(1), none_at(0.125), ""},
                                   {metric::lane_loads_per_operation("a"), full_at(0.0625), none_at(1), ""}};
  const auto efficiency = [&all](const std::vector<launch_counters>& launches) {
    measurements m;
    m.launches = launches;
    return *evaluate(all,
                     {.measured = m,
                      .model = work{.bytes_read = 8192, .bytes_written = 4096, .operations = 65536},
                      .arguments = {{"a", argument_role::input, 8192, 4}, {"c", argument_role::output, 4096, 4}}})[0]
                .value;
  };
  const auto step = [](access_counters from, access_counters to) {
    return launch({std::move(from), std::move(to)}, 64);
  };
  const auto work = step(access("read", own, "x", 4096, 16), access("write", c, "c", 1024, 4));
  const auto copy = step(access("read", a, "a", 2048, 4), access("write", own, "x", 2048, 4));
  CHECK(efficiency({copy, work}) == doctest::Approx(0.25));
  const auto first = step(access("read", a, "a", 2048, 4), access("write", y, "y", 2048, 4));
  const auto second = step(access("read", y, "y", 2048, 4), access("write", own, "x", 2048, 4));
  CHECK(efficiency({first, second, work}) == doctest::Approx(0.25));
  const auto turned = step(access("read", y, "y", 2048, 16), access("write", own, "x", 2048, 4));
  const auto good_work = step(access("read", own, "x", 4096, 4), access("write", c, "c", 1024, 4));
  CHECK(efficiency({first, turned, good_work}) == doctest::Approx(0.4));  // half of what full points take, at a quarter
}

TEST_CASE("a lane makes no more results than it has registers for, where each is made of many values") {
  const auto fraction = [](std::uint64_t warps, double operations_of_a_result) {
    constexpr double results = 16384;
    const std::vector<criterion> all{{metric::sector_efficiency("a"), full_at(1), none_at(0.125), ""}};
    measurements m;
    launch_counters l = launch({access("read", a, "a", 65536, 4), access("write", c, "c", results, 4)}, warps);
    l.block = {32, 1, 1};
    m.launches = {l};
    return evaluate(all, {.measured = m,
                          .model = work{.bytes_read = 8192,
                                        .bytes_written = 4 * results,
                                        .operations = operations_of_a_result * results,
                                        .asks = {{"a", 4 * 65536}}},
                          .arguments = {{"a", argument_role::input, 4 * 2048, 4},
                                        {"c", argument_role::output, 4 * results, 4}}})[0]
        .fraction;
  };
  CHECK(fraction(1, 1) == 1);
  CHECK(fraction(1, 128) < 0.2);
  CHECK(fraction(8, 128) == 1);  // 64 results a lane
}

TEST_CASE("idle lanes are few or many beside the requests that the model makes, of single elements where it says so") {
  const std::vector<criterion> all{{metric::active_lanes, full_at(31), none_at(8), ""}};
  const auto value = [&](double asked) {
    measurements m;  // 8,192 requests for bytes, each with one lane idle
    auto bytes = access("read", a, "a", 31 * 8192, 2);
    bytes.width = 1;
    bytes.requests = 8192;
    m.launches = {launch({bytes}, 512)};
    work model{.bytes_read = 16384, .operations = 16 * 16384};
    if (asked > 0) model.asks = {{"a", asked}};
    return *evaluate(all, {.measured = m, .model = model, .arguments = {{"a", argument_role::input, 16384, 1}}})[0]
                .value;
  };
  CHECK(value(0) < 12);  // 128 requests would bring each byte once, four bytes a lane
  CHECK(value(16 * 16384) == doctest::Approx(31).epsilon(0.01));
}

TEST_CASE("lanes that take turns at one address, or do what nobody needs, are no active ones") {
  measurements m;
  const auto load = access("read", a, "a", 2048, 4), store = access("write", c, "c", 1024, 4);
  auto together = access("atomic", tile, "best", 2048, 0, "shared");
  m.launches = {launch({load, store, together})};
  CHECK(only(quantity::active_lanes, "", m).fraction == 1);  // each lane has an address of its own
  m.launches[0].accesses[2].same_address_lanes = together.lanes;
  CHECK(only(quantity::active_lanes, "", m).fraction == 0);

  // The model's bytes are 160 requests.
  m.launches[0].accesses[2] = access("read", tile, "best", 32 * (3 * 160 - 96), 0, "shared");
  CHECK(only(quantity::active_lanes, "", m).fraction == 1);
  m.launches[0].accesses[2] = access("read", tile, "best", 32 * 1024, 0, "shared");
  CHECK(only(quantity::active_lanes, "", m).fraction < 0.1);
}

TEST_CASE("a pass at memory is one wherever the values come from") {
  measurements m;
  m.launches = {launch({access("read", a, "a", 1024, 4), access("write", c, "c", 1024, 4)})};
  m.launches[0].warp_value_primitives = 64;
  CHECK(only(quantity::operations_per_pass, "", m).fraction == 1);  // 32 + 32 + 64 passes
  m.launches[0].warp_value_primitives = 960;
  CHECK(only(quantity::operations_per_pass, "", m).fraction == 0);
  m.launches[0].warp_value_primitives = 0;
  m.launches[0].accesses.push_back(access("read", tile, "tile", 32 * 960, 0, "shared"));
  CHECK(only(quantity::operations_per_pass, "", m).fraction == 0);
  m.launches[0].accesses.back() = access("read", own, "copy", 32 * 960, 4);
  CHECK(only(quantity::operations_per_pass, "", m).fraction == 0);
  m.launches[0].accesses.back().space = "local";  // taken for registers
  CHECK(only(quantity::operations_per_pass, "", m).fraction == 1);
}

TEST_CASE("threads that do each other's work earn what one of them would") {
  measurements m;
  auto from = access("read", a, "a", 2048, 4), to = access("write", c, "c", 32 * 1024, 1);
  to.ideal_sectors = to.requests;  // all lanes of a request store one word
  m.launches = {launch({from, to})};
  CHECK(only(quantity::sector_efficiency, "c", m).fraction == 0);
  CHECK(only(quantity::active_lanes, "", m).fraction < 0.1);

  m.launches[0].accesses[1] = access("write", c, "c", 4 * 1024, 4);  // four lanes an element, no sector too many
  CHECK(only(quantity::sector_efficiency, "c", m).fraction < 0.6);
  m.launches[0].accesses.push_back(access("read", c, "c", 4 * 1024, 4));  // each product is added to what is there
  CHECK(only(quantity::sector_efficiency, "c", m).fraction == 1);
  m.launches[0].accesses[1] = access("write", c, "c", 2 * 1024, 4);
  m.launches[0].accesses.pop_back();  // cleared, then stored
  CHECK(only(quantity::sector_efficiency, "c", m).fraction == 1);

  const std::vector<criterion> all{{metric::sector_efficiency("a"), full_at(1), none_at(0.125), ""}};
  m.launches = {launch({access("read", a, "a", 8 * 2048, 4), access("write", c, "c", 1024, 4)})};
  work model{.bytes_read = 8192, .bytes_written = 4096, .operations = 2048};
  const auto of_input = [&] {
    return evaluate(all,
                    {.measured = m,
                     .model = model,
                     .arguments = {{"a", argument_role::input, 8192, 4}, {"c", argument_role::output, 4096, 4}}})[0]
        .fraction;
  };
  CHECK(of_input() < 0.1);
  model.operations = 8 * 2048;  // each reads an element
  CHECK(of_input() == 1);
  model.operations = 2048;
  model.asks = {{"a", 4 * 8192}};
  CHECK(of_input() == 1);
}

TEST_CASE("a result that is brought back from memory of the program's own is stored in the order of both") {
  const measurements m = on_copies(plain(2048, 4, 4));
  CHECK(only(quantity::sector_efficiency, "c", m).fraction == 1);
  measurements apart = m;
  apart.launches.back().accesses[0] = access("read", own_c, "a", 1024, 32);
  CHECK(only(quantity::sector_efficiency, "c", apart).fraction < 0.1);
  measurements again = m;
  again.launches.back().accesses[0] = access("read", own_c, "a", 1024, 32, "texture");
  CHECK(only(quantity::sector_efficiency, "c", again).fraction < 0.1);
}

TEST_CASE("a result of one value each that is brought back in requests for one word is asked for again and again") {
  const std::vector<criterion> all{{metric::sector_efficiency("c"), full_at(1), none_at(0.125), ""}};
  const auto fraction = [&](double asks_for_each, double operations_of_work) {
    measurements m;
    auto back = access("read", own_c, "own_c", asks_for_each * 1024, 1);
    back.ideal_sectors = back.sectors;
    m.launches = {launch({access("read", a, "a", 1024, 4), access("write", own_c, "own_c", 1024, 4)}),
                  launch({back, access("write", c, "c", 1024, 4)})};
    const work model{.bytes_read = 4096, .bytes_written = 4096, .operations = operations_of_work};
    return evaluate(all,
                    {.measured = m,
                     .model = model,
                     .arguments = {{"a", argument_role::input, 4096, 4}, {"c", argument_role::output, 4096, 4}}})[0]
        .fraction;
  };
  CHECK(fraction(1, 1024) == 1);
  CHECK(fraction(2, 1024) == 1);  // a factor that all lanes ask for
  CHECK(fraction(32, 1024) < 0.1);
  CHECK(fraction(32, 32 * 1024) == 1);  // each result is made of many
}

TEST_CASE("a shuffle that nobody needs is none: a warp's values take five") {
  measurements m;
  m.launches = {launch({access("read", a, "a", 2048, 4), access("write", c, "c", 32, 4)}, 16)};
  const auto of = [&](std::uint64_t shuffles, std::uint64_t votes = 0) {
    m.launches[0].warp_value_primitives = shuffles + votes;
    m.launches[0].warp_votes = votes;
    return only(quantity::shared_wavefronts_per_warp, "a", m);
  };
  CHECK(of(16 * 5).fraction == 1);
  CHECK(of(16 * 4).fraction == doctest::Approx(0.6));
  CHECK(of(16).fraction == 0);
  CHECK(of(16, 16 * 8).fraction == 0);
  CHECK(of(16).reason == "a block makes 1.0 shuffles, and a warp's values take five");
  m.launches[0].working_warps = 2;  // of one block: the others return at once
  CHECK(of(5).fraction == 1);
}

TEST_CASE("shuffles and votes are a use where values go through them") {
  // Each lane leaves a sum in memory of the program's own, which stands for the argument.
  measurements m;
  m.launches = {launch({access("read", a, "a", 2048, 4), access("write", own, "sums", 128, 4)}),
                launch({access("read", own, "sums", 128, 4), access("write", c, "c", 32, 4)}, 1)};
  for (launch_counters& l : m.launches) l.warp_value_primitives = 0;
  const auto fraction = [](const measurements& of) {
    return only(quantity::shared_wavefronts_per_warp, "a", of).fraction;
  };
  CHECK(fraction(m) == 0);
  m.launches[0].grid = {1, 1, 1};
  m.launches[0].warp_value_primitives = 5;
  const auto e = only(quantity::shared_wavefronts_per_warp, "a", m);
  CHECK(e.fraction < 0.4);
  CHECK(e.reason == "lanes hand on 80 % of their values through device memory");
  m.launches[0].warp_value_primitives = 5 * 32;
  CHECK(fraction(m) == 1);
  m.launches[0].grid = {16, 1, 1};
  m.launches[0].warp_value_primitives = 16 * 5;
  m.launches[0].accesses.push_back(access("write", tile, "tile", 1024, 0, "shared"));
  CHECK(fraction(m) == 1);
  // A kernel that only looks at the argument lends its shuffle to nobody.
  measurements looks;
  looks.launches = {launch({access("read", a, "a", 2048, 4), access("write", c, "c", 32, 4)}),
                    launch({access("read", a, "a", 32, 4), access("write", c, "c", 32, 4)})};
  looks.launches[0].warp_value_primitives = 0;
  looks.launches[1].warp_value_primitives = 5;
  CHECK(fraction(looks) == 0);
  looks.launches[0].warp_value_primitives = 5 * 32;
  looks.launches[1].grid = {1, 1, 1};
  CHECK(fraction(looks) == 1);
}

TEST_CASE("a thread for each element of a result, which looks at everything, is no sharing of work") {
  measurements m;
  m.launches = {launch({access("read", a, "a", 2048, 4), access("atomic", c, "c", 256, 4)})};
  m.launches[0].warp_value_primitives = 0;
  const auto fraction = [](const measurements& of) { return only(quantity::atomics_per_operation, "c", of).fraction; };
  CHECK(fraction(m) == 1);
  measurements again = m;
  again.launches[0].accesses[0] = access("read", a, "a", 48 * 2048, 4);
  CHECK(fraction(again) == doctest::Approx(0.25));
  CHECK(only(quantity::atomics_per_operation, "c", again).reason ==
        "lanes look 48 times at each element that c is made from");
  again = m;
  again.launches[0].accesses.push_back(access("read", tile, "tile", 47 * 2048, 0, "shared"));
  CHECK(fraction(again) == doctest::Approx(0.25));
  again = m;
  again.launches[0].warp_value_primitives = 47 * 2048 / 32;
  CHECK(fraction(again) == doctest::Approx(0.25));
  again = m;
  again.launches[0].warp_value_primitives = again.launches[0].warp_votes = 8 * 2048 / 32;  // of each bit of a byte
  CHECK(fraction(again) == 1);
}

TEST_CASE("lanes that take turns at one address wait like lanes that go together") {
  const std::vector<criterion> all{{metric::same_address_lanes("c"), full_at(1), none_at(32), ""}};
  const auto lanes_that_wait = [&all](double swaps) {
    measurements m;
    auto swap = access("atomic", c, "c", swaps, 1);
    swap.requests = swap.same_address_lanes = swap.lanes;
    m.launches = {launch({access("read", a, "a", 2048, 4), swap})};
    return evaluate(all, {.measured = m,
                          .model = {.bytes_read = 8192, .bytes_written = 4, .operations = 2048},
                          .arguments = {{"a", argument_role::input, 8192, 4}, {"c", argument_role::output, 4, 4}}})[0]
        .value.value_or(0);
  };
  CHECK(lanes_that_wait(64) == 1);        // 32 warps, whose one lane tries twice
  CHECK(lanes_that_wait(4 * 32) == 1);    // or four times
  CHECK(lanes_that_wait(32 * 32) > 8);    // every lane, one after the other
  CHECK(lanes_that_wait(32 * 128) > 32);  // again and again
}

TEST_CASE("fetches of a texture count by the sectors of their texels") {
  measurements m;
  m.launches = {launch({access("read", a, "a", 2048, 4), access("write", c, "c", 1024, 4)}),  // for nothing
                launch({access("read", a, "a", 2048, 32, "texture"), access("write", c, "c", 1024, 4)})};
  const std::vector<criterion> all{{metric::sector_efficiency("a"), full_at(1), none_at(0.125), ""},
                                   {metric::moved_bytes_per_operation(), full_at(4), none_at(64), ""}};
  const auto fractions = [&] {
    const auto e =
        evaluate(all, {.measured = m,
                       .model = {.bytes_read = 8192, .bytes_written = 4096, .operations = 2048},
                       .arguments = {{"a", argument_role::input, 8192, 4}, {"c", argument_role::output, 4096, 4}}});
    return std::pair{e[0].fraction, e[1].fraction};
  };
  CHECK(fractions().first < 0.1);
  m.launches.erase(m.launches.begin());
  const double strided = fractions().second;
  m.launches[0].accesses[0] = access("read", a, "a", 2048, 4, "texture");
  CHECK(fractions().second > strided + 0.4);
}

TEST_CASE("fetches from a copy in an array are fetches of the argument, and bring no result back") {
  const std::vector<criterion> all{{metric::texture_share("a"), full_at(1), none_at(0), ""},
                                   {metric::lane_loads_per_operation("a"), full_at(1), none_at(4), ""},
                                   {metric::sector_efficiency("c"), full_at(1), none_at(0.25), ""}};
  const auto fractions = [&](double fetches, double loads) {
    measurements m;
    m.copies = {{a, own, "a", "own", 4 * 1024, 128, 128}};
    m.launches = {launch({access("read", own, "own", fetches, 4, "texture"), access("write", c, "c", 4096, 4)})};
    if (loads > 0) m.launches.back().accesses.push_back(access("read", a, "a", loads, 4));
    const auto e = evaluate(
        all, {.measured = m,
              .model = work{.bytes_read = 4 * 1024, .bytes_written = 4 * 4096, .operations = 4096},
              .arguments = {{"a", argument_role::input, 4 * 1024, 4}, {"c", argument_role::output, 4 * 4096, 4}}});
    return std::array{e[0].fraction, e[1].fraction, e[2].fraction};
  };
  CHECK(fractions(4096, 0) == std::array{1.0, 1.0, 1.0});
  CHECK(fractions(4 * 4096, 0) == std::array{1.0, 0.0, 1.0});
  CHECK(fractions(4096, 4096)[0] == 0.5);
  CHECK(fractions(4096, 3 * 4096)[1] < 0.1);
}

}  // namespace whole_work_test
