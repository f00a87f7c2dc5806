import ArgumentParser
import Fencepost
import FencepostNotifications
import FencepostReporting
import FencepostStudio

extension RulesFile {
  /// A file with options, given by their names without dashes.
  static func text(of options: [(name: String, value: String)]) -> String {
    var output = OutputBuffer()
    for option in options {
      output.append(verbatim: option.name + ": ")
      // A JSON string is a YAML string too.
      output.append(json: option.value)
      output.append("\n")
    }
    return output.text
  }

  /// Lets the studio's page open and save such files.
  static var studioText: RulesText {
    RulesText(read: { try RulesFile(bytes: $0, name: $1).reading(in: $2) }, write: { text(of: $0) })
  }

  /// The options of a file that the studio's page can show.
  private struct PageArguments: ParsableArguments {
    @OptionGroup var phones: StudioPhoneArguments
    @OptionGroup var rules: SessionArguments
  }

  /// The rules for a studio's page, as if it had been started with this file alone.
  private func reading(in scene: StudioScene) throws -> RulesText.Reading {
    let names = Set(
      RuleOption.all.map { String($0.name.dropFirst(2)) } + ["time-zone", "trials", "seed"])
    // A page must not make this program read files, so it can name the studio's own phones only.
    let profile = entries.first { $0.name == "profile" }
    let word = profile?.values.first?.split(separator: ",").first.map(String.init)
    let phone = scene.phones.first { $0.word == word }
    if let profile, phone == nil {
      let words = scene.phones.map(\.word).joined(separator: ", ")
      throw CommandFailure(
        .inputBad,
        "\(path), line \(profile.line): there is no profile “\(word ?? "")”. Choose from: \(words)")
    }
    let expansion = try expansion(for: HelpPage.dump(of: ["studio"])) { names.contains($0) }
    do {
      let zone = ["--time-zone=\(scene.zone.identifier)"]
      let page = try PageArguments.parse(zone + expansion.arguments)
      return RulesText.Reading(
        setting: page.phones.setting(of: phone, page.rules), zone: page.rules.alerts.timeZone,
        lines: Dictionary(
          expansion.taken.map { ("--\($0.name)", $0.line) }, uniquingKeysWith: { $1 }))
    } catch {
      throw CommandFailure(.inputBad, expansion.located(PageArguments.message(for: error)))
    }
  }
}
