// Where characters begin in the charsets that SGF files use, and their bytes as UTF-8. Shift-JIS,
// GBK and Big5 have brackets and backslashes as second bytes, so a reader must know the charset
// before it looks for the end of a value. Only UTF-8 and Latin-1 are decoded here; everything else
// goes through a function, because this folder has no iconv.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace tengen::rules {

/// The bytes as UTF-8; nothing when the charset is unknown or the bytes are not valid in it. Must
/// know nothing between calls: a text is handed over in pieces. "UTF-16LE" and "UTF-16BE" are asked
/// for by these names, other charsets by the name in the file.
using CharsetDecoder =
    std::function<std::optional<std::string>(std::string_view bytes, std::string_view charset)>;

/// How the bytes of a charset make characters. All kinds contain ASCII.
enum class CharsetKind : std::uint8_t {
  Utf8,
  Latin1,
  HighBytes,  // nothing below 0x80 belongs to another character (also every unknown name)
  LeadBytes,  // GBK, Big5, EUC-KR: 81..FE leads, the second byte may be ASCII
  ShiftJis,   // the same with the lead bytes 81..9F and E0..FC
};

/// By name, in any case and with any punctuation.
CharsetKind kind_of_charset(std::string_view name);

/// Whether a reader must know the charset to find the end of a value.
constexpr bool hides_brackets(CharsetKind kind) {
  return kind == CharsetKind::LeadBytes || kind == CharsetKind::ShiftJis;
}

bool is_utf8(std::string_view bytes);

/// One charset at work on one game tree.
class SgfCharset {
 public:
  /// `decode` may be empty and must outlive this.
  SgfCharset(std::string name, const CharsetDecoder& decode);

  const std::string& name() const { return name_; }
  CharsetKind kind() const { return kind_; }
  /// Whether the text can be decoded at all.
  bool is_known() const { return is_known_; }

  /// Bytes of the character that begins the text (which is not empty). A pair that would hide a
  /// bracket or a backslash is one character only if the decoder knows it.
  std::size_t character_length(std::string_view text);
  /// The bytes as UTF-8, with U+FFFD for what is not valid. ASCII stays as it is, and no other
  /// character becomes ASCII. Linear, with one call of the decoder per run of other characters,
  /// and one per distinct character of a run that is bad.
  std::string decoded(std::string_view bytes);

 private:
  std::size_t pair_length(std::string_view text);
  std::string decoded_run(std::string_view run);
  std::string decoded_character(std::string_view bytes);
  std::optional<std::string> ask(std::string_view bytes) const;

  std::string name_;
  CharsetKind kind_;
  const CharsetDecoder& decode_;
  bool is_known_ = true;
  /// Answers for single characters by their bytes.
  std::map<std::string, std::string, std::less<>> characters_;
};

}  // namespace tengen::rules
