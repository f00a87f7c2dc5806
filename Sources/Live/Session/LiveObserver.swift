public import Fencepost
public import FencepostFixes
public import FencepostMonitoring

/// Receives updates about a live session, for a map or the like.
///
/// Called on the session's thread between fixes: it must return at once and leave longer work to another
/// thread, which must not share the session's `PlaceReader`.
public typealias LiveObserver = @Sendable (LiveUpdate) -> Void

/// An update about a live session; updates come in the order of the events.
///
/// The device is nil in a stream of one device.
public enum LiveUpdate: Sendable {
  /// The monitored regions, ascending by key, and whether the device is inside them.
  public typealias Monitored = [(region: Region, isInside: Bool)]

  /// A fix was accepted; its events follow.
  case position(Fix, device: String?)
  /// Where a device was when the session stopped, told at its restart.
  case restored(Fix, device: String?)
  /// An event, as in a report.
  case event(Event)
  /// A device's monitored set has changed.
  case monitored(Monitored, device: String?)
  /// The source's state has changed: a sentence such as `connected to gpsd://localhost:2947`.
  case source(String)
}
