#if Command
package import FencepostTracks

/// What happened at a live source, in the order in which it happened.
///
/// ``LiveInput`` returns events from each step, and ``LiveRunner`` decodes their bytes and shows
/// their sentences. Sentences name the source and have no final period.
package enum LiveInputEvent {
  /// The source was opened, with a sentence if that is news; a cut-off line will not continue.
  case opened(String?)
  /// The next bytes of the stream.
  case bytes([UInt8])
  /// What follows is in this format; a decoder of another cannot go on.
  case format(TrackFormat)
  /// Fixes that other parts of this program offered, which need no decoding.
  case fixes([DeviceFix])
  /// A sentence for the user, such as a loss of the source.
  case said(String)
  /// The source has ended for good, after all of its bytes.
  case ended
  /// The source cannot be used, with a sentence; `isMissing` if it could never be opened.
  case failed(String, isMissing: Bool)
}
#endif
