#if canImport(Darwin)
import Darwin
#elseif canImport(Android)
import Android
#elseif canImport(Musl)
import Musl
#elseif canImport(WASILibc)
import WASILibc
#else
import Glibc
#endif

extension ZoneFile {
  /// Reads the system's file of a zone, such as `Europe/Berlin`; nil if the system lacks it.
  package init?(named name: String) {
    guard let bytes = Self.bytes(named: name) else { return nil }
    self.init(bytes)
  }

  /// The bytes of the system's file of a zone; nil if the system lacks it.
  package static func bytes(named name: String) -> [UInt8]? {
    guard name.utf8.allSatisfy({ UInt8(ascii: "+")...UInt8(ascii: "z") ~= $0 }),
      !name.hasPrefix("/"), !name.contains("..")
    else { return nil }
    // No call keeps a pointer, and the file is closed when the function returns.
    guard let file = unsafe fopen("/usr/share/zoneinfo/" + name, "rb") else { return nil }
    defer { unsafe _ = fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = unsafe fread(&bytes, 1, bytes.count, file)
    return Array(bytes.prefix(count))
  }
}
