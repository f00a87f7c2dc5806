import FencepostFixes
import FencepostGeodesy

/// Combines sentences with the same time of day into one fix.
///
/// All sentences of an epoch report the same solution, rounded differently. The position with the
/// most decimals is kept; among equals, the first.
struct NMEAEpoch {
  /// The kinds of sentences that are used, as a set.
  struct Kinds: OptionSet, Sendable {
    var rawValue: UInt16
    static var rmc: Kinds { Kinds(rawValue: 1) }
    static var gga: Kinds { Kinds(rawValue: 2) }
    static var gll: Kinds { Kinds(rawValue: 4) }
    static var gns: Kinds { Kinds(rawValue: 8) }
    static var vtg: Kinds { Kinds(rawValue: 16) }
    static var zda: Kinds { Kinds(rawValue: 32) }
    static var gst: Kinds { Kinds(rawValue: 64) }
    static var pubx: Kinds { Kinds(rawValue: 128) }
    static var ggk: Kinds { Kinds(rawValue: 256) }
    static var positions: Kinds { [.rmc, .gga, .gll, .gns, .pubx, .ggk] }
  }

  var kinds: Kinds = []
  /// Milliseconds since midnight.
  var timeOfDay: Int32?
  /// Days since 1970-01-01, as stated in this epoch with a valid fix.
  var day: Int32?
  /// The log's time of a sentence.
  var stamp: LogStamp?
  /// Like ``day``, but stated without a valid fix.
  var doubtfulDay: Int32?
  /// The most precise position; nil if no sentence had a valid one.
  var position: NMEAFields.Position?
  /// Whether a sentence reported no fix.
  var isVoid = false
  /// What sentences said about the fix; NaN for what none said.
  var accuracyMeters = Float.nan
  var speedMetersPerSecond = Float.nan
  var courseDegrees = Float.nan
  var line: Int32 = 0
  /// Whether the fix was appended before the next epoch began.
  var isHandedOn = false

  /// Whether latitude and longitude are both 0, as receivers send that know neither.
  var isNullIsland: Bool { position?.latitudeDegrees == 0 && position?.longitudeDegrees == 0 }
}

extension NMEADecoder {
  /// How many epochs to keep waiting for a kind that the receiver no longer sends.
  private static var generationCount: Int { 16 }

  /// Adds a sentence, without a position if it reports no fix; a new epoch closes the current one.
  mutating func join(
    _ kind: NMEAEpoch.Kinds, timeOfDay: Int32?, _ position: NMEAFields.Position?, line: Int,
    into batch: inout FixBatch
  ) {
    // Without times, a sentence belongs to the current epoch if its kind is new.
    var isNew = !epoch.kinds.isDisjoint(with: kind)
    if let timeOfDay, let time = epoch.timeOfDay { isNew = timeOfDay != time }
    if isNew { closeEpoch(into: &batch) }
    if epoch.kinds.isEmpty, let motion {
      epoch.speedMetersPerSecond = motion.speedMetersPerSecond
      epoch.courseDegrees = motion.courseDegrees
      epoch.kinds = .vtg
      self.motion = nil
    }
    if let timeOfDay { epoch.timeOfDay = timeOfDay }
    if let stamp {
      epoch.stamp = stamp
      self.stamp = nil
    }
    epoch.kinds.formUnion(kind)
    epoch.line = Int32(clamping: line)
    if position == nil { epoch.isVoid = true }
    if let position, position.decimals > epoch.position?.decimals ?? -1 {
      epoch.position = position
    }
  }

  /// Ends the epoch: appends its fix, or rejects it as `void` if the receiver had none.
  mutating func closeEpoch(into batch: inout FixBatch) {
    if epoch.position != nil {
      if epoch.isHandedOn { tellLateDate(into: &batch) } else { handOnEpoch(into: &batch) }
      usualKinds.current.formUnion(epoch.kinds)
      epochCount += 1
      if epochCount >= Self.generationCount {
        (usualKinds, epochCount) = ((current: [], former: usualKinds.current), 0)
      }
    } else if epoch.isVoid {
      batch.reject(.void, line: Int(epoch.line))
    }
    epoch = NMEAEpoch()
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
    calendar.append(fix, timeOfDay: hasSay ? epoch.timeOfDay : nil, into: &batch)
  }

  /// Whether the epoch's times count, because its fix will not be refused for its position.
  private var hasSay: Bool { keepsNullIsland || !epoch.isNullIsland }

  /// Tells the calendar the epoch's date; without one, that of the log, unless a better is known.
  private mutating func tellLateDate(into batch: inout FixBatch) {
    guard hasSay, let timeOfDay = epoch.timeOfDay else { return }
    if let day = epoch.day {
      calendar.told(day: day, timeOfDay: timeOfDay, into: &batch)
    } else if let stamp = epoch.stamp, calendar.takesStamps {
      calendar.told(day: stamp.day(of: timeOfDay), timeOfDay: timeOfDay, into: &batch)
      calendar.isStamped = true
    } else if let day = epoch.doubtfulDay, !calendar.isDated {
      calendar.told(day: day, timeOfDay: timeOfDay, into: &batch)
    }
  }

  /// Reads the log's time before a sentence, if it is needed.
  mutating func readStamp() {
    guard !prefix.isEmpty, calendar.takesStamps else { return }
    // Copied, because the reader in `self` changes.
    let prefix = prefix
    if let stamp = stamps.read(prefix.span) { self.stamp = stamp }
  }
}
