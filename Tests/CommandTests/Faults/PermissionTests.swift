import Foundation
import TestSupport
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
