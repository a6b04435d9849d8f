#include "driver/host_options.h"

#include <algorithm>
#include <array>

namespace simtlab::emulator {
namespace {

using enum host_treatment;

constexpr std::string_view layout =
    "changes sizes or places of data in memory, and device code, which is compiled without it, would read other places";

constexpr std::string_view precision =
    "kernels and the host code beside them keep IEEE precision; it is for plain C++ files";
constexpr std::string_view processor =
    "kernels and the host code beside them are compiled for every x86-64; it is for plain C++ files";

struct row {
  std::string_view word;  ///< with a `*` at its end: whatever begins so
  host_option option;
};

/// The first row that fits counts.
constexpr std::array rows{
    row{"-Wl,*", {linking}},
    row{"-Wa,*", {plain}},
    row{"-Wp,*", {plain}},
    row{"-W*", {warning}},
    row{"-w", {warning}},
    row{"-D*", {preprocessing}},
    row{"-U*", {preprocessing}},
    row{"-I*", {preprocessing}},
    row{"-include", {preprocessing}},
    row{"-isystem", {preprocessing}},
    row{"-idirafter", {preprocessing}},
    row{"-iquote", {preprocessing}},
    row{"-std=*", {standard}},
    row{"-v", {verbose}},
    row{"-pthread", {linking}},
    row{"-rdynamic", {linking}},
    row{"-static-lib*", {linking}},
    row{"-s", {linking}},
    row{"-no-pie", {satisfied}},
    row{"-pie", {noted, "programs are linked at a fixed place"}},
    row{"-static", {refused, "links no shared library, and the emulator needs libdw's. Link without it"}},
    row{"-fopenmp", {everywhere}},
    row{"-funsigned-char", {everywhere}},
    row{"-fsigned-char", {everywhere}},
    row{"-fwrapv", {everywhere}},
    row{"-ftemplate-*", {everywhere}},
    row{"-fconstexpr-*", {everywhere}},
    row{"-Ofast", {plain_alone, precision}},
    row{"-ffast-math", {plain_alone, precision}},
    row{"-funsafe-math-optimizations", {plain_alone, precision}},
    row{"-fassociative-math", {plain_alone, precision}},
    row{"-freciprocal-math", {plain_alone, precision}},
    row{"-ffinite-math-only", {plain_alone, precision}},
    row{"-ffp-contract=off", {plain}},  // as kernels have it
    row{"-ffp-contract=*", {plain_alone, precision}},
    row{"-march=*", {plain_alone, processor}},
    row{"-mavx*", {plain_alone, processor}},
    row{"-mfma", {plain_alone, processor}},
    row{"-ffile-prefix-map=*", {everywhere}},
    row{"-fdebug-prefix-map=*", {everywhere}},
    row{"-fmacro-prefix-map=*", {everywhere}},
    row{"-fsanitize=*",
        {refused,
         "puts hooks of its own where the emulator has some. The emulator finds what AddressSanitizer and "
         "ThreadSanitizer find in kernels; leave the option out"}},
    row{"-m32", {refused, "asks for another size of pointers. The emulator has 64 bits alone"}},
    row{"-mx32", {refused, "asks for another size of pointers. The emulator has 64 bits alone"}},
    row{"-mlong-double-*", {refused, layout}},
    row{"-malign-double", {satisfied}},  // as on 64 bits anyway
    row{"-fshort-enums", {refused, layout}},
    row{"-fshort-wchar", {refused, layout}},
    row{"-fpack-struct*", {refused, layout}},
    row{"-fabi-version=*", {refused, layout}},
};

bool fits(const row& r, std::string_view word) {
  return r.word.ends_with('*') ? word.starts_with(r.word.substr(0, r.word.size() - 1)) : word == r.word;
}

}  // namespace

host_option host_option_of(std::string_view word) {
  const auto* const found = std::ranges::find_if(rows, [&](const row& r) { return fits(r, word); });
  return found == rows.end() ? host_option{plain} : found->option;
}

bool takes_next_word(std::string_view word) {
  constexpr std::array<std::string_view, 7> all{"-include", "-isystem", "-idirafter", "-iquote", "-D", "-U", "-I"};
  return std::ranges::find(all, word) != all.end();
}

}  // namespace simtlab::emulator
