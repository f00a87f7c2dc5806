import CoreLocation
import FencepostApple
import FencepostFixes
import FencepostTracks
import FencepostGeodesy
import FencepostMonitoring
import FencepostNotifications
import Foundation
import TestSupport
import Testing

/// The process has one simulated phone, so its tests run one after the other.
@Suite("On a simulated phone", .serialized)
enum OnePhone {}

/// Wednesday 2026-03-04T12:00:00Z.
let noon: Int64 = 1_772_625_600_000
let noonDate = Date(timeIntervalSince1970: 1_772_625_600)

func timed(_ identifier: String, at milliseconds: Int64) -> NotificationRequest {
  NotificationRequest(
    identifier: identifier, content: NotificationContent(title: identifier),
    trigger: .at(milliseconds: milliseconds))
}

func fix(
  _ latitude: Double, _ longitude: Double, second: Int64, accuracy: Double = 10
) -> PhoneFix {
  PhoneFix(
    coordinate: Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude),
    timeMilliseconds: noon + second * 1000, accuracyMeters: accuracy)
}

func fix(_ latitude: Double, _ longitude: Double, at date: Date) -> PhoneFix {
  fix(latitude, longitude, second: Int64(date.timeIntervalSince1970) - noon / 1000)
}

/// A point some meters east of (0, 0) and north of it.
func point(east: Double, north: Double = 0) -> Coordinate {
  Coordinate(latitudeDegrees: north / 110_574, longitudeDegrees: east / 111_320)
}

func story(_ id: String, east: Double, north: Double = 0, radius: Double = 100) -> Place {
  Place(
    id: id, title: id.uppercased(), coordinate: point(east: east, north: north),
    radiusMeters: radius)
}

/// A straight road east past stories 400 m apart, and the way back; a fix every five seconds.
func road(kilometers: Int, back: Bool = false) -> (fixes: [PhoneFix], stories: [Place]) {
  let stories = (1...(kilometers * 1000 - 150) / 400).map {
    story("s\($0)", east: Double($0) * 400, north: 20)
  }
  let there = stride(from: 0.0, through: Double(kilometers) * 1000, by: 50).map { $0 }
  let way = there + (back ? there.reversed() : [])
  let fixes = way.enumerated().map { number, east in
    let point = point(east: east)
    return fix(point.latitudeDegrees, point.longitudeDegrees, second: Int64(number) * 5)
  }
  return (fixes, stories)
}

/// The sample stories and tracks of the project.
enum Sample {
  private struct Collection: Decodable {
    struct Feature: Decodable {
      struct Geometry: Decodable { var coordinates: [Double] }
      struct Properties: Decodable {
        var id: String
        var title: String
        var radius: Double?
        var blurb: String?
        var url: String?
        var priority: Int?
      }
      var geometry: Geometry
      var properties: Properties
    }
    var features: [Feature]
  }

  private static func data(_ path: String) throws -> Data {
    try Data(contentsOf: Document.project.appendingPathComponent("Data/\(path)"))
  }

  /// The stories in the order of the file, valid for ever.
  static func stories() throws -> [Place] {
    try JSONDecoder().decode(Collection.self, from: data("stories/philadelphia.geojson")).features
      .map {
        Place(
          id: $0.properties.id, title: $0.properties.title, blurb: $0.properties.blurb ?? "",
          url: $0.properties.url ?? "", priority: $0.properties.priority ?? 0,
          coordinate: Coordinate(
            latitudeDegrees: $0.geometry.coordinates[1],
            longitudeDegrees: $0.geometry.coordinates[0]),
          radiusMeters: $0.properties.radius ?? Place.defaultRadiusMeters)
      }
  }

  /// The fixes of a track that pass the filter.
  static func track(_ name: String) throws -> [PhoneFix] {
    let path = Document.project.appendingPathComponent("Data/tracks/\(name)").path
    var reader = try FixReader(path: path)
    var batch = FixBatch()
    var fixes: [PhoneFix] = []
    while try reader.read(into: &batch) {
      fixes += batch.fixes.compactMap { fix in
        fix.timeMilliseconds.map {
          PhoneFix(coordinate: fix.coordinate, timeMilliseconds: $0, accuracyMeters: 10)
        }
      }
    }
    return fixes
  }

  /// The entries that another program found on a track, with the usual rule: places, with times.
  static func expectedEntries(_ name: String) throws -> [String] {
    struct Line: Decodable {
      var type: String
      var time: String?
      var place: String?
    }
    return try data("expected/\(name)").split(separator: UInt8(ascii: "\n")).compactMap {
      let line = try JSONDecoder().decode(Line.self, from: Data($0))
      guard line.type == "enter", let place = line.place, let time = line.time else { return nil }
      return "\(place) \(time)"
    }
  }
}

extension SimulatedDevice {
  /// Carries the phone along a track.
  func follow(_ fixes: [PhoneFix]) {
    for fix in fixes {
      move(
        to: CLLocationCoordinate2D(
          latitude: fix.latitudeDegrees, longitude: fix.longitudeDegrees),
        at: Date(timeIntervalSince1970: Double(fix.timeMilliseconds) / 1000))
    }
  }
}
