#include "findings/random_kernels.h"

namespace simtlab::emulator::tests {
namespace {

std::string element(unsigned at) { return "g[" + std::to_string(at) + "]"; }

}  // namespace

std::string kernel_generator::place() {
  const std::string index =
      one_of({"t", "t % 4", "t / 8", "t ^ 1", "(t + 1) % 48", "3", "47 - t", "t % 32", "t / 32", "t & ~1"});
  return chance(3) ? "g[16 + (" + index + ") % 32]" : "s[" + index + "]";
}

std::string kernel_generator::statement() {
  const std::string condition =
      chance(2)
          ? ""
          : "if (" + one_of({"t < 16", "t % 3 == 1", "t == 5", "t >= 32", "b == 1", "t % 2 == 0", "b != 0"}) + ") ";
  return condition +
         (chance(2) ? "v += " + place() + ";" : place() + " = " + one_of({"7", "t", "b", "7 + t / 32"}) + ";");
}

std::string kernel_generator::barrier_part() {
  std::string out;
  const unsigned passes = 1 + below(2), length = 2 + below(4);
  const std::string loop = "for (int k = 0; k < " + std::to_string(passes) + "; ++k) {\n";
  for (unsigned i = 0; i < length; ++i) {
    out += "    " + statement() + "\n";
    if (chance(2)) out += chance(3) ? "    __syncwarp();\n" : "    __syncthreads();\n";
  }
  return "  " + loop + out + "  }\n";
}

/// Each thread stores to an element of its own and reads another's.
std::string kernel_generator::clean_exchange() {
  const std::string other = one_of({"47 - t", "(t + 1) % 48", "t ^ 1", "t / 2"});
  return "  for (int k = 0; k < 2; ++k) {\n    s[t] = t + k;\n    __syncthreads();\n    v += s[" + other +
         "];\n    __syncthreads();\n  }\n  out[b * 48 + t] = v;\n";
}

std::string kernel_generator::unless(unsigned n, const std::string& right, const std::string& wrong) {
  if (!chance(n)) return right;
  fine_ = false;
  return wrong;
}

/// Block 0 publishes, the others wait for it.
std::string kernel_generator::flag(unsigned at) {
  const bool is_volatile = chance(2);
  const std::string data = element(at), word = element(at + 1), pointer = "&" + word, v = "((volatile int*)g)";
  const std::string volatile_word = v + "[" + std::to_string(at + 1) + "]";
  const std::string publish = is_volatile ? volatile_word + " = 1;" : "atomicExch(" + pointer + ", 1);";
  const std::string look = is_volatile ? volatile_word + " == 0" : "atomicAdd(" + pointer + ", 0) == 0";
  return "  if (t == 0) {\n    if (b == 0) {\n      " + data + " = 5;\n      " +
         unless(6, "__threadfence();", is_volatile ? "" : "__threadfence_block();") + "\n      " + publish +
         "\n    } else {\n      while (" + look + ") continue;\n      " + unless(6, "__threadfence();") +
         "\n      v += " + data + ";\n    }\n  }\n";
}

/// The block that draws the last ticket adds up what all left, and takes the ticket back.
std::string kernel_generator::ticket(unsigned at) {
  const std::string word = element(at), scope = unless(6, "", "_block");
  const std::string fence = unless(6, "__threadfence();", "__threadfence_block();");
  return "  __shared__ bool last" + std::to_string(at) + ";\n  if (t == 0) {\n    g[" + std::to_string(at + 1) +
         " + b] = b;\n    " + fence + "\n    last" + std::to_string(at) + " = atomicAdd" + scope + "(&" + word +
         ", 1) == 2;\n  }\n  __syncthreads();\n  if (last" + std::to_string(at) + " && t == 0) {\n    " +
         (chance(2) ? "__threadfence();\n    " : "") + "for (int i = 0; i < 3; ++i) v += g[" + std::to_string(at + 1) +
         " + i];\n    " + (chance(2) ? word + " = 0;" : "") + "\n  }\n";
}

std::string kernel_generator::lock(unsigned at) {
  const std::string word = element(at), data = element(at + 1);
  const std::string acquire = chance(2) ? "while (atomicCAS(&" + word + ", 0, 1) != 0) continue;"
                                        : "while (atomicExch(&" + word + ", 1) != 0) continue;";
  const std::string who = one_of({"t == 0", "t % 32 == 0"});
  // A block without its fence, or all.
  const std::string first =
      unless(6, "__threadfence();", one_of({"", "if (b != 0) __threadfence();", "if (b != 2) __threadfence();"}));
  const std::string give_back = unless(8, "atomicExch(&" + word + ", 0);", word + " = 0;");
  return "  if (" + who + ") {\n    " + acquire + "\n    " + first + "\n    " + data + " += 1;\n    " +
         unless(6, "__threadfence();") + "\n    " + give_back + "\n  }\n";
}

std::string kernel_generator::counter(unsigned at) {
  const std::string word = element(at);
  const std::string all = unless(5, "atomicAdd(&" + word + ", t)", "atomicAdd_block(&" + word + ", t)");
  const std::string look = unless(5, "", "if (t == 3) v += " + word + ";");
  return "  __shared__ int sum" + std::to_string(at) + ";\n  if (t == 0) sum" + std::to_string(at) +
         " = 0;\n  __syncthreads();\n  atomicAdd" + one_of({"", "_block"}) + "(&sum" + std::to_string(at) +
         ", 1);\n  " + unless(5, "__syncthreads();") + "\n  v += sum" + std::to_string(at) + ";\n  " + all + ";\n  " +
         look + "\n";
}

/// Blocks take turns by a volatile number.
std::string kernel_generator::turns(unsigned at) {
  const std::string word = "((volatile int*)g)[" + std::to_string(at) + "]";
  return "  if (t == 0) {\n    while (" + word + " != b) continue;\n    " + unless(6, "__threadfence();") + "\n    " +
         element(at + 1) + " += b;\n    " + unless(6, "__threadfence();", "__threadfence_block();") + "\n    " + word +
         " = b + 1;\n  }\n";
}

/// Block 0 hands on a volatile value by a volatile number, again and again, and the others say that they have read it.
std::string kernel_generator::messages(unsigned at) {
  const std::string v = "((volatile int*)g)", value = v + "[" + std::to_string(at) + "]",
                    number = v + "[" + std::to_string(at + 1) + "]", read = "&" + element(at + 2);
  return "  if (t == 0) for (int k = 1; k < 3; ++k) {\n    if (b == 0) {\n      while (atomicAdd(" + read +
         ", 0) != 2 * (k - 1)) continue;\n      __threadfence();\n      " + value + " = k;\n      " +
         unless(6, "__threadfence();") + "\n      " + number + " = k;\n    } else {\n      while (" + number +
         " < k) continue;\n      " + unless(6, "__threadfence();") + "\n      v += " + value +
         ";\n      __threadfence();\n      atomicAdd(" + read + ", 1);\n    }\n  }\n";
}

random_kernel kernel_generator::next(unsigned number) {
  fine_ = true;
  std::string body;
  if (kind_ == kernel_kind::barriers) {
    fine_ = chance(4);
    body = fine_ ? clean_exchange() : barrier_part() + (chance(2) ? barrier_part() : "");
  } else {
    for (unsigned i = 0, parts = 1 + below(2); i < parts; ++i) {
      const unsigned at = 8 * i;
      switch (below(6)) {
        case 0:
          body += flag(at);
          break;
        case 1:
          body += ticket(at);
          break;
        case 2:
          body += lock(at);
          break;
        case 3:
          body += counter(at);
          break;
        case 4:
          body += messages(at);
          break;
        default:
          body += turns(at);
      }
    }
  }
  return {"__global__ void kernel" + std::to_string(number) +
              "(int* g, int* out) {\n  __shared__ int s[48];\n  const int t = threadIdx.x, b = blockIdx.x;\n  int v = "
              "0;\n  s[t] = 0;\n  __syncthreads();\n" +
              body + "  __syncthreads();\n  out[b * 48 + t] = v + s[t];\n}\n",
          fine_};
}

}  // namespace simtlab::emulator::tests
