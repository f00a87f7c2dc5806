import ArgumentParser
import FencepostFormats

/// The advice that a studio begins with.
struct StudioAdviceArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Advice to look at and try: the ndjson output of advise on the same places.",
      valueName: "file"),
    completion: .file(extensions: ["ndjson"]))
  var advice: String?

  /// The lines, each a JSON object.
  ///
  /// - Throws: `CommandFailure` if the file cannot be read or is something else.
  func lines() throws -> [String] {
    guard let advice else { return [] }
    let lines = try LeafletFiles.text(of: advice).split(whereSeparator: \.isNewline).map(
      String.init)
    for (number, line) in lines.enumerated() {
      guard let value = try? JSONValue(parsing: line),
        let type = value["type"]?.string, ["proposal", "story", "advice"].contains(type)
      else {
        throw CommandFailure(
          .inputBad, "\(advice): line \(number + 1): no line of advise's ndjson output")
      }
    }
    return lines
  }
}
