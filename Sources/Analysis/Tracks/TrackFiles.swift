import Formats
import Glibc

/// The tracks that a user's arguments mean: files, folders and patterns.
public enum TrackFiles {
  /// The endings that a track's name has in a folder, each also with `.gz`.
  public static let endings: [String] = [
    "gpx", "nmea", "csv", "json", "jsonl", "ndjson", "log", "txt", "rec",
  ]

  /// The files that the arguments mean, in the arguments' order, each once.
  ///
  /// A folder stands for the tracks in it and in the folders below it, told by the endings of their
  /// names, in the order of their paths' bytes; names that begin with a dot are left out. What is
  /// no file and holds `*`, `?` or `[` is a pattern (glob(7)). Anything else is a file as it stands,
  /// whether it exists or not.
  public static func expand(_ arguments: [String]) -> [String] {
    var seen: Set<String> = []
    return arguments.flatMap { files(of: $0) }.filter { seen.insert($0).inserted }
  }

  private static func files(of argument: String) -> [String] {
    switch kind(of: argument) {
    case S_IFDIR: return tracks(in: argument)
    case nil where argument.contains { "*?[".contains($0) }:
      let found = matches(argument)
      return found.isEmpty
        ? [argument] : found.flatMap { kind(of: $0) == S_IFDIR ? tracks(in: $0) : [$0] }
    default: return [argument]
    }
  }

  private static func tracks(in folder: String) -> [String] {
    var found: [String] = []
    collect(folder.hasSuffix("/") ? folder : folder + "/", into: &found, depth: 0)
    return found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private static func collect(_ folder: String, into found: inout [String], depth: Int) {
    // Links may lead in circles; nobody nests tracks deeper than this.
    guard depth < 64, let directory = unsafe opendir(folder.fileNameBytes) else { return }
    defer { unsafe closedir(directory) }
    while let entry = unsafe readdir(directory) {
      // The system ends the name with a zero, within the entry.
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
        unsafe String(fileName: $0.prefix { $0 != 0 })
      }
      guard !name.hasPrefix(".") else { continue }
      switch kind(of: folder + name) {
      case S_IFDIR: collect(folder + name + "/", into: &found, depth: depth + 1)
      case S_IFREG where isTrack(name): found.append(folder + name)
      default: break
      }
    }
  }

  private static func isTrack(_ name: String) -> Bool {
    var parts = name.lowercased().split(separator: ".", omittingEmptySubsequences: false)
    if parts.last == "gz" { parts.removeLast() }
    return parts.count > 1 && parts.last.map { endings.contains(String($0)) } == true
  }

  private static func kind(of path: String) -> mode_t? {
    var status = stat()
    // `status` is ours and of the size the system expects.
    return unsafe stat(path.fileNameBytes, &status) == 0 ? status.st_mode & S_IFMT : nil
  }

  private static func matches(_ pattern: String) -> [String] {
    // Ours, and all zeros, as `globfree` may find it; each text is copied before it is freed.
    var result = unsafe glob_t()
    defer { unsafe globfree(&result) }
    guard unsafe glob(pattern.fileNameBytes, 0, nil, &result) == 0 else { return [] }
    return unsafe (0..<Int(result.gl_pathc)).compactMap { index in
      // `glob` fills as many pointers to texts as it counts.
      unsafe result.gl_pathv[index].map { text in
        unsafe String(fileNameAt: text)
      }
    }
  }
}
