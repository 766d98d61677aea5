// What the daemon says over plain HTTP of itself: what is gathered for each page.
#pragma once

#include "daemon/hub.h"
#include "daemon/metrics.h"
#include "daemon/net/http.h"

namespace tengen::daemon {

/// For targets that are pages: /healthz and /metrics, a hint at /, an error for everything else.
HttpResponse page(const HttpRequest& request, const Hub& hub, const ServerFigures& server);

}  // namespace tengen::daemon
