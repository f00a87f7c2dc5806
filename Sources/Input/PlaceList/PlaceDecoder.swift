/// Reads places from the chunks of one file.
package protocol PlaceDecoder: ~Copyable {
  var staging: PlaceStaging { get }

  mutating func decode(_ chunk: Span<UInt8>) throws(PlaceListError)
  mutating func finish() throws(PlaceListError)
}
