import FencepostFormats

/// The elements of GPX that determine the path.
enum GPXElement: UInt8, Sendable {
  case gpx
  case track
  case segment
  case route
  case point
  /// Any other element with all its contents: `metadata`, `extensions`, `name`, …
  case other

  /// The meaning of a child by its local name.
  func child(_ name: Span<UInt8>) -> GPXElement {
    switch self {
    case .gpx:
      if name.equals("trk") { return .track }
      if name.equals("wpt") { return .point }
      if name.equals("rte") { return .route }
    case .track:
      if name.equals("trkseg") { return .segment }
    case .segment:
      if name.equals("trkpt") { return .point }
    case .route:
      if name.equals("rtept") { return .point }
    case .point, .other:
      break
    }
    return .other
  }

  /// The kind of the points that this element contains.
  var pointKind: GPXPointKind {
    switch self {
    case .segment: .track
    case .route: .route
    default: .waypoint
    }
  }
}

/// A child of a point that is read.
enum GPXField: Sendable {
  case time, speed, course

  /// Nil if no field has this local name.
  init?(_ name: Span<UInt8>) {
    if name.equals("time") {
      self = .time
    } else if name.equals("speed") {
      self = .speed
    } else if name.equals("course") {
      self = .course
    } else {
      return nil
    }
  }
}
