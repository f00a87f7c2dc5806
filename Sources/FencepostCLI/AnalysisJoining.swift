import FencepostFiles
import FencepostFormats
import FencepostReporting

/// Joins the outputs of several analyses.
struct AnalysisJoining {
  private let parts: [String]
  private let writesSums: Bool

  /// - Parameters:
  ///   - parts: The outputs.
  ///   - writesSums: Whether only the totals are written, with the sums that let them be joined again.
  init(_ parts: [String], writesSums: Bool) {
    self.parts = parts
    self.writesSums = writesSums
  }

  /// Writes the output of one analysis of all tracks, or its totals.
  func write(to path: String) throws {
    var output = try OutputFile(path: path)
    var merger = AnalysisMerger()
    var failures = FailureLog()
    for part in parts {
      try merger.begin(part: part)
      try read(part, &merger, &output)
    }
    try failing { () throws(AnalysisMerger.Failure) in try merger.finish() }
    AnalysisNDJSONWriter(
      stories: merger.stories, writesSums: writesSums, namesOnlyCrossed: merger.namesOnlyCrossed
    ).end(merger.totals, to: &output.buffer)
    try output.finish()
    for loss in merger.losses { failures.note(loss) }
    try failures.conclude()
  }

  private static let settingsStart = #"{"type":"settings""#

  private func read(
    _ part: String, _ merger: inout AnalysisMerger, _ output: inout OutputFile
  ) throws {
    var source = try ByteSource(path: part)
    var chunk: [UInt8] = []
    var scanner = LineScanner(maximumLineBytes: 256 * 1024 * 1024)
    while try source.read(into: &chunk) {
      try Task.checkCancellation()
      try scanner.scan(chunk.span) { (line, _) throws in
        try take(line, &merger, &output)
      }
    }
    try scanner.finish { (line, _) throws in try take(line, &merger, &output) }
  }

  private func take(
    _ line: Span<UInt8>, _ merger: inout AnalysisMerger, _ output: inout OutputFile
  ) throws {
    guard line.count > 0 else { return }
    // The bytes are copied while the span is valid.
    let text = unsafe line.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    let fate = try failing { () throws(AnalysisMerger.Failure) in try merger.take(text) }
    guard fate == .kept, !writesSums || text.hasPrefix(Self.settingsStart) else { return }
    output.buffer.append(line)
    output.buffer.append(UInt8(ascii: "\n"))
    try output.flushIfFull()
  }

  /// Converts a fault of a part to bad input.
  private func failing<Value>(
    _ body: () throws(AnalysisMerger.Failure) -> Value
  ) throws(CommandFailure) -> Value {
    do throws(AnalysisMerger.Failure) {
      return try body()
    } catch {
      throw CommandFailure(.inputBad, error.description)
    }
  }
}
