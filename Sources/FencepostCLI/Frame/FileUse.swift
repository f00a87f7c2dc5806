import Glibc
import FencepostReporting

/// Ensures that a command overwrites none of its inputs.
///
/// Compares files by device and inode, so links and other spellings of a path are the same file.
struct FileUse {
  /// An output: the option that names it, and the path.
  typealias Output = (option: String, path: String)

  private var outputs: [FileIdentity: Output] = [:]

  /// Registers outputs, which must be different files; skips nil, and `-` is standard output.
  init(writing outputs: [(option: String, path: String?)]) throws(CommandFailure) {
    for (option, path) in outputs {
      guard let path else { continue }
      let identity =
        path == "-" ? FileIdentity(descriptor: STDOUT_FILENO) : FileIdentity(writing: path)
      guard let identity else { continue }
      if let other = self.outputs[identity] {
        throw CommandFailure(
          .usage, "\(path): \(other.option) and \(option) must name different files")
      }
      self.outputs[identity] = (option, path)
    }
  }

  /// Checks that no input is an output; skips nil, standard input and anything but regular files.
  func check(reading inputs: [String?]) throws(CommandFailure) {
    guard !outputs.isEmpty else { return }
    for case let input? in inputs {
      let identity =
        input == "-" ? FileIdentity(descriptor: STDIN_FILENO) : FileIdentity(reading: input)
      guard let identity, let output = outputs[identity] else { continue }
      throw CommandFailure(.usage, Self.sentence(input, output))
    }
  }

  /// Whether a path names an existing file, not standard output.
  static func isFile(_ path: String) -> Bool { path != "-" && FileIdentity(reading: path) != nil }

  private static func sentence(_ input: String, _ output: Output) -> String {
    let name = input == "-" ? "standard input" : input
    switch output.path {
    case "-": return "\(name) is an input, which standard output would overwrite"
    case input: return "\(name) is an input, which \(output.option) would overwrite"
    default:
      return "\(output.path) is the same file as the input \(name), "
        + "which \(output.option) would overwrite"
    }
  }
}
