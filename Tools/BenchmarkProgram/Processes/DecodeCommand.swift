import FencepostTracks
import ArgumentParser
import FencepostFixes

/// `Benchmark decode`: reads fixes and does nothing with them, as a process of its own.
struct DecodeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "decode", abstract: "Read the fixes of tracks, hygiene included.")
  @Argument(help: "The tracks.") var files: [String]

  func run() throws {
    for file in files {
      var reader = try FixReader(path: file)
      var batch = FixBatch()
      while try reader.read(into: &batch) {}
      print(reader.acceptedCount)
    }
  }
}
