#if Command
package import FencepostFixes

/// Finds out that a live source sends nothing that makes sense, or that its receiver has no fix.
///
/// A value without a clock: times are milliseconds of the caller's monotonic clock.
package struct SourceWatch {
  /// How long a source may send nothing that makes sense, and a receiver look for its first fix.
  private static var patienceMilliseconds: Int64 { 10_000 }
  /// How long a receiver may lose its fix, as in a tunnel.
  private static var lossMilliseconds: Int64 { 60_000 }
  private static var quotedBytes: Int { 60 }

  /// What the decoder knows of the input.
  ///
  /// It decides how a silence is explained: an unknown format, or a receiver without reception.
  package struct Input {
    /// Whether a position waits for the rest of its epoch.
    package var holdsPosition: Bool
    /// Whether the format is known.
    package var hasFormat: Bool
    /// What the input has instead of positions, if known.
    package var reason: String?

    /// Tells what a decoder has recognized so far.
    package init(holdsPosition: Bool = false, hasFormat: Bool = false, reason: String? = nil) {
      self.holdsPosition = holdsPosition
      self.hasFormat = hasFormat
      self.reason = reason
    }
  }

  /// When the first byte came of those that made no sense.
  private var senselessSince: Int64?
  private var firstLine: [UInt8] = []
  private var isLineWhole = false
  private var firstFault: Rejection?
  private var hasSense = false
  private var hasHadFix = false
  /// When the receiver first reported no fix since its last one.
  private var voidSince: Int64?
  private var isLossSaid = false
  /// Whether nothing that the source sends makes sense, as was said.
  package private(set) var isSenseless = false

  /// Watches a source from its first byte on.
  package init() {}

  /// Begins a connection, which may be another receiver's.
  package mutating func begin() {
    guard hasSense else { return }
    (hasSense, senselessSince, firstFault) = (false, nil, nil)
    (firstLine, isLineWhole) = ([], false)
  }

  /// Notes bytes before they are decoded.
  package mutating func receive(_ bytes: [UInt8], now: Int64) {
    guard !hasSense, !bytes.isEmpty else { return }
    if senselessSince == nil { senselessSince = now }
    guard !isLineWhole else { return }
    // A line end before the first line says nothing.
    let bytes = firstLine.isEmpty ? bytes.drop { $0 == 0x0A || $0 == 0x0D } : bytes[...]
    let end = bytes.firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.endIndex
    firstLine += bytes[..<end].prefix(Self.quotedBytes)
    isLineWhole = end < bytes.endIndex || firstLine.count >= Self.quotedBytes
  }

  /// Notes what was refused.
  package mutating func note(_ fault: Rejection, now: Int64) {
    if fault.reason == .void, voidSince == nil { voidSince = now }
    if fault.makesSense { hasSense = true } else if firstFault == nil { firstFault = fault }
  }

  /// Notes an accepted or refused position, which shows that the source and its receiver work.
  package mutating func noteFix() {
    hasSense = true
    hasHadFix = true
    voidSince = nil
  }

  private var lossDue: Int64? {
    guard !isLossSaid else { return nil }
    return voidSince.map { $0 + (hasHadFix ? Self.lossMilliseconds : Self.patienceMilliseconds) }
  }

  private var senselessDue: Int64? {
    hasSense || isSenseless ? nil : senselessSince.map { $0 + Self.patienceMilliseconds }
  }

  /// When to ask for ``sentences(now:of:hint:)`` next; nil for no limit.
  package var dueMilliseconds: Int64? { [lossDue, senselessDue].compactMap(\.self).min() }

  /// Whether ``sentences(now:of:hint:)`` may have something to say.
  package func isDue(now: Int64) -> Bool {
    isSenseless || isLossSaid || dueMilliseconds.map { $0 <= now } ?? false
  }

  /// The sentences that are due, each once, and again after the matter has changed.
  ///
  /// `hint` says what the user may try.
  package mutating func sentences(now: Int64, of input: Input, hint: String? = nil) -> [String] {
    var sentences: [String] = []
    if input.holdsPosition { hasSense = true }
    if isSenseless, hasSense {
      isSenseless = false
      sentences.append("what it sends makes sense now")
    } else if let due = senselessDue, now >= due {
      // A table or a list may come slowly.
      isSenseless = !input.hasFormat || firstFault != nil || input.reason != nil
      senselessSince = now
      if isSenseless {
        sentences.append(senselessSentence(input.reason) + (hint.map { ". \($0)" } ?? ""))
      }
    }
    if isLossSaid, voidSince == nil {
      isLossSaid = false
      sentences.append("the receiver has a fix")
    } else if let due = lossDue, now >= due {
      isLossSaid = true
      sentences.append("the receiver has no fix" + (hasHadFix ? "" : " yet"))
    }
    return sentences
  }

  private func senselessSentence(_ reason: String?) -> String {
    let fault = firstFault.map { $0.detail ?? $0.reason.rawValue }
    let reason = reason ?? fault ?? "no known format"
    let seconds = Self.patienceMilliseconds / 1000
    return "nothing that came in \(seconds) s makes sense (\(reason)); it begins with \(quotation)"
  }

  private var quotation: String {
    let printable = firstLine.count { 0x20..<0x7F ~= $0 }
    guard printable * 4 >= firstLine.count * 3, printable > 0 else {
      return "bytes that are not text"
    }
    let shown = firstLine.prefix(Self.quotedBytes).map { 0x20..<0x7F ~= $0 ? $0 : 0x3F }
    return "“\(String(decoding: shown, as: UTF8.self))”"
  }
}
#endif
