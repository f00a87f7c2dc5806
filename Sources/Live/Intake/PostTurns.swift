import Dispatch
import Synchronization

/// Reads posts in order, away from the server's thread.
///
/// One thread reads short posts and another long ones, so that nobody waits for someone else's long
/// post. The posts of one device stay in order: a short one waits for earlier long ones.
final class PostTurns: Sendable {
  /// The greatest length of a short post.
  static var mostShortBytes: Int { 32 * 1024 }
  /// Total bytes of posts that wait or are being read.
  private static var mostBytes: Int { 32 << 20 }
  /// Additional bytes for short posts only.
  private static var shortBytes: Int { 4 << 20 }
  private static var mostPosts: Int { 1024 }

  private struct Contents {
    var byteCount = 0
    var postCount = 0
    /// The number of posts that each device has on the thread for long posts.
    var longCounts: [String: Int] = [:]
  }

  private let contents = Mutex(Contents())
  private let shortPosts = DispatchQueue(label: "short posts")
  private let longPosts = DispatchQueue(label: "long posts")

  /// Adds a post, or returns false if too much is waiting.
  ///
  /// `read` learns whether it runs on the thread for long posts, and returns false to be moved
  /// there.
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
