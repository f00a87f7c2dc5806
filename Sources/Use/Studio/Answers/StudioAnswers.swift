#if Command
import FencepostSession
package import FencepostAnalysis
import FencepostFixes
import FencepostFormats
import FencepostGeodesy
package import FencepostMonitoring
package import FencepostNotifications
import FencepostReporting
import FencepostPhones

/// Answers the studio's questions from its tracks, its places and the runs so far.
///
/// The track that the page shows is followed when a question comes, and the others one by one when
/// the page asks for a step, so that a newer question need not wait.
package final class StudioAnswers {
  private let base: [Place]
  private let setting: StudioSetting
  private let phones: [StudioPhone]
  private let zone: ClockZone
  private var tracks: [RecordedTrack] = []
  /// The what-if of the store's places under the initial rules, and its results by track.
  private let start: WhatIf
  private var startScores: [StudioScore?] = []
  /// The what-if of the newest question, and its results by track.
  private var whatIf: WhatIf
  private var scores: [StudioScore?] = []
  /// Why tracks could not be followed for the newest question, by track.
  private var failures: [Int: String] = [:]
  /// The newest run of each track, from any what-if.
  private var kept: [WhatIf.Kept?] = []
  /// The phone that is being simulated, if any.
  private var chances: StudioChances?
  /// The changes of a story that are being tried, if any.
  private var remedy: StudioRemedy?
  /// The tracks' paths for searches, created when they are first needed.
  private var knownPaths: PathForest?
  /// How near the tracks come to the places measured so far, by id; -1 without tracks.
  private var measures: [(to: Coordinate, millimeters: Int64, track: Int)] = []
  /// The index in ``measures`` by a place's id.
  private var measureIndices: [String: Int] = [:]

  /// Creates a studio without tracks from a store's places, the initial rules, and the phones to
  /// choose from.
  package init(
    base: [Place], setting: StudioSetting, phones: [StudioPhone], zone: ClockZone
  ) throws(PlaceIndexError) {
    (self.base, self.setting, self.phones, self.zone) = (base, setting, phones, zone)
    start = try WhatIf(
      base: base, changes: PlaceChanges(), options: setting.session, phone: setting.phone)
    whatIf = start
  }

  /// Adds a track at the end; results of other tracks stay.
  package func add(_ track: RecordedTrack) {
    tracks.append(track)
    startScores.append(nil)
    scores.append(nil)
    kept.append(nil)
    knownPaths = nil
    (measures, measureIndices) = ([], [:])
  }

  // MARK: Questions

  /// Answers a request of the page in JSON.
  ///
  /// The body of most requests is a question.
  ///
  /// - `try` follows the shown track under the question, which is the newest from now on.
  /// - `step` goes one step further with what its body names: `chances`, `remedy`, or else the
  ///   other tracks. It tells whether more is left.
  /// - `progress`, `cells` and `headline` sum up the tracks so far.
  /// - `nearest` measures how near the tracks come to stories.
  /// - `explain` tells why a story alerts on the shown track or not.
  /// - `chance` begins a simulation, and `chances` has its results so far.
  /// - `remedy` begins to try changes of a story, and `remedies` has the best one.
  ///
  /// - Throws: ``StudioRefusal``, also for a path that does not exist.
  package func answer(_ path: String, _ body: Span<UInt8>) throws(StudioRefusal) -> [UInt8] {
    switch path {
    case "try": return try answer(StudioQuestion(body))
    case "progress":
      return StudioWire.progress(
        scores, start: startScores, failures: failures, isComplete: next == nil)
    case "step":
      let isMore: Bool
      switch text(body) {
      case "chances": isMore = simulateNext()
      case "remedy": isMore = try tryNext()
      default: isMore = followNext()
      }
      return StudioWire.object { $0.member("more", isMore) }
    case "cells": return cells()
    case "headline": return headline()
    case "nearest": return nearest(try StudioQuestion(body))
    case "explain": return try explain(StudioQuestion(body))
    case "remedy":
      try seekRemedy(StudioQuestion(body))
      return StudioWire.object { _ in }
    case "remedies":
      return StudioWire.object { output in
        if let remedy { remedy.write(to: &output) } else { output.member("question", -1) }
      }
    case "chance":
      try simulate(StudioQuestion(body))
      return StudioWire.object { _ in }
    case "chances":
      return StudioWire.object { output in
        if let chances { chances.write(to: &output) } else { output.member("question", -1) }
      }
    default: throw StudioRefusal(description: "the studio does not answer \(path)")
    }
  }

  private func text(_ body: Span<UInt8>) -> String {
    String(decoding: body.indices.map { body[$0] }, as: UTF8.self)
  }

  /// The run of the question's track; the other tracks follow by steps.
  private func answer(_ question: StudioQuestion) throws(StudioRefusal) -> [UInt8] {
    let setting = try setting(of: question)
    whatIf = try makeWhatIf(question, setting.session, setting.phone)
    // The simulation belongs to an older setting.
    (chances, remedy) = (nil, nil)
    scores = kept.map { _ in nil }
    failures = [:]
    let track = question.track
    var run: WhatIf.Kept?
    if tracks.indices.contains(track) {
      follow(track)
      if let failure = failures[track] { throw StudioRefusal(description: failure) }
      run = kept[track]
    }
    return StudioWire.answer(
      run?.run, of: whatIf, setting, question: question,
      score: run.flatMap { _ in scores[track] },
      start: run.flatMap { _ in startScores[track] })
  }

  /// The rules of a question; rules without a field on the page are the initial ones.
  private func setting(of question: StudioQuestion) throws(StudioRefusal) -> StudioSetting {
    try question.rules.setting(from: setting.session, phones)
  }

  /// What a question changes, which reuses what the newest what-if has in common with it.
  private func makeWhatIf(
    _ question: StudioQuestion, _ options: TrackSessionOptions, _ phone: PhoneRules?
  ) throws(StudioRefusal) -> WhatIf {
    do throws(PlaceIndexError) {
      return try WhatIf(
        base: base, changes: question.changes, options: options, phone: phone,
        after: whatIf)
    } catch {
      throw StudioRefusal(description: "\(error)")
    }
  }

  /// A what-if of a question as an analysis follows it, and the phone to simulate, if any.
  private func makeChanceWhatIf(
    _ question: StudioQuestion
  ) throws(StudioRefusal) -> (whatIf: WhatIf, chance: ChanceOptions?) {
    let setting = try setting(of: question)
    return (try makeWhatIf(question, setting.analysis, nil), setting.chance)
  }

  // MARK: Runs

  /// A track that still lacks its answer to the newest question; nil once all have one.
  private var next: Int? { scores.indices.first { scores[$0] == nil && failures[$0] == nil } }

  /// Follows one more track for the newest question; false if none is left.
  private func followNext() -> Bool {
    guard let track = next else { return false }
    follow(track)
    return next != nil
  }

  /// Follows a track, and before that under the initial rules if that result is unknown.
  private func follow(_ track: Int) {
    let recorded = tracks[track]
    do throws(TrackFailure) {
      var latest = kept[track]
      if startScores[track] == nil, let run = try start.follow(recorded, after: latest) {
        startScores[track] = StudioScore(run, track: track)
        latest = run
      }
      guard let run = try whatIf.follow(recorded, after: latest) else { return }
      kept[track] = run
      scores[track] = StudioScore(run, track: track)
    } catch {
      failures[track] = error.description
    }
  }

  // MARK: Chances

  /// Begins to simulate a question's phone, which steps do track by track.
  private func simulate(_ question: StudioQuestion) throws(StudioRefusal) {
    let (whatIf, options) = try makeChanceWhatIf(question)
    guard let options else { throw StudioRefusal(description: "no phone is chosen") }
    chances = StudioChances(
      question: question.number, shown: question.track, whatIf: whatIf, options: options,
      found: tracks.map { _ in nil })
  }

  /// Simulates one more track, beginning with the shown one; false if none is left.
  private func simulateNext() -> Bool {
    guard let track = chances?.next, let begun = chances else { return false }
    do throws(TrackFailure) {
      guard let (phones, entries) = try begun.whatIf.chances(on: tracks[track], begun.options)
      else { return false }
      chances?.found[track] = phones.first
      chances?.scores.append(StudioScore(entries, begun.whatIf.stories, track: track))
    } catch {
      chances?.failures[track] = error.description
    }
    return chances?.next != nil
  }

  // MARK: Explanation

  /// Explains why a question's story fires or not.
  ///
  /// `sentences` say what happened and why, each with its moment as a fix and a fraction of the
  /// segment that it ends, and what would help under other rules. `lines` are those of `explain`
  /// without the changes that it tries.
  private func explain(_ question: StudioQuestion) throws(StudioRefusal) -> [UInt8] {
    let (whatIf, chance) = try makeChanceWhatIf(question)
    guard tracks.indices.contains(question.track),
      let story = question.story.flatMap({ whatIf.stories.index(ofID: $0) })
    else { throw StudioRefusal(description: "this studio has no such story or walk") }
    let found: StoryExplanation?
    do throws(TrackFailure) {
      // The page looks for changes that help by itself; see ``StudioRemedy``.
      found = try whatIf.explain(
        story, on: tracks[question.track], chance: chance, triesChanges: false)
    } catch {
      throw StudioRefusal(description: error.description)
    }
    guard let found else { throw StudioRefusal(description: "the explanation was interrupted") }
    let writer = ExplanationWriter(found, zone: zone)
    var text = OutputBuffer()
    writer.writeText(to: &text, layout: TextLayout())
    let lines = text.text.split(separator: "\n", omittingEmptySubsequences: false)
    return StudioWire.object {
      $0.array("sentences", writer.sentences) {
        $0.append(row: [.text($1.text), .count($1.fix), .number($1.fraction, decimals: 6)])
      }
      $0.array("lines", lines) { $0.append(json: String($1)) }
    }
  }

  // MARK: Remedies

  /// Begins to try changes of a question's story, which steps do one by one.
  private func seekRemedy(_ question: StudioQuestion) throws(StudioRefusal) {
    let (whatIf, chance) = try makeChanceWhatIf(question)
    let places = question.changes.applied(to: base)
    guard let place = places.first(where: { $0.id == question.story }) else {
      throw StudioRefusal(description: "this studio has no such story")
    }
    remedy = StudioRemedy(
      question: question.number, base: base, place, whatIf, chance, tracks, paths())
  }

  /// Tries one more change; false if none is left.
  private func tryNext() throws(StudioRefusal) -> Bool {
    do throws(TrackFailure) {
      return try remedy?.step() ?? false
    } catch {
      throw StudioRefusal(description: error.description)
    }
  }

  // MARK: Overview

  /// How near the tracks come to the centers of a question's changed stories, or of the store's
  /// stories if it changes none.
  ///
  /// `stories` are the IDs, left out for the store's stories, which are in its order. `millimeters`
  /// and `tracks` are of the nearest track; -1 without tracks.
  ///
  /// - Complexity: O(s log f) for f fixes and s stories, and O(f log f) after a track was added.
  private func nearest(_ question: StudioQuestion) -> [UInt8] {
    let changes = question.changes.byID
    let changed = changes.sorted { $0.key < $1.key }.compactMap { $0.value }
    let places = changes.isEmpty ? base : changed
    measure(places)
    let ids = changes.isEmpty ? [] : places.map { $0.id }
    return StudioWire.object {
      $0.array("stories", ids) { $0.append(json: $1) }
      $0.array("millimeters", places) { $0.append(decimal: measured($1)?.millimeters ?? -1) }
      $0.array("tracks", places) { $0.append(decimal: measured($1)?.track ?? -1) }
    }
  }

  /// The paths of all tracks, which no rule of a question cuts elsewhere.
  private func paths() -> PathForest {
    let paths =
      knownPaths ?? PathForest(tracks.map { $0.stretches(under: setting.session.monitoring) })
    knownPaths = paths
    return paths
  }

  /// Measures how near the tracks come to the places that are not measured yet where they are.
  private func measure(_ places: [Place]) {
    let forest = paths()
    var guess: Int?
    for place in places where measured(place)?.to != place.coordinate {
      let found = forest.nearest(
        to: Position(place.coordinate), withinMillimeters: nil, guess: guess)
      guess = found?.path ?? guess
      let index = measureIndices[place.id] ?? measures.count
      let measure = (place.coordinate, found?.millimeters ?? -1, found?.path ?? -1)
      if index < measures.count { measures[index] = measure } else { measures.append(measure) }
      measureIndices[place.id] = index
    }
  }

  /// What is known of how near the tracks come to a place, perhaps to where it was before.
  private func measured(_ place: Place) -> (to: Coordinate, millimeters: Int64, track: Int)? {
    measureIndices[place.id].map { measures[$0] }
  }

  /// What becomes of all stories of the newest question, in a sentence, and of how many tracks.
  ///
  /// `swapped` are the IDs of the stories whose coordinates may be swapped.
  ///
  /// With a phone it is that of an analysis with the phone, once it is simulated.
  private func headline() -> [UInt8] {
    let places = whatIf.changes.applied(to: base)
    measure(places)
    var sums: StudioScore.Stories = [:]
    for score in chances?.scores ?? scores.compactMap({ $0 }) { sums.add(score.byID) }
    let odds = chances?.sums ?? []
    var oddsIndices: [String: Int] = [:]
    for (index, one) in odds.enumerated() {
      oddsIndices[chances?.whatIf.stories.stories[one.story].id ?? ""] = index
    }
    let isSimulated = chances?.found.contains { $0?.isTimed == true } ?? false
    let headline = StoryHeadline(
      places.map { place in
        let (found, sum) = (measured(place)?.millimeters ?? -1, sums[place.id])
        let shown = oddsIndices[place.id].map { odds[$0] }
        return HeadlineStory(
          coordinate: place.coordinate, radiusMeters: place.radiusMeters,
          nearestMillimeters: found < 0 ? nil : found, alerts: sum?.alerts ?? 0,
          heldBack: sum?.suppressed ?? 0, missed: (sum?.late ?? 0) + (sum?.missed ?? 0),
          shown: isSimulated ? shown?.shown ?? ShownAlerts() : nil, chance: shown?.chance)
      })
    let all = tracks.count
    if whatIf.phone != nil, !isSimulated, all > 0, chances?.next != nil || chances == nil {
      return StudioWire.object { $0.member("text", "No walk is simulated yet.") }
    }
    let done =
      chances.map { $0.scores.count + $0.failures.count }
      ?? scores.count { $0 != nil } + failures.count
    let progress = done < all ? "So far, \(done) of \(all) walks: " : ""
    return StudioWire.object {
      $0.member("text", progress + headline.text)
      $0.member("beyondEdits", headline.beyondEdits ?? "")
      $0.array("swapped", places.indices.filter { headline.fates[$0] == .swapped }) {
        $0.append(json: places[$1].id)
      }
    }
  }

  /// The entries of the newest question by story, track and local day.
  ///
  /// `cells` has eight numbers for each: story, track, days since 1970, alerts, suppressed, late,
  /// missed, and the chance of an alert on that track in thousandths; -1 if unknown.
  private func cells() -> [UInt8] {
    struct Key: Hashable {
      let (story, track, day): (String, Int, Int)
    }
    var counts: [Key: [Int]] = [:]
    for (track, kept) in kept.enumerated() {
      guard let kept else { continue }
      for entry in kept.run.entries {
        let day = entry.timeMilliseconds.map { DayCounter.day(of: $0, in: zone) } ?? -1
        let key = Key(story: kept.stories.stories[entry.story].id, track: track, day: day)
        let kind = entry.isAlert ? 0 : entry.suppression != nil ? 1 : entry.cause == .late ? 2 : 3
        counts[key, default: [0, 0, 0, 0]][kind] += 1
      }
    }
    // By story and track, whatever the day: nothing where the path enters, then the share of phones.
    var shares: [Key: [Int]] = [:]
    for key in counts.keys { shares[Key(story: key.story, track: key.track, day: 0)] = [] }
    for (track, found) in (chances?.found ?? []).enumerated() {
      let first = tracks[track].fixes.first?.timeMilliseconds
      let day = first.map { DayCounter.day(of: $0, in: zone) } ?? -1
      for one in found?.stories ?? [] {
        let id = chances?.whatIf.stories.stories[one.story].id ?? ""
        let share = Int((one.chance.shown.share * 1000).rounded())
        let key = Key(story: id, track: track, day: 0)
        // A phone may alert where the path enters nothing: on the day when the walk began.
        if share > 0, shares[key] == nil {
          counts[Key(story: id, track: track, day: day)] = [0, 0, 0, 0]
        }
        shares[key] = [share]
      }
    }
    let ids = Set(counts.keys.map { $0.story }).sorted()
    let numbers = Dictionary(uniqueKeysWithValues: ids.enumerated().map { ($1, $0) })
    let rows = counts.map { key, counts in
      let share = shares[Key(story: key.story, track: key.track, day: 0)]
      return [numbers[key.story] ?? 0, key.track, key.day] + counts + [share?.first ?? -1]
    }.sorted { $0.lexicographicallyPrecedes($1) }
    return StudioWire.object {
      $0.array("stories", ids) { $0.append(json: $1) }
      $0.array("cells", rows.joined()) { $0.append(decimal: $1) }
    }
  }
}
#endif
