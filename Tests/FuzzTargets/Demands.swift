import FencepostFixes
import FencepostGeodesy
import FencepostTracks
import TestSupport

/// Something that does not hold of some bytes, though it should of all.
package struct Finding: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}

/// Demands that something holds, and says so with the sentence where it does not.
package func demand(_ holds: Bool, _ sentence: @autoclosure () -> String) throws(Finding) {
  if !holds { throw Finding(sentence()) }
}

/// Demands that `read` gives the same of bytes whole and in pieces, and returns the reading of the
/// whole; `difference` says in words how another reading differs from it.
func demandSame<Reading: Equatable>(
  _ bytes: [UInt8], difference: (Reading, Reading) -> String = { "\($1) instead of \($0)" },
  _ read: ([Range<Int>]) -> Reading
) throws(Finding) -> Reading {
  let whole = read([0..<bytes.count])
  var cuttings = [bytes.cut()]
  if bytes.count <= 256 { cuttings.append((0..<bytes.count).map { $0..<($0 + 1) }) }
  for pieces in cuttings {
    let split = read(pieces)
    try demand(split == whole, "cut into \(pieces):\n\(difference(whole, split))")
  }
  return whole
}

extension [UInt8] {
  /// How many lines the bytes have if every line end that is known counts.
  var mostLines: Int { 1 + count { $0 == 0x0A || $0 == 0x0D } }

  /// The ranges of a few pieces or of many, some of them short, some empty; the same bytes are
  /// always cut alike in the same turn.
  func cut(turn: UInt64 = 0) -> [Range<Int>] {
    var seed: UInt64 = 0xCBF2_9CE4_8422_2325 &+ turn
    for byte in self { seed = (seed ^ UInt64(byte)) &* 0x100_0000_01B3 }
    var random = SplitMix64(seed: seed)
    let most = [1, 4, 30].randomElement(using: &random) ?? 1
    var ends: Set<Int> = []
    for _ in 0..<most {
      let end = Int.random(in: 0...count, using: &random)
      ends.insert(end)
      if most == 30 { ends.insert(Swift.min(count, end + 1)) }
    }
    let sorted = ends.sorted() + [count]
    return zip([0] + sorted, sorted).map { $0..<$1 }
  }
}

/// What holds of all that any decoder makes of any bytes.
enum FixRules {
  static func check(_ outcome: Outcome, of bytes: [UInt8]) throws(Finding) {
    for fix in outcome.fixes { try check(fix, lines: bytes.mostLines) }
    for rejection in outcome.rejections {
      try check(line: rejection.line, byteOffset: rejection.byteOffset, of: bytes)
    }
    guard let error = outcome.error else { return }
    try check(line: error.line, byteOffset: error.byteOffset, of: bytes)
    try demand(!error.sentence.isEmpty, "an error says nothing")
  }

  static func check(_ fix: Fix, lines: Int = Int(Int32.max)) throws(Finding) {
    try demand(fix.coordinate.isValid, "a fix lies at \(fix.coordinate)")
    let (accuracy, speed) = (fix.accuracyMeters, fix.speedMetersPerSecond)
    try demand(accuracy.isNaN || accuracy >= 0, "an accuracy is \(accuracy) m")
    try demand(speed.isNaN || speed >= 0, "a speed is \(speed) m/s")
    let course = fix.courseDegrees
    try demand(course.isNaN || 0..<360 ~= course, "a course is \(course)°")
    try demand(fix.trackIndex >= 0 && fix.segmentIndex >= 0, "an index is below zero")
    try demand(0...lines ~= Int(fix.line), "a fix is of line \(fix.line) of \(lines)")
  }

  static func check(line: Int?, byteOffset: Int?, of bytes: [UInt8]) throws(Finding) {
    let (lines, count) = (bytes.mostLines, bytes.count)
    if let line { try demand(1...lines ~= line, "a fault is in line \(line) of \(lines)") }
    if let byteOffset {
      try demand(0...count ~= byteOffset, "a fault is at byte \(byteOffset) of \(count)")
    }
  }
}
