/// The decoder of one source, of whatever format.
///
/// An optional for each format and no existential: a batch costs one branch, and the decoder is
/// changed in place.
struct TrackDecoder: FixDecoder, ~Copyable {
  private var gpx: GPXDecoder?
  private var nmea: NMEADecoder?
  private var gpsd: GpsdDecoder?
  private var ownTracks: OwnTracksDecoder?
  private var jsonLines: JSONLinesDecoder?
  private var csv: CSVFixDecoder?

  init(_ format: TrackFormat, startDay: Int32?, dateOrder: DateOrder?) {
    switch format {
    case .gpx: gpx = GPXDecoder()
    case .nmea: nmea = NMEADecoder(startDay: startDay)
    case .gpsd: gpsd = GpsdDecoder()
    case .ownTracks: ownTracks = OwnTracksDecoder()
    case .jsonLines: jsonLines = JSONLinesDecoder()
    case .csv: csv = CSVFixDecoder(order: dateOrder, startDay: startDay)
    }
  }

  /// What the user should know of the source as a whole.
  var notices: [String] { csv?.notices ?? [] }

  mutating func decode(_ bytes: Span<UInt8>, into batch: inout FixBatch) throws(DecodeError) {
    try nmea?.decode(bytes, into: &batch)
    try gpx?.decode(bytes, into: &batch)
    try gpsd?.decode(bytes, into: &batch)
    try ownTracks?.decode(bytes, into: &batch)
    try jsonLines?.decode(bytes, into: &batch)
    try csv?.decode(bytes, into: &batch)
  }

  mutating func finish(into batch: inout FixBatch) throws(DecodeError) {
    try nmea?.finish(into: &batch)
    try gpx?.finish(into: &batch)
    try gpsd?.finish(into: &batch)
    try ownTracks?.finish(into: &batch)
    try jsonLines?.finish(into: &batch)
    try csv?.finish(into: &batch)
  }

  /// Hands on what is only held for the next epoch to begin.
  mutating func flush(isForced: Bool, into batch: inout FixBatch) {
    nmea?.flush(isForced: isForced, into: &batch)
    gpsd?.flush(isForced: isForced, into: &batch)
  }

  var isEpochHandedOn: Bool {
    nmea?.isEpochHandedOn ?? gpsd?.isEpochHandedOn ?? false
  }

  var holdsUndatedFixes: Bool { nmea?.holdsUndatedFixes ?? false }

  mutating func assumeDate(nowMilliseconds: Int64, into batch: inout FixBatch) {
    nmea?.assumeDate(nowMilliseconds: nowMilliseconds, into: &batch)
  }
}
