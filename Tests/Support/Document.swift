package import Foundation

/// A Markdown file of the project: the README, a guide, an article.
package struct Document: CustomStringConvertible, Sendable {
  /// A command behind `$ ` in a console block, and what the block shows that it prints.
  package struct Example: Sendable {
    package var command: String
    package var output: String
  }

  /// Relative to the project's folder.
  package var path: String
  package var text: String

  package var description: String { path }

  /// The project's folder.
  package static let project = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// Every Markdown file of the project, by path.
  package static let all: [Document] = {
    var paths = ["README.md"]
    for folder in [".github", "Sources", "Data", "Tools"] {
      let files = FileManager.default.enumerator(atPath: project.path + "/" + folder)
      while let name = files?.nextObject() as? String {
        if name.hasSuffix(".md") { paths.append("\(folder)/\(name)") }
      }
    }
    return paths.sorted().map { path in
      // A file that cannot be read shows nothing; the tests count what they expect to be shown.
      let text = try? String(contentsOf: project.appendingPathComponent(path), encoding: .utf8)
      return Document(path: path, text: text ?? "")
    }
  }()

  /// The examples of the console blocks, in order: they build on one another.
  package var examples: [Example] {
    var examples: [Example] = []
    for line in lines(ofBlocks: "console") {
      if line.hasPrefix("$ ") {
        examples.append(Example(command: String(line.dropFirst(2)), output: ""))
      } else if !examples.isEmpty {
        examples[examples.count - 1].output += line + "\n"
      }
    }
    return examples
  }

  /// The text without code blocks.
  package var prose: String { lines(ofBlocks: nil).joined(separator: "\n") }

  /// The lines within blocks of a language, or outside of all blocks.
  private func lines(ofBlocks language: String?) -> [Substring] {
    var found: [Substring] = []
    var current: String?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        current = current == nil ? String(line.dropFirst(3)) : nil
      } else if current == language {
        found.append(line)
      }
    }
    return found
  }

  /// The anchors by which a code host links to the headings.
  package var anchors: Set<String> {
    Set(
      prose.split(separator: "\n").filter { $0.hasPrefix("#") }.map { heading in
        String(
          heading.drop { $0 == "#" }.dropFirst().lowercased()
            .filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_" }
            .map { $0 == " " ? "-" : $0 })
      })
  }
}
