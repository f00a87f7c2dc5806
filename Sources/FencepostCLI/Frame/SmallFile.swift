import FencepostFiles

/// Files that are read whole, and may therefore not be large.
enum SmallFile {
  /// What messages call a path.
  static func name(_ path: String) -> String { path == "-" ? "standard input" : path }

  /// Reads a source to its end.
  ///
  /// - Parameters:
  ///   - source: The source, unpacked if it was compressed.
  ///   - path: Its path, for messages.
  ///   - mostBytes: The largest size.
  ///   - kind: What it should be, for messages: `profile`.
  /// - Returns: Its bytes.
  /// - Throws: `ByteSourceError`, or ``CommandFailure`` if it is larger.
  static func contents(
    of source: consuming InflatedSource, _ path: String, mostBytes: Int, kind: String
  ) throws -> [UInt8] {
    var contents: [UInt8] = []
    var chunk: [UInt8] = []
    while try source.read(into: &chunk) {
      contents += chunk
      guard contents.count <= mostBytes else {
        let most = mostBytes < 1 << 20 ? "\(mostBytes >> 10) KiB" : "\(mostBytes >> 20) MiB"
        throw CommandFailure(.inputBad, "\(name(path)): more than \(most) are no \(kind)")
      }
    }
    return contents
  }
}
