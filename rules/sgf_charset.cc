#include "rules/sgf_charset.h"

#include <algorithm>
#include <array>

namespace tengen::rules {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

/// More than the two-byte charsets have.
constexpr std::size_t kMostRemembered = 65'536;
/// Bytes of a run that is remembered like a character.
constexpr std::size_t kShortRun = 2;

std::uint8_t byte_at(std::string_view text, std::size_t at) {
  return static_cast<std::uint8_t>(text[at]);
}

bool is_within(std::uint8_t byte, int low, int high) { return byte >= low && byte <= high; }

bool is_ascii(char c) { return static_cast<std::uint8_t>(c) < 0x80; }
bool is_all_ascii(std::string_view text) { return std::all_of(text.begin(), text.end(), is_ascii); }

/// The name in small letters without punctuation: "Shift_JIS" is "shiftjis".
std::string bare_name(std::string_view name) {
  std::string bare;
  for (const char c : name) {
    if (c >= 'A' && c <= 'Z') bare += static_cast<char>(c - 'A' + 'a');
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) bare += c;
  }
  return bare;
}

struct KnownCharset {
  std::string_view bare_name;
  CharsetKind kind;
};

constexpr std::array<KnownCharset, 32> kCharsets = {{
    {"utf8", CharsetKind::Utf8},
    {"ascii", CharsetKind::Latin1},
    {"usascii", CharsetKind::Latin1},
    {"iso88591", CharsetKind::Latin1},
    {"latin1", CharsetKind::Latin1},
    {"gb2312", CharsetKind::LeadBytes},
    {"gb231280", CharsetKind::LeadBytes},
    {"gbk", CharsetKind::LeadBytes},
    {"gb18030", CharsetKind::LeadBytes},
    {"cp936", CharsetKind::LeadBytes},
    {"windows936", CharsetKind::LeadBytes},
    {"euccn", CharsetKind::LeadBytes},
    {"big5", CharsetKind::LeadBytes},
    {"big5hkscs", CharsetKind::LeadBytes},
    {"cp950", CharsetKind::LeadBytes},
    {"windows950", CharsetKind::LeadBytes},
    {"euckr", CharsetKind::LeadBytes},
    {"ksc5601", CharsetKind::LeadBytes},
    {"ksc56011987", CharsetKind::LeadBytes},
    {"ksx1001", CharsetKind::LeadBytes},
    {"cp949", CharsetKind::LeadBytes},
    {"windows949", CharsetKind::LeadBytes},
    {"uhc", CharsetKind::LeadBytes},
    {"shiftjis", CharsetKind::ShiftJis},
    {"xsjis", CharsetKind::ShiftJis},
    {"sjis", CharsetKind::ShiftJis},
    {"mskanji", CharsetKind::ShiftJis},
    {"windows31j", CharsetKind::ShiftJis},
    {"windows932", CharsetKind::ShiftJis},
    {"cswindows31j", CharsetKind::ShiftJis},
    {"cp932", CharsetKind::ShiftJis},
    {"ms932", CharsetKind::ShiftJis},
}};

/// Bytes of the well-formed UTF-8 sequence that begins the text (Unicode, table 3-7), or 0.
std::size_t utf8_length(std::string_view text) {
  const std::uint8_t lead = byte_at(text, 0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead < 0xC2   ? 0
                             : lead < 0xE0 ? 2
                             : lead < 0xF0 ? 3
                             : lead < 0xF5 ? 4
                                           : 0;
  if (length == 0 || text.size() < length) return 0;
  const int low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const int high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  if (!is_within(byte_at(text, 1), low, high)) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if (!is_within(byte_at(text, i), 0x80, 0xBF)) return 0;
  }
  return length;
}

/// The text with every byte that is not part of well-formed UTF-8 replaced.
std::string repaired_utf8(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  while (!bytes.empty()) {
    const std::size_t length = utf8_length(bytes);
    out += length == 0 ? kReplacement : bytes.substr(0, length);
    bytes.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

std::string from_latin1(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size() + bytes.size() / 8);
  for (const char c : bytes) {
    if (is_ascii(c)) {
      out += c;
    } else {
      out += static_cast<char>(0xC0 | static_cast<std::uint8_t>(c) >> 6);
      out += static_cast<char>(0x80 | (static_cast<std::uint8_t>(c) & 0x3F));
    }
  }
  return out;
}

/// What a decoder may answer for characters outside ASCII.
bool is_sound_answer(const std::string& text) {
  return !text.empty() && std::none_of(text.begin(), text.end(), is_ascii) && is_utf8(text);
}

}  // namespace

CharsetKind kind_of_charset(std::string_view name) {
  const std::string bare = bare_name(name);
  const auto* found = std::find_if(kCharsets.begin(), kCharsets.end(),
                                   [&bare](const auto& known) { return known.bare_name == bare; });
  return found == kCharsets.end() ? CharsetKind::HighBytes : found->kind;
}

bool is_utf8(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t length = utf8_length(bytes);
    if (length == 0) return false;
    bytes.remove_prefix(length);
  }
  return true;
}

SgfCharset::SgfCharset(std::string name, const CharsetDecoder& decode)
    : name_(std::move(name)), kind_(kind_of_charset(name_)), decode_(decode) {
  const bool is_ours = kind_ == CharsetKind::Utf8 || kind_ == CharsetKind::Latin1;
  is_known_ = is_ours || (!name_.empty() && decode_ && decode_("A", name_) == "A");
}

std::size_t SgfCharset::character_length(std::string_view text) {
  if (is_ascii(text.front()) || !hides_brackets(kind_)) return 1;
  return pair_length(text);
}

std::size_t SgfCharset::pair_length(std::string_view text) {
  const std::uint8_t lead = byte_at(text, 0);
  const bool leads = kind_ == CharsetKind::ShiftJis
                         ? is_within(lead, 0x81, 0x9F) || is_within(lead, 0xE0, 0xFC)
                         : is_within(lead, 0x81, 0xFE);
  if (!leads || text.size() < 2) return 1;
  const std::uint8_t second = byte_at(text, 1);
  if (kind_ == CharsetKind::LeadBytes && is_within(second, '0', '9')) {  // GB18030 has four bytes
    const bool is_long = text.size() >= 4 && is_within(byte_at(text, 2), 0x81, 0xFE) &&
                         is_within(byte_at(text, 3), '0', '9');
    return is_long ? 4 : 1;
  }
  if (!is_within(second, 0x40, 0xFE) || second == 0x7F) return 1;
  const bool hides = second == '[' || second == '\\' || second == ']';
  if (hides && is_known_ && decoded_character(text.substr(0, 2)) == kReplacement) return 1;
  return 2;
}

std::string SgfCharset::decoded(std::string_view bytes) {
  if (is_all_ascii(bytes)) return std::string(bytes);
  if (kind_ == CharsetKind::Utf8) return repaired_utf8(bytes);
  if (kind_ == CharsetKind::Latin1) return from_latin1(bytes);
  std::string out;
  while (!bytes.empty()) {
    std::size_t length = 0;
    while (length < bytes.size() && is_ascii(bytes[length])) ++length;
    out += bytes.substr(0, length);
    bytes.remove_prefix(length);
    length = 0;
    while (length < bytes.size() && !is_ascii(bytes[length])) {
      length += character_length(bytes.substr(length));
    }
    out += decoded_run(bytes.substr(0, length));
    bytes.remove_prefix(length);
  }
  return out;
}

/// A run is decoded at once; only if that fails, character by character.
std::string SgfCharset::decoded_run(std::string_view run) {
  if (run.empty()) return {};
  const std::size_t first = hides_brackets(kind_) ? character_length(run) : kShortRun;
  if (run.size() <= first) return decoded_character(run);
  if (auto text = ask(run)) return *std::move(text);
  if (!hides_brackets(kind_)) return std::string(kReplacement);
  std::string out;
  while (!run.empty()) {
    const std::size_t length = character_length(run);
    out += decoded_character(run.substr(0, length));
    run.remove_prefix(length);
  }
  return out;
}

std::string SgfCharset::decoded_character(std::string_view bytes) {
  const auto found = characters_.find(bytes);
  if (found != characters_.end()) return found->second;
  std::string text = ask(bytes).value_or(std::string(kReplacement));
  if (characters_.size() < kMostRemembered) characters_.emplace(bytes, text);
  return text;
}

std::optional<std::string> SgfCharset::ask(std::string_view bytes) const {
  if (!is_known_) return std::nullopt;
  std::optional<std::string> text = decode_(bytes, name_);
  return text && is_sound_answer(*text) ? text : std::nullopt;
}

}  // namespace tengen::rules
