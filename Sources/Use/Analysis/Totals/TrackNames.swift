/// The names of tracks for people: their own titles where no other has the same, or else their
/// files.
///
/// Recordings often share a title such as “Morning walk”. Such a title would not tell them apart,
/// so the file's name is used.
package struct TrackNames: Sendable {
  private var counts: [String: Int] = [:]

  /// Counts the titles of all tracks among which the names must be unique.
  package init(_ accounts: some Sequence<TrackAccount>) {
    for account in accounts {
      if let title = account.title { counts[title, default: 0] += 1 }
    }
  }

  /// The title if it is unique; nil if only the file tells the track from others.
  package func title(of account: TrackAccount) -> String? {
    account.title.flatMap { counts[$0] == 1 ? $0 : nil }
  }

  /// The unique title, or else the file's name.
  package func name(of account: TrackAccount) -> String { title(of: account) ?? account.track }
}
