import FencepostFiles
import FencepostPhones

/// Reads profiles by name or from files.
enum ProfileFiles {
  /// Finds a profile.
  ///
  /// - Parameter name: A built-in profile's name in whatever case, else the path of a file; `-` is standard input.
  /// - Returns: The profile.
  /// - Throws: `ByteSourceError`, or ``CommandFailure`` with the place of the fault.
  static func profile(_ name: String) throws -> PhoneProfile {
    if let builtIn = BuiltInProfile(named: name) { return builtIn.profile }
    let bytes = try SmallFile.contents(
      of: try open(name), name, mostBytes: mostBytes, kind: "profile")
    do throws(ProfileError) {
      return try PhoneProfile(parsing: bytes.span)
    } catch {
      throw CommandFailure(.inputBad, "\(SmallFile.name(name)): \(error)")
    }
  }

  private static func open(_ path: String) throws -> InflatedSource {
    do throws(ByteSourceError) {
      return try InflatedSource(path: path)
    } catch {
      guard error.kind == .missing, !path.contains("/"), !path.contains(".") else { throw error }
      let names = BuiltInProfile.allCases.map(\.rawValue).joined(separator: ", ")
      throw CommandFailure(
        .inputMissing, "\(path) is no built-in profile and no file; the profiles are \(names)")
    }
  }

  /// The largest file; the built-in profiles have 7 KiB.
  private static let mostBytes = 256 * 1024
}

extension BuiltInProfile {
  /// Finds a profile by its name, in whatever case: `iPhone`.
  init?(named name: String) {
    self.init(rawValue: name.lowercased())
  }
}
