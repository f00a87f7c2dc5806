import ArgumentParser
import FencepostMonitoring

/// `Benchmark micro`: each function that is called for every fix, in nanoseconds of CPU time.
struct MicroCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "micro", abstract: "Time the functions that are called for every fix.")
  @Option(help: "Where files may be made.") var folder: String
  @Option(help: "How many times each case runs.") var rounds = 7
  @Option(help: "Only cases whose name contains this.") var only: String?
  @Option(help: "text or ndjson.") var format = TableFormat.text

  func run() throws {
    let cases = try allCases().filter { subject in
      guard let only else { return true }
      return subject.name.contains(only)
    }
    var nanoseconds = cases.map { _ in [Double]() }
    var witness = 0.0
    for round in 1...max(1, rounds) {
      for (index, subject) in cases.enumerated() {
        Progress.show("round \(round) of \(rounds): \(subject.name)")
        let start = Clock.cpuNanoseconds
        let result = try subject.run()
        let spent = Double(Clock.cpuNanoseconds - start)
        nanoseconds[index].append(spent / Double(max(1, result.count)))
        witness += result.witness
      }
    }
    Progress.clear()
    guard witness.isFinite else { throw BenchmarkFailure("a function returned no number") }
    for (subject, times) in zip(cases, nanoseconds) { show(subject, times) }
  }

  private func show(_ subject: MicroCase, _ times: [Double]) {
    let median = times.quantile(0.5)
    let least = times.min() ?? .nan
    switch format {
    case .text:
      print(
        Column.left(subject.name, 48), Column.number(median, decimals: 2, 10), "ns a",
        subject.unit, "(least \(Column.number(least, decimals: 2, 0)))")
    case .ndjson:
      print(
        """
        {"case":"\(subject.name)","unit":"\(subject.unit)","nanoseconds":\(median),"least":\(least)}
        """)
    }
  }

  private func allCases() throws -> [MicroCase] {
    try GeodesyCases.all() + engineCases() + DecoderCases.all(folder: folder) + TextCases.all()
  }

  private func engineCases() -> [MicroCase] {
    let towns = [Town(isDense: false), Town(isDense: true)]
    var adaptive = MonitoringOptions()
    adaptive.refresh = .adaptive
    var oracle = MonitoringOptions()
    oracle.limit = nil
    let rules = [("fixed", MonitoringOptions()), ("adaptive", adaptive), ("oracle", oracle)]
    return towns.flatMap { town in
      Journey.Kind.allCases.flatMap { kind in
        rules.map { name, options in
          EngineScene(kind: kind, fixes: 100_000, rule: name, options: options, in: town).microCase
        }
      }
    }
  }
}
