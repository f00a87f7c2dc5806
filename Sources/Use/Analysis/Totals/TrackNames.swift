/// The names of tracks for people: their own titles, where no other has the same, or else their files.
package struct TrackNames: Sendable {
  private var counts: [String: Int] = [:]

  package init(_ accounts: some Sequence<TrackAccount>) {
    for account in accounts {
      if let title = account.title { counts[title, default: 0] += 1 }
    }
  }

  /// The title if it is unique; nil if only the file tells the track from others.
  package func title(of account: TrackAccount) -> String? {
    account.title.flatMap { counts[$0] == 1 ? $0 : nil }
  }

  package func name(of account: TrackAccount) -> String { title(of: account) ?? account.track }
}
