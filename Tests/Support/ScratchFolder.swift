package import Foundation

/// A folder of its own for a test, gone when it is over.
package final class ScratchFolder: Sendable {
  package let url: URL
  package var path: String { url.path }

  package init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("fencepost-\(UUID())")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    // What cannot be removed is left to the system's own tidying.
    try? FileManager.default.removeItem(at: url)
  }
}
