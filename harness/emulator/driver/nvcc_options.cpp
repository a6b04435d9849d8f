#include "driver/nvcc_options.h"

#include <algorithm>
#include <array>

namespace simtlab::emulator {
namespace {

using enum nvcc_treatment;

constexpr std::string_view no_gpu_code = "makes code for a GPU, and the emulator has none. Use nvcc for it";
constexpr std::string_view no_ptx = "no PTX is made that a tool of its own would read";
constexpr std::string_view no_gpu_optimiser =
    "device code has one level of optimisation, for which counters are defined";
constexpr std::string_view full_precision = "arithmetic keeps IEEE precision; a GPU's last digits may differ";
constexpr std::string_view gpp_alone = "g++ compiles everything: counters are defined for it alone";
constexpr std::string_view own_diagnostics = "it is about nvcc's own diagnostics";
constexpr std::string_view of_windows = "it is for Windows";

constexpr std::array options{
    // What to make
    nvcc_option{"-c", "--compile", false, served, ""},
    nvcc_option{"-dc", "--device-c", false, served, ""},
    nvcc_option{"-dw", "--device-w", false, served, ""},
    nvcc_option{"-dlink", "--device-link", false, served, ""},
    nvcc_option{"-link", "--link", false, satisfied, ""},
    nvcc_option{"-lib", "--lib", false, served, ""},
    nvcc_option{"-shared", "--shared", false, served, ""},
    nvcc_option{"-run", "--run", false, served, ""},
    nvcc_option{"-E", "--preprocess", false, served, ""},
    nvcc_option{"-M", "--generate-dependencies", false, served, ""},
    nvcc_option{"-MM", "--generate-nonsystem-dependencies", false, served, ""},
    nvcc_option{"-cuda", "--cuda", false, refused,
                "makes nvcc's own intermediate text. simtcc --keep DIR shows simtcc's"},
    nvcc_option{"-ptx", "--ptx", false, refused, "makes PTX, and the emulator has none. Use nvcc for it"},
    nvcc_option{"-cubin", "--cubin", false, refused, no_gpu_code},
    nvcc_option{"-fatbin", "--fatbin", false, refused, no_gpu_code},
    nvcc_option{"-optix-ir", "--optix-ir", false, refused, no_gpu_code},
    nvcc_option{"-ltoir", "--ltoir", false, refused, no_gpu_code},
    nvcc_option{"-r", "--relocatable-link", false, refused,
                "links GPU code of several files into one. ld -r joins objects"},
    nvcc_option{"-dryrun", "--dryrun", false, refused,
                "lists commands without running them. simtcc -v lists them while they run"},
    nvcc_option{"-clean", "--clean-targets", false, refused, "removes files. Remove them with rm"},
    nvcc_option{"-code-ls", "--list-gpu-code", false, refused,
                "lists GPUs. simtcc --help lists those that --gpu knows"},
    nvcc_option{"-arch-ls", "--list-gpu-arch", false, refused,
                "lists GPUs. simtcc --help lists those that --gpu knows"},
    // Files
    nvcc_option{"-o", "--output-file", true, served, ""},
    nvcc_option{"-odir", "--output-directory", true, served, ""},
    nvcc_option{"-I", "--include-path", true, served, ""},
    nvcc_option{"-isystem", "--system-include", true, served, ""},
    nvcc_option{"-include", "--pre-include", true, served, ""},
    nvcc_option{"-D", "--define-macro", true, served, ""},
    nvcc_option{"-U", "--undefine-macro", true, served, ""},
    nvcc_option{"-L", "--library-path", true, served, ""},
    nvcc_option{"-l", "--library", true, served, ""},
    nvcc_option{"-x", "--x", true, served, ""},
    nvcc_option{"-optf", "--options-file", true, served, ""},
    nvcc_option{"-keep", "--save-temps", false, served, ""},
    nvcc_option{"-save-temps", "", false, served, ""},
    nvcc_option{"-keep-dir", "--keep-dir", true, served, ""},
    nvcc_option{"-objtemp", "--objdir-as-tempdir", false, satisfied, ""},
    nvcc_option{"-MD", "--generate-dependencies-with-compile", false, served, ""},
    nvcc_option{"-MMD", "--generate-nonsystem-dependencies-with-compile", false, served, ""},
    nvcc_option{"-MF", "--dependency-output", true, served, ""},
    nvcc_option{"-MT", "--dependency-target-name", true, served, ""},
    nvcc_option{"-MQ", "", true, served, ""},
    nvcc_option{"-MP", "--generate-dependency-targets", false, served, ""},
    // Host code, linker
    nvcc_option{"-std", "--std", true, served, ""},
    nvcc_option{"-O", "--optimize", true, served, ""},
    nvcc_option{"-g", "--debug", false, satisfied, ""},
    nvcc_option{"-Xcompiler", "--compiler-options", true, served, ""},
    nvcc_option{"-Xlinker", "--linker-options", true, served, ""},
    nvcc_option{"-forward-unknown-to-host-compiler", "--forward-unknown-to-host-compiler", false, served, ""},
    nvcc_option{"-forward-unknown-to-host-linker", "--forward-unknown-to-host-linker", false, served, ""},
    nvcc_option{"-forward-unknown-opts", "--forward-unknown-opts", false, served, ""},
    nvcc_option{"-w", "--disable-warnings", false, served, ""},
    nvcc_option{"-run-args", "--run-args", true, served, ""},
    nvcc_option{"-m", "--machine", true, refused, "asks for another size of pointers. The emulator has 64 bits alone",
                "64"},
    nvcc_option{"-m64", "--m64", false, satisfied, ""},
    nvcc_option{"-m32", "--m32", false, refused, "asks for another size of pointers. The emulator has 64 bits alone"},
    nvcc_option{"-ccbin", "--compiler-bindir", true, noted, gpp_alone},
    nvcc_option{"-allow-unsupported-compiler", "--allow-unsupported-compiler", false, satisfied, ""},
    nvcc_option{"-arbin", "--archiver-binary", true, noted, "the ar on PATH makes archives"},
    nvcc_option{"-Xarchive", "--archive-options", true, noted, "archives are made in one way"},
    nvcc_option{"-noeh", "--no-exceptions", false, noted, "host code may throw"},
    nvcc_option{"-pg", "", false, noted, "gprof knows nothing of kernels; simtcc --profile counts them"},
    nvcc_option{"-ftemplate-depth", "--ftemplate-depth", true, served, ""},
    nvcc_option{"-ftemplate-backtrace-limit", "--ftemplate-backtrace-limit", true, served, ""},
    nvcc_option{"-noprof", "--dont-use-profile", false, satisfied, ""},
    nvcc_option{"-no-align-double", "--no-align-double", false, refused, "changes the layout of structures"},
    nvcc_option{"-hls", "--host-linker-script", true, noted, "there is no GPU code that needs a linker script"},
    nvcc_option{"-aug-hls", "--augment-host-linker-script", false, noted,
                "there is no GPU code that needs a linker script"},
    // Device code
    nvcc_option{"-arch", "--gpu-architecture", true, served, ""},
    nvcc_option{"-gencode", "--generate-code", true, served, ""},
    nvcc_option{"-code", "--gpu-code", true, satisfied, ""},
    nvcc_option{"-rdc", "--relocatable-device-code", true, served, ""},
    nvcc_option{"-expt-relaxed-constexpr", "--expt-relaxed-constexpr", false, served, ""},
    nvcc_option{"-extended-lambda", "--extended-lambda", false, served, ""},
    nvcc_option{"-expt-extended-lambda", "--expt-extended-lambda", false, served, ""},
    nvcc_option{"-lineinfo", "--generate-line-info", false, satisfied, ""},
    nvcc_option{
        "-default-stream", "--default-stream", true, refused,
        "changes which work waits for which, and the emulator has the legacy default stream alone. Give the work "
        "streams of cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking)",
        "legacy,null"},
    nvcc_option{"-ewp", "--extensible-whole-program", false, noted, "device code of all files is linked with the rest"},
    nvcc_option{"-use_fast_math", "--use_fast_math", false, noted, full_precision},
    nvcc_option{"-ftz", "--ftz", true, noted, full_precision, "false"},
    nvcc_option{"-prec-div", "--prec-div", true, noted, full_precision, "true"},
    nvcc_option{"-prec-sqrt", "--prec-sqrt", true, noted, full_precision, "true"},
    nvcc_option{"-fmad", "--fmad", true, served, ""},
    nvcc_option{"-G", "--device-debug", false, noted, "simtcc --for-gdb builds for stepping through a kernel"},
    nvcc_option{"-Xptxas", "--ptxas-options", true, noted, no_ptx},
    nvcc_option{"-Xcicc", "", true, noted, no_ptx},
    nvcc_option{"-Xcudafe", "", true, noted, own_diagnostics},
    nvcc_option{"-Xnvlink", "--nvlink-options", true, noted, no_ptx},
    nvcc_option{"-maxrregcount", "--maxrregcount", true, noted, "a kernel's registers are not the emulator's to give"},
    nvcc_option{"-res-usage", "--resource-usage", false, noted, "registers are a GPU compiler's to count"},
    nvcc_option{"-opt-info", "--optimization-info", true, noted, no_gpu_optimiser},
    nvcc_option{"-Ofc", "--Ofast-compile", true, noted, no_gpu_optimiser},
    nvcc_option{"-dopt", "--dopt", true, noted, no_gpu_optimiser},
    nvcc_option{"-dlto", "--dlink-time-opt", false, noted, no_gpu_optimiser},
    nvcc_option{"-lto", "--lto", false, noted, no_gpu_optimiser},
    nvcc_option{"-gen-opt-lto", "--gen-opt-lto", false, noted, no_gpu_optimiser},
    nvcc_option{"-extra-device-vectorization", "--extra-device-vectorization", false, noted, no_gpu_optimiser},
    nvcc_option{"-restrict", "--restrict", false, noted, no_gpu_optimiser},
    nvcc_option{"-keep-device-functions", "--keep-device-functions", false, satisfied, ""},
    nvcc_option{"-src-in-ptx", "--source-in-ptx", false, noted, no_ptx},
    nvcc_option{"-e", "--entries", true, noted, "all kernels are compiled"},
    nvcc_option{"-jtd", "--jump-table-density", true, noted, no_gpu_optimiser},
    nvcc_option{"-reloc-ptx", "--relocatable-ptx", false, noted, no_ptx},
    nvcc_option{"-device-stack-protector", "--device-stack-protector", true, noted,
                "the emulator checks every access to an array", "false"},
    nvcc_option{"-sanitize", "--sanitize", true, noted, "the emulator checks every access in any case"},
    nvcc_option{"-no-device-link", "--no-device-link", false, satisfied, ""},
    nvcc_option{"-nodlink", "", false, satisfied, ""},
    nvcc_option{"-static-global-template-stub", "--static-global-template-stub", true, satisfied, ""},
    nvcc_option{"-device-entity-has-hidden-visibility", "--device-entity-has-hidden-visibility", true, satisfied, ""},
    nvcc_option{"-nohdinitlist", "--no-host-device-initializer-list", false, noted,
                "initializer lists may be used anywhere"},
    nvcc_option{"-nohdmoveforward", "--no-host-device-move-forward", false, noted, "std::move may be used anywhere"},
    nvcc_option{"-cudart", "--cudart", true, satisfied, ""},
    nvcc_option{"-cudadevrt", "--cudadevrt", true, satisfied, ""},
    nvcc_option{"-ldir", "--libdevice-directory", true, satisfied, ""},
    nvcc_option{"-target-dir", "--target-directory", true, satisfied, ""},
    nvcc_option{"-no-compress", "--no-compress", false, satisfied, ""},
    nvcc_option{"-compress-mode", "--compress-mode", true, satisfied, ""},
    nvcc_option{"-frandom-seed", "--frandom-seed", true, satisfied, ""},
    nvcc_option{"-fdevice-syntax-only", "--fdevice-syntax-only", false, noted, "device code is compiled in any case"},
    nvcc_option{"-fdevice-time-trace", "--fdevice-time-trace", true, noted, "no passes of nvcc's run"},
    nvcc_option{"-qpp-config", "--qpp-config", true, noted, gpp_alone},
    nvcc_option{"-astoolspatch", "--compile-as-tools-patch", false, refused, no_gpu_code},
    // nvcc itself
    nvcc_option{"-v", "--verbose", false, served, ""},
    nvcc_option{"-V", "--version", false, served, ""},
    nvcc_option{"-h", "--help", false, served, ""},
    nvcc_option{"-t", "--threads", true, noted, "each file is compiled once"},
    nvcc_option{"-split-compile", "--split-compile", true, noted, "each file is compiled once"},
    nvcc_option{"-split-compile-extended", "--split-compile-extended", true, noted, "each file is compiled once"},
    nvcc_option{"-jobserver", "--jobserver", false, noted, "each file is compiled once"},
    nvcc_option{"-time", "--time", true, noted, "no passes of nvcc's run; simtcc -v shows processor time"},
    nvcc_option{"-err-no", "--display-error-number", false, noted, own_diagnostics},
    nvcc_option{"-no-err-no", "--no-display-error-number", false, noted, own_diagnostics},
    nvcc_option{"-diag-error", "--diag-error", true, noted, own_diagnostics},
    nvcc_option{"-diag-suppress", "--diag-suppress", true, noted, own_diagnostics},
    nvcc_option{"-diag-warn", "--diag-warn", true, noted, own_diagnostics},
    nvcc_option{"-brief-diag", "--brief-diagnostics", true, noted, own_diagnostics},
    nvcc_option{"-Wno-deprecated-gpu-targets", "--Wno-deprecated-gpu-targets", false, satisfied, ""},
    nvcc_option{"-Wdefault-stream-launch", "--Wdefault-stream-launch", false, noted, own_diagnostics},
    nvcc_option{"-Wext-lambda-captures-this", "--Wext-lambda-captures-this", false, noted, own_diagnostics},
    nvcc_option{"-Wmissing-launch-bounds", "--Wmissing-launch-bounds", false, noted, own_diagnostics},
    nvcc_option{"-use-local-env", "--use-local-env", false, noted, of_windows},
    nvcc_option{"-force-cl-env-setup", "--force-cl-env-setup", false, noted, of_windows},
    nvcc_option{"-idp", "--input-drive-prefix", true, noted, of_windows},
    nvcc_option{"-ddp", "--dependency-drive-prefix", true, noted, of_windows},
    nvcc_option{"-dp", "--drive-prefix", true, noted, of_windows},
};

}  // namespace

std::span<const nvcc_option> nvcc_options() { return options; }

const nvcc_option* find_nvcc_option(std::string_view name) {
  const auto* const found =
      std::ranges::find_if(options, [&](const nvcc_option& o) { return o.name == name || o.long_name == name; });
  return found == options.end() || name.empty() ? nullptr : found;
}

bool is_satisfied(const nvcc_option& option, std::string_view value) {
  if (option.treatment == nvcc_treatment::satisfied) return true;
  if (value.empty()) return false;
  std::string_view rest = option.quiet;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    if (rest.substr(0, end) == value) return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

}  // namespace simtlab::emulator
