package import FencepostAnalysis
import FencepostSession
import FoundationEssentials
import FencepostNotifications
package import FencepostPlaces
import FencepostReporting

/// Analyses of the sample tracks among the sample stories.
package enum SampleAnalysis {
  package static let tracks = [
    "walk.gpx", "walk.nmea", "ride.gpx", "ride.csv", "drive.gpx", "drive.nmea",
    "standstill.gpx",
  ]

  package static func store() throws -> PlaceStore {
    let stories = SampleStories.data.appendingPathComponent("stories/philadelphia.csv").path
    return try PlaceStore.inMemory(from: [stories]).store
  }

  package static func settings(_ options: TrackAnalysisOptions, _ count: Int)
    -> AnalysisSettings
  {
    AnalysisSettings(
      session: options.session, zoneIdentifier: options.zone.identifier, storyCount: count,
      chance: options.chance)
  }

  /// The NDJSON output and the totals of an analysis.
  package static func analyze(
    _ paths: [String], _ change: (inout TrackAnalysisOptions) -> Void = { _ in }
  ) async throws -> (text: String, totals: AnalysisTotals, analyses: [TrackAnalysis]) {
    var options = TrackAnalysisOptions()
    change(&options)
    let session = try TrackAnalysisSession(store: try store(), options: options)
    let writer = AnalysisNDJSONWriter(stories: session.stories)
    var output = OutputBuffer()
    var totals = AnalysisTotals(storyCount: session.stories.count)
    var analyses: [TrackAnalysis] = []
    writer.begin(settings(options, session.stories.count), to: &output)
    try await session.run(paths) { outcome in
      switch outcome {
      case .success(let analysis):
        totals.add(analysis)
        analyses.append(analysis)
        writer.write(analysis, to: &output)
      case .failure(let failure):
        totals.skipped += 1
        writer.write(skipped: failure.path, error: failure.description, to: &output)
      case .interrupted: break
      }
    }
    writer.end(totals, to: &output)
    return (output.text, totals, analyses)
  }
}
