package import FencepostSession
package import Foundation
package import FencepostGeodesy

/// An enter, exit, dwell or refresh, as a line of expected events or as the product reported it.
package struct EventLine: CustomStringConvertible {
  package var type: String
  package var fix: Int
  package var place: String?
  package var coordinate: Coordinate
  package var timeMilliseconds: Int64?
  package var isAcrossBreak: Bool
  /// When the path met the edge, if the line says so.
  package var crossedMilliseconds: Int64?
  package var counts: [Int]

  /// Reads the lines of an NDJSON file of events, by Foundation's parser and not by ours.
  package static func lines(ofFile url: URL) throws -> [EventLine] {
    let parser = ISO8601DateFormatter()
    parser.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
    func milliseconds(_ value: Any?) -> Int64? {
      (value as? String).flatMap { parser.date(from: $0) }
        .map { Int64(($0.timeIntervalSince1970 * 1000).rounded()) }
    }
    return try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map { line in
      let fields =
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
      return EventLine(
        type: fields["type"] as? String ?? "", fix: fields["fix"] as? Int ?? -1,
        place: fields["place"] as? String,
        coordinate: Coordinate(
          latitudeDegrees: fields["lat"] as? Double ?? .nan,
          longitudeDegrees: fields["lon"] as? Double ?? .nan),
        timeMilliseconds: milliseconds(fields["time"]), isAcrossBreak: fields["across"] != nil,
        crossedMilliseconds: milliseconds(fields["crossed"]),
        counts: ["monitored", "added", "removed"].compactMap { fields[$0] as? Int })
    }
  }

  /// The line of an event; nil for the kinds that the expected files do not have.
  package init?(_ event: Event) {
    switch event {
    case .enter(let encounter): self.init(encounter, type: "enter")
    case .exit(let encounter): self.init(encounter, type: "exit")
    case .dwell(let encounter): self.init(encounter, type: "dwell")
    case .refresh(let refresh):
      self.init(
        type: "refresh", fix: refresh.fix, place: nil, coordinate: refresh.coordinate,
        timeMilliseconds: refresh.timeMilliseconds, isAcrossBreak: false, crossedMilliseconds: nil,
        counts: [refresh.monitored, refresh.added, refresh.removed])
    case .alert, .suppressed, .summary, .reminder: return nil
    }
  }

  private init(_ encounter: Encounter, type: String) {
    self.init(
      type: type, fix: encounter.fix, place: encounter.placeID,
      coordinate: encounter.coordinate, timeMilliseconds: encounter.timeMilliseconds,
      isAcrossBreak: encounter.isAcrossBreak,
      crossedMilliseconds: encounter.crossed?.timeMilliseconds, counts: [])
  }

  private init(
    type: String, fix: Int, place: String?, coordinate: Coordinate, timeMilliseconds: Int64?,
    isAcrossBreak: Bool, crossedMilliseconds: Int64?, counts: [Int]
  ) {
    self.type = type
    self.fix = fix
    self.place = place
    self.coordinate = coordinate
    self.timeMilliseconds = timeMilliseconds
    self.isAcrossBreak = isAcrossBreak
    self.crossedMilliseconds = crossedMilliseconds
    self.counts = counts
  }

  /// Whether both are the same event: positions within 2 cm, times within 5 ms.
  package func agrees(with other: EventLine) -> Bool {
    guard type == other.type, fix == other.fix, place == other.place, counts == other.counts,
      isAcrossBreak == other.isAcrossBreak,
      Geodesic.distanceMeters(coordinate, other.coordinate) < 0.02
    else { return false }
    return Self.agree(timeMilliseconds, other.timeMilliseconds)
      && Self.agree(crossedMilliseconds, other.crossedMilliseconds)
  }

  private static func agree(_ one: Int64?, _ other: Int64?) -> Bool {
    guard let one, let other else { return one == other }
    return abs(one - other) <= 5
  }

  package var description: String {
    "\(type) \(place ?? "") at fix \(fix), \(coordinate.latitudeDegrees), "
      + "\(coordinate.longitudeDegrees), time \(timeMilliseconds.map(String.init) ?? "none")"
  }
}
