import ArgumentParser
import Glibc

/// `Benchmark run`: whole commands, several times in turns with their bounds.
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Time whole commands against their bounds.")
  @Option(help: "The built command.") var fencepost: String
  @Option(help: "Where the data is.") var folder: String
  @Option(help: "How many times each case runs.") var rounds = 5
  @Option(help: "How many fixes the tracks have.") var fixes = 1_000_000
  @Option(parsing: .upToNextOption, help: "How many places the stores have.")
  var places = [1_000_000]
  @Option(help: "Only cases whose name contains this, and their bounds.") var only: String?
  @Option(help: "text or ndjson.") var format = TableFormat.text

  func run() throws {
    let scene = WholeProcessCase.Scene(
      fencepost: fencepost, benchmark: CommandLine.arguments[0], folder: folder, fixes: fixes,
      places: places)
    var results = wanted(WholeProcessCase.all(in: scene)).map { CaseResult($0) }
    guard !results.isEmpty else { throw ValidationError("no case has that in its name") }
    for round in 1...max(1, rounds) {
      for index in results.indices where results[index].failedStatus == nil {
        let subject = results[index].subject
        Progress.show("round \(round) of \(rounds): \(subject.name)")
        for file in subject.removedFirst {
          // A file that is not there needs no removal.
          unsafe _ = unlink(file)
        }
        results[index].add(
          try ProcessRun(subject.arguments, wordsTo: "\(folder)/\(index).err"))
      }
    }
    Progress.clear()
    CaseTable(results: results, format: format).print()
    let failed = results.indices.filter { results[$0].failedStatus != nil }
    guard failed.isEmpty else {
      throw BenchmarkFailure(
        "what the failed cases said is in "
          + failed.map { "\(folder)/\($0).err" }.joined(separator: ", "))
    }
  }

  private func wanted(_ all: [WholeProcessCase]) -> [WholeProcessCase] {
    let chosen = all.filter { subject in
      guard let only else { return true }
      return subject.name.contains(only)
    }
    let bounds = Set(chosen.compactMap(\.bound))
    return all.filter { subject in
      chosen.contains { $0.name == subject.name } || bounds.contains(subject.name)
    }
  }
}

/// One line on standard error that says what is going on, where that is a terminal.
enum Progress {
  static func show(_ text: String) { write("\r\u{1B}[K\(text)") }
  static func clear() { write("\r\u{1B}[K") }

  private static func write(_ text: String) {
    guard isatty(STDERR_FILENO) == 1 else { return }
    let bytes = Array(text.utf8)
    // The count is that of the bytes.
    unsafe _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
  }
}
