package import FencepostAnalysis

/// Writes what differs between two analyses, such as before and after an edit of the stories.
///
/// `fencepost compare` prints it. NDJSON has a `comparison` line with the numbers. If tracks are
/// paired, it has a `story` line for each story that differs, and an `unpaired` line for each track
/// that is in only one analysis.
package struct ComparisonWriter: Sendable {
  /// The most stories that a table lists; NDJSON has all.
  private static let mostRows = 20

  private let comparison: AnalysisComparison
  private let names: (first: String, second: String)

  /// Creates a writer; the names are those of the two files.
  package init(_ comparison: AnalysisComparison, names: (first: String, second: String)) {
    (self.comparison, self.names) = (comparison, names)
  }

  /// What is compared, with names for programs and for people.
  ///
  /// Simulated phones have only alerts, since recall and lookups are those of a perfect phone.
  private var measures: [(key: String, title: String, measure: AnalysisComparison.Measure)] {
    let alerts = ("alertsPerPersonDay", "Alerts per reader and day", comparison.alertsPerPersonDay)
    guard comparison.phones == nil else { return [alerts] }
    return [
      ("recall", "Recall", comparison.recall), alerts,
      ("refreshesPerKilometer", "Lookups per km", comparison.refreshesPerKilometer),
    ]
  }

  /// The tracks that are in one analysis only, with its name.
  private var only: [(name: String, tracks: [String])] {
    [(names.first, comparison.onlyFirst), (names.second, comparison.onlySecond)]
  }

  // MARK: NDJSON

  /// Appends one JSON object per line, as the type describes.
  package func writeNDJSON(to output: inout OutputBuffer) {
    output.appendLine {
      $0.member("type", "comparison")
      $0.member("first", names.first)
      $0.member("second", names.second)
      $0.member("tracks", comparison.pairs)
      $0.member("persons", comparison.persons)
      $0.member("identical", comparison.isIdentical)
      if let (first, second) = comparison.phones {
        $0.array("profiles", [first, second]) { $0.append(json: $1) }
        $0.object("shown") {
          $0.member("first", comparison.shown?.first, decimals: 6)
          $0.member("second", comparison.shown?.second, decimals: 6)
        }
      }
      if let (first, second) = comparison.unpaired {
        $0.array("samples", [first, second]) { output, sample in
          output.appendObject {
            $0.member("tracks", sample.tracks)
            $0.member("persons", sample.persons)
            $0.member("personDays", sample.personDays)
          }
        }
        $0.member("few", comparison.hasFew)
      }
      for (key, _, measure) in measures {
        $0.key(named: key)
        $0.appendObject { $0.members(of: measure) }
      }
      guard comparison.unpaired == nil else { return }
      $0.member("storiesGained", comparison.stories.count { $0.isGained })
      $0.member("storiesLost", comparison.stories.count { $0.isLost })
    }
    for story in comparison.stories {
      output.appendLine {
        $0.member("type", "story")
        $0.member("place", story.place)
        $0.member("title", story.title)
        if let shown = story.shown { return $0.members(of: shown) }
        $0.member("gained", story.gained)
        $0.member("lost", story.lost)
        $0.member("kept", story.kept)
      }
    }
    for (name, tracks) in only {
      for track in tracks {
        output.appendLine {
          $0.member("type", "unpaired")
          $0.member("track", track)
          $0.member("only", name)
        }
      }
    }
  }

  // MARK: Text

  /// What was compared, where the intervals come from, and what to beware of.
  ///
  /// Without a walk in both, they warn that the two may differ for other reasons, and that
  /// intervals of few readers are too narrow.
  package var sentences: [String] { phones + pairing }

  /// The alerts in both analyses, and how many stories gain or lose some.
  package var headline: String {
    guard !comparison.isIdentical else { return "No difference." }
    let day = comparison.alertsPerPersonDay
    var text = ""
    if comparison.phones != nil {
      text = phones.map { "\($0). " }.joined()
    } else if let first = day.first, let second = day.second {
      text =
        "A reader gets \(ReportNumber.mean(first)) alerts a day in A, and "
        + "\(ReportNumber.mean(second)) in B. "
    }
    guard comparison.unpaired == nil else { return text + "The walks are different." }
    let gained = comparison.stories.count { $0.isGained }
    let lost = comparison.stories.count { $0.isLost }
    guard gained + lost > 0 else { return text + "No story differs." }
    return text + "\(ReportNumber.counted(gained, "story gains", "stories gain")) alerts, "
      + "\(ReportNumber.counted(lost, "loses", "lose")) some."
  }

  /// Whose alerts are compared.
  private var phones: [String] {
    if comparison.hasOnePhone {
      return ["Only one analysis simulated a phone, so both are compared as a perfect phone"]
    }
    guard let (first, second) = comparison.phones, let shown = comparison.shown else { return [] }
    let alerts = (ReportNumber.mean(shown.first), ReportNumber.mean(shown.second))
    return [
      "Phones show \(alerts.0) alerts in A (\(first)), and \(alerts.1) in B (\(second))"
    ]
  }

  /// How many walks are compared, and how the intervals were made.
  private var pairing: [String] {
    guard let (first, second) = comparison.unpaired else {
      let both = "\(ReportNumber.counted(comparison.pairs, "walk")) in both"
      guard !comparison.isIdentical else {
        return ["\(both): no difference; every walk has the same alerts, misses and lookups"]
      }
      let drawn = comparison.persons.map { ReportNumber.counted($0, "reader") } ?? "the walks"
      return ["\(both); intervals from resampling \(drawn)"]
    }
    let few =
      "Caution: with fewer than 20 readers in A or B, the true difference is often outside such "
      + "an interval"
    return [
      "The walks are different, so they are not paired: \(Self.words(first)) in A, "
        + "\(Self.words(second)) in B; intervals from resampling each side by itself"
    ] + (comparison.hasFew ? [few] : [])
  }

  /// How many walks, readers and days one side has.
  private static func words(_ sample: AnalysisComparison.Sample) -> String {
    let readers = sample.persons.map { " of \(ReportNumber.counted($0, "reader"))" } ?? ""
    return ReportNumber.counted(sample.tracks, "walk") + readers + " on "
      + ReportNumber.counted(sample.personDays, "day")
  }

  /// How to find out what a change did, for those who compare different walks.
  private static let recipe = """
    Other walks differ for other reasons, too. To see what your changes did, analyze the same walks
    with the old and the new stories:
      fencepost analyze walks/ --store old.sqlite -o before.ndjson
      fencepost analyze walks/ --store new.sqlite -o after.ndjson
      fencepost compare before.ndjson after.ndjson
    """

  /// Appends the measures side by side, and the stories and tracks that differ.
  ///
  /// A difference whose interval includes 0 is marked as one that may be chance. Tables list at
  /// most 20 stories.
  package func writeText(to output: inout OutputBuffer, layout: TextLayout) {
    output.append(verbatim: "A  \(names.first.forTerminal): \(comparison.rules.first)\n")
    output.append(verbatim: "B  \(names.second.forTerminal): \(comparison.rules.second)\n")
    for sentence in sentences { output.append(verbatim: "\(sentence)\n") }
    guard !comparison.isIdentical else { return }
    output.append("\n")
    let rows = measures.map { key, title, measure in
      let isShare = key == "recall"
      func text(_ value: Double?, _ words: (Double, Bool) -> String) -> String {
        value.map { words($0, isShare) } ?? "–"
      }
      let span = measure.interval.map {
        "\(Self.signed($0.lowerBound, isShare)) to \(Self.signed($0.upperBound, isShare))"
      }
      return [
        title, text(measure.first, Self.number), text(measure.second, Self.number),
        text(measure.difference, Self.signed), span ?? "–",
        measure.interval == nil || measure.isCertain
          ? "" : measure.isEqual ? "no difference" : "may be chance",
      ]
    }
    TextTable([.left(""), "A", "B", "B − A", "95 % interval", .left("")], rows)
      .write(to: &output, layout: layout)
    guard comparison.unpaired == nil else { return output.append(verbatim: "\n\(Self.recipe)\n") }
    if comparison.phones == nil {
      writeStories("Stories gained", { $0.gained }, to: &output, layout)
      writeStories("Stories lost", { $0.lost }, to: &output, layout)
    } else {
      writeShown("Stories gained", comparison.stories.filter { $0.isGained }, to: &output, layout)
      writeShown("Stories lost", comparison.stories.filter { $0.isLost }, to: &output, layout)
    }
    for (name, tracks) in only where !tracks.isEmpty {
      output.append(
        verbatim: "\n\(ReportNumber.counted(tracks.count, "walk")) only in \(name.forTerminal), "
          + "left out: \(tracks.prefix(5).joined(separator: ", ").forTerminal)"
          + (tracks.count > 5 ? ", …" : "") + "\n")
    }
  }

  /// Appends the stories for which phones show more alerts, or fewer.
  private func writeShown(
    _ title: String, _ changed: [AnalysisComparison.StoryChange], to output: inout OutputBuffer,
    _ layout: TextLayout
  ) {
    output.append("\n")
    guard !changed.isEmpty else { return output.append(verbatim: "\(title): none\n") }
    output.append(verbatim: "\(title): \(ReportNumber.count(changed.count))\n")
    let rows = changed.prefix(Self.mostRows).map { story in
      let shown = story.shown
      let span = shown?.interval.map {
        "\(Self.signed($0.lowerBound, false)) to \(Self.signed($0.upperBound, false))"
      }
      return [
        story.title.isEmpty ? story.place : story.title,
        Self.signed(shown?.difference ?? 0, false), span ?? "–",
        ReportNumber.text(shown?.first ?? 0, decimals: 2),
        ReportNumber.text(shown?.second ?? 0, decimals: 2),
      ]
    }
    TextTable([.left("Story"), "alerts", "95 % interval", "A", "B"], rows)
      .write(to: &output, layout: layout)
    layout.writeMore(changed.count - Self.mostRows, to: &output)
  }

  /// Appends the stories with more than zero of a count, the greatest first.
  private func writeStories(
    _ title: String, _ count: (AnalysisComparison.StoryChange) -> Int,
    to output: inout OutputBuffer, _ layout: TextLayout
  ) {
    let changed = comparison.stories.filter { count($0) > 0 }
      .sorted { (count($1), $0.place) < (count($0), $1.place) }
    output.append("\n")
    guard !changed.isEmpty else { return output.append(verbatim: "\(title): none\n") }
    output.append(verbatim: "\(title): \(ReportNumber.count(changed.count))\n")
    let rows = changed.prefix(Self.mostRows).map { story in
      [story.title.isEmpty ? story.place : story.title, "\(count(story))", "\(story.kept)"]
    }
    TextTable([.left("Story"), "walks", "in both"], rows).write(to: &output, layout: layout)
    layout.writeMore(changed.count - Self.mostRows, to: &output)
  }

  /// A share in percent, or another measure with up to two decimals.
  private static func number(_ value: Double, _ isShare: Bool) -> String {
    isShare ? ReportNumber.percent(value) : ReportNumber.text(value, decimals: 2)
  }

  /// A difference with its sign, in percentage points for a share.
  private static func signed(_ value: Double, _ isShare: Bool) -> String {
    let scaled = isShare ? value * 100 : value
    let text = ReportNumber.text(abs(scaled), decimals: isShare ? 1 : 2)
    let sign = text == "0" ? "" : value < 0 ? "−" : "+"
    return sign + text + (isShare ? " points" : "")
  }
}

extension OutputBuffer {
  /// Appends both values of a measure, their difference and its 95 % interval, or `null`.
  fileprivate mutating func members(of measure: AnalysisComparison.Measure) {
    member("first", measure.first, decimals: 6)
    member("second", measure.second, decimals: 6)
    member("difference", measure.difference, decimals: 6)
    member("interval", measure.interval)
  }
}
