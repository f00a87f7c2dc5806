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
    var output = OutputFile()
    switch account.chosenFormat {
    case .text:
      for line in statistics.sentences { output.buffer.append(verbatim: line + "\n") }
    case .ndjson: output.buffer.append(jsonObject: statistics)
    }
    try output.finish()
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
}

extension OutputBuffer {
  fileprivate mutating func append(jsonObject statistics: StoreStatistics) {
    append("{\"type\":\"stats\",\"places\":")
    append(decimal: statistics.count)
    append(",\"positions\":")
    append(decimal: statistics.distinctPositions)
    append(",\"radius\":")
    append(json: statistics.radiiMeters)
    append(",\"box\":")
    if let box = statistics.box {
      append("[")
      for (index, degrees) in [
        box.westDegrees, box.southDegrees, box.eastDegrees, box.northDegrees,
      ].enumerated() {
        if index > 0 { append(",") }
        append(exactly: degrees)
      }
      append("]")
    } else {
      append("null")
    }
    append(",\"twentiethNeighbor\":")
    append(json: statistics.twentiethNeighborMeters)
    append(",\"mostOverlapping\":")
    append(decimal: statistics.mostOverlapping)
    append(",\"sampled\":")
    append(decimal: statistics.sampledPlaces)
    append(",\"bytes\":")
    append(decimal: statistics.fileBytes)
    append("}\n")
  }

  /// Appends a distribution of metres, or `null`.
  private mutating func append(json distribution: StoreStatistics.Distribution?) {
    guard let distribution else { return append("null") }
    append("{\"least\":")
    append(distribution.least, decimals: 1)
    append(",\"tenth\":")
    append(distribution.tenth, decimals: 1)
    append(",\"median\":")
    append(distribution.median, decimals: 1)
    append(",\"ninetieth\":")
    append(distribution.ninetieth, decimals: 1)
    append(",\"greatest\":")
    append(distribution.greatest, decimals: 1)
    append("}")
  }
}
