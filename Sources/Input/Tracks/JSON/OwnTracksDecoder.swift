package import FencepostFixes
package import FencepostFormats
import FencepostGeodesy
import FencepostTime

/// Decodes OwnTracks messages in JSON, one per line, as from the recorder's log or MQTT.
///
/// Messages with `_type` `location` contain fixes: `tst` in seconds since 1970, `lat`, `lon`, `acc`
/// in meters, `vel` in km/h, `cog` in degrees; −1 means unknown. Other types are ignored. So are
/// objects without a type, such as the recorder's query results, which wrap locations in `data` or
/// `locations`. A fix with an unreadable time is kept without it and reported as `time`.
package struct OwnTracksDecoder: LineDecoder, Sendable {
  /// Cuts the source into lines.
  package var scanner = LineScanner()
  private var reader = JSONFixReader()

  /// Creates a decoder; messages state all they need.
  package init() {}

  /// Decodes the message on a line.
  package mutating func take(
    _ line: Span<UInt8>, _ position: LinePosition, into batch: inout FixBatch
  ) {
    var message = JSONFix()
    guard reader.read(line, position, into: &message, rejecting: &batch) else { return }
    message.countSeconds()
    Self.take(message, line: position.number, into: &batch)
  }

  /// Makes a fix of a message, from whatever source; other messages are ignored.
  static func take(_ message: JSONFix, line: Int, into batch: inout FixBatch) {
    guard message.messageType == .location else { return }
    if message.hasTimeFault {
      batch.reject(.time, line: line, detail: "tst is not a time; the fix is kept without one")
    }
    var fix = message.fix
    fix.coordinate = message.coordinate
    guard fix.coordinate.isValid else { return batch.reject(.coordinate, line: line) }
    batch.append(fix, line: line)
  }
}

/// Decodes the `.rec` files of the OwnTracks Recorder.
///
/// A line has an arrival time, a kind and a message, separated by tabs or spaces.
/// ``OwnTracksDecoder`` describes the messages. The arrival time is used if the message has no
/// time, or to add a fraction to the same second. Encrypted messages are counted in a notice.
struct OwnTracksRecorderDecoder: LineDecoder, Sendable {
  var scanner = LineScanner()
  private var reader = JSONFixReader()
  private var encryptedCount = 0

  /// How many messages are encrypted, so that fixes are missing.
  var notices: [String] {
    guard encryptedCount > 0 else { return [] }
    return [
      "\(encryptedCount) encrypted messages cannot be read; the Recorder stores them as received"
    ]
  }

  /// Whether a line is a record with a message, by which the format is recognized.
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

  /// Decodes the message in a record; records of other kinds are skipped.
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
    var position = position
    position.byteOffset += start
    var message = JSONFix()
    guard reader.read(text, position, into: &message, rejecting: &batch) else { return }
    if message.messageType == .encrypted { encryptedCount += 1 }
    message.countSeconds()
    message.refineTime(arrival)
    OwnTracksDecoder.take(message, line: position.number, into: &batch)
  }
}

extension JSONFix {
  /// Adopts the arrival time if the message has none, or only whole seconds of the same second.
  fileprivate mutating func refineTime(_ arrival: Int64) {
    guard let own = fix.timeMilliseconds else { return setTime(arrival) }
    let isWholeSecond = own % 1000 == 0
    if isWholeSecond, 0..<1000 ~= arrival - own { setTime(arrival) }
  }
}
