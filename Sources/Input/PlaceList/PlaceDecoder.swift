/// Reads places from the chunks of one file.
///
/// A decoder does no I/O. It gives each row to its staging, and throws only if the rest of the file
/// cannot be read, or if a strict import refuses a row.
package protocol PlaceDecoder: ~Copyable {
  /// Receives the rows and the refusals.
  var staging: PlaceStaging { get }

  /// Reads the rows that the next bytes complete; chunks may be cut anywhere.
  mutating func decode(_ chunk: Span<UInt8>) throws(PlaceListError)
  /// Ends the file.
  mutating func finish() throws(PlaceListError)
}
