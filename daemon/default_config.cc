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
# Tengen's own engine: small, honest, and there without anything else being installed.
[[profile]]
name = "house"
# The program is looked up beside tengend, in PATH and in /usr/games.
command = ["tengen", "gtp", "--local"]
# directory = "/tmp"           # where it runs; default: where the daemon runs
processes_warm = 1             # kept running without work
processes_max = 2              # never more at once
size_min = 1                   # board sizes it plays
size_max = 25
rectangles = true
rules = "tengen"               # how it is told a game's rules: "tengen" or "none"
seed_command = "set_random_seed"  # sent before each move: the same seed, the same game
start_limit_ms = 30000         # from its start to the end of the handshake
answer_limit_ms = 10000        # for each answer that is not a search
search_limit_ms = 60000        # for a move
list_limit_ms = 60000          # for the list of dead stones
idle_limit_ms = 300000         # without work for so long, a process beyond the warm ones quits
queue_max = 1024               # searches waiting

# A setting that a game may choose, sent as `command value` at the start of each game. Here: how many
# games the engine plays out for a move; 0 is its own choice for the board size.
[[profile.setting]]
key = "playouts"
command = "tengen-playouts"
minimum = 0
maximum = 40000
standard = 0

# GNU Go, where it is installed (Debian: gnugo). Engines never resign here by themselves.
[[profile]]
name = "gnugo"
command = ["gnugo", "--mode", "gtp", "--chinese-rules", "--never-resign"]
size_min = 5
size_max = 19
seed_command = "set_random_seed"

[[profile.setting]]
key = "level"
command = "level"
minimum = 0
maximum = 10
standard = 10
)";
}

}  // namespace tengen::daemon
