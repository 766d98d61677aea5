// What the daemon says over plain HTTP: which paths there are, and what is gathered for each.
#pragma once

#include "daemon/hub.h"
#include "daemon/metrics.h"
#include "daemon/net/http.h"

namespace tengen::daemon {

/// Whether the hub has no part in the answer: all but /v1/... and /watch/...
bool is_page(const std::string& target);

/// /healthz and /metrics for GET and HEAD, a hint at /, an error for everything else.
HttpResponse page(const HttpRequest& request, const Hub& hub, const ServerFigures& server);

}  // namespace tengen::daemon
