import FencepostFixes
import FencepostFormats
import FencepostTime

/// Decodes the `.rec` files of the OwnTracks Recorder.
///
/// A line has an arrival time, a kind and a message, separated by tabs or spaces.
/// ``OwnTracksDecoder`` describes the messages. The arrival time is used if the message has no
/// time, or to add a fraction to the same second. Encrypted messages are counted in a notice.
struct OwnTracksRecorderDecoder: LineDecoder, Sendable {
  var scanner = LineScanner()
  private var reader = JSONLineReader()
  private var encryptedCount = 0

  var notices: [String] {
    guard encryptedCount > 0 else { return [] }
    return [
      "\(encryptedCount) encrypted messages cannot be read; the Recorder stores them as received"
    ]
  }

  static func isRecord(_ line: Span<UInt8>) -> Bool {
    guard let (_, start) = head(of: line) else { return false }
    return start < line.count && line[start] == UInt8(ascii: "{")
  }

  /// The arrival time in milliseconds since 1970, and where the message begins; nil if malformed.
  private static func head(of line: Span<UInt8>) -> (milliseconds: Int64, messageStart: Int)? {
    var index = 0
    func skip(blanks: Bool) {
      while index < line.count, (line[index] == 0x20 || line[index] == 0x09) == blanks {
        index += 1
      }
    }
    skip(blanks: false)
    guard let milliseconds = ISO8601.milliseconds(parsing: line.extracting(first: index)) else {
      return nil
    }
    skip(blanks: true)
    let kindStart = index
    skip(blanks: false)
    guard index > kindStart else { return nil }
    skip(blanks: true)
    return (milliseconds, index)
  }

  mutating func take(_ line: Span<UInt8>, _ position: LinePosition, into batch: inout FixBatch) {
    guard !line.isEmpty else { return }
    guard !position.isCut else { return batch.reject(.tooLong, line: position.number) }
    guard let (arrival, start) = Self.head(of: line) else {
      return batch.reject(
        .malformed, line: position.number, detail: "expected a time, a kind and a message")
    }
    let text = line.extracting(start..<line.count)
    // Kinds other than `*` may have plain text, such as the reason for a lost connection.
    guard !text.isEmpty, text[0] == UInt8(ascii: "{") else { return }
    var message = OwnTracksDecoder.Message()
    do throws(JSONError) {
      _ = try reader.read(text, names: OwnTracksDecoder.Message.names) { message.take($0, $1, $2) }
    } catch {
      var position = position
      position.byteOffset += start
      return batch.reject(error, position)
    }
    if message.isEncrypted { encryptedCount += 1 }
    message.refineTime(arrival)
    OwnTracksDecoder.take(message, line: position.number, into: &batch)
  }
}
