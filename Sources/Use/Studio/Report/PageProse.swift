#if Command
import FencepostAnalysis
import FencepostMonitoring
import FencepostNotifications
import FencepostReporting

/// The page's summary for a reader who knows nothing about the program and reads nothing else.
///
/// It says how much is lost, why, and which setting would lose nothing.
struct PageProse {
  private let settings: AnalysisSettings
  private let totals: AnalysisTotals
  private let stories: [Story]
  private let advice: PageAdvice
  /// How many tracks lost more fixes than they kept.
  private let lossyTracks: Int

  init(
    _ settings: AnalysisSettings, _ totals: AnalysisTotals, stories: [Story],
    sweepLines: [String], lossyTracks: Int
  ) {
    self.settings = settings
    self.totals = totals
    self.stories = stories
    self.lossyTracks = lossyTracks
    advice = PageAdvice(settings, totals, sweepLines: sweepLines)
  }

  /// Appends the answer in a line: what becomes of all stories.
  func writeHeadline(to output: inout OutputBuffer) {
    let isPerfect = totals.profiles.isEmpty
    let told = StoryHeadline(totals, stories)
    output.append(
      html: """
        <section id="short"><p class="eyebrow">\(isPerfect ? "As a perfect phone" : "On real phones")</p>\
        <p class="headline">\(told.text)</p><p>\(overview)</p>
        """)
    if let words = told.beyondEdits { output.append(html: "<p>\(words)</p>") }
    writeLosses(to: &output)
    output.append("</section>\n")
  }

  /// Appends what a perfect phone loses and why, folded away beside simulated phones.
  func write(to output: inout OutputBuffer) {
    let isOpen = totals.profiles.isEmpty ? " open" : ""
    output.append(verbatim: "<section id=\"rule\"><details\(isOpen)>")
    output.append("<summary>What a perfect phone loses, and why</summary>")
    if !totals.profiles.isEmpty { output.append(html: "<p class=\"headline\">\(headline)</p>") }
    output.append(html: "<p class=\"lede\">\(lede)</p>")
    PageCards(totals).writeBar(to: &output)
    output.append("<div class=\"answers\">")
    answer("Why are alerts lost?", why, to: &output) { writeWorst(to: &$0) }
    answer("Which setting would lose nothing?", advice.text, to: &output) { _ in }
    answer("What was held back on purpose?", heldBack, to: &output) { _ in }
    output.append("</div>")
    PageCards(totals).write(to: &output)
    output.append("</details></section>\n")
  }

  /// Appends a warning that links to the list of walks with more rejected fixes than kept ones.
  private func writeLosses(to output: inout OutputBuffer) {
    guard lossyTracks > 0 else { return }
    let walks = ReportNumber.counted(lossyTracks, "walk")
    let (subject, object) = lossyTracks == 1 ? ("it", "it") : ("they", "them")
    output.append(
      html: """
        <p class="bad" id="losses">\(walks) lost more GPS fixes than \(subject) kept, so these \
        numbers say little about \(object). <a href="#further">See which, and why.</a></p>
        """)
  }

  /// Appends a question, its answer, and perhaps a list below.
  private func answer(
    _ question: String, _ text: String, to output: inout OutputBuffer,
    more: (inout OutputBuffer) -> Void
  ) {
    output.append(html: "<div><h3>\(question)</h3><p>\(text)</p>")
    more(&output)
    output.append("</div>")
  }

  /// The alerts in a sentence: those that phones show, or else those of a perfect phone.
  private var overview: String {
    guard !totals.profiles.isEmpty else { return "\(headline)." }
    let means = totals.profiles.map { "\(ReportNumber.mean($0.meanAlerts)) on \($0.name)" }
    return "Alerts that phones show on these walks: \(means.joined(separator: ", "))."
  }

  /// The due alerts that the phone did not give.
  private var lost: Int { totals.counts.dueAlerts - totals.counts.foundAlerts }

  /// How many due alerts are lost, without a period.
  private var headline: String {
    let all = totals.counts.dueAlerts
    guard all > 0 else { return "No story would alert on these walks" }
    guard settings.monitoring.limit != nil else {
      return "\(ReportNumber.counted(all, "alert")), with every circle watched at once"
    }
    let alerts = ReportNumber.counted(all, "alert")
    if lost == 0, let limit = settings.monitoring.limit {
      return
        "The \(limit)-circle limit cost you nothing: \(alerts), as many as with every circle watched"
    }
    let share = ReportNumber.percent(Double(lost) / Double(all))
    return "\(ReportNumber.count(lost)) of \(alerts) \(lost == 1 ? "was" : "were") lost (\(share))"
  }

  /// What recall means, by the numbers of this analysis.
  private var lede: String {
    let counts = totals.counts
    guard counts.dueAlerts > 0 else {
      return "No walk entered a story’s circle in a way that would alert, even with every circle "
        + "watched at once."
    }
    let all = ReportNumber.counted(counts.dueAlerts, "alert")
    guard settings.monitoring.limit != nil else {
      return "This is what a phone without limits would show. Other settings are compared with it."
    }
    var text =
      "A phone that could watch every circle at once would give \(all) on these walks. Real phones "
      + "watch a few circles at a time and look up the nearest ones as they move. With the rule "
      + "“\(settings.sentence)”, \(ReportNumber.count(counts.foundAlerts)) of these alerts come. "
    text += "This share, \(ReportNumber.percent(totals.recall.ratio)), is called recall"
    if let interval = totals.recall.interval {
      text +=
        ". On other walks of this kind it would be between "
        + "\(ReportNumber.percent(interval.lowerBound)) and "
        + "\(ReportNumber.percent(interval.upperBound)), with 95 % confidence"
    }
    text += "."
    if totals.otherAlerts > 0 {
      let others = ReportNumber.counted(totals.otherAlerts, "more alert")
      text +=
        " The phone gives \(others), \(ReportNumber.count(counts.alerts)) in all. Most of them come at "
        + "a later visit, because the alert of the first visit was lost. They do not count in the recall."
    }
    return text
  }

  /// Why entries went unnoticed, counted by missed and late.
  private var why: String {
    let counts = totals.counts
    guard counts.entries > 0 else { return "No walk entered a circle from outside." }
    let all = ReportNumber.counted(counts.entries, "time")
    guard counts.late + counts.missed > 0 else {
      return "The walks entered a story’s circle \(all), and the phone was watching it each time."
    }
    var text = "The walks entered a story’s circle \(all)."
    if counts.missed > 0 {
      text +=
        " The phone missed \(ReportNumber.count(counts.missed)) of these entries because it was "
        + "watching other, nearer circles."
    }
    if counts.late > 0 {
      text +=
        " The phone noticed \(ReportNumber.count(counts.late)) late: a lookup found the reader already "
        + "inside, too late for an alert."
    }
    return text
  }

  /// Appends up to five stories with the most late and missed entries; nothing if none has any.
  private func writeWorst(to output: inout OutputBuffer) {
    func loss(_ story: Int) -> Int {
      totals.stories[story].counts.late + totals.stories[story].counts.missed
    }
    let worst = totals.stories.crossedStories.filter { loss($0) > 0 }
      .sorted { (loss($1), $0) < (loss($0), $1) }
    guard !worst.isEmpty else { return }
    output.append("<p>These stories lost the most entries:</p><ol>")
    for story in worst.prefix(5) {
      let name = stories[story].pageName
      let entries = ReportNumber.counted(totals.stories[story].counts.entries, "entry", "entries")
      output.append(
        html: "<li><bdi>\(name)</bdi>: \(ReportNumber.count(loss(story))) of \(entries)</li>")
    }
    output.append("</ol>")
  }

  /// How many noticed entries the alert rules held back, by reason.
  private var heldBack: String {
    let counts = totals.counts
    guard counts.suppressed.total > 0 else {
      return "Nothing. Every entry that the phone noticed led to an alert."
    }
    let parts = counts.suppressed.nonZero.map {
      "\($0.reason.words) (\(ReportNumber.count($0.count)))"
    }
    return "Of \(ReportNumber.counted(counts.found, "entry", "entries")) that the phone noticed, "
      + "the alert rules held back \(ReportNumber.count(counts.suppressed.total)), as they would with any "
      + "setting: \(parts.joined(separator: "; "))."
  }
}
#endif
