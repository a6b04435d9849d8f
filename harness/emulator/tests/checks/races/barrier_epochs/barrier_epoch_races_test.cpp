#include "checks/races/barrier_epochs/barrier_epoch_races.h"

#include <doctest/doctest.h>

#include "test_device.h"

namespace simtlab::emulator::testing {
namespace {

using names = std::vector<std::string>;

request_builder by_warp(memory_space space, access kind, site where, unsigned warp, address begin, int stride = 4) {
  request_builder b(space, kind, where);
  b.warp(warp).lanes(
      [=](unsigned l) { return begin + static_cast<address>(static_cast<int>(warp * 32 + l) * stride); });
  b.values([=](unsigned l) { return 1000 * where + warp * 32 + l; });
  return b;
}

}  // namespace

TEST_SUITE("shared memory") {
  TEST_CASE("write, no barrier, read by another thread: a race with both threads and both lines") {
    single_block b(256);
    b.device.shared_array("tile", 64, 1024);
    for (unsigned w = 0; w < 8; ++w) b.run().request(by_warp(shared, access::write, 5, w, 64));
    for (unsigned w = 0; w < 8; ++w) b.run().request(by_warp(shared, access::read, 6, w, 64 + 255 * 4, -4));
    const auto found = b.findings();
    REQUIRE(found.size() == 1);
    CHECK(found[0].what == rule::shared_race);
    CHECK(found[0].variable == "tile");
    CHECK(found[0].kernel == "kernel");
    CHECK(found[0].first.where.line == 5);
    CHECK(found[0].first.thread.x == 255);
    CHECK(found[0].first.action == "writes tile[255]");
    CHECK(found[0].second.where.line == 6);
    CHECK(found[0].second.thread.x == 0);
    CHECK(found[0].second.action == "reads tile[255]");
    CHECK(found[0].count == 256);
    CHECK(found[0].message.find("__syncthreads()") != std::string::npos);
  }

  TEST_CASE("a barrier between the two makes it clean") {
    single_block b(256);
    b.device.shared_array("tile", 64, 1024);
    for (unsigned w = 0; w < 8; ++w) b.run().request(by_warp(shared, access::write, 5, w, 64));
    b.run().barrier();
    for (unsigned w = 0; w < 8; ++w) b.run().request(by_warp(shared, access::read, 6, w, 64 + 255 * 4, -4));
    CHECK(b.findings().empty());
  }

  TEST_CASE("the second barrier of a tile loop missing: the read of one phase races with the write of the next") {
    single_block b(64);
    b.device.shared_array("tile", 0, 256);
    for (int phase = 0; phase < 3; ++phase) {
      for (unsigned w = 0; w < 2; ++w) b.run().request(by_warp(shared, access::write, 5, w, 0));
      b.run().barrier();
      for (unsigned w = 0; w < 2; ++w) {
        for (unsigned k = 0; k < 64; ++k) {
          b.run().request(request_builder(shared, access::read, 8).warp(w).lanes([=](unsigned) { return 4 * k; }));
        }
      }
    }
    CHECK(identities(b.findings()) == names{"shared-race 5-8 tile"});
  }

  TEST_CASE("writers of one value are a warning, of different values an error, in any order") {
    for (const unsigned odd : {0U, 1U, 40U, 63U, 64U}) {
      CAPTURE(odd);
      single_block b(64);
      b.device.shared_array("flag", 0, 4);
      for (unsigned t = 0; t < 64; ++t) b.run().access_by(t, shared, access::write, 5, 0, t == odd ? 9 : 7);
      CHECK(identities(b.findings()) ==
            (odd == 64 ? names{"same-value-race 5-5 flag"} : names{"shared-race 5-5 flag"}));
    }
  }

  TEST_CASE("two lanes of one request that write one address race too, and their values decide how") {
    for (const bool same : {false, true}) {
      single_block b(32);
      b.device.shared_array("sum", 0, 4);
      b.run().request(
          request_builder(shared, access::write, 5).lanes([](unsigned) { return 0; }).values([=](unsigned l) {
            return same ? 1 : l;
          }));
      const auto found = b.findings();
      CHECK(identities(found) == (same ? names{"same-value-race 5-5 sum"} : names{"shared-race 5-5 sum"}));
      CHECK(found[0].first.thread.x == 0);
      CHECK(found[0].second.thread.x == 1);
    }
  }

  TEST_CASE("values that are not known count as different") {
    single_block b(32);
    b.device.shared_array("sum", 0, 4);
    b.run().request(request_builder(shared, access::write, 5).lanes([](unsigned) { return 0; }));
    CHECK(identities(b.findings()) == names{"shared-race 5-5 sum"});
  }

  TEST_CASE("several readers in one cell: the writer is found whichever reader it is") {
    for (const unsigned writer : {0U, 1U, 2U, 31U}) {
      single_block b(32);
      b.device.shared_array("g", 0, 4);
      b.run().access_by(0, shared, access::write, 1, 0);
      b.run().barrier();
      b.run().request(request_builder(shared, access::read, 5).lanes([](unsigned) { return 0; }));
      b.run().access_by(writer, shared, access::write, 6, 0);
      CHECK(identities(b.findings()) == names{"shared-race 5-6 g"});
    }
  }

  TEST_CASE("a thread may do with its own element what it likes") {
    single_block b(256);
    b.device.shared_array("own", 0, 1024);
    for (int i = 0; i < 3; ++i) {
      for (unsigned w = 0; w < 8; ++w) {
        b.run().request(by_warp(shared, access::write, 5, w, 0));
        b.run().request(by_warp(shared, access::read, 6, w, 0));
        b.run().request(by_warp(shared, access::atomic, 7, w, 0));
      }
    }
    CHECK(b.findings().empty());
  }

  TEST_CASE("64 threads that write neighbouring chars do not race, and each may change its own") {
    single_block b(64);
    b.device.shared_array("text", 3, 64);
    for (const access kind : {access::write, access::read, access::write}) {
      for (unsigned w = 0; w < 2; ++w) b.run().request(by_warp(shared, kind, 5, w, 3, 1).width(1));
    }
    CHECK(b.findings().empty());
  }

  TEST_CASE("chars that two threads share race, and a word races with the chars inside it") {
    single_block b(64);
    b.device.shared_array("text", 0, 64);
    b.run().access_by(0, shared, access::write, 5, 5, 'a', 1);
    b.run().access_by(1, shared, access::write, 6, 5, 'b', 1);
    b.run().access_by(2, shared, access::write, 7, 8, 'c', 1);
    b.run().access_by(40, shared, access::read, 8, 8, 0, 4);
    b.run().access_by(3, shared, access::write, 9, 16, 1, 8);
    b.run().access_by(4, shared, access::write, 10, 22, 2, 2);
    auto found = identities(b.findings());
    std::erase_if(found, [](const std::string& f) { return f.starts_with("uninit"); });
    CHECK(found == names{"shared-race 5-6 text", "shared-race 7-8 text", "shared-race 9-10 text"});
  }

  TEST_CASE("atomics do not race with one another, after a barrier the plain read is clean, without it a race") {
    for (const bool has_barrier : {true, false}) {
      single_block b(256);
      b.device.shared_array("bins", 0, 64);
      for (unsigned t = 0; t < 16; ++t) b.run().access_by(t, shared, access::write, 4, 4 * t);
      b.run().barrier();
      for (unsigned w = 0; w < 8; ++w) {
        b.run().request(
            request_builder(shared, access::atomic, 5).warp(w).lanes([](unsigned l) { return l * 7 % 16 * 4; }));
      }
      if (has_barrier) b.run().barrier();
      b.run().access_by(3, shared, access::read, 6, 0);
      CHECK(identities(b.findings()) == (has_barrier ? names{} : names{"shared-race 5-6 bins"}));
    }
  }

  TEST_CASE("barriers are counted without wrapping: write, n barriers, read") {
    for (const int n : {1, 1024, 70'000}) {
      single_block b(64);
      b.device.shared_array("x", 0, 4);
      b.run().access_by(0, shared, access::write, 5, 0);
      for (int i = 0; i < n; ++i) b.run().barrier();
      b.run().access_by(40, shared, access::read, 6, 0);
      CHECK(b.findings().empty());
    }
  }

  TEST_CASE("the next block starts afresh") {
    test_device d;
    d.shared_array("x", 0, 4);
    d.begin_launch({2, 1, 1}, {32, 1, 1});
    test_worker w(d);
    for (unsigned block = 0; block < 2; ++block) {
      w.begin_block(block);
      w.access_by(block, shared, access::write, 5, 0, block);
      w.end_block();
    }
    w.end_launch();
    CHECK(d.findings().empty());
  }
}

TEST_SUITE("warp synchronisation") {
  TEST_CASE("__syncwarp orders the lanes of its warp, in shared and in global memory") {
    for (const memory_space space : {shared, global}) {
      single_block b(64);
      b.device.shared_array("x", 0, 256);
      const address at = space == shared ? 0 : b.device.allocate("x", 256);
      for (int i = 0; i < 3; ++i) {
        b.run().request(by_warp(space, access::write, 5, 0, at));
        b.run().syncwarp();
        b.run().request(by_warp(space, access::read, 6, 0, at + 31 * 4, -4));
        b.run().syncwarp();
      }
      CHECK(b.findings().empty());
    }
  }

  TEST_CASE("without it the lanes of one warp race: they do not run in step") {
    single_block b(32);
    b.device.shared_array("x", 0, 256);
    b.run().request(by_warp(shared, access::write, 5, 0, 0));
    b.run().request(by_warp(shared, access::read, 6, 0, 31 * 4, -4));
    const auto found = b.findings();
    REQUIRE(identities(found) == names{"shared-race 5-6 x"});
    CHECK(found[0].message.find("__syncwarp()") != std::string::npos);
  }

  TEST_CASE("it does not order other warps, not even after the warp has read its own writes") {
    single_block b(64);
    b.device.shared_array("x", 0, 4);
    b.run().access_by(0, shared, access::write, 5, 0);
    b.run().syncwarp(0);
    b.run().access_by(1, shared, access::read, 6, 0);
    b.run().syncwarp(1);
    b.run().access_by(32, shared, access::read, 7, 0);
    CHECK(identities(b.findings()) == names{"shared-race 5-7 x"});
  }

  TEST_CASE("a partial mask orders its lanes only") {
    single_block b(32);
    b.device.shared_array("x", 0, 128);
    for (unsigned t = 0; t < 32; ++t) b.run().access_by(t, shared, access::write, 5, 4 * t, t);
    b.run().syncwarp(0, 0x0000ffff);
    b.run().access_by(3, shared, access::read, 6, 4 * 7);   // both in the mask
    b.run().access_by(20, shared, access::read, 7, 4 * 9);  // the reader is not
    b.run().access_by(4, shared, access::read, 8, 4 * 25);  // the writer is not
    CHECK(identities(b.findings()) == names{"shared-race 5-7 x", "shared-race 5-8 x"});
  }

  TEST_CASE("halves of a warp that synchronise by themselves each reuse their element") {
    single_block b(32);
    b.device.shared_array("x", 0, 8);
    for (int i = 0; i < 4; ++i) {
      for (const unsigned half : {0U, 1U}) {
        const lane_mask lanes = half == 0 ? 0x0000ffff : 0xffff0000;
        b.run().access_by(16 * half + static_cast<unsigned>(i), shared, access::write, 5, 4 * half,
                          static_cast<unsigned>(i));
        b.run().syncwarp(0, lanes);
        b.run().request(request_builder(shared, access::read, 6).lanes([=](unsigned) { return 4 * half; }).mask(lanes));
        b.run().syncwarp(0, lanes);
      }
    }
    CHECK(b.findings().empty());
  }

  TEST_CASE("a lane that looks at its own element first takes no order away from the others of its half") {
    for (const bool goes_on : {false, true}) {
      single_block b(32);
      b.device.shared_array("x", 0, 128);
      for (unsigned t = 0; t < 32; ++t) b.run().access_by(t, shared, access::write, 5, 4 * t, t);
      for (const lane_mask half : {lane_mask{0x0000ffff}, lane_mask{0xffff0000}}) b.run().syncwarp(0, half);
      for (unsigned t = 0; t < 32; ++t) b.run().access_by(t, shared, access::read, 6, 4 * t);
      if (goes_on) b.run().access_by(3, shared, access::read, 8, 4 * 20);  // the other half's
      for (unsigned t = 0; t < 16; ++t) b.run().access_by(t, shared, access::read, 7, 4 * (t ^ 1));
      if (goes_on) b.run().access_by(9, shared, access::write, 9, 4 * 10, 100);  // which 11 has read since
      CHECK(identities(b.findings()) == (goes_on ? names{"shared-race 5-8 x", "shared-race 7-9 x"} : names{}));
    }
  }

  TEST_CASE("order passes on from mask to mask") {
    single_block b(32);
    b.device.shared_array("x", 0, 4);
    b.run().access_by(0, shared, access::write, 5, 0);
    b.run().syncwarp(0, 0b0011);
    b.run().syncwarp(0, 0b0110);
    b.run().access_by(2, shared, access::read, 6, 0);  // 0 before 1 before 2
    CHECK(b.findings().empty());
  }

  TEST_CASE("lanes that have exited count as taking part") {
    single_block b(32);
    b.device.shared_array("x", 0, 4);
    b.run().access_by(31, shared, access::write, 5, 0);
    b.run().syncwarp(0, full_warp, 0x80000000);
    b.run().access_by(0, shared, access::read, 6, 0);
    CHECK(b.findings().empty());
  }
}

TEST_SUITE("global memory") {
  TEST_CASE("inside a block: o[t] = in[t]; o[t] += o[(t + 1) % n]") {
    single_block b(64);
    const address o = b.device.allocate("o", 256);
    for (unsigned w = 0; w < 2; ++w) b.run().request(by_warp(global, access::write, 5, w, o));
    for (unsigned w = 0; w < 2; ++w) {
      b.run().request(request_builder(global, access::read, 6).warp(w).lanes([=](unsigned l) {
        return o + 4 * ((w * 32 + l + 1) % 64);
      }));
    }
    const auto found = b.findings();
    CHECK(identities(found) == names{"global-race 5-6 o"});
    CHECK(found[0].count == 64);
  }

  TEST_CASE("o[t] = g[0]; if (t == w) g[0] = 7: found whichever lane writes") {
    for (const unsigned writer : {0U, 17U, 31U}) {
      single_block b(32);
      const address g = b.device.allocate("g", 4);
      b.run().request(request_builder(global, access::read, 5).lanes([=](unsigned) { return g; }));
      b.run().access_by(writer, global, access::write, 6, g, 7);
      CHECK(identities(b.findings()) == names{"global-race 5-6 g"});
    }
  }

  TEST_CASE("__syncthreads orders global memory inside the block") {
    single_block b(64);
    const address g = b.device.allocate("g", 256);
    for (unsigned w = 0; w < 2; ++w) b.run().request(by_warp(global, access::write, 5, w, g));
    b.run().barrier();
    for (unsigned w = 0; w < 2; ++w) b.run().request(by_warp(global, access::read, 6, w, g + 63 * 4, -4));
    CHECK(b.findings().empty());
  }
}

namespace {

/// Runs `block(worker, index)` for each block, dealt to `workers` in the order given.
std::vector<finding> run_blocks(test_device& d, const std::vector<unsigned>& order, unsigned workers,
                                const std::function<void(test_worker&, unsigned)>& block,
                                extents threads = {32, 1, 1}) {
  d.begin_launch({static_cast<unsigned>(order.size()), 1, 1}, threads);
  std::vector<std::unique_ptr<test_worker>> all;
  for (unsigned w = 0; w < workers; ++w) all.push_back(std::make_unique<test_worker>(d));
  for (unsigned i = 0; i < order.size(); ++i) {
    test_worker& w = *all[i % workers];
    w.begin_block(order[i]);
    block(w, order[i]);
    w.end_block();
  }
  for (auto& w : all) w->end_launch();
  return d.findings();
}

}  // namespace

TEST_SUITE("between blocks") {
  TEST_CASE("c[0] = c[0] + 1 by every block") {
    test_device d;
    const address c = d.allocate("c", 4);
    const auto found = run_blocks(d, {0, 1, 2, 3}, 2, [=](test_worker& w, unsigned block) {
      w.access_by(0, global, access::read, 5, c);
      w.access_by(0, global, access::write, 6, c, block);
    });
    CHECK(identities(found) == names{"global-race 5-6 c", "global-race 6-6 c"});
    CHECK_FALSE(found[0].first.has_thread);
    CHECK(found[0].message.find("two launches") != std::string::npos);
  }

  TEST_CASE("a histogram of atomics is clean; a plain read of it is not, whichever block reads") {
    for (const unsigned reader : {0U, 2U, 3U, 9U}) {
      test_device d;
      const address bins = d.allocate("bins", 64);
      const auto found = run_blocks(d, {0, 1, 2, 3}, 1, [=](test_worker& w, unsigned block) {
        w.request(request_builder(global, access::atomic, 5).lanes([=](unsigned l) { return bins + l % 16 * 4; }));
        if (block == reader) w.access_by(0, global, access::read, 6, bins);
      });
      CHECK(identities(found) == (reader == 9 ? names{} : names{"global-race 5-6 bins"}));
    }
  }

  TEST_CASE("blocks that write neighbouring chars do not race; their flags of one value are a warning") {
    test_device d;
    const address text = d.allocate("text", 64), done = d.allocate("done", 4);
    const auto found = run_blocks(d, {3, 1, 0, 2, 4, 5, 6, 7}, 2, [=](test_worker& w, unsigned block) {
      w.access_by(0, global, access::read, 5, text + block, 0, 1);
      w.access_by(0, global, access::write, 6, text + block, block, 1);
      w.access_by(0, global, access::write, 7, done, 1);
    });
    CHECK(identities(found) == names{"same-value-race 7-7 done"});
  }

  TEST_CASE("a value that nobody knows, ordered by __syncwarp and read, is compared with no later store") {
    single_block b(32);
    b.device.shared_array("x", 0, 128);
    b.run().request(request_builder(memory_space::shared, access::write, 1)
                        .lanes([](unsigned) { return std::optional<address>(0); })
                        .values([](unsigned lane) { return lane; }));
    b.run().syncwarp();
    b.run().access_by(0, memory_space::shared, access::read, 2, 0);
    b.run().access_by(0, memory_space::shared, access::write, 3, 0, 7);
    CHECK(identities(b.findings()) == std::vector<std::string>{"shared-race 1-1 x"});
  }

  TEST_CASE("launches are ordered") {
    test_device d;
    const address c = d.allocate("c", 4);
    for (unsigned launch = 0; launch < 3; ++launch) {
      const auto found = run_blocks(d, {0, 1}, 1, [=](test_worker& w, unsigned block) {
        if (block == launch % 2) w.access_by(0, global, access::write, 5, c, launch);
      });
      CHECK(found.empty());
    }
  }

  TEST_CASE("many readers of one element and a writer among them") {
    for (const unsigned writer : {0U, 1U, 5U, 11U}) {
      test_device d;
      const address g = d.allocate("g", 4);
      std::vector<unsigned> order(12);
      for (unsigned i = 0; i < 12; ++i) order[i] = (i * 5 + 3) % 12;
      const auto found = run_blocks(d, order, 2, [=](test_worker& w, unsigned block) {
        w.access_by(0, global, access::read, 5, g);
        if (block == writer) w.access_by(0, global, access::write, 6, g, 1);
      });
      CHECK(identities(found) == names{"global-race 5-6 g"});
    }
  }

  TEST_CASE("a block alone at two lines of its own is no race, even where two others have been") {
    test_device d;
    const address g = d.allocate("g", 4);
    const auto found = run_blocks(d, {0, 1, 2}, 1, [=](test_worker& w, unsigned block) {
      w.access_by(0, global, access::atomic, 5, g);
      if (block == 2) {
        w.access_by(0, global, access::read, 6, g);
        w.access_by(0, global, access::write, 7, g, 3);
      }
    });
    CHECK(identities(found) == names{"global-race 5-6 g", "global-race 5-7 g"});  // and not 6-7
  }
}

TEST_SUITE("first guesses of compare-and-swap") {
  // Threads 0 and 40 read `word` in line 5 and swap in line 6; `told` says what the lanes did.
  template <class Told>
  names found_after(Told told, access second = access::atomic) {
    single_block b(64);
    const address word = b.device.allocate("word", 4);
    b.run();
    told(b.device.shared.probes(), word);
    for (const unsigned thread : {0U, 40U}) {
      b.run().access_by(thread, global, access::read, 5, word);
      b.run().access_by(thread, global, second, 6, word, thread);
    }
    return identities(b.findings());
  }

  TEST_CASE("a guess that every swap compared is a note") {
    CHECK(found_after([](cas_probe_reads& g, address word) {
            pending_probe a, b;
            g.probe(a, {5, word, 4, 17});
            g.probe(b, {5, word, 4, 18});
            g.swap(a, word, 4, 17);
            g.swap(b, word, 4, 18);
            g.swap(b, word, 4, 99);  // a later round
          }) == names{"first-guess-race 5-6 word"});
  }

  TEST_CASE("one that a swap did not compare is a race, whoever comes later") {
    const auto refuted_by = [](address distance, std::uint32_t width, std::uint64_t compare) {
      return found_after([=](cas_probe_reads& g, address word) {
        pending_probe a, b;
        g.probe(a, {5, word, 4, 17});
        g.swap(a, word + distance, width, compare);
        g.probe(b, {5, word, 4, 17});
        g.swap(b, word, 4, 17);
      });
    };
    CHECK(refuted_by(0, 4, 17) == names{"first-guess-race 5-6 word"});
    CHECK(refuted_by(4, 4, 17) == names{"global-race 5-6 word"});
    CHECK(refuted_by(0, 8, 17) == names{"global-race 5-6 word"});
    CHECK(refuted_by(0, 4, 16) == names{"global-race 5-6 word"});
  }

  TEST_CASE("one that was read again before any swap, is of another site, or meets a plain write, is a race") {
    CHECK(found_after([](cas_probe_reads& g, address word) {
            pending_probe a;
            g.probe(a, {5, word, 4, 17});
            g.probe(a, {5, word, 4, 17});
            g.swap(a, word, 4, 17);
          }) == names{"global-race 5-6 word"});
    const auto of_site = [](site where) {
      return [where](cas_probe_reads& g, address word) {
        pending_probe a;
        g.probe(a, {where, word, 4, 17});
        g.swap(a, word, 4, 17);
      };
    };
    CHECK(found_after(of_site(7)) == names{"global-race 5-6 word"});
    const names written = found_after(of_site(5), access::write);
    CHECK(std::find(written.begin(), written.end(), "global-race 5-6 word") != written.end());
  }

  TEST_CASE("a guess of one launch that is none in the next is a race") {
    test_device d;
    const address word = d.allocate("word", 4);
    for (const std::uint64_t compare : {17U, 16U}) {
      d.begin_launch({1, 1, 1}, {64, 1, 1});
      test_worker w(d);
      w.begin_block(0);
      pending_probe a;
      d.shared.probes().probe(a, {5, word, 4, 17});
      d.shared.probes().swap(a, word, 4, compare);
      w.access_by(0, global, access::read, 5, word);
      w.access_by(40, global, access::atomic, 6, word);
      w.end_block();
      w.end_launch();
    }
    CHECK(identities(d.findings()) == names{"global-race 5-6 word"});
  }
}

}  // namespace simtlab::emulator::testing
