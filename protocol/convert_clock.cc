// Time: controls, clocks and what moves took, in both directions.
#include <chrono>
#include <limits>

#include "protocol/convert.h"

namespace tengen::protocol {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

rules::ClockFace read_face(const v1::ClockFace& wire, FieldReader& reader) {
  return {.main_left = reader.duration(wire.main_ns(), rules::kMaxTimeLeft, "main_ns"),
          .period_left = reader.duration(wire.period_ns(), rules::kMaxControlTime, "period_ns"),
          .periods_left = reader.number(wire.periods(), rules::kMaxPeriods, "periods"),
          .stones_left = reader.number(wire.stones(), rules::kMaxStones, "stones")};
}

void write_face(const rules::ClockFace& face, v1::ClockFace& wire) {
  wire.set_main_ns(face.main_left.count());
  wire.set_period_ns(face.period_left.count());
  wire.set_periods(static_cast<std::uint32_t>(face.periods_left));
  wire.set_stones(static_cast<std::uint32_t>(face.stones_left));
}

}  // namespace

rules::TimeControl read_time_control(const v1::TimeControl& wire, FieldReader& reader) {
  const auto count = [&reader](std::uint32_t value, std::string_view field) {
    return reader.number(value, std::numeric_limits<int>::max(), field);
  };
  rules::TimeControl control{
      .system = reader.choice(wire.system(), rules::ClockSystem::PerMove, "system"),
      .main = milliseconds(wire.main_ms()),
      .increment = milliseconds(wire.increment_ms()),
      .cap = milliseconds(wire.cap_ms()),
      .period = milliseconds(wire.period_ms()),
      .periods = count(wire.periods(), "periods"),
      .stones = count(wire.stones(), "stones")};
  if (const auto problem = rules::problem(control)) reader.refuse("time", *problem);
  return control;
}

void write_time_control(const rules::TimeControl& control, v1::TimeControl& wire) {
  wire.set_system(static_cast<v1::ClockSystem>(control.system));
  wire.set_main_ms(static_cast<std::uint32_t>(control.main.count()));
  wire.set_increment_ms(static_cast<std::uint32_t>(control.increment.count()));
  wire.set_cap_ms(static_cast<std::uint32_t>(control.cap.count()));
  wire.set_period_ms(static_cast<std::uint32_t>(control.period.count()));
  wire.set_periods(static_cast<std::uint32_t>(control.periods));
  wire.set_stones(static_cast<std::uint32_t>(control.stones));
}

void read_move_time(const v1::MoveTime& wire, rules::MoveTime& time, rules::ClockFace& left,
                    FieldReader& reader) {
  time = {reader.duration(wire.used_ns(), nanoseconds::max(), "used_ns"),
          reader.duration(wire.lag_ns(), nanoseconds::max(), "lag_ns")};
  left = read_face(wire.left(), reader);
}

void write_move_time(const rules::MoveTime& time, const rules::ClockFace& left,
                     v1::MoveTime& wire) {
  wire.set_used_ns(time.used.count());
  wire.set_lag_ns(time.lag.count());
  write_face(left, *wire.mutable_left());
}

Clocks read_clocks(const v1::Clocks& wire, FieldReader& reader) {
  Clocks clocks{{read_face(wire.black(), reader), read_face(wire.white(), reader)},
                std::nullopt,
                reader.duration(wire.elapsed_ns(), nanoseconds::max(), "elapsed_ns")};
  if (wire.running() != v1::COLOR_UNSPECIFIED) clocks.running = read_color(wire.running(), reader);
  return clocks;
}

void write_clocks(const Clocks& clocks, v1::Clocks& wire) {
  write_face(clocks.faces[0], *wire.mutable_black());
  write_face(clocks.faces[1], *wire.mutable_white());
  if (clocks.running) wire.set_running(wire_color(*clocks.running));
  wire.set_elapsed_ns(clocks.elapsed.count());
}

}  // namespace tengen::protocol
