import FencepostAnalysis
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications
import FencepostReporting

/// Writes a run as JSON: rows of numbers, in which stories are numbers of the list `stories` of ids.
struct RunEncoder {
  private let run: TrackRun
  private let stories: StoryIndex
  /// The stories of the run, in the order in which they are first written.
  private var listed: [Int] = []
  private var numbers: [Int: Int] = [:]

  init(_ run: TrackRun, stories: StoryIndex) {
    self.run = run
    self.stories = stories
  }

  /// Appends the run as an object.
  mutating func write(to output: inout OutputBuffer) {
    output.append("{")
    writeEntries(to: &output)
    writeEdges(to: &output)
    writeRenewals(to: &output)
    let inside = run.insideAtStart.map { number($0) }
    output.array("inside", inside) { $0.append(decimal: $1) }
    output.array("breaks", run.breaks) { $0.append(decimal: $1) }
    output.member("length", run.lengthMeters, decimals: 1)
    output.member("certified", run.isCertified)
    output.array("stories", listed) { [stories] in $0.append(json: stories.stories[$1].id) }
    output.append("}")
  }

  private mutating func number(_ story: Int) -> Int {
    if let number = numbers[story] { return number }
    numbers[story] = listed.count
    listed.append(story)
    return listed.count - 1
  }

  /// Story, fix, fraction, milliseconds, latitude, longitude, kind, reason, and the fix at which a late one was
  /// found.
  private mutating func writeEntries(to output: inout OutputBuffer) {
    output.key("entries")
    output.append("[")
    for (offset, entry) in run.entries.enumerated() {
      if offset > 0 { output.append(",") }
      output.append("[")
      output.append(decimal: number(entry.story))
      output.append(",")
      output.append(decimal: entry.fix)
      output.append(",")
      output.append(entry.fraction, decimals: 6)
      output.append(",")
      output.append(verbatim: entry.timeMilliseconds.map { "\($0)" } ?? "null")
      for degrees in [entry.coordinate.latitudeDegrees, entry.coordinate.longitudeDegrees] {
        output.append(",")
        output.append(degrees, decimals: 7)
      }
      output.append(verbatim: ",\"\(entry.outcome)\",")
      output.append(json: entry.suppression?.rawValue ?? "")
      output.append(",")
      output.append(decimal: entry.foundFix ?? -1)
      output.append("]")
    }
    output.append("]")
  }

  /// Story, fix, fraction, and 1 for an enter or 0 for an exit.
  private mutating func writeEdges(to output: inout OutputBuffer) {
    output.key("edges")
    output.append("[")
    for (offset, edge) in run.edges.enumerated() {
      if offset > 0 { output.append(",") }
      output.append(verbatim: "[\(number(edge.story)),\(edge.fix),")
      output.append(edge.fraction, decimals: 6)
      output.append(verbatim: edge.isEnter ? ",1]" : ",0]")
    }
    output.append("]")
  }

  /// Fix, fraction, latitude, longitude, radius, reach, next, whether it failed, added, removed.
  private mutating func writeRenewals(to output: inout OutputBuffer) {
    output.key("refreshes")
    output.append("[")
    for (offset, renewal) in run.renewals.enumerated() {
      if offset > 0 { output.append(",") }
      output.append(verbatim: "[\(renewal.fix),")
      output.append(renewal.fraction, decimals: 6)
      for degrees in [renewal.coordinate.latitudeDegrees, renewal.coordinate.longitudeDegrees] {
        output.append(",")
        output.append(degrees, decimals: 7)
      }
      // What is infinite or not known is null.
      for meters in [renewal.radiusMeters, renewal.reachMeters, renewal.nextMeters] {
        output.append(",")
        output.append(meters ?? .nan, decimals: 2)
      }
      output.append(verbatim: renewal.hasFailed ? ",1" : ",0")
      for stories in [renewal.added, renewal.removed] {
        output.append(",")
        let numbers = stories.map { number($0) }
        output.appendArray(numbers) { $0.append(decimal: $1) }
      }
      output.append("]")
    }
    output.append("]")
  }
}

extension EntryRecord {
  /// What became of the entry, as the page names it.
  fileprivate var outcome: String {
    if isAlert { return "alert" }
    if suppression != nil { return "suppressed" }
    return cause == .late ? "late" : cause == .missed ? "missed" : "suppressed"
  }
}
