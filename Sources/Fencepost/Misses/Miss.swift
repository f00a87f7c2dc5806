public import FencepostMonitoring

/// An entry into a circle that was not watched when the path came into it.
public struct Miss: Sendable {
  /// Why it was not watched.
  public enum Reason: Hashable, Sendable {
    /// As many nearer places as can be watched at a time were watched.
    case nearerPlaces(Int)
    /// A lookup at the edge would have chosen it; the last one was too far back.
    case lookedUpTooLate
  }

  /// The place's title, or its id if it has none.
  public var title: String
  /// When the path came in, in milliseconds since 1970-01-01T00:00:00Z; nil without times.
  public var timeMilliseconds: Int64?
  /// Why it was not watched.
  public var reason: Reason
  /// Whether the adaptive refresh would have watched it.
  public var isAvoidedByAdaptive: Bool
}

/// How many entries a limit of watched places has cost.
public struct MissCounts: Codable, Equatable, Sendable {
  /// Entries that nobody noticed.
  public var missed = 0
  /// Entries that were noticed late: at a lookup, when the device was inside already.
  public var foundLate = 0

  /// Makes counts of zero.
  public init() {}

  /// The number of all entries that were not noticed when they happened.
  public var total: Int { missed + foundLate }

  /// Adds another track's counts.
  public static func += (counts: inout MissCounts, other: MissCounts) {
    counts.missed += other.missed
    counts.foundLate += other.foundLate
  }
}

extension MonitoringOptions {
  /// The same rule with every place watched at every moment.
  package var withoutLimit: MonitoringOptions {
    var options = self
    options.limit = nil
    options.hasTripwire = false
    options.refreshFloorMeters = 0
    options.minIntervalMilliseconds = 0
    return options
  }
}

extension EngineEvent {
  /// A crossing or a dwell, and what it is; nil for a refresh.
  package var encounter: (crossing: Crossing, kind: AlertTrigger)? {
    switch self {
    case .crossing(let crossing): (crossing, crossing.isEnter ? .enter : .exit)
    case .dwell(let dwell): (dwell, .dwell)
    case .refresh: nil
    }
  }
}

extension Miss {
  /// A sentence about the miss, without a full stop.
  ///
  /// - Parameter time: The time in words; nil without one.
  /// - Returns: What was missed, why, and which option would have caught it.
  public func sentence(at time: String?) -> String {
    let why =
      switch reason {
      case .nearerPlaces(let count):
        "the phone was watching \(count) nearer \(count == 1 ? "story" : "stories")"
      case .lookedUpTooLate: "the phone looked up the nearest stories too late"
      }
    let cure = isAvoidedByAdaptive ? "--refresh adaptive or --limit none" : "--limit none"
    return
      "missed the entry into \(title)\(time.map { " at \($0)" } ?? ""): \(why). To miss none: \(cure)"
  }
}

extension MissCounts {
  /// A sentence about all misses, with the options that would have had none; nil if there are none.
  ///
  /// - Parameter options: The rule under which they were missed.
  /// - Returns: Their number, and what would have had none.
  public func sentence(under options: MonitoringOptions) -> String? {
    guard total > 0, let limit = options.slots else { return nil }
    func entries(_ count: Int) -> String { count == 1 ? "1 entry was" : "\(count) entries were" }
    let what =
      foundLate == 0
      ? "\(entries(missed)) missed"
      : missed == 0
        ? "\(entries(foundLate)) found late"
        : "\(entries(missed)) missed and \(foundLate) found late"
    let circles = limit == 1 ? "1 circle was" : "\(limit) circles were"
    let cure =
      options.refresh == .fixed ? "--refresh adaptive or --limit none" : "--limit none"
    return "\(what) because only \(circles) watched. To miss none: \(cure)."
  }
}
