import Foundation
import TestSupport
import Testing

/// Looks up types and functions in the text of the sources.
private struct SourceIndex {
  private var files: [String] = []

  init() throws {
    let sources = Document.project.appendingPathComponent("Sources")
    let names = try #require(FileManager.default.enumerator(atPath: sources.path))
    for case let name as String in names where name.hasSuffix(".swift") {
      files.append(
        try String(contentsOf: sources.appendingPathComponent(name), encoding: .utf8))
    }
  }

  /// Whether a type is declared.
  func declares(_ type: String) -> Bool {
    files.contains {
      $0.matches(of: /\b(struct|class|enum|actor|protocol|typealias) (\w+)/)
        .contains { $0.2 == type }
    }
  }

  /// Whether a function with these argument labels, as `a:b:`, is declared in a file that declares or extends
  /// the type.
  func declares(_ function: Substring, labels: Substring, of type: String) -> Bool {
    files.contains { text in
      text.contains("extension \(type)") || text.contains(" \(type)")
        ? text.ranges(of: function == "init" ? "init(" : "func \(function)(")
          .contains { Self.labels(in: text[$0.upperBound...]) == labels }
        : false
    }
  }

  /// The labels of a parameter list that begins behind its parenthesis.
  private static func labels(in text: Substring) -> String {
    var depth = 0
    var labels = ""
    var word = ""
    var isBeforeLabel = true
    for character in text {
      switch character {
      case ")" where depth == 0: return labels
      case "(", "[", "<": depth += 1
      case ")", "]", ">": depth -= 1
      case "," where depth == 0: (isBeforeLabel, word) = (true, "")
      case ":" where depth == 0 && isBeforeLabel:
        labels += (word.split(separator: " ").first ?? "") + ":"
        isBeforeLabel = false
      default: break
      }
      if character.isLetter || character.isNumber || character == "_" || character == " " {
        word.append(character)
      }
    }
    return labels
  }
}

@Suite("The architecture page")
struct ArchitectureTests {
  private func document(_ path: String) throws -> Document {
    try #require(Document.all.first { $0.path == path })
  }

  @Test(
    "names only types and functions that exist",
    arguments: [".github/ARCHITECTURE.md", ".github/CONTRIBUTING.md"])
  func names(path: String) throws {
    let index = try SourceIndex()
    var count = 0
    for match in try document(path).prose.matches(
      of: /`([A-Z]\w+)(?:\.([A-Z]\w+))?(?:\.(\w+)\(([\w:]*)\))?`/)
    {
      let owner = String(match.1)
      let folder = Document.project.appendingPathComponent("Sources/\(owner)").path
      guard !FileManager.default.fileExists(atPath: folder) || match.3 != nil else { continue }
      #expect(index.declares(owner), "\(match.0)")
      if let inner = match.2 { #expect(index.declares(String(inner)), "\(match.0)") }
      if let function = match.3, let labels = match.4 {
        #expect(index.declares(function, labels: labels, of: owner), "\(match.0)")
      }
      count += 1
    }
    #expect(count >= 10)
  }

  @Test("draws only types that exist")
  func drawing() throws {
    let index = try SourceIndex()
    let drawing = try String(
      contentsOf: Document.project.appendingPathComponent("Data/pictures/road.svg"),
      encoding: .utf8)
    let names = drawing.matches(of: /class="type"[^>]*>(\w+)</).map { String($0.1) }
    #expect(names.count >= 10)
    for name in names { #expect(index.declares(name), "\(name)") }
  }

  @Test("tells apart functions that exist from those that do not")
  func index() throws {
    let index = try SourceIndex()
    #expect(index.declares("TrackSession") && !index.declares("TrackSesion"))
    #expect(index.declares("take", labels: "_:emit:", of: "TrackSession"))
    #expect(!index.declares("take", labels: "_:omit:", of: "TrackSession"))
    #expect(!index.declares("took", labels: "_:emit:", of: "TrackSession"))
  }
}
