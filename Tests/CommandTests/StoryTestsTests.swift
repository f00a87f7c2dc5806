import Foundation
import TestSupport
import Testing

/// The sample repository of stories, `Data/cases`.
private let sample = Document.project.appendingPathComponent("Data/cases")

@Suite("fencepost test")
struct StoryTestsTests {
  private static let file = """
    # A gate on a street.
    places:
      - {id: gate, lat: 40, lon: -74.99766, radius: 50}
    cases:
      - name: street
        track: {points: [[40, -75], [40, -74.9883]], start: 2026-03-04T17:00Z}
        expect:
          - {alert: gate, between: [17:01, 17:02]}
          - at-most: 1

    """
  private static let failing = file.replacing("17:01, 17:02", with: "18:01, 18:02")

  @Test("passes the sample")
  func passesSample() throws {
    let path = sample.appendingPathComponent("cases.yaml").path
    let result = try Command.run(["test", path])
    #expect(result.status == 0, "\(result.output)")
    #expect(result.output.hasSuffix("7 cases: 7 passed, 0 failed\n"))
  }

  @Test("exits with 1 if a case fails, and 65 if a file is wrong, which wins")
  func statuses() throws {
    let scratch = try Scratch()
    let good = try scratch.write("good.yaml", Self.file)
    let failing = try scratch.write("failing.yaml", Self.failing)
    let wrong = try scratch.write("wrong.yaml", Self.file.replacing("at-most", with: "at-mst"))
    #expect(try Command.run(["test", good]).status == 0)
    let failed = try Command.run(["test", good, failing])
    #expect(failed.status == 1 && failed.output.hasSuffix("2 cases: 1 passed, 1 failed\n"))
    let both = try Command.run(["test", failing, wrong])
    #expect(both.status == 65 && both.output.contains("FAILED"))
    #expect(try Command.run(["test", good, "--watch", "--record"]).status == 64)
    #expect(try Command.run(["test", "none.yaml"]).status == 66)
  }

  @Test("leaves an older report as it is if no file could be read")
  func keepsReport() throws {
    let scratch = try Scratch()
    try scratch.write("wrong.yaml", Self.file.replacing("at-most", with: "at-mst"))
    try scratch.write("report.xml", "older")
    let arguments = ["test", "wrong.yaml", "--format", "junit", "-o", "report.xml"]
    #expect(try Command.run(arguments, in: scratch.url).status == 65)
    #expect(try scratch.text("report.xml") == "older")
  }

  @Test(
    "names file, line and key of what is wrong",
    arguments: [
      ("at-most: 1", "at-most: few", "line 9: cases[0].expect[1].at-most: expected a whole number"),
      ("name: street", "nam: street", "line 5: cases[0].nam: “nam” is unknown here; use name"),
      ("cases:", "rules: {limt: 3}\ncases:", "line 4: no option “limt”. Did you mean"),
      ("cases:", "rules: {limit: no}\ncases:", "line 4: The value 'no' is invalid for '--limit"),
      ("cases:", "rules: none.yaml\ncases:", "none.yaml: no such file"),
      ("cases:", "rules: {store: x}\ncases:", "line 4: rules.store: is an option of other"),
      ("cases:", "rules: {rules: x}\ncases:", "line 4: no option “rules”"),
      ("cases:", "rules: {profile: nokia}\ncases:", "nokia: no such file"),
      ("cases:", "rules: {reminders: r.json}\ncases:", "line 4: rules.reminders: "),
      ("{points", "walk.gpx #", "walk.gpx: no such file"),
      ("{alert: gate", "{alert: gate, alert: b", "line 8: alert is given twice"),
    ])
  func faults(old: String, new: String, sentence: String) throws {
    let scratch = try Scratch()
    let path = try scratch.write("cases.yaml", Self.file.replacing(old, with: new))
    let result = try Command.run(["test", path])
    #expect(result.status == 65 || sentence.hasPrefix("none"), "\(result)")
    #expect(result.errors.contains(sentence), "\(result.errors)")
    #expect(result.output.isEmpty)
  }

  @Test(
    "refuses a file that is empty or something else",
    arguments: [
      ("", "the file is empty"), ("# nothing\n", "the file is empty"),
      ("hello\n", "line 1: the document: expected an object, found a string"),
      ("- a\n", "line 1: the document: expected an object, found an array"),
      ("places: [\n", "line 2: "), ("\tplaces: x\n", "line 1: "), ("a: \u{0}\n", "cases.yaml"),
      ("id,title,lat,lon\na,A,40,-75\n", "line 1: the document: expected an object"),
    ])
  func others(text: String, sentence: String) throws {
    let scratch = try Scratch()
    let result = try Command.run(["test", try scratch.write("cases.yaml", text)])
    #expect(result.status == 65 && result.output.isEmpty)
    #expect(result.errors.contains("cases.yaml") && result.errors.contains(sentence), "\(result)")
  }

  @Test("reads the same from JSON")
  func json() throws {
    let scratch = try Scratch()
    let path = try scratch.write(
      "cases.json",
      """
      {"places": [{"id": "gate", "lat": 40, "lon": -74.99766, "radius": "50m"}],
       "cases": [{"name": "street",
         "track": {"points": [[40, -75], [40, -74.9883]], "start": "2026-03-04T17:00Z"},
         "expect": [{"alert": "gate", "between": ["17:01", "17:02"]}]}]}
      """)
    #expect(try Command.run(["test", path]).output.hasSuffix("1 case: 1 passed, 0 failed\n"))
  }

  @Test("does not follow aliases without end")
  func aliases() throws {
    let scratch = try Scratch()
    var text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
    for level in 1...9 {
      let inner = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
      text += "a\(level): &a\(level) [\(inner)]\n"
    }
    let result = try Command.run(["test", try scratch.write("bomb.yaml", text)])
    #expect(result.status == 65 && result.errors.contains("the document is too large"))
  }

  @Test(
    "refuses what is nested without end, or repeats itself",
    arguments: [
      ("places: ", "[", 1_000_000, "line 1: values are nested too deeply"),
      ("places:\n  ", "{a: ", 1_000_000, "line 2: values are nested too deeply"),
      ("", "- ", 1_000_000, "line 1: values are nested too deeply"),
      ("", "? ", 1_000_000, "line 1: values are nested too deeply"),
      ("a: &a [x]\nb: ", "[*a, ", 500_000, "line 2: values are nested too deeply"),
      ("", "%TAG !a! b\n", 500_000, "line 101: there are too many %TAG lines"),
      ("#\r\n", "%TAG !a! b\r\n", 200_000, "line 102: there are too many %TAG lines"),
      ("#\r#\u{85}", "%TAG !a! b\u{85}", 200_000, "line 103: there are too many %TAG lines"),
      ("", "%TAG !a! b\u{2028}#\u{2029}", 200_000, "line 201: there are too many %TAG lines"),
      ("#\u{85}#\u{2028}#\u{2029}a: b\nc: ", "[", 1, "line 6: "),
      ("", "- &a x\n- *a\n", 100_000, "line 1: the document"),
      ("a: &a [*a]\n", "", 0, "line 1: found undefined alias"),
      (
        "? \(String(repeating: "n", count: 500_000))\n:\n", "  - x\n", 500_000,
        "the document is too large"
      ),
    ])
  func endless(start: String, piece: String, count: Int, sentence: String) throws {
    let scratch = try Scratch()
    // With each level or anchor compared with all before it, this would take hours.
    let text = start + String(repeating: piece, count: count)
    let result = try Command.run(["test", try scratch.write("deep.yaml", text)])
    #expect(result.status == 65 && result.errors.contains(sentence), "\(result.errors.prefix(300))")
  }

  @Test("reads anchors and aliases of all kinds")
  func anchors() throws {
    let scratch = try Scratch()
    let path = try scratch.write(
      "cases.yaml",
      """
      places: [{id: &id gate, lat: 40, lon: &lon -74.99766, radius: 50m}]
      cases:
        - name: street
          track: {points: &points [[40, -75], [40, -74.9883]], start: &start 2026-03-04T17:00Z}
          expect: &expected [{alert: *id, between: ["17:01", "17:02"]}]
        - name: again
          track: {points: *points, start: *start}
          expect: *expected
      """)
    #expect(try Command.run(["test", path]).output.hasSuffix("2 cases: 2 passed, 0 failed\n"))
  }

  @Test(
    "records what the next run passes",
    arguments: ["walk.nmea", "standstill.gpx"])
  func record(track: String) throws {
    let scratch = try Scratch()
    let file = try scratch.write(
      "walks.yaml",
      """
      places: \(LiveSample.places)
      rules: {time-zone: America/New_York}
      cases:
        - name: "recorded: \(track)"
          track: \(LiveSample.path(track))

      """)
    let recorded = try Command.run(["test", file, "--record"])
    #expect(recorded.status == 0, "\(recorded.errors)")
    let again = try Command.run(["test", try scratch.write("cases.yaml", recorded.output)])
    #expect(again.status == 0, "\(again.output)\(again.errors)\(recorded.output)")
  }

  @Test("writes a recorded title behind its own expectation, whatever stands before it")
  func recordedTitles() throws {
    let scratch = try Scratch()
    let file = try scratch.write(
      "walks.yaml",
      """
      # A line that ends with NEL.\u{85}places:
        - {id: fort, title: Fort, lat: 40, lon: 2.001}
        - {id: fort-mifflin, title: "Fort\\u0001 Mifflin", lat: 40, lon: 2.01}
        - {id: "fort's", title: "Fort's \\u2028 # gate", lat: 40, lon: 2.02}
      rules: {cooldown: none, time-zone: UTC}
      cases:
        - name: "kept: - {alert: fort}"
          track: {points: [[40, 2.03], [40, 2.04]], speed: 1m/s, start: 2026-03-04T16:00Z}
          expect:
            - {no-alert: fort}
            - {no-alert: "fort's"}
        - name: recorded
          track: {points: [[40, 2.03], [40, 1.99]], speed: 1m/s, start: 2026-03-04T17:00Z}

      """)
    let recorded = try Command.run(["test", file, "--record"])
    #expect(recorded.status == 0, "\(recorded.errors)")
    let lines = recorded.output.split(separator: "\n")
    #expect(lines.filter { $0.contains("no-alert") }.allSatisfy { !$0.contains("#") })
    let alerts = lines.filter { $0.drop { $0 == " " }.hasPrefix("- {alert") }
    let titles = alerts.map { $0.split(separator: "}", maxSplits: 1).last.map(String.init) }
    #expect(
      titles == ["  # Fort's   # gate", "  # Fort Mifflin", "  # Fort"], "\(recorded.output)")
    let again = try Command.run(["test", try scratch.write("again.yaml", recorded.output)])
    #expect(again.status == 0, "\(again.output)\(again.errors)")
  }

  @Test("runs again when a file of rules changes that was wrong")
  func watchRules() throws {
    let scratch = try Scratch()
    let rules = try scratch.write("rules.yaml", "limt: 3\n")
    let file = Self.file.replacing("cases:", with: "rules: \(rules)\ncases:")
    let path = try scratch.write("cases.yaml", file)
    let process = try LiveProcess(nil, ["test", path, "--watch"])
    try process.wait("it did not report the fault") { $0.errorText.contains("limt") }
    try scratch.write("rules.yaml", "limit: 3\n")
    try process.wait("it did not run again") { $0.outputText.contains("1 passed") }
    try process.stop()
  }

  @Test("runs again when a file changes")
  func watch() throws {
    let scratch = try Scratch()
    let path = try scratch.write("cases.yaml", Self.file)
    let process = try LiveProcess(nil, ["test", path, "--watch"])
    try process.wait("it did not run") { $0.outputText.contains("1 passed") }
    try scratch.write("cases.yaml", Self.failing)
    try process.wait("it did not run again") { $0.outputText.contains("0 passed, 1 failed") }
    try scratch.write("cases.yaml", Self.file.replacing("at-most", with: "at-mst"))
    try process.wait("it did not report the fault") { $0.errorText.contains("at-mst") }
    try scratch.write("cases.yaml", Self.file.replacing("street", with: "road"))
    try process.wait("it did not go on") { $0.outputText.contains("passed  road") }
    try process.stop()
  }
}

/// The sample's workflow and hook, in a repository of their own.
@Suite("A repository of stories")
struct StoryRepositoryTests {
  /// A folder with the sample as a repository, and programs that stand in for the system's.
  private func repository() throws -> Scratch {
    let scratch = try Scratch()
    for name in try FileManager.default.contentsOfDirectory(atPath: sample.path) {
      try FileManager.default.copyItem(
        at: sample.appendingPathComponent(name), to: scratch.url.appendingPathComponent(name))
    }
    for command in ["init -q", "config user.name t", "config user.email t@example.org", "add ."] {
      #expect(try shell("git \(command)", in: scratch).status == 0)
    }
    try FileManager.default.createDirectory(
      at: scratch.url.appendingPathComponent("bin"), withIntermediateDirectories: true)
    // Nothing is installed here: the built program is already in the path.
    _ = try scratch.writeProgram("bin/apt-get", "#!/bin/sh\necho apt-get \"$@\"\n")
    return scratch
  }

  private func shell(
    _ script: String, in scratch: Scratch
  ) throws -> (status: Int32, output: String) {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let products = Command.executable.deletingLastPathComponent().path
    // As GitHub runs a step.
    let process = try LiveProcess(
      "bash", ["-eo", "pipefail", "-c", "exec 2>&1\n" + script], in: scratch.url,
      environment: ["PATH": "\(scratch.path("bin")):\(products):\(path)"])
    return (try process.end(), process.outputText)
  }

  /// The scripts of a workflow's steps, in order.
  private func steps(of workflow: String) -> [String] {
    var scripts: [String] = []
    var depth: Int?
    for line in workflow.split(separator: "\n", omittingEmptySubsequences: false) {
      let indent = line.prefix { $0 == " " }.count
      if let known = depth, indent > known || line.isEmpty {
        scripts[scripts.count - 1] += line.dropFirst(known + 2) + "\n"
        continue
      }
      depth = nil
      guard let found = line.firstMatch(of: /^ *(- )?run: (.*)$/) else { continue }
      scripts.append(found.2 == "|" ? "" : String(found.2))
      if found.2 == "|" { depth = indent }
    }
    return scripts
  }

  @Test("passes the steps of its workflow, and fails them when a story moves")
  func workflow() throws {
    let scratch = try repository()
    let steps = steps(of: try scratch.text("stories.yml"))
    #expect(steps.count == 2)
    let results = try steps.map { try shell($0, in: scratch) }
    #expect(results.map(\.status) == [0, 0], "\(results)")
    #expect(results[0].output.contains("apt-get install -y ./fencepost_"))
    #expect(results[1].output == "7 cases: 7 passed, 0 failed\n")
    let stories = try scratch.text("stories.csv").replacing("39.94888", with: "39.95888")
    try scratch.write("stories.csv", stories)
    let failed = try shell(steps[1], in: scratch)
    #expect(failed.status == 1)
    #expect(failed.output.hasPrefix("::error file=cases.yaml,line="))
  }

  @Test("refuses a commit whose stories fail, whatever lies in the folder")
  func hook() throws {
    let scratch = try repository()
    _ = try scratch.writeProgram(".git/hooks/pre-commit", scratch.text("pre-commit"))
    let first = try shell("git commit -qm first", in: scratch)
    #expect(first.status == 0 && first.output.contains("7 passed"), "\(first)")
    let stories = try scratch.text("stories.csv")
    try scratch.write("stories.csv", stories.replacing("39.94888", with: "39.95888"))
    #expect(try shell("git add . && git commit -qm moved", in: scratch).status == 1)
    try scratch.write("stories.csv", stories)
    // Mended in the folder, but not in what would be committed.
    #expect(try shell("git commit -qm moved", in: scratch).status == 1)
    #expect(try shell("git log --oneline | wc -l", in: scratch).output == "1\n")
  }
}
