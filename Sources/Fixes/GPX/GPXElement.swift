import FencepostFormats

/// The elements of GPX that have a meaning for the path, by their place in the tree.
enum GPXElement: UInt8, Sendable {
  case gpx
  case track
  case segment
  case route
  case point
  /// Everything else, with all that it contains: `metadata`, `extensions`, names, …
  case other

  /// What an element of a local name is within this one.
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

  /// What kind of point one is whose element this contains.
  var pointKind: GPXPointKind {
    switch self {
    case .segment: .track
    case .route: .route
    default: .waypoint
    }
  }
}

/// The children of a point that are read.
enum GPXField: Sendable {
  case time, speed, course

  /// The field of a local name.
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
