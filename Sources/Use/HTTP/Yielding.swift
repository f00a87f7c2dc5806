#if Command
/// Which connection gives way to others that wait at the socket, and when.
///
/// A pure value, whose times are milliseconds of a monotonic clock.
package struct Yielding {
  /// What matters of a connection.
  ///
  /// The server makes one of each open connection when there is no room.
  package struct Candidate {
    /// What counts as one client; see ``Yielding/client(at:)``.
    var client: String
    /// Whether the head of its request has passed.
    var isAdmitted: Bool
    /// When it began to keep the server waiting; nil if the server keeps it waiting, `Int64.min` if
    /// it has its response.
    var stalledSinceMilliseconds: Int64?

    /// Describes a connection.
    package init(client: String, isAdmitted: Bool, stalledSinceMilliseconds: Int64?) {
      self.client = client
      self.isAdmitted = isAdmitted
      self.stalledSinceMilliseconds = stalledSinceMilliseconds
    }
  }

  private let limits: HTTPLimits

  /// Chooses by the patience and the crowd of these limits.
  package init(_ limits: HTTPLimits) { self.limits = limits }

  /// What counts as one client: an IPv4 address, or of an IPv6 address the network of 64 bits.
  package static func client(at address: String) -> String {
    // A socket of both families has IPv4 addresses behind a prefix (RFC 4291, section 2.5.5.2).
    guard !address.contains(".") else { return String(address.split(separator: ":").last ?? "") }
    let halves = address.split(separator: "::", omittingEmptySubsequences: false)
      .map { $0.split(separator: ":") }
    let zeros = repeatElement(Substring("0"), count: max(0, 8 - halves.joined().count))
    return (halves[0] + zeros + halves.dropFirst().joined()).prefix(4).joined(separator: ":")
  }

  /// Chooses the connection that gives way next.
  ///
  /// Those with their response go first, at once. Then come those without an admitted request, so
  /// that strangers take no place from others, and last those whose body or response has stalled,
  /// with the newest of all, which has just come. Among these the one goes first whose time is over
  /// first. A crowd from one address has less.
  ///
  /// - Parameter candidates: The open connections, the newest last.
  /// - Returns: Its place among them, and when its time is over; nil if none keeps the server waiting.
  /// - Complexity: O(connections).
  package func next(of candidates: [Candidate]) -> (index: Int, dueMilliseconds: Int64)? {
    var crowds: [String: Int] = [:]
    for candidate in candidates where !candidate.isAdmitted {
      crowds[candidate.client, default: 0] += 1
    }
    let stalled = candidates.indices.compactMap { index in
      let candidate = candidates[index]
      return candidate.stalledSinceMilliseconds.map { since in
        let isDone = since == .min
        let isCrowd = !candidate.isAdmitted && crowds[candidate.client, default: 0] > limits.crowd
        let patience = limits.patienceMilliseconds / (isCrowd ? 2 : 1)
        return (
          index: index,
          group: isDone ? 0 : candidate.isAdmitted || index == candidates.count - 1 ? 2 : 1,
          dueMilliseconds: isDone ? since : since + patience
        )
      }
    }
    return stalled.min { ($0.group, $0.dueMilliseconds) < ($1.group, $1.dueMilliseconds) }
      .map { ($0.index, $0.dueMilliseconds) }
  }
}
#endif
