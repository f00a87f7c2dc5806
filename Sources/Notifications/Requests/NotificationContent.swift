public import FencepostMonitoring

/// What a notification says, and how it is shown.
public struct NotificationContent: Hashable, Sendable {
  /// The first line.
  public var title: String
  /// The second line; may be empty.
  public var subtitle: String
  /// The text below; may be empty.
  public var body: String
  /// The category, which decides which actions are offered; may be empty.
  public var category: String
  /// What is heard; nil for silence.
  public var sound: Sound?
  /// The number that the app's icon gets; nil leaves the one that is there.
  public var badge: Int?
  /// The conversation that it belongs to: notifications of one thread are shown as a group; may be empty.
  public var thread: String
  /// How urgent it is.
  public var interruptionLevel: InterruptionLevel
  /// What the app itself wants to find when the notification is tapped, such as a story's address.
  public var userInfo: [String: String]

  /// A sound.
  public enum Sound: Hashable, Codable, Sendable {
    /// The system's own.
    case standard
    /// A sound file of the app.
    case named(String)
  }

  /// How urgent a notification is.
  public enum InterruptionLevel: String, Codable, CaseIterable, Sendable {
    /// It goes to the list of notifications without a sound or a lit screen.
    case passive
    /// It lights up the screen.
    case active
    /// It also comes while most others are held back, if the user allows that.
    case timeSensitive
    /// It always comes; systems grant this to few apps.
    case critical
  }

  /// Makes a content of its parts.
  public init(
    title: String, subtitle: String = "", body: String = "", category: String = "",
    sound: Sound? = .standard, badge: Int? = nil, thread: String = "",
    interruptionLevel: InterruptionLevel = .active, userInfo: [String: String] = [:]
  ) {
    self.title = title
    self.subtitle = subtitle
    self.body = body
    self.category = category
    self.sound = sound
    self.badge = badge
    self.thread = thread
    self.interruptionLevel = interruptionLevel
    self.userInfo = userInfo
  }

  /// A story's title and blurb; its id and address are in ``userInfo`` for when the notification is tapped.
  public init(_ story: Place) {
    var userInfo = ["story": story.id]
    if !story.url.isEmpty { userInfo["url"] = story.url }
    self.init(
      title: story.title.isEmpty ? story.id : story.title, body: story.blurb,
      category: story.category, userInfo: userInfo)
  }
}

extension NotificationContent: Codable {
  private enum CodingKeys: String, CodingKey {
    case title, subtitle, body, category, sound, isSilent, badge, thread, interruptionLevel,
      userInfo
  }

  /// Reads a content; whatever is left out has its default, as in states that were saved before it existed.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    func value<Value: Decodable>(_ key: CodingKeys, default standard: Value) throws -> Value {
      try values.decodeIfPresent(Value.self, forKey: key) ?? standard
    }
    let isSilent = try value(.isSilent, default: false)
    self.init(
      title: try values.decode(String.self, forKey: .title),
      subtitle: try value(.subtitle, default: ""), body: try value(.body, default: ""),
      category: try value(.category, default: ""),
      sound: isSilent ? nil : try value(.sound, default: .standard),
      badge: try values.decodeIfPresent(Int.self, forKey: .badge),
      thread: try value(.thread, default: ""),
      interruptionLevel: try value(.interruptionLevel, default: .active),
      userInfo: try value(.userInfo, default: [:]))
  }

  /// Writes a content; whatever has its default is left out, but for the texts.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(title, forKey: .title)
    try values.encode(subtitle, forKey: .subtitle)
    try values.encode(body, forKey: .body)
    try values.encode(category, forKey: .category)
    switch sound {
    case nil: try values.encode(true, forKey: .isSilent)
    case .standard: break
    case .named: try values.encode(sound, forKey: .sound)
    }
    try values.encodeIfPresent(badge, forKey: .badge)
    if !thread.isEmpty { try values.encode(thread, forKey: .thread) }
    if interruptionLevel != .active {
      try values.encode(interruptionLevel, forKey: .interruptionLevel)
    }
    if !userInfo.isEmpty { try values.encode(userInfo, forKey: .userInfo) }
  }
}
