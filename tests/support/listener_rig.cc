#include "tests/support/listener_rig.h"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>

namespace tengen::tests {

namespace asio = boost::asio;
using daemon::HttpId;
using daemon::HttpRequest;
using daemon::HttpResponse;

namespace {

constexpr std::chrono::seconds kPatience{20};

/// A queue between the loop and the test.
template <typename Value>
class Mailbox {
 public:
  void put(Value value) {
    const std::lock_guard lock(mutex_);
    values_.push_back(std::move(value));
    arrived_.notify_one();
  }
  std::optional<Value> take(std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_);
    if (!arrived_.wait_for(lock, patience, [this] { return !values_.empty(); })) {
      return std::nullopt;
    }
    auto first = std::move(values_.front());
    values_.pop_front();
    return first;
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<Value> values_;
};

}  // namespace

struct ListenerRig::State {
  daemon::ConnectionEvents events(Answerer answerer) {
    daemon::ConnectionEvents made;
    made.request = [this, answerer = std::move(answerer)](HttpId id, HttpRequest&& request) {
      auto answer = answerer ? answerer(request) : std::nullopt;
      if (answer) return listener->respond(id, std::move(*answer));
      asked.put({id, std::move(request)});
    };
    made.http_gone = [this](HttpId id) { gone.put(id); };
    made.connected = [](daemon::ConnId, protocol::Format, const std::string&) {};
    made.frame = [](daemon::ConnId, protocol::FrameKind, std::string_view) {};
    made.disconnected = [](daemon::ConnId) {};
    return made;
  }

  template <typename Call>
  auto on_loop(Call call) {
    std::packaged_task<decltype(call())()> task(std::move(call));
    auto result = task.get_future();
    asio::post(io, std::move(task));
    return result.get();
  }

  asio::io_context io{1};
  asio::executor_work_guard<asio::io_context::executor_type> work{io.get_executor()};
  Mailbox<Asked> asked;
  Mailbox<HttpId> gone;
  std::unique_ptr<daemon::Listener> listener;
  std::thread thread;
};

ListenerRig::ListenerRig(daemon::ListenerConfig config, Answerer answerer)
    : state_(std::make_unique<State>()) {
  auto& state = *state_;
  auto opened = daemon::Listener::open(state.io, std::move(config), state.events(answerer));
  if (const auto* problem = std::get_if<std::string>(&opened)) throw std::runtime_error(*problem);
  state.listener = std::move(std::get<std::unique_ptr<daemon::Listener>>(opened));
  state.listener->start();
  state.thread = std::thread([&state] { state.io.run(); });
}

ListenerRig::~ListenerRig() {
  state_->io.stop();
  state_->thread.join();
}

std::uint16_t ListenerRig::port() const { return state_->listener->port(); }

Asked ListenerRig::asked() {
  auto next = state_->asked.take(kPatience);
  if (!next) throw std::runtime_error("no request");
  return std::move(*next);
}

void ListenerRig::respond(HttpId id, HttpResponse response) {
  state_->on_loop([&] { state_->listener->respond(id, std::move(response)); });
}

std::optional<HttpId> ListenerRig::gone(std::chrono::milliseconds patience) {
  return state_->gone.take(patience);
}

void ListenerRig::stop() {
  state_->on_loop([&] { state_->listener->stop(); });
}

std::size_t ListenerRig::connections() const {
  return state_->on_loop([&] { return state_->listener->connections(); });
}

}  // namespace tengen::tests
