import FencepostFormats

/// Decides while reading JSON whether its objects are places and none is a fix.
struct JSONPlaceProbe: PlaceProbe {
  private struct Frame {
    var signs: PlaceSigns = []
    /// Whether the object only describes its parent, such as a geometry or properties.
    var isPart = false
    /// Whether the next value is the object's type.
    var isType = false
  }

  private static let trackTypes: [StaticString] = [
    "LineString", "MultiLineString", "GeometryCollection", "MovingPoint", "MovingFeature",
    "MovingFeatureCollection", "MovingGeometryCollection",
  ]
  private static let trackMembers: Set<String> = [
    "semanticSegments", "rawSignals", "timelineObjects", "latitudeE7", "longitudeE7",
    "temporalGeometry", "timelinePath", "coordTimes", "coordinateProperties", "_type", "class",
  ]

  private var reader = JSONReader(isSequence: true)
  private var names = JSONFieldNames()
  private var frames: [Frame] = []
  private var containers: [Bool] = []
  private var isPartNext = false
  /// Whether the next value names the program that made the document.
  private var isGeneratorNext = false
  private var places = 0
  private var untitled = 0

  mutating func take(_ bytes: Span<UInt8>) -> PlaceVerdict {
    reader.push(bytes)
    return follow()
  }

  mutating func finish() -> PlaceVerdict {
    reader.finish()
    let verdict = follow()
    guard verdict == .open else { return verdict }
    return places > untitled ? .places : .perhapsTrack
  }

  private mutating func follow() -> PlaceVerdict {
    do throws(JSONError) {
      while let event = try reader.next() {
        let verdict = take(event)
        if verdict != .open { return verdict }
      }
      return .open
    } catch {
      return .perhapsTrack
    }
  }

  private mutating func take(_ event: JSONReader.Event) -> PlaceVerdict {
    switch event {
    case .beginObject:
      containers.append(true)
      frames.append(Frame(isPart: isPartNext))
      isPartNext = false
    case .beginArray:
      containers.append(false)
      isPartNext = false
    case .endArray: _ = containers.popLast()
    case .endObject:
      _ = containers.popLast()
      return endObject()
    case .key: return takeKey(reader.string)
    case .string where isGeneratorNext && reader.string.hasPrefix("Overpass"): return .places
    case .string where frames.last?.isType == true && containers.last == true:
      if Self.trackTypes.contains(where: { reader.textEquals($0) }) { return .perhapsTrack }
      if reader.textEquals("Point") || reader.textEquals("MultiPoint") {
        frames[frames.count - 1].signs.formUnion(.position)
      }
      isPartNext = false
    case .string:
      if isPartNext, PositionText.coordinate(parsing: reader.string, isLongitudeFirst: false) != nil
      {
        frames[frames.count - 1].signs.formUnion(.position)
      }
      isPartNext = false
    case .number, .boolean, .null: isPartNext = false
    }
    return .open
  }

  private mutating func takeKey(_ name: String) -> PlaceVerdict {
    guard !frames.isEmpty else { return .open }
    if Self.trackMembers.contains(name) { return .perhapsTrack }
    isGeneratorNext = name == "generator" && frames.count == 1
    let last = frames.count - 1
    frames[last].isType = name == "type"
    frames[last].signs.formUnion(PlaceSigns(ofName: name))
    isPartNext = name == "properties" || names.meaning(of: name) == .position
    return .open
  }

  private mutating func endObject() -> PlaceVerdict {
    guard let ended = frames.popLast() else { return .perhapsTrack }
    if ended.isPart, !frames.isEmpty {
      frames[frames.count - 1].signs.formUnion(ended.signs)
      return .open
    }
    guard ended.signs.isSuperset(of: .position) else { return .open }
    if ended.signs.isPlace {
      places += 1
      return .open
    }
    untitled += 1
    return places == 0 || ended.signs.contains(.recording) ? .perhapsTrack : .open
  }
}
