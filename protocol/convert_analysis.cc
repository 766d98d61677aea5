// Analysis on the wire, in both directions.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "protocol/convert.h"
#include "protocol/text.h"

namespace tengen::protocol {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kEndBytesMax = 256;
constexpr int kMovesMax = static_cast<int>(kMoveLimitMax);
constexpr double kLeadMax = 10'000;  // points

/// What a request may say of a number, and what it gets when it says nothing.
struct Bounds {
  std::uint32_t minimum = 0;
  std::uint32_t maximum = 0;
  std::uint32_t usual = 0;
};

std::uint32_t read_bounded(std::uint32_t value, const Bounds& bounds, std::string_view field,
                           FieldReader& reader) {
  if (value == 0) return bounds.usual;
  if (value >= bounds.minimum && value <= bounds.maximum) return value;
  reader.refuse(field, std::string(field) + " must be 0 or " + std::to_string(bounds.minimum) +
                           ".." + std::to_string(bounds.maximum));
  return bounds.usual;
}

milliseconds read_bounded(std::uint32_t value, milliseconds minimum, milliseconds maximum,
                          milliseconds usual, std::string_view field, FieldReader& reader) {
  const auto count = [](milliseconds time) { return static_cast<std::uint32_t>(time.count()); };
  return milliseconds(
      read_bounded(value, {count(minimum), count(maximum), count(usual)}, field, reader));
}

std::uint32_t wire_ms(milliseconds time) { return static_cast<std::uint32_t>(time.count()); }

// Sources.

PositionSource read_position(const v1::PositionSource& wire, FieldReader& reader) {
  const rules::Preset& preset = read_preset(wire.preset(), reader);
  PositionSource position;
  const std::uint32_t width = wire.width() != 0 ? wire.width() : 19;
  position.size = reader.size(width, wire.height() != 0 ? wire.height() : width);
  position.rules = read_rules(wire.rules(), preset.rules, reader);
  position.komi_half = wire.has_komi_half() ? reader.komi_half(wire.komi_half()) : preset.komi_half;
  if (wire.setup_size() > position.size.area()) {
    reader.refuse("setup", "setup must name each point once at most");
    return position;
  }
  if (wire.moves_size() > kMovesMax) {
    reader.refuse("moves", "moves must be at most " + std::to_string(kMovesMax));
    return position;
  }
  for (const v1::Stone& stone : wire.setup()) {
    position.setup.push_back(read_stone(stone, position.size, reader));
  }
  for (const v1::Move& move : wire.moves()) {
    position.moves.push_back(read_move(move, position.size, reader));
  }
  if (!position.moves.empty()) position.to_move = other(position.moves.back().color);
  if (const auto color = read_color_or_none(wire.to_move(), reader)) position.to_move = *color;
  return position;
}

SgfSource read_sgf(const v1::SgfSource& wire, FieldReader& reader) {
  if (wire.sgf().empty() || wire.sgf().size() > kSgfBytesMax) {
    reader.refuse("sgf", "sgf must be 1.." + std::to_string(kSgfBytesMax) + " bytes");
    return {};
  }
  SgfSource source{wire.sgf(), wire.index(), std::nullopt};
  if (wire.has_move()) source.move = wire.move();
  return source;
}

AnalysisSource read_source(const v1::AnalysisSource& wire, FieldReader& reader) {
  switch (wire.source_case()) {
    case v1::AnalysisSource::kGame: {
      GameSource source{reader.game(wire.game().game()), std::nullopt};
      if (wire.game().has_move()) source.move = wire.game().move();
      return source;
    }
    case v1::AnalysisSource::kPosition:
      return read_position(wire.position(), reader);
    case v1::AnalysisSource::kSgf:
      return read_sgf(wire.sgf(), reader);
    case v1::AnalysisSource::SOURCE_NOT_SET:
      break;
  }
  reader.refuse("source", "source must be a game, a position or a record");
  return GameSource{};
}

struct SourceWriter {
  v1::AnalysisSource& wire;

  void operator()(const GameSource& source) const {
    wire.mutable_game()->set_game(to_text(source.game));
    if (source.move) wire.mutable_game()->set_move(*source.move);
  }
  void operator()(const PositionSource& source) const {
    v1::PositionSource& to = *wire.mutable_position();
    to.set_width(source.size.width);
    to.set_height(source.size.height);
    write_rules(source.rules, *to.mutable_rules());
    to.set_komi_half(source.komi_half);
    for (const rules::Stone& stone : source.setup) write_stone(stone, source.size, *to.add_setup());
    for (const rules::Move& move : source.moves) write_move(move, source.size, *to.add_moves());
    to.set_to_move(wire_color(source.to_move));
  }
  void operator()(const SgfSource& source) const {
    v1::SgfSource& to = *wire.mutable_sgf();
    to.set_sgf(source.sgf);
    to.set_index(source.index);
    if (source.move) to.set_move(*source.move);
  }
};

// What both requests have.

template <typename Request, typename Wire>
void read_common(const Wire& wire, Request& request, FieldReader& reader) {
  request.source = read_source(wire.source(), reader);
  request.profile = reader.token(wire.profile(), kProfileBytesMax, "profile");
  request.settings = read_settings(wire.settings(), reader);
  const auto bounded = [&](std::uint32_t value, int maximum, int usual, std::string_view field) {
    return static_cast<int>(read_bounded(
        value, {1, static_cast<std::uint32_t>(maximum), static_cast<std::uint32_t>(usual)}, field,
        reader));
  };
  request.detail = {wire.ownership(),
                    bounded(wire.moves_max(), kCandidatesMax, kCandidates, "moves_max"),
                    bounded(wire.variation_max(), kVariationMax, kVariation, "variation_max")};
  request.visits_max =
      static_cast<std::uint32_t>(reader.number(wire.max_visits(), kVisitsMax, "max_visits"));
}

template <typename Request, typename Wire>
void write_common(const Request& request, Wire& wire) {
  std::visit(SourceWriter{*wire.mutable_source()}, request.source);
  wire.set_profile(request.profile);
  write_settings(request.settings, *wire.mutable_settings());
  wire.set_ownership(request.detail.ownership);
  wire.set_moves_max(static_cast<std::uint32_t>(request.detail.moves_max));
  wire.set_variation_max(static_cast<std::uint32_t>(request.detail.variation_max));
  wire.set_max_visits(request.visits_max);
}

// Positions.

double read_real(double value, double minimum, double maximum, std::string_view field,
                 FieldReader& reader) {
  if (value >= minimum && value <= maximum) return value;  // no NaN is
  reader.refuse(field, std::string(field) + " is out of range");
  return minimum;
}

Candidate read_candidate(const v1::Candidate& wire, const PositionAnalysis& position,
                         FieldReader& reader) {
  Candidate candidate{.visits = wire.visits(),
                      .winrate = read_real(wire.winrate(), 0, 1, "winrate", reader),
                      .score_lead = std::nullopt,
                      .prior = std::nullopt,
                      .lcb = std::nullopt,
                      .variation = {}};
  if (wire.has_score_lead()) {
    candidate.score_lead = read_real(wire.score_lead(), -kLeadMax, kLeadMax, "score_lead", reader);
  }
  if (wire.has_prior()) candidate.prior = read_real(wire.prior(), 0, 1, "prior", reader);
  if (wire.has_lcb()) candidate.lcb = read_real(wire.lcb(), 0, 1, "lcb", reader);
  if (wire.variation().empty() || wire.variation(0) != wire.vertex()) {
    reader.refuse("variation", "variation must begin with vertex");
  }
  rules::Color color = position.to_move;
  for (const std::string& vertex : wire.variation()) {
    candidate.variation.push_back(
        vertex == "pass" ? rules::Move::pass(color)
                         : rules::Move::play(color, reader.vertex(vertex, position.size)));
    color = other(color);
  }
  return candidate;
}

PositionAnalysis read_analysed(const v1::PositionAnalysis& wire, FieldReader& reader) {
  PositionAnalysis position;
  position.move = wire.move();
  position.position_seq = wire.position_seq();
  position.size = reader.size(wire.width(), wire.height());
  position.to_move = read_color(wire.to_move(), reader);
  position.visits = wire.visits();
  if (wire.has_winrate()) position.winrate = read_real(wire.winrate(), 0, 1, "winrate", reader);
  if (wire.has_score_lead()) {
    position.score_lead = read_real(wire.score_lead(), -kLeadMax, kLeadMax, "score_lead", reader);
  }
  for (const v1::Candidate& candidate : wire.candidates()) {
    position.candidates.push_back(read_candidate(candidate, position, reader));
  }
  if (wire.ownership_size() != 0 && wire.ownership_size() != position.size.area()) {
    reader.refuse("ownership", "ownership must have one number for each point");
  }
  for (const float value : wire.ownership()) {
    position.ownership.push_back(
        static_cast<float>(read_real(double{value}, -1, 1, "ownership", reader)));
  }
  return position;
}

std::string vertex_of(const rules::Move& move, rules::Size size) {
  return move.point ? gtp_vertex(*move.point, size) : "pass";
}

void write_candidate(const Candidate& candidate, rules::Size size, v1::Candidate& wire) {
  wire.set_vertex(vertex_of(candidate.variation.front(), size));
  wire.set_visits(candidate.visits);
  wire.set_winrate(candidate.winrate);
  if (candidate.score_lead) wire.set_score_lead(*candidate.score_lead);
  if (candidate.prior) wire.set_prior(*candidate.prior);
  if (candidate.lcb) wire.set_lcb(*candidate.lcb);
  for (const rules::Move& move : candidate.variation) wire.add_variation(vertex_of(move, size));
}

void write_analysed(const PositionAnalysis& position, v1::PositionAnalysis& wire) {
  wire.set_move(position.move);
  wire.set_position_seq(position.position_seq);
  wire.set_width(position.size.width);
  wire.set_height(position.size.height);
  wire.set_to_move(wire_color(position.to_move));
  wire.set_visits(position.visits);
  if (position.winrate) wire.set_winrate(*position.winrate);
  if (position.score_lead) wire.set_score_lead(*position.score_lead);
  for (const Candidate& candidate : position.candidates) {
    write_candidate(candidate, position.size, *wire.add_candidates());
  }
  wire.mutable_ownership()->Add(position.ownership.begin(), position.ownership.end());
}

}  // namespace

StartAnalysis read_start_analysis(const v1::StartAnalysis& wire, FieldReader& reader) {
  StartAnalysis start;
  read_common(wire, start, reader);
  start.interval = read_bounded(wire.interval_ms(), kIntervalMin, kIntervalMax, kInterval,
                                "interval_ms", reader);
  start.time_max = read_bounded(wire.max_ms(), kAnalysisTimeMin, kAnalysisTimeMax, milliseconds(0),
                                "max_ms", reader);
  return start;
}

void write_start_analysis(const StartAnalysis& start, v1::StartAnalysis& wire) {
  write_common(start, wire);
  wire.set_interval_ms(wire_ms(start.interval));
  wire.set_max_ms(wire_ms(start.time_max));
}

ReviewGame read_review_game(const v1::ReviewGame& wire, FieldReader& reader) {
  ReviewGame review;
  read_common(wire, review, reader);
  const auto usual = review.visits_max == 0 ? kReviewTime : milliseconds(0);
  review.time_per_move = read_bounded(wire.ms_per_move(), kReviewTimeMin, kReviewTimeMax, usual,
                                      "ms_per_move", reader);
  review.from = static_cast<std::uint32_t>(reader.number(wire.from(), kMovesMax, "from"));
  if (wire.has_to()) {
    review.to = static_cast<std::uint32_t>(reader.number(wire.to(), kMovesMax, "to"));
    if (*review.to < review.from) reader.refuse("to", "to must not be before from");
  }
  return review;
}

void write_review_game(const ReviewGame& review, v1::ReviewGame& wire) {
  write_common(review, wire);
  wire.set_ms_per_move(wire_ms(review.time_per_move));
  wire.set_from(review.from);
  if (review.to) wire.set_to(*review.to);
}

AnalysisUpdate read_analysis_update(const v1::AnalysisUpdate& wire, FieldReader& reader) {
  return {wire.analysis(), read_analysed(wire.position(), reader)};
}

void write_analysis_update(const AnalysisUpdate& update, v1::AnalysisUpdate& wire) {
  wire.set_analysis(update.analysis);
  write_analysed(update.position, *wire.mutable_position());
}

ReviewProgress read_review_progress(const v1::ReviewProgress& wire, FieldReader& reader) {
  return {wire.analysis(), wire.done(), wire.positions(), read_analysed(wire.position(), reader)};
}

void write_review_progress(const ReviewProgress& progress, v1::ReviewProgress& wire) {
  wire.set_analysis(progress.analysis);
  wire.set_done(progress.done);
  wire.set_positions(progress.positions);
  write_analysed(progress.position, *wire.mutable_position());
}

AnalysisEnded read_analysis_ended(const v1::AnalysisEnded& wire, FieldReader& reader) {
  return {wire.analysis(), reader.choice(wire.reason(), AnalysisEnd::Draining, "reason"),
          reader.text(wire.message(), kEndBytesMax, "message")};
}

void write_analysis_ended(const AnalysisEnded& ended, v1::AnalysisEnded& wire) {
  wire.set_analysis(ended.analysis);
  wire.set_reason(static_cast<v1::AnalysisEnd>(ended.reason));
  wire.set_message(clean_text(ended.message, kEndBytesMax));
}

}  // namespace tengen::protocol
