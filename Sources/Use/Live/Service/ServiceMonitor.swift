#if Command
package import FencepostHTTP

/// What a server says to systems that monitor it, from any thread.
///
/// `/metrics` gives the metrics, `/healthz` whether the program runs, and `/readyz` whether it can
/// do all its work.
package struct ServiceMonitor: Sendable {
  /// The metrics in Prometheus' text format.
  package var metrics: @Sendable () -> String
  /// What the service cannot do at the moment; empty if it is ready.
  package var faults: @Sendable () -> [String]

  /// Creates a monitor that asks for both anew at each request.
  package init(
    metrics: @escaping @Sendable () -> String, faults: @escaping @Sendable () -> [String]
  ) {
    self.metrics = metrics
    self.faults = faults
  }

  private static let paths = ["/metrics", "/healthz", "/readyz"]

  /// Whether a monitoring system asks at this path.
  package static func isAsked(_ path: String) -> Bool { paths.contains(path) }

  /// Answers at one of the paths: the metrics, whether the program runs, or whether it is ready.
  package func answer(_ path: String) -> HTTPResponse {
    switch path {
    case "/metrics":
      return HTTPResponse(
        .ok, type: "text/plain; version=0.0.4; charset=utf-8", body: Array(metrics().utf8))
    case "/readyz":
      let faults = faults()
      guard faults.isEmpty else {
        return HTTPResponse(.unavailable, sentence: faults.joined(separator: "; "))
      }
      return HTTPResponse(.ok, sentence: "ready")
    default: return HTTPResponse(.ok, sentence: "alive")
    }
  }
}
#endif
