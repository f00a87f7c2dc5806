package import FencepostSession
import FencepostGeodesy

/// Writes a GeoJSON `FeatureCollection` (RFC 7946), feature by feature.
///
/// Each event with a position is a `Point` with the fields of its NDJSON line as properties.
/// Summaries have no position, so they follow the features in the member `summaries`, which other
/// programs ignore.
package struct GeoJSONWriter: EventWriter {
  private var hasFeatures = false
  private var summaries: [Event] = []

  /// Creates a writer for one collection.
  package init() {}

  /// Begins the collection and its list of features.
  package func begin(_ output: inout OutputBuffer) {
    output.append("{\"type\":\"FeatureCollection\",\"features\":[")
  }

  /// Appends a feature on a line of its own; a summary waits for the end.
  package mutating func write(_ event: Event, to output: inout OutputBuffer) {
    guard let coordinate = event.coordinate else {
      summaries.append(event)
      return
    }
    output.append(hasFeatures ? ",\n" : "\n")
    hasFeatures = true
    output.appendFeature(at: coordinate) { $0.append(jsonObject: event) }
  }

  /// Appends the summaries, and closes the collection.
  package mutating func end(_ output: inout OutputBuffer) {
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

extension OutputBuffer {
  /// Appends a feature with a point as its geometry; the closure appends the properties.
  mutating func appendFeature(at coordinate: Coordinate, properties: (inout OutputBuffer) -> Void) {
    appendFeature {
      $0.appendObject {
        $0.member("type", "Point")
        $0.key("coordinates")
        $0.append(geoJSON: coordinate)
      }
    } properties: {
      properties(&$0)
    }
  }

  /// Appends a feature; the closures append geometry and properties, each as an object.
  mutating func appendFeature(
    geometry: (inout OutputBuffer) -> Void, properties: (inout OutputBuffer) -> Void
  ) {
    appendObject {
      $0.member("type", "Feature")
      $0.key("geometry")
      geometry(&$0)
      $0.key("properties")
      properties(&$0)
    }
  }
}
