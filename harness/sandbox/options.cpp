#include "sandbox/options.h"

#include <charconv>
#include <sstream>

namespace simtlab::sandbox {
namespace {

std::filesystem::path absolute_path(const std::string& option, const std::string& word) {
  if (!word.starts_with('/')) throw usage_error(option + " expects an absolute path, found \"" + word + "\"");
  // `/a/b/` names no last part, of which a mount point would be made.
  std::filesystem::path path = std::filesystem::path(word).lexically_normal();
  return path.has_filename() ? path : path.parent_path();
}

std::size_t number(const std::string& option, const std::string& word) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size() || value > 1U << 30)
    throw usage_error(option + " expects a number, found \"" + word + "\"");
  return value;
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> words;
  std::stringstream from(text);
  for (std::string word; std::getline(from, word, ',');)
    if (!word.empty()) words.push_back(word);
  return words;
}

}  // namespace

command_line parse_command_line(const std::vector<std::string>& words) {
  using way = shown_path::way;
  command_line line;
  launch_options& o = line.launch;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& option = words[i];
    const auto value = [&]() -> const std::string& {
      if (i + 1 == words.size()) throw usage_error(option + " expects a value");
      return words[++i];
    };
    const auto show = [&](way how) { o.shown.push_back({how, absolute_path(option, value())}); };
    if (option == "--") {
      o.command.assign(words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end());
      break;
    }
    if (option == "--read")
      show(way::read);
    else if (option == "--read-try")
      show(way::read_if_there);
    else if (option == "--write")
      show(way::write);
    else if (option == "--device")
      show(way::device);
    else if (option == "--folder")
      o.folder = absolute_path(option, value());
    else if (option == "--status")
      o.status = absolute_path(option, value());
    else if (option == "--processes")
      o.processes = number(option, value());
    else if (option == "--memory-mb")
      o.memory_mb = number(option, value());
    else if (option == "--tmp-mb")
      o.temporary_mb = number(option, value());
    else if (option == "--keep")
      o.variables.push_back(value());
    else if (option == "--require")
      o.required = split(value());
    else if (option == "--gpu")
      o.gpu = true;
    else if (option == "--no-shared-memory")
      o.shared_memory = false;
    else if (option == "--without-namespaces")
      o.namespaces = false;
    else if (option == "--probe")
      line.what = action::probe;
    else if (option == "--json")
      line.json = true;
    else if (option == "--sweep")
      line.what = action::sweep;
    else if (option == "--check-inside")
      line.what = action::check_inside;
    else if (option == "--help" || option == "-h")
      line.what = action::help;
    else
      throw usage_error("unknown option \"" + option + "\"");
  }
  if (line.what == action::launch && o.command.empty()) throw usage_error("no command: put it behind --");
  if (o.processes == 0) throw usage_error("--processes expects at least 1");
  return line;
}

const char* usage() {
  return "simtlab-sandbox [options] -- COMMAND...\n"
         "simtlab-sandbox --probe [--json] | --sweep\n"
         "\n"
         "Runs a command that is not trusted. It sees the system's programs and libraries,\n"
         "the paths named here, and nothing else: no network, no other process, no device.\n"
         "Limits of processor time, data memory and file size are those of the caller.\n"
         "\n"
         "  --read PATH          a file or folder that it may read, at the same path inside\n"
         "  --read-try PATH      the same, if it is there\n"
         "  --write PATH         a folder that it may write; as root it is given to the user\n"
         "                       that the command runs as\n"
         "  --device PATH        a device\n"
         "  --gpu                the devices of NVIDIA's GPUs\n"
         "  --folder PATH        where it starts (default /tmp, which is empty)\n"
         "  --keep NAME          an environment variable that it gets\n"
         "  --processes N        processes and threads at a time (default 32)\n"
         "  --memory-mb N        memory of everything together, where control groups allow\n"
         "  --tmp-mb N           size of /tmp (default 64)\n"
         "  --no-shared-memory   memory that processes share cannot be made\n"
         "  --require A,B        refuse to start unless these layers are active\n"
         "  --without-namespaces only what works where namespaces are not to be had\n"
         "  --status FILE        write how it ended, as JSON\n"
         "  --probe              say which layers work here\n"
         "  --sweep              remove what killed launchers left behind\n"
         "\n"
         "Exit code: the command's, 128 + signal if one ended it, 125 if it was not started.\n";
}

}  // namespace simtlab::sandbox
