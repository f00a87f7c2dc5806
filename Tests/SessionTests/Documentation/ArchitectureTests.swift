import Foundation
import TestSupport
import Testing

/// Looks up types and functions in the text of the sources.
private struct SourceIndex {
  private var types: Set<Substring> = []
  /// As bytes, which are searched quickly in a debug build, too.
  private var files: [Data] = []

  init() throws {
    let sources = Document.project.appendingPathComponent("Sources")
    let names = try #require(FileManager.default.enumerator(atPath: sources.path))
    for case let name as String in names where name.hasSuffix(".swift") {
      files.append(try Data(contentsOf: sources.appendingPathComponent(name)))
    }
    let kinds = "(struct|class|enum|actor|protocol|typealias)"
    let grep = Process()
    grep.executableURL = URL(fileURLWithPath: "/bin/grep")
    grep.arguments = [
      "-rhoE", "--include=*.swift", "\\b\(kinds) [A-Za-z_0-9]+", sources.path,
    ]
    let output = Pipe()
    grep.standardOutput = output
    try grep.run()
    let found = String(
      decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    grep.waitUntilExit()
    types = Set(found.split(separator: "\n").compactMap { $0.split(separator: " ").last })
  }

  /// Whether a type is declared.
  func declares(_ type: String) -> Bool { types.contains(type[...]) }

  /// Whether a function with these argument labels, as `a:b:`, is declared in a file that names the type.
  func declares(_ function: Substring, labels: Substring, of type: String) -> Bool {
    let head = Data((function == "init" ? "init(" : "func \(function)(").utf8)
    return files.contains { file in
      guard file.range(of: Data(" \(type)".utf8)) != nil else { return false }
      var rest = file[...]
      while let found = rest.range(of: head) {
        rest = rest[found.upperBound...]
        let list = String(decoding: rest.prefix(2000), as: UTF8.self)
        if Self.labels(in: list[...]) == labels { return true }
      }
      return false
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

  /// Whether a word is the name of a floor, of a module in code, or of its folder.
  private func isModule(_ word: String) -> Bool {
    let folder = word.replacing(/^Fencepost(?=.)/, with: "")
    return ["", "Core/", "Input/", "Use/", "Faces/", "System/"].contains { floor in
      let path = Document.project.appendingPathComponent("Sources/\(floor)\(folder)").path
      return FileManager.default.fileExists(atPath: path)
    }
  }

  @Test(
    "names only types and functions that exist",
    arguments: ["Sources/README.md", ".github/CONTRIBUTING.md"])
  func names(path: String) throws {
    let index = try SourceIndex()
    var count = 0
    for match in try document(path).prose.matches(
      of: /`([A-Z]\w+)(?:\.([A-Z]\w+))?(?:\.(\w+)\(([\w:]*)\))?`/)
    {
      let owner = String(match.1)
      guard !isModule(owner) || match.3 != nil else { continue }
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

  @Test("distinguishes functions that exist from those that do not")
  func index() throws {
    let index = try SourceIndex()
    #expect(index.declares("TrackSession") && !index.declares("TrackSesion"))
    #expect(index.declares("follow", labels: "_:emit:", of: "TrackSession"))
    #expect(!index.declares("follow", labels: "_:omit:", of: "TrackSession"))
    #expect(!index.declares("followed", labels: "_:emit:", of: "TrackSession"))
  }
}
