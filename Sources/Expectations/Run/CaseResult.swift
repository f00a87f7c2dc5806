import FencepostFormats

/// What a case brought: one finding for each expectation.
package struct CaseResult: Sendable {
  package struct Finding: Sendable {
    package enum Outcome: String, Sendable {
      case passed, failed
      /// The interval of a probability still contains its bound at the most trials.
      case undecided
    }

    package var expectation: StoryExpectation
    package var outcome: Outcome
    /// What happened instead, without a final period; empty if it passed.
    package var found = ""
    /// What led to it, in up to three sentences.
    package var reasons: [String] = []
  }

  package var name: String
  /// Where the case stands in its document.
  package var path: String
  package var findings: [Finding]

  package var isPassed: Bool { findings.allSatisfy { $0.outcome == .passed } }
  package var failures: [Finding] { findings.filter { $0.outcome != .passed } }
}

/// The results of one file, with the line of each value in it.
package struct CaseSuite: Sendable {
  /// The file as the user wrote it.
  package var file: String
  package var results: [CaseResult]
  /// The document's lines, from 1, by ``JSONNode/path``.
  let lines: [String: Int]

  package init(file: String, results: [CaseResult], lines: [String: Int]) {
    (self.file, self.results, self.lines) = (file, results, lines)
  }
}

extension [String: Int] {
  /// The line of a value, or of what contains it where a table of parameters made it.
  package func line(of path: String) -> Int {
    var path = path[...]
    while self[String(path)] == nil, !path.isEmpty {
      path = path.dropLast()
      while let last = path.last, last != ".", last != "[" { path = path.dropLast() }
      path = path.dropLast()
    }
    return self[String(path)] ?? 1
  }
}
