#include "driver/toolkit.h"

namespace simtlab::emulator {
namespace {

std::string library_folder(const installation& where) { return "\"-L" + (where.toolkit / "lib64").string() + "\""; }

}  // namespace

std::string version_as_nvcc(const installation& where) {
  const std::string version = where.nvcc_version();
  return "nvcc: NVIDIA (R) Cuda compiler driver\n"
         "is not what answers here: this is simtcc of simtlab " SIMTLAB_VERSION
         ", which compiles CUDA C++ for an emulator.\n"
         "Cuda compilation tools, release " +
         version + ", V" + version + ".0\n";
}

std::string folders_as_nvcc(const installation& where, const command_line& options) {
  if (!std::filesystem::exists(where.toolkit)) return "";
  const std::string toolkit = where.toolkit.string();
  return "#$ NVVMIR_LIBRARY_DIR=" + toolkit + "/nvvm/libdevice\n#$ TOP=" + toolkit + "\n#$ PATH=" + toolkit +
         "/bin:\n#$ INCLUDES=\"-I" + where.include.string() + "\"\n#$ LIBRARIES= " + library_folder(where) +
         "\n# compiles for -arch compute_" + std::to_string(options.cuda_arch / 10) + "\n";
}

std::string link_line_as_nvcc(const installation& where) {
  if (!std::filesystem::exists(where.toolkit)) return "";
  const std::filesystem::path simtcc = (where.toolkit / "../../../bin/simtcc").lexically_normal();
  return "#$ \"" + simtcc.string() + "\" -o \"a.out\" " + library_folder(where) +
         " -lcudadevrt -lcudart_static -lrt -lpthread -ldl\n";
}

}  // namespace simtlab::emulator
