/// A message that a broker passes on, or should.
public struct MQTTMessage: Equatable, Sendable {
  /// What it is about, in levels separated by slashes.
  public var topic: String
  /// Its content.
  public var payload: [UInt8]
  /// Whether the broker keeps it for those who subscribe later; of a received message, whether it was kept.
  public var isRetained: Bool

  /// Makes a message.
  public init(topic: String, payload: [UInt8], isRetained: Bool = false) {
    self.topic = topic
    self.payload = payload
    self.isRetained = isRetained
  }
}
