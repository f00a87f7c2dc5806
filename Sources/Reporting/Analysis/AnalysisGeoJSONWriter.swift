public import Analysis
import Geodesy
import Notifications

/// Writes an analysis as a GeoJSON feature collection (RFC 7946): each track as a line, simplified, each
/// entry and each story as a point.
public struct AnalysisGeoJSONWriter: Sendable {
  private let stories: [Story]
  private var isFirst = true

  /// Makes a writer.
  public init(stories: [Story]) {
    self.stories = stories
  }

  /// Appends what precedes all features.
  public func begin(_ output: inout ByteBuffer) {
    output.append("{\"type\":\"FeatureCollection\",\"features\":[\n")
  }

  /// Appends the features of a track.
  public mutating func write(_ analysis: TrackAnalysis, to output: inout ByteBuffer) {
    let lines = analysis.lines.filter { $0.count > 1 }
    beginFeature(&output)
    if lines.isEmpty {
      output.append("null")
    } else {
      output.append("{\"type\":\"MultiLineString\",\"coordinates\":[")
      for (index, line) in lines.enumerated() {
        output.append(index > 0 ? ",[" : "[")
        for (position, coordinate) in line.enumerated() {
          if position > 0 { output.append(",") }
          output.append(geoJSON: coordinate)
        }
        output.append("]")
      }
      output.append("]}")
    }
    output.append(",\"properties\":{\"type\":\"track\",\"track\":")
    output.append(json: analysis.account.track)
    output.append(jsonFieldsOf: analysis.account)
    output.append("}}")
    for entry in analysis.entries { write(entry, of: analysis.account.track, to: &output) }
  }

  /// Appends the stories with their totals, and what follows all features.
  public mutating func end(_ totals: AnalysisTotals, to output: inout ByteBuffer) {
    for (index, story) in stories.enumerated() {
      let account = totals.stories[index]
      beginFeature(&output)
      appendPoint(story.coordinate, to: &output)
      output.append(",\"properties\":{\"type\":\"story\",\"place\":")
      output.append(json: story.id)
      output.append(",\"title\":")
      output.append(json: story.title)
      output.append(",\"radius\":")
      output.append(story.radiusMeters, decimals: 3)
      output.append(jsonFieldOf: account.tracks, named: "tracks")
      output.append(jsonFieldsOf: account.counts)
      output.append("}}")
    }
    output.append("\n]}\n")
  }

  private mutating func write(
    _ entry: EntryRecord, of track: String, to output: inout ByteBuffer
  ) {
    beginFeature(&output)
    appendPoint(entry.coordinate, to: &output)
    output.append(",\"properties\":{\"type\":\"entry\",\"track\":")
    output.append(json: track)
    output.append(",\"place\":")
    output.append(json: stories[entry.story].id)
    output.append(",\"title\":")
    output.append(json: stories[entry.story].title)
    output.append(jsonFieldsOf: entry)
    output.append("}}")
  }

  private mutating func beginFeature(_ output: inout ByteBuffer) {
    if !isFirst { output.append(",\n") }
    isFirst = false
    output.append("{\"type\":\"Feature\",\"geometry\":")
  }

  private func appendPoint(_ coordinate: Coordinate, to output: inout ByteBuffer) {
    output.append("{\"type\":\"Point\",\"coordinates\":")
    output.append(geoJSON: coordinate)
    output.append("}")
  }
}

extension ByteBuffer {
  /// Appends a position: longitude, then latitude.
  fileprivate mutating func append(geoJSON coordinate: Coordinate) {
    append("[")
    append(coordinate.longitudeDegrees, decimals: Decimals.degrees)
    append(",")
    append(coordinate.latitudeDegrees, decimals: Decimals.degrees)
    append("]")
  }
}
