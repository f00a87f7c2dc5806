import FencepostFixes
import FencepostGeodesy

/// What the sentences of one moment say together: several sentences with the same time of day are one fix.
///
/// The position written with the most decimals is kept, of equals the first: within an epoch all sentences report the
/// same solution and only round it differently.
struct NMEAEpoch {
  /// The sentences that carry a position or belong to one.
  struct Kinds: OptionSet, Sendable {
    var rawValue: UInt8
    static var rmc: Kinds { Kinds(rawValue: 1) }
    static var gga: Kinds { Kinds(rawValue: 2) }
    static var gll: Kinds { Kinds(rawValue: 4) }
    static var gns: Kinds { Kinds(rawValue: 8) }
    static var vtg: Kinds { Kinds(rawValue: 16) }
    static var zda: Kinds { Kinds(rawValue: 32) }
    static var gst: Kinds { Kinds(rawValue: 64) }
    /// The four that state a position.
    static var positions: Kinds { [.rmc, .gga, .gll, .gns] }
  }

  /// The kinds of sentences that belong to it so far.
  var kinds: Kinds = []
  /// Milliseconds since midnight.
  var timeOfDay: Int32?
  /// Days since 1970-01-01 as the epoch itself stated them with a valid fix.
  var day: Int32?
  /// As ``day``, but stated while the receiver had no fix.
  var doubtfulDay: Int32?
  var position: NMEAFields.Position?
  /// Whether a sentence said that there is no fix.
  var isVoid = false
  var accuracyMeters = Float.nan
  var speedMetersPerSecond = Float.nan
  var courseDegrees = Float.nan
  /// The line of its last sentence.
  var line: Int32 = 0
  /// Whether its fix has been handed on before the next epoch began.
  var isHandedOn = false

  var hasPosition: Bool { position != nil }
  var isEmpty: Bool { kinds.isEmpty }

  /// Whether a sentence of `kind` with this time of day belongs to this epoch.
  ///
  /// A sentence without a readable time belongs to the current epoch unless that already has one of its kind.
  func takes(_ kind: Kinds, timeOfDay other: Int32?) -> Bool {
    guard let other, let timeOfDay else { return kinds.isDisjoint(with: kind) }
    return other == timeOfDay
  }
}

extension NMEADecoder {
  /// What a receiver sends may change; so many epochs a kind is waited for that does not come any more.
  private static var generationCount: Int { 16 }

  /// Keeps a valid sentence's position.
  mutating func join(
    _ kind: NMEAEpoch.Kinds, timeOfDay: Int32?, _ position: NMEAFields.Position, line: Int,
    into batch: inout FixBatch
  ) {
    join(kind, timeOfDay: timeOfDay, line: line, into: &batch)
    if position.decimals > epoch.position?.decimals ?? -1 { epoch.position = position }
  }

  /// Notes that a sentence said that there is no fix.
  mutating func joinVoid(
    _ kind: NMEAEpoch.Kinds, timeOfDay: Int32?, line: Int, into batch: inout FixBatch
  ) {
    join(kind, timeOfDay: timeOfDay, line: line, into: &batch)
    epoch.isVoid = true
  }

  /// Opens the epoch that a sentence belongs to; closes the one before.
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

  /// Ends the current epoch: appends its fix, or rejects it.
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

  /// Appends the epoch's fix, or holds it until there is a date.
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

  /// Gives the calendar the date that the epoch stated, if it did.
  private mutating func tellLateDate(into batch: inout FixBatch) {
    let day = calendar.isDated ? epoch.day : epoch.day ?? epoch.doubtfulDay
    guard let day, let timeOfDay = epoch.timeOfDay else { return }
    calendar.told(day: day, timeOfDay: timeOfDay, into: &batch)
  }
}
