// See exit_text.h. What a code or a signal usually means for an engine; what it meant this time
// only the engine's standard error can tell.
#include "pool/exit_text.h"

#include <csignal>

#include <algorithm>
#include <iterator>

namespace tengen::pool {
namespace {

// What shells and the dynamic linker use, by convention.
constexpr int kNotExecutable = 126;
constexpr int kNotFound = 127;
constexpr int kSignalBase = 128;  // a shell adds the number of the signal that its child died of
constexpr int kSignalMax = 64;

struct SignalName {
  int number;
  const char* text;
};

constexpr SignalName kSignals[] = {
    {SIGHUP, "SIGHUP: its terminal has gone, or by hand"},
    {SIGINT, "SIGINT: interrupted by hand"},
    {SIGQUIT, "SIGQUIT: by hand"},
    {SIGILL, "SIGILL: an instruction that this processor does not have, or a bug of its own"},
    {SIGTRAP, "SIGTRAP: a check of its own"},
    {SIGABRT, "SIGABRT: an assertion of its own failed, or it gave up"},
    {SIGBUS, "SIGBUS: a memory fault, or a file that it had mapped was cut"},
    {SIGFPE, "SIGFPE: an arithmetic fault of its own"},
    {SIGKILL, "SIGKILL: by the system for want of memory, or by hand"},
    {SIGSEGV, "SIGSEGV: a memory fault of its own"},
    {SIGPIPE, "SIGPIPE: it wrote where nobody reads any more"},
    {SIGALRM, "SIGALRM: a timer of its own"},
    {SIGTERM, "SIGTERM: asked to end, by hand or by the system"},
    {SIGXCPU, "SIGXCPU: it has used up its processor time"},
    {SIGXFSZ, "SIGXFSZ: a file of its grew beyond the limit"},
    {SIGSYS, "SIGSYS: a system call that it is not allowed"},
};

/// "9 (SIGKILL: by the system ...)", or the number alone.
std::string signal_text(int number) {
  const auto* found = std::find_if(std::begin(kSignals), std::end(kSignals),
                                   [&](const SignalName& each) { return each.number == number; });
  std::string text = std::to_string(number);
  if (found != std::end(kSignals)) text += std::string(" (") + found->text + ")";
  return text;
}

std::string code_meaning(int code) {
  if (code == kNotExecutable) return " (its program cannot be executed)";
  if (code == kNotFound) return " (its program or an interpreter was not found)";
  if (code > kSignalBase && code <= kSignalBase + kSignalMax) {
    return ", which is a shell's word for signal " + signal_text(code - kSignalBase);
  }
  return {};
}

}  // namespace

std::string exit_text(ExitStatus status) {
  if (status.signalled) return "was killed by signal " + signal_text(status.value);
  return "exited with code " + std::to_string(status.value) + code_meaning(status.value);
}

}  // namespace tengen::pool
