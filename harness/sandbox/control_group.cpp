#include "sandbox/control_group.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <map>
#include <sstream>
#include <thread>

#include "sandbox/descriptor.h"

namespace simtlab::sandbox {
namespace {

namespace fs = std::filesystem;
constexpr const char* prefix = "simtlab-";

std::string text_of(const fs::path& file) {
  std::ifstream from(file);
  std::stringstream text;
  text << from.rdbuf();
  return text.str();
}

// Into a file of the kernel's: it is there already, or the write fails.
bool write_text(const fs::path& file, const std::string& text) {
  const descriptor to(open(file.c_str(), O_WRONLY | O_CLOEXEC));
  return to.get() >= 0 && write(to.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::stringstream from(text);
  for (std::string part; std::getline(from, part, separator);) parts.push_back(part);
  return parts;
}

bool holds(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Where our own group lies below a mount that may itself show only part of the tree.
fs::path place_below(const std::string& mount_point, const std::string& mount_root, const std::string& group) {
  std::string rest = group;
  if (mount_root != "/" && (rest == mount_root || rest.starts_with(mount_root + "/"))) rest.erase(0, mount_root.size());
  fs::path place = mount_point;
  if (rest.size() > 1) place += rest;
  return place;
}

// The number behind `word` in lines like "max 3".
std::size_t number_after(const std::string& text, const std::string& word) {
  for (const std::string& line : split(text, '\n')) {
    std::stringstream from(line);
    std::string name;
    std::size_t value = 0;
    if (from >> name >> value && name == word) return value;
  }
  return 0;
}

std::string start_time(const std::string& process) {
  const std::string stat = text_of("/proc/" + process + "/stat");
  const std::size_t end_of_name = stat.rfind(')');  // the name may hold anything
  if (end_of_name == std::string::npos) return "";
  const std::vector<std::string> fields = split(stat.substr(end_of_name + 2), ' ');
  return fields.size() > 19 ? fields[19] : "";
}

std::string namespace_number() {
  struct stat status {};
  return stat("/proc/self/ns/pid", &status) == 0 ? std::to_string(status.st_ino) : "0";
}

std::string own_name() {
  return prefix + namespace_number() + "-" + std::to_string(getpid()) + "-" + start_time("self");
}

// Whether a group's name says that its owner, of our process id namespace, is gone.
bool is_abandoned(const std::string& name) {
  const std::vector<std::string> parts = split(name, '-');
  return parts.size() == 4 && parts[1] == namespace_number() && start_time(parts[2]) != parts[3];
}

void kill_members(const fs::path& group) {
  if (write_text(group / "cgroup.kill", "1")) return;
  for (const std::string& process : split(text_of(group / "cgroup.procs"), '\n'))
    if (const int number = std::atoi(process.c_str()); number > 1) kill(number, SIGKILL);
}

// A group can be removed once its last process is collected, which a kill only begins.
bool remove_group(const fs::path& group) {
  for (int attempt = 0; attempt < 200; ++attempt) {
    if (rmdir(group.c_str()) == 0 || errno == ENOENT) return true;
    if (errno != EBUSY) return false;
    kill_members(group);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

// A group of ours in the first place where it can be made and limited; empty where there is none. Tried, because
// permissions, read-only mounts and the rules of delegation all have a say.
template <class Limit>
fs::path make_group(const std::vector<fs::path>& candidates, const Limit& set_limits) {
  const std::string name = own_name();
  for (const fs::path& place : candidates) {
    fs::path group = place / name;
    if (mkdir(group.c_str(), 0755) != 0) continue;
    if (access((group / "cgroup.procs").c_str(), W_OK) == 0 && set_limits(group)) return group;
    rmdir(group.c_str());
  }
  return {};
}

void sweep_in(const fs::path& place, std::size_t& swept) {
  std::error_code failed;
  for (const fs::directory_entry& entry : fs::directory_iterator(place, failed))
    if (entry.path().filename().string().starts_with(prefix) && is_abandoned(entry.path().filename().string())) {
      kill_members(entry.path());
      swept += remove_group(entry.path()) ? 1 : 0;
    }
}

}  // namespace

group_candidates find_candidates(const std::string& mount_info, const std::string& own_groups) {
  std::map<std::string, std::string> own;  // by controller; version 2 by ""
  for (const std::string& line : split(own_groups, '\n')) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    for (const std::string& controller : split(line.substr(first + 1, second - first - 1), ','))
      own[controller] = line.substr(second + 1);
    if (second == first + 1) own[""] = line.substr(second + 1);
  }
  group_candidates found;
  for (const std::string& line : split(mount_info, '\n')) {
    // 36 35 98:0 /root /mount/point options tags… - type source options
    const std::size_t dash = line.find(" - ");
    if (dash == std::string::npos) continue;
    const std::vector<std::string> before = split(line.substr(0, dash), ' '), after = split(line.substr(dash + 3), ' ');
    if (before.size() < 5 || after.size() < 3) continue;
    const std::string &root = before[3], &point = before[4], &type = after[0];
    if (type == "cgroup2" && own.contains("")) {
      // Groups with limits may not stand beside processes in one group, so one above our own is as good.
      for (fs::path place = place_below(point, root, own[""]);; place = place.parent_path()) {
        found.unified.push_back(place);
        if (place.string().size() <= point.size()) break;
      }
    } else if (type == "cgroup") {
      const std::vector<std::string> options = split(after[2], ',');
      if (holds(options, "memory") && own.contains("memory"))
        found.memory.push_back(place_below(point, root, own["memory"]));
      if (holds(options, "pids") && own.contains("pids"))
        found.processes.push_back(place_below(point, root, own["pids"]));
    }
  }
  return found;
}

group_candidates find_candidates() {
  return find_candidates(text_of("/proc/self/mountinfo"), text_of("/proc/self/cgroup"));
}

control_group::control_group(const group_candidates& candidates, std::size_t memory_bytes, std::size_t processes) {
  const std::string bytes = std::to_string(memory_bytes), number = std::to_string(processes);
  if (memory_bytes == 0 || processes == 0) return;
  memory_ = processes_ = make_group(candidates.unified, [&](const fs::path& group) {
    write_text(group / "memory.swap.max", "0");  // absent where there is no swap
    return write_text(group / "memory.max", bytes) && write_text(group / "pids.max", number);
  });
  unified_ = !memory_.empty();
  if (unified_) return;
  memory_ = make_group(candidates.memory, [&](const fs::path& group) {
    const bool limited = write_text(group / "memory.limit_in_bytes", bytes);
    write_text(group / "memory.memsw.limit_in_bytes", bytes);  // absent where swap is not counted
    return limited;
  });
  processes_ =
      make_group(candidates.processes, [&](const fs::path& group) { return write_text(group / "pids.max", number); });
}

control_group::~control_group() {
  if (!memory_.empty()) remove_group(memory_);
  if (!processes_.empty() && processes_ != memory_) remove_group(processes_);
}

// Who joins has one thread. Of version 1 a thread that moves itself is moved at once; a whole process waits until the
// kernel has seen every processor pass, 4 to 12 ms for each launch.
std::vector<std::string> control_group::doors() const {
  const char* door = unified_ ? "cgroup.procs" : "tasks";
  std::vector<std::string> files;
  if (!memory_.empty()) files.push_back(memory_ / door);
  if (!processes_.empty() && processes_ != memory_) files.push_back(processes_ / door);
  return files;
}

void control_group::kill_all() const {
  if (!processes_.empty())
    kill_members(processes_);
  else if (!memory_.empty())
    kill_members(memory_);
}

std::size_t control_group::memory_kills() const {
  if (memory_.empty()) return 0;
  return number_after(text_of(memory_ / (unified_ ? "memory.events" : "memory.oom_control")), "oom_kill");
}

std::size_t control_group::refused_processes() const {
  return processes_.empty() ? 0 : number_after(text_of(processes_ / "pids.events"), "max");
}

std::optional<std::size_t> control_group::peak_bytes() const {
  if (memory_.empty()) return std::nullopt;
  std::size_t bytes = 0;
  std::stringstream from(text_of(memory_ / (unified_ ? "memory.peak" : "memory.max_usage_in_bytes")));
  if (!(from >> bytes)) return std::nullopt;
  return bytes;
}

std::size_t sweep_groups(const group_candidates& candidates) {
  std::size_t swept = 0;
  for (const auto* places : {&candidates.unified, &candidates.memory, &candidates.processes})
    for (const fs::path& place : *places) sweep_in(place, swept);
  return swept;
}

}  // namespace simtlab::sandbox
