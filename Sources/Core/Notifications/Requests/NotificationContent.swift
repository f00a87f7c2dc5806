public import FencepostMonitoring

/// The text of a notification and how it appears.
///
/// The app fills it in, or ``init(_:)`` makes it from a story.
public struct NotificationContent: Hashable, Sendable {
  /// The first line.
  public var title: String
  /// The second line; may be empty.
  public var subtitle: String
  /// The text below; may be empty.
  public var body: String
  /// The category, which selects the offered actions; may be empty.
  public var category: String
  /// The sound; nil for silence.
  public var sound: Sound?
  /// The number on the app's icon; nil leaves it unchanged.
  public var badge: Int?
  /// The id of the group in which the notification appears; may be empty.
  public var thread: String
  /// How urgent the notification is.
  public var interruptionLevel: InterruptionLevel
  /// Data for the app when the notification is tapped, such as the URL of a story.
  public var userInfo: [String: String]

  /// The sound of a notification.
  public enum Sound: Hashable, Sendable {
    /// The system's default sound.
    case standard
    /// A sound file of the app.
    case named(String)
  }

  /// How urgent a notification is.
  ///
  /// The cases are those of Apple's systems, from the least urgent to the most urgent.
  public enum InterruptionLevel: String, Codable, CaseIterable, Sendable {
    /// Added to the list of notifications without sound or lighting up the screen.
    case passive
    /// Lights up the screen.
    case active
    /// Also appears while most notifications are held back, if the user allows it.
    case timeSensitive
    /// Always appears; systems allow this for few apps.
    case critical
  }

  /// Creates content.
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

  /// Creates content from a story; ``userInfo`` gets its id as `story` and its URL as `url`.
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

  /// Reads content; missing values get their defaults.
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

  /// Writes content; default values are omitted, except for texts.
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

extension NotificationContent.Sound: Codable {
  /// Reads a sound.
  public init(from decoder: any Decoder) throws {
    let coded = try CodedCase(from: decoder)
    switch coded.name {
    case "standard": self = .standard
    case "named": self = .named(try coded.part("name"))
    default: throw coded.unknown
    }
  }

  /// Writes the sound.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .standard: try encoder.encode(case: "standard")
    case .named(let name): try encoder.encode(case: "named", ["name": name])
    }
  }
}
