import Foundation
import Synchronization

/// Reads posts away from the server's thread, each in its turn.
///
/// Short posts are read on one thread and long ones on another, so that nobody waits for somebody
/// else's long post. A device's posts keep their order: a short one waits for long ones before it.
final class PostTurns: Sendable {
  /// A post longer than this is long.
  static var mostShortBytes: Int { 32 * 1024 }
  /// The bytes of all posts that wait or are being read.
  private static var mostBytes: Int { 32 << 20 }
  /// Room beside these that only short posts have.
  private static var shortBytes: Int { 4 << 20 }
  private static var mostPosts: Int { 1024 }

  private struct Contents {
    var byteCount = 0
    var postCount = 0
    /// For each device how many of its posts stand on the thread for long ones.
    var longCounts: [String: Int] = [:]
  }

  private let contents = Mutex(Contents())
  private let shortPosts = DispatchQueue(label: "short posts")
  private let longPosts = DispatchQueue(label: "long posts")

  /// Adds a post; false, without effect, if too much waits already.
  ///
  /// `read` is told whether it runs on the thread for long posts, and returns false if the post
  /// belongs there.
  func add(
    of device: String, byteCount: Int, read: @escaping @Sendable (_ isLong: Bool) -> Bool
  ) -> Bool {
    let most = Self.mostBytes + (byteCount <= Self.mostShortBytes ? Self.shortBytes : 0)
    let isAdded = contents.withLock { contents in
      guard contents.byteCount + byteCount <= most, contents.postCount < Self.mostPosts else {
        return false
      }
      contents.byteCount += byteCount
      contents.postCount += 1
      return true
    }
    guard isAdded else { return false }
    shortPosts.async { [self] in
      let isAlone = contents.withLock { $0.longCounts[device] == nil }
      guard !isAlone || !read(false) else { return leave(byteCount) }
      contents.withLock { $0.longCounts[device, default: 0] += 1 }
      longPosts.async { [self] in
        _ = read(true)
        contents.withLock { contents in
          let count = (contents.longCounts[device] ?? 1) - 1
          contents.longCounts[device] = count > 0 ? count : nil
        }
        leave(byteCount)
      }
    }
    return true
  }

  private func leave(_ byteCount: Int) {
    contents.withLock { contents in
      contents.byteCount -= byteCount
      contents.postCount -= 1
    }
  }
}
