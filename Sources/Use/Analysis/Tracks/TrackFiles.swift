import FencepostFiles
import FencepostFormats
import FencepostPlaces
import FencepostTracks
import Glibc

/// Expands files, folders and patterns into track files.
///
/// Commands that take many tracks accept all three, so that the shell does not have to expand them.
package enum TrackFiles {
  /// The file extensions of tracks in folders; `.gz` may follow each.
  package static let endings: Set<String> = Set(TrackFormat.allCases.flatMap(\.fileExtensions))
    .union(["zip"])

  /// The files that the arguments stand for, with places told from tracks.
  ///
  /// People keep their list of stories beside their walks; such a file in a folder is not a damaged
  /// track.
  package struct Found: Equatable, Sendable {
    /// The track files in the order of the arguments, without duplicates.
    package var tracks: [String] = []
    /// Files in folders that certainly hold places rather than a track, not among ``tracks``.
    package var places: [String] = []

    /// Creates an empty result.
    package init() {}
  }

  /// Finds the files that the arguments name.
  ///
  /// A folder stands for all tracks below it, recognized by their ``endings`` and sorted by the
  /// bytes of their paths. Names that begin with a dot are skipped. An argument that does not exist
  /// and contains `*`, `?` or `[` is a pattern (glob(7)). Any other argument is a file, whether or
  /// not it exists.
  package static func find(_ arguments: [String]) -> Found {
    var found = Found()
    var seen: Set<String> = []
    for argument in arguments {
      for (path, isFolder) in files(of: argument) {
        for file in isFolder ? tracks(in: path) : [path] where seen.insert(file).inserted {
          if isFolder, hasEnding(file, of: placeEndings), PlaceFileProbe.holdsPlaces(path: file) {
            found.places.append(file)
          } else {
            found.tracks.append(file)
          }
        }
      }
    }
    return found
  }

  private static func files(of argument: String) -> [(path: String, isFolder: Bool)] {
    let kind = kind(of: argument)
    guard kind == nil, argument.contains(where: { "*?[".contains($0) }) else {
      return [(argument, kind == S_IFDIR)]
    }
    let found = matches(argument)
    return found.isEmpty ? [(argument, false)] : found.map { ($0, self.kind(of: $0) == S_IFDIR) }
  }

  /// Extensions that files of places have too.
  private static let placeEndings: Set<String> = [
    "csv", "txt", "json", "jsonl", "ndjson", "geojson", "gpx", "kml",
  ]

  /// Returns whether a track can be read more than once, unlike standard input and pipes.
  static func canBeReadAgain(_ path: String) -> Bool { path != "-" && kind(of: path) == S_IFREG }

  private static func tracks(in folder: String) -> [String] {
    var found: [String] = []
    collect(folder.hasSuffix("/") ? folder : folder + "/", into: &found, depth: 0)
    return found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private static func collect(_ folder: String, into found: inout [String], depth: Int) {
    // Links may form a cycle; no real folder is this deep.
    guard depth < 64, let directory = unsafe opendir(folder.fileNameBytes) else { return }
    defer { unsafe closedir(directory) }
    while let entry = unsafe readdir(directory) {
      // The system ends the name with a zero byte within the entry.
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
        unsafe String(fileName: $0.prefix { $0 != 0 })
      }
      guard !name.hasPrefix(".") else { continue }
      switch kind(of: folder + name) {
      case S_IFDIR: collect(folder + name + "/", into: &found, depth: depth + 1)
      case S_IFREG where hasEnding(name, of: endings): found.append(folder + name)
      default: break
      }
    }
  }

  /// Returns whether a name has one of some extensions, in any case and before any `.gz`.
  private static func hasEnding(_ name: String, of endings: Set<String>) -> Bool {
    var parts = name.lowercased().split(separator: ".", omittingEmptySubsequences: false)
    if parts.last == "gz" { parts.removeLast() }
    return parts.count > 1 && parts.last.map { endings.contains(String($0)) } ?? false
  }

  private static func kind(of path: String) -> mode_t? {
    var status = stat()
    // `status` is local and has the size the system expects.
    return unsafe stat(path.fileNameBytes, &status) == 0 ? status.st_mode & S_IFMT : nil
  }

  private static func matches(_ pattern: String) -> [String] {
    // `globfree` accepts a zeroed struct. Each text is copied before `globfree` frees it.
    var result = unsafe glob_t()
    defer { unsafe globfree(&result) }
    guard unsafe glob(pattern.fileNameBytes, 0, nil, &result) == 0 else { return [] }
    return unsafe (0..<Int(result.gl_pathc)).compactMap { index in
      // `glob` counts the pointers it fills.
      unsafe result.gl_pathv[index].map { text in unsafe String(fileNameAt: text) }
    }
  }
}
