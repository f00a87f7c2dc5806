import FencepostFiles
import FencepostFixes
import FencepostFormats
import FencepostGeodesy

/// Decodes TCX, Garmin's Training Center XML, versions 1 and 2.
///
/// The path consists of the trackpoints of all activities, or else of all courses. Each
/// activity or course is a track. A lap does not break it; a second `Track` in a lap follows a
/// pause and begins a segment. A trackpoint without a position only holds other sensor data and is
/// rejected as `void`. The speed comes from the extension `TPX`.
struct TCXDecoder: XMLDocumentDecoder, ~Copyable {
  enum Node {
    case document, container, courses, activity, course, lap, courseLap, track, courseTrack
    case point, time, position, latitude, longitude, extensions, speed
  }

  private enum PathRank {
    static var activity: Int { 0 }
    static var course: Int { 1 }
  }

  var document = XMLDocument<Node>(.document)
  var assembler = PathAssembler()
  private var field = XMLField()
  private var isCourse = false
  private var lapHasTrack = false
  private var fix = Fix.unplaced
  private var latitude = Double.nan
  private var longitude = Double.nan
  private var hasPosition = false
  private var badTime: String?

  func child(of node: Node, named name: Span<UInt8>) -> Node? {
    switch node {
    case .document: return .container
    case .container, .courses:
      let isCourse = if case .courses = node { true } else { false }
      if name.equals("Courses") { return .courses }
      if name.equals("Course") { return .course }
      if name.equals("Activity") || name.equals("Run") { return .activity }
      return isCourse ? .courses : .container
    case .activity: return name.equals("Lap") ? .lap : name.equals("Track") ? .track : nil
    case .course:
      // A course's lap has only a summary; the course itself has the track.
      return name.equals("Track") ? .courseTrack : name.equals("Lap") ? .courseLap : nil
    case .lap: return name.equals("Track") ? .track : nil
    case .courseLap: return name.equals("Track") ? .courseTrack : nil
    case .track, .courseTrack: return name.equals("Trackpoint") ? .point : nil
    case .point:
      if name.equals("Time") { return .time }
      if name.equals("Position") { return .position }
      return name.equals("Extensions") ? .extensions : nil
    case .position:
      return name.equals("LatitudeDegrees")
        ? .latitude : name.equals("LongitudeDegrees") ? .longitude : nil
    case .extensions: return name.equals("TPX") ? .extensions : name.equals("Speed") ? .speed : nil
    case .time, .latitude, .longitude, .speed: return nil
    }
  }

  mutating func begin(_ node: Node, named name: Span<UInt8>, _ tag: borrowing XMLStartTag) {
    switch node {
    case .activity, .course:
      assembler.beginTrack()
      isCourse = if case .course = node { true } else { false }
      lapHasTrack = false
    case .lap: lapHasTrack = false
    case .track, .courseTrack:
      if lapHasTrack { assembler.beginSegment() }
      lapHasTrack = true
    case .point:
      fix = Fix.unplaced
      (latitude, longitude, hasPosition, badTime) = (.nan, .nan, false, nil)
    case .position: hasPosition = true
    case .time, .latitude, .longitude, .speed: field.removeAll()
    default: break
    }
  }

  mutating func take(_ text: Span<UInt8>, at node: Node, line: Int) {
    switch node {
    case .time, .latitude, .longitude, .speed: field.append(text)
    default: break
    }
  }

  mutating func end(_ node: Node, line: Int) throws(DecodeError) {
    switch node {
    case .time:
      fix.timeMilliseconds = field.milliseconds(by: document.clock)
      if fix.timeMilliseconds == nil, !field.isEmpty { badTime = field.quoted }
    case .latitude: latitude = field.number
    case .longitude: longitude = field.number
    case .speed: fix.setSpeed(field.number)
    case .point: try endPoint(SourcePosition(line: line))
    default: break
    }
  }

  private mutating func endPoint(_ position: SourcePosition) throws(DecodeError) {
    let rank = isCourse ? PathRank.course : PathRank.activity
    fix.coordinate = Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
    guard fix.coordinate.isValid else {
      let rejection =
        hasPosition
        ? position.rejection(.coordinate, "the position is incomplete or out of range")
        : position.rejection(.void, "the trackpoint has no position")
      return try assembler.reject(rejection, rank: rank, into: &document.batch)
    }
    if let badTime {
      let fault = position.rejection(.time, "\(badTime) is not a time; the fix is kept without one")
      try assembler.reject(fault, rank: rank, into: &document.batch)
    }
    try assembler.add(fix, rank: rank, position, into: &document.batch)
  }
}
