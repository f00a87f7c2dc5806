import FencepostFiles
import FencepostFormats
import FencepostTracks
import Glibc

/// Expands files, folders and patterns into the files of tracks.
public enum TrackFiles {
  /// The extensions of tracks in a folder, each also with `.gz`.
  public static let endings: Set<String> = Set(TrackFormat.allCases.flatMap(\.fileExtensions))
    .union(["zip"])

  /// The files of the arguments, in their order, each once.
  ///
  /// A folder stands for the tracks in it and below it, known by their ``endings``, in the byte order of
  /// their paths; names that begin with a dot are skipped. An argument that does not exist and contains
  /// `*`, `?` or `[` is a pattern (glob(7)). Any other argument is a file, whether it exists or not.
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

  /// Whether a track's file can be read more than once: standard input and pipes cannot.
  static func canBeReadAgain(_ path: String) -> Bool { path != "-" && kind(of: path) == S_IFREG }

  private static func tracks(in folder: String) -> [String] {
    var found: [String] = []
    collect(folder.hasSuffix("/") ? folder : folder + "/", into: &found, depth: 0)
    return found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private static func collect(_ folder: String, into found: inout [String], depth: Int) {
    // Links may form a circle; the bound is deeper than any real folder.
    guard depth < 64, let directory = unsafe opendir(folder.fileNameBytes) else { return }
    defer { unsafe closedir(directory) }
    while let entry = unsafe readdir(directory) {
      // The system ends the name with a zero within the entry.
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
    // All zeros, as `globfree` accepts; each text is copied before `globfree` frees it.
    var result = unsafe glob_t()
    defer { unsafe globfree(&result) }
    guard unsafe glob(pattern.fileNameBytes, 0, nil, &result) == 0 else { return [] }
    return unsafe (0..<Int(result.gl_pathc)).compactMap { index in
      // `glob` counts the pointers that it fills.
      unsafe result.gl_pathv[index].map { text in
        unsafe String(fileNameAt: text)
      }
    }
  }
}
