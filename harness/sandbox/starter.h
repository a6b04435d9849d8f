// Everything between fork and exec: the process that becomes bubblewrap, or the command itself.
#pragma once

#include <sys/types.h>

#include <cstddef>

#include "sandbox/control_group.h"
#include "sandbox/options.h"

namespace simtlab::sandbox {

/// The launcher has one thread, so that all of the library is safe here.
class starter {
 public:
  /// `process_limit` is set inside; `status` is the descriptor that bubblewrap tells on; `launcher` is our parent.
  starter(const launch_options&, const control_group&, bool is_root, std::size_t process_limit, int status,
          pid_t launcher);
  /// Throws launch_error when there is no command to become.
  [[noreturn]] void become_command() const;

 private:
  void die_with_launcher() const;
  void join_group() const;
  void drop() const;
  [[noreturn]] void become_bubblewrap() const;
  [[noreturn]] void become_plain_command() const;

  const launch_options& options_;
  const control_group& group_;
  const bool is_root_;
  const std::size_t process_limit_;
  const int status_;
  const pid_t launcher_;
};

}  // namespace simtlab::sandbox
