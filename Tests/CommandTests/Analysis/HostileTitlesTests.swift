import Foundation
import TestSupport
import Testing

/// Malicious titles, in output for other programs and in output for people.
@Suite("Hostile titles")
struct HostileTitlesTests {
  private static let stories =
    Document.project.appendingPathComponent("Data/stories/hostile.csv").path
  private static let walk =
    Document.project.appendingPathComponent("Data/tracks/walk.gpx").path

  @Test("GPX is well-formed XML, whatever the titles say")
  func gpx() throws {
    let replayed = try Command.run(
      ["replay", Self.walk, "--places", Self.stories, "--format", "gpx", "--quiet"])
    #expect(replayed.status == 0, "\(replayed.errors)")
    let text = replayed.output
    #expect(!text.contains("<img") && !text.contains("<script"))
    #expect(!text.contains("href=\"javascript:"), "no link that runs something")
    #expect(text.contains("href=\"https://"))
    let scratch = try Scratch()
    let path = try scratch.write("alerts.gpx", text)
    // The program's own reader is as strict as XML is.
    let back = try Command.run(["places", "import", path, "--store", scratch.path("s.sqlite")])
    #expect(back.status == 0, "\(back.errors)")
    #expect(back.output.contains("\"imported\":14"))
  }

  @Test(
    "Text has no terminal control characters",
    arguments: ["replay", "analyze", "explain"])
  func text(command: String) throws {
    let more = command == "explain" ? ["--place", "terminal"] : []
    let result = try Command.run(
      [command, Self.walk, "--places", Self.stories, "--format", "text"] + more)
    #expect(result.status == 0)
    for scalar in (result.output + result.errors).unicodeScalars where scalar != "\n" {
      #expect(!Self.isObeyed(scalar), "U+\(String(scalar.value, radix: 16))")
    }
  }

  /// Whether a terminal does something else than showing it: control characters, and marks that turn
  /// the direction of what follows.
  private static func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
