/// Rules for the names of topics, from section 4.7 of MQTT 3.1.1.
public enum MQTTTopic {
  /// The most bytes of a topic or filter.
  public static var mostBytes: Int { 65_535 }

  /// Whether a text names one topic: not empty, without wildcards.
  public static func isTopic(_ text: String) -> Bool {
    isText(text) && !text.contains("#") && !text.contains("+")
  }

  /// Whether a text is a filter of topics: `+` stands for a whole level, and `#`, at the end, for all that follow.
  public static func isFilter(_ text: String) -> Bool {
    let levels = text.split(separator: "/", omittingEmptySubsequences: false)
    return isText(text)
      && levels.dropLast().allSatisfy { !$0.contains("#") }
      && levels.allSatisfy { level in
        level == "#" || level == "+" || !(level.contains("#") || level.contains("+"))
      }
  }

  private static func isText(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= mostBytes && !text.utf8.contains(0)
  }
}
