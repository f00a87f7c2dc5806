import FencepostGeodesy

/// How many requests a phone holds, and which it drops.
///
/// ``NotificationCenterModel`` follows it. ``ios`` and ``android`` are built in.
public struct NotificationLimits: Hashable, Sendable {
  /// Which requests a phone keeps when more are added than it holds.
  ///
  /// The system decides it, not the app.
  public enum Retention: String, Sendable {
    /// Those added last.
    case lastAdded = "last-added"
    /// Those that fire soonest.
    case soonest
    /// Those added first: a request that does not fit is refused.
    case firstAdded = "first-added"
  }

  /// The name of the limits in options and reports, such as `ios`.
  package let name: String
  /// The number of requests that the phone holds; nil for no limit.
  public let totalLimit: Int?
  /// The number of circles that the phone watches.
  public let regionLimit: Int
  /// Which requests the phone keeps.
  public let retention: Retention
  /// Whether circles count among the requests.
  package var countsRegions = true

  /// iOS 11 and later, as observed: keeps the 64 requests added last.
  public static let ios = NotificationLimits(
    name: "ios", totalLimit: 64, regionLimit: 20, retention: .lastAdded)
  /// iOS as documented: keeps the 64 requests that fire soonest.
  package static let iosDocumented = NotificationLimits(
    name: "ios-documented", totalLimit: 64, regionLimit: 20, retention: .soonest)
  /// Android: 500 alarms of an app, beyond which AlarmManager refuses more, and 100 circles.
  public static let android = {
    var android = NotificationLimits(
      name: "android", totalLimit: 500, regionLimit: 100, retention: .firstAdded)
    android.countsRegions = false
    return android
  }()

  /// The built-in limits.
  package static let all = [ios, iosDocumented, android]

  /// Finds built-in limits by name; nil if the name is unknown.
  package init?(name: String) {
    guard let limits = Self.all.first(where: { $0.name == name }) else { return nil }
    self = limits
  }

  /// Creates the limits of another phone, each at least 1, or nil for none.
  public init(name: String, totalLimit: Int?, regionLimit: Int, retention: Retention) {
    self.name = name
    self.totalLimit = totalLimit
    self.regionLimit = regionLimit
    self.retention = retention
  }
}

/// The former name of ``NotificationLimits``.
@available(*, deprecated, renamed: "NotificationLimits")
public typealias DeviceProfile = NotificationLimits

/// A reproducible random delay of notifications to save power; it delays all that have no sound.
///
/// The delay depends only on the seed, the identifier and the fire time, so that the same
/// simulation gives the same result again.
package struct LowPowerDelay: Hashable, Sendable {
  /// The longest delay in milliseconds, exclusive; 0 for no delay.
  package let longestMilliseconds: Int64
  /// The share of notifications with a sound that are delayed, from 0 to 1.
  package let share: Double
  /// The random seed.
  package let seed: UInt64

  /// Creates a delay; a negative length becomes 0.
  package init(longestMilliseconds: Int64, share: Double = 1, seed: UInt64) {
    self.longestMilliseconds = max(longestMilliseconds, 0)
    self.share = share
    self.seed = seed
  }

  func delayMilliseconds(identifier: String, fireMilliseconds: Int64, isSilent: Bool) -> Int64 {
    guard longestMilliseconds > 0 else { return 0 }
    var random = SplitMix(
      seed: seed, identifier: identifier, number: UInt64(bitPattern: fireMilliseconds))
    guard random.nextUnit() < share || isSilent else { return 0 }
    return Int64(random.nextUnit() * Double(longestMilliseconds))
  }
}

extension SplitMix {
  /// Random numbers of their own for each identifier and number.
  init(seed: UInt64, identifier: String, number: UInt64) {
    self.init(seed: seed ^ StableHash(identifier.utf8).value ^ (number &* Self.step))
  }
}
