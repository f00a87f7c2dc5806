#if Command
import ArgumentParser
import FencepostSession
import FencepostNotifications
import FencepostTime

/// What the user wrote for a rule, which ``RuleArguments/checkRules()`` checks.
///
/// The parser knows nothing of rules, so it accepts any text.
struct RuleArgument: ExpressibleByArgument, Sendable {
  let text: String

  init(argument: String) { text = argument }
}

/// A group of options with the names of rules.
///
/// A property holds the rule of its name: `maxGap` the rule `max-gap`. Kinds, words and help come
/// from `Rules.table`, so that options, files and other languages cannot differ.
protocol RuleArguments: ParsableArguments {
  /// Sets the rules that the user gave, here and in the groups within.
  func apply(to session: inout TrackSessionOptions)
}

extension RuleArguments {
  /// The usual rules, but for those that the user gave.
  var given: TrackSessionOptions {
    var session = TrackSessionOptions()
    apply(to: &session)
    return session
  }

  /// What the user wrote for the rules of this group, in the order of the table.
  private var texts: [(rule: Rule, text: String)] {
    // The parser names an option after its property.
    let options = Dictionary(
      Mirror(reflecting: self).children.map { ($0.label ?? "", $0.value) },
      uniquingKeysWith: { first, _ in first })
    return Rules.properties.compactMap { name, rule in
      switch options[name] {
      case let option as Option<RuleArgument?>: option.wrappedValue.map { (rule, $0.text) }
      case let flag as Flag<Bool>: flag.wrappedValue ? (rule, "") : nil
      default: nil
      }
    }
  }

  /// Checks that each rule can have the value that the user gave, in the parser's own words.
  func checkRules() throws {
    for (rule, text) in texts where rule.value(parsing: text, in: .utc) == nil {
      let option = "--\(rule.name) <\(rule.noun)>"
      var sentence = "The value '\(text)' is invalid for '\(option)'"
      if let words = rule.words?.map({ "'\($0)'" }), let last = words.last {
        let others = words.dropLast().joined(separator: ", ")
        let joint = words.count > 2 ? "or" : "and"
        sentence += ". Please provide one of \(others) \(joint) \(last)."
      }
      throw ValidationError(sentence + "\nHelp:  \(option)  \(rule.sentence)")
    }
  }

  /// Sets the rules of this group; times of day are those of the zone.
  func setRules(of session: inout TrackSessionOptions, in zone: ClockZone = .utc) {
    for (rule, text) in texts {
      if let value = rule.value(parsing: text, in: zone) { _ = rule.set(value, &session) }
    }
  }
}

extension Option where Value == RuleArgument? {
  /// The option of a rule, with the words of the table.
  init(rule name: String) {
    let (rule, help) = Rules.named(name)
    self.init(
      help: .value(rule.noun, help, rule.details),
      completion: rule.words.map { .list($0) })
  }
}

extension Flag where Value == Bool {
  /// The flag of a rule, with the words of the table.
  init(wrappedValue: Bool, rule name: String) {
    self.init(wrappedValue: wrappedValue, help: .init(Rules.named(name).rule.sentence))
  }
}

extension Rules {
  /// The properties that hold what the user wrote, each with its rule.
  fileprivate static let properties = table.map { (name: "_" + $0.memberName, rule: $0) }

  /// The rows by name, each with its sentence and default as help shows them.
  ///
  /// They are kept, because the parser makes each option often.
  private static let rows = Dictionary(
    uniqueKeysWithValues: table.map { rule in
      let usual = rule.usualText.map { " Default: \($0)." } ?? ""
      return (rule.name, (rule: rule, help: rule.sentence + usual))
    })

  /// The row of a name that stands in this program, and its help.
  fileprivate static func named(_ name: String) -> (rule: Rule, help: String) {
    guard let row = rows[name] else { preconditionFailure("no rule is called \(name)") }
    return row
  }
}

extension Rule {
  /// The words that the value can be, if there are any.
  fileprivate var words: [String]? {
    switch kind {
    case .word(let words): words.map(\.word)
    case .cooldown: ["none", "forever"]
    default: nil
    }
  }

  /// The default as the user would write it; nil for none.
  fileprivate var usualText: String? {
    let text = argument(for: usual)
    return switch kind {
    case .milliseconds, .cooldown: usual == .nothing ? nil : Self.duration(text)
    default: usual == .nothing && text == "none" ? nil : text
    }
  }

  private static func duration(_ text: String) -> String? {
    DurationArgument(argument: text)?.defaultValueDescription
  }

  /// The value of a text; nil if the rule cannot have it.
  fileprivate func value(parsing text: String, in zone: ClockZone) -> RuleValue? {
    // Only a rule that is a limit by default can be told to be none.
    var session = TrackSessionOptions()
    if text == none, usual != .nothing, set(.nothing, &session) { return .nothing }
    switch kind {
    case .word(let words): return words.contains { $0.word == text } ? .word(text) : nil
    case .count: return Int64(text).map { .whole($0) }
    case .meters: return DistanceArgument(argument: text).map { .number($0.meters) }
    case .milliseconds: return DurationArgument(argument: text).map { .whole($0.milliseconds) }
    case .metersPerSecond: return SpeedArgument(argument: text).map { .number($0.metersPerSecond) }
    case .flag: return .flag(true)
    case .cooldown: return Cooldown(argument: text).map { .cooldown($0) }
    case .quietHours:
      return TimeSpanArgument(argument: text).flatMap {
        QuietHours(start: $0.start, end: $0.end, zone: zone)
      }.map { .quietHours($0) }
    case .dates:
      if text == none { return .nothing }
      if text == "ignore" { return .dates(.ignored) }
      return MomentArgument(argument: text).map {
        .dates(.day(sinceEpoch: $0.date(in: zone).daysSince1970, zone: zone))
      }
    }
  }
}
#endif
