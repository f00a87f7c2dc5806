#if Command
import FencepostFixes
import FencepostGeodesy
import FencepostHTTP
import FencepostLive

/// The event stream of one page: the whole state, then changes at most ten times a second.
///
/// The server asks for more only after the page has taken the previous message. A page that falls
/// so far behind that changes were dropped gets the whole state again.
final class MapFeed: EventFeed {
  private let mapState: LiveMapState
  private let encoder: MapEncoder
  /// Distinguishes this run's sequence numbers from those of any other.
  private let run: String
  /// The number of the last change sent; nil if the whole state is due.
  private var cursor: Int?
  /// When the last message was sent, on the server's clock; long ago before any.
  private var sentMilliseconds = Int64.min / 2
  private var stateMilliseconds = Int64.min / 2
  /// Each device's position when its nearby places were last sent.
  private var nearCenters: [String: Coordinate] = [:]
  /// The version of the store that those places came from.
  private var nearVersion = 0

  /// The least time between two changes.
  private static var intervalMilliseconds: Int64 { 100 }
  /// The least time between two whole states, which are costly.
  private static var stateIntervalMilliseconds: Int64 { 1000 }
  /// Shorter than the silence after which proxies drop a connection.
  private static var silenceMilliseconds: Int64 { 15_000 }
  /// How far a device moves before its nearby places are sent again.
  private static var nearMeters: Double { 250 }

  /// Creates a feed that continues after the last event that a reconnecting page received.
  init(mapState: LiveMapState, encoder: MapEncoder, run: String, lastID: String?) {
    self.mapState = mapState
    self.encoder = encoder
    self.run = run
    cursor = lastID.flatMap { id in
      id.hasPrefix(run + "-") ? Int(id.dropFirst(run.utf8.count + 1)) : nil
    }
  }

  /// When there may be something to send without a further change.
  var dueMilliseconds: Int64? {
    guard let cursor else { return stateMilliseconds + Self.stateIntervalMilliseconds }
    return mapState.sequence > cursor
      ? sentMilliseconds + Self.intervalMilliseconds
      : sentMilliseconds + Self.silenceMilliseconds
  }

  /// Returns what is still unsent when the server stops, without waiting for the interval.
  func last(nowMilliseconds now: Int64) -> [UInt8]? {
    sentMilliseconds = now - Self.intervalMilliseconds
    return next(nowMilliseconds: now)
  }

  /// Returns the next message: the state, changes, or a sign of life after a long silence.
  ///
  /// A page whose last change was dropped gets the state again.
  func next(nowMilliseconds now: Int64) -> [UInt8]? {
    guard let cursor else { return state(now) }
    guard now - sentMilliseconds >= Self.intervalMilliseconds else { return nil }
    guard let (changes, last) = mapState.changes(after: cursor) else {
      self.cursor = nil
      return state(now)
    }
    if changes.isEmpty {
      guard now - sentMilliseconds >= Self.silenceMilliseconds else { return nil }
      sentMilliseconds = now
      return Array(": still here\n\n".utf8)
    }
    self.cursor = last
    sentMilliseconds = now
    let text = encoder.changes(changes, mapState.contents, nowMilliseconds: now) { name, place in
      isNearWanted(name, place)
    }
    return message("change", last, text)
  }

  /// The whole state as a message; nil if the last one was sent too recently.
  private func state(_ now: Int64) -> [UInt8]? {
    guard now - stateMilliseconds >= Self.stateIntervalMilliseconds else { return nil }
    let contents = mapState.contents
    cursor = contents.sequence
    sentMilliseconds = now
    stateMilliseconds = now
    nearCenters = contents.devices.compactMapValues(\.position?.coordinate)
    let text = encoder.state(contents, nowMilliseconds: now)
    nearVersion = encoder.placesVersion
    return message("state", contents.sequence, text)
  }

  /// Whether a device has gone so far, or the store has changed, that the page needs other places.
  private func isNearWanted(_ name: String, _ place: Coordinate) -> Bool {
    if nearVersion != encoder.placesVersion {
      nearVersion = encoder.placesVersion
      nearCenters.removeAll()
    }
    if let center = nearCenters[name],
      Geodesic.distanceMeters(center, place) < Self.nearMeters
    {
      return false
    }
    nearCenters[name] = place
    return true
  }

  /// A message of an event stream, whose id a page sends when it connects again.
  private func message(_ kind: String, _ sequence: Int, _ json: String) -> [UInt8] {
    Array("id: \(run)-\(sequence)\nevent: \(kind)\ndata: \(json)\n\n".utf8)
  }
}
#endif
