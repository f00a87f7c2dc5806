import FencepostFiles
import FencepostFixes

/// A double-ended queue of fixes in memory, where no file can hold them.
///
/// It has the interface of the queue in a temporary file that the program uses for long tracks.
final class FixSpool {
  private var fixes: ArraySlice<Fix> = []

  /// Creates an empty queue; the name is for errors, and nothing here fails.
  init(name: String) {}

  /// Adds fixes at the back.
  func append(_ more: [Fix]) { fixes += more }

  /// Removes up to `count` fixes from the front, in order.
  func takeFirst(_ count: Int) -> [Fix] {
    defer { fixes = fixes.dropFirst(count) }
    return Array(fixes.prefix(count))
  }

  /// Removes up to `count` fixes from the back, in order.
  func takeLast(_ count: Int) -> [Fix] {
    defer { fixes = fixes.dropLast(count) }
    return Array(fixes.suffix(count))
  }
}

/// Stands in for the reader of files; shared code needs only the size of its batches.
enum FixReader {
  /// The number of fixes that are handed on together.
  static var batchCount: Int { 1024 }
}
