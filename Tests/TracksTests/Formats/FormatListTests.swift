import FencepostFixes
import FencepostTracks
import Foundation
import TestSupport
import Testing

/// Where a format of tracks must appear besides its decoder; a test that fails names the place.
@Suite("Every format of tracks")
struct FormatListTests {
  private static let folders = ["Data/forms", "Data/tracks"]
  /// These are too plain for one.
  private static let withoutSample: Set<TrackFormat> = [.jsonLines, .waypointLines]

  private func text(_ path: String) throws -> String {
    try String(contentsOf: Document.project.appendingPathComponent(path), encoding: .utf8)
  }

  @Test("has a sample that is read as it: add one to Data/forms")
  func sample() throws {
    var found: [TrackFormat: String] = [:]
    for folder in Self.folders {
      let url = Document.project.appendingPathComponent(folder)
      for name in try FileManager.default.contentsOfDirectory(atPath: url.path) {
        var reader = try FixReader(path: url.path + "/" + name)
        var batch = FixBatch()
        while reader.format == nil, try reader.read(into: &batch) {}
        if let format = reader.format { found[format] = name }
      }
    }
    for format in TrackFormat.allCases where !Self.withoutSample.contains(format) {
      #expect(found[format] != nil, "\(format.name)")
    }
  }

  @Test("is a row of the table of tracks in Formats.md", arguments: TrackFormat.allCases)
  func guide(format: TrackFormat) throws {
    let guide = try text("Sources/Faces/CommandLine/Documentation.docc/Formats.md")
    let table = guide.components(separatedBy: "### Tables")[0]
    // Apart, so that a failure does not print the whole guide.
    let hasRow = table.contains("\n| \(format.name)")
    #expect(hasRow, "no row begins with \(format.name)")
  }

  @Test("is named in the help of replay, in ReplayCommand.swift", arguments: TrackFormat.allCases)
  func help(format: TrackFormat) throws {
    let parts = try text("Sources/Faces/CommandLine/ReplayCommand.swift").split(separator: "\"\"\"")
    let words = try #require(parts.dropFirst().first).split { !$0.isLetter }
    // The help joins kinds: JSON lines of gpsd and of OwnTracks, exports of Google.
    let name = try #require(format.name.split(separator: " ").first)
    let isNamed = words.contains(name)
    #expect(isNamed, "the help does not name \(name)")
  }
}
