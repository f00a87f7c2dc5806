import FencepostGeodesy

extension Engine {
  /// The state of an engine between two vertices, in a form that can be saved.
  ///
  /// A restored engine continues as the original would have. Places are named by their ids, so
  /// others may be added, removed or renumbered meanwhile. Decoding a snapshot of a newer version
  /// throws a ``NewerVersionError``; those of earlier versions can be read.
  public struct Snapshot: Hashable, Sendable {
    /// Regions and their sides, one array per property.
    struct Regions: Codable, Hashable, Sendable {
      var keys: [Int64] = []
      var latitudes: [Double] = []
      var longitudes: [Double] = []
      var radii: [Double] = []
      var isInside: [Bool] = []
      /// The ids of the places, nil for a circle that is not a place; nil if only keys were saved.
      var ids: [String?]?
    }

    struct Point: Codable, Hashable, Sendable {
      var latitude: Double
      var longitude: Double
      var timeMilliseconds: Int64?
      /// Nil if 0, or if saved by an older version.
      var accuracyMeters: Float?
    }

    struct Anchor: Codable, Hashable, Sendable {
      var point: Point
      /// Nil if infinite, which JSON cannot express.
      var reachMeters: Double?
      /// Nil if 0, or if saved by an older version.
      var blurMeters: Double?
      var tripMeters: Double?
      var mustRetry: Bool
    }

    struct Exposure: Codable, Hashable, Sendable {
      var fix: Int
      var point: Point
      var lengthMetersAtStart: Double
      /// Nil if saved by an older version.
      var isSettling: Bool?
      /// Nil if false, or if saved by an older version.
      var isLasting: Bool?
    }

    struct Span: Codable, Hashable, Sendable {
      var startFix: Int
      var start: Point
      var endFix: Int
      var end: Point
      var lengthMeters: Double
    }

    /// The number of vertices so far.
    package internal(set) var fixCount: Int
    var lengthMeters: Double
    var monitored: Regions
    var containing: Regions
    /// Nil if empty.
    var doubtful: Regions?
    var previous: Point?
    var anchor: Anchor?
    var exposure: Exposure?
    var uncertified: [Span]
    var neighborhoodCount: Int
    /// Nil if nothing is pending, or if saved by an older version.
    var confirmation: Unconfirmed?
  }

  /// The current state with places named only by keys, for sources whose keys never change.
  ///
  /// While a request is open, it is the state before the vertex.
  package var snapshot: Snapshot {
    let rest = before?.rest ?? rest
    return Snapshot(
      fixCount: rest.path.fixCount, lengthMeters: rest.path.lengthMeters,
      monitored: Snapshot.Regions(rest.monitored.regions, isInside: rest.monitored.isInside),
      containing: Snapshot.Regions(rest.containing),
      doubtful: rest.doubtful.isEmpty ? nil : Snapshot.Regions(rest.doubtful),
      previous: rest.path.previous.map(Snapshot.Point.init),
      anchor: rest.anchor.map(Snapshot.Anchor.init),
      exposure: rest.exposure.map(Snapshot.Exposure.init),
      uncertified: rest.uncertified.map(Snapshot.Span.init),
      neighborhoodCount: rest.neighborhoodCount,
      confirmation: rest.confirmation.flatMap(Snapshot.Unconfirmed.init))
  }

  struct Rest: Sendable {
    var path: FollowedPath
    var monitored: MonitoredSet
    var containing: [Int64: Circle]
    var doubtful: [Int64: Circle]
    var anchor: Anchor?
    var exposure: Exposure?
    var uncertified: [UncertifiedSpan]
    var neighborhoodCount: Int
    var confirmation: Confirmation?
  }

  /// The state before the vertex; a class, because engines are copied and moved.
  final class Before: Sendable {
    let rest: Rest
    init(_ rest: Rest) { self.rest = rest }
  }

  var rest: Rest {
    Rest(
      path: path, monitored: monitored, containing: containing, doubtful: doubtful,
      anchor: anchor, exposure: exposure, uncertified: uncertified,
      neighborhoodCount: neighborhoodCount, confirmation: confirmation)
  }

  /// Restores an engine whose places have the same keys, or returns nil for a damaged snapshot.
  package init?(options: MonitoringOptions, snapshot: Snapshot) {
    guard snapshot.fault == nil, let regions = snapshot.monitored.regions,
      let around = snapshot.containing.regions
    else { return nil }
    self.init(options: options)
    monitored.adopt(regions, sides: snapshot.monitored.isInside)
    if monitorsEveryPlace {
      // Earlier versions kept circles that do not contain the device, and others of those that do.
      monitored.keepInside()
      for region in around { monitored.add(region, isInside: true) }
    } else {
      for region in around { containing[region.key] = region.circle }
    }
    for region in snapshot.doubtful?.regions ?? [] { doubtful[region.key] = region.circle }
    path.fixCount = snapshot.fixCount
    path.lengthMeters = snapshot.lengthMeters
    path.previous = snapshot.previous.map {
      PathPoint(
        coordinate: $0.coordinate, timeMilliseconds: $0.timeMilliseconds,
        accuracyMeters: $0.accuracyMeters ?? 0)
    }
    anchor = snapshot.anchor?.value
    exposure = snapshot.exposure?.value
    uncertified = snapshot.uncertified.map { $0.value }
    neighborhoodCount = snapshot.neighborhoodCount
    if let held = snapshot.confirmation {
      guard let visits = held.visits else { return nil }
      confirmation?.adopt(visits)
      confirmation?.lacksTimes = held.lacksTimes
    }
    #if DEBUG
    entered = Set(zip(regions, monitored.isInside).filter { $0.1 }.map { $0.0.key })
    entered.formUnion(containing.keys)
    #endif
  }

  /// The monitored regions in ascending order of key, and whether the device is inside each.
  package var monitoredRegions: [(region: Region, isInside: Bool)] {
    Array(zip(monitored.regions, monitored.isInside)).map { (region: $0, isInside: $1) }
  }
}

extension Engine.Snapshot.Regions {
  init(_ regions: [Region], isInside: [Bool]) {
    keys = regions.map { $0.key }
    latitudes = regions.map { $0.circle.center.coordinate.latitudeDegrees }
    longitudes = regions.map { $0.circle.center.coordinate.longitudeDegrees }
    radii = regions.map { $0.circle.radiusMeters }
    self.isInside = isInside
  }

  init(_ circles: [Int64: Circle]) {
    self.init(
      circles.sorted { $0.key < $1.key }.map { Region(key: $0.key, circle: $0.value) },
      isInside: [])
  }

  /// Nil if the arrays differ in length or do not describe circles.
  var regions: [Region]? {
    guard latitudes.count == keys.count, longitudes.count == keys.count,
      radii.count == keys.count
    else { return nil }
    var regions: [Region] = []
    for index in keys.indices {
      let center = Coordinate(
        latitudeDegrees: latitudes[index], longitudeDegrees: longitudes[index])
      guard center.isValid, radii[index] > 0, radii[index] <= Circle.greatestRadiusMeters else {
        return nil
      }
      regions.append(
        Region(key: keys[index], circle: Circle(center: center, radiusMeters: radii[index])))
    }
    return regions
  }
}

extension Engine.Snapshot.Point {
  init(_ point: PathPoint) {
    self.init(point.coordinate, point.timeMilliseconds)
    accuracyMeters = point.accuracyMeters > 0 ? point.accuracyMeters : nil
  }

  init(_ coordinate: Coordinate, _ timeMilliseconds: Int64?) {
    latitude = coordinate.latitudeDegrees
    longitude = coordinate.longitudeDegrees
    self.timeMilliseconds = timeMilliseconds
  }

  var coordinate: Coordinate {
    Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
  }
}

extension Engine.Snapshot.Anchor {
  init(_ anchor: Engine.Anchor) {
    point = .init(anchor.position.coordinate, anchor.timeMilliseconds)
    reachMeters = anchor.reachMeters.isFinite ? anchor.reachMeters : nil
    blurMeters = anchor.blurMeters > 0 ? anchor.blurMeters : nil
    tripMeters = anchor.tripMeters.isFinite ? anchor.tripMeters : nil
    mustRetry = anchor.mustRetry
  }

  var value: Engine.Anchor {
    Engine.Anchor(
      position: Position(point.coordinate), timeMilliseconds: point.timeMilliseconds,
      reachMeters: reachMeters ?? .infinity, blurMeters: blurMeters ?? 0,
      tripMeters: tripMeters ?? .infinity, mustRetry: mustRetry)
  }
}

extension Engine.Snapshot.Exposure {
  init(_ exposure: Engine.Exposure) {
    fix = exposure.start.fix
    point = .init(exposure.start.coordinate, exposure.start.timeMilliseconds)
    lengthMetersAtStart = exposure.lengthMetersAtStart
    isSettling = exposure.isSettling
    isLasting = exposure.isLasting ? true : nil
  }

  var value: Engine.Exposure {
    Engine.Exposure(
      start: .init(
        fix: fix, coordinate: point.coordinate, timeMilliseconds: point.timeMilliseconds),
      lengthMetersAtStart: lengthMetersAtStart, isSettling: isSettling ?? false,
      isLasting: isLasting ?? false)
  }
}

extension Engine.Snapshot.Span {
  init(_ span: UncertifiedSpan) {
    startFix = span.start.fix
    start = .init(span.start.coordinate, span.start.timeMilliseconds)
    endFix = span.end.fix
    end = .init(span.end.coordinate, span.end.timeMilliseconds)
    lengthMeters = span.lengthMeters
  }

  var value: UncertifiedSpan {
    UncertifiedSpan(
      start: .init(
        fix: startFix, coordinate: start.coordinate, timeMilliseconds: start.timeMilliseconds),
      end: .init(fix: endFix, coordinate: end.coordinate, timeMilliseconds: end.timeMilliseconds),
      lengthMeters: lengthMeters)
  }
}
