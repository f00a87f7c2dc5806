import FencepostAnalysis
import Fencepost
import FencepostGeodesy
import FencepostLive
import FencepostMonitoring
import FencepostPlaces
import FencepostReporting

/// Writes what the map shows as JSON: everything, or what has changed.
///
/// On the server's thread only.
final class MapEncoder {
  private let lookup: PlaceLookup
  private let words: SuppressionWords
  private let rule: String

  /// Circles of a device that are written, the nearest of those monitored.
  private static var mostMonitored: Int { 200 }
  /// Places near a device that are written.
  private static var nearCount: Int { 60 }
  /// Devices whose near places are written, those that moved last.
  private static var mostWithNear: Int { 20 }
  /// Vertices of all paths together that are written.
  private static var mostVertices: Int { 20_000 }

  /// - Parameters:
  ///   - lookup: Finds places.
  ///   - words: Says why an enter was held back.
  ///   - rule: The engine's rule as a sentence.
  init(lookup: PlaceLookup, words: SuppressionWords, rule: String) {
    self.lookup = lookup
    self.words = words
    self.rule = rule
  }

  /// Changes when the places have changed that near ones were last chosen from.
  var placesVersion: Int { lookup.version }

  /// Everything.
  func state(_ contents: LiveMapState.Contents, nowMilliseconds: Int64) -> String {
    var output = OutputBuffer(capacity: 64 * 1024)
    output.append("{\"rule\":")
    output.append(json: rule)
    output.append(",\"source\":")
    output.append(json: contents.source)
    output.append(",\"unshown\":")
    output.append(decimal: contents.unshownFixes)
    output.append(",\"ended\":")
    output.append(verbatim: contents.hasEnded ? "true" : "false")
    let latest = contents.devices.values.sorted { $0.lastSequence > $1.lastSequence }
    let share = max(2, Self.mostVertices / max(1, latest.count))
    output.append(",\"devices\":[")
    lookup.ask(nowMilliseconds: nowMilliseconds) { _ in
      for (index, trace) in latest.enumerated() {
        if index > 0 { output.append(",") }
        write(trace, vertices: share, hasNear: index < Self.mostWithNear, to: &output)
      }
    }
    output.append("],\"events\":[")
    write(contents.alerts + contents.suppressed, to: &output)
    output.append("]}")
    return output.text
  }

  private func write(
    _ trace: DeviceTrace, vertices: Int, hasNear: Bool, to output: inout OutputBuffer
  ) {
    output.append("{\"device\":")
    output.append(json: trace.device ?? "")
    write(counts: trace, to: &output)
    var sketch = trace.sketch
    output.append(",\"joins\":false,\"lines\":[")
    write(Self.last(vertices, of: sketch.finish()), to: &output)
    output.append("]")
    guard let position = trace.position else { return output.append("}") }
    write(position, to: &output)
    if let monitored = trace.monitored { write(monitored, at: position.coordinate, to: &output) }
    if hasNear { writeNear(position.coordinate, to: &output) }
    output.append("}")
  }

  /// The last vertices of a path.
  private static func last(_ count: Int, of lines: [[Coordinate]]) -> [[Coordinate]] {
    var left = count
    var kept: [[Coordinate]] = []
    for line in lines.reversed() where left > 0 {
      kept.append(Array(line.suffix(left)))
      left -= line.count
    }
    return kept.reversed()
  }

  /// What has changed, of devices each once and of events each.
  ///
  /// - Parameters:
  ///   - changes: The changes, in order.
  ///   - contents: What there is to see after them.
  ///   - nowMilliseconds: A clock that never goes back.
  ///   - nearFor: Asked of each device that moved whether its near places and circles are wanted.
  /// - Returns: The JSON.
  func changes(
    _ changes: ArraySlice<MapChange>, _ contents: LiveMapState.Contents,
    nowMilliseconds: Int64, nearFor: (String, Coordinate) -> Bool
  ) -> String {
    var order: [String] = []
    var byDevice: [String: [MapChange]] = [:]
    var events: [Event] = []
    for change in changes {
      if case .event(let event) = change { events.append(event) }
      guard let name = change.device else { continue }
      if byDevice[name] == nil { order.append(name) }
      byDevice[name, default: []].append(change)
    }
    var output = OutputBuffer()
    output.append("{\"source\":")
    output.append(json: contents.source)
    output.append(",\"unshown\":")
    output.append(decimal: contents.unshownFixes)
    output.append(",\"ended\":")
    output.append(verbatim: contents.hasEnded ? "true" : "false")
    output.append(",\"devices\":[")
    var isFirst = true
    lookup.ask(nowMilliseconds: nowMilliseconds) { _ in
      for name in order {
        guard let trace = contents.devices[name], let own = byDevice[name] else { continue }
        if !isFirst { output.append(",") }
        isFirst = false
        write(own, of: trace, nearFor, to: &output)
      }
    }
    output.append("],\"events\":[")
    write(events, to: &output)
    output.append("]}")
    return output.text
  }

  private func write(
    _ changes: [MapChange], of trace: DeviceTrace, _ nearFor: (String, Coordinate) -> Bool,
    to output: inout OutputBuffer
  ) {
    output.append("{\"device\":")
    output.append(json: trace.device ?? "")
    write(counts: trace, to: &output)
    var lines: [[Coordinate]] = []
    var joins: Bool?
    var hasMonitored = false
    for change in changes {
      switch change {
      case .position(let position, let isJoined):
        if joins == nil { joins = isJoined }
        if !isJoined || lines.isEmpty { lines.append([]) }
        lines[lines.count - 1].append(position.coordinate)
      case .monitored: hasMonitored = true
      case .event, .source: break
      }
    }
    output.append(verbatim: ",\"joins\":\(joins ?? false),\"lines\":[")
    write(lines, to: &output)
    output.append("]")
    guard let position = trace.position else { return output.append("}") }
    if joins != nil { write(position, to: &output) }
    let isNearWanted = nearFor(trace.device ?? "", position.coordinate)
    if hasMonitored || isNearWanted, let monitored = trace.monitored {
      write(monitored, at: position.coordinate, to: &output)
    }
    if isNearWanted { writeNear(position.coordinate, to: &output) }
    output.append("}")
  }

  // MARK: Parts

  private func write(counts trace: DeviceTrace, to output: inout OutputBuffer) {
    output.append(",\"fixes\":")
    output.append(decimal: trace.fixes)
    output.append(",\"alerts\":")
    output.append(decimal: trace.alerts)
    output.append(",\"suppressed\":")
    output.append(decimal: trace.suppressed)
  }

  private func write(_ lines: [[Coordinate]], to output: inout OutputBuffer) {
    for (index, line) in lines.enumerated() {
      output.append(index > 0 ? ",[" : "[")
      for (number, vertex) in line.enumerated() {
        if number > 0 { output.append(",") }
        output.append(vertex.latitudeDegrees, decimals: 6)
        output.append(",")
        output.append(vertex.longitudeDegrees, decimals: 6)
      }
      output.append("]")
    }
  }

  private func write(_ coordinate: Coordinate, to output: inout OutputBuffer) {
    output.append("\"lat\":")
    output.append(coordinate.latitudeDegrees, decimals: 7)
    output.append(",\"lon\":")
    output.append(coordinate.longitudeDegrees, decimals: 7)
  }

  private func write(_ position: LivePosition, to output: inout OutputBuffer) {
    output.append(",\"position\":{")
    write(position.coordinate, to: &output)
    output.append(",\"time\":")
    if let time = position.timeMilliseconds {
      output.append("\"")
      output.append(instant: time)
      output.append("\"")
    } else {
      output.append("null")
    }
    output.append(",\"accuracy\":")
    output.append(Double(position.accuracyMeters), decimals: 1)
    output.append(",\"speed\":")
    output.append(Double(position.speedMetersPerSecond), decimals: 2)
    output.append(",\"course\":")
    output.append(Double(position.courseDegrees), decimals: 1)
    output.append("}")
  }

  private func write(
    _ monitored: LiveMonitored, at coordinate: Coordinate, to output: inout OutputBuffer
  ) {
    var members = monitored.members
    if members.count > Self.mostMonitored {
      members.sort {
        Geodesic.distanceMeters($0.region.circle.center.coordinate, coordinate)
          < Geodesic.distanceMeters($1.region.circle.center.coordinate, coordinate)
      }
      members.removeLast(members.count - Self.mostMonitored)
    }
    output.append(",\"monitoredCount\":")
    output.append(decimal: monitored.members.count)
    output.append(",\"monitored\":[")
    for (index, member) in members.enumerated() {
      if index > 0 { output.append(",") }
      let place = lookup.place(of: member.region)
      output.append("{\"place\":")
      output.append(json: place?.id ?? "")
      output.append(",\"title\":")
      output.append(json: place?.title ?? "")
      output.append(",")
      write(member.region.circle.center.coordinate, to: &output)
      output.append(",\"radius\":")
      output.append(member.region.circle.radiusMeters, decimals: 1)
      output.append(verbatim: ",\"inside\":\(member.isInside)}")
    }
    output.append("]")
  }

  private func writeNear(_ coordinate: Coordinate, to output: inout OutputBuffer) {
    guard let near = lookup.near(coordinate, count: Self.nearCount) else { return }
    output.append(",\"near\":[")
    for (index, place) in near.enumerated() {
      output.append(index > 0 ? ",{\"place\":" : "{\"place\":")
      output.append(json: place.id)
      output.append(",\"title\":")
      output.append(json: place.title)
      output.append(",\"category\":")
      output.append(json: place.category)
      output.append(",")
      write(place.coordinate, to: &output)
      output.append(",\"radius\":")
      output.append(place.radiusMeters, decimals: 1)
      output.append("}")
    }
    output.append("]")
  }

  private func write(_ events: [Event], to output: inout OutputBuffer) {
    for (index, event) in events.enumerated() {
      output.append(index > 0 ? ",{\"event\":" : "{\"event\":")
      output.append(jsonObject: event)
      if case .suppressed(_, let reason) = event {
        output.append(",\"why\":")
        output.append(json: words.sentence(reason))
      }
      output.append("}")
    }
  }
}
