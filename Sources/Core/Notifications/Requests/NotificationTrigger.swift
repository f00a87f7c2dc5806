import FencepostTime
public import FencepostGeodesy

/// What makes a request fire.
///
/// A trigger has no state: when it fires next follows from the current time and zone alone.
public enum NotificationTrigger: Hashable, Sendable {
  /// Fires at once.
  case immediate
  /// Fires when the clock matches a pattern, once or every time.
  case calendar(CalendarPattern, repeats: Bool, anchor: ClockAnchor)
  /// Fires after a duration.
  case interval(IntervalTrigger)
  /// Fires when a circle is entered or left.
  case region(RegionTrigger)

  /// Fires once at a time in milliseconds since 1970, rounded up to a whole second.
  public static func at(milliseconds: Int64) -> NotificationTrigger {
    let seconds = -(-milliseconds).dividedDown(by: 1000)
    let date = CivilDate(daysSince1970: Int(seconds.dividedDown(by: 86_400)))
    let pattern = CalendarPattern(date: date, time: TimeOfDay(wrapping: Int(seconds)))
    return .calendar(pattern, repeats: false, anchor: .fixed(.utc))
  }

  /// Whether the trigger can fire more than once.
  package var repeats: Bool {
    switch self {
    case .immediate: false
    case .calendar(_, let repeats, _): repeats
    case .interval(let interval): interval.repeats
    case .region(let region): region.repeats
    }
  }
}

/// The clock that a local time refers to.
///
/// It matters when the phone moves to another time zone.
public enum ClockAnchor: Hashable, Sendable {
  /// The phone's clock, as for a meeting or a habit.
  case floating
  /// The clock of one zone, wherever the phone is, as for a medication.
  case fixed(ClockZone)

  /// The zone of the clock, given the phone's zone.
  package func zone(onDeviceIn device: ClockZone) -> ClockZone {
    switch self {
    case .floating: device
    case .fixed(let zone): zone
    }
  }
}

/// A duration after which a request fires, once or repeatedly.
///
/// It counts from ``NotificationRequest/askedMilliseconds``.
public struct IntervalTrigger: Hashable, Codable, Sendable {
  /// The duration in milliseconds.
  public let milliseconds: Int64
  /// Whether the duration starts again after firing.
  public let repeats: Bool

  /// Creates an interval of milliseconds.
  ///
  /// - Returns: Nil unless it is positive, and at least 60 seconds if it repeats.
  public init?(milliseconds: Int64, repeats: Bool) {
    guard milliseconds > 0, !repeats || milliseconds >= 60_000 else { return nil }
    self.milliseconds = milliseconds
    self.repeats = repeats
  }

  /// Creates an interval of a duration, rounded to whole milliseconds.
  ///
  /// - Returns: Nil unless it is positive, and at least 60 seconds if it repeats.
  public init?(_ duration: Duration, repeats: Bool) {
    self.init(milliseconds: duration.roundedMilliseconds, repeats: repeats)
  }

  /// Reads an interval; throws if it is invalid.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self = try decoder.valid(
      IntervalTrigger(
        milliseconds: try container.decode(Int64.self, forKey: .milliseconds),
        repeats: try container.decode(Bool.self, forKey: .repeats)),
      or: "an interval must be positive, and at least 60 seconds if it repeats")
  }

  /// The first end of the interval after a time, in milliseconds since 1970.
  func nextMilliseconds(after instant: Int64, askedMilliseconds: Int64) -> Int64? {
    let first = askedMilliseconds + milliseconds
    if first > instant || !repeats || milliseconds <= 0 { return first }
    return first + ((instant - first) / milliseconds + 1) * milliseconds
  }
}

/// A circle that fires when its edge is crossed.
///
/// The system watches the circle, even while the app is not running. A phone watches only a few.
public struct RegionTrigger: Hashable, Codable, Sendable {
  /// The latitude of the center in degrees.
  public let latitudeDegrees: Double
  /// The longitude of the center in degrees.
  public let longitudeDegrees: Double
  /// The radius in meters.
  public let radiusMeters: Double
  /// Whether an entry fires.
  public let firesOnEntry: Bool
  /// Whether an exit fires.
  public let firesOnExit: Bool
  /// Whether it fires every time.
  public let repeats: Bool

  /// The center of the circle.
  package var center: Coordinate {
    Coordinate(latitudeDegrees: latitudeDegrees, longitudeDegrees: longitudeDegrees)
  }

  /// Creates a trigger; nil if neither direction fires or the center or radius is invalid.
  ///
  /// The radius must be above 0 m and at most 20,000,000 m.
  public init?(
    center: Coordinate, radiusMeters: Double, firesOnEntry: Bool = true, firesOnExit: Bool = false,
    repeats: Bool = false
  ) {
    guard center.isValid, radiusMeters > 0, radiusMeters <= Circle.greatestRadiusMeters,
      firesOnEntry || firesOnExit
    else { return nil }
    latitudeDegrees = center.latitudeDegrees
    longitudeDegrees = center.longitudeDegrees
    self.radiusMeters = radiusMeters
    self.firesOnEntry = firesOnEntry
    self.firesOnExit = firesOnExit
    self.repeats = repeats
  }

  private enum CodingKeys: String, CodingKey {
    case radiusMeters, firesOnEntry, firesOnExit, repeats
  }

  /// Reads a trigger; throws if it is invalid.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self = try decoder.valid(
      RegionTrigger(
        center: try Coordinate(from: decoder),
        radiusMeters: try container.decode(Double.self, forKey: .radiusMeters),
        firesOnEntry: try container.decode(Bool.self, forKey: .firesOnEntry),
        firesOnExit: try container.decode(Bool.self, forKey: .firesOnExit),
        repeats: try container.decode(Bool.self, forKey: .repeats)),
      or: "a circle must be on the globe, have a positive radius and fire on entry or exit")
  }

  /// Writes the trigger, with the center's `lat` and `lon`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try center.encode(to: encoder)
    try container.encode(radiusMeters, forKey: .radiusMeters)
    try container.encode(firesOnEntry, forKey: .firesOnEntry)
    try container.encode(firesOnExit, forKey: .firesOnExit)
    try container.encode(repeats, forKey: .repeats)
  }
}

/// The error of a center on systems that cannot trigger notifications by region.
///
/// Schedule only times there, or watch the circles with a ``LocationPhone``.
public struct MissingTriggerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A message without a final period.
  public var description: String { "this system shows no notification when a region is crossed" }

  /// Creates the error.
  public init() {}
}

extension Duration {
  /// The nearest number of milliseconds.
  package var roundedMilliseconds: Int64 { Int64((self / .milliseconds(1)).rounded()) }
}
