package import FencepostTracks
import FencepostFiles
import FencepostFixes
import FencepostFormats

/// Why a track could not be analyzed.
///
/// The others are analyzed all the same.
package struct TrackFailure: Error, Sendable, CustomStringConvertible {
  /// What is wrong with the track, the store, or the choice of fixes.
  ///
  /// Commands skip such a track and go on, and name it in a warning.
  package enum Kind: Sendable {
    /// The file could not be read to its end.
    case fixes(FixSourceError)
    /// The store did not answer a lookup, with its message.
    case store(String)
    /// The file has no accepted fixes; rejected ones are counted by reason.
    case empty(rejected: [String: Int], notices: [String] = [])
    /// The sender could not deliver the whole track, with a message without a final period.
    case unread(String)
    /// The track is valid, but has no fixes in the period and box of the analysis.
    case outside(fixes: Int)
  }

  /// The track's file, as messages show it.
  package var path: String
  /// What went wrong.
  package var kind: Kind

  /// Creates a failure; the path may hold bytes that are no text.
  package init(path: String, kind: Kind) {
    self.path = path.shownFileName
    self.kind = kind
  }

  /// Whether the track is fine and only has nothing in the period and box; not an error to stop
  /// for.
  package var isOutside: Bool { if case .outside = kind { true } else { false } }

  /// The message, which names the track, without a final period.
  package var description: String {
    switch kind {
    case .fixes(let error): "\(error)"
    case .store(let sentence), .unread(let sentence): "\(path): \(sentence)"
    case .empty(let rejected, let notices):
      "\(path): no fixes" + (rejected.isEmpty ? "" : "; refused: \(rejected.list { $0.grouped })")
        + (notices.isEmpty ? "" : ": " + notices.joined(separator: "; "))
    case .outside(let fixes): "\(path): no fix in the period and box (0 of \(fixes.grouped))"
    }
  }
}

extension [String: Int] {
  /// Formats counts by name, largest first: `late 3599, void 12`.
  package func list(_ text: (Int) -> String) -> String {
    sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "\($0.key) \(text($0.value))" }.joined(separator: ", ")
  }
}

extension Int {
  /// The number with thin spaces between thousands: `144 563`.
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
