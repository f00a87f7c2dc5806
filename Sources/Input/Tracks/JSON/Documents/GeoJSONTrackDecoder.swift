import FencepostTime
import FencepostFixes
import FencepostFormats

/// Decodes tracks in GeoJSON (RFC 7946), MF-JSON (OGC 19-045r3) and Overland's `locations`.
///
/// The path consists of the first of these found (see `PathAssembler`): lines, if one has times;
/// timed points; lines; points. Each feature with a line or moving point is a track, and each of
/// its lines a segment. All points together form one segment.
///
/// The times of a line are the fourth numbers of its positions, or a list for all parts or for
/// each. The list is `coordTimes`, `times`, `timestamps` or `datetimes`, in the feature's
/// `properties` or in their `coordinateProperties`. A moving point has `datetimes`; a point has its
/// time in its properties. If the `interpolation` of a movement is `Discrete` or `Step`, nothing is
/// known between its points, so each is a segment.
struct GeoJSONTrackDecoder: JSONDocumentDecoder, Sendable {
  /// The parts of a document that matter; see ``JSONDocumentDecoder``.
  enum Node {
    case root, features, feature
    case type, coordinates, geometry, geometries
    case temporalGeometry, prisms, datetimes, interpolation
    case properties, coordinateProperties, times
    case property(GeoJSONFeature.Property, precedence: UInt8)
  }

  /// The ranks of positions, the best first; see ``PathAssembler``.
  private enum PathRank {
    static var timedLine: Int { 0 }
    static var timedPoint: Int { 1 }
    static var line: Int { 2 }
    static var point: Int { 3 }
  }

  var document = JSONDocument<Node>(.root)
  private var assembler = PathAssembler()
  private var feature = GeoJSONFeature()
  /// Whether a feature has begun that is not complete, as where the file is cut off.
  private var isFeatureOpen = false
  private var hasTimedLines = false
  private let clock: ClockZone?

  /// Creates a decoder; times that state no zone follow the clock, or else are in UTC.
  init(clock: ClockZone? = nil) { self.clock = clock }

  // MARK: Nodes

  /// The part that a member is, by where it stands and its key.
  func member(of node: Node, _ reader: borrowing JSONReader) -> Node? {
    func named(_ name: StaticString) -> Bool { reader.textEquals(name) }
    switch node {
    case .root:
      if named("features") || named("locations") { return .features }
      return featureMember(reader) ?? geometryMember(reader)
    case .feature: return featureMember(reader)
    case .geometry, .temporalGeometry: return geometryMember(reader)
    case .properties:
      if named("coordinateProperties") { return .coordinateProperties }
      return timesMember(reader) ?? GeoJSONFeature.property(reader)
    case .coordinateProperties: return timesMember(reader)
    default: return nil
    }
  }

  private func featureMember(_ reader: borrowing JSONReader) -> Node? {
    if reader.textEquals("geometry") { return .geometry }
    if reader.textEquals("temporalGeometry") { return .temporalGeometry }
    return reader.textEquals("properties") ? .properties : nil
  }

  private func geometryMember(_ reader: borrowing JSONReader) -> Node? {
    func named(_ name: StaticString) -> Bool { reader.textEquals(name) }
    if named("type") { return .type }
    if named("coordinates") { return .coordinates }
    if named("geometries") { return .geometries }
    if named("prisms") || named("members") { return .prisms }
    if named("datetimes") { return .datetimes }
    return named("interpolation") || named("interpolations") ? .interpolation : nil
  }

  private func timesMember(_ reader: borrowing JSONReader) -> Node? {
    func named(_ name: StaticString) -> Bool { reader.textEquals(name) }
    return named("coordTimes") || named("times") || named("timestamps") || named("datetimes")
      ? .times : nil
  }

  /// The part that an array's elements are; coordinates and times may be nested.
  func element(of node: Node) -> Node? {
    switch node {
    case .features: .feature
    case .geometries: .geometry
    case .prisms: .temporalGeometry
    case .coordinates, .datetimes, .times, .interpolation: node
    default: nil
    }
  }

  // MARK: Values

  mutating func begin(_ node: Node) {
    switch node {
    case .root, .feature:
      feature = GeoJSONFeature()
      isFeatureOpen = true
    case .geometry: feature.beginGeometry()
    case .temporalGeometry: feature.beginGeometry(isMoving: true)
    case .coordinates: feature.beginCoordinates()
    case .times: feature.beginTimes()
    default: break
    }
  }

  mutating func take(_ value: JSONReader.Event, at node: Node, _ reader: borrowing JSONReader) {
    switch node {
    case .type: feature.setType(reader.text.span)
    case .coordinates: feature.addNumber(reader.number(value))
    case .datetimes: feature.addMovingTime(time(value, reader))
    case .times: feature.addTime(time(value, reader))
    case .interpolation: feature.setInterpolation(reader.text.span)
    case .property(let property, let precedence):
      if property == .time {
        feature.setTime(time(value, reader), precedence: precedence)
      } else {
        feature.set(property, reader.number(value))
      }
    default: break
    }
  }

  /// Parses a time; null counts as missing, not as a fault.
  private func time(
    _ value: JSONReader.Event, _ reader: borrowing JSONReader
  ) -> GeoJSONFeature.Time {
    guard value != .null else { return .missing }
    return reader.milliseconds(value, by: clock).map { .milliseconds($0) } ?? .unreadable
  }

  /// Ends a part; the end of a feature adds its fixes.
  mutating func end(
    _ node: Node, _ position: SourcePosition, into batch: inout FixBatch
  ) throws(DecodeError) {
    switch node {
    case .coordinates: try endCoordinates(position, into: &batch)
    case .times: feature.endTimes()
    case .geometry, .temporalGeometry: feature.endGeometry()
    case .feature: try endFeature(into: &batch)
    case .root:
      feature.endGeometry()
      try endFeature(into: &batch)
    default: break
    }
  }

  /// Ends a position or a line; throws if a feature has too many positions.
  private mutating func endCoordinates(
    _ position: SourcePosition, into batch: inout FixBatch
  ) throws(DecodeError) {
    feature.endCoordinates(line: position.line ?? 0)
    guard feature.positionCount > PathAssembler.maximumHeldPoints else { return }
    try endFeature(into: &batch)
    throw DecodeError(
      "a feature has more than \(PathAssembler.maximumHeldPoints) positions", line: position.line,
      byteOffset: position.byteOffset)
  }

  /// Adds the fixes of a feature that was cut off, and decides on the path.
  mutating func release(into batch: inout FixBatch) {
    if isFeatureOpen {
      feature.endGeometry()
      // Throws only if too many positions are held; those that fit are then in `batch`.
      do throws(DecodeError) { try endFeature(into: &batch) } catch {}
    }
    assembler.finish(into: &batch)
  }

  // MARK: Fixes

  private func rank(of feature: GeoJSONFeature) -> Int {
    guard feature.hasLines else { return feature.hasTimes ? PathRank.timedPoint : PathRank.point }
    return feature.hasTimes || hasTimedLines ? PathRank.timedLine : PathRank.line
  }

  /// Hands the positions of a complete feature on, with their times.
  private mutating func endFeature(into batch: inout FixBatch) throws(DecodeError) {
    isFeatureOpen = false
    var feature = self.feature
    self.feature = GeoJSONFeature()
    feature.alignTimes()
    let rank = rank(of: feature)
    if rank == PathRank.timedLine {
      // Lines without times belong to a track that also has timed lines.
      assembler.accept(heldOf: PathRank.line, into: &batch)
      hasTimedLines = true
    }
    if feature.hasLines { assembler.beginTrack() }
    if let fault = feature.timesFault { try assembler.reject(fault, rank: rank, into: &batch) }
    if rank == PathRank.timedLine {
      batch.fixes.reserveCapacity(batch.fixes.count + feature.positionCount)
    }
    for index in 0..<feature.positionCount {
      let (fix, hasTimeFault, startsPart) = feature.fix(index)
      if startsPart, feature.hasLines { assembler.beginSegment() }
      try assembler.add(
        fix, hasTimeFault: hasTimeFault, rank: rank, continues: !feature.hasLines,
        SourcePosition(line: Int(fix.line)), into: &batch)
    }
  }
}
