#if canImport(BackgroundTasks) && !os(macOS)
import FencepostApple

/// Plans the app's notifications in the background: call this at every launch, after the alerts.
@MainActor
public func startRefresh(of alerts: Alerts) -> BackgroundRefresh {
  let refresh = BackgroundRefresh(identifier: "org.example.storywalk.refresh") {
    try await alerts.plan()
  }
  refresh.start()
  return refresh
}
#endif
