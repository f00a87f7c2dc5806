extension ReorderWindow: Codable {
  private enum CodingKeys: String, CodingKey {
    case version, windowMilliseconds, capacity, releasedMilliseconds, arrivedCount, trackIndex, held
  }

  /// Decodes the form that ``encode(to:)`` wrote; throws if it is damaged or of a newer version.
  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let version = try values.decode(Int.self, forKey: .version)
    guard version <= Self.version else {
      throw DecodingError.dataCorruptedError(
        forKey: .version, in: values,
        debugDescription: "the reorder window was written by a newer version of Fencepost")
    }
    self.init(
      windowMilliseconds: try values.decode(Int64.self, forKey: .windowMilliseconds),
      capacity: try values.decode(Int.self, forKey: .capacity))
    releasedMilliseconds = try values.decode(Int64.self, forKey: .releasedMilliseconds)
    arrivedCount = try values.decode(Int.self, forKey: .arrivedCount)
    trackIndex = try values.decode(Int32.self, forKey: .trackIndex)
    for member in try values.decode([HeldFixes.Member].self, forKey: .held) { held.insert(member) }
  }

  /// Encodes the complete state.
  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(Self.version, forKey: .version)
    try values.encode(windowMilliseconds, forKey: .windowMilliseconds)
    try values.encode(capacity, forKey: .capacity)
    try values.encode(releasedMilliseconds, forKey: .releasedMilliseconds)
    try values.encode(arrivedCount, forKey: .arrivedCount)
    try values.encode(trackIndex, forKey: .trackIndex)
    try values.encode(held.members, forKey: .held)
  }
}
