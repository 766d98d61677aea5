#include "daemon/config.h"

namespace tengen::daemon {

std::string_view default_config() {
  return R"(# Tengen's configuration. Every key is optional; these are the defaults.

# Where clients connect. Loopback only, until access tokens exist.
listen = "127.0.0.1:8374"

# Games and their logs. Default: $STATE_DIRECTORY, else $XDG_STATE_HOME/tengen, else
# ~/.local/state/tengen.
# data_dir = "/var/lib/tengen"

# trace, debug, info, warn, error or critical.
log_level = "info"

# Unfinished games at once; further ones are refused with LIMIT_REACHED.
games_max = 10000

# One [[profile]] for each kind of engine. A file without any has these.
[[profile]]
name = "gnugo"
# The program is looked up in PATH and in /usr/games. Engines never resign here by themselves.
command = ["gnugo", "--mode", "gtp", "--chinese-rules", "--never-resign"]
# directory = "/tmp"           # where it runs; default: where the daemon runs
processes_warm = 1             # kept running without work
processes_max = 2              # never more at once
size_min = 5                   # board sizes it plays
size_max = 19
rectangles = false
start_limit_ms = 30000         # from its start to the end of the handshake
answer_limit_ms = 10000        # for each answer that is not a search
search_limit_ms = 60000        # for a move
list_limit_ms = 60000          # for the list of dead stones
queue_max = 1024               # searches waiting

# A setting that a game may choose, sent as `command value` at the start of each game.
[[profile.setting]]
key = "level"
command = "level"
minimum = 0
maximum = 10
standard = 10
)";
}

}  // namespace tengen::daemon
