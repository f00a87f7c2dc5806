import FencepostFiles
package import FencepostFixes
import FencepostFormats
import FencepostGeodesy

/// Decodes GPX 1.0 and 1.1.
///
/// The path consists of the track points of all `trk` and `trkseg`; without any, of the route points;
/// without those too, of the waypoints in file order, as in files for simulators. Each route counts as a track of one
/// segment, all waypoints together as another. Elements are recognised by their place and local name, in any namespace
/// or none; `extensions` and all other elements are ignored with everything in them. A point's `lat`, `lon`, `time`,
/// and GPX 1.0's `speed` and `course` are read, which many programs write in GPX 1.1 too. The accuracy stays unknown,
/// because a dilution of precision is not a distance. A `trk` or `trkseg` without a fix gets no number.
///
/// A point whose position is missing, not a number or out of range is rejected
/// (`Rejection.Reason.coordinate`). One with an unreadable time is kept without it and counted as
/// `Rejection.Reason.time`. XML that is not well-formed ends the decoding with a ``DecodeError`` after
/// all points before the fault. Entities are never expanded or fetched; a document type that declares
/// one is refused.
///
/// Memory is bounded: at most 524,288 route points and waypoints are held back until the kind of the path is
/// known.
package struct GPXDecoder: XMLDocumentDecoder, ~Copyable {
  enum Place {
    case document, gpx, track, segment, route, trackPoint, routePoint, waypoint
    case time, speed, course
    /// The root element of another format.
    case foreign
  }

  private enum Rank {
    static var track: Int { 0 }
    static var route: Int { 1 }
    static var waypoint: Int { 2 }
  }

  var document = XMLDocument<Place>(.document)
  var assembler = PathAssembler(mostHeld: 1 << 19, ranksAreStrict: true)
  private var fix = Fix(coordinate: Coordinate(latitudeDegrees: .nan, longitudeDegrees: .nan))
  /// Why the point is rejected, or nil.
  private var fault: Rejection?
  private var timeFault: Rejection?
  private var pointNamespace = 0
  /// The fields that the point has had.
  private var seen: [Place] = []
  /// Whether the open field counts: it is the first of its name, in the point's namespace.
  private var isRead = false
  private var field = XMLField()

  /// Makes a decoder at the beginning of a file.
  package init() {}

  /// Takes the next bytes of the file and appends what they complete to `batch`.
  ///
  /// - Throws: ``DecodeError`` with the line of the fault; everything before it is in `batch`.
  package mutating func decode(
    _ bytes: Span<UInt8>, into batch: inout FixBatch
  ) throws(DecodeError) {
    try readDocument(bytes, into: &batch)
  }

  /// Ends the file and appends what was still held back to `batch`.
  ///
  /// - Throws: ``DecodeError`` if it ends too early.
  package mutating func finish(into batch: inout FixBatch) throws(DecodeError) {
    try finishDocument(into: &batch)
  }

  func child(of place: Place, named name: Span<UInt8>) -> Place? {
    switch place {
    case .document: return name.equals("gpx") ? .gpx : .foreign
    case .gpx:
      if name.equals("trk") { return .track }
      return name.equals("wpt") ? .waypoint : name.equals("rte") ? .route : nil
    case .track: return name.equals("trkseg") ? .segment : nil
    case .segment: return name.equals("trkpt") ? .trackPoint : nil
    case .route: return name.equals("rtept") ? .routePoint : nil
    case .trackPoint, .routePoint, .waypoint:
      if name.equals("time") { return .time }
      return name.equals("speed") ? .speed : name.equals("course") ? .course : nil
    case .time, .speed, .course, .foreign: return nil
    }
  }

  mutating func begin(
    _ place: Place, _ element: XMLEvents.Record, of events: borrowing XMLEvents
  ) throws(DecodeError) {
    switch place {
    case .track, .route: assembler.beginTrack()
    case .segment: assembler.beginSegment()
    case .trackPoint, .routePoint, .waypoint: beginPoint(element, of: events)
    case .time, .speed, .course:
      isRead = element.namespace == pointNamespace && !seen.contains(place)
      if isRead { seen.append(place) }
      field.removeAll()
    case .foreign:
      let name = events.bytes.span.extracting(element.name)
      throw DecodeError(
        "the root element is \(XMLField.quoted(name)), not “gpx”", line: element.line)
    case .document, .gpx: break
    }
  }

  mutating func take(
    _ text: Span<UInt8>, at place: Place, line: Int, into batch: inout FixBatch
  ) {
    if isRead { field.append(text) }
  }

  mutating func end(_ place: Place, line: Int, into batch: inout FixBatch) throws(DecodeError) {
    switch place {
    case .trackPoint: try endPoint(Rank.track, line, into: &batch)
    case .routePoint: try endPoint(Rank.route, line, into: &batch)
    case .waypoint: try endPoint(Rank.waypoint, line, into: &batch)
    case .time where isRead && !field.isEmpty:
      fix.timeMilliseconds = field.milliseconds
      guard fix.timeMilliseconds == nil else { break }
      let detail = "\(field.quoted) is no time; the fix is kept without it"
      timeFault = Rejection(reason: .time, line: line, detail: detail)
    case .speed where isRead: fix.setSpeed(field.number)
    case .course where isRead: fix.setCourse(field.number)
    default: break
    }
    isRead = false
  }

  // MARK: Points

  private mutating func beginPoint(
    _ element: XMLEvents.Record, of events: borrowing XMLEvents
  ) {
    let latitude = events.attribute("lat", of: element)
    let longitude = events.attribute("lon", of: element)
    let bytes = events.bytes.span
    fix = Fix(
      coordinate: Coordinate(
        latitudeDegrees: Self.degrees(bytes, latitude),
        longitudeDegrees: Self.degrees(bytes, longitude)))
    pointNamespace = element.namespace
    seen.removeAll(keepingCapacity: true)
    (fault, timeFault) = (nil, nil)
    guard !fix.coordinate.isValid else { return }
    let detail =
      Self.fault("latitude", bytes, latitude, fix.coordinate.latitudeDegrees, limit: 90)
      ?? Self.fault("longitude", bytes, longitude, fix.coordinate.longitudeDegrees, limit: 180)
    fault = Rejection(reason: .coordinate, line: element.line, detail: detail)
  }

  private static func degrees(_ bytes: Span<UInt8>, _ range: Range<Int>?) -> Double {
    guard let text = range.map({ bytes.trimmedRange($0) }) else { return .nan }
    return DecimalNumber.double(parsing: bytes.extracting(text)) ?? .nan
  }

  /// Why a latitude or longitude is rejected, or nil.
  private static func fault(
    _ name: String, _ bytes: Span<UInt8>, _ range: Range<Int>?, _ degrees: Double, limit: Double
  ) -> String? {
    if abs(degrees) <= limit { return nil }
    guard let range else { return "the \(name) is missing" }
    let quoted = XMLField.quoted(bytes.extracting(bytes.trimmedRange(range)))
    return degrees.isFinite
      ? "the \(name) \(quoted) is not within ±\(Int(limit))°" : "the \(name) \(quoted) is no number"
  }

  private mutating func endPoint(
    _ rank: Int, _ line: Int, into batch: inout FixBatch
  ) throws(DecodeError) {
    if let fault { return try assembler.reject(fault, rank: rank, into: &batch) }
    if let timeFault { try assembler.reject(timeFault, rank: rank, into: &batch) }
    try assembler.add(
      fix, rank: rank, continues: rank == Rank.waypoint, SourcePosition(line: line), into: &batch)
  }
}
