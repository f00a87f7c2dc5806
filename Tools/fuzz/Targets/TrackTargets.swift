import FencepostTracks
import FencepostFixes
import FencepostFormats
import FencepostGeodesy

/// The decoders of fixes.
///
/// Each is fed the bytes whole, cut at random and, where they are few, one by one; what comes of them
/// must be the same, lie in its range and be told of lines and bytes that exist.
enum TrackTargets {
  static func checkGPX(_ bytes: [UInt8]) throws(Finding) {
    _ = try outcome(of: bytes) { GPXDecoder() }
  }

  static func checkNMEA(_ bytes: [UInt8]) throws(Finding) {
    for text in [bytes, NMEAChecksums.righted(bytes)] {
      let fast = try outcome(of: text) { NMEADecoder() }
      let slow = SlowNMEADecoder.decode(text)
      try demand(
        fast == slow, "the plain decoder reads something else:\n\(Outcome.difference(fast, slow))")
    }
  }

  static func checkCSV(_ bytes: [UInt8]) throws(Finding) {
    let outcome = try outcome(of: bytes) { CSVFixDecoder() }
    // Comments, and what stands in front of the header, are no rows.
    guard outcome.error == nil, !bytes.contains(UInt8(ascii: "#")) else { return }
    let dialect = CSVDialect.recognise(bytes.span, isWhole: true, namesColumns: namesColumns)
    guard let dialect, dialect.namesColumns else { return }
    var reader = CSVReader(separator: dialect.separator)
    reader.push(bytes.span.extracting(dialect.headerOffset..<bytes.count))
    reader.finish()
    var records = 0
    while true {
      do throws(CSVError) {
        guard try reader.next() else { break }
      } catch {}
      records += 1
    }
    let told = outcome.fixes.count + refusals(outcome)
    // The header is a record too; faults before it are told.
    let hasHeader = outcome.fixes.count > 0 || told < records
    try demand(
      told == records - (hasHeader ? 1 : 0),
      "of \(records) records \(told) became a fix or a rejection")
  }

  /// Whether a record is a header, by what a decoder says of it alone.
  private static func namesColumns(_ reader: borrowing CSVReader) -> Bool {
    var line: [UInt8] = []
    for index in 0..<reader.fieldCount {
      line += Array((index > 0 ? ",\"" : "\"").utf8)
      line += Array(reader.string(index).replacing("\"", with: "\"\"").utf8)
      line.append(UInt8(ascii: "\""))
    }
    return outcome(of: line, in: [0..<line.count], CSVFixDecoder()).error == nil
  }

  static func checkJSONLines(_ bytes: [UInt8]) throws(Finding) {
    let outcome = try outcome(of: bytes) { JSONLinesDecoder() }
    try demand(outcome.error == nil, "one bad line ended the reading")
    var malformed = 0
    for line in lines(bytes) {
      var object = JSONFix()
      var reader = JSONFixReader()
      guard !JSONFixReader.isBlank(line.span) else { continue }
      let isObject = try? reader.read(line.span, into: &object)
      if isObject != true { malformed += 1 }
    }
    let told = outcome.count(.malformed)
    try demand(told == malformed, "\(malformed) lines are no objects, \(told) were told")
  }

  static func checkGpsd(_ bytes: [UInt8]) throws(Finding) {
    let outcome = try outcome(of: bytes) { GpsdDecoder() }
    try demand(outcome.error == nil, "one bad line ended the reading")
    var malformed = 0
    for line in lines(bytes) where JSONLine(line) == .fault { malformed += 1 }
    let told = outcome.count(.malformed)
    try demand(told == malformed, "\(malformed) lines are no JSON, \(told) were told")
  }

  static func checkOwnTracks(_ bytes: [UInt8]) throws(Finding) {
    let outcome = try outcome(of: bytes) { OwnTracksDecoder() }
    try demand(outcome.error == nil, "one bad line ended the reading")
    var records = 0
    for line in lines(bytes) {
      switch JSONLine(line) {
      case .fault, .location: records += 1
      case .other: break
      }
    }
    let told = outcome.fixes.count + refusals(outcome)
    try demand(told == records, "of \(records) records \(told) became a fix or a rejection")
  }

  /// Rejections that took something away; one of a time leaves the fix.
  private static func refusals(_ outcome: Outcome) -> Int {
    outcome.rejections.count { $0.reason != .time }
  }

  // MARK: Feeding

  /// What comes of the bytes, which must not depend on how they are cut.
  static func outcome<Decoder: FixDecoder & ~Copyable>(
    of bytes: [UInt8], _ makeDecoder: () -> Decoder
  ) throws(Finding) -> Outcome {
    let whole = outcome(of: bytes, in: [0..<bytes.count], makeDecoder())
    var cuttings = [cut(bytes)]
    if bytes.count <= 256 { cuttings.append(Cuts.single(bytes.count)) }
    for pieces in cuttings {
      let split = outcome(of: bytes, in: pieces, makeDecoder())
      try demand(
        split == whole,
        "cut into \(pieces):\n\(Outcome.difference(whole, split))")
    }
    try FixRules.check(whole, of: bytes)
    return whole
  }

  private static func cut(_ bytes: [UInt8]) -> [Range<Int>] {
    var cuts = Cuts(of: bytes)
    return cuts.pieces()
  }

  static func outcome<Decoder: FixDecoder & ~Copyable>(
    of bytes: [UInt8], in pieces: [Range<Int>], _ decoder: consuming Decoder
  ) -> Outcome {
    var outcome = Outcome()
    var batch = FixBatch()
    do throws(DecodeError) {
      for piece in pieces { try decoder.decode(bytes.span.extracting(piece), into: &batch) }
      try decoder.finish(into: &batch)
    } catch {
      outcome.error = error
    }
    outcome.take(batch)
    return outcome
  }

  // MARK: Lines of JSON

  /// Lines as a plain reader finds them; CR, LF and CR LF end one.
  private static func lines(_ bytes: [UInt8]) -> [[UInt8]] {
    var lines: [[UInt8]] = [[]]
    var last: UInt8 = 0
    for byte in bytes {
      switch byte {
      case 0x0A where last == 0x0D: break
      case 0x0A, 0x0D: lines.append([])
      default: lines[lines.count - 1].append(byte)
      }
      last = byte
    }
    return lines
  }

  /// What a line holds, by way of tokens.
  private enum JSONLine {
    case fault, location, other

    init(_ line: [UInt8]) {
      guard line.contains(where: { $0 != 0x20 && $0 != 0x09 }) else {
        self = .other
        return
      }
      var reader = JSONReader(
        limits: JSONReader.Limits(maximumDepth: 64, maximumTextBytes: 64 * 1024))
      reader.push(line.span)
      reader.finish()
      var isObject: Bool?
      var isType = false
      var isLocation = false
      do throws(JSONError) {
        while let event = try reader.next() {
          if isObject == nil { isObject = event == .beginObject }
          guard reader.depth == 1, isObject == true else { continue }
          switch event {
          case .key: isType = reader.string == "_type"
          case .string where isType: isLocation = reader.string == "location"
          default: break
          }
        }
        self = isLocation ? .location : .other
      } catch {
        self = .fault
      }
    }
  }
}
