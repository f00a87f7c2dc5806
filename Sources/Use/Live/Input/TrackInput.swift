#if Command
import FencepostFixes
import FencepostTracks
import FoundationEssentials

/// Decodes a track of one device as it arrives, and keeps the bytes from which a restart continues.
///
/// A restart feeds these bytes to a new decoder, whose fixes before the checkpoint are dropped.
final class TrackInput: LiveDecoder {
  private let options: FixStreamOptions
  /// Whether to skip input in an unknown format line by line, rather than throw.
  private let skipsForeignLines: Bool
  /// Whether a state file needs the context.
  private let keepsContext: Bool
  private var decoder: TrackDecoder
  private var context = DecoderContext(start: 0)
  /// How many bytes of the input were fed or skipped.
  private var offset = 0
  /// The time of the last processed fix at the last checkpoint.
  private var lastMilliseconds: Int64?
  private var isInForeignLine = false
  private var foreignLines: [DecodeError] = []
  /// Whether nothing was fed since the decoder was made.
  private var isUntouched = true
  /// Whether an ended source emitted its last epoch's fix before the next epoch began.
  private var wasEpochHandedOn = false

  init(options: FixStreamOptions, skipsForeignLines: Bool, keepsContext: Bool) {
    self.options = options
    self.skipsForeignLines = skipsForeignLines
    self.keepsContext = keepsContext
    decoder = TrackDecoder(options: options)
  }

  var format: TrackFormat? { decoder.format }
  /// The notices of the last complete stream.
  private var lastNotices: [String]?
  var notices: [String] { lastNotices ?? decoder.notices }
  var holdsPosition: Bool { decoder.holdsPosition }
  var receiverSentence: String? { decoder.receiverSentence }
  var undatedReason: String? { decoder.undatedReason }

  func pieceCount(of bytes: Span<UInt8>) -> Int { decoder.pieceCount(of: bytes) }

  // MARK: Decoding

  func feed(
    _ bytes: [UInt8], into records: inout [DeviceRecord]
  ) throws(DecodeError) {
    offset += bytes.count
    var rest = skippingForeignLine(bytes[...])
    if rest.count < bytes.count { context = DecoderContext(start: offset - rest.count) }
    while !rest.isEmpty {
      do throws(DecodeError) {
        return try feed(rest, into: &records)
      } catch {
        guard skipsForeignLines, decoder.format == nil, !decoder.isCompressed else { throw error }
        foreignLines.append(error)
        // A track may follow, even in the same chunk.
        isInForeignLine = true
        rest = skippingForeignLine(rest)
        restart(before: rest.count)
      }
    }
  }

  /// Skips the rest of a foreign line, across chunks, and returns what follows it.
  private func skippingForeignLine(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard isInForeignLine else { return bytes }
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return [] }
    isInForeignLine = false
    return bytes[(end + 1)...]
  }

  private func feed(
    _ bytes: ArraySlice<UInt8>, into records: inout [DeviceRecord]
  ) throws(DecodeError) {
    if keepsContext {
      context.append(bytes.span)
      guard
        context.bytes.count <= DecoderContext.greatestBytes
          || context.shorten(format, lastMilliseconds: lastMilliseconds)
      else {
        throw DecodeError(
          "with a state file, input that is not in lines is limited to "
            + "\(DecoderContext.greatestBytes >> 20) MiB")
      }
    }
    isUntouched = false
    try decode(into: &records) { (decoder, batch) throws(DecodeError) in
      try decoder.decode(bytes.span, into: &batch)
    }
  }

  /// Runs a step of the decoder and adds what it found, also before an error.
  private func decode<Failure: Error>(
    into records: inout [DeviceRecord],
    _ step: (inout TrackDecoder, inout FixBatch) throws(Failure) -> Void
  ) throws(Failure) {
    var batch = FixBatch()
    defer {
      records += batch.rejections.map { DeviceRecord.fault(device: nil, $0) }
      records += batch.fixes.map { DeviceRecord.fix(device: nil, $0) }
    }
    try step(&decoder, &batch)
  }

  func flush(into records: inout [DeviceRecord]) {
    decode(into: &records) { $0.flush(isForced: false, into: &$1) }
  }

  func assumeDate(nowMilliseconds: Int64, into records: inout [DeviceRecord]) -> Bool {
    decode(into: &records) { $0.assumeDate(nowMilliseconds: nowMilliseconds, into: &$1) }
    let times = records.lazy.compactMap { record in
      if case .fix(_, let fix) = record { fix.timeMilliseconds } else { nil }
    }
    guard let first = times.first else { return false }
    context.startDay = Int(first / 86_400_000)
    return true
  }

  /// Ends the decoder; an incomplete stream may continue after a restart.
  func finish(into records: inout [DeviceRecord]) throws(DecodeError) {
    // The last stream was complete.
    if isUntouched, offset > 0 { return }
    decode(into: &records) { $0.flush(isForced: true, into: &$1) }
    wasEpochHandedOn = decoder.isEpochHandedOn
    let count = records.count
    try decode(into: &records) { (decoder, batch) throws(DecodeError) in
      try decoder.finish(into: &batch)
    }
    lastNotices = decoder.notices
    let isDocument = format?.isDocument == true || decoder.isCompressed
    if records.count > count || isDocument { restart() }
  }

  func skip(_ count: Int) { offset += count }

  func restart() { restart(before: 0) }

  /// Creates a decoder for the last `count` bytes and what follows them.
  private func restart(before count: Int) {
    decoder = TrackDecoder(options: options)
    isUntouched = true
    context = DecoderContext(start: offset - count)
    wasEpochHandedOn = false
  }

  func takeForeignLines() -> [DecodeError] {
    defer { foreignLines = [] }
    return foreignLines
  }

  // MARK: The state

  var openBytes: [UInt8] { context.bytes }

  func checkpoint(lastMilliseconds: Int64?) -> LiveState.Checkpoint {
    self.lastMilliseconds = lastMilliseconds
    context.shorten(format, lastMilliseconds: lastMilliseconds)
    return LiveState.Checkpoint(
      contextStart: context.start, header: Data(context.header), position: context.end,
      startDay: context.startDay, isEpochHandedOn: wasEpochHandedOn || decoder.isEpochHandedOn,
      format: context.isShortened ? format?.rawValue : nil, receiver: decoder.receiver,
      hasDevices: false)
  }

  func isLong(since count: Int) -> Bool {
    context.bytes.count > 2 * DecoderContext.mostBytes && count > DecoderContext.mostBytes
  }

  func resume(
    _ checkpoint: LiveState.Checkpoint?, start: Int, seen: [UInt8], lastFix: Fix?
  ) -> Bool {
    offset = start + seen.count
    context = DecoderContext(checkpoint, start: start, bytes: seen)
    isUntouched = seen.isEmpty
    var options = options
    if let format = checkpoint?.format.flatMap(TrackFormat.init) { options.format = format }
    options.receiver = checkpoint?.receiver
    do throws(DecodeError) {
      decoder = try context.makeDecoder(
        options, isEpochHandedOn: checkpoint?.isEpochHandedOn ?? false, lastFix: lastFix)
      return true
    } catch {
      return false
    }
  }
}
#endif
