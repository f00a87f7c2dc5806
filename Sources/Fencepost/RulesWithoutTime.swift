package import FencepostMonitoring
package import FencepostNotifications

/// Rules about time that are in effect, and that entries without a time escape.
public struct RulesWithoutTime: OptionSet, Hashable, Sendable, CustomStringConvertible {
  /// The bits of the set.
  public let rawValue: Int

  /// Makes a set of its bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// When a story is published and when it expires.
  public static let dates = RulesWithoutTime(rawValue: 1)
  /// Quiet hours.
  public static let quietHours = RulesWithoutTime(rawValue: 2)
  /// A cool-down of some length, where a story has alerted again.
  public static let cooldown = RulesWithoutTime(rawValue: 4)

  /// The rules that are in effect for a place that was entered, whatever came before.
  package init(_ options: AlertPolicy.Options, place: Place) {
    self = []
    if place.publishedMilliseconds != nil || place.expiresMilliseconds != nil { insert(.dates) }
    if options.quietHours != nil { insert(.quietHours) }
  }

  /// The rules by name: `the dates of stories and the cool-down`.
  public var description: String {
    let names = [
      (RulesWithoutTime.dates, "the dates of stories"), (.quietHours, "quiet hours"),
      (.cooldown, "the cool-down"),
    ].filter { contains($0.0) }.map(\.1)
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " and " + last
  }
}
