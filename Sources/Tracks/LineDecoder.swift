import FencepostFixes
import FencepostFormats

/// A decoder for formats in which each line stands alone.
protocol LineDecoder: FixDecoder {
  var scanner: LineScanner { get set }

  /// Decodes a line, without its terminator.
  mutating func take(
    _ line: Span<UInt8>, _ position: LinePosition, into batch: inout FixBatch
  ) throws(DecodeError)
}

extension LineDecoder {
  /// Decodes the lines that the next bytes complete.
  mutating func takeLines(
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

  mutating func takeLastLine(into batch: inout FixBatch) throws(DecodeError) {
    var scanner = LineScanner()
    swap(&scanner, &self.scanner)
    try scanner.finish { (line, position) throws(DecodeError) in
      try take(line, position, into: &batch)
    }
  }

  mutating func decode(_ bytes: Span<UInt8>, into batch: inout FixBatch) throws(DecodeError) {
    try takeLines(bytes, into: &batch)
  }

  mutating func finish(into batch: inout FixBatch) throws(DecodeError) {
    try takeLastLine(into: &batch)
  }
}
