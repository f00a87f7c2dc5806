/// One row of ``Rules/table``: a rule of a session, for code that reads, writes or shows all rules.
///
/// Rows are objects, and their functions are not inlined, because the engine in a page would grow by
/// 2 %.
package final class Rule: Sendable {
  /// What the value of a rule is, which also says its unit and its ``range``.
  ///
  /// Arguments, documents and forms are read and checked by it.
  package enum Kind: Sendable {
    /// One of these words, each with its meaning on a page.
    case word([(word: String, meaning: String)])
    /// A count.
    case count
    /// A distance in meters.
    case meters
    /// A duration in milliseconds.
    case milliseconds
    /// A speed in meters per second.
    case metersPerSecond
    /// On or off.
    case flag
    /// How long a place stays silent after it alerted.
    case cooldown
    /// The hours without alerts.
    case quietHours
    /// When the dates of stories count.
    case dates
  }

  /// How the studio's page shows a rule.
  ///
  /// Rules without a field stay as they were when the studio began.
  package struct Field: Sendable {
    /// The part of the form that has the field; the raw value is its heading.
    package enum Group: String, CaseIterable, Sendable {
      /// What is watched, and when the nearest stories are looked up.
      case phone = "What the phone does"
      /// Which entries alert.
      case alerts = "When it alerts"
      /// What must happen before an entry, a dwell or an exit counts.
      case crossing = "What counts as a crossing"
    }

    /// The part of the form.
    package let group: Group
    /// The name in the page's questions, addresses and sessions.
    package let key: String
    /// What the page calls the rule, such as `Distance between lookups`.
    package let label: String
    /// What stands in an empty field; nil if the field cannot be empty.
    package let none: String?

    init(_ group: Group, _ key: String, _ label: String, none: String? = nil) {
      (self.group, self.key, self.label, self.none) = (group, key, label, none)
    }
  }

  /// The name of the option without its dashes, such as `significant-change`.
  package let name: String
  /// The members that lead to the value in a document of rules.
  package let path: [String]
  /// What the value is.
  package let kind: Kind
  /// What the value is called in help, such as `distance`.
  package let noun: String
  /// What the option does, in one sentence.
  package let sentence: String
  /// What else there is to know; empty if nothing.
  package let details: String
  /// The word for no value.
  package let none: String
  /// How the studio's page shows the rule; nil if it does not.
  package let field: Field?
  /// Whether a live session's watched places stay when the rule changes.
  package let keepsWatched: Bool
  /// Whether an analysis leaves it out while it is usual, as analyses did before there was the rule.
  package let isLater: Bool
  /// Calls a closure with the rule's value in a session's rules, which it may change.
  private let place: @Sendable (inout TrackSessionOptions, (inout RuleValue) -> Void) -> Void

  @inline(never)
  init(
    _ name: String, in path: String, _ kind: Kind, noun: String? = nil, none: String = "none",
    keepsWatched: Bool = false, isLater: Bool = false, field: Field? = nil, _ sentence: String,
    _ details: String = "",
    _ place: @escaping @Sendable (inout TrackSessionOptions, (inout RuleValue) -> Void) -> Void
  ) {
    (self.name, self.kind, self.noun) = (name, kind, noun ?? kind.noun)
    self.path = path.split(separator: ".").map { String($0) }
    (self.sentence, self.details, self.none) = (sentence, details, none)
    (self.keepsWatched, self.isLater) = (keepsWatched, isLater)
    (self.field, self.place) = (field, place)
  }

  /// The rule's value in a session's rules.
  @inline(never)
  package func value(_ options: TrackSessionOptions) -> RuleValue {
    var (options, found) = (options, RuleValue.nothing)
    place(&options) { found = $0 }
    return found
  }

  /// Sets a value from outside; returns what is wrong with it after the rule's name, if anything is.
  package func take(_ value: RuleValue, into options: inout TrackSessionOptions) -> String? {
    guard kind.contains(value) else { return "must be \(kind.demand)" }
    return set(value, &options) ? nil : "has an unknown value"
  }

  /// Sets the rule in a session's rules; returns false, and changes nothing, if it cannot have the
  /// value.
  @inline(never)
  package func set(_ value: RuleValue, _ options: inout TrackSessionOptions) -> Bool {
    place(&options) { $0 = value }
    return self.value(options) == value
  }

  /// The name as one word, such as `significantChange`, for members and properties.
  package var memberName: String {
    let words = name.split(separator: "-")
    return words.dropFirst().reduce(String(words[0])) {
      $0 + $1.prefix(1).uppercased() + $1.dropFirst()
    }
  }

  /// The value in the default rules.
  package var usual: RuleValue { value(TrackSessionOptions()) }

  /// Copies the rule from the first rules to the second.
  package func copy(from first: TrackSessionOptions, to second: inout TrackSessionOptions) {
    _ = set(value(first), &second)
  }
}

extension Rule.Kind {
  /// What help calls a value of this kind.
  var noun: String {
    switch self {
    case .word: "rule"
    case .count: "n"
    case .meters: "distance"
    case .milliseconds, .cooldown: "duration"
    case .metersPerSecond: "speed"
    case .flag: ""
    case .quietHours: "from-to"
    case .dates: "day"
    }
  }

  /// The least and the greatest number of this kind, in its unit; nil for what is not a number.
  package var range: ClosedRange<Double>? {
    switch self {
    case .count: 1...Double(1 << 28)
    // More than half of the Earth's circumference.
    case .meters: 0...21_000_000
    case .milliseconds: 0...1e15
    case .metersPerSecond: 0...1e9
    case .word, .flag, .cooldown, .quietHours, .dates: nil
    }
  }

  /// What a number must be, such as `at least 1`; empty for what is not a number.
  package var demand: String {
    switch self {
    case .count: "at least 1"
    case .meters: "from 0 to 21,000 km"
    case .milliseconds: "from 0 to 1,000,000,000,000 s"
    case .metersPerSecond: "from 0 to 1,000,000,000 m/s"
    case .word, .flag, .cooldown, .quietHours, .dates: ""
    }
  }

  /// Whether a number is in the range; a distance may also be infinite.
  package func contains(_ value: RuleValue) -> Bool {
    guard let range else { return true }
    return switch value {
    case .whole(let number): range.contains(Double(number))
    case .number(let number): range.contains(number) || number == .infinity
    default: true
    }
  }
}
