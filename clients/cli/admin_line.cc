// CLI11 reads the options; see admin_line.h.
#include "clients/cli/admin_line.h"

#include <charconv>
#include <cstdint>

#include <CLI/CLI.hpp>

namespace tengen::cli {
namespace {

using Verb = protocol::AdminVerb;
using Asked = std::variant<Verb, BadArgument>;

// CLI11 takes -1 for a number without a sign.
template <typename Number>
std::optional<Number> parse_number(const std::string& text) {
  Number number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

}  // namespace

AdminLine::AdminLine(CLI::App& app, const std::function<void(CLI::App&)>& add_common) {
  command_ = app.add_subcommand("admin", "Do what operators do; needs a token with the role admin");
  command_->require_subcommand(1);
  const auto add = [&](const char* name, const char* what) {
    CLI::App* verb = command_->add_subcommand(name, what);
    add_common(*verb);
    return verb;
  };
  end_ = add("end", "End a game by a ruling");
  end_->add_option("GAME", game_, "The game's id, 32 hexadecimal digits")->required();
  CLI::Option* winner = end_->add_option("--winner", winner_, "Who wins; the other side forfeits")
                            ->check(CLI::IsMember({"black", "white"}));
  end_->add_flag("--annul", annul_, "The game does not count")->excludes(winner);
  end_->add_option("--reason", reason_, "Why, for the players");
  kick_ = add("kick", "Close connections; their clients do not come back by themselves");
  CLI::Option* token =
      kick_->add_option("--token", name_, "All of this access token")->type_name("NAME");
  kick_->add_option("--connection", connection_, "The one of this number")->excludes(token);
  revoke_ = add("revoke", "Accept a token no longer, until the next reload");
  revoke_->add_option("NAME", name_, "The token's name")->required();
  retire_ = add("retire", "Replace an engine process after its search");
  retire_->add_option("ENGINE", engine_, "Its number in the log")->required();
  drain_ = add("drain", "Let a profile have no new games");
  drain_->add_option("PROFILE", profile_, "Its name")->required();
  drain_->add_flag("--undo", undo_, "Let it have new games again");
  notice_ = add("notice", "Tell all clients something");
  notice_->add_option("TEXT", text_, "What they read")->required();
  add("connections", "List who is connected");
}

bool AdminLine::is_asked() const { return command_->parsed(); }

Asked AdminLine::verb() const {
  if (end_->parsed()) return end_of_game();
  if (kick_->parsed()) return kick();
  if (revoke_->parsed()) return Verb(protocol::RevokeToken{name_});
  if (retire_->parsed()) {
    const auto engine = parse_number<std::uint32_t>(engine_);
    if (!engine) return BadArgument{"'" + engine_ + "' is not the number of an engine"};
    return Verb(protocol::RetireEngine{*engine});
  }
  if (drain_->parsed()) return Verb(protocol::DrainProfile{profile_, undo_});
  if (notice_->parsed()) return Verb(protocol::SendNotice{text_});
  return Verb(protocol::ListConnections{});
}

Asked AdminLine::kick() const {
  if (connection_.empty() && name_.empty())
    return BadArgument{"kick needs --token or --connection"};
  if (connection_.empty()) return Verb(protocol::Kick{name_});
  const auto number = parse_number<std::uint64_t>(connection_);
  if (!number) return BadArgument{"'" + connection_ + "' is not the number of a connection"};
  return Verb(protocol::Kick{protocol::ConnectionNumber{*number}});
}

Asked AdminLine::end_of_game() const {
  const auto game = rules::parse_game_id(game_);
  if (!game) return BadArgument{"'" + game_ + "' is not a game: expected 32 hexadecimal digits"};
  if (winner_.empty() && !annul_) return BadArgument{"end needs --winner or --annul"};
  protocol::EndGame end{*game, std::nullopt, reason_};
  if (!winner_.empty()) {
    end.winner = winner_ == "black" ? rules::Color::Black : rules::Color::White;
  }
  return Verb(std::move(end));
}

}  // namespace tengen::cli
