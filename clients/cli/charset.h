// Charsets of old files, by the system's iconv.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tengen::cli {

/// The bytes as UTF-8; nothing when they are not valid in that charset, are more than 64 MB, or the
/// charset is none of the list: GB2312, GBK, GB18030, Big5, Shift_JIS, Windows-31J, EUC-KR,
/// KS_C_5601, EUC-JP, ISO-8859-1, -2 and -15, Windows-1251 and -1252, KOI8-R, UTF-8, UTF-16 (also
/// LE, BE) and their usual aliases, in any case and punctuation. Of charsets with later extensions
/// the widest is used, since files do so. Nothing is kept between calls.
std::optional<std::string> decode_charset(std::string_view bytes, std::string_view charset);

}  // namespace tengen::cli
