import Glibc

/// The folder of real recordings and place lists, which is not part of the project.
enum Corpus {
  /// `FENCEPOST_CORPUS`, or `../shared/corpus` beside the package; nil if missing.
  static let folder: String? = {
    let named = unsafe getenv("FENCEPOST_CORPUS").map { unsafe String(cString: $0) }
    let package = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let folder = named ?? "/\(package)/../shared/corpus"
    return unsafe access("\(folder)/places", R_OK) == 0 ? folder : nil
  }()

  /// The path of a file of the place lists.
  static func places(_ name: String) -> String { "\(folder ?? "")/places/\(name)" }
}
