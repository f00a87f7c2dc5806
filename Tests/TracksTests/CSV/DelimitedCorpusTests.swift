import FencepostTracks
import FencepostFiles
import FencepostTime
import FencepostFixes
import FencepostFormats
import Glibc
import Testing

/// Real files and the results of independent readers, which are not part of the project.
@Suite("The delimited files of the corpus", .enabled(if: Delimited.isThere, Corpus.comment))
struct DelimitedCorpusTests {
  @Test("are all there")
  func isWhole() {
    #expect(Delimited.files.count >= 25)
  }

  @Test("are read like independent readers do", arguments: Delimited.files)
  func agrees(file: String) throws {
    let facts = try #require(Delimited.reference[file])
    let bytes = try Delimited.bytes(#require(Delimited.folder) + "/" + file)
    let outcome = DecoderVerifier.verify(bytes, splits: 2) { CSVFixDecoder() }
    if facts["refusal_is_good"] == .boolean(true) {
      #expect(outcome.error != nil)
      return
    }
    #expect(outcome.error == nil)
    guard let choices = facts["compare"]?.array else {
      // A damaged file: no extra fixes, and nothing lost silently.
      let records = Int(try #require(facts["readers"]?["csv"]?["points"]?.double))
      #expect(outcome.fixes.count == records)
      return
    }
    let agrees = choices.contains { choice in
      let times = outcome.fixes.compactMap(\.timeMilliseconds)
      return outcome.fixes.count == choice["points"]?.double.map { Int($0) }
        && isOne(of: choice["first"], times.first) && isOne(of: choice["last"], times.last)
    }
    #expect(agrees, "\(outcome.fixes.count) fixes, \(outcome.times.first ?? "none")")
    let timed = facts["readers"]?["csv"]?["with_time"]?.double.map { Int($0) }
    let found = outcome.fixes.count { $0.timeMilliseconds != nil }
    // Those readers count rows that say themselves that they are no fix.
    let void = outcome.rejections.count { $0.reason == .void }
    #expect(found == timed || found + void == timed)
  }

  private func isOne(of choices: JSONValue?, _ milliseconds: Int64?) -> Bool {
    guard let choices = choices?.array, !choices.isEmpty else { return milliseconds == nil }
    return choices.contains { choice in
      guard case .string(let text) = choice else { return false }
      return ISO8601.milliseconds(parsing: text) == milliseconds
    }
  }
}

/// The folder of the files.
private enum Delimited {
  static let folder: String? = Corpus.folder.map { $0 + "/formats" }.flatMap {
    unsafe access($0 + "/reference.json", R_OK) == 0 ? $0 : nil
  }

  static let reference: [String: JSONValue] = {
    // If the reference is damaged, each test fails for lack of results.
    guard let folder, let bytes = try? bytes(folder + "/reference.json"),
      case .object(let members)? = try? JSONValue(parsing: bytes.span)
    else { return [:] }
    return Dictionary(members.map { ($0.key, $0.value) }) { first, _ in first }
  }()

  static let files = reference.keys.filter { $0.hasPrefix("delimited/") }.sorted()

  static func bytes(_ path: String) throws -> [UInt8] {
    var source = try ByteSource(path: path)
    var bytes: [UInt8] = []
    var chunk: [UInt8] = []
    while try source.read(into: &chunk) { bytes += chunk }
    return bytes
  }

  static var isThere: Bool { folder != nil }
}
