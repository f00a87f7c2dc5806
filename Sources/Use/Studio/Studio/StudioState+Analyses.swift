#if Command
import FencepostSession
import FencepostAnalysis
import FencepostMonitoring
import FencepostNotifications
import FencepostPlaces
import FencepostReporting

/// Work that needs a whole analysis of the studio's current tracks, places and rules.
extension StudioState {
  /// The most vertices of a track's drawing in a report.
  private static let drawnVertices = 400
  /// A search for advice stops after this time, so that its answer still reaches the page.
  private static let longestSearch = Duration.seconds(240)

  // MARK: Page to send

  /// A question's walks, stories and rules as one file; see ``SentPage``.
  func page(
    of question: StudioQuestion, _ library: PageWriter.MapLibrary
  ) async throws(StudioRefusal) -> [UInt8] {
    var sent = scene
    sent.setting = try setting(of: question)
    let places = question.changes.applied(to: base)
    do {
      var page = try SentPage(
        sent, places, track: question.track, privacy: question.privacy, library: library)
      page.view = question.view
      return try page.make()
    } catch {
      throw StudioRefusal(description: "\(error)")
    }
  }

  // MARK: Reminders

  /// How many reminders a question's stories and rules cost on all tracks, as JSON with a sentence.
  ///
  /// The sentence is null if a newer question came.
  func countReminders(_ question: StudioQuestion) async throws(StudioRefusal) -> [UInt8] {
    guard let reminders = scene.reminders else {
      throw StudioRefusal(
        description: "there are no reminders; start the studio with a file of them")
    }
    counting?.cancel()
    let whatIf = try await makeWhatIf(question).whatIf
    let (tracks, zone) = (scene.tracks, scene.zone)
    // Away from the actor, so that other questions need not wait.
    let counting = Task.detached(executorPreference: executor) { () -> String? in
      var (sum, days) = (ReminderCost(), 0)
      for track in tracks {
        guard let cost = track.reminderCost(reminders, under: whatIf, zone: zone) else {
          return nil
        }
        sum = sum + cost.cost
        days += cost.days
      }
      return sum.sentence(days: days) + "."
    }
    self.counting = counting
    let text = await counting.value
    return StudioWire.object { $0.member("text", text) }
  }

  // MARK: Advice

  /// Finds the changes that gain most alerts on the tracks, given a question's places and rules.
  ///
  /// With a phone, they are those that it shows.
  ///
  /// - Returns: The lines of `advise` in a JSON object. If the search times out or is stopped, what
  ///   it has found so far.
  func advise(_ question: StudioQuestion) async throws(StudioRefusal) -> [UInt8] {
    // Use the circles as they are, not as a phone notices them.
    let (whatIf, chance) = try await makeWhatIf(question)
    guard !scene.tracks.isEmpty else {
      throw StudioRefusal(description: "there is no walk to advise on. Drop one onto the page.")
    }
    var options = AdviceOptions()
    (options.session, options.zone, options.jobs) = (whatIf.options, scene.zone, jobs)
    options.chance = chance
    if let phone = chance?.profiles.first { options.keep(to: phone) }
    let advisor = Advisor(
      places: whatIf.places.places,
      persons: PersonTracks.alone(scene.tracks), options: options)
    stopAdvising()
    let search = Task.detached(executorPreference: executor) { try await advisor.advise() }
    self.search = search
    let alarm = Task {
      try await Task.sleep(for: Self.longestSearch)
      search.cancel()
    }
    defer { alarm.cancel() }
    do {
      var lines = OutputBuffer()
      AdviceWriter(try await search.value).writeNDJSON(to: &lines)
      let all = lines.text.split(separator: "\n")
      return StudioWire.object { $0.array("lines", all) { $0.append(verbatim: String($1)) } }
    } catch is CancellationError {
      throw StudioRefusal(description: "the search stopped before it had replayed all walks once")
    } catch {
      throw StudioRefusal(description: "\(error)")
    }
  }

  /// Stops the search for changes, keeping what it has found.
  func stopAdvising() { search?.cancel() }

  // MARK: Report

  /// Remembers the question that the next report is about.
  func remember(_ question: StudioQuestion) throws(StudioRefusal) {
    _ = try setting(of: question)
    asked = question
  }

  /// The page that `analyze --report` writes; nil if there is no track.
  ///
  /// It links back to the studio. The nonce lets the page's scripts run.
  func report(_ library: PageWriter.MapLibrary, nonce: String) async throws -> [UInt8]? {
    guard !scene.tracks.isEmpty else { return nil }
    let (tracks, zone) = (scene.tracks, scene.zone)
    let link = StudioLink(address: "./", view: "")
    var writer = PageWriter(library: library, sweepLines: [])
    (writer.studio, writer.nonce) = (asked.map { link.at($0) } ?? link, nonce)
    let (whatIf, chance) = try await makeAnalysis()
    let profile = try asked.map { try setting(of: $0).profile } ?? scene.setting.profile
    var options = TrackAnalysisOptions()
    (options.session, options.zone, options.jobs) = (whatIf.options, zone, jobs)
    (options.measuresAllStories, options.drawnVertices) = (false, Self.drawnVertices)
    options.chance = chance
    return try await Self.page(
      of: tracks, under: whatIf, options, writer, scene.store.path, profile)
  }

  /// Analyzes the tracks and writes the page.
  private static func page(
    of tracks: [RecordedTrack], under whatIf: WhatIf, _ options: TrackAnalysisOptions,
    _ writer: PageWriter, _ places: String, _ profile: String?
  ) async throws -> [UInt8] {
    let session = TrackAnalysisSession(index: whatIf.stories, options: options) { whatIf.places }
    var data = PageData(stories: session.stories)
    (data.places, data.priorities) = (places, session.priorities)
    (data.lifetimes, data.profile) = (session.lifetimes, profile)
    var totals = AnalysisTotals(storyCount: session.stories.count)
    var nearest = session.makeNearestTracks()
    try await session.run(tracks) { outcome in
      switch outcome {
      case .success(let analysis):
        totals.add(analysis)
        nearest.take(analysis, into: &totals)
        data.note(analysis)
      case .failure(let failure):
        totals.skipped += 1
        data.note(skipped: failure.description)
      case .interrupted: break
      }
    }
    try Task.checkCancellation()
    nearest.flush(into: &totals)
    totals.drawPersons()
    let settings = AnalysisSettings(
      session: whatIf.options, zoneIdentifier: options.zone.identifier,
      storyCount: session.stories.count, chance: options.chance)
    var output = OutputBuffer()
    writer.write(data, settings, totals, to: &output)
    return Array(output.text.utf8)
  }
}
#endif
