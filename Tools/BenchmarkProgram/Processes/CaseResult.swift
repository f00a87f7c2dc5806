/// The runs of a case, and what they come to.
struct CaseResult {
  let subject: WholeProcessCase
  private(set) var runs: [ProcessRun] = []

  init(_ subject: WholeProcessCase) { self.subject = subject }

  mutating func add(_ run: ProcessRun) { runs.append(run) }

  /// The status of the first run that did not end well, or nil.
  var failedStatus: Int32? { runs.lazy.map(\.status).first { $0 != 0 } }

  var cpuSeconds: Double { runs.map(\.cpuSeconds).quantile(0.5) }
  var wallSeconds: Double { runs.map(\.wallSeconds).quantile(0.5) }
  var peakBytes: Int { runs.map(\.peakBytes).max() ?? 0 }

  /// Fixes, places or starts in a second of CPU time, or of time where that is what counts.
  var countPerSecond: Double {
    Double(subject.count) / (subject.isWall ? wallSeconds : cpuSeconds)
  }

  /// Median over the rounds of how many times the bound's time it took.
  func ratio(to bound: CaseResult) -> Double {
    zip(runs, bound.runs).map { run, least in
      subject.isWall
        ? run.wallSeconds / least.wallSeconds : run.cpuSeconds / least.cpuSeconds
    }.quantile(0.5)
  }
}
