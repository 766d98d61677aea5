#include "clients/cli/charset.h"

#include <iconv.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace tengen::cli {
namespace {

constexpr std::size_t kLongestText = 64u << 20;
constexpr std::size_t kLongestName = 40;

struct Charset {
  std::string_view bare_name;  // small letters and digits
  const char* iconv_name;
};

/// The only names that iconv sees.
constexpr std::array<Charset, 44> kCharsets = {{
    {"gb2312", "GB18030"},      {"gb231280", "GB18030"},   {"gbk", "GB18030"},
    {"gb18030", "GB18030"},     {"cp936", "GB18030"},      {"windows936", "GB18030"},
    {"euccn", "GB18030"},       {"big5", "BIG5"},          {"big5hkscs", "BIG5-HKSCS"},
    {"cp950", "BIG5"},          {"windows950", "BIG5"},    {"shiftjis", "CP932"},
    {"xsjis", "CP932"},         {"sjis", "CP932"},         {"mskanji", "CP932"},
    {"windows31j", "CP932"},    {"cswindows31j", "CP932"}, {"windows932", "CP932"},
    {"cp932", "CP932"},         {"ms932", "CP932"},        {"eucjp", "EUC-JP"},
    {"euckr", "CP949"},         {"ksc5601", "CP949"},      {"ksc56011987", "CP949"},
    {"ksx1001", "CP949"},       {"cp949", "CP949"},        {"windows949", "CP949"},
    {"uhc", "CP949"},           {"ascii", "ISO-8859-1"},   {"usascii", "ISO-8859-1"},
    {"iso88591", "ISO-8859-1"}, {"latin1", "ISO-8859-1"},  {"iso885915", "ISO-8859-15"},
    {"latin9", "ISO-8859-15"},  {"cp1252", "CP1252"},      {"windows1252", "CP1252"},
    {"iso88592", "ISO-8859-2"}, {"windows1251", "CP1251"}, {"cp1251", "CP1251"},
    {"koi8r", "KOI8-R"},        {"utf8", "UTF-8"},         {"utf16", "UTF-16"},
    {"utf16le", "UTF-16LE"},    {"utf16be", "UTF-16BE"},
}};

std::string bare_name(std::string_view name) {
  std::string bare;
  for (const char c : name) {
    if (c >= 'A' && c <= 'Z') bare += static_cast<char>(c - 'A' + 'a');
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) bare += c;
  }
  return bare;
}

const char* iconv_name(std::string_view name) {
  if (name.size() > kLongestName) return nullptr;
  const std::string bare = bare_name(name);
  const auto* found = std::find_if(kCharsets.begin(), kCharsets.end(),
                                   [&bare](const auto& known) { return known.bare_name == bare; });
  return found == kCharsets.end() ? nullptr : found->iconv_name;
}

/// An open conversion to UTF-8.
class Converter {
 public:
  explicit Converter(const char* from) : handle_(iconv_open("UTF-8", from)) {}
  ~Converter() {
    if (is_open()) iconv_close(handle_);
  }
  Converter(const Converter&) = delete;
  Converter& operator=(const Converter&) = delete;

  // iconv_open answers with minus one as a pointer.
  bool is_open() const { return handle_ != reinterpret_cast<iconv_t>(-1); }

  /// The whole text, or nothing at the first byte that is not valid.
  std::optional<std::string> convert(std::string_view bytes) {
    std::string text;
    std::array<char, 4096> buffer{};
    char* in = const_cast<char*>(bytes.data());  // iconv's old signature; it only reads
    std::size_t in_left = bytes.size();
    while (true) {
      char* out = buffer.data();
      std::size_t out_left = buffer.size();
      // The last call, without input, writes what a conversion still holds back.
      const bool is_last = in_left == 0;
      const std::size_t converted =
          iconv(handle_, is_last ? nullptr : &in, is_last ? nullptr : &in_left, &out, &out_left);
      const bool is_full = converted == static_cast<std::size_t>(-1) && errno == E2BIG;
      text.append(buffer.data(), buffer.size() - out_left);
      if (converted == static_cast<std::size_t>(-1) && !is_full) return std::nullopt;
      if (is_last && !is_full) return text;
    }
  }

 private:
  iconv_t handle_;
};

}  // namespace

std::optional<std::string> decode_charset(std::string_view bytes, std::string_view charset) {
  const char* name = iconv_name(charset);
  if (name == nullptr || bytes.size() > kLongestText) return std::nullopt;
  Converter converter(name);
  return converter.is_open() ? converter.convert(bytes) : std::nullopt;
}

}  // namespace tengen::cli
