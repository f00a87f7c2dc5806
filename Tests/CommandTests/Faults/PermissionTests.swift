import Foundation
import Testing

@Suite("Files that the program makes")
struct PermissionTests {
  /// A umask, and the permissions of a store under it.
  private static let masks: [(mask: String, mode: Int)] = [
    ("000", 0o644), ("022", 0o644), ("027", 0o640), ("077", 0o600),
  ]

  @Test("follow the umask, except that only its owner reads a state file")
  func modes() throws {
    let scratch = try Fault.makeFolder()
    let program = Command.executable.path
    for (mask, mode) in Self.masks {
      try scratch.shell(
        """
        umask \(mask)
        '\(program)' places import places.csv --store new-\(mask).sqlite >out 2>err &&
        '\(program)' live - --store store.sqlite --state state-\(mask).db \\
          <track.csv >out 2>err
        """)
      #expect(try permissions(scratch.path("new-\(mask).sqlite")) == mode)
      #expect(try permissions(scratch.path("state-\(mask).db")) == 0o600)
    }
  }

  @Test("are readable by their owner alone if the umask says so, reports too")
  func reports() throws {
    let scratch = try Fault.makeFolder()
    let command = ([Command.executable.path] + Fault.replay).joined(separator: " ")
    try scratch.shell("umask 077; \(command) --output out.ndjson")
    #expect(try permissions(scratch.path("out.ndjson")) == 0o600)
  }

  private func permissions(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try #require(attributes[.posixPermissions] as? NSNumber).intValue
  }
}

@Suite("Without PROJ")
struct MissingLibraryTests {
  @Test("a distance that needs it ends the program with a sentence, and leaves no half file")
  func missing() throws {
    let scratch = try Fault.makeFolder()
    // A file that the library search finds first, but is no library.
    for name in ["libproj.so.25", "libproj.so"] { try scratch.write(name, "no library") }
    try scratch.write("far.csv", "time,lat,lon\n2026-03-04T17:00:00Z,-39.9400,75.1503\n")
    let before = try scratch.names()
    let result = try Command.run(
      ["replay", "far.csv", "--store", "store.sqlite", "--output", "out.ndjson"], in: scratch.url,
      environment: ["LD_LIBRARY_PATH": scratch.url.path])
    #expect(result.status == 74)
    #expect(
      result.errors.hasPrefix(
        "fencepost: distances above 200 km need PROJ's geodesic routines, which cannot be loaded: ")
    )
    #expect(try scratch.names() == before)
  }

  @Test("everything else works")
  func near() throws {
    let scratch = try Fault.makeFolder()
    for name in ["libproj.so.25", "libproj.so"] { try scratch.write(name, "no library") }
    let result = try Command.run(
      Fault.replay, in: scratch.url, environment: ["LD_LIBRARY_PATH": scratch.url.path])
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.contains(#""type":"alert""#))
  }
}
