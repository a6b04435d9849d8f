#include "driver/gpu_toolchain.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <system_error>
#include <vector>

#include "driver/machine_fault.h"

namespace simtlab::emulator {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// In the order of their names, so that every run finds the same; none where there is no such folder.
std::vector<fs::path> folders_in(const fs::path& folder, const std::string& beginning) {
  std::vector<fs::path> found;
  std::error_code unknown;
  for (fs::directory_iterator at(folder, unknown), end; !unknown && at != end; at.increment(unknown))
    if (at->path().filename().string().starts_with(beginning)) found.push_back(at->path());
  std::ranges::sort(found);
  return found;
}

/// `lib/python3.11/site-packages/nvidia/cu13/bin` of a Python environment; packages for CUDA 12 have a folder each.
void add_wheels(const fs::path& environment, std::vector<fs::path>& folders) {
  if (environment.empty()) return;
  for (const fs::path& python : folders_in(environment / "lib", "python3"))
    for (const fs::path& package : folders_in(python / "site-packages/nvidia", "cu"))
      folders.push_back(package / "bin");
}

/// simtcc may be installed by the name of nvcc (harness/install/nvcc), and compiles for no GPU.
fs::path tool(const std::vector<fs::path>& folders, const std::string& name, const installation& where) {
  std::error_code unknown;
  for (const fs::path& folder : folders) {
    fs::path file = folder / name;
    const bool is_ours = fs::exists(where.toolkit, unknown) && fs::equivalent(folder, where.toolkit / "bin", unknown);
    if (!is_ours && access(file.c_str(), X_OK) == 0 && fs::is_regular_file(file, unknown)) return file;
  }
  throw machine_fault(
      "--engine sass needs " + name +
      " of the CUDA Toolkit, and it is neither in CUDA_HOME, PATH and /usr/local/cuda/bin nor among the "
      "Python packages of VIRTUAL_ENV or .venv. Run make setup SASS=1 in the course's folder (or pip "
      "install nvidia-cuda-" +
      name + "); the g++ engine needs none: leave --engine sass away");
}

}  // namespace

std::vector<fs::path> gpu_toolchain::folders(const installation& where) {
  std::vector<fs::path> folders;
  for (const char* name : {"CUDA_HOME", "CUDA_PATH"})
    if (const std::string root = variable(name); !root.empty()) folders.emplace_back(fs::path(root) / "bin");
  const std::string path = variable("PATH");
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find(':', begin), path.size());
    if (end > begin) folders.emplace_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  folders.emplace_back("/usr/local/cuda/bin");
  add_wheels(variable("VIRTUAL_ENV"), folders);
  add_wheels(where.wheels, folders);
  return folders;
}

gpu_toolchain gpu_toolchain::find_in(const std::vector<fs::path>& folders, const installation& where) {
  if (!where.has_machine)
    throw machine_fault(
        "--engine sass runs machine code, and this simtcc was built without what executes it, as nobody had asked for "
        "it. Run make setup SASS=1 in the course's folder, which builds it, or leave --engine sass away: the g++ "
        "engine needs none");
  return {tool(folders, "nvcc", where), tool(folders, "nvdisasm", where)};
}

}  // namespace simtlab::emulator
