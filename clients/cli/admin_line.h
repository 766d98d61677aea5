// The options of `tengen admin VERB`, and what they ask for.
#pragma once

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "clients/cli/arguments.h"

namespace CLI {
class App;
}

namespace tengen::cli {

class AdminLine {
 public:
  /// Adds the command to `app`, which must outlive this; `add_common` adds to each verb what all of
  /// them take.
  AdminLine(CLI::App& app, const std::function<void(CLI::App&)>& add_common);
  AdminLine(const AdminLine&) = delete;
  AdminLine& operator=(const AdminLine&) = delete;

  /// After parsing: whether it was this command.
  bool is_asked() const;
  std::variant<protocol::AdminVerb, BadArgument> verb() const;

 private:
  std::variant<protocol::AdminVerb, BadArgument> end_of_game() const;
  std::variant<protocol::AdminVerb, BadArgument> kick() const;

  CLI::App* command_ = nullptr;
  CLI::App* end_ = nullptr;
  CLI::App* kick_ = nullptr;
  CLI::App* revoke_ = nullptr;
  CLI::App* retire_ = nullptr;
  CLI::App* drain_ = nullptr;
  CLI::App* notice_ = nullptr;

  // What was typed.
  std::string game_;
  std::string winner_;
  std::string reason_;
  std::string name_;
  std::string profile_;
  std::string text_;
  std::string connection_;
  std::string engine_;
  bool annul_ = false;
  bool undo_ = false;
};

}  // namespace tengen::cli
