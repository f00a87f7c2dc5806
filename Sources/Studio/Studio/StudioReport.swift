import Fencepost
import FencepostAnalysis
import FencepostHTTP
import FencepostMonitoring
import FencepostNotifications
import FencepostReporting

/// The report of an analysis of what the studio shows: its tracks, its places and its rules as they are now.
///
/// It is the page that `analyze --report` writes; its stories, tracks and moments lead back into the studio.
struct StudioReport: Sendable {
  /// How many vertices of each path the page draws.
  private static let drawnVertices = 400

  /// The places and the rules as an analysis follows them.
  let trial: Trial
  /// The phone to simulate; nil for none.
  let chance: ChanceOptions?
  let scene: StudioScene
  let link: StudioLink
  let jobs: Int

  /// Whether a path is that of the report.
  static func isReport(_ path: String) -> Bool { path == "/report" }

  /// Analyses, and answers with the page.
  static func answer(
    _ desk: StudioDesk, _ library: PageWriter.MapLibrary
  ) async -> HTTPResponse {
    let nonce = Studio.makeToken()
    do {
      let report = try await desk.makeReport()
      guard !report.scene.tracks.isEmpty else {
        return HTTPResponse(
          .notFound, sentence: "there is no track to report on; drop one onto the studio")
      }
      let body = try await report.page(library, nonce: nonce)
      return HTTPResponse(
        .ok, type: "text/html; charset=utf-8", fields: SitePolicy.fields(nonce: nonce), body: body)
    } catch {
      return HTTPResponse(.internalError, sentence: "\(error)")
    }
  }

  /// The page.
  ///
  /// - Parameters:
  ///   - library: The map library, which becomes part of the page.
  ///   - nonce: Lets the page's scripts run.
  /// - Returns: Its bytes.
  /// - Throws: `CancellationError` if the task was cancelled.
  func page(_ library: PageWriter.MapLibrary, nonce: String) async throws -> [UInt8] {
    var options = TrackAnalysisSession.Options()
    (options.session, options.zone, options.jobs) = (trial.options, scene.zone, jobs)
    (options.measuresAllStories, options.drawnVertices) = (false, Self.drawnVertices)
    options.chance = chance
    let places = trial.places
    let session = TrackAnalysisSession(index: trial.stories, options: options) { places }
    var (data, totals) = (
      PageData(stories: session.stories), AnalysisTotals(storyCount: session.stories.count)
    )
    var nearest = session.makeNearestTracks()
    try await session.run(scene.tracks) { outcome in
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
      monitoring: trial.options.monitoring, alerts: trial.options.alerts,
      zoneIdentifier: scene.zone.identifier, storyCount: session.stories.count,
      alertsOn: trial.options.alertsOn, chance: chance)
    var writer = PageWriter(library: library, sweepLines: [])
    (writer.studio, writer.nonce) = (link, nonce)
    var output = OutputBuffer()
    writer.write(data, settings, totals, to: &output)
    return Array(output.text.utf8)
  }
}

extension StudioDesk {
  /// A report of the newest question, or of what there is to begin with.
  ///
  /// - Throws: ``Refusal``.
  func makeReport() async throws(Refusal) -> StudioReport {
    let link = StudioLink(address: "./", view: "")
    guard let asked else {
      let (trial, chance) = try makeStartAnalysis()
      return StudioReport(trial: trial, chance: chance, scene: scene, link: link, jobs: jobs)
    }
    let (trial, chance) = try await makeChanceTrial(asked)
    return StudioReport(
      trial: trial, chance: chance, scene: scene, link: link.at(asked), jobs: jobs)
  }

  private func makeStartAnalysis() throws(Refusal) -> (Trial, ChanceOptions?) {
    do {
      let trial = try Trial(
        base: base, changes: PlaceChanges(), options: scene.setting.analysis)
      return (trial, scene.setting.chance)
    } catch {
      throw Refusal(description: "\(error)")
    }
  }
}
