import FencepostTime
public import FencepostGeodesy

/// What makes a request fire.
public enum NotificationTrigger: Hashable, Codable, Sendable {
  /// It fires at once.
  case immediate
  /// It fires when the clock matches a pattern, once or every time.
  case calendar(CalendarPattern, repeats: Bool, anchor: ClockAnchor)
  /// It fires when a time has passed since it was asked for.
  case interval(IntervalTrigger)
  /// It fires when a circle is entered or left.
  case region(RegionTrigger)

  /// A trigger that fires once at an instant in milliseconds since 1970, rounded up to a whole second.
  public static func at(milliseconds: Int64) -> NotificationTrigger {
    let seconds = -(-milliseconds).dividedDown(by: 1000)
    let date = CivilDate(daysSince1970: Int(seconds.dividedDown(by: 86_400)))
    let pattern = CalendarPattern(date: date, time: TimeOfDay(wrapping: Int(seconds)))
    return .calendar(pattern, repeats: false, anchor: .fixed(.utc))
  }

  /// Whether it can fire more than once.
  public var repeats: Bool {
    switch self {
    case .immediate: false
    case .calendar(_, let repeats, _): repeats
    case .interval(let interval): interval.repeats
    case .region(let region): region.repeats
    }
  }
}

/// The clock that a local time refers to.
public enum ClockAnchor: Hashable, Codable, Sendable {
  /// The clock of wherever the phone is, as for a meeting or a habit.
  case floating
  /// The clock of one zone, wherever the phone is, as for a medication.
  case fixed(ClockZone)

  /// The zone of the clock, given the phone's zone.
  public func zone(onDeviceIn device: ClockZone) -> ClockZone {
    switch self {
    case .floating: device
    case .fixed(let zone): zone
    }
  }
}

/// A time to wait, once or again and again.
public struct IntervalTrigger: Hashable, Codable, Sendable {
  /// How long to wait, in milliseconds.
  public let milliseconds: Int64
  /// Whether the wait starts again after firing.
  public let repeats: Bool

  /// Makes an interval; nil if it is not positive, or repeats in less than 60 seconds.
  public init?(milliseconds: Int64, repeats: Bool) {
    guard milliseconds > 0, !repeats || milliseconds >= 60_000 else {
      return nil
    }
    self.milliseconds = milliseconds
    self.repeats = repeats
  }

  /// Reads an interval; fails if ``init(milliseconds:repeats:)`` does.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self = try decoder.valid(
      IntervalTrigger(
        milliseconds: try container.decode(Int64.self, forKey: .milliseconds),
        repeats: try container.decode(Bool.self, forKey: .repeats)),
      or: "an interval is positive, and 60 seconds or more where it repeats")
  }

  /// The first end of a wait after an instant, in milliseconds since 1970.
  func nextMilliseconds(after instant: Int64, askedMilliseconds: Int64) -> Int64? {
    let first = askedMilliseconds + milliseconds
    if first > instant || !repeats || milliseconds <= 0 { return first }
    return first + ((instant - first) / milliseconds + 1) * milliseconds
  }
}

/// A circle whose edge fires.
public struct RegionTrigger: Hashable, Codable, Sendable {
  /// Latitude of the centre in degrees.
  public let latitudeDegrees: Double
  /// Longitude of the centre in degrees.
  public let longitudeDegrees: Double
  /// The radius in metres.
  public let radiusMeters: Double
  /// Whether entering fires.
  public let firesOnEntry: Bool
  /// Whether leaving fires.
  public let firesOnExit: Bool
  /// Whether it stays after it has fired.
  public let repeats: Bool

  /// The centre.
  public var center: Coordinate {
    Coordinate(latitudeDegrees: latitudeDegrees, longitudeDegrees: longitudeDegrees)
  }

  /// Makes a circle's trigger; nil if the centre is not a valid coordinate, the radius is not above 0 m
  /// and at most 20,000,000 m, or neither edge fires.
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

  /// Reads a circle's trigger; fails if the memberwise initializer does.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self = try decoder.valid(
      RegionTrigger(
        center: Coordinate(
          latitudeDegrees: try container.decode(Double.self, forKey: .latitudeDegrees),
          longitudeDegrees: try container.decode(Double.self, forKey: .longitudeDegrees)),
        radiusMeters: try container.decode(Double.self, forKey: .radiusMeters),
        firesOnEntry: try container.decode(Bool.self, forKey: .firesOnEntry),
        firesOnExit: try container.decode(Bool.self, forKey: .firesOnExit),
        repeats: try container.decode(Bool.self, forKey: .repeats)),
      or: "a circle is on the globe, with a positive radius and an edge that fires")
  }
}
