package import FencepostAnalysis
import FencepostFormats
import FencepostMonitoring
import FencepostNotifications

/// The lines of a saved analysis, whose errors name the file and the line.
///
/// ``AnalysisMerger`` and ``ComparedAnalysis`` read through it.
package struct SavedAnalysis: Sendable {
  /// Why a file cannot be read as an analysis, or merged with the others.
  ///
  /// The description names the file, and the line if there is one.
  package struct Failure: Error, Sendable, CustomStringConvertible {
    /// The message, without a final period.
    package var description: String
  }

  /// The file as the user named it.
  let name: String
  /// The number of the current line, from 1; 0 before the first.
  var line = 0

  /// Parses the current line, and passes it on with its type.
  ///
  /// - Throws: ``Failure`` with the file and line. If the first line is not that of an analysis, it
  ///   says so instead of what is wrong with the JSON.
  func read<Value>(
    _ text: String, _ body: (JSONNode, String) throws(JSONPathError) -> Value
  ) throws(Failure) -> Value {
    var isAnalysis = line > 1 || text.hasPrefix("{\"type\":\"settings\"")
    do throws(JSONPathError) {
      let value: JSONValue
      do throws(JSONError) { value = try JSONValue(parsing: text) } catch {
        throw JSONPathError(path: "", sentence: "\(error)")
      }
      let node = JSONNode(value)
      let type = try node.string("type")
      isAnalysis = isAnalysis || type == "settings"
      return try body(node, type)
    } catch {
      guard isAnalysis else { throw isNone }
      throw Failure(description: "\(name): line \(line): \(error)")
    }
  }

  /// Says that the file is not an analysis, and how to get one.
  var isNone: Failure {
    let file = name.split(separator: "/").last ?? "analysis"
    let stem = file.prefix { $0 != "." }
    let output = stem.isEmpty || stem == "-" ? "analysis" : stem
    return Failure(
      description:
        "\(name) is not an analysis. Save one with: fencepost analyze … -o \(output).ndjson")
  }

  /// Says that the file was cut off, as when an analysis was interrupted.
  var endsEarly: Failure { Failure(description: "\(name): ends early, without its totals") }
}

/// Reads a saved analysis line by line into one side of a comparison.
///
/// Give it each line in order and call ``finish()`` after the last. Lines that a comparison does
/// not need are skipped without being parsed, where their beginning tells.
package struct ComparedAnalysis: Sendable {
  /// What was read so far; complete after ``finish()``.
  package private(set) var side = AnalysisComparison.Side()
  private var file: SavedAnalysis
  private var isComplete = false

  /// Begins a file, which messages call by this name.
  package init(name: String) { file = SavedAnalysis(name: name) }

  /// Reads the next line, which may say nothing that a comparison needs.
  ///
  /// Of several simulated phones, the first that is named counts.
  package mutating func take(_ text: String) throws(SavedAnalysis.Failure) {
    file.line += 1
    // Most lines have no alerts. As analyses are written, their type comes first.
    if text.hasPrefix("{\"type\":\"verdict\"") { return }
    let file = file
    try file.read(text) { (node, type) throws(JSONPathError) in
      switch type {
      case "settings": side.rule = try Self.rule(node)
      case "chance":
        guard try isFirstPhone(node) else { return }
        let mean = try Self.mean(node)
        guard mean > 0 else { return }
        side.shown[try node.string("track"), default: [:]][try node.string("place")] = mean
      case "chance-track": _ = try isFirstPhone(node)
      case "chance-story", "chance-doubt", "chance-totals": break
      case "entry":
        guard try node.member("alert").boolean() else { return }
        let (track, place) = (try node.string("track"), try node.string("place"))
        side.alerts[track, default: [:]][place, default: 0] += 1
      case "track":
        var account = TrackAccount(track: "")
        try account.add(node)
        side.tracks.append(account)
      case "story": side.titles[try node.string("place")] = try node.string("title")
      case "totals": isComplete = true
      case "verdict", "skipped", "spot", "together", "copy": break
      default: throw node.error("an analysis has no lines of type “\(type)”")
      }
    }
  }

  /// Whether a line is about the analysis's first simulated phone.
  private mutating func isFirstPhone(_ node: JSONNode) throws(JSONPathError) -> Bool {
    let name = try node.string("profile")
    side.profile = side.profile ?? name
    return side.profile == name
  }

  /// The alerts that the phone shows on average, due or not, from the numbers that all versions have.
  private static func mean(_ node: JSONNode) throws(JSONPathError) -> Double {
    let due = try node.optional("alerts", JSONNode.integer) ?? 0
    let shown = try due + node.integer("extra") + node.integer("later")
    var trials = try node.integer("trials")
    if let runs = try node.optional("runs", JSONNode.integer) { trials = runs }
    guard trials > 0 else { throw node.error("a story needs at least one trial") }
    return Double(shown) / Double(trials)
  }

  /// Checks that the file was complete, to be called after its last line.
  package func finish() throws(SavedAnalysis.Failure) {
    guard file.line > 0 else { throw file.isNone }
    guard isComplete else { throw file.endsEarly }
  }

  /// The rule in a few words, such as `20 stories by nearest center, looked up every 500 m`.
  private static func rule(_ node: JSONNode) throws(JSONPathError) -> String {
    var rule = MonitoringOptions()
    rule.limit = try node.optional("limit", JSONNode.integer)
    rule.refresh = try node.string("refresh") == "fixed" ? .fixed : .adaptive
    rule.significantChangeMeters = try node.double("significantChange")
    rule.rank = try node.string("rank") == "center" ? .center : .edge
    let dates = try node.optional("dates", JSONNode.string)
    return rule.sentence(dates.flatMap { StoryDates($0, in: .utc) })
  }
}
