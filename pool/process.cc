// See process.h. Each child is kept alive by its pending operations; when Processes goes, children
// lose their owner, are killed, and their operations end without telling anybody.
#include "pool/process.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <cerrno>
#include <map>

#include "pool/limits.h"
#include "pool/spawn.h"

namespace tengen::pool {
namespace {

namespace asio = boost::asio;
using asio::posix::stream_descriptor;
using boost::system::error_code;

constexpr std::size_t kReadBytes = 16 * 1024;

/// What a child needs of its owner, gone when the owner is.
struct Home {
  Keeper& keeper;
  ProcessEvents events;
  std::map<EngineId, std::shared_ptr<class Child>> children;
};

class Child : public std::enable_shared_from_this<Child> {
 public:
  Child(asio::io_context& io, std::weak_ptr<Home> home, EngineId id, Spawned spawned)
      : home_(std::move(home)),
        id_(id),
        group_(spawned.pid),
        exit_(io, spawned.exit.release()),
        input_(io, spawned.input.release()),
        output_(io, spawned.output.release()),
        error_(io, spawned.error.release()),
        grace_(io) {}

  pid_t pid() const { return group_; }
  void start();
  void write(std::string_view bytes);
  void close_input();
  void kill();

 private:
  using Tell = std::function<void(EngineId, std::string_view)> ProcessEvents::*;
  struct Stream {
    std::array<char, kReadBytes> buffer;
    bool is_open = true;
  };

  void read(stream_descriptor& from, Stream& stream, Tell tell);
  void send_pending();
  void on_exit();
  void finish_if_read();
  void finish();

  std::weak_ptr<Home> home_;
  EngineId id_;
  pid_t group_;
  stream_descriptor exit_;
  stream_descriptor input_;
  stream_descriptor output_;
  stream_descriptor error_;
  asio::steady_timer grace_;
  Stream output_stream_;
  Stream error_stream_;
  std::string pending_;  // waits for the write in flight
  std::string in_flight_;
  bool is_input_closing_ = false;  // once everything is written
  bool has_exited_ = false;
  bool is_finished_ = false;
};

void Child::start() {
  read(output_, output_stream_, &ProcessEvents::output);
  read(error_, error_stream_, &ProcessEvents::error_output);
  exit_.async_wait(stream_descriptor::wait_read, [self = shared_from_this()](error_code error) {
    if (!error) self->on_exit();
  });
}

void Child::read(stream_descriptor& from, Stream& stream, Tell tell) {
  from.async_read_some(
      asio::buffer(stream.buffer),
      [this, self = shared_from_this(), &from, &stream, tell](error_code error, std::size_t size) {
        const auto home = home_.lock();
        if (!home || is_finished_) return;
        if (size > 0) (home->events.*tell)(id_, std::string_view(stream.buffer.data(), size));
        if (!error) return read(from, stream, tell);
        stream.is_open = false;
        finish_if_read();
      });
}

void Child::write(std::string_view bytes) {
  if (!input_.is_open() || is_input_closing_) return;
  if (pending_.size() + bytes.size() > Limits::kWriteBacklogMax) return kill();
  pending_ += bytes;
  send_pending();
}

void Child::send_pending() {
  if (!in_flight_.empty() || !input_.is_open()) return;
  if (pending_.empty()) {
    if (is_input_closing_) input_.close();
    return;
  }
  in_flight_.swap(pending_);
  asio::async_write(input_, asio::buffer(in_flight_),
                    [self = shared_from_this()](error_code error, std::size_t) {
                      self->in_flight_.clear();
                      // A reader that has gone shows in its exit; there is nobody to write to.
                      if (error) self->pending_.clear();
                      self->send_pending();
                    });
}

void Child::close_input() {
  is_input_closing_ = true;
  send_pending();
}

void Child::kill() {
  if (!is_finished_) ::kill(-group_, SIGKILL);
}

// Not reaped yet, so the group's number is still ours.
void Child::on_exit() {
  has_exited_ = true;
  grace_.expires_after(Limits::kPipeGrace);
  grace_.async_wait([self = shared_from_this()](error_code error) {
    if (!error) self->finish();
  });
  finish_if_read();
}

void Child::finish_if_read() {
  if (has_exited_ && !output_stream_.is_open && !error_stream_.is_open) finish();
}

void Child::finish() {
  if (is_finished_) return;
  const auto home = home_.lock();
  if (!home) return;
  kill();  // grandchildren that are left
  is_finished_ = true;
  home->keeper.forget(group_);
  siginfo_t info = {};
  ::waitid(P_PIDFD, static_cast<id_t>(exit_.native_handle()), &info, WEXITED | WNOHANG);
  for (stream_descriptor* each : {&exit_, &input_, &output_, &error_}) each->close();
  grace_.cancel();
  home->children.erase(id_);
  home->events.exited(id_, ExitStatus{info.si_code != CLD_EXITED, info.si_status});
}

}  // namespace

struct Processes::State {
  asio::io_context& io;
  std::shared_ptr<Home> home;

  std::shared_ptr<Child> find(EngineId id) const {
    const auto found = home->children.find(id);
    return found == home->children.end() ? nullptr : found->second;
  }
};

Processes::Processes(asio::io_context& io, Keeper& keeper, ProcessEvents events)
    : state_(std::make_unique<State>(
          State{io, std::make_shared<Home>(Home{keeper, std::move(events), {}})})) {
  // A dead engine's pipe must be an error, not the end of us.
  ::signal(SIGPIPE, SIG_IGN);
}

Processes::~Processes() {
  for (const auto& [id, child] : state_->home->children) {
    child->kill();
    state_->home->keeper.forget(child->pid());
    while (::waitpid(child->pid(), nullptr, 0) < 0 && errno == EINTR) {
    }
  }
}

void Processes::spawn(const Spawn& what) {
  auto result = spawn_process(what, state_->home->keeper);
  std::weak_ptr<Home> weak = state_->home;
  if (auto* reason = std::get_if<std::string>(&result)) {
    asio::post(state_->io, [weak, id = what.engine, text = std::move(*reason)] {
      if (const auto home = weak.lock()) home->events.spawn_failed(id, text);
    });
    return;
  }
  Spawned& spawned = std::get<Spawned>(result);
  const auto child = std::make_shared<Child>(state_->io, weak, what.engine, std::move(spawned));
  state_->home->children.emplace(what.engine, child);
  asio::post(state_->io, [weak, id = what.engine, child] {
    const auto home = weak.lock();
    if (!home) return;
    home->events.spawned(id, child->pid());
    child->start();
  });
}

void Processes::write(const Write& what) {
  if (const auto child = state_->find(what.engine)) child->write(what.bytes);
}

void Processes::close_input(const CloseInput& what) {
  if (const auto child = state_->find(what.engine)) child->close_input();
}

void Processes::kill(const Kill& what) {
  if (const auto child = state_->find(what.engine)) child->kill();
}

std::size_t Processes::running() const { return state_->home->children.size(); }

}  // namespace tengen::pool
