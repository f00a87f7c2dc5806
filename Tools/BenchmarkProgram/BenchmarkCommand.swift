import ArgumentParser

/// The parts of `Tools/benchmark`.
@main
struct BenchmarkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "Benchmark", abstract: "Measure what Fencepost costs.",
    subcommands: [
      GenerateCommand.self, RunCommand.self, MicroCommand.self, NearestCommand.self,
      IndexCommand.self, GeodesicsCommand.self,
      BoundCommand.self, DecodeCommand.self, WorkCommand.self,
    ])
}
