import FencepostAnalysis
import ArgumentParser
import Fencepost
import Glibc
import FencepostPlaces
import FencepostReporting

/// `Benchmark work`: what the commands do, on one thread, so that valgrind can count it.
///
/// The commands themselves end their first thread when they start, with a system call that valgrind
/// 3.19 does not survive.
struct WorkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "work", abstract: "Do a command's work on one thread.",
    subcommands: [ReplayTrack.self, ImportPlaces.self])

  /// The work of `fencepost replay`.
  struct ReplayTrack: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "replay", abstract: "Replay a track.")
    @Option(help: "The store.") var store: String
    @Argument(help: "The track.") var track: String

    func run() throws {
      let source = StoreSource(reader: try PlaceStore(path: store).makeReader())
      let writer = NDJSONWriter()
      var buffer = OutputBuffer(capacity: 1 << 16)
      var bytes = 0
      let observer = Replay.Observer { event in
        guard EventSelection.standard.includes(event) else { return }
        writer.write(event, to: &buffer)
        guard buffer.count > 60_000 else { return }
        bytes += buffer.count
        buffer.removeAll()
      }
      let outcome = try Replay().run(path: track, source: source, observer: observer)
      guard case .finished = outcome else { throw BenchmarkFailure("\(track) ended early") }
      print(bytes + buffer.count)
    }
  }

  /// The work of `fencepost places import`.
  struct ImportPlaces: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "import", abstract: "Import places.")
    @Option(help: "The store, made anew.") var store: String
    @Argument(help: "The file of places.") var file: String

    func run() throws {
      // A file that is not there needs no removal.
      unsafe _ = unlink(store)
      print(try PlaceStore.importPlaces(from: [file], into: store).imported)
    }
  }
}
