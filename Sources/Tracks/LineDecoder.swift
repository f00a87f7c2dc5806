package import FencepostFixes
package import FencepostFormats

/// A decoder for formats in which each line stands alone.
package protocol LineDecoder: FixDecoder {
  var scanner: LineScanner { get set }

  /// Decodes a line, without its terminator.
  mutating func take(
    _ line: Span<UInt8>, _ position: LinePosition, into batch: inout FixBatch
  ) throws(DecodeError)

  /// Appends what is held after the last line; nothing by default.
  mutating func close(into batch: inout FixBatch)
}

extension LineDecoder {
  /// Decodes the lines that the next bytes complete.
  package mutating func decode(
    _ bytes: Span<UInt8>, into batch: inout FixBatch
  ) throws(DecodeError) {
    // Moved out of `self`, since the closure changes `self`.
    var scanner = LineScanner()
    swap(&scanner, &self.scanner)
    try scanner.scan(bytes) { (line, position) throws(DecodeError) in
      try take(line, position, into: &batch)
    }
    self.scanner = scanner
  }

  /// Decodes the last line if it had no terminator.
  package mutating func finish(into batch: inout FixBatch) throws(DecodeError) {
    var scanner = LineScanner()
    swap(&scanner, &self.scanner)
    try scanner.finish { (line, position) throws(DecodeError) in
      try take(line, position, into: &batch)
    }
    close(into: &batch)
  }

  /// Does nothing.
  package mutating func close(into batch: inout FixBatch) {}
}
