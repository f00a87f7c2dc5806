/// How many requests a phone holds, and which it drops.
public struct DeviceProfile: Hashable, Sendable {
  /// Which requests stay if there are too many.
  public enum Retention: String, Sendable {
    /// Those that were added last.
    case lastAdded = "last-added"
    /// Those that fire soonest.
    case soonest
  }

  /// The name on the command line.
  public let name: String
  /// How many requests it holds; nil for any number.
  public let totalLimit: Int?
  /// How many circles it monitors.
  public let regionLimit: Int
  /// Which requests stay.
  public let retention: Retention

  /// iOS 11 and later as observed: the 64 requests added last stay.
  public static let ios = DeviceProfile(
    name: "ios", totalLimit: 64, regionLimit: 20, retention: .lastAdded)
  /// iOS as documented: the 64 requests that fire soonest stay.
  public static let iosDocumented = DeviceProfile(
    name: "ios-documented", totalLimit: 64, regionLimit: 20, retention: .soonest)
  /// Android: 100 circles, and no limit in all.
  public static let android = DeviceProfile(
    name: "android", totalLimit: nil, regionLimit: 100, retention: .lastAdded)

  /// All profiles.
  public static let all = [ios, iosDocumented, android]

  /// The profile of a name; nil if there is none.
  public init?(name: String) {
    guard let profile = Self.all.first(where: { $0.name == name }) else { return nil }
    self = profile
  }

  /// Makes the profile of another phone.
  ///
  /// - Parameters:
  ///   - name: A name for messages.
  ///   - totalLimit: How many requests it holds, 1 or more; nil for any number.
  ///   - regionLimit: How many circles it monitors, 1 or more.
  ///   - retention: Which requests stay if there are too many.
  public init(name: String, totalLimit: Int?, regionLimit: Int, retention: Retention) {
    self.name = name
    self.totalLimit = totalLimit
    self.regionLimit = regionLimit
    self.retention = retention
  }
}

/// A repeatable delay of deliveries to save power.
public struct LowPowerDelay: Hashable, Sendable {
  /// The longest delay in milliseconds.
  public let longestMilliseconds: Int64
  /// The share of delayed deliveries, 0...1.
  public let share: Double
  /// The seed of the random numbers.
  public let seed: UInt64

  /// Makes a delay.
  public init(longestMilliseconds: Int64, share: Double = 1, seed: UInt64) {
    self.longestMilliseconds = max(longestMilliseconds, 0)
    self.share = share
    self.seed = seed
  }

  /// The delay of one firing, which depends only on it and the seed.
  func delayMilliseconds(identifier: String, fireMilliseconds: Int64) -> Int64 {
    guard longestMilliseconds > 0 else { return 0 }
    var random = SeededRandom(
      seed: seed, identifier: identifier, number: UInt64(bitPattern: fireMilliseconds))
    guard random.nextUnit() < share else { return 0 }
    return Int64(random.nextUnit() * Double(longestMilliseconds))
  }
}

/// Repeatable random numbers for one identifier and number, independent of everything else.
///
/// The generator is SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, Fast splittable
/// pseudorandom number generators, OOPSLA 2014).
struct SeededRandom {
  private var state: UInt64

  init(seed: UInt64, identifier: String, number: UInt64) {
    // FNV-1a is the same in every run, unlike the standard library's hashes.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in identifier.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    state = seed ^ hash ^ (number &* 0x9E37_79B9_7F4A_7C15)
  }

  /// A number in 0..<1.
  mutating func nextUnit() -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Double((mixed ^ (mixed >> 31)) >> 11) * 0x1p-53
  }
}
