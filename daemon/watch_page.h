// The page behind a game's spectatorUrl: the board and the last move as plain HTML that needs no
// script. It shows what every spectator may know, and no secret.
#pragma once

#include <string>

#include "rules/game.h"

namespace tengen::daemon {

/// A whole HTML document; while the game goes on it loads itself again every few seconds.
std::string watch_page(const rules::Game& game);

}  // namespace tengen::daemon
