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
    let place = record.place
    appendObject {
      if let found = record.found {
        if let query = found.query { $0.member("query", query) }
        $0.member("rank", found.rank)
        $0.member("distance", found.distanceMeters, decimals: 1)
        $0.member("edge", found.edgeMeters, decimals: 1)
      }
      $0.member("id", place.id)
      $0.member("title", place.title)
      $0.member("lat", exactly: place.coordinate.latitudeDegrees)
      $0.member("lon", exactly: place.coordinate.longitudeDegrees)
      $0.member("radius", exactly: place.radiusMeters)
      $0.member("blurb", place.blurb)
      $0.member("url", place.url)
      $0.member("category", place.category)
      $0.member("priority", place.priority)
      $0.member("published", jsonTime: place.publishedMilliseconds)
      $0.member("expires", jsonTime: place.expiresMilliseconds)
    }
  }

  private mutating func member(_ key: StaticString, exactly number: Double) {
    self.key(key)
    append(exactly: number)
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
      for meters in [found.distanceMeters, found.edgeMeters] {
        append(",")
        append(meters, decimals: 1)
      }
      append(",")
    }
    let place = record.place
    append(csv: place.id)
    append(",")
    append(csv: place.title)
    for number in [place.coordinate.latitudeDegrees, place.coordinate.longitudeDegrees] {
      append(",")
      append(exactly: number)
    }
    append(",")
    append(verbatim: place.radiusInTable)
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

extension Place {
  /// The radius in metres for a table: three digits behind the point, which might divide thousands, are made four.
  var radiusInTable: String {
    let text = radiusMeters.description
    return text.dropLast(3).last == "." ? text + "0" : text
  }
}
