/// The regions of a monitor that reports states in place of crossings, and their last states.
///
/// Such a monitor delivers a state two or three times, also after the next one.
package struct RegionStates {
  /// What a monitor knows about a region.
  ///
  /// A region is unmonitored once the system has stopped watching it.
  package enum State { case inside, outside, unknown, unmonitored }

  private struct Known {
    var region: PhoneRegion
    /// Nil if unknown.
    var isInside: Bool?
    /// The time of the last event in milliseconds since 1970; nil before the first.
    var milliseconds: Int64?
  }

  private var known: [String: Known] = [:]

  /// Creates an empty set of regions.
  package init() {}

  /// All regions, in no order.
  package var regions: [PhoneRegion] { known.values.map(\.region) }

  /// Adds a region with its last state, replacing one with the same identifier.
  package mutating func add(
    _ region: PhoneRegion, _ state: State = .unknown, atMilliseconds time: Int64? = nil
  ) {
    known[region.identifier] = Known(
      region: region, isInside: Self.isInside(state), milliseconds: time)
  }

  /// Removes a region, and returns whether there was one.
  package mutating func remove(_ identifier: String) -> Bool {
    known.removeValue(forKey: identifier) != nil
  }

  /// Whether the phone is inside a region; nil if unknown.
  package func isInside(_ identifier: String) -> Bool? { known[identifier]?.isInside }

  /// Records a state, and returns what has happened; nil for a state that says nothing new.
  package mutating func record(
    _ state: State, of identifier: String, atMilliseconds time: Int64
  ) -> LocationEvent? {
    guard let last = known[identifier] else { return nil }
    if let lastTime = last.milliseconds, time < lastTime { return nil }
    known[identifier]?.milliseconds = time
    if state == .unmonitored {
      known[identifier] = nil
      return .regionFailed(identifier: identifier, reason: "the system has stopped monitoring it")
    }
    guard let isInside = Self.isInside(state) else { return nil }
    known[identifier]?.isInside = isInside
    switch (last.isInside, isInside) {
    case (false, true): return .entered(identifier: identifier, timeMilliseconds: time)
    case (true, false): return .left(identifier: identifier, timeMilliseconds: time)
    case (nil, _), (true, true), (false, false):
      return .found(identifier: identifier, isInside: isInside, timeMilliseconds: time)
    }
  }

  private static func isInside(_ state: State) -> Bool? {
    switch state {
    case .inside: true
    case .outside: false
    case .unknown, .unmonitored: nil
    }
  }
}
