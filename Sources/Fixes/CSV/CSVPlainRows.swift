import FencepostFormats
import FencepostGeodesy

/// Reads rows of fixes in their plain form, which nearly all have: no quotes, no blanks about a
/// value, coordinates of at most fifteen digits, times that can be read.
///
/// Whatever else a row is, right or wrong, is left to `CSVFixDecoder`; what is accepted here is
/// accepted there with the same result.
struct CSVPlainRows: Sendable {
  private enum Column: Sendable {
    case time, latitude, longitude, accuracy, other
  }

  /// What the columns hold, up to the last that a fix needs.
  private let columns: [Column]
  private var clock = DayClock()
  /// Whether a number is a time since 1970, so that it can be read here.
  var readsNumbers = false
  /// Longer rows are left to the reader that knows how long one may be.
  private static let greatestByteCount = 4096

  /// Makes a reader of rows below a header.
  init(_ header: CSVFixColumns) {
    let known: [(Int?, Column)] = [
      (header.time, .time), (header.latitude, .latitude), (header.longitude, .longitude),
      (header.accuracy, .accuracy),
    ]
    let last = known.compactMap(\.0).max() ?? 0
    columns = (0...last).map { index in known.first { $0.0 == index }?.1 ?? .other }
  }

  /// Reads rows up to the first that is not plain or not whole.
  ///
  /// - Parameters:
  ///   - text: The bytes from the beginning of a row on.
  ///   - line: The line of that row.
  ///   - batch: Receives the fixes.
  /// - Returns: How many bytes and lines were read.
  mutating func read(
    _ text: Span<UInt8>, line: Int, into batch: inout FixBatch
  ) -> (byteCount: Int, lineCount: Int) {
    ChunkBytes.withBytes(text) { bytes in
      var index = 0
      var next = line
      var fix = Fix(coordinate: Coordinate(latitudeDegrees: 0, longitudeDegrees: 0))
      while let end = readRow(bytes, from: index, into: &fix) {
        batch.append(fix, line: next)
        index = end
        next += 1
      }
      return (index, next - line)
    } ?? (0, 0)
  }

  /// Reads a row into a fix, all fields of which that a header names it sets anew.
  ///
  /// - Returns: The index behind the line end; nil where the row is not plain or not whole.
  @inline(__always)
  private mutating func readRow(_ bytes: ChunkBytes, from start: Int, into fix: inout Fix) -> Int? {
    var index = start
    for number in columns.indices {
      if number > 0 {
        guard index < bytes.count, bytes[index] == UInt8(ascii: ",") else { return nil }
        index += 1
      }
      switch columns[number] {
      case .latitude:
        guard let latitude = PlainDecimal.scan(bytes, from: index) else { return nil }
        fix.coordinate.latitudeDegrees = latitude.value
        index = latitude.end
      case .longitude:
        guard let longitude = PlainDecimal.scan(bytes, from: index) else { return nil }
        fix.coordinate.longitudeDegrees = longitude.value
        index = longitude.end
      case .time:
        guard let end = readTime(bytes, from: index, into: &fix) else { return nil }
        index = end
      case .accuracy:
        guard let accuracy = PlainDecimal.scan(bytes, from: index), accuracy.value >= 0 else {
          return nil
        }
        fix.accuracyMeters = Float(accuracy.value)
        index = accuracy.end
      case .other:
        guard let end = fieldEnd(bytes, from: index) else { return nil }
        index = end
      }
    }
    while index < bytes.count, bytes[index] == UInt8(ascii: ",") {
      guard let end = fieldEnd(bytes, from: index + 1) else { return nil }
      index = end
    }
    guard let end = lineEnd(bytes, at: index), end - start <= Self.greatestByteCount,
      fix.coordinate.isValid
    else { return nil }
    return end
  }

  /// Reads a time, which may be empty; the index behind it, nil where it is none.
  @inline(__always)
  private mutating func readTime(
    _ bytes: ChunkBytes, from start: Int, into fix: inout Fix
  ) -> Int? {
    // Most times have twenty bytes, the last of them `Z`.
    var end = start + 20
    guard end < bytes.count else { return nil }
    if bytes[end] != UInt8(ascii: ",") || bytes[end - 1] != UInt8(ascii: "Z") {
      guard let found = fieldEnd(bytes, from: start) else { return nil }
      end = found
    }
    guard end > start else {
      fix.rawTimeMilliseconds = Fix.noTime
      return end
    }
    let milliseconds = bytes.withSpan(start..<end) { text in
      clock.milliseconds(text) ?? (readsNumbers ? instant(ofNumber: text) : nil)
    }
    guard let milliseconds else { return nil }
    fix.rawTimeMilliseconds = milliseconds
    return end
  }

  private func instant(ofNumber text: Span<UInt8>) -> Int64? {
    DecimalNumber.double(parsing: text).flatMap { Fix.timeMilliseconds(sinceEpoch: $0) }
  }

  /// Where a field without quotes ends, nil where it has them or goes on behind the bytes.
  private func fieldEnd(_ bytes: ChunkBytes, from start: Int) -> Int? {
    guard start < bytes.count, bytes[start] != UInt8(ascii: "\"") else { return nil }
    let range = start..<min(bytes.count, start + Self.greatestByteCount)
    let end = bytes.withSpan(range) {
      start + $0.firstFieldEnd(in: 0..<$0.count, separator: UInt8(ascii: ","))
    }
    return end < range.upperBound ? end : nil
  }

  /// The index behind a line end, LF or CR LF; nil where there is none, or it cannot be known yet.
  @inline(__always)
  private func lineEnd(_ bytes: ChunkBytes, at index: Int) -> Int? {
    guard index < bytes.count else { return nil }
    if bytes[index] == UInt8(ascii: "\n") { return index + 1 }
    guard bytes[index] == UInt8(ascii: "\r"), index + 1 < bytes.count,
      bytes[index + 1] == UInt8(ascii: "\n")
    else { return nil }
    return index + 2
  }
}
