import ArgumentParser
import FencepostAnalysis
import FencepostFiles

/// Tracks that come one after the other from another program, and totals that are joined later.
struct StreamArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Take the tracks from a stream of frames; - is standard input.",
      discussion: """
        A frame is a line {"track":"NAME","bytes":N} and then N bytes in any form that a file may have; \
        {"track":"NAME","error":"WHY"} stands for one that could not be had. Each track is followed as soon \
        as it is there, and its lines are written before the next is read: in ndjson its line of type track, or \
        skipped, is the last. Tracks are not compared with one another, one is worked on at a time, and those \
        of a person must follow one another in time's order.
        """,
      valueName: "file"),
    completion: .file())
  var tracksFrom: String?

  @Flag(
    help: ArgumentHelp(
      "Write the sums too from which --merge adds totals up.",
      discussion: """
        With --merge only the totals and these sums are written, which can be merged again.
        """))
  var sums = false

  /// Checks what goes with a stream.
  ///
  /// - Parameters:
  ///   - tracks: The tracks that are named besides.
  ///   - isMerging: Whether parts are joined.
  ///   - jobs: How many tracks are worked on at a time, if that was given.
  /// - Throws: A usage error.
  func check(besides tracks: [String], isMerging: Bool, jobs: Int?) throws {
    guard tracksFrom != nil else {
      if tracks.isEmpty { throw ValidationError("Missing expected argument '<track> ...'") }
      return
    }
    if isMerging { throw ValidationError("--merge joins files, not --tracks-from") }
    if !tracks.isEmpty {
      throw ValidationError("either tracks or --tracks-from say what is analysed")
    }
    if let jobs, jobs > 1 {
      throw ValidationError("--tracks-from is worked on one track at a time; start more processes")
    }
  }

  /// Opens the stream, if there is one.
  func open() throws -> TrackFrameReader? {
    guard let tracksFrom else { return nil }
    return TrackFrameReader(try ByteSource(path: tracksFrom))
  }
}
