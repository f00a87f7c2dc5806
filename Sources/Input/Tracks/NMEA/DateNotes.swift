import FencepostFormats
import FencepostTime

/// The dates of sentences that could not be read, or are in no form of the standard.
///
/// ``NMEADecoder`` makes its notices of them; after a week number rollover, some receivers send
/// such dates.
struct DateNotes: Sendable {
  private static var quotedBytes: Int { 20 }

  /// How many dates could not be read, and where the first is.
  private var count = 0
  private var first = ""
  /// The first date that is not six digits, and how it was read.
  private var unusual: String?

  /// Notes how a date was read.
  mutating func note(_ text: Span<UInt8>, day: Int32) {
    guard text.count != 6, unusual == nil else { return }
    let time = ISO8601.string(milliseconds: Int64(day) * 86_400_000)
    unusual = "the date “\(String(utf8: text))” is read as \(time.prefix(10))"
  }

  /// Counts a date that could not be read; an empty field does not count.
  mutating func add(_ text: Span<UInt8>, line: Int) {
    guard !text.isEmpty else { return }
    count += 1
    guard count == 1 else { return }
    let shown = String(utf8: text.extracting(first: min(text.count, Self.quotedBytes)))
    first = "line \(line): “\(shown)”"
  }

  /// A sentence about a source whose fixes have dates.
  var sentence: String? {
    guard count > 0 else { return unusual }
    let dates = count == 1 ? "1 date" : "\(count) dates"
    return "\(dates) cannot be read (\(first)); the date before counts"
  }

  /// Why fixes wait for a date.
  var liveReason: String {
    count == 0 ? "the source gives no date" : "the source's dates cannot be read (\(first))"
  }

  /// A sentence about a source whose fixes have none.
  var undatedSentence: String {
    let what = count == 0 ? "its sentences give no date" : "its dates cannot be read (\(first))"
    return "\(what), so the fixes have no times; set the date with --date"
  }
}
