// See engine_settings.h.
#include "tests/support/engine_settings.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace tengen::tests {
namespace {

using rules::KoRule;
using rules::SuicideRule;

std::string joined(const Words& words, std::size_t from, char between = ' ') {
  std::string text;
  for (std::size_t i = from; i < words.size(); ++i) {
    if (!text.empty()) text += between;
    text += words[i];
  }
  return text;
}

/// The number that a text begins with: most engines read no further.
std::optional<double> leading_number(std::string_view word) {
  const std::string text(word);
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (end == text.c_str()) return std::nullopt;
  return value;
}

std::string_view syntax_error(Persona persona) {
  return persona == Persona::LeelaZero ? "syntax not understood" : "syntax error";
}

bool are_times(const Words& words, std::size_t from, std::size_t count, bool is_whole) {
  if (words.size() != from + count) return false;
  return std::all_of(words.begin() + static_cast<std::ptrdiff_t>(from), words.end(),
                     [&](const std::string& word) {
                       const auto whole = parse_number<int>(word);
                       const auto value = parse_number<double>(word);
                       return is_whole ? whole && *whole >= 0 : value && *value >= 0;
                     });
}

/// How many numbers follow the name of a time system; negative for one that the command lacks.
int arguments_of(std::string_view command, std::string_view system) {
  if (system == "none") return 0;
  if (system == "absolute") return 1;
  if (system == "byoyomi" || system == "canadian") return 3;
  if (command != "kata-time_settings") return -1;
  if (system == "fischer") return 2;
  return system == "fischer-capped" ? 4 : -1;
}

/// The value of a key in flat JSON, without quotes; nothing when it is absent.
std::optional<std::string> json_value(const std::string& text, std::string_view key) {
  const std::string quoted = '"' + std::string(key) + "\":";
  const auto at = text.find(quoted);
  if (at == std::string::npos) return std::nullopt;
  const auto begin = at + quoted.size();
  std::string value = text.substr(begin, text.find_first_of(",}", begin) - begin);
  std::erase(value, '"');
  return value;
}

/// The keys of flat JSON; empty when it is none.
std::vector<std::string> json_keys(const std::string& text) {
  std::vector<std::string> keys;
  if (text.size() < 2 || text.front() != '{' || text.back() != '}') return keys;
  std::size_t at = 1;
  while (at < text.size() && text[at] == '"') {
    const auto end = text.find('"', at + 1);
    if (end == std::string::npos || end + 1 >= text.size() || text[end + 1] != ':') return {};
    keys.push_back(text.substr(at + 1, end - at - 1));
    const auto next = text.find_first_of(",}", end);
    if (next == std::string::npos) return {};
    at = next + 1;
  }
  return at == text.size() ? keys : std::vector<std::string>{};
}

std::optional<KoRule> kata_ko(std::string_view word) {
  if (word == "SIMPLE") return KoRule::Simple;
  if (word == "POSITIONAL") return KoRule::Positional;
  if (word == "SITUATIONAL") return KoRule::Situational;
  return std::nullopt;
}

struct NamedRules {
  std::string_view name;
  KoRule ko;
  SuicideRule suicide;
};

// KataGo's names; with it suicide is of two stones and more.
constexpr NamedRules kKataNames[] = {
    {"tromp-taylor", KoRule::Positional, SuicideRule::Multi},
    {"chinese", KoRule::Simple, SuicideRule::No},
    {"chinese-ogs", KoRule::Positional, SuicideRule::No},
    {"chinese-kgs", KoRule::Positional, SuicideRule::No},
    {"japanese", KoRule::Simple, SuicideRule::No},
    {"korean", KoRule::Simple, SuicideRule::No},
    {"stone-scoring", KoRule::Simple, SuicideRule::No},
    {"aga", KoRule::Situational, SuicideRule::No},
    {"bga", KoRule::Situational, SuicideRule::No},
    {"new-zealand", KoRule::Situational, SuicideRule::Multi},
    {"aga-button", KoRule::Situational, SuicideRule::No},
};

}  // namespace

Reply EngineSettings::set_komi(const Words& words) {
  const std::string_view word = word_at(words, 1);
  if (persona_ == Persona::Plain || persona_ == Persona::KataGo || persona_ == Persona::Pachi) {
    const auto komi = parse_number<double>(word);
    if (!komi || words.size() != 2) {
      if (persona_ != Persona::KataGo) return careless("syntax error");
      return careless("Expected single float argument for komi but got '" + joined(words, 1) + "'");
    }
    if (persona_ == Persona::KataGo) {
      if (!(std::abs(*komi) <= 1000)) return careless("unacceptable komi");
      if (std::floor(*komi * 2) != *komi * 2) {
        return careless("komi must be an integer or half-integer");
      }
    }
    komi_ = *komi;
    return said();
  }
  const auto komi = leading_number(word);
  if (!komi) {
    return careless(persona_ == Persona::GnuGo ? "komi not a float"
                                               : std::string(syntax_error(persona_)));
  }
  komi_ = *komi;
  return said();
}

Reply EngineSettings::set_level(const Words& words) {
  const auto level = parse_number<int>(word_at(words, 1));
  if (!level) return careless(persona_ == Persona::GnuGo ? "level not an integer" : "syntax error");
  level_ = level;
  return said();
}

Reply EngineSettings::set_time(const Words& words) {
  const std::string& command = words.front();
  const bool is_whole = persona_ != Persona::KataGo;
  if (command == "time_settings") {
    if (!are_times(words, 1, 3, is_whole)) {
      return careless(persona_ == Persona::GnuGo ? "not three integers"
                                                 : std::string(syntax_error(persona_)));
    }
  } else {
    const std::string_view system = word_at(words, 1);
    const int arguments = arguments_of(command, system);
    const bool may_be_negative = system == "fischer-capped";
    const auto count = static_cast<std::size_t>(std::max(arguments, 0));
    const bool fits = words.size() == 2 + count;
    if (arguments < 0 || !fits || (!may_be_negative && !are_times(words, 2, count, is_whole))) {
      return careless(std::string(syntax_error(persona_)));
    }
  }
  time_settings_ = joined(words, 0);
  time_left_ = {};
  return said();
}

Reply EngineSettings::set_time_left(const Words& words) {
  const auto color = parse_color(word_at(words, 1));
  if (!color && words.size() == 4 && persona_ == Persona::LeelaZero) {
    Reply reply = careless("Color in time adjust not understood.");
    reply.newlines = 3;
    return reply;
  }
  if (!color || words.size() != 4 || !parse_number<int>(words[3]) ||
      !are_times({words.begin() + 2, words.begin() + 3}, 0, 1, persona_ != Persona::KataGo)) {
    return careless(persona_ == Persona::GnuGo ? "time and stones not two integers"
                                               : std::string(syntax_error(persona_)));
  }
  time_left_[static_cast<std::size_t>(rules::index_of(*color))] = words[2] + ' ' + words[3];
  return said();
}

Reply EngineSettings::set_rules(const Words& words) {
  const std::string& command = words.front();
  const std::string text = joined(words, 1);
  bool is_known = false;
  if (command == "kgs-rules") {
    is_known = take_kgs_rules(text);
  } else if (command == "tengen-rules") {
    is_known = take_tengen_rules(text);
  } else if (command == "kata-set-rule") {
    is_known = words.size() == 3 && (words[1] != "ko" || (ko_ = kata_ko(words[2])).has_value());
  } else {
    is_known = take_kata_rules(text);
  }
  if (!is_known) {
    return careless(persona_ == Persona::KataGo ? "Unknown rules '" + text + "'" : "unknown rules");
  }
  rules_ = joined(words, 0);
  return said();
}

void EngineSettings::on_clear_board() {
  if (!traits_of(persona_).forgets_time) return;
  time_settings_.clear();
  time_left_ = {};
}

bool EngineSettings::take_kgs_rules(std::string_view name) {
  static constexpr std::string_view kNames[] = {"chinese", "japanese", "aga", "new_zealand"};
  if (std::find(std::begin(kNames), std::end(kNames), name) == std::end(kNames)) return false;
  if (persona_ != Persona::KataGo) return true;
  // The same word means positional superko here and simple ko in kata-set-rules.
  if (name == "chinese") return take_kata_name("chinese-kgs");
  return take_kata_name(name == "new_zealand" ? "new-zealand" : name);
}

bool EngineSettings::take_kata_rules(const std::string& text) {
  return text.starts_with('{') ? take_kata_json(text) : take_kata_name(text);
}

bool EngineSettings::take_kata_name(std::string_view name) {
  for (const NamedRules& each : kKataNames) {
    if (each.name != name) continue;
    ko_ = each.ko;
    suicide_ = each.suicide;
    return true;
  }
  return false;
}

bool EngineSettings::take_kata_json(const std::string& spaced) {
  static constexpr std::string_view kKeys[] = {
      "ko", "scoring", "tax", "suicide", "hasButton", "friendlyPassOk", "whiteHandicapBonus"};
  std::string text = spaced;
  std::erase(text, ' ');
  const auto keys = json_keys(text);
  for (const std::string& key : keys) {
    if (std::find(std::begin(kKeys), std::end(kKeys), key) == std::end(kKeys)) return false;
  }
  const auto ko = kata_ko(json_value(text, "ko").value_or(""));
  const auto suicide = json_value(text, "suicide");
  const auto scoring = json_value(text, "scoring");
  if (keys.empty() || !ko || (scoring != "AREA" && scoring != "TERRITORY")) return false;
  if (suicide != "true" && suicide != "false") return false;
  ko_ = ko;
  suicide_ = suicide == "true" ? SuicideRule::Multi : SuicideRule::No;
  return true;
}

bool EngineSettings::take_tengen_rules(std::string_view text) {
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(','));
    text.remove_prefix(std::min(part.size() + 1, text.size()));
    const auto equals = std::min(part.find('='), part.size());
    const std::string_view value = part.substr(std::min(equals + 1, part.size()));
    if (part.starts_with("ko=")) {
      ko_ = rules::parse_ko(value);
      if (!ko_) return false;
    } else if (part.starts_with("suicide=")) {
      suicide_ = rules::parse_suicide(value);
      if (!suicide_) return false;
    }
  }
  return true;
}

}  // namespace tengen::tests
