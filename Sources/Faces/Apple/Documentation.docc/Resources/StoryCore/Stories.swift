import FencepostApple
import Foundation

/// Reads the app's stories from a JSON file.
///
/// - Throws: What is wrong with the file, or with the first story that cannot be used.
public func loadStories(_ file: URL) throws -> PlaceIndex {
  let stories = try JSONDecoder().decode([Place].self, from: Data(contentsOf: file))
  return try PlaceIndex(stories)
}
