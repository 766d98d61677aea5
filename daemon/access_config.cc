#include "daemon/access_config.h"

#include <map>

#include "pool/gtp.h"

namespace tengen::daemon {
namespace {

using Empty = Reader::Empty;

constexpr std::int64_t kQuotaMax = 1'000'000;
constexpr std::int64_t kRequestsMax = 1'000'000;
constexpr std::string_view kRoleWords = "play, analyse, watch and admin";

std::optional<std::uint8_t> digit(char c) {
  if (c >= '0' && c <= '9') return static_cast<std::uint8_t>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<std::uint8_t>(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') return static_cast<std::uint8_t>(c - 'A' + 10);
  return std::nullopt;
}

std::optional<SecretHash> parse_hash(std::string_view text) {
  SecretHash hash{};
  if (text.size() != 2 * hash.size()) return std::nullopt;
  for (std::size_t i = 0; i < hash.size(); ++i) {
    const auto high = digit(text[2 * i]);
    const auto low = digit(text[2 * i + 1]);
    if (!high || !low) return std::nullopt;
    hash[i] = static_cast<std::uint8_t>(*high << 4 | *low);
  }
  return hash;
}

void read_roles(Reader& reader, Roles& roles, Empty empty) {
  const toml::node* node = reader.find("roles");
  if (node == nullptr) return;
  std::vector<std::string> words;
  reader.read("roles", words, Empty::Allowed);
  if (empty == Empty::Refused && node->is_array() && node->as_array()->empty()) {
    reader.complain(*node, "roles must name one at least: " + std::string(kRoleWords));
  }
  roles = {};
  for (const auto& word : words) {
    if (const auto role = parse_role(word)) {
      roles.add(*role);
    } else {
      reader.complain(
          *node, "roles: '" + pool::printable(word) + "' is none of " + std::string(kRoleWords));
    }
  }
}

void read_quotas(Reader& reader, Quotas& quotas) {
  reader.read("games_max", quotas.games_max, 0, kQuotaMax);
  reader.read("analyses_max", quotas.analyses_max, 0, kQuotaMax);
  reader.read("virtual_engines_max", quotas.virtual_engines_max, 0, kQuotaMax);
  reader.read("requests_per_minute", quotas.requests_per_minute, 0, kRequestsMax);
  reader.read("watches_max", quotas.watches_max, 0, kQuotaMax);
}

std::string who(const AccessToken& token) { return "token " + pool::printable(token.name); }

void read_name(Reader& reader, std::string& name) {
  reader.read("name", name);
  const auto wrong = token_name_problem(name);
  if (!wrong) return;
  const toml::node* node = reader.find("name");
  if (node == nullptr) {
    reader.complain("token: the name is missing");
  } else if (node->is_string()) {
    reader.complain(*node, *wrong);
  }
}

AccessToken read_token(const toml::table& table, const std::string& file, ConfigErrors& errors) {
  Reader reader(table, file, errors);
  AccessToken token;
  read_name(reader, token.name);
  reader.read("sha256", token.hash, parse_hash,
              "64 hexadecimal digits, as tengend token prints them");
  read_roles(reader, token.roles, Empty::Refused);
  read_quotas(reader, token.quotas);
  for (const std::string_view key : {"sha256", "roles"}) {
    if (reader.find(key) == nullptr) {
      reader.complain(who(token) + ": " + std::string(key) + " is missing");
    }
  }
  reader.refuse_unknown();
  return token;
}

std::vector<AccessToken> read_tokens(Reader& root, const std::string& file, ConfigErrors& errors) {
  auto tables = root.tables("token").value_or(std::vector<const toml::table*>{});
  if (tables.size() > kTokensMax) {
    root.complain(*tables[kTokensMax],
                  "there may be " + std::to_string(kTokensMax) + " tokens at most");
    tables.resize(kTokensMax);
  }
  std::vector<AccessToken> tokens;
  std::map<std::string, std::size_t> by_name;
  std::map<SecretHash, std::size_t> by_hash;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const auto before = errors.size();
    const auto& token = tokens.emplace_back(read_token(*tables[i], file, errors));
    if (errors.size() != before) continue;
    if (!by_name.emplace(token.name, i).second) {
      root.complain(*tables[i], who(token) + " is defined twice");
      continue;
    }
    const auto [same, is_new] = by_hash.emplace(token.hash, i);
    if (!is_new) {
      root.complain(*tables[i], who(token) + " has the secret of " + who(tokens[same->second]));
    }
  }
  return tokens;
}

void read_anonymous(Reader& root, const std::string& file, ConfigErrors& errors,
                    AccessToken& anonymous) {
  const toml::table* table = root.table("anonymous");
  if (table == nullptr) return;
  Reader reader(*table, file, errors);
  read_roles(reader, anonymous.roles, Empty::Allowed);
  if (anonymous.roles.has(Role::Admin)) {
    reader.complain(*table->get("roles"), "roles: admin needs a token");
  }
  read_quotas(reader, anonymous.quotas);
  reader.refuse_unknown();
}

}  // namespace

AccessConfig read_access(Reader& root, const std::string& file, ConfigErrors& errors) {
  AccessConfig access;
  access.tokens = read_tokens(root, file, errors);
  // An empty list is one too: it lets nobody in, not everybody.
  if (root.find("token") != nullptr) access.anonymous = {std::string(kAnonymous), {}, {}, {}};
  read_anonymous(root, file, errors, access.anonymous);
  return access;
}

}  // namespace tengen::daemon
