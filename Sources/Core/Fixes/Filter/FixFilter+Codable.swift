import FencepostGeodesy

extension FixFilter: Codable {
  private enum CodingKeys: String, CodingKey {
    case keepsNullIsland, trackIndex, last, lastMilliseconds, arrivedCount, believed, held
    case refused, row, streak, window, lateness
    /// Saved by older versions instead of `believed` and `last`.
    case run, lastLatitudeDegrees, lastLongitudeDegrees
  }

  /// Saved by older versions, with only the count and the ends.
  private struct Run: Decodable {
    var count: Int
    var firstMilliseconds: Int64
    var lastMilliseconds: Int64

    /// Evenly spaced times in place of the unknown ones.
    var times: BelievedTimes {
      var times = BelievedTimes()
      let count = min(count, BelievedTimes.capacity)
      guard count > 0, firstMilliseconds <= lastMilliseconds else { return times }
      let (span, isBeyondAll) = lastMilliseconds.subtractingReportingOverflow(firstMilliseconds)
      let step = isBeyondAll ? 0 : span / Int64(max(1, self.count - 1))
      for back in (0..<count).reversed() {
        times.append(lastMilliseconds - Int64(back) * step, arrival: self.count - back)
      }
      guard count < self.count, let oldest = times.milliseconds.first else { return times }
      var older = TimeRun(firstMilliseconds, arrival: 1)
      (older.last, older.lastArrival) = (oldest, self.count - count)
      older.count = self.count - count
      return BelievedTimes(
        milliseconds: times.milliseconds, arrivals: times.arrivals, older: [older]) ?? times
    }
  }

  private struct Believed: Codable {
    var times: [Int64]
    var arrivals: [Int]
    /// Not saved by older versions.
    var older: [TimeRun]?

    /// The runs before the times; older versions saved only how many fixes they hold.
    func runs(arrivedCount: Int) -> [TimeRun] {
      if let older { return older }
      guard let first = times.first, let arrival = arrivals.first, arrival > 1 else { return [] }
      var run = TimeRun(Fix.noTime + 1, arrival: 1)
      (run.last, run.lastArrival, run.count) = (first, arrival - 1, arrival - 1)
      return [run]
    }
  }

  /// Decodes the state that ``encode(to:)`` or an older version wrote.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(keepsNullIsland: try values.decode(Bool.self, forKey: .keepsNullIsland))
    trackIndex = try values.decode(Int32.self, forKey: .trackIndex)
    if let last = try values.decodeIfPresent(Coordinate.self, forKey: .last) {
      lastLatitudeDegrees = last.latitudeDegrees
      lastLongitudeDegrees = last.longitudeDegrees
    } else {
      lastLatitudeDegrees = try values.decode(Double.self, forKey: .lastLatitudeDegrees)
      lastLongitudeDegrees = try values.decode(Double.self, forKey: .lastLongitudeDegrees)
    }
    lastMilliseconds = try values.decode(Int64.self, forKey: .lastMilliseconds)
    if let saved = try values.decodeIfPresent(Believed.self, forKey: .believed) {
      arrivedCount = try values.decode(Int.self, forKey: .arrivedCount)
      guard
        let times = BelievedTimes(
          milliseconds: saved.times, arrivals: saved.arrivals,
          older: saved.runs(arrivedCount: arrivedCount))
      else {
        throw DecodingError.dataCorruptedError(
          forKey: .believed, in: values, debugDescription: "the believed times are out of order")
      }
      believed = times
      held = HeldFixes(
        try values.decode([HeldFixes.Member].self, forKey: .held),
        refused: try values.decodeIfPresent([TimeRun].self, forKey: .refused),
        row: try values.decodeIfPresent(TimeRun.self, forKey: .row),
        streak: try values.decodeIfPresent(TimeRun.self, forKey: .streak))
    } else if let run = try values.decodeIfPresent(Run.self, forKey: .run) {
      believed = run.times
      arrivedCount = run.count
    }
    newestMilliseconds = believed.newest
    window = try values.decodeIfPresent(ReorderWindow.self, forKey: .window)
    lateness = try values.decodeIfPresent(Lateness.self, forKey: .lateness) ?? Lateness()
  }

  /// Encodes the state of the filter.
  ///
  /// `maxAccuracyMeters` and `isWhole` are not part of it; set them again after decoding.
  public func encode(to encoder: any Encoder) throws {
    var believed = believed
    believed.trim()
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(keepsNullIsland, forKey: .keepsNullIsland)
    try values.encode(trackIndex, forKey: .trackIndex)
    let last = Coordinate(
      latitudeDegrees: lastLatitudeDegrees, longitudeDegrees: lastLongitudeDegrees)
    try values.encode(last, forKey: .last)
    try values.encode(lastMilliseconds, forKey: .lastMilliseconds)
    try values.encode(arrivedCount, forKey: .arrivedCount)
    try values.encode(
      Believed(
        times: believed.milliseconds, arrivals: believed.arrivals, older: believed.older),
      forKey: .believed)
    try values.encode(held.members, forKey: .held)
    try values.encode(held.refused, forKey: .refused)
    try values.encodeIfPresent(held.row, forKey: .row)
    try values.encodeIfPresent(held.streak, forKey: .streak)
    try values.encodeIfPresent(window, forKey: .window)
    try values.encode(lateness, forKey: .lateness)
  }
}

extension HeldFixes.Member: Codable {
  private enum CodingKeys: String, CodingKey {
    case arrival, time, track, segment, accuracy, speed, course, line
    case late
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    // JSON has no NaN, so these are saved as bit patterns.
    func number(_ key: CodingKeys) throws -> Float {
      Float(bitPattern: try values.decode(UInt32.self, forKey: key))
    }
    fix = Fix(
      coordinate: try Coordinate(from: decoder),
      timeMilliseconds: try values.decode(Int64.self, forKey: .time),
      trackIndex: try values.decode(Int32.self, forKey: .track),
      segmentIndex: try values.decode(Int32.self, forKey: .segment),
      accuracyMeters: try number(.accuracy), speedMetersPerSecond: try number(.speed),
      courseDegrees: try number(.course), line: try values.decode(Int32.self, forKey: .line))
    arrival = try values.decode(Int.self, forKey: .arrival)
    lateMilliseconds = try values.decodeIfPresent(Int64.self, forKey: .late) ?? 0
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(arrival, forKey: .arrival)
    try fix.coordinate.encode(to: encoder)
    try values.encode(fix.rawTimeMilliseconds, forKey: .time)
    try values.encode(fix.trackIndex, forKey: .track)
    try values.encode(fix.segmentIndex, forKey: .segment)
    try values.encode(fix.accuracyMeters.bitPattern, forKey: .accuracy)
    try values.encode(fix.speedMetersPerSecond.bitPattern, forKey: .speed)
    try values.encode(fix.courseDegrees.bitPattern, forKey: .course)
    try values.encode(fix.line, forKey: .line)
    if lateMilliseconds != 0 { try values.encode(lateMilliseconds, forKey: .late) }
  }
}

extension ReorderWindow: Codable {
  private enum CodingKeys: String, CodingKey {
    case version, windowMilliseconds, capacity, releasedMilliseconds, arrivedCount, trackIndex, held
  }

  /// Decodes the form that ``encode(to:)`` wrote; throws if it is damaged or of a newer version.
  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let version = try values.decode(Int.self, forKey: .version)
    guard version <= Self.version else {
      throw DecodingError.dataCorruptedError(
        forKey: .version, in: values,
        debugDescription: "the reorder window was written by a newer version of Fencepost")
    }
    self.init(
      windowMilliseconds: try values.decode(Int64.self, forKey: .windowMilliseconds),
      capacity: try values.decode(Int.self, forKey: .capacity))
    releasedMilliseconds = try values.decode(Int64.self, forKey: .releasedMilliseconds)
    arrivedCount = try values.decode(Int.self, forKey: .arrivedCount)
    trackIndex = try values.decode(Int32.self, forKey: .trackIndex)
    for member in try values.decode([HeldFixes.Member].self, forKey: .held) { held.insert(member) }
  }

  /// Encodes the fixes that are held, and how the window goes on.
  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(Self.version, forKey: .version)
    try values.encode(windowMilliseconds, forKey: .windowMilliseconds)
    try values.encode(capacity, forKey: .capacity)
    try values.encode(releasedMilliseconds, forKey: .releasedMilliseconds)
    try values.encode(arrivedCount, forKey: .arrivedCount)
    try values.encode(trackIndex, forKey: .trackIndex)
    try values.encode(held.members, forKey: .held)
  }
}
