#include "runtime/host_work.h"

#include <algorithm>
#include <cstring>

namespace simtlab::emulator {
namespace {

bool contains(const char* begin, std::size_t size, const char* piece, std::uint64_t bytes) {
  return memmem(begin, size, piece, bytes) != nullptr;
}

const char* pointer(address a) { return reinterpret_cast<const char*>(a); }

using content = std::vector<char>;

/// How many of the copy's last bytes the piece begins with, less than all of the piece.
std::uint64_t overlap(const content& copy, const char* piece, std::uint64_t bytes) {
  for (std::uint64_t most = std::min<std::uint64_t>(copy.size(), bytes - 1); most > 0; --most)
    if (std::memcmp(copy.data() + copy.size() - most, piece, most) == 0) return most;
  return 0;
}

/// Whether the bytes are copies one behind the other, the last of them perhaps in part.
bool is_row_of(const std::vector<content>& copies, const char* at, std::uint64_t bytes) {
  while (true) {
    const content* longest = nullptr;
    for (const content& copy : copies) {
      if (std::memcmp(copy.data(), at, std::min<std::uint64_t>(copy.size(), bytes)) != 0) continue;
      if (copy.size() >= bytes) return true;
      if (!copy.empty() && (longest == nullptr || copy.size() > longest->size())) longest = &copy;
    }
    if (longest == nullptr) return false;
    at += longest->size();
    bytes -= longest->size();
  }
}

}  // namespace

void host_work::hand_over_device(address begin, std::uint64_t bytes) {
  wanted_ = handed_device_memory_ = true;
  if (!has_marks()) return;
  marks_.forget(begin, bytes);
  std::erase_if(marked_, [&](const address_range& m) { return m.begin >= begin && m.end <= begin + bytes; });
}

void host_work::hand_over_host(const void* begin, std::uint64_t bytes) {
  wanted_ = true;
  const auto* from = static_cast<const char*>(begin);
  handed_.push_back({from, {from, from + bytes}, 0, {from, from + bytes}});
}

void host_work::forget_handed() {
  made_.reset();
  handed_.clear();
  brought_back_.clear();
}

void host_work::restart() {
  read_ = {};
  made_.reset();
  marked_at_ = 0;
  short_pieces_ = 0;
  passed_.clear();
  passed_in_all_ = passed_beyond_ = 0;
  passed_at_ = 0;
  few_carried_.clear();
  carried_many_ = false;
}

void host_work::mark(address begin, std::uint64_t bytes, site caller) {
  if (!wanted_) return;
  if (marked_at_ == 0) marked_at_ = caller;
  if (marked_.empty() || marked_.back().end != begin)
    marked_.push_back({begin, begin + bytes});
  else
    marked_.back().end += bytes;
  marks_.mark(begin, bytes);
  if (made_) made_->forget(begin, bytes);
}

bool host_work::is_unmarked(address begin, std::uint64_t bytes) const {
  return stored_on_device(begin, bytes).bytes == 0;
}

bool host_work::is_given(const char* from, std::uint64_t bytes) {
  for (const handed_range& h : handed_) {
    const auto offset = static_cast<std::uint64_t>(from - h.begin);
    if (from < h.begin || offset >= h.before.size()) continue;
    if (bytes > h.before.size() - offset) return false;
    const auto is_as = [&](const content& c) { return std::memcmp(c.data() + offset, from, bytes) == 0; };
    return is_as(h.before) || is_as(h.arrived);
  }
  // A copy that the program has made of it. Rows come one after the other, so the next one is looked for behind the last.
  for (handed_range& h : handed_) {
    const char* const all = h.before.data();
    const auto* found = static_cast<const char*>(memmem(all + h.copied_to, h.before.size() - h.copied_to, from, bytes));
    if (found == nullptr) found = static_cast<const char*>(memmem(all, h.before.size(), from, bytes));
    if (found == nullptr) continue;
    h.copied_to = static_cast<std::size_t>(found - all) + bytes;
    return true;
  }
  return std::ranges::any_of(brought_back_,
                             [&](const content& c) { return contains(c.data(), c.size(), from, bytes); });
}

/// A short piece tells as much by where it goes as a long one by what it holds: among the bytes that were handed over there is any
/// that host code wants, and of words there are many. What it has brought together is asked where kernels read it.
bool host_work::is_no_choice(std::uint64_t bytes) {
  constexpr std::uint64_t short_piece = 64, few = 64;
  if (bytes >= short_piece) return true;
  short_pieces_ += bytes;
  return short_pieces_ <= few;
}

void host_work::copied_to_device(address to, const void* from, std::uint64_t bytes, site caller) {
  if (!wanted_) return;
  const auto* content = static_cast<const char*>(from);
  const bool zero = std::all_of(content, content + bytes, [](char c) { return c == 0; });
  if (!zero && !(is_given(content, bytes) && is_no_choice(bytes))) return mark(to, bytes, caller);
  if (has_marks()) marks_.forget(to, bytes);
}

void host_work::set(address to, int value, std::uint64_t bytes, site caller) {
  if ((value & 0xff) != 0) return mark(to, bytes, caller);
  if (has_marks()) marks_.forget(to, bytes);
}

void host_work::copied_on_device(address to, address from, std::uint64_t bytes) {
  if (!has_marks()) return;
  std::vector<bool> marked(bytes);  // the two may overlap
  for (std::uint64_t i = 0; i < bytes; ++i) marked[i] = marks_.all(from + i, 1);
  for (std::uint64_t i = 0; i < bytes; ++i) {
    if (marked[i])
      mark(to + i, 1, marked_at_);
    else
      marks_.forget(to + i, 1);
  }
}

host_made_reads* host_work::reads_of_kernels() {
  if (!wanted_ || !has_marks()) return nullptr;
  if (made_) return made_.get();
  std::vector<std::uint32_t> words;
  for (const handed_range& h : handed_) {
    const std::size_t first = words.size(), count = h.before.size() / sizeof(std::uint32_t);
    words.resize(first + count);
    if (count > 0) std::memcpy(&words[first], h.before.data(), count * sizeof(std::uint32_t));
  }
  made_ = std::make_unique<host_made_reads>(marks_, words);
  return made_.get();
}

void host_work::carried_by_kernel(const std::vector<address_range>& stored) {
  constexpr std::uint64_t few = 64;  // as many bytes as may come back to the host
  few_carried_.insert(few_carried_.end(), stored.begin(), stored.end());
  std::uint64_t bytes = 0;
  for (const address_range& r : few_carried_) bytes += r.end - r.begin;
  if (bytes <= few && !carried_many_) return;
  carried_many_ = true;
  for (const address_range& r : few_carried_) mark(r.begin, r.end - r.begin, marked_at_);
  few_carried_.clear();
}

void host_work::copied_to_host(void* to, address from, std::uint64_t bytes, site caller) {
  if (read_.bytes == 0) read_.where = caller;
  read_.bytes += bytes;
  const auto* at = static_cast<const char*>(to);
  for (handed_range& h : handed_) {
    const auto offset = static_cast<std::uint64_t>(at - h.begin);
    if (at < h.begin || offset >= h.before.size()) continue;
    for (std::uint64_t i = 0; i < bytes && offset + i < h.before.size(); ++i)
      if (!has_marks() || !marks_.all(from + i, 1)) h.arrived[offset + i] = at[i];
    return;
  }
  if (!handed_.empty()) remember(from, bytes);
}

void host_work::remember(address from, std::uint64_t bytes) {
  if (!handed_.empty() && is_unmarked(from, bytes)) brought_back_.emplace_back(pointer(from), pointer(from) + bytes);
}

void host_work::accessed_managed(address at, std::uint64_t bytes, bool is_write, site caller) {
  if (is_write) return copied_to_device(at, pointer(at), bytes, caller);
  if (read_.bytes == 0) read_.where = caller;
  read_.bytes += bytes;
}

void host_work::begin_sharing(address begin, std::uint64_t bytes, site caller) {
  if (!wanted_) return;
  shared_.push_back({begin, {pointer(begin), pointer(begin) + bytes}, caller});
  copied_to_device(begin, pointer(begin), bytes, caller);
}

void host_work::end_sharing(address begin) {
  std::erase_if(shared_, [begin](const shared_range& s) { return s.begin == begin; });
}

template <class Visit>
void host_work::look_at_shared(Visit visit) {
  for (shared_range& s : shared_) {
    const char* const now = pointer(s.begin);
    const std::size_t size = s.before.size();
    constexpr std::size_t word = 4;  // a value of which one byte has changed has changed
    const auto differs = [&](std::size_t at) {
      return at < size && std::memcmp(now + at, &s.before[at], std::min(word, size - at)) != 0;
    };
    for (std::size_t at = 0; at < size; at += word) {
      const std::size_t first = at;
      while (differs(at)) at += word;
      if (at > first) visit(s.begin + first, std::min(at, size) - first, s.caller);
    }
    s.before.assign(now, now + size);
  }
}

void host_work::kernel_begins() {
  look_at_shared(
      [this](address at, std::uint64_t bytes, site caller) { copied_to_device(at, pointer(at), bytes, caller); });
}

void host_work::kernel_ends() {
  look_at_shared([this](address at, std::uint64_t bytes, site caller) {
    copied_to_host(reinterpret_cast<void*>(at), at, bytes, caller);
  });
}

void host_work::passed_by_value(const void* kernel, const std::vector<char>& values, site caller) {
  constexpr std::uint64_t few = 64;  // of one launch: sizes, an offset
  if (!wanted_) return;
  std::vector<passed_word>& words = passed_[kernel];
  words.resize((values.size() + 3) / 4);
  std::uint64_t told = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::uint32_t value = 0;
    std::memcpy(&value, &values[4 * i], std::min<std::size_t>(4, values.size() - 4 * i));
    const std::uint32_t step = value - words[i].value;
    if (step != 0 && step != words[i].step) told += 4;
    words[i] = {value, step};
  }
  passed_in_all_ += told;
  if (told <= few) return;
  passed_beyond_ += told - few;
  if (passed_at_ == 0) passed_at_ = caller;
}

std::uint64_t host_work::told_by_parameters() const {
  constexpr std::uint64_t few_of_all = 4096;  // of many launches
  return std::max(passed_beyond_, passed_in_all_ - std::min(few_of_all, passed_in_all_));
}

bool host_work::kernels_read_as_much_as(std::uint64_t bytes) const {
  constexpr std::uint64_t small_table = 1024;
  return (made_ ? made_->bytes() : 0) + told_by_parameters() >= std::max(small_table, bytes / 2);
}

host_work::share host_work::stored_on_device(address begin, std::uint64_t bytes) const {
  if (handed_device_memory_ && kernels_read_as_much_as(bytes)) return {bytes, made_at()};
  if (!has_marks()) return {};
  share found;
  for (std::uint64_t i = 0; i < bytes; ++i) found.bytes += marks_.all(begin + i, 1) ? 1 : 0;
  if (found.bytes > 0) found.where = marked_at_;
  return found;
}

bool host_work::came_from_device(const char* piece, std::uint64_t bytes,
                                 const std::vector<address_range>& on_device) const {
  const auto has_piece = [&](const std::vector<char>& b) { return contains(b.data(), b.size(), piece, bytes); };
  const auto is_on_device = [&](const address_range& r) {
    const std::uint64_t size = r.end - r.begin;
    return is_unmarked(r.begin, size) && contains(pointer(r.begin), size, piece, bytes);
  };
  // Halves that two streams brought back are one result.
  const auto is_continued = [&](const std::vector<char>& b) {
    const std::uint64_t first = overlap(b, piece, bytes);
    return first > 0 && is_row_of(brought_back_, piece + first, bytes - first);
  };
  return std::ranges::any_of(brought_back_, has_piece) || std::ranges::any_of(on_device, is_on_device) ||
         std::ranges::any_of(brought_back_, is_continued);
}

host_work::share host_work::stored_on_host(const void* begin, std::uint64_t bytes,
                                           const std::vector<address_range>& on_device) const {
  const auto* from = static_cast<const char*>(begin);
  const auto handed = std::ranges::find(handed_, from, &handed_range::begin);
  if (handed == handed_.end()) return {};
  bytes = std::min<std::uint64_t>(bytes, handed->before.size());
  if (kernels_read_as_much_as(bytes)) return {bytes, made_at()};
  const auto is_own = [&](std::uint64_t i) { return from[i] != handed->before[i] && from[i] != handed->arrived[i]; };
  share found;
  for (std::uint64_t i = 0; i < bytes;) {
    if (!is_own(i)) {
      ++i;
      continue;
    }
    std::uint64_t end = i;
    while (end < bytes && is_own(end)) ++end;
    if (!came_from_device(from + i, end - i, on_device)) found.bytes += end - i;
    i = end;
  }
  if (found.bytes > 0) found.where = marked_at_;
  return found;
}

}  // namespace simtlab::emulator
