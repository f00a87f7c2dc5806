#if Command
import FencepostFiles
import FencepostFormats
import FencepostReporting
import FencepostStudio
import FoundationEssentials
import Glibc

/// Reads what a command needs besides walks and stories, and names it in messages.
///
/// In paths, `-` is standard input, except in ``firstLine(of:)``.
enum InputFile {
  static func name(_ path: String) -> String { path == "-" ? "standard input" : path }

  /// Adds the file's name to an error that knows only the line; its exit status becomes 65.
  static func located<Value>(_ path: String, _ read: () throws -> Value) throws -> Value {
    do { return try read() } catch { throw CommandFailure(.inputBad, "\(name(path)): \(error)") }
  }

  /// Reads and decompresses a source; over `mostBytes`, the error says that it is not a `kind`.
  static func contents(
    of source: consuming InflatedSource, mostBytes: Int, kind: String
  ) throws -> [UInt8] {
    var contents: [UInt8] = []
    var chunk: [UInt8] = []
    while try source.read(into: &chunk) {
      contents += chunk
      guard contents.count <= mostBytes else {
        let most = mostBytes < 1 << 20 ? "\(mostBytes >> 10) KiB" : "\(mostBytes >> 20) MiB"
        throw CommandFailure(
          .inputBad, "\(name(source.name)): larger than \(most), so not a \(kind)")
      }
    }
    return contents
  }

  /// The whole text of a file, without a limit; bytes that are not UTF-8 are replaced.
  static func text(of path: String) throws(ByteSourceError) -> String {
    var source = try ByteSource(path: path)
    var all: [UInt8] = []
    var chunk: [UInt8] = []
    while try source.read(into: &chunk) { all += chunk }
    return String(decoding: all, as: UTF8.self)
  }

  /// The first line of a small file in UTF-8, such as one that has a password.
  static func firstLine(of path: String) throws(CommandFailure) -> String {
    do {
      return String(try String(contentsOfFile: path, encoding: .utf8).prefix { !$0.isNewline })
    } catch {
      throw CommandFailure(.inputMissing, "\(path): cannot be read as UTF-8 text")
    }
  }

  /// Calls a closure with each line that is not empty, without its end.
  ///
  /// Memory holds one line, of at most 256 MiB. A canceled task stops it.
  static func forEachLine(of path: String, _ body: (String) throws -> Void) throws {
    var source = try ByteSource(path: path)
    var chunk: [UInt8] = []
    var scanner = LineScanner(maximumLineBytes: 256 * 1024 * 1024)
    func take(_ line: Span<UInt8>, _: LinePosition) throws {
      if line.count > 0 { try body(String(utf8: line)) }
    }
    while try source.read(into: &chunk) {
      try Task.checkCancellation()
      try scanner.scan(chunk.span, take)
    }
    try scanner.finish(take)
  }

  /// The lines of another command's ndjson output.
  ///
  /// - Parameters:
  ///   - path: The file that has them.
  ///   - types: The values that the member `type` may have.
  ///   - command: The command that should have written them, for messages.
  /// - Returns: The lines without their ends.
  /// - Throws: ``CommandFailure`` with the first line that is something else.
  static func lines(of path: String, types: Set<String>, command: String) throws -> [String] {
    let lines = try text(of: path).split(whereSeparator: \.isNewline).map(String.init)
    for (number, line) in lines.enumerated() {
      guard let value = try? JSONValue(parsing: line), let type = value["type"]?.string,
        types.contains(type)
      else {
        throw CommandFailure(
          .inputBad, "\(path): line \(number + 1) is not ndjson output of \(command)")
      }
    }
    return lines
  }

  /// The map library: the one installed with the program, as pip does, or that of Debian's package
  /// `libjs-leaflet`.
  static func mapLibrary() throws(CommandFailure) -> PageWriter.MapLibrary {
    let files = FileManager.default
    let program = (try? files.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    let prefix = program.split(separator: "/").dropLast(2).joined(separator: "/")
    let own = "/\(prefix)/share/javascript/leaflet"
    let folder = files.fileExists(atPath: own) ? own : "/usr/share/javascript/leaflet"
    do throws(ByteSourceError) {
      return PageWriter.MapLibrary(
        script: try text(of: folder + "/leaflet.min.js"),
        style: try text(of: folder + "/leaflet.css"))
    } catch {
      throw CommandFailure(
        .inputMissing,
        "\(error). A page needs this map library: install Debian's package libjs-leaflet.")
    }
  }
}

/// Ensures that a command overwrites none of its inputs.
///
/// Compares files by device and inode, so links and other spellings of a path are the same file.
struct FileUse {
  private var outputs: [FileIdentity: (option: String, path: String)] = [:]

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
      let name = input == "-" ? "standard input" : input
      switch output.path {
      case "-":
        throw CommandFailure(.usage, "\(name) is an input, which standard output would overwrite")
      case input:
        throw CommandFailure(.usage, "\(name) is an input, which \(output.option) would overwrite")
      default:
        throw CommandFailure(
          .usage,
          "\(output.path) is the same file as the input \(name), "
            + "which \(output.option) would overwrite")
      }
    }
  }

  /// Whether a path names an existing file, not standard output.
  static func isFile(_ path: String) -> Bool { path != "-" && FileIdentity(reading: path) != nil }
}
#endif
