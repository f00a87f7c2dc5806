import FencepostFiles
import FencepostFormats
import Glibc
import Testing

/// The folder of real recordings with results of independent readers; see its MANIFEST.md.
///
/// It is not part of the project. Tests that need it are skipped if it is missing.
enum Corpus {
  /// The folder: `FENCEPOST_CORPUS`, or `../shared/corpus` beside the package.
  static let folder: String? = {
    let told = unsafe getenv("FENCEPOST_CORPUS").map { unsafe String(cString: $0) }
    let package = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    let folder = told ?? "/" + package + "/../shared/corpus"
    return unsafe access(folder + "/reference.json", R_OK) == 0 ? folder : nil
  }()

  static var isThere: Bool { folder != nil }

  static let comment: Comment = "needs the corpus folder (FENCEPOST_CORPUS)"

  /// The results of the reference readers, by file and reader.
  static let reference: [String: JSONValue] = {
    // If the folder is damaged, each test fails for lack of results.
    guard let bytes = try? bytes("reference.json"),
      case .object(let members)? = try? JSONValue(
        parsing: String(decoding: bytes, as: UTF8.self))
    else { return [:] }
    return Dictionary(members.map { ($0.key, $0.value) }) { first, _ in first }
  }()

  /// The files whose path starts with a prefix.
  static func files(_ prefix: String) -> [String] {
    reference.keys.filter { $0.hasPrefix(prefix) }.sorted()
  }

  static func path(_ file: String) throws -> String {
    try #require(folder) + "/" + file
  }

  static func bytes(_ file: String) throws -> [UInt8] {
    var source = try ByteSource(path: path(file))
    var bytes: [UInt8] = []
    var chunk: [UInt8] = []
    while try source.read(into: &chunk) { bytes += chunk }
    return bytes
  }
}
