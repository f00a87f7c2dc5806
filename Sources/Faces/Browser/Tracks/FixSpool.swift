import FencepostFiles
import FencepostFixes

/// A double-ended queue of fixes in memory, where no file can hold them.
final class FixSpool {
  private var fixes: ArraySlice<Fix> = []

  init(name: String) {}

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

enum FixReader {
  static var batchCount: Int { 1024 }
}
