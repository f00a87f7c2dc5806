import FencepostFormats

/// Recognizes a JSON document by the first key or type that is unique to a format.
enum DocumentProbe {
  private enum Place { case object, locations, location, features, feature, windows, window }

  /// Returns the format and the bytes needed to tell; nil if the first value is inconclusive.
  static func format(of text: Span<UInt8>) -> (format: TrackFormat, byteCount: Int)? {
    var reader = JSONReader(isSequence: true)
    reader.push(text)
    var open: [Place?] = []
    var member: Place?
    var isType = false
    // The decoder reports damage later, once the format is known.
    while let event = try? reader.next() {
      var format: TrackFormat?
      switch event {
      case .beginObject, .beginArray: open.append(place(event, open, member))
      case .endObject, .endArray:
        open.removeLast()
        if open.isEmpty { return nil }
      case .key:
        guard let place = open.last else { break }
        format = self.format(ofMember: reader, in: place)
        isType =
          place == .object || place == .location || place == .feature
          ? reader.textEquals("type") : false
        member = place == .object ? self.member(reader) : nil
      case .string where isType: format = self.format(ofType: reader)
      default: break
      }
      if event != .key { isType = false }
      if event != .key, event != .beginObject, event != .beginArray { member = nil }
      if let format { return (format, reader.byteOffset + reader.text.count) }
    }
    return nil
  }

  private static func place(_ event: JSONReader.Event, _ open: [Place?], _ member: Place?) -> Place?
  {
    switch open.last {
    case nil: event == .beginArray ? .windows : .object
    case .windows: event == .beginObject ? .window : nil
    case .locations: event == .beginObject ? .location : nil
    case .features: event == .beginObject ? .feature : nil
    case .object: event == .beginArray ? member : nil
    default: nil
    }
  }

  private static func member(_ reader: JSONReader) -> Place? {
    reader.textEquals("locations") ? .locations : reader.textEquals("features") ? .features : nil
  }

  private static func format(ofMember reader: JSONReader, in place: Place?) -> TrackFormat? {
    func named(_ name: StaticString) -> Bool { reader.textEquals(name) }
    switch place {
    case .object:
      if named("semanticSegments") || named("rawSignals") { return .googleTimeline }
      if named("timelineObjects") { return .googleMonth }
      return named("temporalGeometry") ? .geoJSON : nil
    case .location: return named("latitudeE7") || named("longitudeE7") ? .googleRecords : nil
    case .feature: return named("geometry") || named("temporalGeometry") ? .geoJSON : nil
    case .window:
      return named("timelinePath") || named("visit") || named("activity") || named("startTime")
        ? .googleTimeline : nil
    default: return nil
    }
  }

  /// The GeoJSON and MF-JSON types that can hold a track.
  private static func format(ofType reader: JSONReader) -> TrackFormat? {
    let names: [StaticString] = [
      "FeatureCollection", "Feature", "LineString", "MultiLineString", "Point", "MultiPoint",
      "GeometryCollection", "MovingPoint", "MovingGeometryCollection", "MovingFeatureCollection",
    ]
    return names.contains { reader.textEquals($0) } ? .geoJSON : nil
  }
}
