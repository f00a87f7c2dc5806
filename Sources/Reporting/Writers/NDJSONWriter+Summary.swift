import Fencepost
import Geodesy
import Monitoring

extension ByteBuffer {
  /// Appends the fields of a summary, each with a comma in front.
  mutating func append(fieldsOf summary: TrackSummary) {
    append(track: summary.track, device: summary.device)
    append(",\"fixes\":")
    append(decimal: summary.fixes)
    append(",\"segments\":")
    append(decimal: summary.segments)
    append(",\"rejected\":")
    append(jsonCounts: summary.rejected)
    append(",\"first\":")
    append(jsonTime: summary.firstMilliseconds)
    append(",\"last\":")
    append(jsonTime: summary.lastMilliseconds)
    append(",\"lengthMeters\":")
    append(summary.lengthMeters, decimals: Decimals.meters)
    append(",\"refreshes\":")
    append(decimal: summary.refreshes)
    append(",\"enters\":")
    append(decimal: summary.enters)
    append(",\"exits\":")
    append(decimal: summary.exits)
    append(",\"alerts\":")
    append(decimal: summary.alerts)
    append(",\"suppressed\":")
    append(jsonCounts: summary.suppressed)
    append(optionalFieldsOf: summary)
    append(",\"error\":")
    if let error = summary.error { append(json: error) } else { append("null") }
  }

  private mutating func append(optionalFieldsOf summary: TrackSummary) {
    if let neverMonitored = summary.neverMonitored {
      append(",\"neverMonitored\":")
      append(decimal: neverMonitored)
    }
    if let certified = summary.certified {
      append(",\"certified\":")
      if certified { append("true") } else { append("false") }
    }
    if !summary.uncertified.isEmpty {
      append(",\"uncertified\":[")
      // Each length is what it adds to the sum so far, so that rounded lengths add up to the total.
      var (meters, written) = (0.0, 0.0)
      for (index, span) in summary.uncertified.enumerated() {
        if index > 0 { append(UInt8(ascii: ",")) }
        append("{\"from\":")
        append(json: span.start)
        append(",\"to\":")
        append(json: span.end)
        append(",\"lengthMeters\":")
        meters += span.lengthMeters
        let rounded = (meters * 10).rounded() / 10
        append(rounded - written, decimals: Decimals.meters)
        written = rounded
        append(UInt8(ascii: "}"))
      }
      append("],\"uncertifiedMeters\":")
      append(written, decimals: Decimals.meters)
    }
    if let order = summary.order {
      append(",\"order\":")
      append(json: order.rawValue)
    }
    if let budget = summary.budget {
      append(",\"budget\":")
      append(json: budget)
    }
  }

  private mutating func append(json end: UncertifiedSpan.End) {
    append("{\"fix\":")
    append(decimal: end.fix)
    append(",\"time\":")
    append(jsonTime: end.timeMilliseconds)
    append(jsonFieldsOf: end.coordinate)
    append(UInt8(ascii: "}"))
  }

  /// Appends a JSON object of counts, in the order of their names so that runs compare.
  mutating func append(jsonCounts counts: [String: Int]) {
    append(UInt8(ascii: "{"))
    var isFirst = true
    for (name, count) in counts.sorted(by: { $0.key < $1.key }) {
      if !isFirst { append(UInt8(ascii: ",")) }
      isFirst = false
      append(json: name)
      append(UInt8(ascii: ":"))
      append(decimal: count)
    }
    append(UInt8(ascii: "}"))
  }

  /// Appends the fields that say whose event it is.
  mutating func append(track: String, device: String?) {
    append(",\"track\":")
    append(json: track)
    if let device {
      append(",\"device\":")
      append(json: device)
    }
  }

  /// Appends the fields `lat` and `lon`.
  mutating func append(jsonFieldsOf coordinate: Coordinate) {
    append(",\"lat\":")
    append(coordinate.latitudeDegrees, decimals: Decimals.degrees)
    append(",\"lon\":")
    append(coordinate.longitudeDegrees, decimals: Decimals.degrees)
  }

  /// Appends an instant as a JSON string, or `null`.
  mutating func append(jsonTime milliseconds: Int64?) {
    guard let milliseconds else {
      append("null")
      return
    }
    append(UInt8(ascii: "\""))
    append(instant: milliseconds)
    append(UInt8(ascii: "\""))
  }
}

/// How many decimals each quantity is written with.
enum Decimals {
  /// Degrees: a unit of the seventh decimal is 11 mm or less.
  static var degrees: Int { 7 }
  /// Metres: what the geometry promises is a tenth.
  static var meters: Int { 1 }
  /// A part of a segment: of 1,000 km still 10 cm.
  static var fraction: Int { 7 }
}
