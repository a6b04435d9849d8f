// Random kernels with sums in loops compute the same with their hooks inlined and sums mirrored in registers as they do
// without any of it: `simtcc --for-gdb` compiles the same source unoptimised and without hooks.
#include <doctest/doctest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

namespace {

constexpr int programs = 12, kernels = 16;

class random_kernel {
 public:
  explicit random_kernel(unsigned seed) : random_(seed) {}

  std::string text(int number) {
    const bool has_array = chance(4), has_reference = chance(5);
    std::string out =
        "__global__ void kernel" + std::to_string(number) +
        "(const float* f, const double* d, const int* n, float* out, double* wide) {\n"
        "  __shared__ float s[32];\n  const int t = threadIdx.x;\n  s[t] = f[t];\n  __syncthreads();\n"
        "  float a = f[t], b = 0, c = 1.5f, e = s[31 - t];\n  double x = d[t], y = 0, z = 2;\n  int p = 1, q = n[0];\n";
    if (has_array) out += "  float kept[4] = {1, 2, 3, 4};\n  kept[n[t] & 3] = a;\n";
    for (int i = 0; i < 3; ++i) out += loop(0, true);
    if (has_array) out += "  a += kept[q & 3];\n";
    if (has_reference) out += "  change(b);\n";
    return out + "  out[t] = a + b * 0.25f + c * 0.125f + e + p;\n  wide[t] = x + y * 0.5 + z + q;\n}\n";
  }

 private:
  bool chance(int of) { return std::uniform_int_distribution<int>(1, of)(random_) == 1; }
  std::string one_of(std::initializer_list<const char*> words) {
    return words.begin()[std::uniform_int_distribution<std::size_t>(0, words.size() - 1)(random_)];
  }
  std::string index() { return one_of({"(t + k) & 31", "k & 31", "(t * 3 + p) & 31", "31 - t", "q & 31"}); }
  std::string single() { return one_of({"a", "b", "c", "e"}); }
  std::string wide() { return one_of({"x", "y", "z"}); }
  std::string float_term() {
    switch (std::uniform_int_distribution<int>(0, 7)(random_)) {
      case 0:
        return "f[" + index() + "]";
      case 1:
        return "s[" + index() + "] * f[" + index() + "]";
      case 2:
        return single() + " * s[" + index() + "]";
      case 3:
        return "(float)" + wide() + " * 0.5f";
      case 4:
        return "fminf(" + single() + ", f[" + index() + "])";
      case 5:
        return "(float)n[" + index() + "] * 0.125f";
      case 6:
        return chance(3) ? "twice(" + single() + ", f)" : "s[k & 31]";
      default:
        return single();
    }
  }
  std::string double_term() {
    return one_of({"d[k & 31]", "d[(t + k) & 31] * 0.5", "(double)f[t] * d[k & 31]", "x", "y * 0.25", "z", "(double)a",
                   "(double)c"});
  }
  std::string statement() {
    switch (std::uniform_int_distribution<int>(0, 9)(random_)) {
      case 0:
      case 1:
      case 2:
        return single() + " += " + float_term() + ";";
      case 3: {
        const std::string v = single();
        return v + " = " + v + " * 0.5f + " + float_term() + ";";
      }
      case 4:
        return wide() + " += " + double_term() + ";";
      case 5: {
        const std::string v = wide();
        return v + " = " + v + " * 0.75 - " + double_term() + ";";
      }
      case 6:
        return "if (" + single() + " > " + float_term() + ") " + single() + " -= " + float_term() + ";";
      case 7:
        return "p += n[" + index() + "];";
      case 8:
        return single() + " = " + single() + " > 8 ? 1.0f : " + single() + ";";
      default:
        return chance(4) ? "out[t] = " + single() + ";" : "q ^= (int)" + single() + " & 7;";
    }
  }
  std::string loop(int depth, bool with_barriers) {
    const std::string variable = depth == 0 ? "k" : "k" + std::to_string(depth);
    const std::string indent(static_cast<std::size_t>(2 * depth + 2), ' ');
    std::string out = indent + "for (int " + variable + " = 0; " + variable + " < n[" + std::to_string(depth + 1) +
                      "]; ++" + variable + ") {\n";
    const int length = std::uniform_int_distribution<int>(1, 3)(random_);
    for (int i = 0; i < length; ++i) out += indent + "  " + statement() + "\n";
    if (with_barriers && chance(4)) out += indent + "  __syncthreads();\n";
    if (depth < 2 && chance(2)) out += loop(depth + 1, with_barriers);
    if (chance(2))
      out += indent + "  if (t > " + one_of({"3", "p", "k"}) + ") { " + statement() + " " + statement() + " }\n";
    if (chance(6)) out += indent + "  if (" + single() + " > 1e6f) " + single() + " = 1;\n";
    return out + indent + "}\n";
  }

  std::mt19937 random_;
};

std::string program(unsigned seed) {
  std::string out =
      "#include <cstdio>\n#include <cstring>\n#include <vector>\n"
      "__device__ __noinline__ float twice(float v, const float* f) { return v * 0.5f + f[3]; }\n"
      "__device__ __noinline__ void change(float& v) { v = v * 0.5f + 1; }\n";
  random_kernel random(seed);
  for (int k = 0; k < kernels; ++k) out += random.text(k);
  out +=
      "int main() {\n  float *f, *out; double *d, *wide; int* n;\n"
      "  cudaMallocManaged(&f, 128); cudaMallocManaged(&out, 128); cudaMallocManaged(&d, 256);\n"
      "  cudaMallocManaged(&wide, 256); cudaMallocManaged(&n, 128);\n"
      "  for (int i = 0; i < 32; ++i) { f[i] = 0.37f * (i % 7) - 1; d[i] = 0.21 * (i % 5) - 0.4; n[i] = 2 + i % 4; }\n";
  for (int k = 0; k < kernels; ++k)
    out += "  memset(out, 0, 128);\n  kernel" + std::to_string(k) +
           "<<<1, 32>>>(f, d, n, out, wide);\n  cudaDeviceSynchronize();\n"
           "  for (int i = 0; i < 32; ++i) printf(\"%d %a %a\\n\", i, out[i], wide[i]);\n";
  return out + "}\n";
}

std::string contents(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("random kernels compute the same with sums mirrored in registers") {
  std::string name = std::filesystem::temp_directory_path() / "simtlab-mirrors-XXXXXX";
  REQUIRE(mkdtemp(name.data()) != nullptr);
  const std::filesystem::path folder = name;
  std::size_t mirrors = 0;
  for (unsigned seed = 1; seed <= programs; ++seed) {
    std::ofstream(folder / "random.cu") << program(seed);
    const auto run = [&](const std::string& flags, const std::string& to) {
      const auto execute = [&](const std::string& command) {
        return std::system(("cd " + folder.string()).append(" && ").append(command).c_str());
      };
      REQUIRE(execute(std::string(SIMTLAB_SIMTCC " ").append(flags).append(" random.cu -o random")) == 0);
      REQUIRE(execute(std::string("./random 2> errors.txt > ").append(to)) == 0);
      return contents(folder / to);
    };
    const std::string plain = run("--for-gdb", "plain.txt"), mirrored = run("--keep .", "mirrored.txt");
    CHECK_MESSAGE(plain == mirrored, "seed ", seed, ": the files are in ", folder.string());
    REQUIRE(plain.size() > 1000);
    const std::string assembly = contents(folder / "random.rewritten.s");
    for (std::size_t at = assembly.find(", %xmm15\n"); at != std::string::npos;
         at = assembly.find(", %xmm15\n", at + 1))
      ++mirrors;
    if (plain != mirrored) return;
  }
  CHECK(mirrors > 100);  // else nothing was tested
  std::filesystem::remove_all(folder);
}
