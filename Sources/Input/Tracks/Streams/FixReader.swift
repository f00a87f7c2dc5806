public import FencepostFiles
public import FencepostFixes
import FencepostFormats

/// Reads fixes from a file, or from standard input for `-`, in batches.
///
/// ```swift
/// var reader = try FixReader(path: path)
/// var batch = FixBatch()
/// while try reader.read(into: &batch) { use(batch.fixes) }
/// ```
///
/// Fixes are put in chronological order: a source that runs backward in time throughout is read
/// from its end. Then a `FixFilter` accepts or rejects each.
///
/// Memory is bounded by a chunk of bytes, its fixes, and what a decoder holds. The fixes of a
/// source that seems to run backward wait in a temporary file in `TMPDIR` or `/tmp`.
public struct FixReader: ~Copyable {
  /// The minimum number of fixes in a batch, except the last.
  package static var batchCount: Int { 1024 }

  private var source: ByteSource
  private var decoder: TrackDecoder
  private var order: FixOrder
  private var account: FixAccount
  private var coarse = CoarseFixes()
  private var chunk: [UInt8] = []
  /// How many bytes of the chunk have been decoded.
  private var fedCount = 0
  private var isAtEnd = false
  private var isDone = false
  private var failure: FixSourceError?

  /// Opens a file, whatever its name.
  ///
  /// - Throws: `FixSourceError` if the file cannot be opened.
  public init(
    path: String, options: FixStreamOptions = FixStreamOptions()
  ) throws(FixSourceError) {
    do throws(ByteSourceError) {
      self.init(try ByteSource(path: path), options: options)
    } catch {
      throw FixSourceError(name: error.name, cause: .source(error))
    }
  }

  /// Reads from a source that is open.
  package init(_ source: consuming ByteSource, options: FixStreamOptions = FixStreamOptions()) {
    order = FixOrder(name: source.name)
    isSorted = options.reorderMilliseconds != nil
    self.source = source
    decoder = TrackDecoder(options: options)
    account = FixAccount(options, isWhole: true)
  }

  /// The name for messages: the path, or the source's name.
  public var name: String { source.name }
  /// The format, once recognized.
  public var format: TrackFormat? { decoder.format }
  /// Whether the file is gzip-compressed or a zip archive.
  package var isCompressed: Bool { decoder.isCompressed }
  /// The number of accepted fixes so far.
  public var acceptedCount: Int { account.acceptedCount }
  /// The number of rejected fixes, sentences, rows or objects so far, by reason.
  public var rejectionCounts: RejectionCounts { account.rejectionCounts }

  /// Whether late fixes are sorted into their place, as `--reorder` does.
  package let isSorted: Bool

  /// How many fixes were rejected as late, and how late they were.
  package var lateness: Lateness { account.filter.lateness }

  /// Whether the source runs backward in time and is read from its end; known with the first fix.
  package var isNewestFirst: Bool { isAtEndOfBytes && order.isNewestFirst }
  /// Whether nothing more will be decoded, because of the end or of an error.
  private var isAtEndOfBytes: Bool { isAtEnd || failure != nil }

  /// Warnings about the whole source, without final periods; complete at the end.
  public var notices: [String] {
    let order = "its times run backward, newest first, so it is read from the end"
    let notices =
      decoder.notices + (isNewestFirst ? [order] : []) + [coarse.notice].compactMap(\.self)
    guard notices.isEmpty, isDone, failure == nil, let format, acceptedCount == 0,
      rejectionCounts.total == 0
    else { return notices }
    return ["the \(format.name) has no position that Fencepost reads"]
  }

  /// The name that the source gives its journey; complete at the end.
  package var title: String? { decoder.title }

  /// Replaces the batch with the next accepted fixes and rejections.
  ///
  /// - Returns: False at the end, with an empty batch. A batch may also be empty earlier, while the
  ///   order of the fixes is unknown.
  /// - Throws: `FixSourceError`, once everything before the error has been returned; later calls
  ///   throw it again.
  public mutating func read(into batch: inout FixBatch) throws(FixSourceError) -> Bool {
    batch.removeAll()
    while !isDone, batch.fixes.count < Self.batchCount, batch.rejections.count < Self.batchCount {
      let start = batch.counts
      let hasEnded = isAtEndOfBytes
      do throws(FixSourceError) {
        if !hasEnded { try readChunk(into: &batch) }
      } catch {
        failure = error
      }
      if !order.isPassing { hold(&batch.fixes, hasEnded: hasEnded) }
      isDone = hasEnded && batch.fixes.count == start.fixes
      if hasEnded || order.isPassing {
        account.judge(&batch, from: start, isLast: isDone)
        for index in start.fixes..<batch.fixes.count {
          coarse.add(batch.fixes[index].accuracyMeters)
        }
      } else {
        account.count(batch, from: start)
        // Returns so that the caller can stop.
        if order.isSpooling { return true }
      }
    }
    if !isDone || !batch.isEmpty { return true }
    if let failure { throw failure }
    return false
  }

  /// Holds decoded fixes while their order is unknown, and appends them at the end of the source.
  private mutating func hold(_ fixes: inout [Fix], hasEnded: Bool) {
    do throws(ByteSourceError) {
      if hasEnded { fixes += try order.takeHeld() } else { try order.hold(&fixes) }
    } catch {
      failure = FixSourceError(name: name, cause: .spool(error))
    }
  }

  /// Decodes the next piece of a chunk, or the next chunk, or ends the decoder.
  private mutating func readChunk(into batch: inout FixBatch) throws(FixSourceError) {
    // Moved out of `self`, so that it can be borrowed while the decoder changes.
    var chunk: [UInt8] = []
    swap(&chunk, &self.chunk)
    defer { swap(&chunk, &self.chunk) }
    if fedCount == chunk.count {
      fedCount = 0
      do throws(ByteSourceError) {
        isAtEnd = try !source.read(into: &chunk)
      } catch {
        throw FixSourceError(name: source.name, cause: .source(error))
      }
    }
    do throws(DecodeError) {
      if isAtEnd {
        try decoder.finish(into: &batch)
      } else {
        let rest = chunk.span.extracting(fedCount..<chunk.count)
        let count = decoder.pieceCount(of: rest)
        fedCount += count
        try decoder.decode(rest.extracting(first: count), into: &batch)
      }
    } catch {
      throw FixSourceError(name: source.name, cause: .contents(error))
    }
  }
}

/// Why a file or other source could not be read to its end.
///
/// A reader throws it after it has returned every fix before the fault, so that a cut-off file is
/// not lost as a whole.
public struct FixSourceError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What went wrong.
  ///
  /// A command derives its exit status from it.
  public enum Cause: Sendable, Equatable {
    /// The bytes could not be read.
    case source(ByteSourceError)
    /// The bytes are damaged or not a track.
    case contents(DecodeError)
    /// The temporary file needed for reading from the end cannot be written or read.
    case spool(ByteSourceError)
  }

  /// The name for messages: the path, or the source's name.
  public var name: String
  /// What went wrong.
  public var cause: Cause

  /// Creates an error; `name` is what messages call the source.
  package init(name: String, cause: Cause) {
    self.name = name
    self.cause = cause
  }

  /// Whether reading ended because the program was interrupted.
  package var isInterruption: Bool {
    if case .source(let error) = cause { return error.kind == .interrupted }
    return false
  }

  /// The message, with the name and, if known, the line or byte: `walk.gpx: line 12: …`.
  public var description: String {
    switch cause {
    case .source(let error), .spool(let error): "\(error)"
    case .contents(let error): "\(name): \(error)"
    }
  }
}
