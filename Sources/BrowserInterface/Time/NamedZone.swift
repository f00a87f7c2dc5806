/// The rules of a zone of the time zone database, which an engine in a browser does not have.
struct NamedZone: Hashable, Sendable {
  init?(identifier: String) { nil }

  func offsetSeconds(atMilliseconds milliseconds: Int64) -> Int64 { 0 }
}
