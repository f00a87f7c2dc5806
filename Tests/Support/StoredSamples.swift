package import Foundation

/// Values as apps have saved them, in JSON files: they must be readable for ever.
///
/// `RECORD=1` in the environment writes a sample that does not exist. One that exists is never written again.
package struct StoredSamples: Sendable {
  private let folder: URL

  /// The samples in the folder `Stored` beside a test's source.
  package init(besides source: String) {
    folder = URL(fileURLWithPath: source).deletingLastPathComponent()
      .appendingPathComponent("Stored")
  }

  /// A value as samples are written.
  package static func json(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
    return try encoder.encode(value) + Data("\n".utf8)
  }

  /// The bytes of a sample, which is recorded first if that is asked for.
  ///
  /// - Parameters:
  ///   - name: The file's name, without `.json`.
  ///   - value: Makes the value of a sample that is to be recorded.
  /// - Returns: The file's bytes.
  /// - Throws: What making, writing or reading it throws.
  package func bytes(_ name: String, _ value: () throws -> some Encodable) throws -> Data {
    let file = folder.appendingPathComponent(name + ".json")
    if ProcessInfo.processInfo.environment["RECORD"] == "1",
      !FileManager.default.fileExists(atPath: file.path)
    {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Self.json(value()).write(to: file)
    }
    return try bytes(name)
  }

  /// The bytes of a sample that exists.
  package func bytes(_ name: String) throws -> Data {
    try Data(contentsOf: folder.appendingPathComponent(name + ".json"))
  }
}
