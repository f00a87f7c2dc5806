import FencepostFormats

/// The dates of sentences that could not be read.
struct UnreadDates: Sendable {
  private static var quotedBytes: Int { 20 }

  private var count = 0
  private var first = ""

  mutating func add(_ text: Span<UInt8>, line: Int) {
    guard !text.isEmpty else { return }
    count += 1
    guard count == 1 else { return }
    let shown = String(utf8: text.extracting(first: min(text.count, Self.quotedBytes)))
    first = "line \(line): “\(shown)”"
  }

  /// A sentence about a source whose fixes have dates.
  var sentence: String? {
    guard count > 0 else { return nil }
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

/// The sentences of a source by name, for a source without positions.
struct SentenceCounts: Sendable {
  private static var mostNames: Int { 8 }

  private(set) var total = 0
  private var names: [String] = []

  /// Adds a sentence without its `$` or `!`, unless it is noise.
  mutating func add(_ text: Span<UInt8>) {
    guard NMEADecoder.hasAddress(text), let comma = text.firstIndex(of: UInt8(ascii: ",")) else {
      return
    }
    total += 1
    let name = String(utf8: text.extracting(first: comma))
    guard names.count <= Self.mostNames, !names.contains(name) else { return }
    names.append(name)
  }

  /// What there is instead of positions: `13 sentences, none with a position that Fencepost reads: GPGSV`.
  var sentence: String {
    let sentences = total == 1 ? "1 sentence" : "\(total) sentences"
    let shown = names.prefix(Self.mostNames).joined(separator: ", ")
    return "\(sentences), none with a position that Fencepost reads: \(shown)"
      + (names.count > Self.mostNames ? " and others" : "")
  }
}
