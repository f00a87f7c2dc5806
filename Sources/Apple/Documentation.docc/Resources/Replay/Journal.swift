import FencepostApple
import FencepostStateFile
import Foundation

/// What must outlive the program.
struct Journal: Codable {
  /// What the watch knows; nil before the first fix.
  var watch: StoryWatch.Snapshot?
  /// The alerts so far.
  var alerts: [String] = []

  /// Reads the journal from a file; it is empty if the file does not exist.
  init(from file: StateFile) throws {
    guard let bytes = try file.read() else { return }
    self = try JSONDecoder().decode(Journal.self, from: Data(bytes))
  }

  /// Writes the journal; the file has either the old one or the new one, whatever happens.
  func save(to file: StateFile) throws {
    try file.write(Array(JSONEncoder().encode(self)))
  }
}
