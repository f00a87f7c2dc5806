import Glibc
import NIOCore
import NIOPosix

/// Why a server cannot listen.
public struct ListeningError: Error, CustomStringConvertible, Sendable {
  /// The address as a user would write it.
  public var address: String
  /// The system's reason, as a sentence that begins with a small letter.
  public var reason: String
  /// Whether the address is none of this machine's, rather than taken or forbidden.
  public var isAddressWrong: Bool

  /// The whole as one sentence.
  public var description: String { "cannot listen on \(address): \(reason)" }

  /// Says why in the user's words rather than the system's.
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
    // The system's text ends with a zero and is copied before anything else asks for one.
    default: unsafe sentence(String(cString: strerror(code)))
    }
  }

  private static func sentence(_ text: String) -> String {
    text.prefix(1).lowercased() + text.dropFirst()
  }
}

extension HTTPAddress {
  /// The socket addresses that it stands for, in the order in which they are to be tried.
  ///
  /// - Throws: `SocketAddressError.UnknownHost` where nobody knows the name.
  func candidates() throws -> [SocketAddress] {
    let port = Int(port)
    switch host.lowercased() {
    case "":
      // One socket of IPv6 takes the connections of both families; not every machine has it.
      return try ["::", "0.0.0.0"].map { try SocketAddress(ipAddress: $0, port: port) }
    case "localhost", "localhost.":
      return try ["127.0.0.1", "::1"].map { try SocketAddress(ipAddress: $0, port: port) }
    default:
      return [try SocketAddress.makeAddressResolvingHost(host, port: port)]
    }
  }
}
