import FencepostFormats
import FencepostMonitoring
package import FencepostNotifications

/// The value of a rule, without the unit, which its ``Rule/Kind`` says.
///
/// ``Rule/value(_:)`` returns it, and ``Rule/set(_:_:)`` stores it.
package enum RuleValue: Equatable, Sendable {
  /// No limit, or no such rule.
  case nothing
  /// One of the words of the rule's kind.
  case word(String)
  /// A count or milliseconds.
  case whole(Int64)
  /// Meters or meters per second.
  case number(Double)
  /// Whether the rule is on.
  case flag(Bool)
  /// How long a place stays silent.
  case cooldown(Cooldown)
  /// The hours without alerts, and their zone.
  case quietHours(QuietHours)
  /// How the dates of stories count; recorded dates are ``nothing``.
  case dates(StoryDates)
}

// The types that rules are stored as. Setting a value of another type, or an unknown word, changes
// nothing.

extension Int? {
  var ruleValue: RuleValue {
    get { map { .whole(Int64($0)) } ?? .nothing }
    set {
      switch newValue {
      case .nothing: self = nil
      case .whole(let number): self = Int(exactly: number) ?? self
      default: break
      }
    }
  }
}

extension Int64 {
  var ruleValue: RuleValue {
    get { .whole(self) }
    set { if case .whole(let number) = newValue { self = number } }
  }
}

extension Int64? {
  var ruleValue: RuleValue {
    get { map { .whole($0) } ?? .nothing }
    set {
      switch newValue {
      case .nothing: self = nil
      case .whole(let number): self = number
      default: break
      }
    }
  }
}

extension Double {
  var ruleValue: RuleValue {
    get { .number(self) }
    set { if case .number(let number) = newValue { self = number } }
  }
}

extension Double? {
  var ruleValue: RuleValue {
    get { map { .number($0) } ?? .nothing }
    set {
      switch newValue {
      case .nothing: self = nil
      case .number(let number): self = number
      default: break
      }
    }
  }
}

extension Bool {
  var ruleValue: RuleValue {
    get { .flag(self) }
    set { if case .flag(let flag) = newValue { self = flag } }
  }
}

extension Cooldown {
  var ruleValue: RuleValue {
    get { .cooldown(self) }
    set { if case .cooldown(let cooldown) = newValue { self = cooldown } }
  }
}

extension QuietHours? {
  var ruleValue: RuleValue {
    get { map { .quietHours($0) } ?? .nothing }
    set {
      switch newValue {
      case .nothing: self = nil
      case .quietHours(let hours): self = hours
      default: break
      }
    }
  }
}

extension StoryDates? {
  var ruleValue: RuleValue {
    get { map { .dates($0) } ?? .nothing }
    set {
      switch newValue {
      case .nothing: self = nil
      case .dates(let dates): self = dates
      default: break
      }
    }
  }
}

/// A word that a rule is stored as.
///
/// An enumeration that conforms needs no other code: its raw values are the words of options,
/// documents and forms.
protocol RuleWord: RawRepresentable<String> {}

extension RuleWord {
  var ruleValue: RuleValue {
    get { .word(rawValue) }
    set { if case .word(let word) = newValue { self = Self(rawValue: word) ?? self } }
  }
}

extension MonitoringOptions.Rank: RuleWord {}
extension MonitoringOptions.RefreshRule: RuleWord {}
extension MonitoringOptions.InitialState: RuleWord {}
extension SideTest: RuleWord {}
extension AccuracyRule: RuleWord {}
extension AlertTrigger: RuleWord {}

extension Rule {
  /// The value as the option's argument, such as `500m`, `90000ms` or `none`; empty for a flag.
  package func argument(for value: RuleValue) -> String {
    switch value {
    case .nothing: none
    case .word(let word): word
    case .whole(let number):
      if case .milliseconds = kind { "\(number)ms" } else { "\(number)" }
    case .number(let number):
      if case .meters = kind {
        Quantity.shortest(number) + "m"
      } else {
        Quantity.shortest(number) + "m/s"
      }
    case .flag: ""
    case .cooldown(.none): "none"
    case .cooldown(.forever): "forever"
    case .cooldown(.seconds(let seconds)): "\(seconds)s"
    case .quietHours(let hours): hours.text
    case .dates(let dates): dates.text
    }
  }
}
