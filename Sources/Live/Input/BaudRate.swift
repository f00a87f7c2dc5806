import Glibc

/// The speed of a serial line.
public enum BaudRate: Hashable, Sendable, CustomStringConvertible {
  /// The speed at which checksums match.
  case auto
  /// Bits per second, one of ``standardRates``.
  case bitsPerSecond(Int)

  /// Parses `auto` or one of the ``standardRates``; nil for any other text.
  public init?(_ text: String) {
    if text == "auto" {
      self = .auto
    } else if let rate = Int(text), Self.codes[rate] != nil {
      self = .bitsPerSecond(rate)
    } else {
      return nil
    }
  }

  /// The kernel's speeds in bits per second, ascending: 50 to 4,000,000.
  public static var standardRates: [Int] { codes.keys.sorted() }

  /// The speed as users write it.
  public var description: String {
    switch self {
    case .auto: "auto"
    case .bitsPerSecond(let rate): "\(rate)"
    }
  }

  /// The kernel's code of a speed, nil if not standard.
  static func code(ofBitsPerSecond rate: Int) -> speed_t? { codes[rate].map { speed_t($0) } }

  private static let codes: [Int: Int32] = [
    50: B50, 75: B75, 110: B110, 134: B134, 150: B150, 200: B200, 300: B300, 600: B600,
    1200: B1200, 1800: B1800, 2400: B2400, 4800: B4800, 9600: B9600, 19_200: B19200,
    38_400: B38400, 57_600: B57600, 115_200: B115200, 230_400: B230400, 460_800: B460800,
    500_000: B500000, 576_000: B576000, 921_600: B921600, 1_000_000: B1000000,
    1_152_000: B1152000, 1_500_000: B1500000, 2_000_000: B2000000, 2_500_000: B2500000,
    3_000_000: B3000000, 3_500_000: B3500000, 4_000_000: B4000000,
  ]
}
