#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension StateFile {
  /// Reads the document as a value, as ``save(_:)`` has written it; nil if the file is missing.
  ///
  /// - Throws: ``StateFileError``, with `.damaged` for a document of another kind and
  ///   `.newerVersion` for one that a newer version wrote.
  public func load<Value: Decodable>(_ type: Value.Type) throws -> Value? {
    try load(type, orSay: "it does not hold what was expected")
  }

  /// Replaces the document with a value in JSON, as ``write(_:)`` does.
  public func save(_ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    try write(Array(encoder.encode(value)))
  }

  func load<Value: Decodable>(_ type: Value.Type, orSay detail: String) throws -> Value? {
    guard let document = try read() else { return nil }
    return try StateFileError.decode(type, from: Data(document), of: path, orSay: detail)
  }
}

extension StateFileError {
  /// Decodes the document of a file; throws `.newerVersion`, or `.damaged` with a detail.
  static func decode<Value: Decodable>(
    _ type: Value.Type, from document: Data, of path: String, orSay detail: String
  ) throws -> Value {
    do {
      return try JSONDecoder().decode(type, from: document)
    } catch {
      throw StateFileError(decoding: error, path: path, detail: detail)
    }
  }
}
