package import FencepostMonitoring

/// An entry into a circle that was not being watched.
public struct Miss: Sendable {
  /// The reason a circle was not watched.
  public enum Reason: Hashable, Sendable {
    /// All slots were taken by this many nearer places.
    case nearerPlaces(Int)
    /// The circle was near enough, but the last lookup was too far back.
    case lookedUpTooLate
  }

  /// The title of the place, or its id if it has no title.
  public var title: String
  /// The time of the entry in milliseconds since 1970-01-01T00:00:00Z; nil without times.
  public var timeMilliseconds: Int64?
  /// The reason the circle was not watched.
  public var reason: Reason
  /// Whether adaptive refresh would have watched it.
  public var isAvoidedByAdaptive: Bool
}

/// The number of entries that were missed or late because of the limit on watched circles.
public struct MissCounts: Codable, Equatable, Sendable {
  /// Entries that were never noticed.
  public var missed = 0
  /// Entries noticed only at a later lookup, with the device already inside.
  public var foundLate = 0

  package init() {}

  package var total: Int { missed + foundLate }

  package static func += (counts: inout MissCounts, other: MissCounts) {
    counts.missed += other.missed
    counts.foundLate += other.foundLate
  }
}

extension MonitoringOptions {
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
  /// The crossing or dwell and its kind; nil for a lookup.
  package var encounter: (crossing: Crossing, kind: AlertTrigger)? {
    switch self {
    case .crossing(let crossing): (crossing, crossing.isEnter ? .enter : .exit)
    case .dwell(let dwell): (dwell, .dwell)
    case .refresh: nil
    }
  }
}

extension Miss {
  /// The miss as one sentence without a period: the circle, the reason and the remedy.
  package func sentence(at time: String?) -> String {
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
  /// All misses as one sentence with the remedy; nil if nothing was missed.
  package func sentence(under options: MonitoringOptions) -> String? {
    guard total > 0, let limit = options.slots else { return nil }
    func entries(_ count: Int) -> String { count == 1 ? "1 entry was" : "\(count) entries were" }
    let what =
      foundLate == 0
      ? "\(entries(missed)) missed"
      : missed == 0
        ? "\(entries(foundLate)) late"
        : "\(entries(missed)) missed and \(foundLate) \(foundLate == 1 ? "was" : "were") late"
    let circles = limit == 1 ? "1 circle was" : "\(limit) circles were"
    let cure =
      options.refresh == .fixed ? "--refresh adaptive or --limit none" : "--limit none"
    return "\(what) because only \(circles) watched. To miss none: \(cure)."
  }
}
