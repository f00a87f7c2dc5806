#if Command
import FencepostSession
package import FencepostAnalysis
import FencepostGeodesy
package import FencepostNotifications
import FencepostReporting
import FencepostPhones
import FoundationEssentials

/// What the page draws and lists; drawings are simplified, counts are exact.
///
/// Give it each track as it is analyzed; ``PageWriter`` needs it with the totals at the end. Paths
/// are thinned together to 200,000 vertices.
package struct PageData: Sendable {
  /// The most vertices of all paths together, so that a browser can draw them.
  private static let mostVertices = 200_000
  /// The most items of a list.
  private static let mostItems = 40

  /// All stories of the analysis, by the index that results name them by.
  let stories: [Story]
  /// The file of the stories, as the command or the studio names it.
  package var places = "stories.csv"
  /// The folder in which the names of files are valid.
  package var folder = FileManager.default.currentDirectoryPath
  /// The first simulated phone as the command or the studio names it.
  ///
  /// It is a built-in profile, or a file.
  package var profile: String?
  /// The priorities of stories that have another one than 0.
  package var priorities: [Int: Int] = [:]
  /// The dates of stories that have any; empty if they do not count.
  package var lifetimes: [Int: StoryLifetime] = [:]
  private var tracks: [(account: TrackAccount, lines: [[Coordinate]], chances: [TrackChances])] = []
  private var moments = PageMoments()
  private var skipped: [String] = []

  /// Creates data without tracks for the stories of an analysis, in their order.
  package init(stories: [Story]) {
    self.stories = stories
  }

  /// Keeps what the page shows of a track.
  package mutating func note(_ analysis: TrackAnalysis) {
    moments.note(analysis.entries, track: tracks.count)
    tracks.append((analysis.account, analysis.lines, analysis.chances))
  }

  /// Adds the sentence about a track that could not be analyzed.
  package mutating func note(skipped sentence: String) {
    skipped.append(sentence)
  }

  /// The tracks that lost more fixes than they kept.
  var losses: [FixLoss] { tracks.compactMap(\.account.loss) }

  // MARK: Lists

  /// Appends the section of lists: companions, crowded spots, and walks with losses.
  func writeLists(_ totals: AnalysisTotals, to output: inout OutputBuffer) {
    output.append("<section id=\"further\"><h2>More findings</h2>")
    let groups = totals.companions
    list(
      "Stories that always alert together"
        + (totals.profiles.isEmpty ? "" : ", on a perfect phone"),
      groups.isEmpty
        ? ["No two stories always alert together."]
        : groups.map { group in
          "\(ReportNumber.counted(totals.stories[group[0]].moments, "time")): "
            + group.map { stories[$0].pageName }
            .joined(separator: " · ")
        }, to: &output)
    writeSpots(totals, to: &output)
    let losses = losses
    if !losses.isEmpty {
      list("Walks that lost more GPS fixes than they kept", losses.map(\.sentence), to: &output)
    }
    if !skipped.isEmpty { list("Walks that cannot be read", skipped, to: &output) }
    output.append("</section>\n")
  }

  /// Appends the list of crowded spots, or how many circles overlap at most.
  private func writeSpots(_ totals: AnalysisTotals, to output: inout OutputBuffer) {
    let title = "Spots where more circles overlap than the phone can watch"
    let spots = PageSpots(totals, stories)
    guard spots.count > 0 else {
      let most = ReportNumber.counted(totals.mostCircles, "circle")
      return list(title, ["None on these walks: at most \(most) overlap."], to: &output)
    }
    output.append(html: "<h3>\(title)</h3><ul class=\"plain\">")
    spots.writeList(to: &output, most: Self.mostItems)
    if totals.spots.count > Self.mostItems {
      let more = ReportNumber.count(totals.spots.count - Self.mostItems)
      output.append(html: "<li>… and \(more) more</li>")
    }
    output.append("</ul>")
  }

  private func list(_ title: String, _ items: [String], to output: inout OutputBuffer) {
    output.append(html: "<h3>\(title)</h3><ul class=\"plain\">")
    for item in items.prefix(Self.mostItems) { output.append(html: "<li>\(item)</li>") }
    if items.count > Self.mostItems {
      output.append(html: "<li>… and \(ReportNumber.count(items.count - Self.mostItems)) more</li>")
    }
    output.append("</ul>")
  }

  // MARK: Data

  /// Appends the data that the page's script reads, a JSON object.
  ///
  /// Stories and tracks are named by their indexes. Paths, entries and stories are in millionths of
  /// a degree, spots in degrees.
  func write(
    _ settings: AnalysisSettings, _ totals: AnalysisTotals, _ sweepLines: [String],
    _ studio: StudioLink?, to output: inout OutputBuffer
  ) {
    output.appendObject {
      $0.key("settings")
      $0.append(jsonObject: settings)
      $0.key("totals")
      $0.append(jsonLineOf: totals, stories)
      writeTracks(to: &$0)
      let phones = PagePhones(settings, totals, stories: stories)
      writeStories(totals, phones, to: &$0)
      let fates = StoryHeadline(totals, stories).fates
      $0.array("swapped", fates.indices.filter { fates[$0] == .swapped }) { $0.append(decimal: $1) }
      phones?.write(to: &$0)
      moments.write(to: &$0)
      PageSpots(totals, stories).write(to: &$0)
      $0.key("sweep")
      $0.append("[")
      appendLines(sweepLines, to: &$0)
      $0.append("]")
      studio?.write(to: &$0)
      writeCases(settings, to: &$0)
    }
  }

  /// Appends what the page needs to write a choice as story tests.
  ///
  /// Left out where a case, which follows whole walks one by one, would bring other alerts.
  private func writeCases(_ settings: AnalysisSettings, to output: inout OutputBuffer) {
    guard settings.personRule == nil, settings.selection.isEverything else { return }
    var setting = StudioSetting()
    setting.session = settings.session
    output.object("cases") {
      $0.member("places", places)
      $0.member("folder", folder)
      $0.object("rules") {
        for rule in RuleArguments.entries(setting) where rule.name != "time-zone" {
          $0.key(named: rule.name)
          $0.append(json: rule.value)
        }
        // Another machine may have another zone.
        $0.member("time-zone", settings.zoneIdentifier == "Z" ? "UTC" : settings.zoneIdentifier)
        guard let chance = settings.chance, let phone = chance.profiles.first else { return }
        $0.member("profile", profile.map { wholeProfile($0) } ?? phone.name)
        let (simulation, usual) = (chance.simulation, PhoneSimulationOptions())
        $0.member("trials", "\(simulation.trials)")
        $0.member("seed", "\(simulation.seed)")
        if simulation.surroundings != usual.surroundings {
          $0.member("surroundings", simulation.surroundings.rawValue)
        }
        if simulation.state != usual.state { $0.member("phone-state", simulation.state.rawValue) }
      }
      $0.array("reasons", SuppressionReason.allCases) { $0.append(json: $1.rawValue) }
    }
  }

  /// A phone's name, or its file's whole path, so that it works from every folder.
  private func wholeProfile(_ word: String) -> String {
    BuiltInProfile(rawValue: word) != nil || word.hasPrefix("/") ? word : "\(folder)/\(word)"
  }

  /// Appends the member `tracks`, whose paths are thinned together.
  private func writeTracks(to output: inout OutputBuffer) {
    let total = tracks.reduce(0) { sum, track in
      sum + track.lines.reduce(0) { $0 + $1.count }
    }
    // Draw every n-th vertex, so that all paths together stay within what a page can draw.
    let step = max(1, (total + Self.mostVertices - 1) / Self.mostVertices)
    let names = TrackNames(tracks.map(\.account))
    output.array("tracks", tracks.enumerated()) { output, track in
      // Write one track per line, for people who read the source.
      if track.offset > 0 { output.append("\n") }
      let (account, lines, chances) = track.element
      output.appendObject {
        write(account, to: &$0)
        $0.member("title", names.title(of: account))
        write(chances, to: &$0)
        $0.array("line", lines.filter { $0.count > 1 }) { $0.append(line: $1, step: step) }
      }
    }
  }

  /// Appends the numbers of a track; times are in seconds since 1970, lengths in millimeters.
  private func write(_ account: TrackAccount, to output: inout OutputBuffer) {
    output.member("name", account.track)
    if let person = account.person { output.member("person", person) }
    output.member("mm", account.lengthMillimeters)
    output.member("fixes", account.fixes)
    output.member("first", account.firstMilliseconds.map { Int($0 / 1000) })
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
    output.member("oracle", account.counts.dueAlerts)
    output.member("found", account.counts.foundAlerts)
  }

  /// Appends the alerts that each phone shows on a walk, and on the first phone those of each story
  /// that any alerts for: its number, the share of phones and their alerts on average.
  private func write(_ chances: [TrackChances], to output: inout OutputBuffer) {
    guard let first = chances.first else { return }
    output.array("shown", chances) {
      $0.append($1.isTimed ? $1.meanAlerts : .nan, decimals: 4)
    }
    output.array("chances", first.stories.map { ($0.story, $0.chance.shown) }) { output, row in
      output.append(verbatim: "\(row.0),")
      output.append(row.1.share, decimals: 4)
      output.append(",")
      output.append(row.1.mean, decimals: 4)
    }
  }

  /// Appends the member `stories`, a row for each in the order of their indexes.
  private func writeStories(
    _ totals: AnalysisTotals, _ phones: PagePhones?, to output: inout OutputBuffer
  ) {
    let starts = tracks.compactMap(\.account.firstMilliseconds)
    let period = starts.min().flatMap { first in starts.max().map { first...$0 } }
    output.array("stories", zip(stories, totals.stories).enumerated()) { output, item in
      if item.offset > 0 { output.append("\n") }
      output.append("[")
      write(
        item.element.0, item.element.1, priority: priorities[item.offset] ?? 0,
        dates: period.flatMap { lifetimes[item.offset]?.obstacle(to: $0) }, to: &output)
      if let phones {
        output.append(",")
        phones.write(story: item.offset, to: &output)
      }
      output.append("]")
    }
  }

  private func write(
    _ story: Story, _ account: StoryAccount, priority: Int, dates: SuppressionReason?,
    to output: inout OutputBuffer
  ) {
    for text in [story.id, story.title, story.category] {
      output.append(json: text)
      output.append(",")
    }
    let (south, west) = story.coordinate.microdegrees
    let radius = ReportNumber.text(story.radiusMeters, decimals: 3)
    output.append(verbatim: "\(south),\(west),\(radius),")
    let counts = account.counts
    let numbers =
      Verdict.allCases.map { account.tracks[$0] }
      + [counts.alerts, counts.dueAlerts, counts.foundAlerts, counts.entries]
    for number in numbers { output.append(verbatim: "\(number),") }
    output.append(verbatim: account.nearestMillimeters.map { "\($0)," } ?? "null,")
    output.append(json: account.nearestTrack)
    output.append(",")
    output.append(json: AnalysisSummary.reasons(account))
    output.append(",")
    output.append(json: story.url)
    let reason = counts.suppressed.nonZero.max { $0.count < $1.count }?.reason
    output.append(verbatim: ",\(priority),\(account.persons),")
    output.append(json: reason?.rawValue ?? "")
    output.append(",")
    output.append(json: dates?.rawValue ?? "")
  }
}
#endif
