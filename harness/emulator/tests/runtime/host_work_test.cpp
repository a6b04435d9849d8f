#include "runtime/host_work.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <vector>

using namespace simtlab::emulator;

namespace {

address of(const void* p) { return reinterpret_cast<address>(p); }

/// A result of 40 numbers that a kernel stored, and the program's memory for it.
struct one_call {
  one_call() : on_device(40), staging(40), output(40, -1.0F) {
    std::iota(on_device.begin(), on_device.end(), 100.0F);
    work.hand_over_host(output.data(), output.size() * sizeof(float));
  }
  void bring_back(std::size_t first, std::size_t count) {
    std::memcpy(&staging[first], &on_device[first], count * sizeof(float));
    work.copied_to_host(&staging[first], of(&on_device[first]), count * sizeof(float), 1);
  }
  [[nodiscard]] std::uint64_t of_the_host() const {
    return work.stored_on_host(output.data(), output.size() * sizeof(float), {}).bytes;
  }
  initialised_bytes marks;
  host_work work{marks};
  std::vector<float> on_device, staging, output;
};

}  // namespace

TEST_CASE("results that come back in parts, to memory of the program's own, come from the device") {
  for (const std::vector<std::size_t>& parts : {std::vector<std::size_t>{40}, {20, 20}, {9, 10, 21}, {1, 38, 1}}) {
    one_call call;
    std::size_t first = 0;
    for (const std::size_t count : parts) {
      call.bring_back(first, count);
      first += count;
    }
    call.output = call.staging;
    CHECK(call.of_the_host() == 0);
  }
}

TEST_CASE("they may hold what the output held before") {
  one_call call;
  call.on_device[7] = call.on_device[22] = -1.0F;
  call.bring_back(0, 19);
  call.bring_back(19, 21);
  std::memcpy(call.output.data(), call.staging.data(), 40 * sizeof(float));
  CHECK(call.of_the_host() == 0);
}

TEST_CASE("what the host adds between the parts, or puts in their place, is the host's") {
  one_call call;
  call.bring_back(0, 10);
  call.bring_back(20, 20);
  std::memcpy(call.output.data(), call.on_device.data(), 40 * sizeof(float));  // 10 to 19 never came back
  CHECK(call.of_the_host() > 0);
  one_call other;
  other.bring_back(0, 20);
  other.bring_back(20, 20);
  std::memcpy(other.output.data(), other.staging.data(), 40 * sizeof(float));
  other.output[25] = 3.5F;
  CHECK(other.of_the_host() > 0);
}

TEST_CASE(
    "of memory that kernels share with the host, what changes while one runs comes from the device, all else from the "
    "host") {
  one_call call;
  call.work.begin_sharing(of(call.output.data()), 160, 1);
  call.work.kernel_begins();
  std::copy_n(call.on_device.begin(), 20, call.output.begin());  // the kernel stores
  call.work.kernel_ends();
  CHECK(call.of_the_host() == 0);
  call.output[30] = 3.5F;
  CHECK(call.of_the_host() > 0);
  call.work.kernel_begins();  // which takes nothing for its own that was there before
  call.work.kernel_ends();
  CHECK(call.of_the_host() > 0);
  const std::uint64_t before = call.of_the_host();
  call.work.end_sharing(of(call.output.data()));
  call.work.kernel_begins();
  call.output[31] = 4.5F;
  call.work.kernel_ends();
  CHECK(call.of_the_host() > before);
}

TEST_CASE("what host code stores to shared memory is of its making for a kernel that reads it there") {
  one_call call;
  std::vector<float> shared(40);
  call.work.begin_sharing(of(shared.data()), 160, 1);
  call.work.kernel_begins();
  CHECK_FALSE(call.work.has_marks());
  shared[5] = 7.5F;
  call.work.kernel_begins();
  CHECK(call.marks.all(of(&shared[5]), 4));
  CHECK_FALSE(call.marks.any(of(&shared[6]), 4));
}

namespace {

/// A call whose two inputs of 600 numbers and output are handed over; `made` is what host code puts on the device.
struct call_with_inputs {
  call_with_inputs() : a(600), b(600), output(600, -1.0F), made(600), device(1200) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      a[i] = 0.37F * static_cast<float>(i) + 0.01F;
      b[i] = 1.73F * static_cast<float>(i) + 0.02F;
      made[i] = a[i] + b[i];
    }
    for (std::vector<float>* v : {&a, &b, &output}) work.hand_over_host(v->data(), v->size() * sizeof(float));
  }
  /// Copies to the device and has a kernel read the first `read` numbers of it in pieces of `width` bytes.
  std::uint64_t of_the_host(const std::vector<float>& copied, std::size_t read, std::uint32_t width = 4) {
    std::memcpy(device.data(), copied.data(), copied.size() * sizeof(float));
    work.copied_to_device(of(device.data()), copied.data(), copied.size() * sizeof(float), 1);
    for (std::uint64_t at = 0; at < read * sizeof(float); at += width)
      if (host_made_reads* const reads = work.reads_of_kernels()) reads->read(of(device.data()) + at, width);
    output = made;
    work.copied_to_host(output.data(), of(made.data()), made.size() * sizeof(float), 2);
    return work.stored_on_host(output.data(), output.size() * sizeof(float), {}).bytes;
  }
  initialised_bytes marks;
  host_work work{marks};
  std::vector<float> a, b, output, made, device;
};

}  // namespace

TEST_CASE("a kernel that reads what host code computed has not computed it") {
  for (const std::uint32_t width : {1U, 2U, 4U, 8U, 16U}) {
    call_with_inputs call;
    CHECK(call.of_the_host(call.made, 600, width) == 2400);
  }
  call_with_inputs padded;  // every other word is 0, and unmarked since a kernel stored it
  std::vector<float> words(1200);
  for (std::size_t i = 0; i < 600; ++i) words[2 * i] = padded.made[i];
  for (std::size_t i = 0; i < 600; ++i) padded.marks.forget(of(&padded.device[2 * i + 1]), 4);
  CHECK(padded.of_the_host(words, 1200, 8) == 2400);
}

TEST_CASE("what came from the device may go there again, from the output or from memory of the program's own") {
  const auto brought_back = [](call_with_inputs& call, std::vector<float>& to) {
    call.work.copied_to_host(to.data(), of(call.made.data()), call.made.size() * sizeof(float), 1);
    to = call.made;
  };
  call_with_inputs own, other, altered;
  std::vector<float> staging(600);
  brought_back(own, staging);
  CHECK(own.of_the_host(staging, 600) == 0);
  std::memcpy(other.output.data(), other.made.data(), 2400);
  other.work.copied_to_host(other.output.data(), of(other.made.data()), 2400, 1);
  CHECK(other.of_the_host(other.output, 600) == 0);
  brought_back(altered, staging);
  staging[7] += 1;
  CHECK(altered.of_the_host(staging, 600) == 2400);
}

TEST_CASE("a table that host code makes may be read, as long as it is smaller than half of the output") {
  call_with_inputs call;
  CHECK(call.of_the_host(call.made, 250) == 0);
  CHECK(call_with_inputs().of_the_host(call.made, 0) == 0);
}

TEST_CASE("the same holds where arguments are handed over in device memory, whatever else the kernels read and store") {
  for (const std::size_t read : {0U, 250U, 300U, 600U}) {
    initialised_bytes marks;
    host_work work{marks};
    std::vector<float> output(600, 1.0F), table(600);
    const std::uint64_t bytes = output.size() * sizeof(float);
    for (std::size_t i = 0; i < table.size(); ++i) table[i] = 0.37F * static_cast<float>(i * i) + 0.01F;
    work.hand_over_device(of(output.data()), bytes);
    work.copied_to_device(of(table.data()), table.data(), bytes, 1);
    for (std::size_t i = 0; i < read; ++i) work.reads_of_kernels()->read(of(&table[i]), 4);
    CHECK(work.stored_on_device(of(output.data()), bytes).bytes == (read < 300 ? 0 : bytes));
  }
}

TEST_CASE("host code may put its inputs in another order, between zeros, too") {
  call_with_inputs call;
  std::vector<float> words;
  for (std::size_t i = 0; i < 600; i += 2) words.insert(words.end(), {call.b[i], call.a[i], 0.0F, call.a[i + 1]});
  CHECK(call.of_the_host(words, 1200, 16) == 0);
}

namespace {

/// A call with inputs whose numbers are in no order, as a lab's are.
struct call_with_noise : call_with_inputs {
  call_with_noise() {
    std::uint32_t state = 1;
    for (std::vector<float>* v : {&a, &b})
      for (float& x : *v) x = static_cast<float>((state = state * 1664525U + 1013904223U) >> 8) / 8388608.0F;
    work.forget_handed();
    for (std::vector<float>* v : {&a, &b, &output}) work.hand_over_host(v->data(), v->size() * sizeof(float));
    for (std::size_t i = 0; i < made.size(); ++i) made[i] = a[i] + b[i];
  }
  /// Copies `bytes` to the device in pieces, and has a kernel read them.
  std::uint64_t in_pieces(const void* from, std::uint64_t bytes, std::uint64_t piece) {
    device.resize(std::max<std::size_t>(device.size(), bytes / sizeof(float)));
    std::memcpy(device.data(), from, bytes);
    for (std::uint64_t at = 0; at < bytes; at += piece)
      work.copied_to_device(of(device.data()) + at, static_cast<const char*>(from) + at, std::min(piece, bytes - at),
                            1);
    for (std::uint64_t at = 0; at < bytes; at += 4)
      if (host_made_reads* const reads = work.reads_of_kernels()) reads->read(of(device.data()) + at, 4);
    host_made_reads* const reads = work.reads_of_kernels();
    return reads == nullptr ? 0 : reads->bytes();
  }
  [[nodiscard]] std::uint8_t byte(std::size_t i) const {
    std::uint8_t value = 0;
    std::memcpy(&value, reinterpret_cast<const char*>(made.data()) + i, 1);
    return value;
  }
};

}  // namespace

TEST_CASE("what host code brings together from short pieces is read as what it makes of them") {
  for (const std::uint64_t piece : {1U, 2U, 3U}) {
    call_with_noise call;
    CHECK(call.in_pieces(call.made.data(), 2400, piece) >= 2300);
  }
  for (const std::uint64_t piece : {1U, 4U, 8U, 60U, 64U, 2400U}) {
    call_with_noise call;
    CHECK(call.in_pieces(call.a.data(), 2400, piece) <= 8);
  }
  call_with_noise small;  // the last, short piece of an input
  CHECK(small.in_pieces(small.a.data(), 7, 4) == 0);
  CHECK_FALSE(small.work.has_marks());
}

TEST_CASE("words of four equal bytes tell a byte where they change") {
  call_with_noise call;
  std::vector<std::uint32_t> spread(2400);
  for (std::size_t i = 0; i < spread.size(); ++i) spread[i] = call.byte(i) * 0x01010101U;
  CHECK(call.in_pieces(spread.data(), 9600, 9600) >= 2300);
  call_with_noise bits;  // 0 or -1 for each bit
  std::vector<std::uint32_t> ones(8 * 2400);
  for (std::size_t i = 0; i < ones.size(); ++i) ones[i] = (call.byte(i / 8) >> i % 8 & 1) != 0 ? ~0U : 0U;
  CHECK(bits.in_pieces(ones.data(), 4 * ones.size(), 4 * ones.size()) >= 2400);
  call_with_noise fill;
  const std::vector<std::uint32_t> filled(2400, 0x7f7f7f7fU);
  CHECK(fill.in_pieces(filled.data(), 9600, 9600) == 1);
}

TEST_CASE("words of the inputs, chosen for one of their bytes, tell what was chosen") {
  call_with_noise call;
  std::vector<std::uint32_t> chosen;
  std::vector<std::uint32_t> with_byte(256);
  std::vector<std::uint32_t> words(600);
  for (const std::vector<float>* v : {&call.a, &call.b}) {
    std::memcpy(words.data(), v->data(), 2400);
    for (const std::uint32_t w : words) with_byte[w & 0xff] = w;
  }
  for (std::size_t i = 0; i < 2400; ++i) chosen.push_back(with_byte[call.byte(i)]);
  CHECK(call.in_pieces(chosen.data(), 9600, 9600) >= 1200);
  call_with_noise piecewise;
  CHECK(piecewise.in_pieces(chosen.data(), 9600, 4) >= 1200);
}

TEST_CASE("an order of the inputs that goes on by steps tells next to nothing") {
  const auto of_order = [](auto place, std::size_t words) {
    call_with_noise call;
    std::vector<float> ordered(words);
    for (std::size_t i = 0; i < words; ++i) {
      const auto at = static_cast<std::size_t>(place(i));
      ordered[i] = at < 600 ? call.a[at] : call.b[at - 600];
    }
    return call.in_pieces(ordered.data(), words * sizeof(float), 8);
  };
  CHECK(of_order([](auto i) { return i % 2 * 600 + i / 2; }, 1200) <= 16);                  // pairs
  CHECK(of_order([](auto i) { return i % 8 / 4 * 600 + i / 8 * 4 + i % 4; }, 1200) <= 64);  // by fours
  CHECK(of_order([](auto i) { return 599 - i; }, 600) <= 16);                               // backwards
  CHECK(of_order([](auto i) { return i % 20 * 30 + i / 20; }, 600) <= 160);                 // columns
  CHECK(of_order([](auto i) { return i * i % 1200; }, 600) >= 900);                         // no order at all
}

TEST_CASE("a list of indices tells no more than the few numbers that it follows from") {
  const auto of_list = [](auto word, std::size_t words, std::size_t step = 1) {
    call_with_inputs call;
    std::vector<float> list(1200);
    for (std::size_t i = 0; i < words; ++i) list[i] = std::bit_cast<float>(static_cast<std::uint32_t>(word(i)));
    std::memcpy(call.device.data(), list.data(), words * sizeof(float));
    call.work.copied_to_device(of(call.device.data()), list.data(), words * sizeof(float), 1);
    for (std::size_t i = 0; i < words; i += step)
      if (host_made_reads* const reads = call.work.reads_of_kernels()) reads->read(of(&call.device[i]), 4);
    return call.work.reads_of_kernels()->bytes();
  };
  CHECK(of_list([](auto i) { return i; }, 600) <= 96);
  CHECK(of_list([](auto i) { return 599 - i; }, 600) <= 96);
  CHECK(of_list([](auto i) { return i < 300 ? 2 * i : 2 * i - 599; }, 600) <= 112);
  CHECK(of_list([](auto i) { return 7 * i + 1000000; }, 600) <= 96);
  // Numbers that follow from no others, and some of which can be told from what follows from them.
  const auto own = [](std::size_t i) { return static_cast<std::uint32_t>(i * i * 2654435761U + 12345U * i) | 1U; };
  CHECK(of_list(own, 600) == 2400);
  const auto drawn_out = [&](std::size_t i) {
    return own(i / 4 * 2) + static_cast<std::uint32_t>(i % 4) * own(i / 4 * 2 + 1);
  };
  CHECK(of_list(drawn_out, 1200) >= 2400);
  CHECK(of_list([&](std::size_t i) { return drawn_out(i / 2 * 4 + 2 + i % 2); }, 600) == 2400);
}

TEST_CASE("what kernels are given by value is what they read of host code's making, unless it goes on by steps") {
  const auto stored = [](auto word, std::size_t words, std::size_t launches) {
    initialised_bytes marks;
    host_work work{marks};
    std::vector<float> output(2048);
    work.hand_over_device(of(output.data()), output.size() * sizeof(float));
    for (std::size_t launch = 0; launch < launches; ++launch) {
      std::vector<std::uint32_t> given(words);
      for (std::size_t i = 0; i < words; ++i) given[i] = static_cast<std::uint32_t>(word(launch, i));
      std::vector<char> bytes(words * 4);
      std::memcpy(bytes.data(), given.data(), bytes.size());
      work.passed_by_value(&work, bytes, 7);
    }
    return work.stored_on_device(of(output.data()), output.size() * sizeof(float)).bytes;
  };
  const auto own = [](std::size_t launch, std::size_t i) {
    return (launch * 4096 + i + 1) * (launch + i + 7) * 2654435761U;
  };
  CHECK(stored(own, 1000, 2) == 8192);
  CHECK(stored(own, 1000, 1) == 0);                                                     // less than half of the output
  CHECK(stored(own, 12, 300) == 8192);                                                  // few each, many in all
  CHECK(stored([](auto, auto i) { return i * i; }, 1000, 300) == 0);                    // the same again
  CHECK(stored([](auto launch, auto i) { return launch * 64 * i; }, 12, 300) == 0);     // rows, one after the other
  CHECK(stored([](auto launch, auto i) { return launch % 2 * 64 + i; }, 4, 100) == 0);  // this one and that in turn
}

TEST_CASE("what takes the place of what was read is read anew, and another call begins with nothing") {
  call_with_inputs call;
  const std::vector<float> half(call.made.begin(), call.made.begin() + 200),
      other(call.made.begin() + 200, call.made.begin() + 400);
  CHECK(call.of_the_host(half, 200) == 0);
  CHECK(call.of_the_host(other, 200) == 2400);
  call.work.restart();
  CHECK(call.of_the_host(half, 200) == 0);
}
