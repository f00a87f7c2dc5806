import FencepostCSodium
import Foundation

/// The keys with which OwnTracks encrypts messages, as users typed them into the app.
///
/// The app pads a key with zeros to 32 bytes and seals each message by libsodium's `secretbox`
/// (XSalsa20-Poly1305); `data` is Base64 of the nonce of 24 bytes and the sealed text.
public struct OwnTracksKeys: Sendable {
  /// The bytes of a key, the nonce, and the authenticator.
  private static var keyBytes: Int { Int(crypto_secretbox_KEYBYTES) }
  private static var nonceBytes: Int { Int(crypto_secretbox_NONCEBYTES) }
  private static var tagBytes: Int { Int(crypto_secretbox_MACBYTES) }

  private let keys: [[UInt8]]

  /// Reads keys, one a line; every message is tried with each.
  ///
  /// - Parameter text: The text of a file.
  /// - Throws: ``OwnTracksKeyError``, also if there is no key.
  public init(_ text: String) throws(OwnTracksKeyError) {
    var keys: [[UInt8]] = []
    let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    for (index, line) in lines.enumerated() where !line.isEmpty {
      guard line.utf8.count <= Self.keyBytes else {
        throw OwnTracksKeyError(
          description: "line \(index + 1): a key has at most \(Self.keyBytes) bytes")
      }
      keys.append(
        Array(line.utf8) + [UInt8](repeating: 0, count: Self.keyBytes - line.utf8.count))
    }
    guard !keys.isEmpty, sodium_init() >= 0 else {
      throw OwnTracksKeyError(description: "there is no key in it")
    }
    self.keys = keys
  }

  /// Decrypts a message.
  ///
  /// - Parameter data: The message's `data`.
  /// - Returns: The text; nil if no key fits or the message was changed.
  func open(_ data: String) -> [UInt8]? {
    guard let bytes = Data(base64Encoded: data), bytes.count >= Self.nonceBytes + Self.tagBytes
    else { return nil }
    let nonce = Array(bytes.prefix(Self.nonceBytes))
    let sealed = Array(bytes.dropFirst(Self.nonceBytes))
    var plain = [UInt8](repeating: 0, count: sealed.count - Self.tagBytes)
    for key in keys {
      // All buffers have the lengths that the function requires.
      let status = unsafe crypto_secretbox_open_easy(
        &plain, sealed, UInt64(sealed.count), nonce, key)
      if status == 0 { return plain }
    }
    return nil
  }
}

/// An unusable file of keys.
public struct OwnTracksKeyError: Error, CustomStringConvertible, Sendable {
  /// The reason as a sentence; it holds no part of a key.
  public let description: String
}
