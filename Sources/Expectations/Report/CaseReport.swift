package import FencepostReporting

/// Writes the results of story tests.
package struct CaseReport {
  package enum Format: String, CaseIterable, Sendable {
    case text, junit, tap, github
  }

  private let suites: [CaseSuite]

  /// Creates a report on files in the order given.
  package init(_ suites: [CaseSuite]) { self.suites = suites }

  private var count: Int { suites.reduce(0) { $0 + $1.results.count } }
  private var failedCount: Int {
    suites.reduce(0) { $0 + $1.results.count { !$0.isPassed } }
  }

  package var isPassed: Bool { failedCount == 0 }

  package func write(_ format: Format, to output: inout OutputBuffer) {
    switch format {
    case .text: writeText(to: &output)
    case .junit: writeJUnit(to: &output)
    case .tap: writeTAP(to: &output)
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
        for finding in result.failures {
          for line in suite.lines(of: finding) {
            output.append(verbatim: "    \(line.forTerminal)\n")
          }
        }
      }
    }
    output.append(verbatim: summary + "\n")
  }

  // MARK: JUnit

  /// In the form that Jenkins, GitLab and others read.
  private func writeJUnit(to output: inout OutputBuffer) {
    func attributes(_ tests: Int, _ failures: Int) -> String {
      "tests=\"\(tests)\" failures=\"\(failures)\" errors=\"0\""
    }
    output.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
    output.append(verbatim: "<testsuites \(attributes(count, failedCount))>\n")
    for suite in suites {
      output.append("<testsuite name=\"")
      output.append(xml: suite.file)
      let failures = suite.results.count { !$0.isPassed }
      output.append(verbatim: "\" \(attributes(suite.results.count, failures))>\n")
      for result in suite.results {
        output.append("<testcase classname=\"")
        output.append(xml: suite.file)
        output.append("\" name=\"")
        output.append(xml: result.name)
        output.append("\" file=\"")
        output.append(xml: suite.file)
        output.append(verbatim: "\" line=\"\(suite.line(of: result.path))\"")
        output.append(result.isPassed ? "/>\n" : ">\n")
        for finding in result.failures {
          output.append(verbatim: "<failure type=\"\(finding.outcome.rawValue)\" message=\"")
          output.append(xml: finding.sentence)
          output.append("\">")
          output.append(xml: suite.lines(of: finding).joined(separator: "\n"))
          output.append("</failure>\n")
        }
        if !result.isPassed { output.append("</testcase>\n") }
      }
      output.append("</testsuite>\n")
    }
    output.append("</testsuites>\n")
  }

  // MARK: TAP

  /// In version 14 of the Test Anything Protocol.
  private func writeTAP(to output: inout OutputBuffer) {
    output.append(verbatim: "TAP version 14\n1..\(count)\n")
    var number = 0
    for suite in suites {
      for result in suite.results {
        number += 1
        let name = result.name.forTerminal.replacing("\\", with: "\\\\")
          .replacing("#", with: "\\#")
        output.append(verbatim: "\(result.isPassed ? "ok" : "not ok") \(number) - \(name)\n")
        guard !result.isPassed else { continue }
        output.append("  ---\n  file: ")
        output.append(json: suite.file)
        output.append(verbatim: "\n  line: \(suite.line(of: result.path))\n  failures:\n")
        for finding in result.failures {
          output.append("    - ")
          output.append(json: suite.lines(of: finding).joined(separator: "\n"))
          output.append("\n")
        }
        output.append("  ...\n")
      }
    }
  }

  // MARK: GitHub

  /// As workflow commands, which GitHub shows beside the lines of the file.
  private func writeGitHub(to output: inout OutputBuffer) {
    for suite in suites {
      for result in suite.results {
        for finding in result.failures {
          let file = Self.escaped(suite.file, isProperty: true)
          let title = Self.escaped(result.name, isProperty: true)
          let message = Self.escaped(
            ([finding.sentence] + finding.reasons).joined(separator: "\n"), isProperty: false)
          output.append(
            verbatim: "::error file=\(file),line=\(suite.line(of: finding.expectation.path)),"
              + "title=\(title)::\(message)\n")
        }
      }
    }
    output.append(verbatim: summary + "\n")
  }

  private static func escaped(_ text: String, isProperty: Bool) -> String {
    var escapes = [("%", "%25"), ("\r", "%0D"), ("\n", "%0A")]
    if isProperty { escapes += [(":", "%3A"), (",", "%2C")] }
    return escapes.reduce(text) { $0.replacing($1.0, with: $1.1) }
  }
}

extension CaseResult.Finding {
  fileprivate var sentence: String {
    "Expected \(expectation), found \(found)." + (outcome == .undecided ? " Undecided." : "")
  }
}

extension CaseSuite {
  fileprivate func lines(of finding: CaseResult.Finding) -> [String] {
    var lines = [
      "line \(line(of: finding.expectation.path)): expected \(finding.expectation)",
      "\(finding.outcome == .undecided ? "undecided" : "found"): \(finding.found)",
    ]
    lines += finding.reasons.enumerated().map { ($0.offset == 0 ? "why: " : "     ") + $0.element }
    return lines
  }
}
