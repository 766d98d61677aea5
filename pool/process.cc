// See process.h. All descriptors of all children are in one epoll set of our own, and Asio waits
// for that set: a wake serves many children, none of their descriptors needs an operation of its
// own, and a child is a plain value that goes when it has ended. What is written goes into the pipe
// at once. A round trip to an engine then costs a read and a write, and little else.
#include "pool/process.h"

#include <signal.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cerrno>
#include <unordered_map>
#include <utility>
#include <vector>

#include "pool/group_memory.h"
#include "pool/limits.h"
#include "pool/spawn.h"

namespace tengen::pool {
namespace {

namespace asio = boost::asio;
using asio::posix::stream_descriptor;
using boost::system::error_code;

constexpr std::size_t kReadBytes = 16 * 1024;
/// After so many bytes other handlers of the loop have their turn.
constexpr std::size_t kWakeBytes = 64 * 1024;
/// More at a time cost more (docs/testing.md, ceiling_runner).
constexpr int kWakeEvents = 16;

/// Which of its descriptors a child is to be served at.
enum class Source : std::uint64_t { Exit, Input, Output, Error };
constexpr std::uint64_t kSources = 4;

struct Child {
  Child(asio::io_context& io, Spawned spawned, bool is_watched)
      : process(std::move(spawned)), is_memory_watched(is_watched), grace(io) {}

  std::size_t unsent() const { return backlog.size() - sent; }
  void kill() const { ::kill(-process.pid, SIGKILL); }

  Spawned process;
  bool is_memory_watched;
  asio::steady_timer grace;
  std::string backlog;  // what the pipe did not take, from `sent` on
  std::size_t sent = 0;
  bool is_input_closing = false;  // once everything is written
  bool has_exited = false;
};

int new_epoll_set() { return ::epoll_create1(EPOLL_CLOEXEC); }

}  // namespace

struct Processes::State : std::enable_shared_from_this<Processes::State> {
  State(asio::io_context& loop, Keeper& engine_keeper, ProcessEvents told)
      : io(loop),
        keeper(engine_keeper),
        events(std::move(told)),
        set(loop, new_epoll_set()),
        memory_timer(loop) {}

  // Children.
  void add(EngineId id, Child child);
  void begin(EngineId id);
  Child* find(EngineId id);
  void on_exit(EngineId id, Child& child);
  void finish_if_read(EngineId id, Child& child);
  void finish(EngineId id, Child& child);
  void abandon(Child& child);

  // Waiting for them.
  bool watch(EngineId id, Source source, const Descriptor& descriptor, std::uint32_t what);
  void unwatch(const Descriptor& descriptor);
  void wait();
  void serve();
  std::size_t serve(const epoll_event& event);

  // Bytes.
  std::size_t read(EngineId id, Child& child, Source source);
  void write(EngineId id, Child& child, std::string_view bytes);
  std::size_t write_some(Child& child, std::string_view bytes);
  void on_writable(Child& child);

  // Memory.
  void await_memory_watch();
  void watch_memory();

  asio::io_context& io;
  Keeper& keeper;
  ProcessEvents events;
  std::unordered_map<std::uint32_t, Child> children;  // by EngineId

  stream_descriptor set;
  bool is_waiting = false;
  std::array<epoll_event, kWakeEvents> ready{};
  int ready_next = 0;  // of those, the first that is not served yet
  int ready_end = 0;
  std::array<char, kReadBytes> buffer{};

  std::size_t watched = 0;
  asio::steady_timer memory_timer;  // runs while there are watched children
};

// --- Children.

void Processes::State::add(EngineId id, Child child) {
  if (child.is_memory_watched && watched++ == 0) await_memory_watch();
  children.emplace(id.value, std::move(child));
}

/// Says that the child is there and listens to it from then on.
void Processes::State::begin(EngineId id) {
  if (const Child* there = find(id)) events.spawned(id, there->process.pid);
  Child* child = find(id);
  if (child == nullptr) return;
  const bool is_watched = watch(id, Source::Exit, child->process.exit, EPOLLIN) &&
                          watch(id, Source::Output, child->process.output, EPOLLIN) &&
                          watch(id, Source::Error, child->process.error, EPOLLIN);
  if (!is_watched) return finish(id, *child);
  wait();
}

Child* Processes::State::find(EngineId id) {
  const auto found = children.find(id.value);
  return found == children.end() ? nullptr : &found->second;
}

// Not reaped yet, so the group's number is still ours.
void Processes::State::on_exit(EngineId id, Child& child) {
  unwatch(child.process.exit);
  child.has_exited = true;
  child.grace.expires_after(Limits::kPipeGrace);
  child.grace.async_wait([weak = weak_from_this(), id](error_code error) {
    const auto self = weak.lock();
    if (error || !self) return;
    if (Child* late = self->find(id)) self->finish(id, *late);
  });
  finish_if_read(id, child);
}

void Processes::State::finish_if_read(EngineId id, Child& child) {
  const bool is_read = !child.process.output.is_open() && !child.process.error.is_open();
  if (child.has_exited && is_read) finish(id, child);
}

void Processes::State::finish(EngineId id, Child& child) {
  child.kill();  // grandchildren that are left, or a child that cannot be listened to
  keeper.forget(child.process.pid);
  siginfo_t info = {};
  const auto exit = static_cast<id_t>(child.process.exit.get());
  while (::waitid(P_PIDFD, exit, &info, WEXITED) < 0 && errno == EINTR) {
  }
  if (child.is_memory_watched && --watched == 0) memory_timer.cancel();
  children.erase(id.value);
  if (children.empty()) set.cancel();
  events.exited(id, ExitStatus{info.si_code != CLD_EXITED, info.si_status});
}

void Processes::State::abandon(Child& child) {
  child.kill();
  keeper.forget(child.process.pid);
  while (::waitpid(child.process.pid, nullptr, 0) < 0 && errno == EINTR) {
  }
}

// --- Waiting for them.

/// Until it is closed or taken out again.
bool Processes::State::watch(EngineId id, Source source, const Descriptor& descriptor,
                             std::uint32_t what) {
  epoll_event event{};
  event.events = what;
  event.data.u64 = id.value * kSources + static_cast<std::uint64_t>(source);
  return ::epoll_ctl(set.native_handle(), EPOLL_CTL_ADD, descriptor.get(), &event) == 0;
}

void Processes::State::unwatch(const Descriptor& descriptor) {
  ::epoll_ctl(set.native_handle(), EPOLL_CTL_DEL, descriptor.get(), nullptr);
}

void Processes::State::wait() {
  if (is_waiting || children.empty()) return;
  is_waiting = true;
  const auto on_ready = [weak = weak_from_this()](error_code error) {
    const auto self = weak.lock();
    if (!self) return;
    self->is_waiting = false;
    if (!error) self->serve();
    self->wait();
  };
  // What is left of the last wake comes before anything new, or a few floods would hide the others.
  if (ready_next < ready_end) return asio::post(io, [on_ready] { on_ready(error_code()); });
  set.async_wait(stream_descriptor::wait_read, on_ready);
}

void Processes::State::serve() {
  if (ready_next == ready_end) {
    ready_next = 0;
    ready_end = std::max(::epoll_wait(set.native_handle(), ready.data(), kWakeEvents, 0), 0);
  }
  for (std::size_t bytes = 0; ready_next < ready_end && bytes < kWakeBytes;) {
    bytes += serve(ready[static_cast<std::size_t>(ready_next++)]);
  }
}

/// Returns how many bytes were read.
std::size_t Processes::State::serve(const epoll_event& event) {
  const EngineId id{static_cast<std::uint32_t>(event.data.u64 / kSources)};
  const auto source = static_cast<Source>(event.data.u64 % kSources);
  Child* child = find(id);
  if (child == nullptr) return 0;  // it went since the wake
  switch (source) {
    case Source::Output:
    case Source::Error:
      return read(id, *child, source);
    case Source::Exit:
      if (!child->has_exited) on_exit(id, *child);
      break;
    case Source::Input:
      on_writable(*child);
      break;
  }
  return 0;
}

// --- Bytes.

std::size_t Processes::State::read(EngineId id, Child& child, Source source) {
  const bool is_output = source == Source::Output;
  Descriptor& from = is_output ? child.process.output : child.process.error;
  if (!from.is_open()) return 0;
  const ssize_t size = ::read(from.get(), buffer.data(), buffer.size());
  if (size < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
  if (size <= 0) {
    from.reset();
    finish_if_read(id, child);
    return 0;
  }
  const std::string_view bytes(buffer.data(), static_cast<std::size_t>(size));
  (is_output ? events.output : events.error_output)(id, bytes);
  return bytes.size();
}

void Processes::State::write(EngineId id, Child& child, std::string_view bytes) {
  if (!child.process.input.is_open() || child.is_input_closing) return;
  const bool is_behind = child.unsent() > 0;
  if (!is_behind) bytes.remove_prefix(write_some(child, bytes));
  if (bytes.empty() || !child.process.input.is_open()) return;
  if (child.unsent() + bytes.size() > Limits::kWriteBacklogMax) return child.kill();
  child.backlog += bytes;
  if (!is_behind && !watch(id, Source::Input, child.process.input, EPOLLOUT)) child.kill();
}

/// How many bytes the pipe took. A reader that has gone shows in its exit; there is nobody to write
/// to any more.
std::size_t Processes::State::write_some(Child& child, std::string_view bytes) {
  ssize_t taken = 0;
  do {
    taken = ::write(child.process.input.get(), bytes.data(), bytes.size());
  } while (taken < 0 && errno == EINTR);
  if (taken >= 0) return static_cast<std::size_t>(taken);
  if (errno != EAGAIN) child.process.input.reset();
  return 0;
}

void Processes::State::on_writable(Child& child) {
  if (!child.process.input.is_open() || child.unsent() == 0) return;
  child.sent += write_some(child, std::string_view(child.backlog).substr(child.sent));
  if (!child.process.input.is_open() || child.unsent() > 0) return;
  child.backlog = std::string();
  child.sent = 0;
  unwatch(child.process.input);
  if (child.is_input_closing) child.process.input.reset();
}

// --- Memory.

void Processes::State::await_memory_watch() {
  memory_timer.expires_after(kMemoryWatchInterval);
  memory_timer.async_wait([weak = weak_from_this()](error_code error) {
    const auto self = weak.lock();
    if (!self || error || self->watched == 0) return;
    // The last watched child may have gone and another one come since this was on its way.
    if (self->memory_timer.expiry() > std::chrono::steady_clock::now()) return;
    self->watch_memory();
    self->await_memory_watch();
  });
}

void Processes::State::watch_memory() {
  std::vector<EngineId> engines;
  std::vector<pid_t> groups;
  for (const auto& [id, child] : children) {
    if (!child.is_memory_watched) continue;
    engines.push_back(EngineId{id});
    groups.push_back(child.process.pid);
  }
  const std::vector<std::uint64_t> bytes = resident_bytes(groups);
  for (std::size_t i = 0; i < engines.size(); ++i) {
    if (find(engines[i]) != nullptr) events.memory(engines[i], bytes[i]);
  }
}

Processes::Processes(asio::io_context& io, Keeper& keeper, ProcessEvents events)
    : state_(std::make_shared<State>(io, keeper, std::move(events))) {
  // A dead engine's pipe must be an error, not the end of us.
  ::signal(SIGPIPE, SIG_IGN);
}

Processes::~Processes() {
  for (auto& [id, child] : state_->children) state_->abandon(child);
  state_->children.clear();
}

void Processes::spawn(const Spawn& what) {
  auto result = spawn_process(what, state_->keeper);
  if (auto* reason = std::get_if<std::string>(&result)) {
    asio::post(state_->io,
               [weak = state_->weak_from_this(), id = what.engine, text = std::move(*reason)] {
                 if (const auto state = weak.lock()) state->events.spawn_failed(id, text);
               });
    return;
  }
  const bool is_watched = what.is_memory_watched && state_->events.memory;
  state_->add(what.engine, Child(state_->io, std::move(std::get<Spawned>(result)), is_watched));
  asio::post(state_->io, [weak = state_->weak_from_this(), id = what.engine] {
    if (const auto state = weak.lock()) state->begin(id);
  });
}

void Processes::write(const Write& what) {
  if (Child* child = state_->find(what.engine)) state_->write(what.engine, *child, what.bytes);
}

void Processes::close_input(const CloseInput& what) {
  Child* child = state_->find(what.engine);
  if (child == nullptr) return;
  child->is_input_closing = true;
  if (child->unsent() == 0) child->process.input.reset();
}

void Processes::kill(const Kill& what) {
  if (const Child* child = state_->find(what.engine)) child->kill();
}

std::size_t Processes::running() const { return state_->children.size(); }

}  // namespace tengen::pool
