import Foundation

/// A folder of its own, removed with the last reference to it.
final class ScratchFolder: Sendable {
  let path: String

  init() throws {
    path =
      FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    // The system cleans up what cannot be removed.
    try? FileManager.default.removeItem(atPath: path)
  }
}
