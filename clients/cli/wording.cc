// The sentences the client says.
#include "clients/cli/wording.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tengen::cli {

namespace {

unsigned char byte_at(std::string_view text, std::size_t at) {
  return at < text.size() ? static_cast<unsigned char>(text[at]) : 0;
}

/// Bytes of the well-formed, harmless character at `at`; 0 when it is neither.
std::size_t shown_bytes(std::string_view text, std::size_t at) {
  const unsigned char lead = byte_at(text, at);
  if (lead < 0x80) return lead >= 0x20 && lead != 0x7f ? 1 : 0;
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte_at(text, at + i) & 0xc0) != 0x80) return 0;
  }
  const bool is_c1 = lead == 0xc2 && byte_at(text, at + 1) < 0xa0;
  return is_c1 ? 0 : length;
}

std::string capital(std::string_view word) {
  std::string text(word);
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

std::string vertices(std::vector<rules::Point> points, rules::Size size) {
  std::sort(points.begin(), points.end());
  std::string text;
  for (const rules::Point point : points) {
    text += text.empty() ? "" : " ";
    text += point.is_on(size) ? gtp_vertex(point, size) : "?";
  }
  return text;
}

/// "4:51", "1:00:00"; the seconds rounded up.
std::string time_text(std::chrono::nanoseconds time) {
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(time).count();
  const auto two_digits = [](std::int64_t value) {
    return (value < 10 ? "0" : "") + std::to_string(value);
  };
  const std::string end = two_digits(seconds % 60);
  const std::int64_t minutes = seconds / 60;
  if (minutes < 60) return std::to_string(minutes) + ":" + end;
  return std::to_string(minutes / 60) + ":" + two_digits(minutes % 60) + ":" + end;
}

struct Sentence {
  rules::Size size;

  std::string operator()(const rules::Played& e) const {
    return capital(color_word(e.color)) + " plays " + vertices({e.point}, size) + ".";
  }
  std::string operator()(const rules::Passed& e) const {
    return capital(color_word(e.color)) + " passes.";
  }
  std::string operator()(const rules::Resigned& e) const {
    return capital(color_word(e.color)) + " resigns.";
  }
  std::string operator()(const rules::DeadListed& e) const {
    const std::string who = capital(color_word(e.color));
    if (!e.points) return who + " takes the other side's list of dead stones.";
    if (e.points->empty()) return who + " finds no dead stones.";
    return who + " finds dead: " + vertices(*e.points, size) + ".";
  }
  std::string operator()(const rules::Forfeited& e) const {
    return capital(color_word(e.color)) + " forfeits: " + printable(e.reason) + ".";
  }
  std::string operator()(const rules::TimedOut& e) const {
    return capital(color_word(e.color)) + " has no time left.";
  }
  std::string operator()(const rules::SeatChanged& e) const {
    const rules::Seat& seat = *e.seat;
    const std::string who = seat.kind == rules::SeatKind::Human ? "a human" : seat.profile;
    return capital(color_word(e.color)) + " is played by " + printable(who) +
           (seat.other_rules ? ", by other rules," : "") + " from now on: " + printable(e.reason) +
           ".";
  }
  std::string operator()(const rules::Captured& e) const {
    return capital(color_word(e.by)) + " captures " + vertices(e.points, size) + ".";
  }
  std::string operator()(const rules::Stopped& e) const {
    return e.reason == rules::StopReason::TwoPasses ? "Two passes: play stops."
                                                    : "The move limit is reached: play stops.";
  }
  std::string operator()(const rules::Scored& e) const {
    return std::string(e.by == rules::Scoring::Area ? "Area" : "Territory") + ": black " +
           rules::komi_text(e.black_half) + ", white " + rules::komi_text(e.white_half) +
           " with komi" +
           (e.removed.empty() ? "" : "; removed as dead: " + vertices(e.removed, size)) +
           (e.seki.empty() ? "" : "; marked as seki: " + vertices(e.seki, size)) + ".";
  }
  std::string operator()(const rules::Finished& e) const {
    return "Result: " + rules::result_text(e.result);
  }
  std::string operator()(const rules::Undone& e) const {
    return std::to_string(e.moves) + (e.moves == 1 ? " move is" : " moves are") +
           " taken back, as " + std::string(color_word(e.color)) + " asked.";
  }
  std::string operator()(const rules::Marked& e) const {
    return capital(color_word(e.color)) + " marks the chain at " + vertices({e.point}, size) +
           " as dead, or no longer.";
  }
  std::string operator()(const rules::SekiMarked& e) const {
    return capital(color_word(e.color)) + " marks " + vertices({e.point}, size) +
           " as seki, or no longer.";
  }
  std::string operator()(const rules::MarkingDone& e) const {
    return capital(color_word(e.color)) + " has marked what is dead.";
  }
  std::string operator()(const rules::MarkingAccepted& e) const {
    return capital(color_word(e.color)) + " accepts the marks.";
  }
  std::string operator()(const rules::MarkingDisputed& e) const {
    return capital(color_word(e.color)) + " disputes the marks.";
  }
  std::string operator()(const rules::HandicapPlaced& e) const {
    return "Black places its handicap: " + vertices(e.points, size) + ".";
  }
  std::string operator()(const rules::Abandoned& e) const {
    return capital(color_word(e.color)) + " has gone.";
  }
  std::string operator()(const rules::Annulled& e) const {
    return "The game does not count: " + printable(e.reason) + ".";
  }
  std::string operator()(const rules::NoResultAgreed&) const {
    return "Both sides agree on no result.";
  }
  std::string operator()(const rules::Asked& e) const {
    const std::string who = capital(color_word(e.color)) + " asks ";
    if (e.kind == rules::AskKind::Pause) return who + "for a pause.";
    if (e.kind == rules::AskKind::NoResult) return who + "for no result.";
    return who + "to take back " + std::to_string(e.moves) + (e.moves == 1 ? " move." : " moves.");
  }
  std::string operator()(const rules::Declined& e) const {
    return capital(color_word(e.color)) + " says no.";
  }
  std::string operator()(const rules::Paused& e) const {
    return e.reason == rules::PauseReason::Agreed
               ? "The clocks stand still."
               : "The clocks stand still until the server has an engine for " +
                     std::string(color_word(e.color)) + ".";
  }
  std::string operator()(const rules::Unpaused&) const { return "The clocks run again."; }
  std::string operator()(const rules::Continued& e) const {
    return e.reason == rules::ContinueReason::Cleanup
               ? "The lists differ: play goes on until what is dead is captured."
               : "Play goes on.";
  }
};

}  // namespace

std::string printable(std::string_view text) {
  std::string shown;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = shown_bytes(text, at);
    shown += length == 0 ? "?" : text.substr(at, length);
    at += std::max<std::size_t>(length, 1);
  }
  return shown;
}

bool has_control(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = shown_bytes(text, at);
    if (length == 0) return true;
    at += length;
  }
  return false;
}

std::string_view color_word(rules::Color color) {
  return color == rules::Color::Black ? "black" : "white";
}

std::string size_text(rules::Size size) {
  return std::to_string(size.width) + "x" + std::to_string(size.height);
}

std::string move_text(const rules::Move& move, rules::Size size) {
  return move.point ? vertices({*move.point}, size) : "pass";
}

std::string error_line(const protocol::Error& error) {
  std::string line(protocol::name_of(error.code));
  for (char& c : line) c = c == '_' ? ' ' : static_cast<char>(std::tolower(c));
  if (!error.reason.empty()) line += ": " + printable(error.reason);
  const std::string message = printable(error.message);
  if (!message.empty() && message != line) line += " (" + message + ")";
  return line;
}

std::string event_line(const rules::Event& event, rules::Size size) {
  return std::visit(Sentence{size}, event.body);
}

std::string clock_text(const rules::TimeControl& control, const rules::ClockFace& face) {
  const bool is_main = face.main_left.count() > 0 || control.period.count() == 0;
  const std::string time = time_text(is_main ? face.main_left : face.period_left);
  const std::string period = rules::seconds_text(control.period);
  switch (control.system) {
    case rules::ClockSystem::ByoYomi:
      return time + " (" + std::to_string(face.periods_left) + "x" + period + ")";
    case rules::ClockSystem::Canadian:
      return time + " (" + std::to_string(face.stones_left) + "/" + period + ")";
    default:
      return time;
  }
}

std::string clocks_text(const rules::TimeControl& control, const rules::ClockFaces& faces) {
  return "B " + clock_text(control, faces[0]) + " W " + clock_text(control, faces[1]);
}

}  // namespace tengen::cli
