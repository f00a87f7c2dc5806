import FencepostAnalysis
import FencepostTracks
import Foundation
import TestSupport
import Testing

@Suite("The tracks of a folder")
struct TrackFilesTests {
  @Test(
    "A folder stands for the files in it that end as any form of a track does, compressed or not")
  func endings() throws {
    let scratch = try ScratchFolder()
    let folder = scratch.path + "/tracks"
    try FileManager.default.createDirectory(
      atPath: folder + "/deep", withIntermediateDirectories: true)
    let tracks = TrackFiles.endings.map { "a.\($0)" } + ["b.GPX", "c.fit.gz", "deep/d.Tcx"]
    for name in tracks + ["notes.md", "picture.jpg", "gpx", ".hidden.gpx"] {
      try Data().write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
    }
    let expected = tracks.map { "\(folder)/\($0)" }.sorted {
      $0.utf8.lexicographicallyPrecedes($1.utf8)
    }
    #expect(TrackFiles.expand([folder]) == expected)
  }

  @Test("Every form among the samples is found in its folder")
  func samples() throws {
    let forms = Document.project.appendingPathComponent("Data/forms").path
    let found = Set(TrackFiles.expand([forms]).map { ($0 as NSString).lastPathComponent })
    let all = try FileManager.default.contentsOfDirectory(atPath: forms)
    #expect(all.count > 10)
    #expect(found == Set(all))
  }
}

@Suite("Tracks that are read twice")
struct TrackSurveyTests {
  @Test("A pipe is not read in search of copies, because it can be read only once")
  func pipe() async throws {
    let scratch = try ScratchFolder()
    let (track, pipe) = (scratch.path + "/a.csv", scratch.path + "/b.gpx")
    try "time,lat,lon\n2026-03-04T09:00:00Z,39.95,-75.15\n"
      .write(toFile: track, atomically: true, encoding: .utf8)
    #expect(unsafe mkfifo(pipe, 0o600) == 0)
    var counts: [Int] = []
    let survey = try await TrackSurvey(
      [track, pipe, "-"], options: FixStream.Options(), jobs: 1
    ) { counts.append($0) }
    #expect(survey.outlines.map(\.path) == [track])
    #expect(counts == [1])
  }
}
