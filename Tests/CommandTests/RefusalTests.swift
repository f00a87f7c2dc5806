import Foundation
import TestSupport
import Testing

/// Command lines that make no sense, and files that are not there, as `Data/commands/refused.jsonl` lists them.
@Suite("Command lines that are refused", .serialized)
struct RefusalTests {
  /// A command line and what it ends with.
  struct Refusal: Decodable, Sendable, CustomTestStringConvertible {
    var run: [String]
    var status: Int32
    /// What the sentence on standard error contains.
    var says: String

    var testDescription: String { run.map { String($0.prefix(80)) }.joined(separator: " ") }
  }

  /// A list that cannot be read refuses nothing, which the first test notices.
  private static let all: [Refusal] = {
    let list = Document.project.appendingPathComponent("Data/commands/refused.jsonl")
    let text = (try? String(contentsOf: list, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").compactMap {
      try? JSONDecoder().decode(Refusal.self, from: Data($0.utf8))
    }
  }()

  /// A walk, stories and a store of them, which all share because none of them may change anything.
  private static let field = Result {
    let field = try Fieldwork(tracks: 1)
    try FileManager.default.createSymbolicLink(
      at: field.scratch.url.appendingPathComponent("Data"),
      withDestinationURL: Document.project.appendingPathComponent("Data"))
    _ = try field.run(["places", "import", "places.csv", "--store", "s.sqlite"])
    return field
  }

  @Test("There are some of every command")
  func commands() throws {
    let known = try CommandHelp.all().map(\.commandName)
    #expect(Set(known).isSubset(of: Self.all.compactMap(\.run.first)))
  }

  @Test("Each ends with its status and a sentence, and writes nothing", arguments: all)
  func refused(refusal: Refusal) throws {
    let folder = try Self.field.get().scratch
    let result = try Command.run(refusal.run, isTyped: true, in: folder.url)
    #expect(result.status == refusal.status, "\(result.errors)")
    #expect(result.output.isEmpty)
    #expect(result.errors.hasPrefix("fencepost: ") && result.errors.contains(refusal.says))
    #expect(!result.errors.contains("s3cret"))
    let isUnknown = refusal.says.hasPrefix("Unknown option")
    #expect(!isUnknown || result.errors.contains("Usage: fencepost"))
    let files = try folder.names().filter { !$0.hasPrefix("s.sqlite") }
    #expect(files == ["Data", "places.csv", "tracks"])
  }
}
