import FencepostAnalysis
import FencepostFiles
import Foundation
import SampleStories
import FencepostReporting
import Testing

@Suite("Analyses of a stream of tracks")
struct StreamedTracksTests {
  private func frame(_ path: String) throws -> [UInt8] {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    return Array("{\"track\":\"\(path)\",\"bytes\":\(bytes.count)}\n".utf8) + bytes
  }

  /// What an analysis of a stream writes, and the totals.
  private func analyze(
    _ stream: [UInt8], strict: Bool = false, selection: TrackSelection = TrackSelection(),
    person: (String) -> String? = { _ in nil },
    onOutcome: (TrackOutcome<TrackAnalysis>) -> Void = { _ in }
  ) throws -> (text: String, totals: AnalysisTotals, error: (any Error)?) {
    var options = TrackAnalysisOptions()
    options.isStrict = strict
    options.selection = selection
    let session = try TrackAnalysisSession(store: try SampleAnalysis.store(), options: options)
    let writer = AnalysisNDJSONWriter(stories: session.stories)
    var output = OutputBuffer()
    var totals = AnalysisTotals(storyCount: session.stories.count)
    writer.begin(SampleAnalysis.settings(options, session.stories.count), to: &output)
    var failure: (any Error)?
    do {
      let frames = TrackFrameReader(ByteSource(bytes: stream, name: "the stream"))
      try session.run(frames, person: person) { result in
        switch result {
        case .reached(let stories, let phoneDays):
          totals.add(stories)
          totals.add(phoneDays: phoneDays)
        case .outcome(let outcome):
          onOutcome(outcome)
          switch outcome {
          case .success(let analysis):
            totals.add(analysis)
            writer.write(analysis, to: &output)
          case .failure(let failure):
            totals.skipped += 1
            writer.write(skipped: failure.path, error: failure.description, to: &output)
          case .interrupted: break
          }
        }
      }
    } catch {
      failure = error
    }
    writer.end(totals, to: &output)
    return (output.text, totals, failure)
  }

  @Test("write what an analysis of the same files writes, byte for byte")
  func files() async throws {
    let paths = SampleAnalysis.tracks.map { SampleStories.track($0) }
    let streamed = try analyze(try paths.flatMap { try frame($0) })
    let whole = try await SampleAnalysis.analyze(paths)
    #expect(streamed.error == nil)
    #expect(streamed.text == whole.text)
    #expect(streamed.totals == whole.totals)
  }

  @Test("read the files that frames name, and skip those that are gone by their tracks' names")
  func named() async throws {
    let paths = SampleAnalysis.tracks.map { SampleStories.track($0) }
    let frames = paths.map { "{\"track\":\"\($0)\",\"file\":\"\($0)\"}\n" }.joined()
    let whole = try await SampleAnalysis.analyze(paths)
    #expect(try analyze(Array(frames.utf8)).text == whole.text)
    let gone = try analyze(Array("{\"track\":\"mine\",\"file\":\"/none.csv\"}\n".utf8))
    #expect(gone.text.contains("{\"type\":\"skipped\",\"track\":\"mine\""))
  }

  @Test("skip a track that is cut short, damaged or could not be had, and go on")
  func skipped() throws {
    let good = try frame(SampleStories.track("walk.gpx"))
    var stream = Array("{\"track\":\"gone\",\"error\":\"no such object\"}\n".utf8)
    stream += Array("{\"track\":\"bad.csv\",\"bytes\":7}\ntime,la".utf8) + good
    stream += good.dropLast(1000)
    var failures: [String] = []
    let found = try analyze(
      stream,
      onOutcome: {
        if case .failure(let failure) = $0 { failures.append(failure.description) }
      })
    #expect(found.error == nil)
    #expect(found.totals.tracks == 1)
    #expect(found.totals.skipped == 3)
    try #require(failures.count == 3)
    #expect(failures[0] == "gone: no such object")
    #expect(failures[1].hasPrefix("bad.csv: "))
    #expect(failures[2].hasPrefix("\(SampleStories.track("walk.gpx")): the stream ends after "))
  }

  @Test("keep what came before a bad header, and before the first bad track if they are strict")
  func kept() throws {
    let good = try frame(SampleStories.track("walk.gpx"))
    let damaged = try analyze(good + Array("{\"trick\":1}\n".utf8) + good)
    #expect(damaged.totals.tracks == 1)
    #expect(damaged.error is TrackFrameError)
    let gone = Array("{\"track\":\"gone\",\"error\":\"no such object\"}\n".utf8)
    let strict = try analyze(good + gone + good, strict: true)
    #expect(strict.totals.tracks == 1)
    #expect(strict.totals.skipped == 1)
    #expect(strict.error is TrackFailure)
  }

  @Test("go on behind a track outside of the period even if they are strict, as files do")
  func outside() throws {
    let walk = try frame(SampleStories.track("walk.gpx"))
    let found = try analyze(
      walk + walk, strict: true, selection: TrackSelection(fromMilliseconds: 4_000_000_000_000))
    #expect(found.error == nil && found.totals.skipped == 2 && found.totals.tracks == 0)
  }

  @Test(
    "go on with a person's cooldowns from one track to the next, as an analysis of groups does")
  func persons() async throws {
    let paths = ["walk.gpx", "ride.gpx", "drive.gpx", "ride.csv"].map { SampleStories.track($0) }
    let whose = [paths[0]: "anna", paths[1]: "anna", paths[3]: "ben"]
    let streamed = try analyze(try paths.flatMap { try frame($0) }) { whose[$0] }
    let session = try TrackAnalysisSession(
      store: try SampleAnalysis.store(), options: TrackAnalysisOptions())
    var totals = AnalysisTotals(storyCount: session.stories.count)
    try await session.run([
      PersonTracks(person: "anna", tracks: Array(paths[..<2])),
      PersonTracks(person: nil, tracks: [paths[2]]),
      PersonTracks(person: "ben", tracks: [paths[3]]),
    ]) { outcome in
      if case .success(let analysis) = outcome { totals.add(analysis) }
    }
    #expect(streamed.error == nil)
    #expect(streamed.totals == totals)
    #expect(totals.persons.count == 2)
    #expect(totals.stories.contains { $0.persons == 3 })
  }

  @Test("refuse a person's tracks that do not follow one another")
  func scattered() throws {
    let paths = ["walk.gpx", "ride.gpx", "drive.gpx"].map { SampleStories.track($0) }
    let whose = [paths[0]: "anna", paths[1]: "ben", paths[2]: "anna"]
    let found = try analyze(try paths.flatMap { try frame($0) }) { whose[$0] }
    #expect(found.totals.tracks == 2)
    let error = try #require(found.error)
    #expect("\(error)".hasPrefix("\(paths[2]): tracks of anna must follow one another"))
  }
}
