#include "daemon/config.h"

namespace tengen::daemon {

std::string_view default_config() {
  return R"(# Tengen's configuration. Every key is optional; these are the defaults.

# Where clients connect. An address beyond this machine needs a [[token]], and [tls] or TLS in front.
listen = "127.0.0.1:8374"

# Whether such an address may be served unencrypted: only where TLS is in front.
plain_text_allowed = false

# How it is reached from outside, where that is not the address above: behind a proxy, or under a
# name. Browsers may then connect under this name as well.
# public_url = "https://go.example"

# Games and their logs. Default: $STATE_DIRECTORY, else $XDG_STATE_HOME/tengen, else
# ~/.local/state/tengen.
# data_dir = "/var/lib/tengen"

# trace, debug, info, warn, error or critical.
log_level = "info"

# Unfinished games at once; further ones are refused with LIMIT_REACHED.
games_max = 10000

# A silent client is asked so often whether it is still there, in milliseconds; one that has said
# nothing for twice as long has gone.
heartbeat_ms = 15000

# An agent (over HTTP) without a call for so long has gone and loses its game, in milliseconds.
agent_silence_ms = 600000

# With these two files everything is TLS: wss:// and https://. SIGHUP reads them again.
# [tls]
# certificate = "/etc/tengen/fullchain.pem"
# key = "/etc/tengen/privkey.pem"

# One [[profile]] for each kind of engine. A file without any has these two. `kind` names what is
# known of an engine; every other key says what is different here. docs/configuration.md has all
# keys, docs/engines.md the values of each kind with their reasons.

# Tengen's own engine: small, honest, and there without anything else being installed.
[[profile]]
kind = "house"
# name = "house"               # what clients call it; default: the kind
# processes_warm = 1           # kept running without work
# processes_max = 2            # never more at once
# substitute = "gnugo"         # takes over a game in which this one fails

# GNU Go, where it is installed (Debian: gnugo). By any rules; it never resigns by itself.
[[profile]]
kind = "gnugo"

# A game may choose its level; one that does not gets this one.
[[profile.setting]]
key = "level"
standard = 10

# Leela Zero needs a network; on a machine without OpenCL also "--cpu-only".
# [[profile]]
# kind = "leela-zero"
# extra_arguments = ["-w", "/var/lib/tengen/network.gz"]

# KataGo with a model and a configuration of its own.
# [[profile]]
# kind = "katago"
# extra_arguments = ["-model", "/var/lib/tengen/model.bin.gz", "-config", "/etc/tengen/katago.cfg"]

# Pachi, at a strength that does not depend on the machine.
# [[profile]]
# kind = "pachi"
# command = ["pachi", "-t", "=5000", "threads=1,resign_threshold=0"]
# [[profile.pace]]
# p99_ms = 5000

# Any other engine that speaks GTP 2; `tengen probe -- COMMAND ARGS` writes such a profile.
# [[profile]]
# name = "other"
# command = ["other-engine", "--gtp"]
# size_min = 9
# size_max = 19

# Without any [[token]] whoever reaches the daemon may play, analyse and watch. `tengend token NAME`
# prints such a table and, once, its secret. All but the first three keys have these defaults.
# [[token]]
# name = "club"
# sha256 = "0000000000000000000000000000000000000000000000000000000000000000"
# roles = ["play", "watch"]    # or "analyse", "admin"
# games_max = 100              # at once; 0 is no limit, here and below
# analyses_max = 4
# virtual_engines_max = 8
# watches_max = 1000           # games that are followed
# requests_per_minute = 6000

# What those without a token may do where there are any; otherwise nothing. Never "admin". Each address
# has the quotas of a token, all of this machine one account.
# [anonymous]
# roles = ["watch"]
)";
}

}  // namespace tengen::daemon
