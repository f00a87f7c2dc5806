import FencepostMonitoring
import FencepostGeodesy
import FencepostPlaces
import FencepostReporting

/// A place to write, with its distance if it answers a query.
struct PlaceRecord {
  /// The place's rank and distances in a query.
  struct Found {
    /// The query's name, if there are several.
    var query: String?
    /// The rank by distance, from 1.
    var rank: Int
    /// The distance of the place in metres.
    var distanceMeters: Double
    /// The distance of its circle's edge in metres, from either side.
    var edgeMeters: Double
  }

  /// The place.
  var place: Place
  /// The query's result, nil in a plain list.
  var found: Found?
}

extension OutputBuffer {
  /// Appends a record as a JSON object.
  ///
  /// Positions and radii keep all digits, as they are the user's data; distances have one decimal.
  mutating func append(jsonObject record: PlaceRecord) {
    append(UInt8(ascii: "{"))
    if let found = record.found {
      if let query = found.query {
        append("\"query\":")
        append(json: query)
        append(",")
      }
      append("\"rank\":")
      append(decimal: found.rank)
      append(",\"distance\":")
      append(found.distanceMeters, decimals: 1)
      append(",\"edge\":")
      append(found.edgeMeters, decimals: 1)
      append(",")
    }
    append(jsonFieldsOf: record.place)
    append(UInt8(ascii: "}"))
  }

  private mutating func append(jsonFieldsOf place: Place) {
    append("\"id\":")
    append(json: place.id)
    append(",\"title\":")
    append(json: place.title)
    append(",\"lat\":")
    append(exactly: place.coordinate.latitudeDegrees)
    append(",\"lon\":")
    append(exactly: place.coordinate.longitudeDegrees)
    append(",\"radius\":")
    append(exactly: place.radiusMeters)
    append(",\"blurb\":")
    append(json: place.blurb)
    append(",\"url\":")
    append(json: place.url)
    append(",\"category\":")
    append(json: place.category)
    append(",\"priority\":")
    append(decimal: place.priority)
    append(",\"published\":")
    append(jsonInstant: place.publishedMilliseconds)
    append(",\"expires\":")
    append(jsonInstant: place.expiresMilliseconds)
  }

  private mutating func append(jsonInstant milliseconds: Int64?) {
    guard let milliseconds else { return append("null") }
    append(UInt8(ascii: "\""))
    append(instant: milliseconds)
    append(UInt8(ascii: "\""))
  }

  /// Appends a finite number with the shortest digits that round-trip.
  mutating func append(exactly number: Double) {
    append(verbatim: number.description)
  }

  /// Appends a record as a row of a table, without the line end.
  mutating func append(csvRow record: PlaceRecord, hasQueries: Bool) {
    if let found = record.found {
      if hasQueries {
        append(csv: found.query ?? "")
        append(",")
      }
      append(decimal: found.rank)
      append(",")
      append(found.distanceMeters, decimals: 1)
      append(",")
      append(found.edgeMeters, decimals: 1)
      append(",")
    }
    let place = record.place
    append(csv: place.id)
    append(",")
    append(csv: place.title)
    append(",")
    append(exactly: place.coordinate.latitudeDegrees)
    append(",")
    append(exactly: place.coordinate.longitudeDegrees)
    append(",")
    append(exactly: place.radiusMeters)
    for text in [place.blurb, place.url, place.category] {
      append(",")
      append(csv: text)
    }
    append(",")
    append(decimal: place.priority)
    for milliseconds in [place.publishedMilliseconds, place.expiresMilliseconds] {
      append(",")
      if let milliseconds { append(instant: milliseconds) }
    }
  }
}
