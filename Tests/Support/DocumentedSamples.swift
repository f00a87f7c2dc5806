/// Code samples, as documents show them and as tests compile them.
package enum DocumentedSamples {
  /// The samples in Swift that a document shows.
  package static func shown(in document: String) -> [String] {
    var samples: [String] = []
    var sample: String?
    for line in document.split(separator: "\n", omittingEmptySubsequences: false) {
      if line == "```swift" {
        sample = ""
      } else if line == "```" {
        if let sample { samples.append(sample) }
        sample = nil
      } else {
        sample?.append("\(line)\n")
      }
    }
    return samples
  }

  /// The text between each line `// sample`, which may have a name behind it, and the next `// end`,
  /// without the indentation that all its lines share.
  package static func compiled(in source: String) -> [String] {
    var samples: [String] = []
    var lines: [Substring]?
    for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
      let text = line.drop { $0 == " " }
      if text == "// sample" || text.hasPrefix("// sample: ") {
        lines = []
      } else if text == "// end", let found = lines {
        let indentation = found.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min()
        samples.append(found.map { $0.dropFirst(indentation ?? 0) + "\n" }.joined())
        lines = nil
      } else {
        lines?.append(line)
      }
    }
    return samples
  }
}
