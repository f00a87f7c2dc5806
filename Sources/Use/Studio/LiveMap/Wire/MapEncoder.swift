#if Command
import FencepostAnalysis
import FencepostSession
import FencepostFixes
import FencepostGeodesy
import FencepostLive
import FencepostMonitoring
import FencepostPlaces
import FencepostReporting

/// Writes the map's contents as JSON: everything, or what has changed.
///
/// For the server's thread only.
final class MapEncoder {
  private let lookup: PlaceLookup
  private let words: SuppressionWords
  private let rule: String
  private let zone: String
  private let units = ShownUnits.current

  /// How many watched circles to write per device, nearest first.
  private static var mostMonitored: Int { 200 }
  /// How many places to write near a device.
  private static var nearCount: Int { 60 }
  /// How many devices get nearby places, those that moved last.
  private static var mostWithNear: Int { 20 }
  /// How many vertices to write for all paths together.
  private static var mostVertices: Int { 20_000 }

  /// Creates an encoder for pages that show times in `zone`.
  init(lookup: PlaceLookup, words: SuppressionWords, rule: String, zone: String) {
    self.lookup = lookup
    self.words = words
    self.rule = rule
    self.zone = zone
  }

  /// Changes with the store, after which nearby places must be looked up again.
  var placesVersion: Int { lookup.version }

  /// Writes everything that a page needs when it opens.
  ///
  /// Devices come in the order of their last change, the newest first. Positions are in degrees,
  /// radii in meters, and ages in seconds.
  func state(_ contents: LiveMapState.Contents, nowMilliseconds: Int64) -> String {
    let latest = contents.devices.values.sorted { $0.lastSequence > $1.lastSequence }
    let share = max(2, Self.mostVertices / max(1, latest.count))
    var output = OutputBuffer(capacity: 64 * 1024)
    output.appendObject { output in
      output.member("rule", rule)
      output.member("zone", zone)
      if units != .metric { output.member("units", units.rawValue) }
      writeStatus(contents, to: &output)
      lookup.ask(nowMilliseconds: nowMilliseconds) { _ in
        if let home = lookup.home {
          write(home, to: &output)
          // Until a device is on the map, it shows the stories that wait there.
          if contents.devices.isEmpty { writeNear(home.center, to: &output) }
        }
        output.array("devices", latest.enumerated()) {
          write(
            $1.element, vertices: share, hasNear: $1.offset < Self.mostWithNear, nowMilliseconds,
            to: &$0)
        }
      }
      write(contents.alerts + contents.suppressed, to: &output)
    }
    return output.text
  }

  /// Writes one device with its whole path, at most so many vertices of it.
  private func write(
    _ trace: DeviceTrace, vertices: Int, hasNear: Bool, _ nowMilliseconds: Int64,
    to output: inout OutputBuffer
  ) {
    output.appendObject {
      writeCounts(of: trace, to: &$0)
      var sketch = trace.sketch
      write(Self.last(vertices, of: sketch.finish()), joins: false, to: &$0)
      guard let position = trace.position else { return }
      write(position, of: trace, nowMilliseconds, to: &$0)
      if let monitored = trace.monitored { write(monitored, at: position.coordinate, to: &$0) }
      if hasNear { writeNear(position.coordinate, to: &$0) }
    }
  }

  /// The end of a path, with at most this many vertices.
  private static func last(_ count: Int, of lines: [[Coordinate]]) -> [[Coordinate]] {
    var left = count
    var kept: [[Coordinate]] = []
    for line in lines.reversed() where left > 0 {
      kept.append(Array(line.suffix(left)))
      left -= line.count
    }
    return kept.reversed()
  }

  /// Writes the changes as JSON, with each device and each event once.
  ///
  /// `nearFor` returns whether to write the circles and nearby places of a device that moved.
  func changes(
    _ changes: ArraySlice<MapChange>, _ contents: LiveMapState.Contents,
    nowMilliseconds: Int64, nearFor: (String, Coordinate) -> Bool
  ) -> String {
    var order: [String] = []
    var byDevice: [String: [MapChange]] = [:]
    var events: [Event] = []
    for change in changes {
      if case .event(let event) = change { events.append(event) }
      guard let name = change.device, contents.devices[name] != nil else { continue }
      if byDevice[name] == nil { order.append(name) }
      byDevice[name, default: []].append(change)
    }
    var output = OutputBuffer()
    output.appendObject { output in
      writeStatus(contents, to: &output)
      lookup.ask(nowMilliseconds: nowMilliseconds) { _ in
        output.array("devices", order) { output, name in
          guard let trace = contents.devices[name], let own = byDevice[name] else { return }
          write(own, of: trace, nowMilliseconds, nearFor, to: &output)
        }
      }
      write(events, to: &output)
    }
    return output.text
  }

  /// Writes what has changed of one device.
  ///
  /// These are pieces of its path, its position, and its circles if others are watched or it has
  /// gone far.
  private func write(
    _ changes: [MapChange], of trace: DeviceTrace, _ nowMilliseconds: Int64,
    _ nearFor: (String, Coordinate) -> Bool, to output: inout OutputBuffer
  ) {
    var lines: [[Coordinate]] = []
    var joins: Bool?
    var hasMonitored = false
    for change in changes {
      switch change {
      case .position(let coordinate, _, let isJoined):
        if joins == nil { joins = isJoined }
        if !isJoined || lines.isEmpty { lines.append([]) }
        lines[lines.count - 1].append(coordinate)
      case .monitored: hasMonitored = true
      case .event, .source: break
      }
    }
    output.appendObject {
      writeCounts(of: trace, to: &$0)
      write(lines, joins: joins ?? false, to: &$0)
      guard let position = trace.position else { return }
      if joins != nil { write(position, of: trace, nowMilliseconds, to: &$0) }
      let isNearWanted = nearFor(trace.device ?? "", position.coordinate)
      if hasMonitored || isNearWanted, let monitored = trace.monitored {
        write(monitored, at: position.coordinate, to: &$0)
      }
      if isNearWanted { writeNear(position.coordinate, to: &$0) }
    }
  }

  // MARK: Parts

  private func write(_ home: HomeView, to output: inout OutputBuffer) {
    output.object("home") {
      $0.member("south", home.south, decimals: 5)
      $0.member("west", home.west, decimals: 5)
      $0.member("north", home.north, decimals: 5)
      $0.member("east", home.east, decimals: 5)
    }
  }

  private func writeStatus(_ contents: LiveMapState.Contents, to output: inout OutputBuffer) {
    output.member("source", contents.source)
    output.member("unshown", contents.unshownFixes)
    output.member("ended", contents.hasEnded)
  }

  private func writeCounts(of trace: DeviceTrace, to output: inout OutputBuffer) {
    output.member("device", trace.device ?? "")
    output.member("fixes", trace.fixes)
    output.member("alerts", trace.alerts)
    output.member("suppressed", trace.suppressed)
  }

  /// Writes pieces of a path; `joins` if the first continues what the page has.
  private func write(_ lines: [[Coordinate]], joins: Bool, to output: inout OutputBuffer) {
    output.member("joins", joins)
    output.array("lines", lines) {
      $0.appendArray($1) {
        $0.append($1.latitudeDegrees, decimals: 6)
        $0.append(",")
        $0.append($1.longitudeDegrees, decimals: 6)
      }
    }
  }

  private func write(_ coordinate: Coordinate, to output: inout OutputBuffer) {
    output.member("lat", coordinate.latitudeDegrees, decimals: 7)
    output.member("lon", coordinate.longitudeDegrees, decimals: 7)
  }

  private func write(
    _ position: Fix, of trace: DeviceTrace, _ nowMilliseconds: Int64, to output: inout OutputBuffer
  ) {
    output.object("position") {
      write(position.coordinate, to: &$0)
      $0.member("time", jsonTime: position.timeMilliseconds)
      // Send an age, so that all pages agree whatever their clocks and whenever they were opened.
      let age = trace.receivedMilliseconds.map { Double(max(0, nowMilliseconds - $0)) / 1000 }
      $0.member("age", age, decimals: 1)
      $0.member("accuracy", Double(position.accuracyMeters), decimals: 1)
      $0.member("speed", Double(position.speedMetersPerSecond), decimals: 2)
      $0.member("course", Double(position.courseDegrees), decimals: 1)
    }
  }

  private func write(
    _ monitored: LiveUpdate.Monitored, at coordinate: Coordinate, to output: inout OutputBuffer
  ) {
    var members = monitored
    if members.count > Self.mostMonitored {
      members.sort {
        Geodesic.distanceMeters($0.region.circle.center.coordinate, coordinate)
          < Geodesic.distanceMeters($1.region.circle.center.coordinate, coordinate)
      }
      members.removeLast(members.count - Self.mostMonitored)
    }
    output.member("monitoredCount", monitored.count)
    output.array("monitored", members) { output, member in
      let place = lookup.place(of: member.region)
      output.appendObject {
        $0.member("place", place?.id ?? "")
        $0.member("title", place?.title ?? "")
        write(member.region.circle.center.coordinate, to: &$0)
        $0.member("radius", member.region.circle.radiusMeters, decimals: 1)
        $0.member("inside", member.isInside)
      }
    }
  }

  private func writeNear(_ coordinate: Coordinate, to output: inout OutputBuffer) {
    guard let near = lookup.near(coordinate, count: Self.nearCount) else { return }
    output.array("near", near) { output, place in
      output.appendObject {
        $0.member("place", place.id)
        $0.member("title", place.title)
        $0.member("category", place.category)
        write(place.coordinate, to: &$0)
        $0.member("radius", place.radiusMeters, decimals: 1)
      }
    }
  }

  private func write(_ events: [Event], to output: inout OutputBuffer) {
    output.array("events", events) { output, event in
      output.appendObject {
        $0.key("event")
        $0.append(jsonObject: event)
        if case .suppressed(_, let reason) = event { $0.member("why", words.sentence(reason)) }
      }
    }
  }
}
#endif
