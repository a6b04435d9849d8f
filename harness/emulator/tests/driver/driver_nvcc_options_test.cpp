#include <doctest/doctest.h>

#include <set>
#include <sstream>
#include <string>

#include "driver/command_line.h"
#include "driver/nvcc_options.h"

using namespace simtlab::emulator;

TEST_CASE("an option of nvcc has each name once, and one without effect its reason") {
  std::set<std::string_view> seen;
  for (const nvcc_option& o : nvcc_options()) {
    CAPTURE(o.name);
    CHECK(o.name.starts_with('-'));
    CHECK(seen.insert(o.name).second);
    if (!o.long_name.empty() && o.long_name != o.name) CHECK(seen.insert(o.long_name).second);
    const bool told = o.treatment == nvcc_treatment::noted || o.treatment == nvcc_treatment::refused;
    CHECK(told != o.why.empty());
    CHECK_FALSE(o.why.ends_with('.'));  // a sentence is built around it
  }
}

TEST_CASE("no option of nvcc 13 is unknown") {
  // As nvcc --help lists them, version 13.0; simtcc has a --profile of its own.
  std::istringstream names(
      "--cuda --cubin --fatbin --ptx --optix-ir --ltoir --preprocess --generate-dependencies "
      "--generate-nonsystem-dependencies --generate-dependencies-with-compile "
      "--generate-nonsystem-dependencies-with-compile --dependency-output --generate-dependency-targets --compile "
      "--device-c --device-w --device-link --link --lib --run --output-file --pre-include --objdir-as-tempdir "
      "--library "
      "--define-macro --undefine-macro --include-path --system-include --library-path --output-directory "
      "--compiler-bindir --allow-unsupported-compiler --archiver-binary --cudart --cudadevrt --libdevice-directory "
      "--target-directory --use-local-env --force-cl-env-setup -pg --debug --device-debug --generate-line-info "
      "--optimization-info --optimize --Ofast-compile --dopt --dlink-time-opt --lto --gen-opt-lto "
      "--ftemplate-backtrace-limit --ftemplate-depth --no-exceptions --shared --x --std "
      "--no-host-device-initializer-list --no-host-device-move-forward --expt-relaxed-constexpr --extended-lambda "
      "--expt-extended-lambda --machine --m64 --compiler-options --linker-options --archive-options --ptxas-options "
      "--nvlink-options --static-global-template-stub --device-entity-has-hidden-visibility "
      "--forward-unknown-to-host-compiler --forward-unknown-to-host-linker --forward-unknown-opts --dont-use-profile "
      "--dryrun --verbose --threads --split-compile --split-compile-extended --fdevice-syntax-only "
      "--fdevice-time-trace "
      "-keep --keep-dir --save-temps --clean-targets --time --run-args --input-drive-prefix --dependency-drive-prefix "
      "--drive-prefix --dependency-target-name --no-align-double --no-device-link --gpu-architecture --gpu-code "
      "--generate-code --relocatable-device-code --entries --maxrregcount --use_fast_math --ftz --prec-div --prec-sqrt "
      "--fmad --extra-device-vectorization --default-stream --disable-warnings --keep-device-functions --source-in-ptx "
      "--restrict --resource-usage --extensible-whole-program --no-compress --qpp-config --compile-as-tools-patch "
      "--list-gpu-code --list-gpu-arch --display-error-number --no-display-error-number --diag-error --diag-suppress "
      "--diag-warn --host-linker-script --augment-host-linker-script --relocatable-link --brief-diagnostics "
      "--jump-table-density --relocatable-ptx --device-stack-protector --compress-mode --frandom-seed --sanitize "
      "--jobserver --help --version --options-file -dc -dw -dlink -rdc -gencode -arch -code -lineinfo -G -g -w -MD "
      "-MMD "
      "-MF -MT -MP -isystem -include -Xcompiler -Xlinker -Xptxas -ccbin -std -x -o -odir -optf -t -O -shared");
  for (std::string name; names >> name;) {
    CAPTURE(name);
    CHECK(find_nvcc_option(name) != nullptr);
  }
  CHECK(find_nvcc_option("--frobnicate") == nullptr);
  CHECK(find_nvcc_option("") == nullptr);
}

TEST_CASE("values that ask for what the emulator does change nothing") {
  CHECK(is_satisfied(*find_nvcc_option("-default-stream"), "null"));
  CHECK_FALSE(is_satisfied(*find_nvcc_option("-default-stream"), "per-thread"));
  CHECK_FALSE(is_satisfied(*find_nvcc_option("-default-stream"), "legacy,null"));
  CHECK(is_satisfied(*find_nvcc_option("-lineinfo"), ""));
  CHECK_FALSE(is_satisfied(*find_nvcc_option("-G"), ""));
}

TEST_CASE("the list for the shells' completions has every option of the help once, with its words") {
  const std::string list = option_list();
  CHECK(list.find("--annotate\tthe source on stderr") == std::string::npos);  // after its variable
  for (const char* const option :
       {"--front-end\t", "--keep\tleave the intermediate files", "-rdc\t", "-MD\t", "--for-gdb\t", "-G\tno effect: "})
    CHECK_MESSAGE(list.find(option) != std::string::npos, option);
  CHECK(list.find("\n-ptx\t") == std::string::npos);  // refused
  std::set<std::string> seen;
  std::istringstream lines(list);
  for (std::string line; std::getline(lines, line);) CHECK_MESSAGE(seen.insert(line).second, line);
}
