import Foundation
import Testing

/// A readable table of reference values: a line a case, numbers between blanks, `#` starts a
/// comment.
struct ReferenceTable {
  /// The fields of each case, and the line it stands on.
  let cases: [(line: Int, fields: [Double])]

  init(_ name: String) throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let text = try String(
      contentsOf: folder.appending(path: "Reference/\(name)"), encoding: .utf8)
    var cases: [(line: Int, fields: [Double])] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let data = line.prefix { $0 != "#" }
      // A dash stands for what is not checked.
      let fields = data.split(separator: " ").map { $0 == "-" ? .nan : Double($0) }
      if fields.isEmpty { continue }
      cases.append((index + 1, try fields.map { try #require($0, "line \(index + 1)") }))
    }
    self.cases = cases
  }
}
