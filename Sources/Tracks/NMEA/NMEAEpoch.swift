import FencepostFixes
import FencepostGeodesy

/// Combines sentences with the same time of day into one fix.
///
/// All sentences of an epoch report the same solution, rounded differently. The position with the
/// most decimals is kept; among equals, the first.
struct NMEAEpoch {
  /// The kinds of sentences that contribute to a fix.
  struct Kinds: OptionSet, Sendable {
    var rawValue: UInt8
    static var rmc: Kinds { Kinds(rawValue: 1) }
    static var gga: Kinds { Kinds(rawValue: 2) }
    static var gll: Kinds { Kinds(rawValue: 4) }
    static var gns: Kinds { Kinds(rawValue: 8) }
    static var vtg: Kinds { Kinds(rawValue: 16) }
    static var zda: Kinds { Kinds(rawValue: 32) }
    static var gst: Kinds { Kinds(rawValue: 64) }
    /// The kinds that state a position.
    static var positions: Kinds { [.rmc, .gga, .gll, .gns] }
  }

  var kinds: Kinds = []
  /// Milliseconds since midnight.
  var timeOfDay: Int32?
  /// Days since 1970-01-01, as stated in this epoch with a valid fix.
  var day: Int32?
  /// Like ``day``, but stated without a valid fix.
  var doubtfulDay: Int32?
  var position: NMEAFields.Position?
  /// Whether a sentence reported no fix.
  var isVoid = false
  var accuracyMeters = Float.nan
  var speedMetersPerSecond = Float.nan
  var courseDegrees = Float.nan
  var line: Int32 = 0
  /// Whether the fix was appended before the next epoch began.
  var isHandedOn = false

  var hasPosition: Bool { position != nil }
  var isEmpty: Bool { kinds.isEmpty }

  /// Whether a sentence belongs to this epoch; without a time, if its kind is new.
  func takes(_ kind: Kinds, timeOfDay other: Int32?) -> Bool {
    guard let other, let timeOfDay else { return kinds.isDisjoint(with: kind) }
    return other == timeOfDay
  }
}

extension NMEADecoder {
  /// How many epochs to keep waiting for a kind that the receiver no longer sends.
  private static var generationCount: Int { 16 }

  mutating func join(
    _ kind: NMEAEpoch.Kinds, timeOfDay: Int32?, _ position: NMEAFields.Position, line: Int,
    into batch: inout FixBatch
  ) {
    join(kind, timeOfDay: timeOfDay, line: line, into: &batch)
    if position.decimals > epoch.position?.decimals ?? -1 { epoch.position = position }
  }

  mutating func joinVoid(
    _ kind: NMEAEpoch.Kinds, timeOfDay: Int32?, line: Int, into batch: inout FixBatch
  ) {
    join(kind, timeOfDay: timeOfDay, line: line, into: &batch)
    epoch.isVoid = true
  }

  /// Adds a sentence; if it opens a new epoch, closes the current one.
  private mutating func join(
    _ kind: NMEAEpoch.Kinds, timeOfDay: Int32?, line: Int, into batch: inout FixBatch
  ) {
    if !epoch.takes(kind, timeOfDay: timeOfDay) { closeEpoch(into: &batch) }
    if epoch.isEmpty, let motion {
      epoch.speedMetersPerSecond = motion.speedMetersPerSecond
      epoch.courseDegrees = motion.courseDegrees
      epoch.kinds = .vtg
      self.motion = nil
    }
    if let timeOfDay { epoch.timeOfDay = timeOfDay }
    epoch.kinds.formUnion(kind)
    epoch.line = Int32(clamping: line)
  }

  /// Ends the current epoch and appends its fix, or rejects it.
  mutating func closeEpoch(into batch: inout FixBatch) {
    if epoch.hasPosition {
      if epoch.isHandedOn { tellLateDate(into: &batch) } else { handOnEpoch(into: &batch) }
      noteKinds()
    } else if epoch.isVoid {
      batch.reject(.void, line: Int(epoch.line))
    }
    epoch = NMEAEpoch()
  }

  private mutating func noteKinds() {
    usualKinds.current.formUnion(epoch.kinds)
    epochCount += 1
    guard epochCount >= Self.generationCount else { return }
    usualKinds = (current: [], former: usualKinds.current)
    epochCount = 0
  }

  /// Appends the epoch's fix, or holds it until a date is known.
  mutating func handOnEpoch(into batch: inout FixBatch) {
    guard let position = epoch.position else { return }
    let fix = Fix(
      coordinate: Coordinate(
        latitudeDegrees: position.latitudeDegrees, longitudeDegrees: position.longitudeDegrees),
      accuracyMeters: epoch.accuracyMeters, speedMetersPerSecond: epoch.speedMetersPerSecond,
      courseDegrees: epoch.courseDegrees, line: epoch.line)
    tellLateDate(into: &batch)
    calendar.append(fix, timeOfDay: epoch.timeOfDay, into: &batch)
  }

  /// Passes the epoch's date, if stated, to the calendar.
  private mutating func tellLateDate(into batch: inout FixBatch) {
    let day = calendar.isDated ? epoch.day : epoch.day ?? epoch.doubtfulDay
    guard let day, let timeOfDay = epoch.timeOfDay else { return }
    calendar.told(day: day, timeOfDay: timeOfDay, into: &batch)
  }
}
