#include "scheduler/interruption.h"

#include <sys/time.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <ctime>

#include "core/closed_memory.h"
#include "scheduler/fault.h"
#include "scheduler/worker.h"

namespace simtlab::emulator {
namespace {

constexpr int seconds_to_speak = 10;
constexpr int microseconds_without_hook = 300'000;  // of processor time
constexpr std::int64_t shortest_patience = 500;     // milliseconds
constexpr int signals[] = {SIGINT, SIGTERM, SIGALRM, SIGHUP, SIGXCPU};

std::atomic<running_launch*> running{nullptr};
std::atomic<int> pending{0};
std::atomic<std::int64_t> asked_at{0};
void (*on_host_code)(int);
static_assert(std::atomic<running_launch*>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

__thread site pulled_out_at;

[[noreturn]] void leave_loop() {
  worker& w = *worker::current();
  w.note_endless(pulled_out_at);
  w.abandon_lane();
}

/// The lane has come to no hook for long: it goes round a loop without any access to memory.
void pull_out(int, siginfo_t*, void* context) {
  const worker* w = worker::current();
  if (running.load() != nullptr && w != nullptr && w->in_lane()) pulled_out_at = go_on_in_lane(&leave_loop, context);
}

void handle_by(int signal, void (*handler)(int, siginfo_t*, void*)) {
  struct sigaction ours {};
  ours.sa_sigaction = handler;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  sigemptyset(&ours.sa_mask);
  sigaction(signal, &ours, nullptr);
}

std::int64_t milliseconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * std::int64_t{1000} + now.tv_nsec / 1'000'000;
}

void speak_or_end(int signal, siginfo_t*, void* context) {
  const int before = errno;
  look_at_handlers_frame(__builtin_frame_address(0));
  open_memory();  // nothing of the program's host code runs after the first signal, but for a moment behind a second one
  if (pending.load() != 0) {
    // Who ends a group of processes often sends the signal twice at once. Later it is meant: asked again, or out of time.
    if (milliseconds() - asked_at.load() >= shortest_patience) end_by_signal(signal);
    errno = before;
    return;
  }
  asked_at.store(milliseconds());
  pending.store(signal);
  std::signal(SIGALRM, SIG_DFL);
  const itimerval until{{0, 0}, {seconds_to_speak, 0}};
  setitimer(ITIMER_REAL, &until, nullptr);
  if (running_launch* launch = running.load()) {
    launch->stop(stop_reason::interrupted);
    handle_by(SIGVTALRM, &pull_out);
    const itimerval in_vain{{0, 0}, {0, microseconds_without_hook}};
    setitimer(ITIMER_VIRTUAL, &in_vain, nullptr);
  } else {
    go_on_in_host_code([] { on_host_code(interruption()); }, context);
  }
  errno = before;
}

}  // namespace

void install_interruption_handlers(void (*on_host)(int)) {
  on_host_code = on_host;
  for (const int signal : signals) {
    struct sigaction now {};
    if (sigaction(signal, nullptr, &now) != 0 || (now.sa_flags & SA_SIGINFO) != 0 || now.sa_handler != SIG_DFL)
      continue;
    handle_by(signal, &speak_or_end);
  }
}

interruptible_launch::interruptible_launch(running_launch& launch) { running.store(&launch); }
interruptible_launch::~interruptible_launch() { running.store(nullptr); }

int interruption() { return pending.load(); }

void end_by_signal(int signal) {
  std::signal(signal, SIG_DFL);
  sigset_t all;
  sigemptyset(&all);
  sigaddset(&all, signal);
  pthread_sigmask(SIG_UNBLOCK, &all, nullptr);
  raise(signal);
  std::_Exit(128 + signal);
}

const char* interruption_in_words(int signal) {
  switch (signal) {
    case SIGINT:
      return "Ctrl-C (SIGINT)";
    case SIGALRM:
      return "A time limit (SIGALRM)";
    case SIGXCPU:
      return "The limit of processor time (SIGXCPU)";
    case SIGHUP:
      return "The end of its terminal (SIGHUP)";
    default:
      return "SIGTERM";
  }
}

}  // namespace simtlab::emulator
