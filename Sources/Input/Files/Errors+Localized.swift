#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

// Apps show and log an error's `localizedDescription`, which is the description then.

extension ByteSourceError: LocalizedError {
  /// The error as one sentence.
  public var errorDescription: String? { description }
}

extension GunzipError: LocalizedError {
  /// The error as one sentence.
  public var errorDescription: String? { description }
}
