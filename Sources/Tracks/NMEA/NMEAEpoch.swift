/// The sentences with the same time of day, which together make one fix.
///
/// All sentences of an epoch report the same position and only round it differently, so the one with the
/// most decimals is kept; of equals, the first.
struct NMEAEpoch {
  /// Kinds of sentences that state a position or add to one.
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

  /// The kinds of its sentences so far.
  var kinds: Kinds = []
  /// Milliseconds since midnight.
  var timeOfDay: Int32?
  /// Days since 1970-01-01, as the epoch stated them with a valid fix.
  var day: Int32?
  /// As ``day``, but stated while the receiver reported no fix.
  var doubtfulDay: Int32?
  var latitudeDegrees = 0.0
  var longitudeDegrees = 0.0
  /// The decimals of its position; -1 without a position.
  var decimals = -1
  /// Whether a sentence reported that the receiver has no fix.
  var isVoid = false
  var accuracyMeters = Float.nan
  var speedMetersPerSecond = Float.nan
  var courseDegrees = Float.nan
  /// The line of its last sentence.
  var line: Int32 = 0
  /// Whether its fix was appended before the next epoch began.
  var isHandedOn = false

  var hasPosition: Bool { decimals >= 0 }

  var isEmpty: Bool { kinds.isEmpty }

  /// Whether a sentence of `kind` with this time of day belongs to this epoch.
  ///
  /// A sentence without a readable time belongs to the current epoch unless that already has one of its kind.
  func takes(_ kind: Kinds, timeOfDay other: Int32?) -> Bool {
    guard let other, let timeOfDay else { return kinds.isDisjoint(with: kind) }
    return other == timeOfDay
  }

  /// Takes a position if it has more decimals than the current one.
  mutating func take(_ position: ByteCursor.Position) {
    guard position.decimals > decimals else { return }
    latitudeDegrees = position.latitudeDegrees
    longitudeDegrees = position.longitudeDegrees
    decimals = position.decimals
  }
}

/// Which kinds of sentences a receiver sends in each epoch, as learned from recent ones.
struct UsualKinds: Sendable {
  private var current: NMEAEpoch.Kinds = []
  private var former: NMEAEpoch.Kinds = []
  private var count = 0

  /// After this many epochs without it, a kind is no longer expected.
  private static var generationCount: Int { 16 }

  mutating func note(_ kinds: NMEAEpoch.Kinds) {
    current.formUnion(kinds)
    count += 1
    guard count >= Self.generationCount else { return }
    former = current
    current = []
    count = 0
  }

  /// Whether no usual kind is missing from `kinds`; false before the first epoch.
  func areAll(in kinds: NMEAEpoch.Kinds) -> Bool {
    let usual = current.union(former)
    return !usual.isEmpty && kinds.isSuperset(of: usual)
  }
}
