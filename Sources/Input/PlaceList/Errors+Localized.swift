#if canImport(FoundationEssentials)
public import FoundationEssentials
#elseif canImport(Foundation)
public import Foundation
#endif

// Apps show and log an error's `localizedDescription`, which is the description then. Lists of places
// are also read where there is no Foundation.

#if canImport(FoundationEssentials) || canImport(Foundation)
extension PlaceListError: LocalizedError {
  /// The error as one sentence.
  public var errorDescription: String? { description }
}
#endif
