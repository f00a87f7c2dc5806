import FencepostGeodesy
import FencepostReporting
import Foundation
import Testing

import FencepostStudio

/// The base map that is part of the program.
@Suite("The base map")
struct BaseMapTests {
  /// From Greenwich to the east, and then to the west.
  private static let world = [
    (-60.0, 0.0), (75, 60), (0, 120), (0, 170), (0, -60), (0, -120),
  ]

  private func area(_ points: [(Double, Double)]) throws -> (json: [String: [[Any]]], bytes: Int) {
    let coordinates = points.map { Coordinate(latitudeDegrees: $0.0, longitudeDegrees: $0.1) }
    var output = OutputBuffer()
    BaseMap(around: coordinates).write(to: &output)
    let bytes = Data(output.text.utf8)
    let json = try JSONSerialization.jsonObject(with: bytes)
    return (try #require(json as? [String: [[Any]]]), bytes.count)
  }

  private func towns(_ points: [(Double, Double)]) throws -> [String] {
    try area(points).json["town"]?.compactMap { $0.last as? String } ?? []
  }

  @Test("An area has its towns, rivers and coast, and not those of others")
  func philadelphia() throws {
    let (json, bytes) = try area([(39.95, -75.16)])
    let names = json["town"]?.compactMap { $0.last as? String } ?? []
    #expect(names.contains("Philadelphia") && !names.contains("Boston"))
    #expect(json["river"]?.isEmpty == false && json["coast"]?.isEmpty == false)
    #expect(bytes < 30_000)
  }

  @Test("Even the whole world stays within 300 KB, with the greatest towns")
  func world() throws {
    let (_, bytes) = try area(Self.world)
    #expect(bytes < 301_000 && bytes > 200_000)
    let names = try towns(Self.world)
    #expect(names.contains("Tokyo") && names.contains("London"))
  }

  @Test("An area across the antimeridian has both sides")
  func antimeridian() throws {
    let names = try towns([(-16.8, 179.9), (-16.7, -179.9)])
    #expect(names.contains("Labasa") || !names.isEmpty)
    #expect(!names.contains("London"))
  }

  @Test("Without positions there is an empty map")
  func nothing() throws {
    #expect(try area([]).json.values.allSatisfy(\.isEmpty))
  }
}
