import FencepostFiles
import FencepostFixes
import FencepostFormats
import FencepostGeodesy

/// Decodes tracks in KML 2.2.
///
/// The path consists of the first of these found (see `PathAssembler`): positions of `gx:Track`;
/// points of placemarks with a time; lines; points without times. Polygons, models and views are
/// ignored.
///
/// Each `gx:Track` is a track, unless a `gx:MultiTrack` joins its tracks (`gx:interpolate`) and
/// they are in order of time. Each placemark with lines is a track, and each line a segment. The
/// n-th `when` of a `gx:Track` is the time of its n-th `gx:coord`; an empty `gx:coord` is rejected
/// as `void`.
struct KMLDecoder: XMLDocumentDecoder, ~Copyable {
  enum Node {
    case document, container, placemark, geometry
    case multiTrack, interpolate, track, when, coordinate
    case line, lineCoordinates, point, pointCoordinates, timeStamp, placemarkTime
  }

  private enum PathRank {
    static var track: Int { 0 }
    static var timedPoint: Int { 1 }
    static var line: Int { 2 }
    static var point: Int { 3 }
  }

  var document = XMLDocument<Node>(.document)
  var assembler = PathAssembler()
  private var field = XMLField()
  private var pairs = KMLTrackPairs()
  private var tuples = KMLCoordinates()
  private var joinsTracks = false
  /// Whether the next position of a `gx:Track` is its first.
  private var beginsTrack = false
  /// The last time in the `gx:MultiTrack`; nil before the first.
  private var lastOfMulti: Int64?
  private var isInMulti = false
  /// The points of the open placemark, which wait for its time.
  private var points: [(fix: Fix, line: Int)] = []
  private var placemarkTime: Int64?
  private var placemarkTimeFault: String?

  func child(of node: Node, named name: Span<UInt8>) -> Node? {
    switch node {
    case .document: return .container
    case .container:
      if name.equals("Placemark") { return .placemark }
      return name.equals("Document") || name.equals("Folder") ? .container : nil
    case .placemark:
      if name.equals("TimeStamp") || name.equals("TimeSpan") { return .timeStamp }
      return geometryChild(name)
    case .geometry: return geometryChild(name)
    case .timeStamp: return name.equals("when") || name.equals("begin") ? .placemarkTime : nil
    case .multiTrack:
      return name.equals("Track") ? .track : name.equals("interpolate") ? .interpolate : nil
    case .track: return name.equals("when") ? .when : name.equals("coord") ? .coordinate : nil
    case .line: return name.equals("coordinates") ? .lineCoordinates : nil
    case .point: return name.equals("coordinates") ? .pointCoordinates : nil
    default: return nil
    }
  }

  private func geometryChild(_ name: Span<UInt8>) -> Node? {
    if name.equals("Track") { return .track }
    if name.equals("MultiTrack") { return .multiTrack }
    if name.equals("LineString") { return .line }
    if name.equals("Point") { return .point }
    return name.equals("MultiGeometry") ? .geometry : nil
  }

  mutating func begin(_ node: Node, named name: Span<UInt8>, _ tag: borrowing XMLStartTag) {
    switch node {
    case .placemark:
      (placemarkTime, placemarkTimeFault) = (nil, nil)
      points.removeAll(keepingCapacity: true)
      assembler.beginTrack()
    case .multiTrack: (isInMulti, joinsTracks, lastOfMulti) = (true, false, nil)
    case .track:
      beginsTrack = true
      pairs = KMLTrackPairs()
    case .line: assembler.beginSegment()
    case .when, .coordinate, .interpolate, .placemarkTime: field.removeAll()
    case .lineCoordinates, .pointCoordinates: tuples = KMLCoordinates()
    default: break
    }
  }

  mutating func take(_ text: Span<UInt8>, at node: Node, line: Int) throws(DecodeError) {
    switch node {
    case .when, .coordinate, .interpolate, .placemarkTime: field.append(text)
    case .lineCoordinates, .pointCoordinates:
      tuples.append(text, endLine: line)
      try takeTuples(isLine: node == .lineCoordinates)
    default: break
    }
  }

  mutating func end(_ node: Node, line: Int) throws(DecodeError) {
    switch node {
    case .interpolate: joinsTracks = field.number == 1
    case .when:
      try pairs.add(time: field.milliseconds(by: document.clock), line: line)
      try takePairs()
    case .coordinate:
      try pairs.add(position: field, line: line)
      try takePairs()
    case .track:
      pairs.finish()
      try takePairs()
    case .multiTrack: isInMulti = false
    case .lineCoordinates, .pointCoordinates:
      tuples.finish(endLine: line)
      try takeTuples(isLine: node == .lineCoordinates)
    case .placemarkTime:
      let time = field.milliseconds(by: document.clock)
      if time == nil { placemarkTimeFault = field.quoted }
      placemarkTime = placemarkTime ?? time
    case .placemark: try endPlacemark()
    default: break
    }
  }

  // MARK: Tracks

  private mutating func takePairs() throws(DecodeError) {
    while let pair = pairs.next() {
      beginTrackIfDue(pair.milliseconds)
      let position = SourcePosition(line: pair.line)
      guard let coordinate = pair.coordinate else {
        let void = position.rejection(.void, "the track has no position at this time")
        try assembler.reject(void, rank: PathRank.track, into: &document.batch)
        continue
      }
      let fix = Fix(coordinate: coordinate, timeMilliseconds: pair.milliseconds)
      try assembler.add(
        fix, hasTimeFault: pair.hasTimeFault, rank: PathRank.track, position, into: &document.batch)
    }
  }

  /// Begins a track at the first position of a `gx:Track`, unless it continues the last one.
  private mutating func beginTrackIfDue(_ milliseconds: Int64?) {
    if beginsTrack {
      // The tracks of a file may be in any order, but the fixes of a track may not.
      let continues =
        isInMulti && joinsTracks && lastOfMulti.map { $0 <= milliseconds ?? $0 } ?? false
      if !continues { assembler.beginTrack() }
      beginsTrack = false
    }
    if isInMulti, let milliseconds { lastOfMulti = max(lastOfMulti ?? milliseconds, milliseconds) }
  }

  // MARK: Lines and points

  private mutating func takeTuples(isLine: Bool) throws(DecodeError) {
    for tuple in tuples.takeAll() {
      let (fix, line) = (Fix(coordinate: Coordinate(tuple)), tuple.line)
      if isLine {
        try assembler.add(
          fix, hasTimeFault: false, rank: PathRank.line, SourcePosition(line: line),
          into: &document.batch)
      } else if points.count < PathAssembler.maximumHeldPoints {
        points.append((fix, line))
      }
    }
  }

  private mutating func endPlacemark() throws(DecodeError) {
    for (fix, line) in points {
      var fix = fix
      fix.timeMilliseconds = placemarkTime
      try assembler.add(
        fix, hasTimeFault: placemarkTime == nil && placemarkTimeFault != nil,
        rank: placemarkTime == nil ? PathRank.point : PathRank.timedPoint, continues: true,
        SourcePosition(line: line), into: &document.batch)
    }
    points.removeAll(keepingCapacity: true)
  }
}

extension Coordinate {
  init(_ tuple: KMLCoordinates.Tuple) {
    self.init(latitudeDegrees: tuple.latitude, longitudeDegrees: tuple.longitude)
  }
}

/// The times and positions of a `gx:Track`; KML lists them separately or mixed.
struct KMLTrackPairs: Sendable {
  /// Without a coordinate, the track has no position at this time.
  typealias Pair = (coordinate: Coordinate?, milliseconds: Int64?, hasTimeFault: Bool, line: Int)

  private var times: [Int64] = []
  private var positions: [(coordinate: Coordinate?, line: Int)] = []
  /// How many of both have been paired.
  private var paired = 0
  private var isFinished = false
  private var hasTimes = false

  /// Adds a time; nil if it is unreadable.
  mutating func add(time milliseconds: Int64?, line: Int) throws(DecodeError) {
    hasTimes = true
    times.append(milliseconds ?? Fix.noTime)
    try checkCount(times.count, line)
  }

  /// Adds `lon lat alt`; blank text means no position.
  mutating func add(position field: XMLField, line: Int) throws(DecodeError) {
    let coordinate = field.isEmpty ? nil : Coordinate(KMLCoordinates.Tuple(field.bytes.span))
    positions.append((coordinate, line))
    try checkCount(positions.count, line)
  }

  private func checkCount(_ count: Int, _ line: Int) throws(DecodeError) {
    guard count - paired > PathAssembler.maximumHeldPoints else { return }
    throw DecodeError(
      "a track has more than \(PathAssembler.maximumHeldPoints) times before its positions, or positions before its times",
      line: line)
  }

  /// Ends the track; unpaired positions have no times.
  mutating func finish() { isFinished = true }

  /// The next pair; nil if a time or position is still missing.
  mutating func next() -> Pair? {
    guard paired < positions.count, paired < times.count || isFinished else {
      if paired > 0, paired == positions.count, paired == times.count {
        positions.removeAll(keepingCapacity: true)
        times.removeAll(keepingCapacity: true)
        paired = 0
      }
      return nil
    }
    let time = paired < times.count ? times[paired] : Fix.noTime
    let position = positions[paired]
    paired += 1
    return (
      position.coordinate, time == Fix.noTime ? nil : time, hasTimes && time == Fix.noTime,
      position.line
    )
  }
}
