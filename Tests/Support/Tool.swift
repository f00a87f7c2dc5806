package import Foundation

/// The programs that tests use.
package enum Tool {
  /// A program that a test needs is missing.
  package struct Missing: Error, CustomStringConvertible {
    package var name: String
    package var description: String { "\(name) is not installed; Tools/test installs it" }
  }

  /// The built program, beside the test bundle in the folder of built products.
  package static let fencepost: URL = {
    if let path = ProcessInfo.processInfo.environment["FENCEPOST_EXECUTABLE"] {
      return URL(fileURLWithPath: path)
    }
    return URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appendingPathComponent("fencepost")
  }()

  /// A program's path; nil if not installed.
  package static func path(_ name: String) -> URL? {
    if name.hasPrefix("/") {
      return FileManager.default.isExecutableFile(atPath: name) ? URL(fileURLWithPath: name) : nil
    }
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return (folders + ["/usr/sbin", "/usr/local/sbin", "/sbin"])
      .map { URL(fileURLWithPath: String($0)).appendingPathComponent(name) }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }

  /// A program's path.
  ///
  /// - Throws: ``Missing`` if not installed.
  package static func need(_ name: String) throws -> URL {
    guard let path = path(name) else { throw Missing(name: name) }
    return path
  }

  /// Whether all of these are installed.
  package static func has(_ names: String...) -> Bool { names.allSatisfy { path($0) != nil } }

  /// A socket bound to 127.0.0.1, and its port.
  ///
  /// - Parameters:
  ///   - port: The port; 0 for any.
  ///   - sharesPort: Whether it may have a port that ``holdPort()`` holds.
  /// - Returns: Nil if the port is taken.
  package static func bind(port: Int = 0, sharesPort: Bool = false) -> (
    descriptor: Int32, port: Int
  )? {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    if sharesPort { share(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = unsafe inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    // The size matches the socket address.
    let code = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        guard unsafe Glibc.bind(descriptor, generic, length) == 0 else { return Int32(-1) }
        return unsafe getsockname(descriptor, generic, &length)
      }
    }
    guard code == 0 else {
      close(descriptor)
      return nil
    }
    return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
  }

  private static func share(_ descriptor: Int32) {
    var on: Int32 = 1
    _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, 4)
  }

  /// A port for servers that a test starts, also again and again, and nobody else's while this process runs.
  ///
  /// A socket that never listens holds it. A server that sets `SO_REUSEADDR` may listen on it beside that
  /// one, and nothing else is given it: it is outside the range that systems give away.
  package static func holdPort() throws -> Int {
    for _ in 0..<1000 {
      guard let held = bind(port: Int.random(in: 20_000..<32_000)) else { continue }
      share(held.descriptor)
      return held.port
    }
    throw Missing(name: "a free port")
  }
}
