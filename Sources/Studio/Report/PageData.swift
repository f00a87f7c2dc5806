public import FencepostAnalysis
import FencepostGeodesy
import FencepostNotifications
import FencepostReporting

/// What the page draws and lists, collected track by track: drawings are simplified, counts are exact.
public struct PageData: Sendable {
  /// The most vertices of all paths together that a page still draws quickly.
  private static let mostVertices = 120_000
  /// The most entry marks that a page draws.
  private static let mostMarks = 30_000

  /// Entries of one kind and story that would be drawn on top of each other.
  private struct Mark: Hashable {
    var kind: UInt8
    var story: Int32
    /// A cell of about ten metres.
    var south: Int32
    var west: Int32
  }

  private struct Place {
    var coordinate: Coordinate
    var times: Int
  }

  let stories: [Story]
  private var tracks: [(account: TrackAccount, lines: [[Coordinate]])] = []
  private var marks: [Mark: Place] = [:]
  private var order: [Mark] = []
  private var skipped: [String] = []

  /// Makes an empty page.
  public init(stories: [Story]) {
    self.stories = stories
  }

  /// Adds a track.
  public mutating func note(_ analysis: TrackAnalysis) {
    tracks.append((analysis.account, analysis.lines))
    for entry in analysis.entries {
      let kind: UInt8 =
        entry.isAlert ? 0 : entry.cause == .late ? 2 : entry.cause == .missed ? 3 : 1
      let mark = Mark(
        kind: kind, story: Int32(entry.story),
        south: Int32((entry.coordinate.latitudeDegrees * 1e4).rounded(.down)),
        west: Int32((entry.coordinate.longitudeDegrees * 1e4).rounded(.down)))
      if marks[mark]?.times == nil {
        order.append(mark)
        marks[mark] = Place(coordinate: entry.coordinate, times: 1)
      } else {
        marks[mark]?.times += 1
      }
    }
  }

  /// Adds the sentence about a track that could not be analysed.
  public mutating func note(skipped sentence: String) {
    skipped.append(sentence)
  }

  /// The tracks that lost more fixes than they kept.
  var losses: [FixLoss] { tracks.compactMap(\.account.loss) }

  // MARK: Lists

  /// Appends the findings that have no table.
  func writeLists(_ totals: AnalysisTotals, to output: inout OutputBuffer) {
    output.append("<section id=\"further\"><h2>Further findings</h2>")
    let groups = totals.companions
    list(
      "Stories that always fire together",
      groups.isEmpty
        ? ["No two stories alerted together each time that either did, at least twice."]
        : groups.map { group in
          "\(ReportNumber.counted(totals.stories[group[0]].moments, "time")): "
            + group.map { stories[$0].title.isEmpty ? stories[$0].id : stories[$0].title }
            .joined(separator: " · ")
        }, to: &output)
    list(
      "Spots where more circles overlap than can be monitored",
      totals.spots.isEmpty
        ? [
          "None on these paths; at most "
            + "\(ReportNumber.counted(totals.mostCircles, "circle")) overlapped."
        ]
        : totals.orderedSpots.map {
          "\(ReportNumber.counted($0.circles, "circle")) at "
            + ReportNumber.text($0.coordinate.latitudeDegrees, decimals: 5) + ", "
            + ReportNumber.text($0.coordinate.longitudeDegrees, decimals: 5)
            + ", \(ReportNumber.counted($0.tracks, "track"))"
        }, to: &output)
    let losses = losses
    if !losses.isEmpty {
      list("Tracks that lost more fixes than they kept", losses.map(\.sentence), to: &output)
    }
    if !skipped.isEmpty { list("Tracks that could not be read", skipped, to: &output) }
    output.append("</section>\n")
  }

  private func list(_ title: String, _ items: [String], to output: inout OutputBuffer) {
    output.append("<h3>")
    output.append(xml: title)
    output.append("</h3><ul class=\"plain\">")
    for item in items.prefix(40) {
      output.append("<li>")
      output.append(xml: item)
      output.append("</li>")
    }
    if items.count > 40 {
      output.append("<li>… and ")
      output.append(verbatim: ReportNumber.count(items.count - 40))
      output.append(" more</li>")
    }
    output.append("</ul>")
  }

  // MARK: Data

  /// Appends the page's data as a JSON object.
  func write(
    _ settings: AnalysisSettings, _ totals: AnalysisTotals, _ sweepLines: [String],
    to output: inout OutputBuffer
  ) {
    output.append("{\"settings\":")
    output.append(jsonObject: settings)
    output.append(",\"totals\":")
    output.append(jsonLineOf: totals)
    output.append(",\"tracks\":[")
    writeTracks(to: &output)
    output.append("],\"stories\":[")
    for (index, story) in stories.enumerated() {
      if index > 0 { output.append(",\n") }
      write(story, totals.stories[index], to: &output)
    }
    output.append("],\"entries\":[")
    writeMarks(to: &output)
    output.append("],\"spots\":[")
    for (index, spot) in totals.orderedSpots.prefix(500).enumerated() {
      output.append(index > 0 ? ",[" : "[")
      output.append(spot.coordinate.latitudeDegrees, decimals: 6)
      output.append(",")
      output.append(spot.coordinate.longitudeDegrees, decimals: 6)
      output.append(",")
      output.append(decimal: spot.circles)
      output.append(",")
      output.append(decimal: spot.tracks)
      output.append("]")
    }
    output.append("],\"sweep\":[")
    appendSweep(sweepLines, to: &output)
    output.append("]}")
  }

  private func writeTracks(to output: inout OutputBuffer) {
    let total = tracks.reduce(0) { sum, track in
      sum + track.lines.reduce(0) { $0 + $1.count }
    }
    // Every n-th vertex, so that all paths together stay within what a page can draw.
    let step = max(1, (total + Self.mostVertices - 1) / Self.mostVertices)
    for (index, track) in tracks.enumerated() {
      if index > 0 { output.append(",\n") }
      write(track.account, to: &output)
      output.append(",\"line\":[")
      for (position, line) in track.lines.filter({ $0.count > 1 }).enumerated() {
        output.append(position > 0 ? ",[" : "[")
        write(line, step: step, to: &output)
        output.append("]")
      }
      output.append("]}")
    }
  }

  private func write(_ account: TrackAccount, to output: inout OutputBuffer) {
    output.append("{\"name\":")
    output.append(json: account.track)
    output.member("mm", account.lengthMillimeters)
    output.member("fixes", account.fixes)
    output.member("rejected", account.rejected)
    if account.rejected > 0 {
      output.member("reasons", ReportNumber.list(account.rejectedByReason))
    }
    output.member("refreshes", account.refreshes)
    output.member("entries", account.counts.entries)
    output.member("alerts", account.counts.alerts)
    output.member("suppressed", account.counts.suppressed.total)
    output.member("late", account.counts.late)
    output.member("missed", account.counts.missed)
    output.member("oracle", account.counts.oracleAlerts)
    output.member("found", account.counts.foundAlerts)
  }

  /// Writes differences in millionths of a degree: short, and precise enough for a one-pixel line.
  private func write(_ line: [Coordinate], step: Int, to output: inout OutputBuffer) {
    var latitude = 0
    var longitude = 0
    for (index, coordinate) in line.enumerated()
    where index % step == 0 || index == line.count - 1 {
      if index > 0 { output.append(",") }
      let south = Int((coordinate.latitudeDegrees * 1e6).rounded())
      let west = Int((coordinate.longitudeDegrees * 1e6).rounded())
      output.append(decimal: south - latitude)
      output.append(",")
      output.append(decimal: west - longitude)
      (latitude, longitude) = (south, west)
    }
  }

  private func writeMarks(to output: inout OutputBuffer) {
    // Losses come first, so that they survive the limit on marks.
    let drawn = order.enumerated()
      .sorted { ($1.element.kind, $0.offset) < ($0.element.kind, $1.offset) }
      .prefix(Self.mostMarks)
    var isFirst = true
    for (_, mark) in drawn {
      guard let place = marks[mark] else { continue }
      output.append(isFirst ? "[" : ",[")
      isFirst = false
      let numbers = [
        Int(mark.kind), Int(mark.story), Int((place.coordinate.latitudeDegrees * 1e6).rounded()),
        Int((place.coordinate.longitudeDegrees * 1e6).rounded()), place.times,
      ]
      for (index, number) in numbers.enumerated() {
        if index > 0 { output.append(",") }
        output.append(decimal: number)
      }
      output.append("]")
    }
  }

  private func write(_ story: Story, _ account: StoryAccount, to output: inout OutputBuffer) {
    output.append("[")
    output.append(json: story.id)
    output.append(",")
    output.append(json: story.title)
    output.append(",")
    output.append(json: story.category)
    output.append(",")
    output.append(decimal: Int((story.coordinate.latitudeDegrees * 1e6).rounded()))
    output.append(",")
    output.append(decimal: Int((story.coordinate.longitudeDegrees * 1e6).rounded()))
    output.append(",")
    output.append(verbatim: ReportNumber.text(story.radiusMeters, decimals: 3))
    for verdict in Verdict.allCases {
      output.append(",")
      output.append(decimal: account.tracks[verdict])
    }
    for value in [
      account.counts.alerts, account.counts.oracleAlerts, account.counts.foundAlerts,
      account.counts.entries,
    ] {
      output.append(",")
      output.append(decimal: value)
    }
    output.append(",")
    if let nearest = account.nearestMillimeters {
      output.append(decimal: nearest)
    } else {
      output.append("null")
    }
    output.append(",")
    output.append(json: account.nearestTrack)
    output.append(",")
    output.append(json: AnalysisSummary.reasons(account))
    output.append("]")
  }
}
