package import FencepostTracks
import FencepostFiles
import FencepostFixes
import FencepostFormats

/// Why a track could not be analysed.
package struct TrackFailure: Error, Sendable, CustomStringConvertible {
  /// What went wrong.
  package enum Kind: Sendable {
    /// The file could not be read to its end.
    case fixes(FixSourceError)
    /// The store did not answer.
    case store(String)
    /// The file has no accepted fix; the rejected ones are counted by reason.
    case empty(rejected: [String: Int])
    /// Whoever sent it has not all of it: a sentence without a full stop.
    case unread(String)
    /// None of the fixes is in the period or box of the analysis; the track itself is in order.
    case outside(fixes: Int)
  }

  /// The track's file, as messages show it.
  package var path: String
  /// What went wrong.
  package var kind: Kind

  /// Makes a failure of its parts.
  package init(path: String, kind: Kind) {
    self.path = path.shownFileName
    self.kind = kind
  }

  /// Whether the track is in order, and only not in the period or box of the analysis.
  package var isOutside: Bool {
    if case .outside = kind { true } else { false }
  }

  /// One sentence that begins with the file, without a full stop.
  package var description: String {
    switch kind {
    case .fixes(let error): "\(error)"
    case .store(let sentence), .unread(let sentence): "\(path): \(sentence)"
    case .empty(let rejected):
      "\(path): no fixes" + (rejected.isEmpty ? "" : "; refused: \(rejected.list { $0.grouped })")
    case .outside(let fixes):
      "\(path): no fix in the period and box (0 of \(fixes.grouped))"
    }
  }
}

extension [String: Int] {
  /// Counts by name, the greatest first: `late 3599, void 12`.
  package func list(_ text: (Int) -> String) -> String {
    sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "\($0.key) \(text($0.value))" }.joined(separator: ", ")
  }
}

extension Int {
  /// The number with a thin space between thousands: `144 563`.
  package var grouped: String {
    let digits = String(magnitude)
    var text = self < 0 ? "-" : ""
    for (offset, digit) in digits.enumerated() {
      if offset > 0, (digits.count - offset) % 3 == 0 { text += "\u{202F}" }
      text.append(digit)
    }
    return text
  }
}
