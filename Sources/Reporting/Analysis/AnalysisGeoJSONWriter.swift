import FencepostAnalysis
import FencepostGeodesy
import FencepostNotifications

/// Writes an analysis as a GeoJSON feature collection (RFC 7946).
///
/// Tracks are simplified lines; entries and stories are points.
struct AnalysisGeoJSONWriter: AnalysisWriter {
  private let stories: [Story]
  private var isFirst = true

  init(stories: [Story]) { self.stories = stories }

  func begin(_ settings: AnalysisSettings, to output: inout OutputBuffer) {
    output.append("{\"type\":\"FeatureCollection\",\"features\":[\n")
  }

  mutating func write(
    _ analysis: TrackAnalysis, to output: inout OutputFile
  ) throws(OutputFailure) {
    let track = analysis.account.track
    let lines = analysis.lines.filter { $0.count > 1 }
    separate(&output.buffer)
    output.buffer.appendFeature { output in
      if lines.isEmpty { return output.append("null") }
      output.appendObject {
        $0.member("type", "MultiLineString")
        $0.array("coordinates", lines) { $0.appendArray($1) { $0.append(geoJSON: $1) } }
      }
    } properties: {
      $0.appendObject {
        $0.member("type", "track")
        $0.member("track", track)
        $0.members(of: analysis.account)
      }
    }
    for entry in analysis.entries {
      let story = stories[entry.story]
      separate(&output.buffer)
      output.buffer.appendFeature(at: entry.coordinate) {
        $0.appendObject {
          $0.member("type", "entry")
          $0.member("track", track)
          $0.member("place", story.id)
          $0.member("title", story.title)
          $0.members(of: entry)
        }
      }
    }
  }

  /// Appends the stories with their totals, and closes the collection.
  mutating func end(
    _ settings: AnalysisSettings, _ totals: AnalysisTotals, to output: inout OutputFile
  ) {
    for (index, (story, account)) in zip(stories, totals.stories).enumerated() {
      let odds = totals.profiles.compactMap { one in one.stories[index].map { (one.name, $0) } }
      separate(&output.buffer)
      output.buffer.appendFeature(at: story.coordinate) {
        $0.appendObject {
          $0.members(of: story, account, isFeature: true)
          guard !odds.isEmpty else { return }
          $0.object("chances") {
            for (name, odds) in odds {
              $0.key(named: name)
              $0.appendObject { $0.members(of: odds) }
            }
          }
        }
      }
    }
    output.buffer.append("\n]}\n")
  }

  private mutating func separate(_ output: inout OutputBuffer) {
    if !isFirst { output.append(",\n") }
    isFirst = false
  }
}
