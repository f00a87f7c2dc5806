import FencepostFiles
import FencepostFixes
import FencepostFormats
import FencepostTime
import Glibc
import Testing

/// Real files in many formats and the results of independent readers, which are not part of the project.
enum FormatCorpus {
  static let folder: String? = Corpus.folder.map { $0 + "/formats" }.flatMap {
    unsafe access($0 + "/reference.json", R_OK) == 0 ? $0 : nil
  }

  static var isThere: Bool { folder != nil }

  static let reference: [String: JSONValue] = {
    // If the reference is damaged, each test fails for lack of results.
    guard let bytes = try? bytes("reference.json"),
      case .object(let members)? = try? JSONValue(parsing: bytes.span)
    else { return [:] }
    return Dictionary(members.map { ($0.key, $0.value) }) { first, _ in first }
  }()

  /// The files of the folders.
  static func files(_ folders: String...) -> [String] {
    reference.keys.filter { file in folders.contains { file.hasPrefix($0 + "/") } }.sorted()
  }

  static func bytes(_ file: String) throws -> [UInt8] {
    var source = try ByteSource(path: #require(folder) + "/" + file)
    var bytes: [UInt8] = []
    var chunk: [UInt8] = []
    while try source.read(into: &chunk) { bytes += chunk }
    return bytes
  }

  /// Whether an outcome has the number of fixes and the first and last time of one of the reference's choices.
  static func agrees(_ outcome: Outcome, _ facts: JSONValue) -> Bool {
    let times = outcome.fixes.compactMap(\.timeMilliseconds)
    return (facts["compare"]?.array ?? []).contains { choice in
      let least = choice["points"]?.integer ?? -1
      let most = choice["at_most"]?.integer ?? least
      return (least...most).contains(outcome.fixes.count)
        && isOne(of: choice["first"], times.first) && isOne(of: choice["last"], times.last)
    }
  }

  private static func isOne(of choices: JSONValue?, _ milliseconds: Int64?) -> Bool {
    guard let choices = choices?.array, !choices.isEmpty else { return true }
    return choices.contains { choice in
      choice.string.flatMap { ISO8601.milliseconds(parsing: $0) } == milliseconds
    }
  }
}
