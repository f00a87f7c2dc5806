import Formats

extension ByteBuffer {
  /// Appends an instant as ISO 8601 in UTC (`2026-03-04T17:00:12.250Z`), without quotes.
  ///
  /// - Parameter milliseconds: since 1970-01-01T00:00:00Z.
  public mutating func append(instant milliseconds: Int64) {
    var text: [UInt8] = []
    swap(&text, &scratch)
    ISO8601.append(milliseconds: milliseconds, to: &text)
    append(text.span)
    text.removeAll(keepingCapacity: true)
    swap(&text, &scratch)
  }
}
