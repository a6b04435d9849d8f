#include "driver/gpu_architectures.h"

#include <doctest/doctest.h>

#include <string>

#include "driver/command_line.h"

using namespace simtlab::emulator;

TEST_CASE("an architecture that no nvcc knows is refused with those that there are") {
  const struct {
    const char *option, *given;
  } wrong[] = {{"-arch", "foo"},    {"-arch", "sm_9"},    {"-arch", "80"},
               {"-arch", "sm_80b"}, {"-arch", "arch"},    {"-gencode", "arch=compute_8,code=sm_8"},
               {"-arch", ""},       {"-gencode", "code"}, {"-gencode", "arch=compute_80,code=sm_81"}};
  for (const auto& [option, given] : wrong) {
    CAPTURE(std::string(given));
    try {
      (void)architectures_in(option, given);
      FAIL_CHECK("it is accepted");
    } catch (const usage_error& e) {
      const std::string said = e.what();
      CHECK(said.starts_with(std::string(option) + "=" + given + ": no nvcc knows an architecture \""));
      CHECK(said.find("sm_80, sm_86") != std::string::npos);
    }
  }
  CHECK_THROWS_AS((void)parse_command_line({"-arch=sm_9", "a.cu"}), usage_error);
}

TEST_CASE("the architectures in the words that makefiles and CMake write") {
  using list = std::vector<int>;
  CHECK(architectures_in("-arch", "sm_90a") == list{900});
  CHECK(architectures_in("-arch", "compute_35") == list{350});
  CHECK(architectures_in("-arch", "native").empty());
  CHECK(architectures_in("-arch", "all-major").empty());
  CHECK(architectures_in("-gencode", "arch=compute_50,code=\"sm_52,compute_50\"") == list{500, 520, 500});
  CHECK(architectures_in("-gencode", "arch=compute_100f,code=[sm_100f,lto_100f]") == list{1000, 1000, 1000});
}
