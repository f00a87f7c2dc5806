package import FencepostAnalysis

package struct VerdictVolume: Sendable {
  /// The number of lines that needs no warning, about a gigabyte.
  private static let mostLines = 10_000_000
  /// The bytes of a line about a story never crossed, without the names of track and story.
  private static let frameBytes = 75

  /// The number of lines, or the number per track if the number of tracks is unknown.
  package let lines: Int
  package let bytes: Int
  private let storyCount: Int
  private let trackCount: Int?

  /// Estimates the verdicts of an analysis; `tracks` is nil for a stream.
  package init(stories: [Story], tracks: [String]?) {
    storyCount = stories.count
    trackCount = tracks?.count
    let count = tracks?.count ?? 1
    let storyBytes = stories.reduce(0) { $0 + $1.id.utf8.count }
    let trackBytes = (tracks ?? []).reduce(0) { $0 + $1.utf8.count }
    let product = stories.count.multipliedReportingOverflow(by: count)
    lines = product.overflow ? .max : product.partialValue
    // In floating point, because the product may overflow.
    let total =
      Double(stories.count) * Double(count * Self.frameBytes + trackBytes)
      + Double(storyBytes) * Double(count)
    bytes = Int(exactly: total.rounded()) ?? .max
  }

  /// The warning without a final period, or nil if the size is ordinary.
  package var warning: String? {
    // A stream seldom has fewer than ten tracks.
    guard trackCount == nil ? lines > Self.mostLines / 10 - 1 : lines > Self.mostLines else {
      return nil
    }
    let stories = ReportNumber.counted(storyCount, "story")
    let size =
      bytes < 1_000_000_000
      ? "\(bytes / 1_000_000) MB" : "\(Self.rough(bytes / 1_000_000_000)) GB"
    let volume = "\(Self.rough(lines)) lines (\(size))"
    let what =
      trackCount.map {
        "\(volume), one for each of \(stories) and \(ReportNumber.counted($0, "walk"))"
      } ?? "\(volume) for each walk, one for each of \(stories)"
    return "--verdicts all writes about \(what). To write only stories that a walk entered: "
      + "--verdicts crossed"
  }

  /// A count that reads at a glance, such as 300 million.
  private static func rough(_ count: Int) -> String {
    count < 1_000_000
      ? ReportNumber.count(count) : "\(ReportNumber.count(count / 1_000_000)) million"
  }
}
