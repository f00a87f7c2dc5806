import FencepostFiles
import FencepostFixes
import FencepostFormats
import FencepostGeodesy

/// Decodes GPX 1.0 and 1.1.
///
/// The path consists of all track points; failing those, of the route points; failing those, of the
/// waypoints in file order. Each route is a track with one segment; all waypoints form another. A
/// `trk` or `trkseg` without a fix gets no number.
///
/// Elements are matched by their parent and local name, in any namespace; unknown ones are skipped.
/// Of a point's fields the first in the point's own namespace counts; a time also counts in another.
/// `speed` and `course` belong to GPX 1.0, but many programs also write them in 1.1. The accuracy
/// stays unknown, because a dilution of precision is not a distance. The title is the name of the
/// tracks, if they have one, or else that of the file.
///
/// A point with an invalid position is rejected as `Rejection.Reason.coordinate`. A point with an
/// unreadable time is kept without it and reported as `Rejection.Reason.time`. Malformed XML ends
/// the decoding with a ``DecodeError`` after the points before it. Entities are never expanded; a
/// document type that declares one is refused. At most 524,288 route points and waypoints are held.
struct GPXDecoder: XMLDocumentDecoder, ~Copyable {
  enum Node {
    case document, gpx, metadata, track, segment, route, trackPoint, routePoint, waypoint
    case time, speed, course, fileName, trackName
    /// The root element of another format.
    case foreign
  }

  private enum PathRank: Int { case track, route, waypoint }

  var document = XMLDocument<Node>(.document)
  var assembler = PathAssembler(mostHeld: 1 << 19, ranksAreStrict: true)
  private var fix = Fix.unplaced
  /// Why the point is rejected; nil if it is not.
  private var fault: Rejection?
  private var timeFault: Rejection?
  private var pointNamespace = 0
  /// The fields already found in the point.
  private var seen: [Node] = []
  /// Whether the open field counts.
  private var isRead = false
  private var field = XMLField()
  private var fileName: String?
  private var trackName: String?
  /// Whether a track has another name than the first.
  private var hasSeveralNames = false

  var title: String? { hasSeveralNames ? fileName : trackName ?? fileName }

  func child(of node: Node, named name: Span<UInt8>) -> Node? {
    switch node {
    case .document: return name.equals("gpx") ? .gpx : .foreign
    case .gpx:
      if name.equals("trk") { return .track }
      if name.equals("metadata") { return .metadata }
      // GPX 1.0 has no metadata.
      if name.equals("name") { return .fileName }
      return name.equals("wpt") ? .waypoint : name.equals("rte") ? .route : nil
    case .metadata: return name.equals("name") ? .fileName : nil
    case .track:
      if name.equals("name") { return .trackName }
      return name.equals("trkseg") ? .segment : nil
    case .segment: return name.equals("trkpt") ? .trackPoint : nil
    case .route: return name.equals("rtept") ? .routePoint : nil
    case .trackPoint, .routePoint, .waypoint:
      if name.equals("time") { return .time }
      return name.equals("speed") ? .speed : name.equals("course") ? .course : nil
    case .time, .speed, .course, .fileName, .trackName, .foreign: return nil
    }
  }

  mutating func begin(
    _ node: Node, named name: Span<UInt8>, _ tag: borrowing XMLStartTag
  ) throws(DecodeError) {
    switch node {
    case .track, .route: assembler.beginTrack()
    case .segment: assembler.beginSegment()
    case .trackPoint, .routePoint, .waypoint: beginPoint(tag)
    case .time, .speed, .course:
      let isOwn = tag.namespace == pointNamespace
      let isStrayTime = node == .time && fix.timeMilliseconds == nil && timeFault == nil
      isRead = (isOwn || isStrayTime) && !seen.contains(node)
      if isRead, isOwn { seen.append(node) }
      field.removeAll()
    case .fileName, .trackName:
      isRead = true
      field.removeAll()
    case .foreign:
      throw DecodeError(
        "the root element is \(XMLField.quoted(name)), not “gpx”", line: tag.line)
    case .document, .gpx, .metadata: break
    }
  }

  mutating func take(_ text: Span<UInt8>, at node: Node, line: Int) {
    if isRead { field.append(text) }
  }

  mutating func end(_ node: Node, line: Int) throws(DecodeError) {
    switch node {
    case .trackPoint: try endPoint(.track, line)
    case .routePoint: try endPoint(.route, line)
    case .waypoint: try endPoint(.waypoint, line)
    case .time where isRead && !field.isEmpty:
      fix.timeMilliseconds = field.milliseconds(by: document.clock)
      timeFault = nil
      guard fix.timeMilliseconds == nil else { break }
      let detail = "\(field.quoted) is not a time; the fix is kept without one"
      timeFault = Rejection(reason: .time, line: line, detail: detail)
    case .fileName: fileName = fileName ?? field.line
    case .trackName:
      guard let name = field.line else { break }
      hasSeveralNames = hasSeveralNames || trackName.map { $0 != name } ?? false
      trackName = trackName ?? name
    case .speed where isRead: fix.setSpeed(field.number)
    case .course where isRead: fix.setCourse(field.number)
    default: break
    }
    isRead = false
  }

  // MARK: Points

  private mutating func beginPoint(_ tag: borrowing XMLStartTag) {
    var (latitude, longitude) = (Double.nan, Double.nan)
    tag.withAttribute("lat") { latitude = Self.degrees($0) }
    tag.withAttribute("lon") { longitude = Self.degrees($0) }
    fix = Fix(coordinate: Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude))
    pointNamespace = tag.namespace
    seen.removeAll(keepingCapacity: true)
    (fault, timeFault) = (nil, nil)
    guard !fix.coordinate.isValid else { return }
    let detail =
      Self.fault("latitude", latitude, limit: 90, tag, "lat")
      ?? Self.fault("longitude", longitude, limit: 180, tag, "lon")
    fault = Rejection(reason: .coordinate, line: tag.line, detail: detail)
  }

  private static func degrees(_ text: Span<UInt8>) -> Double {
    DecimalNumber.double(parsing: text.extracting(text.trimmedRange)) ?? .nan
  }

  /// Why a latitude or longitude is invalid; nil if it is valid.
  private static func fault(
    _ name: String, _ degrees: Double, limit: Double, _ tag: borrowing XMLStartTag,
    _ attribute: StaticString
  ) -> String? {
    if abs(degrees) <= limit { return nil }
    var quoted: String?
    tag.withAttribute(attribute) { quoted = XMLField.quoted($0.extracting($0.trimmedRange)) }
    guard let quoted else { return "the \(name) is missing" }
    return degrees.isFinite
      ? "the \(name) \(quoted) is not within ±\(Int(limit))°"
      : "the \(name) \(quoted) is not a number"
  }

  private mutating func endPoint(_ kind: PathRank, _ line: Int) throws(DecodeError) {
    let rank = kind.rawValue
    if let fault { return try assembler.reject(fault, rank: rank, into: &document.batch) }
    if let timeFault { try assembler.reject(timeFault, rank: rank, into: &document.batch) }
    try assembler.add(
      fix, rank: rank, continues: kind == .waypoint, SourcePosition(line: line),
      into: &document.batch)
  }
}
