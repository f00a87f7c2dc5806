#if Command
package import Logging

extension Logger {
  /// A log whose messages are sentences for the user, with fields that programs can search.
  package static func saying(
    _ say:
      @escaping @Sendable (_ sentence: String, _ level: Level, _ fields: [String: String])
      -> Void
  ) -> Logger {
    Logger(label: "fencepost") { _ in SentenceHandler(say: say) }
  }
}

/// Hands each message with its level and fields to a closure.
private struct SentenceHandler: LogHandler {
  let say: @Sendable (String, Logger.Level, [String: String]) -> Void
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.info

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let fields = metadata.merging(event.metadata ?? [:]) { $1 }
    say("\(event.message)", event.level, fields.mapValues { "\($0)" })
  }
}
#endif
