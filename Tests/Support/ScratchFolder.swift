package import Foundation

/// A folder of its own for a test, gone when it is over.
package final class ScratchFolder: Sendable {
  package let url: URL
  package var path: String { url.path }

  package init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("fencepost-\(UUID())")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  /// Makes a folder with the files of another.
  package convenience init(copying other: ScratchFolder) throws {
    try self.init()
    for name in try other.names() {
      try FileManager.default.copyItem(atPath: other.path(name), toPath: path(name))
    }
  }

  /// Writes a file into the folder and returns its path.
  @discardableResult
  package func write(_ name: String, _ content: String) throws -> String {
    let file = url.appendingPathComponent(name)
    try Data(content.utf8).write(to: file)
    return file.path
  }

  /// Writes a program into the folder and returns its path.
  ///
  /// A child writes it. A file that this process has open for writing is open in whatever another test
  /// starts at that moment, and the system runs no program that somebody may still write.
  package func writeProgram(_ name: String, _ content: String) throws -> String {
    let script = #"printf %s "$2" >"$1" && chmod 755 "$1""#
    let child = try Child(["/bin/sh", "-c", script, "sh", path(name), content], descriptors: [])
    guard try child.wait("\(name) is not written") == 0 else {
      throw Hang("\(name) cannot be written")
    }
    return path(name)
  }

  /// The path of a file in the folder.
  package func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  /// The text of a file in the folder.
  package func text(_ name: String) throws -> String {
    try String(contentsOf: url.appendingPathComponent(name), encoding: .utf8)
  }

  /// The names of the files in the folder, sorted.
  package func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
  }

  deinit {
    // What cannot be removed is left to the system's own tidying.
    try? FileManager.default.removeItem(at: url)
  }
}
