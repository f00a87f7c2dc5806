#if Command
import ArgumentParser
import FencepostSession
import FencepostFormats
import FencepostNotifications
import FencepostPhones
import FencepostReporting
import FencepostTracks
import FoundationEssentials

/// The command `rules`: shows the value of every rule, and who set it.
///
/// It helps to find out why a command behaves as it does. It also writes a file for `--rules`, and
/// JSON for the Python package and the C interface.
struct RulesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rules", abstract: "Show the rules in force, and where each value comes from.",
    discussion: """
      A value comes from an option you type, from the file that --rules names, from a phone's \
      profile, or is the default. With --format yaml the output is a file for --rules, and with \
      --format json what the Python package and the C interface take.

      Examples:
        fencepost rules --rules city.yaml --profile iphone
        fencepost rules --limit 10 --format yaml > city.yaml
      """)

  /// The form of the list: for people, for `--rules`, or for other programs.
  enum Format: String, CaseIterable, ExpressibleByArgument, Sendable { case text, yaml, json }

  @OptionGroup(title: "Phone") var phone: ProfileArguments
  @OptionGroup var session: SessionArguments
  @OptionGroup(title: "Report") var rulesFile: RulesFileArguments

  @Option(
    help: """
      Write the list as text, as a YAML file for --rules, or as JSON for other programs.
      """)
  var format = Format.text

  /// A rule in the list: its name, its value as the user would write it, and who set it.
  private struct Row {
    var name: String
    var value: String
    var origin: String
    /// Whether the user gave it, typed or in the file; otherwise it follows from the profile.
    var isGiven: Bool
  }

  /// Finds the value of each rule and where it comes from.
  ///
  /// A value that differs from the default and equals the phone's comes from the profile, unless an
  /// option gives it. The command line is read a second time for this, as the parser keeps no
  /// origins.
  func run() async throws {
    let expansion = try RulesFile.expand(FencepostCommand.arguments)
    let profile = try phone.rules()
    let defaults = TrackSessionOptions()
    var followed = defaults
    profile?.apply(to: &followed)
    let inForce = session.session(of: profile)
    if format == .json { return try write(inForce, profile) }
    var rows = Rules.table.map { rule -> Row in
      let value = rule.value(inForce)
      let given = Self.origin(of: "--\(rule.name)", expansion)
      let isOfPhone = value != rule.value(defaults) && value == rule.value(followed)
      return Row(
        name: rule.name, value: rule.written(value),
        origin: given ?? (isOfPhone ? "profile \(phone.profile ?? "")" : "default"),
        isGiven: given != nil)
    }
    // Quiet hours mean another time without it.
    let zone = Self.origin(of: "--time-zone", expansion)
    rows.append(
      Row(
        name: "time-zone", value: session.alerts.timeZone.identifier, origin: zone ?? "machine",
        isGiven: zone != nil))
    try write(rows)
  }

  /// Where an option was given: typed, or in the file; nil if it was not.
  private static func origin(of name: String, _ expansion: RulesFile.Expansion) -> String? {
    if let file = expansion.file,
      let entry = expansion.taken.first(where: { "--\($0.name)" == name })
    {
      return "\(file.path), line \(entry.line)"
    }
    return UsageHint.isTyped(name, in: FencepostCommand.arguments) ? "option" : nil
  }

  /// Writes all rows as text, or those the user gave as YAML.
  ///
  /// A file for `--rules` names the profile instead of what follows from it, so that it keeps up
  /// with the profile.
  private func write(_ rows: [Row]) throws {
    try OutputFile.write { output in
      guard format == .text else {
        let profile = phone.profile.map { [(name: "profile", value: $0)] } ?? []
        let given = rows.filter(\.isGiven).map { (name: $0.name, value: $0.value) }
        return output.append(verbatim: RulesFile.text(of: given + profile))
      }
      let nameWidth = rows.reduce(0) { max($0, $1.name.count) }
      let valueWidth = rows.reduce(0) { max($0, $1.value.count) }
      for row in rows {
        let (name, value) = (row.name.padded(to: nameWidth), row.value.padded(to: valueWidth))
        output.append(verbatim: "\(name)  \(value)  \(row.origin)\n")
      }
    }
  }

  /// Writes the rules as a document, which also says which fixes count and what the phone notices.
  private func write(_ inForce: TrackSessionOptions, _ phone: PhoneRules?) throws {
    var rules = SessionRules()
    rules.session = inForce
    rules.keepsNullIsland = session.reading.keepsNullIsland
    rules.reorderMilliseconds = session.reading.reorderMilliseconds
    rules.timeZone = session.alerts.clock.given
    rules.profile = phone?.profile.json
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let text = String(decoding: try encoder.encode(rules), as: UTF8.self)
    try OutputFile.write { $0.append(verbatim: text + "\n") }
  }
}

extension Rule {
  /// A value as a rules file has it: as an option's, and true or false for a flag.
  fileprivate func written(_ value: RuleValue) -> String {
    if case .flag(let isSet) = value { "\(isSet)" } else { argument(for: value) }
  }
}

extension String {
  /// The text with spaces after it, at least `width` characters long.
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
#endif
