import ArgumentParser
import FencepostGeodesy
import FencepostPlaces
import FencepostReporting

/// Counts and measures a store's places.
struct PlacesStatsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats",
    abstract: "Count and measure the places of a store.",
    discussion: """
      Says how many places there are, how large their circles are, and how dense they lie: how \
      far the 20th nearest other place is, which is how far a phone with 20 regions sees, and how \
      many circles overlap at the fullest.

      Example:
        fencepost places stats --store stories.sqlite --format text
      """)

  @OptionGroup var store: StoreArguments
  @OptionGroup var account: AccountArguments

  func run() async throws {
    let statistics = try PlaceStore(path: store.store).statistics()
    try account.write(statistics.sentences) { statistics.write(to: &$0) }
  }
}

extension StoreStatistics {
  /// The figures in sentences for people.
  fileprivate var sentences: [String] {
    var sentences = [
      "\(count) \(count == 1 ? "place" : "places") at \(distinctPositions) "
        + "\(distinctPositions == 1 ? "position" : "different positions"), \(fileBytes) bytes"
    ]
    if let box {
      let (west, south) = (Self.degrees(box.westDegrees), Self.degrees(box.southDegrees))
      let (east, north) = (Self.degrees(box.eastDegrees), Self.degrees(box.northDegrees))
      sentences.append("between \(south) and \(north) latitude, \(west) and \(east) longitude")
    }
    if let radiiMeters {
      sentences.append("radius: \(Self.meters(radiiMeters))")
    }
    if let twentiethNeighborMeters {
      sentences.append("20th nearest other place: \(Self.meters(twentiethNeighborMeters))")
    }
    if count > 0 {
      sentences.append(
        mostOverlapping == 1
          ? "no circles overlap at a place, of \(sampledPlaces) looked at"
          : "at most \(mostOverlapping) circles overlap at a place, of \(sampledPlaces) looked at")
    }
    return sentences
  }

  private static func meters(_ distribution: Distribution) -> String {
    let (least, greatest) = (rounded(distribution.least), rounded(distribution.greatest))
    let (tenth, ninetieth) = (rounded(distribution.tenth), rounded(distribution.ninetieth))
    return "median \(rounded(distribution.median)) m, \(least) to \(greatest) m, "
      + "eight in ten \(tenth) to \(ninetieth) m"
  }

  private static func rounded(_ meters: Double) -> String { number(meters, decimals: 1) }
  private static func degrees(_ degrees: Double) -> String { number(degrees, decimals: 5) }

  private static func number(_ value: Double, decimals: Int) -> String {
    var buffer = OutputBuffer(capacity: 64)
    buffer.append(value, decimals: decimals)
    return buffer.text
  }

  /// Writes the figures as members of a JSON object.
  fileprivate func write(to output: inout OutputBuffer) {
    output.member("type", "stats")
    output.member("places", count)
    output.member("positions", distinctPositions)
    output.member("radius", radiiMeters)
    output.key("box")
    if let box {
      output.appendArray([
        box.westDegrees, box.southDegrees, box.eastDegrees, box.northDegrees,
      ]) { $0.append(exactly: $1) }
    } else {
      output.append("null")
    }
    output.member("twentiethNeighbor", twentiethNeighborMeters)
    output.member("mostOverlapping", mostOverlapping)
    output.member("sampled", sampledPlaces)
    output.member("bytes", fileBytes)
  }
}

extension OutputBuffer {
  /// Appends a distribution of metres, or `null`.
  fileprivate mutating func member(
    _ key: StaticString, _ distribution: StoreStatistics.Distribution?
  ) {
    self.key(key)
    guard let distribution else { return append("null") }
    appendObject {
      $0.member("least", distribution.least, decimals: 1)
      $0.member("tenth", distribution.tenth, decimals: 1)
      $0.member("median", distribution.median, decimals: 1)
      $0.member("ninetieth", distribution.ninetieth, decimals: 1)
      $0.member("greatest", distribution.greatest, decimals: 1)
    }
  }
}
