import FencepostFormats

/// Reads GPX 1.0 and 1.1.
///
/// The path is made of the track points over all `trk` and `trkseg`; of the route points where
/// there is no track point; and of the waypoints in their order where there is neither, as in
/// files for simulators. Elements count by their place and local name, in any namespace or none;
/// what stands within `extensions` or any other element never counts. Of a point are read `lat`,
/// `lon`, `time`, and the `speed` and `course` of GPX 1.0. The accuracy stays unknown, because a
/// dilution of precision is no distance. `trk`s and `trkseg`s without a fix take no number.
///
/// A point whose position is missing, no number or out of range is refused
/// (``Rejection/Reason/coordinate``). One whose time is none is kept without its time, which is
/// told as ``Rejection/Reason/time``. XML that is not well-formed ends the reading with a
/// ``DecodeError`` after all points before the fault. No entity is ever expanded or fetched; a
/// document type that declares one is refused.
///
/// Most files are of a plain form that is read at some ten million fixes a second. What is
/// unusual (a document type, CDATA, prefixes, encodings other than UTF-8, …) is left to libxml2
/// from there on, with the same result at a fifth of the speed.
///
/// Memory is bounded: route points and waypoints are held back until the kind of the path is known,
/// 524,288 of them at most.
public struct GPXDecoder: FixDecoder, ~Copyable {
  /// How many bytes one unit of plain XML may have; longer ones are left to libxml2.
  private static var maximumUnitBytes: Int { 16 * 1024 }

  private var scanner = GPXScanner()
  private var treeReader: GPXTreeReader?
  /// The beginning of a unit whose end has not come yet.
  private var carried: [UInt8] = []

  /// Makes a decoder at the beginning of a file.
  public init() {}

  /// Makes a decoder that leaves everything to libxml2, for comparison.
  ///
  /// - Parameter usesOnlyLibXML2: Whether to do so.
  public init(usesOnlyLibXML2: Bool) {
    if usesOnlyLibXML2 { treeReader = GPXTreeReader() }
  }

  /// Whether the rest of the file is being read by libxml2.
  public var isUsingLibXML2: Bool { treeReader != nil }

  /// Takes the next bytes of the file.
  ///
  /// - Throws: ``DecodeError`` with the line of the fault; what was good is in `batch`.
  public mutating func decode(
    _ bytes: Span<UInt8>, into batch: inout FixBatch
  ) throws(DecodeError) {
    if isUsingLibXML2 {
      try treeReader?.decode(bytes, into: &batch)
      return
    }
    var start = 0
    if !carried.isEmpty {
      guard let index = try completeCarried(with: bytes, into: &batch) else { return }
      start = index
    }
    guard start < bytes.count else { return }
    let rest = bytes.extracting(start..<bytes.count)
    let (stop, index) = try scan(rest, goal: rest.count, into: &batch)
    let left = rest.extracting(index..<rest.count)
    if stop == .unusual || left.count > GPXDecoder.maximumUnitBytes {
      try handOver(left, into: &batch)
    } else {
      carried.append(contentsOf: left)
    }
  }

  /// The file has ended.
  ///
  /// - Throws: ``DecodeError`` where it ends too early.
  public mutating func finish(into batch: inout FixBatch) throws(DecodeError) {
    if !isUsingLibXML2 {
      if scanner.isComplete, carried.isEmpty {
        scanner.assembler.finish(into: &batch)
        return
      }
      // It is well known by now that something is wrong, and libxml2 has the words for it.
      let rest = takeCarried()
      try handOver(rest.span, into: &batch)
    }
    try treeReader?.finish(into: &batch)
  }

  /// Takes units until the bytes carried over are used up, with as much of the new ones as needed.
  ///
  /// - Returns: The index of the first new byte that was not needed; nil where all were.
  private mutating func completeCarried(
    with bytes: Span<UInt8>, into batch: inout FixBatch
  ) throws(DecodeError) -> Int? {
    var joined = takeCarried()
    // What of `joined` came before `bytes`, less what was taken of it; and the new bytes in it.
    var old = joined.count
    var added = 0
    while true {
      let more = min(bytes.count - added, max(256, joined.count))
      joined.append(contentsOf: bytes.extracting(added..<(added + more)))
      added += more
      let (stop, index) = try scan(joined.span, goal: old, into: &batch)
      if index >= old { return added - (joined.count - index) }
      joined.removeFirst(index)
      old -= index
      if stop == .unusual || joined.count > GPXDecoder.maximumUnitBytes {
        try handOver(joined.span, into: &batch)
        try treeReader?.decode(bytes.extracting(added..<bytes.count), into: &batch)
        return nil
      }
      if added == bytes.count {
        carried = joined
        return nil
      }
    }
  }

  private mutating func scan(
    _ bytes: Span<UInt8>, goal: Int, into batch: inout FixBatch
  ) throws(DecodeError) -> (stop: GPXScanner.Stop, index: Int) {
    var failure: DecodeError?
    let result = GPXBytes.withBytes(bytes) { bytes in
      do throws(DecodeError) {
        return try scanner.scan(bytes, goal: goal, into: &batch)
      } catch {
        failure = error
        return (.reached, 0)
      }
    }
    if let failure { throw failure }
    return result ?? (.reached, 0)
  }

  private mutating func takeCarried() -> [UInt8] {
    var taken: [UInt8] = []
    swap(&taken, &carried)
    return taken
  }

  /// Leaves the rest of the file, which begins with some bytes, to libxml2.
  private mutating func handOver(
    _ bytes: Span<UInt8>, into batch: inout FixBatch
  ) throws(DecodeError) {
    if let prefix = scanner.prefix {
      treeReader = GPXTreeReader(
        resumingAfter: prefix.tags, repeatedEvents: prefix.count, openLines: scanner.openLines,
        line: scanner.line,
        column: scanner.column, assembler: scanner.assembler)
    } else {
      treeReader = GPXTreeReader()
    }
    scanner.assembler = GPXAssembler()
    try treeReader?.decode(bytes, into: &batch)
  }
}
