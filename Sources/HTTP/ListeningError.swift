import Glibc
import NIOCore
import NIOPosix

/// Why a server cannot listen.
public struct ListeningError: Error, CustomStringConvertible, Sendable {
  /// The address as a user would write it.
  public var address: String
  /// The reason, as a sentence that begins in lower case.
  public var reason: String
  /// Whether this machine lacks the address, as opposed to a port that is taken or forbidden.
  public var isAddressWrong: Bool

  /// The error as one sentence.
  public var description: String { "cannot listen on \(address): \(reason)" }

  init(_ address: HTTPAddress, _ error: any Error) {
    self.address = address.text
    isAddressWrong = false
    switch error {
    case let error as SocketAddressError.UnknownHost:
      reason = Self.sentence(error.errorDescription)
      isAddressWrong = true
    case let error as IOError:
      reason = Self.sentence(forCode: error.errnoCode)
      isAddressWrong = error.errnoCode == EADDRNOTAVAIL
    default:
      reason = Self.sentence(String(describing: error))
    }
  }

  private static func sentence(forCode code: Int32) -> String {
    switch code {
    case EADDRINUSE: "another program has that port"
    case EACCES: "that port is reserved; choose one above 1023"
    case EADDRNOTAVAIL: "this machine has no such address"
    // The text is zero-terminated and copied at once.
    default: unsafe sentence(String(cString: strerror(code)))
    }
  }

  private static func sentence(_ text: String) -> String {
    text.prefix(1).lowercased() + text.dropFirst()
  }
}

extension HTTPAddress {
  /// The socket addresses to try, in order.
  ///
  /// - Throws: `SocketAddressError.UnknownHost` if the name cannot be resolved.
  func candidates() throws -> [SocketAddress] {
    let port = Int(port)
    switch host.lowercased() {
    case "":
      // An IPv6 socket accepts both families, but not every machine has IPv6.
      return try ["::", "0.0.0.0"].map { try SocketAddress(ipAddress: $0, port: port) }
    case "localhost", "localhost.":
      return try ["127.0.0.1", "::1"].map { try SocketAddress(ipAddress: $0, port: port) }
    default:
      return [try SocketAddress.makeAddressResolvingHost(host, port: port)]
    }
  }
}
