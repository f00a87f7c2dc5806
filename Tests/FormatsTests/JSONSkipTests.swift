import FencepostFormats
import TestSupport
import Testing

@Suite("Skipping an array or object")
struct JSONSkipTests {
  /// What follows a place in a text: events with texts and positions, then the fault if there is one.
  private func rest(of reader: JSONReader) -> [String] {
    var reader = reader
    var seen: [String] = []
    do throws(JSONError) {
      while let event = try reader.next() {
        let text = [.key, .string, .number].contains(event) ? reader.string : ""
        let line = reader.currentLine()
        #expect(line == reader.line)
        seen.append("\(event) \(text) \(reader.byteOffset) \(line) \(reader.depth)")
      }
    } catch {
      seen.append("\(error)")
    }
    return seen
  }

  /// Skips each container of a text in turn, and counts those that were skipped.
  private func skips(_ text: [UInt8]) -> Int {
    var reader = JSONReader(limits: JSONReader.Limits(maximumDepth: 6, maximumTextBytes: 40))
    reader.push(text.span)
    reader.finish()
    var count = 0
    while let event = try? reader.next() {
      guard event == .beginObject || event == .beginArray else { continue }
      var skipping = reader
      guard skipping.skipContainer() else { continue }
      count += 1
      var reading = reader
      let depth = reader.depth
      while reading.depth >= depth {
        guard (try? reading.next()) != nil else {
          Issue.record("what was skipped cannot be read: \(String(decoding: text, as: UTF8.self))")
          return count
        }
      }
      #expect(skipping.depth == reading.depth && skipping.byteOffset == reading.byteOffset)
      #expect(rest(of: skipping) == rest(of: reading))
    }
    return count
  }

  private static let values = [
    "1", "-0.5", "0", "1e3", "01", "-", "1.", "\"a\"", "\"\\n\"", "\"é\"", "\"", "true", "false",
    "null", "nul", "",
    "\"a string that is longer than forty bytes, so no\"", "\u{1}",
  ]

  private func value(_ depth: Int, _ random: inout SplitMix64) -> String {
    let kind = Int.random(in: 0..<(depth < 5 ? 12 : 8), using: &random)
    let blank = [" ", "", "\n", "\t\r\n"].randomElement(using: &random) ?? ""
    guard kind >= 8 else {
      // Most are right.
      let choices =
        Int.random(in: 0..<10, using: &random) == 0
        ? Self.values[...] : ["1", "\"a\"", "-2.5", "null"]
      return blank + (choices.randomElement(using: &random) ?? "1") + blank
    }
    let items = (0..<Int.random(in: 0..<4, using: &random)).map { _ in
      (kind < 10 ? "" : "\"k\"\(blank):") + value(depth + 1, &random)
    }
    let comma = Int.random(in: 0..<40, using: &random) == 0 ? ",," : ","
    return kind < 10
      ? "[\(items.joined(separator: comma))\(blank)]"
      : "{\(blank)\(items.joined(separator: comma))}"
  }

  @Test("comes to the same as reading it, for any text", arguments: 0..<40 as Range<UInt64>)
  func same(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var count = 0
    for _ in 0..<200 { count += skips(Array("[\(value(0, &random)),\(value(1, &random))]".utf8)) }
    #expect(count > 50)
  }

  @Test("is left to the long way where the text is not all here")
  func incomplete() throws {
    var reader = JSONReader()
    reader.push(Array("{\"a\":[1,2".utf8).span)
    #expect(try reader.next() == .beginObject)
    let skipped = reader.skipContainer()
    #expect(!skipped)
    #expect(try reader.next() == .key)
  }
}
