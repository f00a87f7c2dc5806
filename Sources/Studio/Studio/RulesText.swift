package import FencepostNotifications

/// Reads and writes rules as the text of a file for `--rules`, with the code of the commands.
package struct RulesText: Sendable {
  /// The rules that a file gives a studio.
  package struct Reading: Sendable {
    package var setting: StudioSetting
    /// The time zone of quiet hours.
    package var zone: ClockZone
    /// The line of each option in the file, such as `--limit`, counted from 1.
    package var lines: [String: Int]

    package init(setting: StudioSetting, zone: ClockZone, lines: [String: Int]) {
      self.setting = setting
      self.zone = zone
      self.lines = lines
    }
  }

  /// Why a file cannot be read: a sentence without a period that names the file and the line.
  package struct Fault: Error, CustomStringConvertible {
    package var description: String

    package init(description: String) { self.description = description }
  }

  /// Reads the bytes of a file with a name, for a scene with its phones and its time zone.
  package var read: @Sendable ([UInt8], String, StudioScene) throws(Fault) -> Reading
  /// Writes options by their names without dashes.
  package var write: @Sendable ([(name: String, value: String)]) -> String

  package init(
    read: @escaping @Sendable ([UInt8], String, StudioScene) throws(Fault) -> Reading,
    write: @escaping @Sendable ([(name: String, value: String)]) -> String
  ) {
    self.read = read
    self.write = write
  }
}
