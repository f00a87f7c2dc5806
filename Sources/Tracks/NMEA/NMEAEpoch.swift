/// What the sentences of one moment say together: several sentences with the same time of day are
/// one fix.
///
/// The position written with the most decimals is kept, of equals the first: within an epoch all
/// sentences report the same solution and only round it differently.
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

  static var none: Int32 { -1 }

  /// The kinds of sentences that belong to it so far.
  var kinds: Kinds = []
  /// Milliseconds since midnight, or `none`.
  var timeOfDay: Int32 = none
  /// Days since 1970-01-01 as the epoch itself told them with a valid fix, or `none`.
  var day: Int32 = none
  /// As ``day``, but told while the receiver said that it had no fix.
  var doubtfulDay: Int32 = none
  var latitudeDegrees = 0.0
  var longitudeDegrees = 0.0
  /// Decimals of the position kept; -1 while there is none.
  var decimals = -1
  /// Whether a sentence said that there is no fix.
  var isVoid = false
  var accuracyMeters = Float.nan
  var speedMetersPerSecond = Float.nan
  var courseDegrees = Float.nan
  /// The line of its last sentence.
  var line: Int32 = 0
  /// Whether its fix has been handed on before the next epoch began.
  var isHandedOn = false

  @inline(__always)
  var hasPosition: Bool { decimals >= 0 }

  @inline(__always)
  var isEmpty: Bool { kinds.isEmpty }

  /// Whether a sentence of `kind` with this time of day belongs to this epoch.
  ///
  /// A sentence without a readable time belongs to the epoch at hand unless that already has one of
  /// its kind.
  @inline(__always)
  func takes(_ kind: Kinds, timeOfDay other: Int32) -> Bool {
    if other == timeOfDay, other >= 0 { return true }
    return (other < 0 || timeOfDay < 0) && kinds.isDisjoint(with: kind)
  }

  /// The bytes of the position kept, so that a sentence that repeats them need not be converted.
  var positionText = NMEAFieldReader.PositionText()

  /// Takes a position if it is written more finely than the one it has.
  ///
  /// `start` and `end` are where its text does.
  @inline(__always)
  mutating func take(
    _ position: NMEAFieldReader.Position, from start: NMEAFieldReader, to end: NMEAFieldReader
  ) {
    guard position.decimals > decimals else { return }
    latitudeDegrees = position.latitudeDegrees
    longitudeDegrees = position.longitudeDegrees
    decimals = position.decimals
    start.copy(upTo: end, into: &positionText)
  }

  /// Makes it empty.
  @inline(__always)
  mutating func clear() {
    kinds = Kinds()
    timeOfDay = Self.none
    day = Self.none
    doubtfulDay = Self.none
    decimals = -1
    isVoid = false
    isHandedOn = false
    accuracyMeters = .nan
    speedMetersPerSecond = .nan
    courseDegrees = .nan
    positionText.clear()
  }
}
