package import FencepostAnalysis

/// About how much an analysis writes if it writes the verdict on every story and track.
package struct VerdictVolume: Sendable {
  /// Fewer lines need no warning; these are about a gigabyte.
  private static let mostLines = 10_000_000
  /// What a line about a story that was never crossed has besides the names of track and story.
  private static let frameBytes = 75

  /// The number of lines; of each track where the number of tracks is unknown.
  package let lines: Int
  /// About how many bytes they have.
  package let bytes: Int
  private let storyCount: Int
  private let trackCount: Int?

  /// Estimates the verdicts of an analysis.
  ///
  /// - Parameters:
  ///   - stories: The stories.
  ///   - tracks: The names of the tracks; nil if they come as a stream.
  package init(stories: [Story], tracks: [String]?) {
    storyCount = stories.count
    trackCount = tracks?.count
    let count = tracks?.count ?? 1
    let storyBytes = stories.reduce(0) { $0 + $1.id.utf8.count }
    let trackBytes = (tracks ?? []).reduce(0) { $0 + $1.utf8.count }
    let product = stories.count.multipliedReportingOverflow(by: count)
    lines = product.overflow ? .max : product.partialValue
    // In floating point, because the product need not fit.
    let total =
      Double(stories.count) * Double(count * Self.frameBytes + trackBytes)
      + Double(storyBytes) * Double(count)
    bytes = Int(exactly: total.rounded()) ?? .max
  }

  /// The warning, without a full stop; nil if the output is of ordinary size.
  package var warning: String? {
    // A stream seldom has fewer than ten tracks.
    guard trackCount == nil ? lines > Self.mostLines / 10 - 1 : lines > Self.mostLines else {
      return nil
    }
    let stories = ReportNumber.counted(storyCount, "story", "stories")
    let volume = "\(Self.rough(lines)) lines (\(size))"
    let what =
      trackCount.map {
        "\(volume), one for each of \(stories) and \(ReportNumber.counted($0, "walk"))"
      } ?? "\(volume) for each walk, one for each of \(stories)"
    return "--verdicts all writes about \(what). To write only stories that a walk entered: "
      + "--verdicts crossed"
  }

  private var size: String {
    bytes < 1_000_000_000
      ? "\(bytes / 1_000_000) MB" : "\(Self.rough(bytes / 1_000_000_000)) GB"
  }

  /// A count in words that can be read at once: 300 million.
  private static func rough(_ count: Int) -> String {
    count < 1_000_000
      ? ReportNumber.count(count) : "\(ReportNumber.count(count / 1_000_000)) million"
  }
}
