import FencepostFormats
import Glibc

/// Converts text from an encoding that the C library knows to UTF-8, chunk by chunk.
@safe
struct XMLTranscoder: ~Copyable {
  // Every `unsafe` of this type passes iconv its descriptor, which lives until `deinit`, or buffers
  // with their sizes, whose addresses it uses only during the call.

  private let descriptor: iconv_t
  /// The beginning of a character that a chunk cut off.
  private var rest: [UInt8] = []

  /// Prepares a conversion; nil if the encoding is unknown.
  init?(from encoding: String) {
    guard let descriptor = unsafe iconv_open("UTF-8", encoding),
      unsafe descriptor != iconv_t(bitPattern: -1)
    else { return nil }
    unsafe self.descriptor = descriptor
  }

  deinit { unsafe iconv_close(descriptor) }

  /// Whether all characters are complete.
  var isWhole: Bool { rest.isEmpty }

  /// Appends a chunk as UTF-8; false if it has bytes that are no character of the encoding.
  mutating func convert(_ chunk: Span<UInt8>, into text: inout [UInt8]) -> Bool {
    var input = rest
    input.append(contentsOf: chunk)
    var output = [UInt8](repeating: 0, count: 4096)
    var isSound = true
    let unread = unsafe input.withUnsafeMutableBytes { input in
      var source = unsafe input.baseAddress?.assumingMemoryBound(to: CChar.self)
      var unread = input.count
      while unread > 0 {
        let (count, code) = unsafe output.withUnsafeMutableBytes { output in
          var target = unsafe output.baseAddress?.assumingMemoryBound(to: CChar.self)
          var free = output.count
          let result = unsafe iconv(descriptor, &source, &unread, &target, &free)
          return (output.count - free, result == Int(bitPattern: UInt.max) ? errno : 0)
        }
        text += output[..<count]
        // A full buffer has room for more in the next round.
        if code == E2BIG { continue }
        isSound = code == 0 || code == EINVAL
        break
      }
      return unread
    }
    rest = Array(input.suffix(unread))
    return isSound
  }
}
