#include "tests/bench/bare_trips.h"

#include <sys/epoll.h>
#include <unistd.h>

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <deque>
#include <stdexcept>
#include <string_view>

#include "tests/bench/bare_engine.h"

namespace tengen::tests {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

constexpr std::chrono::seconds kLimit{120};

/// What every engine of one loop has in common.
struct Round {
  asio::io_context io{1};
  const std::vector<std::string>* writes = nullptr;
  long left = 0;
  long open = 0;
};

/// Where one engine is in the writes. `Process` is what it is written to by.
template <typename Process>
class Trip {
 public:
  Trip(Round& round, const Process& process) : round_(&round), process_(&process) {}

  void begin() {
    next_ = 0;
    go_on();
  }
  void on_read(std::string_view bytes) {
    if (!bytes.ends_with("\n\n")) return;
    --round_->open;
    go_on();
    if (round_->open == 0) round_->io.stop();
  }

 private:
  void go_on() {
    if (round_->left == 0) return;
    --round_->left;
    ++round_->open;
    process_->write((*round_->writes)[next_]);
    next_ = next_ + 1 == round_->writes->size() ? 0 : next_ + 1;
  }

  Round* round_;
  const Process* process_;
  std::size_t next_ = 0;
};

template <typename Engines>
void run_round(Round& round, Engines& engines, long trips, const std::vector<std::string>& writes) {
  asio::steady_timer limit(round.io, kLimit);
  limit.async_wait([&round](error_code error) {
    if (!error) round.io.stop();
  });
  round.writes = &writes;
  round.left = trips;
  round.open = 0;
  round.io.restart();
  for (auto& engine : engines) engine.trip.begin();
  round.io.run();
  if (round.open != 0) throw std::runtime_error("the bare loop has no end");
}

class ByOperations final : public BareTrips {
 public:
  ByOperations(int engines, const std::string& program) {
    for (int i = 0; i < engines; ++i) engines_.emplace_back(round_, program);
  }
  void run(long trips, const std::vector<std::string>& writes) override {
    run_round(round_, engines_, trips, writes);
  }

 private:
  struct Engine {
    Engine(Round& round, const std::string& program)
        : process(round.io, {program}, [this](std::string_view bytes) { trip.on_read(bytes); }),
          trip(round, process) {}
    BareEngine process;
    Trip<BareEngine> trip;
  };

  Round round_;
  std::deque<Engine> engines_;
};

class ByEpollSet final : public BareTrips {
 public:
  ByEpollSet(int engines, const std::string& program) : set_(round_.io) {
    const int set = ::epoll_create1(EPOLL_CLOEXEC);
    if (set < 0) throw std::runtime_error("no epoll set");
    set_.assign(set);
    for (int i = 0; i < engines; ++i) {
      Engine& engine = engines_.emplace_back(round_, program);
      epoll_event event{};
      event.events = EPOLLIN;
      event.data.ptr = &engine;
      ::epoll_ctl(set, EPOLL_CTL_ADD, engine.process.output(), &event);
    }
    wait();
  }
  void run(long trips, const std::vector<std::string>& writes) override {
    run_round(round_, engines_, trips, writes);
  }

 private:
  struct Engine {
    Engine(Round& round, const std::string& program) : process({program}), trip(round, process) {}
    BareProcess process;
    Trip<BareProcess> trip;
  };

  void wait() {
    set_.async_wait(asio::posix::stream_descriptor::wait_read, [this](error_code error) {
      if (error) return;
      serve();
      wait();
    });
  }
  void serve() {
    const int count =
        ::epoll_wait(set_.native_handle(), ready_.data(), static_cast<int>(ready_.size()), 0);
    for (int i = 0; i < count; ++i) {
      auto* engine = static_cast<Engine*>(ready_[static_cast<std::size_t>(i)].data.ptr);
      const ssize_t size = ::read(engine->process.output(), buffer_.data(), buffer_.size());
      if (size > 0) engine->trip.on_read({buffer_.data(), static_cast<std::size_t>(size)});
    }
  }

  Round round_;
  asio::posix::stream_descriptor set_;
  std::deque<Engine> engines_;
  std::array<epoll_event, 256> ready_{};
  std::array<char, 64 * 1024> buffer_;
};

}  // namespace

std::unique_ptr<BareTrips> BareTrips::by_operations(int engines, const std::string& program) {
  return std::make_unique<ByOperations>(engines, program);
}

std::unique_ptr<BareTrips> BareTrips::by_epoll_set(int engines, const std::string& program) {
  return std::make_unique<ByEpollSet>(engines, program);
}

}  // namespace tengen::tests
