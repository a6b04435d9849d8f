#include <doctest/doctest.h>

#include "driver/command_line.h"
#include "driver/hints.h"
#include "translator/unsupported_headers.h"

using namespace simtlab::emulator;

TEST_CASE("a value that a program would refuse when it starts is refused when it is compiled") {
  CHECK_THROWS_WITH_AS(parse_command_line({"a.cu", "--gpu=abacus"}), doctest::Contains("--gpu is one of "),
                       usage_error);
  CHECK_THROWS_WITH_AS(parse_command_line({"a.cu", "--error-exitcode", "300"}), doctest::Contains("0 to 255"),
                       usage_error);
  CHECK_NOTHROW(parse_command_line({"a.cu", "--gpu=a100", "--error-exitcode", "255"}));
}

TEST_CASE("a command line as nvcc takes it") {
  const command_line c =
      parse_command_line({"-arch=sm_80", "-O3", "-I", "inc", "-DN=4", "-std=c++17", "-o", "prog", "a.cu", "b.cpp",
                          "-lm", "-Xcompiler", "-Wall,-pthread", "-gencode", "arch=compute_80,code=sm_80"});
  CHECK(c.inputs == std::vector<std::string>{"a.cu", "b.cpp", "-lm"});
  CHECK(c.output == "prog");
  CHECK(c.standard == "c++17");
  CHECK(c.preprocessing == std::vector<std::string>{"-Iinc", "-DN=4"});
  CHECK(c.warnings == std::vector<std::string>{"-Wall"});
  CHECK(c.linking == std::vector<std::string>{"-pthread"});
  CHECK(c.makes == product::program);
}

TEST_CASE("nvcc's default dialect") { CHECK(parse_command_line({"a.cu"}).standard == "gnu++17"); }

TEST_CASE("a standard that is too old for the headers counts as C++17") {
  const auto standard_of = [](const char* option) { return parse_command_line({option, "a.cu"}).standard; };
  CHECK(standard_of("-std=c++11") == "c++17");
  CHECK(standard_of("-std=gnu++14") == "gnu++17");
  CHECK(standard_of("--std=c++0x") == "c++17");
  CHECK(standard_of("-std=c++20") == "c++20");
  CHECK(standard_of("-std=c++2b") == "c++2b");
  CHECK(standard_of("-std=11") == "11");  // g++ says what it thinks of it
}

TEST_CASE("what cannot be used is said") {
  CHECK_THROWS_WITH_AS(parse_command_line({}), doctest::Contains("no input file"), usage_error);
  CHECK_THROWS_WITH_AS(parse_command_line({"a.cu", "-o"}), doctest::Contains("-o needs a value"), usage_error);
  CHECK_THROWS_WITH_AS(parse_command_line({"a.cu", "--frobnicate"}), doctest::Contains("--frobnicate is unknown"),
                       usage_error);
  CHECK_THROWS_WITH_AS(parse_command_line({"a.cu", "-lcufft"}), doctest::Contains("cufft is not part"), usage_error);
  CHECK_THROWS_WITH_AS(parse_command_line({"-c", "-o", "x.o", "a.cu", "b.cu"}), doctest::Contains("compiles one file"),
                       usage_error);
  CHECK_THROWS_AS(parse_command_line({""}), usage_error);
}

TEST_CASE("nvcc's other options are taken, or refused with what to do instead") {
  const command_line c = parse_command_line(
      {"-rdc",         "true",      "-Xptxas", "-v",     "-Xcompiler", "-fopenmp,-O2",  "-Werror",
       "all-warnings", "-x",        "cu",      "-ccbin", "g++",        "a.cpp",         "--default-stream",
       "legacy",       "-lineinfo", "-MMD",    "-MF",    "a.d",        "-cudart=static"});
  CHECK(c.inputs == std::vector<std::string>{"a.cpp"});
  CHECK(c.everywhere == std::vector<std::string>{"-fopenmp"});
  CHECK(c.host_options == std::vector<std::string>{"-O2"});
  CHECK(c.warnings == std::vector<std::string>{"-Werror"});
  CHECK(c.all_cuda);
  CHECK(c.separate_device_code);
  CHECK(c.dependency_option == "-MMD");
  CHECK(c.dependency_file == "a.d");
  CHECK_THROWS_WITH_AS(parse_command_line({"-ptx", "a.cu"}), doctest::Contains("makes PTX"), usage_error);
  CHECK_THROWS_WITH_AS(parse_command_line({"a.cu", "-lcurand_static"}), doctest::Contains("not part"), usage_error);
}

TEST_CASE("what CMake passes to nvcc") {
  const command_line c = parse_command_line({"-forward-unknown-to-host-compiler",
                                             "-DBLOCK=128",
                                             "--options-file",
                                             "/dev/null",
                                             "-isystem=/opt/x/include",
                                             "-O3",
                                             "-DNDEBUG",
                                             "--generate-code=arch=compute_52,code=[compute_52,sm_52]",
                                             "--generate-code=arch=compute_80,code=[compute_80,sm_80]",
                                             "--generate-code=arch=compute_100,code=[sm_100]",
                                             "-Xcompiler=-fPIC",
                                             "-std=c++17",
                                             "-MD",
                                             "-MT",
                                             "a.cu.o",
                                             "-MF",
                                             "a.cu.o.d",
                                             "-x",
                                             "cu",
                                             "-rdc=true",
                                             "-c",
                                             "a.cu",
                                             "-o",
                                             "a.cu.o",
                                             "-pthread",
                                             "-Wno-deprecated-gpu-targets"});
  CHECK(c.makes == product::objects);
  CHECK(c.preprocessing == std::vector<std::string>{"-DBLOCK=128", "-isystem", "/opt/x/include", "-DNDEBUG"});
  CHECK(c.cuda_arch == 800);  // the emulated GPU is one of 9.0
  CHECK(c.dependency_words == std::vector<std::string>{"-MT", "a.cu.o"});
  CHECK(c.warnings.empty());
  CHECK(c.without_effect.empty());
  CHECK(parse_command_line({"-Xcompiler=-fPIC", "-shared", "-dlink", "a.o", "-o", "d.o"}).makes ==
        product::device_link);
}

TEST_CASE("of several architectures the newest that the emulated GPU runs, else the oldest") {
  CHECK(parse_command_line({"-gencode=arch=compute_70,code=sm_70", "-arch=sm_60", "a.cu"}).cuda_arch == 700);
  CHECK(parse_command_line({"-arch=sm_75", "-arch=sm_60", "--gpu=v100", "a.cu"}).cuda_arch == 600);
  CHECK(parse_command_line({"-arch=sm_120", "a.cu"}).cuda_arch == 1200);
  CHECK(parse_command_line({"-arch=native", "--gpu=t4", "a.cu"}).cuda_arch == 750);
}

TEST_CASE("what makes host code less precise or of one processor is for plain C++ files, and a note says so") {
  for (const char* const option : {"-Ofast", "-ffast-math", "-march=native", "-ffp-contract=fast"}) {
    CAPTURE(std::string(option));
    for (const command_line& c :
         {parse_command_line({option, "a.cu", "b.cpp"}), parse_command_line({"-Xcompiler", option, "a.cu", "b.cpp"})}) {
      CHECK(c.host_options == std::vector<std::string>{option});
      REQUIRE(c.without_effect.size() == 1);
      CHECK(c.without_effect[0].starts_with(std::string(option) + " (kernels and the host code beside them"));
    }
    CHECK(parse_command_line({option, "b.cpp"}).without_effect.empty());
  }
  CHECK(parse_command_line({"-O3", "a.cu"}).without_effect.empty());
}

TEST_CASE("g++'s options reach the files that they are for") {
  const command_line c =
      parse_command_line({"a.cu", "-Xcompiler", "-DHOST=1,-Iinc,-include,pre.h", "-Xcompiler=-Wall -funsigned-char",
                          "-Xlinker", "-rpath,/opt/lib", "-Wl,--as-needed", "-lz", "-rdynamic"});
  CHECK(c.preprocessing == std::vector<std::string>{"-DHOST=1", "-Iinc", "-include", "pre.h"});
  CHECK(c.warnings == std::vector<std::string>{"-Wall"});
  CHECK(c.everywhere == std::vector<std::string>{"-funsigned-char"});
  CHECK(c.inputs == std::vector<std::string>{"a.cu", "-Wl,-rpath", "-Wl,/opt/lib", "-Wl,--as-needed", "-lz"});
  CHECK_THROWS_WITH_AS(parse_command_line({"a.cu", "-Xcompiler", "-fshort-enums"}),
                       doctest::Contains("would read other"), usage_error);
  CHECK_THROWS_WITH_AS(parse_command_line({"a.cu", "-Xcompiler=-m32"}), doctest::Contains("64 bits alone"),
                       usage_error);
  CHECK_THROWS_WITH_AS(parse_command_line({"a.cu", "-fsanitize=address"}), doctest::Contains("leave the option out"),
                       usage_error);
  CHECK_THROWS_WITH_AS(parse_command_line({"a.cu", "--fancy"}), doctest::Contains("unknown"), usage_error);
  CHECK(parse_command_line({"a.cu", "-forward-unknown-to-host-compiler", "--fancy"}).host_options ==
        std::vector<std::string>{"--fancy"});
}

TEST_CASE("the toolkit's own libraries are the emulator's, in whatever form they are named") {
  const command_line c =
      parse_command_line({"a.o", "-lcudart", "-lcudadevrt", "/opt/lib64/libcudart_static.a", "-lcuda",
                          "/usr/lib/libcudart.so.12", "libown.a", "-lrt", "-lcublas", "/opt/lib64/libcublas.so"});
  CHECK(c.inputs == std::vector<std::string>{"a.o", "libown.a", "-lrt"});
  CHECK_THROWS_WITH_AS(parse_command_line({"a.o", "/opt/lib64/libcublasLt.so"}),
                       doctest::Contains("cublasLt is not part"), usage_error);
  CHECK_THROWS_WITH_AS(parse_command_line({"-dlink", "kernel.cubin"}), doctest::Contains("code for a GPU"),
                       usage_error);
}

TEST_CASE("one note names what means nothing here, and an option that would change results is refused") {
  const command_line c = parse_command_line(
      {"a.cu", "-G", "-use_fast_math", "--use_fast_math", "-Xptxas", "-v", "-t4", "-fmad=false", "-ftz=false"});
  CHECK(c.without_effect.size() == 5);  // an option by two names is two words
  CHECK(c.without_effect[1].starts_with("-use_fast_math (arithmetic keeps IEEE precision"));
  CHECK_THROWS_WITH_AS(parse_command_line({"a.cu", "--default-stream=per-thread"}),
                       doctest::Contains("cudaStreamNonBlocking"), usage_error);
}

TEST_CASE("-fmad=true rounds a product and a sum once; whoever does not ask gets them rounded one by one") {
  CHECK(!parse_command_line({"a.cu"}).contracts);
  CHECK(!parse_command_line({"--fmad=true", "a.cu", "-fmad", "false"}).contracts);
  CHECK_THROWS_WITH_AS(parse_command_line({"a.cu", "-fmad=yes"}), doctest::Contains("neither true nor false"),
                       usage_error);
#ifdef __x86_64__
  if (!__builtin_cpu_supports("fma")) {
    CHECK_THROWS_WITH_AS(parse_command_line({"a.cu", "-fmad=true"}), doctest::Contains("(FMA)"), usage_error);
    return;
  }
#endif
  CHECK(parse_command_line({"a.cu", "-fmad=true"}).contracts);
  CHECK(parse_command_line({"a.cu", "--fmad", "true"}).without_effect.empty());
}

TEST_CASE("--keep is nvcc's where no folder is behind it") {
  CHECK(parse_command_line({"--keep", "--keep-dir", "tmp", "a.cu"}).keep == "tmp");
  CHECK(parse_command_line({"--keep", "a.cu"}).keep == ".");
  CHECK(parse_command_line({"a.cu", "--keep"}).keep == ".");
  CHECK(parse_command_line({"--keep", "folder", "a.cu"}).keep == "folder");
}

TEST_CASE("options of the program are values for its environment") {
  const command_line c = parse_command_line({"a.cu", "--workers=3", "--checks", "off", "--gpu", "a100", "--annotate",
                                             "--report=r.json", "--run", "--run-args", "4,five"});
  CHECK(c.program_options == std::vector<std::string>{"SIMTLAB_WORKERS=3", "SIMTLAB_CHECKS=off", "SIMTLAB_GPU=a100",
                                                      "SIMTLAB_ANNOTATE=1", "SIMTLAB_REPORT=r.json"});
  CHECK(c.run);
  CHECK(c.run_arguments == std::vector<std::string>{"4", "five"});
  CHECK_THROWS_WITH_AS(parse_command_line({"a.cu", "--workers", "many"}), doctest::Contains("takes a number"),
                       usage_error);
  CHECK_THROWS_WITH_AS(parse_command_line({"a.cu", "--checks=maybe"}), doctest::Contains("on or off"), usage_error);
}

TEST_CASE("libraries that the emulator does not have are known by their headers") {
  for (const char* header : {"curand.h", "/usr/local/cuda/include/curand.h", "thrust/shuffle.h",
                             "/usr/local/cuda/include/cccl/cub/device/device_transform.cuh", "cuda_awbarrier.h",
                             "cutil_inline.h", "cuda_fp4.h", "cublas.h", "cublasLt.h", "cufft.h", "cusparse.h",
                             "cusolverDn.h", "cudnn.h", "opencv2/core.hpp"}) {
    CAPTURE(header);
    CHECK_FALSE(why_unsupported(header).empty());
  }
  for (const char* header :
       {"cuda_fp16.h", "cuda_bf16.h", "cuda_fp8.h", "curand_kernel.h", "cublas_v2.h", "thrust/device_vector.h",
        "thrust/set_operations.h", "cub/cub.cuh", "mma.h", "cuda/atomic", "cuda/std/barrier", "cuda_pipeline.h",
        "cooperative_groups.h", "math.h", "my_thrust/x.h", "cubic.h", "kernels/gamma.h"}) {
    CAPTURE(header);
    CHECK(why_unsupported(header).empty());
  }
}

TEST_CASE("a missing header of a library is explained, another is not") {
  CHECK(hint_for("thrust/shuffle.h: No such file or directory").find("not this header") != std::string::npos);
  CHECK(hint_for("tiles.cuh: No such file or directory").find("-I") != std::string::npos);
  CHECK(hint_for("unused variable 'x'").empty());
  CHECK(hint_for("lab.cpp:(.text+0x25): undefined reference to `scale_rows(int)'").find("stub") != std::string::npos);
  CHECK(hint_for("k.cpp:(.text+0x25): undefined reference to `scale_rows(int)'").find("stub") == std::string::npos);
  CHECK(hint_for("k.cu:2: undefined reference to `base'").find("-rdc=true") != std::string::npos);
  CHECK(hint_for("k.o: undefined reference to `__cudaRegisterFatBinary'").find("nvcc compiled") != std::string::npos);
  CHECK_FALSE(hint_for("'threadIdx' was not declared in this scope").empty());
  CHECK(hint_for("'treadIdx' was not declared in this scope; did you mean 'threadIdx'?").empty());
}
