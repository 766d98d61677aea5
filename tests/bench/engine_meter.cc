#include "tests/bench/engine_meter.h"

#include <charconv>
#include <stdexcept>
#include <utility>

namespace tengen::tests {
namespace {

using std::chrono::nanoseconds;
using std::chrono::steady_clock;

std::uint32_t id_of(std::string_view line) {
  std::uint32_t id = 0;
  std::from_chars(line.data(), line.data() + line.size(), id);
  return id;
}

}  // namespace

EngineMeter::EngineMeter(pid_t pid) {
  if (::clock_getcpuclockid(pid, &clock_) != 0) throw std::runtime_error("an engine has gone");
  first_ = cpu();
}

void EngineMeter::on_write(std::string_view lines) {
  if (open_) throw std::runtime_error("an engine was written to before its last answer");
  Open open;
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(line.size() + 1);
    open.sync_id = std::exchange(open.last_id, id_of(line));
    open.is_search = line.find("genmove") != std::string_view::npos;
    ++open.metered.commands;
  }
  if (open.is_search) --open.metered.commands;
  open.begin = cpu();
  open.begin_wall = steady_clock::now();
  open_ = std::move(open);
}

std::optional<Metered> EngineMeter::on_read(std::string_view bytes) {
  std::vector<pool::Answer> answers;
  reader_.feed(bytes, answers);
  if (!open_ || answers.empty()) return std::nullopt;
  Metered& metered = open_->metered;
  for (const pool::Answer& answer : answers) {
    const bool is_sync_over = answer.id == open_->sync_id && open_->is_search;
    if (is_sync_over || (answer.id == open_->last_id && !open_->is_search)) {
      metered.sync = cpu() - open_->begin;
      metered.sync_wall = steady_clock::now() - open_->begin_wall;
    }
    if (answer.id != open_->last_id) continue;
    if (open_->is_search) metered.search = cpu() - open_->begin - metered.sync;
    metered.answer = answer.text;
    return std::exchange(open_, std::nullopt)->metered;
  }
  return std::nullopt;
}

nanoseconds EngineMeter::cpu() const {
  timespec time{};
  if (::clock_gettime(clock_, &time) != 0) throw std::runtime_error("an engine has gone");
  return std::chrono::seconds(time.tv_sec) + nanoseconds(time.tv_nsec);
}

}  // namespace tengen::tests
