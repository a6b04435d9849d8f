#include "protocol/file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "protocol/protocol_error.h"

namespace simtlab {
namespace {

class descriptor {
 public:
  explicit descriptor(int fd) : fd_(fd) {}
  ~descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  descriptor(const descriptor&) = delete;  // it owns the descriptor
  descriptor& operator=(const descriptor&) = delete;
  [[nodiscard]] int get() const { return fd_; }
  [[nodiscard]] int release() { return std::exchange(fd_, -1); }
  [[nodiscard]] bool valid() const { return fd_ >= 0; }

 private:
  int fd_;
};

std::string reason() { return std::strerror(errno); }

void read_all(int fd, char* to, std::size_t size, const std::string& path) {
  while (size > 0) {
    const ssize_t got = read(fd, to, size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw protocol_error(path + ": cannot be read: " + reason());
    if (got == 0) throw protocol_error(path + ": shrank while it was read");
    to += got;
    size -= static_cast<std::size_t>(got);
  }
}

}  // namespace

mapped_file::~mapped_file() {
  if (begin_ != nullptr) munmap(begin_, bytes_);
}

mapped_file::mapped_file(mapped_file&& other) noexcept
    : begin_(std::exchange(other.begin_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

folder_handle::folder_handle(const std::filesystem::path& path)
    : descriptor_(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)), path_(path.string()) {
  if (descriptor_ < 0) throw protocol_error(path_ + ": is no folder that can be opened: " + reason());
}

folder_handle::~folder_handle() { close(descriptor_); }

bool folder_handle::has(const std::string& file) const {
  struct stat status {};
  return fstatat(descriptor_, file.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
}

std::string folder_handle::read_text(const std::string& file, std::size_t greatest) const {
  const std::string path = path_ + "/" + file;
  // Non-blocking, so that a pipe put in the file's place does not hold us.
  const descriptor fd(openat(descriptor_, file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!fd.valid()) throw protocol_error(path + ": cannot be opened: " + reason());
  struct stat status {};
  if (fstat(fd.get(), &status) != 0 || !S_ISREG(status.st_mode)) throw protocol_error(path + ": is not a regular file");
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size > greatest)
    throw protocol_error(path + ": has " + std::to_string(size) + " bytes, at most " + std::to_string(greatest) +
                         " are read");
  std::string text(size, '\0');
  read_all(fd.get(), text.data(), size, path);
  return text;
}

int folder_handle::open_to_read(const std::string& file, std::size_t size) const {
  const std::string path = path_ + "/" + file;
  descriptor fd(openat(descriptor_, file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!fd.valid()) throw protocol_error(path + ": cannot be opened: " + reason());
  struct stat status {};
  if (fstat(fd.get(), &status) != 0 || !S_ISREG(status.st_mode)) throw protocol_error(path + ": is not a regular file");
  if (static_cast<std::size_t>(status.st_size) != size)
    throw protocol_error(path + ": expected " + std::to_string(size) + " bytes, found " +
                         std::to_string(status.st_size));
  return fd.release();
}

std::vector<std::byte> folder_handle::read_bytes(const std::string& file, std::size_t size) const {
  const descriptor fd(open_to_read(file, size));
  std::vector<std::byte> bytes(size);
  read_all(fd.get(), reinterpret_cast<char*>(bytes.data()), size, path_ + "/" + file);
  return bytes;
}

mapped_file folder_handle::map(const std::string& file, std::size_t size) const {
  const descriptor fd(open_to_read(file, size));
  if (size == 0) return {};
  void* begin = mmap(nullptr, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd.get(), 0);
  if (begin == MAP_FAILED) throw protocol_error(path_ + "/" + file + ": cannot be mapped: " + reason());
  return {begin, size};
}

int folder_handle::open_to_write(const std::string& file) const {
  const int fd = openat(descriptor_, file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644);
  if (fd < 0) throw protocol_error(path_ + "/" + file + ": cannot be created: " + reason());
  return fd;
}

void folder_handle::write(const std::string& file, std::string_view text) const {
  write(file, text.data(), text.size());
}

void folder_handle::write(const std::string& file, std::span<const std::byte> bytes) const {
  write(file, reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

void folder_handle::write(const std::string& file, const char* data, std::size_t size) const {
  const std::string path = path_ + "/" + file;
  const std::string unfinished = file + ".part";
  const descriptor fd(open_to_write(unfinished));
  while (size > 0) {
    const ssize_t put = ::write(fd.get(), data, size);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) throw protocol_error(path + ": cannot be written: " + reason());
    data += put;
    size -= static_cast<std::size_t>(put);
  }
  if (renameat(descriptor_, unfinished.c_str(), descriptor_, file.c_str()) != 0)
    throw protocol_error(path + ": cannot be renamed into place: " + reason());
}

}  // namespace simtlab
