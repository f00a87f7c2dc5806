import Foundation

/// A file system in memory with little space, mounted for one test.
final class SmallDisk {
  struct Failure: Error {
    var status: Int32
  }

  /// Where it is mounted.
  let url: URL

  /// Whether one can be mounted here, which takes the rights of root.
  static let isPossible: Bool = {
    // That it fails is the answer.
    (try? SmallDisk()) != nil
  }()

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    do {
      try Self.run("mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", url.path)
    } catch {
      // The empty folder is useless.
      try? FileManager.default.removeItem(at: url)
      throw error
    }
  }

  deinit {
    // Unmounts lazily if it is still in use.
    try? Self.run("umount", "-l", url.path)
    try? FileManager.default.removeItem(at: url)
  }

  /// Writes a file until there is no space left.
  func fill(_ path: String) throws {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT, 0o600)
    guard descriptor >= 0 else { throw Failure(status: errno) }
    defer { close(descriptor) }
    let block = [UInt8](repeating: 0, count: 1024)
    while unsafe write(descriptor, block, block.count) > 0 {}
    guard errno == ENOSPC else { throw Failure(status: errno) }
  }

  private static func run(_ arguments: String...) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(status: process.terminationStatus)
    }
  }
}
