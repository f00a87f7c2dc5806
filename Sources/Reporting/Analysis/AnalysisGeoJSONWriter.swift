import FencepostAnalysis
import FencepostGeodesy
import FencepostNotifications

/// Writes an analysis as a GeoJSON feature collection (RFC 7946).
///
/// Tracks are simplified lines; entries and stories are points.
struct AnalysisGeoJSONWriter: AnalysisWriter {
  private let stories: [Story]
  private var isFirst = true

  init(stories: [Story]) {
    self.stories = stories
  }

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

  func write(skipped track: String, error: String, to output: inout OutputBuffer) {}

  /// Appends the stories with their totals, and closes the collection.
  mutating func end(
    _ settings: AnalysisSettings, _ totals: AnalysisTotals, to output: inout OutputBuffer
  ) {
    for (index, (story, account)) in zip(stories, totals.stories).enumerated() {
      separate(&output)
      output.appendFeature(at: story.coordinate) {
        $0.appendObject {
          $0.members(of: story, account, isFeature: true)
          write(totals.profiles, index, to: &$0)
        }
      }
    }
    output.append("\n]}\n")
  }

  /// Appends the odds of a story on each simulated phone, if any.
  private func write(
    _ profiles: [ProfileTotals], _ story: Int, to output: inout OutputBuffer
  ) {
    guard profiles.contains(where: { $0.stories[story] != nil }) else { return }
    output.object("chances") { output in
      for profile in profiles {
        guard let odds = profile.stories[story] else { continue }
        output.key(named: profile.name)
        output.appendObject { $0.members(of: odds) }
      }
    }
  }

  private mutating func separate(_ output: inout OutputBuffer) {
    if !isFirst { output.append(",\n") }
    isFirst = false
  }
}
