// libFuzzer target: calls to a virtual engine. The bytes are methods with requests, answers of
// engines and ends of jobs; whatever they are, each call gets exactly one answer at most, a refusal
// is a text that can be shown, and the engine keeps its own books.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "daemon/virtual_engine.h"
#include "protocol/text.h"
#include "support/gtp_wire.h"

namespace {

using namespace tengen::daemon;
using namespace tengen::protocol;
namespace pool = tengen::pool;
namespace rules = tengen::rules;

void check(bool holds) {
  if (!holds) std::abort();
}

/// Hands out the input piece by piece; zeros when it is used up.
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size)
      : rest_(reinterpret_cast<const char*>(data), size) {}
  bool is_empty() const { return rest_.empty(); }
  unsigned byte() {
    if (rest_.empty()) return 0;
    const auto value = static_cast<unsigned char>(rest_.front());
    rest_.remove_prefix(1);
    return value;
  }
  std::string bytes(std::size_t length) {
    const std::string_view part = rest_.substr(0, length);
    rest_.remove_prefix(part.size());
    return std::string(part);
  }

 private:
  std::string_view rest_;
};

constexpr std::string_view kMethods[] = {
    "Play",           "GenMove", "Undo",         "BoardSize",    "Komi",
    "ClearBoard",     "Raw",     "SetKomi",      "KnownCommand", "ListCommands",
    "Name",           "Quit",    "SetBoardSize", "Version",      "ProtocolVersion",
    "IsKnownCommand", "",        "nonsense"};

pool::Profile profile() {
  pool::Profile profile;
  profile.name = "fuzz";
  profile.size_min = 1;
  profile.size_max = 7;
  profile.raw_commands = {"a", "showboard"};
  return profile;
}

VirtualEngine new_engine() {
  VirtualEngineSpec spec;
  spec.profile = "fuzz";
  spec.start.size = {3, 3};
  VirtualEngineLimits limits;
  limits.moves_max = 40;
  limits.calls_waiting_max = 4;
  limits.answers_kept_max = 3;
  limits.answer_bytes_kept_max = 64;
  auto board = std::get<VirtualBoard>(VirtualBoard::make(spec, limits.moves_max));
  return VirtualEngine({1, {}}, std::move(spec), std::move(board), limits);
}

/// Half of the plays are well formed, since few random bytes are.
std::string request_for(std::string_view method, Input& input) {
  const unsigned form = input.byte();
  if (method != "Play" || form % 2 == 0) return input.bytes(form / 2);
  const auto color = form & 2 ? rules::Color::Black : rules::Color::White;
  const unsigned at = input.byte();
  std::string vertex;
  if (at % 16 != 0) vertex = std::string(1, "ABCD"[at & 3]) + std::to_string(1 + (at >> 2 & 3));
  return tengen::tests::play_request(static_cast<int>(form), color, vertex);
}

pool::JobResult result_for(const pool::Job& job, Input& input) {
  const unsigned kind = input.byte();
  if (kind % 8 == 0) {
    const auto error = static_cast<pool::JobError>(kind / 8 % 9);
    return pool::JobFailure{error, input.bytes(kind / 16)};
  }
  if (job.want == pool::Want::Raw) return pool::EngineText{kind % 2 == 0, input.bytes(kind / 8)};
  if (kind % 8 == 1) return pool::EngineMove{pool::EngineMove::Kind::Pass, {}};
  if (kind % 8 == 2) return pool::EngineMove{pool::EngineMove::Kind::Resign, {}};
  const auto size = job.record.size();
  return pool::EngineMove{pool::EngineMove::Kind::Play,
                          rules::Point::at(static_cast<int>(input.byte() % size.width),
                                           static_cast<int>(input.byte() % size.height))};
}

class Conversation {
 public:
  explicit Conversation(Input input) : input_(std::move(input)), engine_(new_engine()) {
    facts_.profile = &profile_;
  }

  void run() {
    while (!input_.is_empty()) {
      const unsigned what = input_.byte();
      if (what % 4 == 3 && engine_.awaited_job()) {
        finish_job();
      } else if (what == 0xfe) {
        engine_.end(effects_);
      } else {
        send(what);
      }
      look();
    }
    engine_.end(effects_);
    look();
    check(engine_.waiting() == 0 && answered_.size() == sent_);
  }

 private:
  void send(unsigned what) {
    const std::string_view method = kMethods[what / 4 % std::size(kMethods)];
    const std::string request_id = what % 4 == 1 ? std::string(1, "abcd"[input_.byte() % 4]) : "";
    std::string request = request_for(method, input_);
    check_decoding(method, request);
    engine_.on_call({{ConnId{1}, ++sent_}, std::string(method), std::move(request), request_id},
                    facts_, effects_);
  }
  void finish_job() {
    const pool::Job& job = effects_.submit.back();
    check(job.id == *engine_.awaited_job());
    check(job.record.size() == engine_.board().record().size());
    engine_.on_job_done({job.id, result_for(job, input_)}, facts_, effects_);
  }
  /// The same call is read the same, and a refusal of the frame's can be shown to anyone.
  static void check_decoding(std::string_view method, const std::string& request) {
    const auto decoded = decode_gtp_call(method, request);
    check(decoded == decode_gtp_call(method, request));
    const auto* error = std::get_if<Error>(&decoded);
    if (error != nullptr) check(!error->message.empty() && is_clean_text(error->message));
  }
  void look() {
    check(!engine_.broken_invariant());
    for (const VirtualReply& reply : effects_.replies) {
      check(answered_.insert(reply.caller.request).second);
    }
    effects_.replies.clear();
  }

  Input input_;
  pool::Profile profile_ = profile();
  EngineFacts facts_;
  VirtualEngine engine_;
  VirtualEffects effects_;
  std::uint32_t sent_ = 0;
  std::set<std::uint32_t> answered_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const std::string_view method : kMethods) (void)decode_gtp_call(method, bytes);
  Conversation(Input(data, size)).run();
  return 0;
}
