package import FencepostAnalysis
import FencepostSession
package import Foundation
package import FencepostGeodesy
package import FencepostMonitoring
import FencepostPlaces
import ProjGeodesics
import TestSupport

/// Invented places about a town and a walk among them, and what PROJ alone says of both.
package struct AnalysisScene {
  package var places: [Place]
  package let path: [Coordinate]

  /// Makes a scene of a seed.
  package init(seed: UInt64, around center: Coordinate, placeCount: Int = 40, fixCount: Int = 60) {
    var random = SplitMix64(seed: seed)
    func near(_ reach: Double) -> Coordinate {
      Geodesic.direct(
        from: center, azimuthDegrees: .random(in: -180...180, using: &random),
        distanceMeters: reach * Double.random(in: 0...1, using: &random).squareRoot())
    }
    places = (0..<placeCount).map { index in
      Place(
        key: Int64(index + 1), id: "place-\(100 + index)", coordinate: near(1500),
        radiusMeters: .random(in: 40...260, using: &random))
    }
    var path = [near(900)]
    var azimuth = Double.random(in: -180...180, using: &random)
    for _ in 1..<fixCount {
      azimuth += .random(in: -50...50, using: &random)
      // Back towards the town where the walk would leave it.
      let last = path[path.count - 1]
      if Geodesic.distanceMeters(last, center) > 1400 {
        azimuth = Geodesic.inverse(from: last, to: center).startAzimuthDegrees
      }
      path.append(
        Geodesic.direct(
          from: last, azimuthDegrees: azimuth,
          distanceMeters: .random(in: 20...180, using: &random)))
    }
    self.path = path
  }

  /// Writes the walk as a CSV track, a fix a minute or without times, and returns its path.
  package func write(to folder: URL, named name: String, isTimed: Bool = true) throws -> String {
    let file = folder.appendingPathComponent(name)
    var text = "time,lat,lon\n"
    for (minute, fix) in path.enumerated() {
      let hour = 9 + minute / 60
      let time =
        !isTimed
        ? ""
        : "2026-03-04T\(hour < 10 ? "0" : "")\(hour):\(minute % 60 < 10 ? "0" : "")\(minute % 60):00Z"
      text += "\(time),\(fix.latitudeDegrees),\(fix.longitudeDegrees)\n"
    }
    try text.write(to: file, atomically: true, encoding: .utf8)
    return file.path
  }

  // MARK: By PROJ alone

  private func distance(_ a: Coordinate, _ b: Coordinate) -> Double {
    Proj.distanceMeters(a, b)
  }

  private func point(_ step: Int, _ along: Double) -> Coordinate {
    let azimuth = Proj.course(path[step - 1], path[step]).startAzimuth
    return Proj.point(from: path[step - 1], azimuth: azimuth, meters: along)
  }

  /// How near the path comes to a place: every segment searched from a hundred points on.
  package func nearestMeters(to place: Place) -> Double {
    var least = distance(path[0], place.coordinate)
    for step in 1..<path.count {
      let length = distance(path[step - 1], path[step])
      func at(_ along: Double) -> Double { distance(point(step, along), place.coordinate) }
      let tried = (0...20).map { Double($0) / 20 * length }
      guard let best = tried.min(by: { at($0) < at($1) }) else { continue }
      var low = max(0, best - length / 20)
      var high = min(length, best + length / 20)
      for _ in 0..<40 {
        let (left, right) = (low + (high - low) / 3, high - (high - low) / 3)
        if at(left) < at(right) { high = right } else { low = left }
      }
      least = min(least, at((low + high) / 2))
    }
    return least
  }

  /// The way along a segment at which the edge of a circle is met, in order.
  private func edges(_ step: Int, _ place: Place) -> [Double] {
    let length = distance(path[step - 1], path[step])
    var found: [Double] = []
    func outside(_ along: Double) -> Double {
      distance(point(step, along), place.coordinate) - place.radiusMeters
    }
    var open = [(0.0, outside(0), length, outside(length))]
    while let (low, atLow, high, atHigh) = open.popLast() {
      let differs = (atLow <= 0) != (atHigh <= 0)
      if !differs && abs(atLow) + abs(atHigh) > high - low { continue }
      if high - low < 1e-4 {
        if differs { found.append((low + high) / 2) }
        continue
      }
      let middle = (low + high) / 2
      open.append((low, atLow, middle, outside(middle)))
      open.append((middle, outside(middle), high, atHigh))
    }
    return found.sorted()
  }

  /// One entry, and what a phone with so many regions would know of it.
  package struct Entry: Equatable, CustomStringConvertible {
    package var fix: Int
    package var place: String
    package var cause: EntryRecord.Cause
    package var rankAtRefresh: Int?

    package init(fix: Int, place: String, cause: EntryRecord.Cause, rankAtRefresh: Int?) {
      self.fix = fix
      self.place = place
      self.cause = cause
      self.rankAtRefresh = rankAtRefresh
    }

    package var description: String { "\(place) at \(fix): \(cause) \(rankAtRefresh ?? 0)" }
  }

  /// Every entry of the path, by the rule as it is written down: cross, then refresh.
  package func entries(limit: Int, significantChange: Double) -> [Entry] {
    var entries: [Entry] = []
    var open: [Int: Int] = [:]
    var inside = places.map { distance(path[0], $0.coordinate) <= $0.radiusMeters }
    var anchor = path[0]
    var ranked = ranking(at: anchor)
    for fix in 1..<path.count {
      var met: [(along: Double, place: Int)] = []
      for place in places.indices {
        met += edges(fix, places[place]).map { ($0, place) }
      }
      for (_, place) in met.sorted(by: {
        ($0.along, places[$0.place].id) < ($1.along, places[$1.place].id)
      }) {
        inside[place].toggle()
        guard inside[place] else {
          open[place] = nil
          continue
        }
        let rank = (ranked.firstIndex(of: place) ?? 0) + 1
        let isMonitored = rank <= limit
        open[place] = entries.count
        entries.append(
          Entry(
            fix: fix, place: places[place].id, cause: isMonitored ? .found : .missed,
            rankAtRefresh: isMonitored ? nil : rank))
      }
      guard distance(anchor, path[fix]) >= significantChange else { continue }
      anchor = path[fix]
      ranked = ranking(at: anchor)
      for place in ranked.prefix(limit) where inside[place] {
        if let entry = open[place], entries[entry].cause == .missed { entries[entry].cause = .late }
      }
    }
    return entries
  }

  private func ranking(at here: Coordinate) -> [Int] {
    places.indices.sorted {
      (distance(here, places[$0].coordinate), places[$0].id)
        < (distance(here, places[$1].coordinate), places[$1].id)
    }
  }
}

/// A source that looks at every place, for sessions over invented places.
package final class SceneSource: PlaceSource {
  private let places: [Place]
  package var lastFailure: String?

  package init(_ places: [Place]) { self.places = places }

  package var placeCount: Int { places.count }

  package func place(forKey key: Int64) -> Place? { places.first { $0.key == key } }

  package func answer(_ request: CandidateRequest) -> CandidateAnswer {
    let measured = places.map { place in
      (place, Proj.distanceMeters(request.coordinate, place.coordinate))
    }
    switch request.question {
    case .containing:
      return .found(measured.filter { $0.1 <= $0.0.radiusMeters }.map { region($0.0) })
    case .edges:
      // More than was asked for is allowed.
      return .found(places.map(region))
    case .nearest(let count, .center):
      return .found(nearest(measured, count))
    case .nearest(let count, .edge):
      return .found(nearest(measured.map { ($0.0, abs($0.1 - $0.0.radiusMeters)) }, count))
    }
  }

  private func nearest(_ measured: [(Place, Double)], _ count: Int) -> [Region] {
    measured.sorted { ($0.1, $0.0.id) < ($1.1, $1.0.id) }.prefix(count).map { region($0.0) }
  }

  private func region(_ place: Place) -> Region {
    Region(
      key: place.key, circle: Circle(center: place.coordinate, radiusMeters: place.radiusMeters))
  }
}
