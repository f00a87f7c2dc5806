#if Command
import FencepostAnalysis
import FencepostGeodesy
import FencepostReporting

/// The spots where more circles overlap than can be watched, named by their stories.
///
/// There no rule can watch every circle, so something may be lost whatever the setting.
struct PageSpots {
  /// The most spots to write, those with the most circles first.
  private static let mostSpots = 500
  /// The most stories that name a spot.
  private static let mostNames = 3
  /// A spot lies, except for rounding, on the edge of the circle that was entered last.
  private static let toleranceMeters = 0.5

  /// A spot with what names it.
  private struct Spot {
    var spot: CrowdedSpot
    /// The stories there, nearest first.
    var stories: [Int]
  }

  private let spots: [Spot]
  private let stories: [Story]

  /// Finds the stories whose circles contain each spot.
  ///
  /// - Complexity: O(s · n) for s spots and n stories that were crossed.
  init(_ totals: AnalysisTotals, _ stories: [Story]) {
    self.stories = stories
    let crossed = totals.stories.crossedStories
    spots = totals.orderedSpots.prefix(Self.mostSpots).map { spot in
      let near = crossed.compactMap { story -> (meters: Double, story: Int)? in
        let place = stories[story]
        let reach = place.radiusMeters + Self.toleranceMeters
        // A degree of latitude has at least 110,574 m.
        let gap = abs(place.coordinate.latitudeDegrees - spot.coordinate.latitudeDegrees)
        guard gap * 110_574 <= reach else { return nil }
        let meters = Geodesic.distanceMeters(place.coordinate, spot.coordinate)
        return meters <= reach ? (meters, story) : nil
      }
      return Spot(
        spot: spot,
        stories: near.sorted { ($0.meters, $0.story) < ($1.meters, $1.story) }.map(\.story))
    }
  }

  /// Appends the member `spots`: latitude, longitude, circles, tracks and nearest stories of each.
  func write(to output: inout OutputBuffer) {
    output.array("spots", spots) { output, item in
      output.append("[")
      output.append(item.spot.coordinate.latitudeDegrees, decimals: 6)
      output.append(",")
      output.append(item.spot.coordinate.longitudeDegrees, decimals: 6)
      output.append(verbatim: ",\(item.spot.circles),\(item.spot.tracks),")
      output.appendArray(item.stories.prefix(Self.mostNames)) { $0.append(decimal: $1) }
      output.append("]")
    }
  }

  /// Appends an item for each spot, with the address that shows it on the page.
  func writeList(to output: inout OutputBuffer, most: Int) {
    for (number, item) in spots.prefix(most).enumerated() {
      let names = item.stories.prefix(Self.mostNames).map { stories[$0].pageName }
      let others = item.spot.circles - names.count
      let place = names.isEmpty ? "Spot \(number + 1)" : names.joined(separator: ", ")
      let circles = ReportNumber.counted(item.spot.circles, "circle")
      let walks = ReportNumber.counted(item.spot.tracks, "walk")
      output.append(
        html: """
          <li><a href="#spot=\(String(number))"><bdi>\(place)</bdi></a>\
          \(others > 0 && !names.isEmpty ? " and \(ReportNumber.count(others)) more" : ""): \
          \(circles), \(walks)</li>
          """)
    }
  }

  /// The number of spots that are written.
  var count: Int { spots.count }
}

extension Story {
  /// The title, or the ID of a story without one.
  var pageName: String { title.isEmpty ? id : title }
}
#endif
