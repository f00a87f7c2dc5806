import Foundation
import TestSupport
import Testing

/// Files that are not read are named with a command; here the command is taken at its word.
@Suite("Files that are told apart")
struct OtherFileTests {
  /// How the other program makes the file of `ride.gpx`, and that program's name.
  static let makers: [(tool: String, command: String)] = [
    ("bzip2", "bzip2 -c ride.gpx > other"), ("xz", "xz -c ride.gpx > other"),
    ("zstd", "zstd -qc ride.gpx > other"), ("lz4", "lz4 -qc ride.gpx > other"),
    ("7z", "7z a -bd other.7z ride.gpx >/dev/null && mv other.7z other"),
    ("gpsbabel", "gpsbabel -t -i gpx -f ride.gpx -o gdb -F other"),
    ("gpsbabel", "gpsbabel -t -i gpx -f ride.gpx -o gtm -F other"),
    ("gpsbabel", "gpsbabel -t -i gpx -f ride.gpx -o garmin_txt,prec=6 -F other"),
    (
      "sqlite3",
      "sqlite3 other '.mode csv' '.import ride.csv points'"
    ),
  ]

  @Test("and the command that is named makes a track of them", arguments: makers.indices)
  func way(index: Int) throws {
    let maker = Self.makers[index]
    let scratch = try Scratch()
    let data = Document.project.appendingPathComponent("Data")
    try scratch.shell(
      "cp '\(data.path)/tracks/ride.gpx' '\(data.path)/tracks/ride.csv' '\(data.path)/stories/philadelphia.csv' .; \(maker.command)"
    )
    let fencepost = "fencepost() { '\(Command.executable.path)' \"$@\"; }; "
    let rest = "--places philadelphia.csv --events alert --format csv --quiet"
    try scratch.shell(fencepost + "fencepost replay other \(rest) 2>said >/dev/null || :")
    let said = try scratch.text("said")
    // The command is the last sentence of the message.
    let command = try #require(said.split(separator: ": ").last.map(String.init))
    #expect(command.contains("FILE"), "\(said)")
    let line = command.replacingOccurrences(of: "FILE", with: "other")
      .trimmingCharacters(in: .whitespacesAndNewlines)
    try scratch.shell(fencepost + "\(line) \(rest) | cut -d , -f 10 >found")
    try scratch.shell(fencepost + "fencepost replay ride.gpx \(rest) | cut -d , -f 10 >expected")
    let expected = try scratch.text("expected")
    #expect(expected.split(separator: "\n").count > 10)
    #expect(try scratch.text("found") == expected)
  }

  @Test("An encrypted archive is refused with the way")
  func encrypted() throws {
    let scratch = try Scratch()
    let data = Document.project.appendingPathComponent("Data")
    try scratch.shell(
      "cp '\(data.path)/forms/ride.kml' '\(data.path)/stories/philadelphia.csv' .; 7z a -bd -tzip -psecret other.zip ride.kml >/dev/null"
    )
    let result = try Command.run(
      ["replay", "other.zip", "--places", "philadelphia.csv"], in: scratch.url)
    #expect(result.status == 65)
    #expect(result.errors.contains("encrypted"))
  }
}
