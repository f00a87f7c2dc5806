#if Command
import FencepostFixes
import FencepostTracks

/// Turns the bytes of a live source into records, and knows what a restart needs of them.
///
/// ``TrackInput`` reads a track of one device, and ``DeviceLines`` JSON lines of many.
protocol LiveDecoder {
  /// The format, once recognized; nil for lines of many devices.
  var format: TrackFormat? { get }
  /// Warnings about the whole source; complete after ``finish(into:)``.
  var notices: [String] { get }
  /// Whether a position waits for the rest of its epoch, or for a date.
  var holdsPosition: Bool { get }
  /// Which of several receivers is followed; nil for a single one.
  var receiverSentence: String? { get }
  /// Why fixes are held without a date; nil if none is.
  var undatedReason: String? { get }

  /// How many of the next bytes to feed at a time, so that their fixes fit into memory.
  func pieceCount(of bytes: Span<UInt8>) -> Int

  /// Decodes the next bytes; throws if the rest cannot be decoded, and keeps the records before.
  mutating func feed(
    _ bytes: [UInt8], into records: inout [DeviceRecord]
  ) throws(DecodeError)

  /// Ends the source; throws if it ends too early.
  mutating func finish(into records: inout [DeviceRecord]) throws(DecodeError)

  /// Gives the current epoch's fix early if it looks complete, because the source pauses.
  mutating func flush(into records: inout [DeviceRecord])

  /// Dates the held fixes by a clock, in milliseconds since 1970; false if nothing is held.
  mutating func assumeDate(nowMilliseconds: Int64, into records: inout [DeviceRecord]) -> Bool

  /// Counts bytes of the input that need no decoding.
  mutating func skip(_ count: Int)

  /// Starts over with the next byte, after an error.
  mutating func restart()

  // MARK: The state

  /// The bytes of the input that a restart has to decode again, from the checkpoint's start.
  var openBytes: [UInt8] { get }

  /// Where decoding stands, with the bytes to keep shortened if possible.
  ///
  /// `lastMilliseconds` is the time of the last processed fix.
  mutating func checkpoint(lastMilliseconds: Int64?) -> LiveState.Checkpoint

  /// Whether so many bytes have come since the last checkpoint that another one is due.
  func isLong(since count: Int) -> Bool

  /// Continues at a checkpoint, after the bytes that were decoded before; false if they are damaged.
  mutating func resume(
    _ checkpoint: LiveState.Checkpoint?, start: Int, seen: [UInt8], lastFix: Fix?
  ) -> Bool

  /// The foreign lines that were skipped since the last call.
  mutating func takeForeignLines() -> [DecodeError]
}

/// A decoder whose records are complete when their line is.
extension DeviceLines: LiveDecoder {
  /// How much input may accumulate before the sessions are saved.
  private static var mostUnsavedBytes: Int { 4 << 20 }

  var format: TrackFormat? { nil }
  var notices: [String] { [] }
  var receiverSentence: String? { nil }
  var holdsPosition: Bool { false }
  var undatedReason: String? { nil }

  func pieceCount(of bytes: Span<UInt8>) -> Int { bytes.count }

  mutating func feed(
    _ bytes: [UInt8], into records: inout [DeviceRecord]
  ) throws(DecodeError) {
    feed(bytes.span) { records.append($0) }
  }

  mutating func finish(into records: inout [DeviceRecord]) throws(DecodeError) {
    finish { records.append($0) }
  }

  mutating func flush(into records: inout [DeviceRecord]) {}

  mutating func assumeDate(nowMilliseconds: Int64, into records: inout [DeviceRecord]) -> Bool {
    false
  }

  mutating func restart() {}

  mutating func checkpoint(lastMilliseconds: Int64?) -> LiveState.Checkpoint {
    LiveState.Checkpoint(contextStart: lineStart, position: lineStart, hasDevices: true)
  }

  func isLong(since count: Int) -> Bool { count > Self.mostUnsavedBytes }

  mutating func resume(
    _ checkpoint: LiveState.Checkpoint?, start: Int, seen: [UInt8], lastFix: Fix?
  ) -> Bool {
    skip(start)
    return true
  }

  mutating func takeForeignLines() -> [DecodeError] { [] }
}
#endif
