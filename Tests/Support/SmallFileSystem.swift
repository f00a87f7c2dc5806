package import Foundation

/// A file system in memory with little space, mounted for one test.
package final class SmallFileSystem {
  /// Where it is mounted.
  package let url: URL

  /// Whether one can be mounted here, which takes the rights of root.
  package static let isPossible: Bool = {
    // That it fails is the answer.
    (try? SmallFileSystem(kilobytes: 64)) != nil
  }()

  package init(kilobytes: Int) throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    do {
      try Self.run(["mount", "-t", "tmpfs", "-o", "size=\(kilobytes)k", "tmpfs", url.path])
    } catch {
      // The empty folder is of no use to anybody.
      try? FileManager.default.removeItem(at: url)
      throw error
    }
  }

  deinit {
    // Still in use it is let go of as soon as it no longer is.
    try? Self.run(["umount", "-l", url.path])
    try? FileManager.default.removeItem(at: url)
  }

  /// Lets nothing be written any more.
  package func makeReadOnly() throws {
    try Self.run(["mount", "-o", "remount,ro", url.path])
  }

  /// Writes a file until there is no space left.
  package func fill(leavingKilobytes left: Int = 0) throws {
    let block = Data(repeating: 0, count: 1024)
    let file = url.appendingPathComponent("filler")
    try Data().write(to: file)
    let handle = try FileHandle(forWritingTo: file)
    defer { try? handle.close() }
    var count = 0
    while (try? handle.write(contentsOf: block)) != nil { count += 1 }
    try handle.truncate(atOffset: UInt64(max(0, count - left) * 1024))
  }

  package func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  package func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
  }

  private static func run(_ arguments: [String]) throws {
    let process = try LiveProcess("/usr/bin/env", arguments)
    guard try process.end() == 0 else { throw Hang("\(arguments) failed") }
  }
}
