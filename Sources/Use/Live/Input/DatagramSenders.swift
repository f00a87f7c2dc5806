#if Command
import FencepostFixes
package import FencepostTracks

/// Decides whose datagrams belong to the stream of a port, since anyone can send to it.
///
/// Each sender is judged by itself: its datagrams wait until they, or the newest alone, hold a fix or
/// a receiver's report that it has none. From then on they pass if their format is that of the
/// stream. Another format takes over when the stream has paused for 10 s.
///
/// At most 64 senders are remembered. A new one replaces one that is not followed, or else any: the
/// one that has been silent longest. A sender that was replaced is judged anew when it returns.
///
/// A value without a clock: times are milliseconds of the caller's monotonic clock.
package struct DatagramSenders {
  /// What becomes of the datagrams that have come.
  ///
  /// The caller decodes the datagrams in this order and shows the sentences.
  package struct Answer {
    /// The datagrams that pass, oldest first.
    package var datagrams: [[UInt8]] = []
    /// The format of the datagrams that pass from now on, if it is another one.
    package var format: TrackFormat?
    /// What to tell the user.
    package var sentences: [String] = []
  }

  /// What is known of one sender, until another needs its place.
  private struct Sender {
    var isFollowed = false
    var isSaid = false
    /// What waits, and when the first of it came.
    var waiting: [[UInt8]] = []
    var since: Int64
    var heardMilliseconds: Int64
  }

  /// How long the followed format must be silent before another one may take its place.
  ///
  /// Datagrams of a sender that is not followed are reported after as long.
  private static var pauseMilliseconds: Int64 { 10_000 }
  /// The most datagrams to keep of a sender whose format is not yet known.
  private static var mostWaiting: Int { 8 }
  /// The most senders to remember, so that invented addresses take no memory.
  private static var mostSenders: Int { 64 }
  /// How much of an unknown datagram a message quotes.
  private static var quotedBytes: Int { 40 }

  private var senders: [String: Sender] = [:]
  private var format: TrackFormat?
  private var passedMilliseconds: Int64 = 0
  /// Whether senders were replaced, as was said.
  private var isFull = false

  /// Follows no sender yet.
  package init() {}

  /// Takes a datagram from a sender, which is named by its address.
  ///
  /// - Parameters:
  ///   - datagram: The bytes, not empty.
  ///   - name: The sender's address.
  ///   - now: When the datagram arrived, in milliseconds of a monotonic clock.
  /// - Returns: The datagrams that pass now, which may be several or none.
  package mutating func take(_ datagram: [UInt8], from name: String, now: Int64) -> Answer {
    var sender = senders[name] ?? Sender(since: now, heardMilliseconds: now)
    sender.heardMilliseconds = now
    if sender.isFollowed {
      passedMilliseconds = now
      senders[name] = sender
      return Answer(datagrams: [datagram])
    }
    sender.waiting.append(datagram)
    // The first may be a table's header.
    if sender.waiting.count > Self.mostWaiting { sender.waiting.remove(at: 1) }
    var answer = Answer()
    let all = sender.waiting
    for part in [all[...], all.suffix(1)] {
      guard let found = Self.format(of: part) else { continue }
      guard format == nil || isStream(found) || now - passedMilliseconds > Self.pauseMilliseconds
      else {
        leaveOut(
          &sender, name, because: "they are \(found.name), not \(format?.name ?? "")", &answer)
        break
      }
      if !isStream(found) {
        answer.format = found
        for other in senders.keys { senders[other]?.isFollowed = false }
      }
      sender.waiting.removeLast(part.count)
      if !sender.waiting.isEmpty { leaveOut(&sender, name, because: Self.noPosition, &answer) }
      sender = Sender(isFollowed: true, since: now, heardMilliseconds: now)
      (format, passedMilliseconds, answer.datagrams) = (found, now, Array(part))
      break
    }
    if senders[name] == nil { makeRoom(&answer) }
    senders[name] = sender
    return answer
  }

  /// Forgets a sender if there are too many, because anyone can send in the name of many.
  private mutating func makeRoom(_ answer: inout Answer) {
    guard senders.count >= Self.mostSenders else { return }
    let replaced = senders.min { first, second in
      if first.value.isFollowed != second.value.isFollowed { return second.value.isFollowed }
      let (one, other) = (first.value.heardMilliseconds, second.value.heardMilliseconds)
      return one != other ? one < other : first.key < second.key
    }
    if let replaced { senders[replaced.key] = nil }
    guard !isFull else { return }
    isFull = true
    answer.sentences.append(
      "more than \(Self.mostSenders) senders; each new one replaces the one that has been silent "
        + "longest")
  }

  private static let noPosition = "they hold no position"

  /// When a sender is to be reported whose datagrams have waited for long; nil for none.
  package var dueMilliseconds: Int64? {
    senders.values.filter { !$0.isSaid && !$0.waiting.isEmpty }.map(\.since).min()
      .map { $0 + Self.pauseMilliseconds }
  }

  /// Reports the senders whose datagrams have waited for long.
  package mutating func overdue(now: Int64) -> [String] {
    var answer = Answer()
    for name in senders.keys.sorted() {
      guard var sender = senders[name], !sender.isSaid, !sender.waiting.isEmpty,
        sender.since + Self.pauseMilliseconds <= now
      else { continue }
      leaveOut(&sender, name, because: Self.noPosition, &answer)
      senders[name] = sender
    }
    return answer.sentences
  }

  private func leaveOut(
    _ sender: inout Sender, _ name: String, because reason: String, _ answer: inout Answer
  ) {
    guard !sender.isSaid, let first = sender.waiting.first else { return }
    sender.isSaid = true
    let line = first.prefix(Self.quotedBytes).map { 0x20..<0x7F ~= $0 ? $0 : UInt8(ascii: "?") }
    answer.sentences.append(
      "left out datagrams of \(name), because \(reason): “\(String(decoding: line, as: UTF8.self))”"
    )
  }

  /// Whether the decoder of the stream reads a format.
  private func isStream(_ other: TrackFormat) -> Bool {
    format.map { $0.sharesDecoder(with: other) } ?? false
  }

  /// The format of datagrams that hold a fix, or a receiver's report that it has none.
  private static func format(of datagrams: ArraySlice<[UInt8]>) -> TrackFormat? {
    var decoder = TrackDecoder()
    var joiner = DatagramJoiner()
    var batch = FixBatch()
    do throws(DecodeError) {
      for datagram in datagrams {
        let bytes = joiner.take(datagram)
        // Whatever it expands to cannot be a receiver's.
        guard decoder.pieceCount(of: bytes.span) == bytes.count else { return nil }
        try decoder.decode(bytes.span, into: &batch)
      }
      try decoder.decode(joiner.end().span, into: &batch)
      // An epoch is complete only at its end.
      try decoder.finish(into: &batch)
    } catch {
      // A document may go on.
    }
    guard let format = decoder.format else { return nil }
    let makesSense =
      !batch.fixes.isEmpty
      || format.isReceivers && batch.rejections.contains { $0.reason == .void }
    return makesSense ? format : nil
  }
}
#endif
