#if Command
package import FencepostNotifications

/// Reads and writes rules as the text of a file for `--rules`, with the code of the commands.
///
/// The commands parse options, and a library below them cannot, so they pass their code in.
package struct RulesText: Sendable {
  /// The rules that a file gives a studio.
  ///
  /// The lines let an error about a rule name its place in the file.
  package struct Reading: Sendable {
    /// The rules, and the phone of the scene that the file names.
    package var setting: StudioSetting
    /// The time zone of quiet hours.
    package var zone: ClockZone
    /// The line of each option in the file, such as `--limit`, counted from 1.
    package var lines: [String: Int]

    /// Creates what reading a file gives.
    package init(setting: StudioSetting, zone: ClockZone, lines: [String: Int]) {
      self.setting = setting
      self.zone = zone
      self.lines = lines
    }
  }

  /// Reads the bytes of a file with a name, for a scene with its phones and its time zone.
  ///
  /// The description of an error is a sentence that names the file and the line.
  package var read: @Sendable ([UInt8], String, StudioScene) throws -> Reading
  /// Writes options by their names without dashes.
  package var write: @Sendable ([(name: String, value: String)]) -> String

  /// Creates both from the commands' code.
  package init(
    read: @escaping @Sendable ([UInt8], String, StudioScene) throws -> Reading,
    write: @escaping @Sendable ([(name: String, value: String)]) -> String
  ) {
    self.read = read
    self.write = write
  }
}
#endif
