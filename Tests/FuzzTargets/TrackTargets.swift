import FencepostFixes
import FencepostFormats
import FencepostGeodesy
import FencepostTracks

/// The decoders of fixes.
///
/// Each is fed the bytes whole, cut at random and, where they are few, one by one; what comes of
/// them must be the same, lie in its range and be told of lines and bytes that exist.
enum TrackTargets {
  static func checkGPX(_ bytes: [UInt8]) throws(Finding) {
    _ = try outcome(of: bytes) { TrackDecoder(options: .init(format: .gpx)) }
  }

  static func checkNMEA(_ bytes: [UInt8]) throws(Finding) {
    for text in [bytes, checksummed(bytes)] {
      let fast = try outcome(of: text) { NMEADecoder() }
      let slow = SlowNMEADecoder.decode(text)
      try demand(
        fast == slow, "the plain decoder reads something else:\n\(Outcome.difference(fast, slow))")
    }
  }

  /// Gives sentences the checksums of their texts, so that what is made up reaches their fields.
  private static func checksummed(_ bytes: [UInt8]) -> [UInt8] {
    var righted = bytes
    var index = 0
    while let start = righted[index...].firstIndex(of: UInt8(ascii: "$")) {
      index = start + 1
      guard let end = righted[index...].firstIndex(where: { "*$\r\n".utf8.contains($0) }),
        righted[end] == UInt8(ascii: "*"), end + 2 < righted.count
      else { continue }
      let folded = righted[index..<end].reduce(0, ^)
      let digits = Array("0123456789ABCDEF".utf8)
      righted[end + 1] = digits[Int(folded >> 4)]
      righted[end + 2] = digits[Int(folded & 15)]
      index = end + 1
    }
    return righted
  }

  static func checkCSV(_ bytes: [UInt8]) throws(Finding) {
    let outcome = try outcome(of: bytes) { CSVFixDecoder() }
    // Comments, and what stands in front of the header, are no rows.
    guard outcome.error == nil, !bytes.contains(UInt8(ascii: "#")) else { return }
    let dialect = CSVDialect.recognize(bytes.span, isWhole: true, namesColumns: namesColumns)
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
    var fields: [String] = []
    for index in 0..<reader.fieldCount {
      fields.append("\"" + reader.string(index).replacing("\"", with: "\"\"") + "\"")
    }
    let line = Array(fields.joined(separator: ",").utf8)
    return outcome(of: line, in: [0..<line.count], CSVFixDecoder()).error == nil
  }

  static func checkJSONLines(_ bytes: [UInt8]) throws(Finding) {
    try checkMalformed(try outcome(of: bytes) { JSONLinesDecoder() }, bytes) { line in
      var reader = JSONFixReader()
      guard !JSONFixReader.isBlank(line.span) else { return false }
      var object = JSONFix()
      return (try? reader.read(line.span, into: &object)) == nil || !object.isObject
    }
  }

  static func checkGpsd(_ bytes: [UInt8]) throws(Finding) {
    let outcome = try outcome(of: bytes) { ReceiverDecoder(isGPSD: true) }
    // Behind a sentence, other lines are noise.
    guard !bytes.contains(UInt8(ascii: "$")), !bytes.contains(UInt8(ascii: "!")) else { return }
    try checkMalformed(outcome, bytes) { line in
      let text = line.drop { $0 == 0x20 || $0 == 0x09 }
      guard let start = text.firstIndex(of: UInt8(ascii: "{")) else { return !text.isEmpty }
      let object = Array(text[start...])
      let next = object.dropFirst().first { $0 != 0x20 && $0 != 0x09 }
      let isReport =
        start == text.startIndex
        ? next == nil || next == UInt8(ascii: "\"") || next == UInt8(ascii: "}")
        : object.starts(with: #"{"class""#.utf8)
      return !isReport || JSONLine(object) == .fault
    }
  }

  private static func checkMalformed(
    _ outcome: Outcome, _ bytes: [UInt8], _ isMalformed: ([UInt8]) -> Bool
  ) throws(Finding) {
    try demand(outcome.error == nil, "one bad line ended the reading")
    let malformed = lines(bytes).count(where: isMalformed)
    let told = outcome.count(.malformed)
    try demand(told == malformed, "\(malformed) lines are malformed, \(told) were told")
  }

  static func checkOwnTracks(_ bytes: [UInt8]) throws(Finding) {
    let outcome = try outcome(of: bytes) { OwnTracksDecoder() }
    try demand(outcome.error == nil, "one bad line ended the reading")
    let records = lines(bytes).count { JSONLine($0) != .other }
    let told = outcome.fixes.count + refusals(outcome)
    try demand(told == records, "of \(records) records \(told) became a fix or a rejection")
  }

  /// Feeds an archive, whose lines and bytes are those of its entries.
  static func checkArchive(_ bytes: [UInt8]) throws(Finding) {
    let whole = try demandSame(bytes, difference: Outcome.difference) { pieces in
      outcome(of: bytes, in: pieces, TrackDecoder())
    }
    for fix in whole.fixes { try FixRules.check(fix) }
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
    let whole = try demandSame(bytes, difference: Outcome.difference) { pieces in
      outcome(of: bytes, in: pieces, makeDecoder())
    }
    try FixRules.check(whole, of: bytes)
    return whole
  }

  private static func outcome<Decoder: FixDecoder & ~Copyable>(
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
      self = .other
      guard line.contains(where: { $0 != 0x20 && $0 != 0x09 }) else { return }
      var reader = JSONReader(
        limits: JSONReader.Limits(maximumDepth: 64, maximumTextBytes: 64 * 1024))
      reader.push(line.span)
      reader.finish()
      var isObject: Bool?
      var isType = false
      do throws(JSONError) {
        while let event = try reader.next() {
          if isObject == nil { isObject = event == .beginObject }
          guard reader.depth == 1, isObject == true else { continue }
          switch event {
          case .key: isType = reader.string == "_type"
          case .string where isType: self = reader.string == "location" ? .location : .other
          default: break
          }
        }
      } catch {
        self = .fault
      }
    }
  }
}
