#include "costs/managed_pages.h"

#include <doctest/doctest.h>

namespace simtlab::emulator::testing {
namespace {

constexpr std::uint64_t page = managed_pages::page_bytes;
constexpr address begin = 10 * page + 512;  // an allocation need not begin where a multiple of the page's size is

struct counted_pages {
  host_counters counts;
  managed_pages pages{counts};
  counted_pages() { pages.allocated(begin, 3 * page + 1); }
};

}  // namespace

TEST_CASE("the first touch moves nothing, whoever makes it") {
  counted_pages p;
  CHECK(p.pages.touched(page_place::host, begin, 2 * page) == 0);
  CHECK(p.pages.touched(page_place::device, begin + 2 * page, page) == 0);
  CHECK(p.counts.pages_to_device + p.counts.pages_to_host == 0);
}

TEST_CASE("a page moves when the other side touches a byte of it, and once") {
  counted_pages p;
  p.pages.touched(page_place::host, begin, 3 * page + 1);
  CHECK(p.pages.touched(page_place::device, begin + page - 1, 2) == 2);
  CHECK(p.pages.touched(page_place::device, begin, 2 * page) == 0);
  CHECK(p.pages.touched(page_place::device, begin + 3 * page, 1) == 1);
  CHECK(p.pages.touched(page_place::host, begin, 3 * page + 1) == 3);
  CHECK(p.counts.pages_to_device == 3);
  CHECK(p.counts.pages_to_host == 3);
  CHECK(p.counts.prefetched_pages == 0);
}

TEST_CASE("a prefetch moves what is on the other side, and no touch moves it again") {
  counted_pages p;
  p.pages.touched(page_place::host, begin, page);
  CHECK(p.pages.prefetched(page_place::device, begin, 3 * page + 1) == 1);
  CHECK(p.pages.touched(page_place::device, begin, 3 * page + 1) == 0);
  CHECK(p.counts.prefetched_pages == 1);
}

TEST_CASE("bytes behind an allocation, in a released one or in none are nobody's pages") {
  counted_pages p;
  CHECK(p.pages.page_of(begin + 3 * page) == begin + 3 * page);
  CHECK(p.pages.page_of(begin + 3 * page + 1) == 0);
  CHECK(p.pages.page_of(begin - 1) == 0);
  p.pages.touched(page_place::host, begin, 100 * page);
  p.pages.released(begin);
  CHECK_FALSE(p.pages.any());
  CHECK(p.pages.touched(page_place::device, begin, page) == 0);
}

}  // namespace simtlab::emulator::testing
