package import FencepostReporting

/// Writes the results of story tests.
///
/// Each format has its reader: people, servers that read JUnit's XML, and GitHub's annotations.
package struct CaseReport {
  /// The form of the report.
  ///
  /// The raw value is the name in options. JUnit's and GitHub's forms name the line of each failed
  /// expectation.
  package enum Format: String, CaseIterable, Sendable { case text, junit, github }

  private let suites: [CaseSuite]

  /// Reports the results of files in this order.
  package init(_ suites: [CaseSuite]) { self.suites = suites }

  private var count: Int { suites.reduce(0) { $0 + $1.results.count } }
  private var failedCount: Int {
    suites.reduce(0) { $0 + $1.results.count { !$0.isPassed } }
  }

  /// Whether every case of every file passed.
  package var isPassed: Bool { failedCount == 0 }

  /// Appends the report in one of its formats.
  package func write(_ format: Format, to output: inout OutputBuffer) {
    switch format {
    case .text: writeText(to: &output)
    case .junit: writeJUnit(to: &output)
    case .github: writeGitHub(to: &output)
    }
  }

  /// The numbers in a line: `12 cases: 11 passed, 1 failed`.
  private var summary: String {
    let passed = "\(count - failedCount) passed"
    return "\(ReportNumber.counted(count, "case")): \(passed), \(failedCount) failed"
  }

  // MARK: Text

  private func writeText(to output: inout OutputBuffer) {
    for suite in suites {
      output.append(verbatim: "\(suite.file.forTerminal)\n")
      for result in suite.results {
        let word = result.isPassed ? "passed" : "FAILED"
        output.append(verbatim: "  \(word)  \(result.name.forTerminal)\n")
        for line in result.failures.flatMap(suite.lines) {
          output.append(verbatim: "    \(line.forTerminal)\n")
        }
      }
    }
    output.append(verbatim: summary + "\n")
  }

  // MARK: JUnit

  /// In the form that Jenkins, GitLab and others read.
  private func writeJUnit(to output: inout OutputBuffer) {
    func counts(_ tests: Int, _ failures: Int) -> String {
      "tests=\"\(tests)\" failures=\"\(failures)\" errors=\"0\""
    }
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#, "<testsuites \(counts(count, failedCount))>",
    ]
    for suite in suites {
      let (file, failures) = (suite.file.xml, suite.results.count { !$0.isPassed })
      lines.append(#"<testsuite name="\#(file)" \#(counts(suite.results.count, failures))>"#)
      for result in suite.results {
        let line = suite.lines.line(of: result.path)
        lines.append(
          #"<testcase classname="\#(file)" name="\#(result.name.xml)" file="\#(file)" "#
            + #"line="\#(line)">"#)
        for finding in result.failures {
          lines.append(
            #"<failure type="\#(finding.outcome.rawValue)" message="\#(finding.sentence.xml)">"#
              + suite.lines(of: finding).joined(separator: "\n").xml + "</failure>")
        }
        lines.append("</testcase>")
      }
      lines.append("</testsuite>")
    }
    lines.append("</testsuites>\n")
    output.append(verbatim: lines.joined(separator: "\n"))
  }

  // MARK: GitHub

  /// As workflow commands, which GitHub shows beside the lines of the file.
  private func writeGitHub(to output: inout OutputBuffer) {
    for suite in suites {
      for result in suite.results {
        for finding in result.failures {
          let file = Self.escaped(suite.file, isProperty: true)
          let title = Self.escaped(result.name, isProperty: true)
          let message = Self.escaped(([finding.sentence] + finding.reasons).joined(separator: "\n"))
          output.append(
            verbatim: "::error file=\(file),line=\(suite.lines.line(of: finding.expectation.path)),"
              + "title=\(title)::\(message)\n")
        }
      }
    }
    output.append(verbatim: summary + "\n")
  }

  private static func escaped(_ text: String, isProperty: Bool = false) -> String {
    var escapes = [("%", "%25"), ("\r", "%0D"), ("\n", "%0A")]
    if isProperty { escapes += [(":", "%3A"), (",", "%2C")] }
    return escapes.reduce(text) { $0.replacing($1.0, with: $1.1) }
  }
}

extension CaseResult.Finding {
  var sentence: String {
    "Expected \(expectation), found \(found)." + (outcome == .undecided ? " Undecided." : "")
  }
}

extension CaseSuite {
  fileprivate func lines(of finding: CaseResult.Finding) -> [String] {
    var lines = [
      "line \(lines.line(of: finding.expectation.path)): expected \(finding.expectation)",
      "\(finding.outcome == .undecided ? "undecided" : "found"): \(finding.found)",
    ]
    lines += finding.reasons.enumerated().map { ($0.offset == 0 ? "why: " : "     ") + $0.element }
    return lines
  }
}
