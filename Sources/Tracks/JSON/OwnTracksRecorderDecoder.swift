public import FencepostFixes
import FencepostFormats
import FencepostTime

/// Decodes the `.rec` files of the OwnTracks Recorder: a line a message, of the time it arrived, its kind and the message
/// itself, with tabs between them.
///
/// Messages are read as ``OwnTracksDecoder`` reads them; the time of a fix is its own, not that of its arrival. Encrypted
/// messages cannot be read and are counted in a notice.
public struct OwnTracksRecorderDecoder: FixDecoder, Sendable {
  private var scanner = LineScanner()
  private var reader = JSONLineReader()
  private var encryptedCount = 0

  /// Makes a decoder.
  public init() {}

  /// That messages are encrypted, if any are.
  public var notices: [String] {
    guard encryptedCount > 0 else { return [] }
    return [
      "\(encryptedCount) encrypted messages cannot be read; the Recorder keeps them as they came"
    ]
  }

  /// Whether a line is one of a `.rec` file.
  static func isRecord(_ line: Span<UInt8>) -> Bool {
    guard let start = messageStart(in: line), start < line.count,
      line[start] == UInt8(ascii: "{"), let tab = line.firstIndex(of: 0x09)
    else { return false }
    return ISO8601.milliseconds(parsing: line.extracting(first: tab)) != nil
  }

  /// The index after the second tab.
  private static func messageStart(in line: Span<UInt8>) -> Int? {
    line.firstIndex(of: 0x09).flatMap { line.firstIndex(of: 0x09, from: $0 + 1) }.map { $0 + 1 }
  }

  /// Takes the next bytes of the source and appends what they complete to `batch`.
  public mutating func decode(
    _ bytes: Span<UInt8>, into batch: inout FixBatch
  ) throws(DecodeError) {
    // Moved out of `self`, since the closure changes `self`.
    var scanner = LineScanner()
    swap(&scanner, &self.scanner)
    scanner.scan(bytes) { line, position in take(line, position, into: &batch) }
    self.scanner = scanner
  }

  /// Ends the source and appends what was still held back to `batch`.
  public mutating func finish(into batch: inout FixBatch) throws(DecodeError) {
    var scanner = LineScanner()
    swap(&scanner, &self.scanner)
    scanner.finish { line, position in take(line, position, into: &batch) }
  }

  private mutating func take(
    _ line: Span<UInt8>, _ position: LinePosition, into batch: inout FixBatch
  ) {
    guard !line.isEmpty else { return }
    guard !position.isCut else { return batch.reject(.tooLong, line: position.number) }
    guard let start = Self.messageStart(in: line) else {
      return batch.reject(
        .malformed, line: position.number, detail: "no line of time, kind and message")
    }
    let text = line.extracting(start..<line.count)
    // Kinds other than `*` may have plain text, such as the reason for a lost connection.
    guard !text.isEmpty, text[0] == UInt8(ascii: "{") else { return }
    var message = OwnTracksDecoder.Message()
    do throws(JSONError) {
      try reader.read(text, names: OwnTracksDecoder.Message.names) { message.take($0, $1, $2) }
    } catch {
      return batch.reject(
        .malformed, line: position.number,
        byteOffset: position.byteOffset + start + error.byteOffset, detail: error.sentence)
    }
    if message.isEncrypted { encryptedCount += 1 }
    OwnTracksDecoder.take(message, line: position.number, into: &batch)
  }
}
