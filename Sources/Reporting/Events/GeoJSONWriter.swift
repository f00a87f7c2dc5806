public import Fencepost
import FencepostGeodesy

/// Writes a GeoJSON `FeatureCollection` (RFC 7946), feature by feature.
///
/// Each event with a position is a `Point` whose properties are the fields of its NDJSON line. Summaries have
/// no position: they are kept until the end and follow the features in the member `summaries`, which other
/// programs ignore.
public struct GeoJSONWriter: EventWriter {
  private var hasFeatures = false
  private var summaries: [Event] = []

  /// Makes a writer.
  public init() {}

  /// Appends the head of the collection.
  public func begin(_ output: inout OutputBuffer) {
    output.append("{\"type\":\"FeatureCollection\",\"features\":[")
  }

  /// Appends the event's feature, or keeps a summary for the end.
  public mutating func write(_ event: Event, to output: inout OutputBuffer) {
    guard let coordinate = event.coordinate else {
      summaries.append(event)
      return
    }
    output.append(hasFeatures ? ",\n" : "\n")
    hasFeatures = true
    output.append("{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":")
    output.append(geoJSON: coordinate)
    output.append("},\"properties\":")
    output.append(jsonObject: event)
    output.append(UInt8(ascii: "}"))
  }

  /// Appends the summaries and closes the collection.
  public mutating func end(_ output: inout OutputBuffer) {
    output.append(hasFeatures ? "\n]" : "]")
    if !summaries.isEmpty {
      output.append(",\n\"summaries\":[")
      for (index, summary) in summaries.enumerated() {
        output.append(index > 0 ? ",\n" : "\n")
        output.append(jsonObject: summary)
      }
      output.append("\n]")
    }
    output.append("}\n")
    summaries.removeAll()
  }
}

extension Event {
  /// Where it happened; nil for a summary.
  var coordinate: Coordinate? {
    switch self {
    case .enter(let encounter), .exit(let encounter), .alert(let encounter, _),
      .suppressed(let encounter, _), .reminder(let encounter, _):
      encounter.coordinate
    case .refresh(let refresh): refresh.coordinate
    case .summary: nil
    }
  }
}
