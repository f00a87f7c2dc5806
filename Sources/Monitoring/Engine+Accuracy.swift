import FencepostGeodesy

/// What the accuracy of fixes takes from the distance within which nothing can be missed.
///
/// With ``MonitoringOptions/trustsAccuracy`` the device may be anywhere within the accuracy of each
/// fix, and between two fixes within the greater of both. Where fixes are judged with their accuracy,
/// a side can change that much before the edge. So unmonitored edges count as so much nearer.
extension Engine {
  /// What is subtracted on a leg, in metres.
  struct Blur {
    /// For a place at which the store is asked.
    var anchor = 0.0
    /// For each point of the leg.
    var leg = 0.0

    var total: Double { anchor + leg }
  }

  /// What is subtracted on a leg.
  func blurMeters(on leg: Leg) -> Blur {
    guard options.dependsOnAccuracy else { return Blur() }
    let accuracy = leg.accuracyMeters
    let trusted = options.trustsAccuracy ? accuracy : 0
    return Blur(anchor: trusted, leg: trusted + (options.judgesAccuracy ? accuracy : 0))
  }

  /// How far the path may go from the last refresh on a leg before it can have missed an edge, in
  /// metres; may be negative.
  func reachMeters(of anchor: Anchor, on leg: Leg) -> Double {
    anchor.reachMeters - blurMeters(on: leg).leg
  }

  /// How far the path may go from the last refresh on a leg before the set is refreshed, in metres.
  func tripMeters(of anchor: Anchor, on leg: Leg) -> Double {
    let more = blurMeters(on: leg).leg - anchor.blurMeters
    guard more > 0 else { return anchor.tripMeters }
    // Without a limit a wider neighbourhood always helps, even where the path stands still.
    guard options.limit != nil else { return max(anchor.tripMeters - more, 0) }
    return max(anchor.tripMeters - more, Self.leastTripMeters, options.refreshFloorMeters)
  }
}

extension Engine.Leg {
  /// How far the device may be from the leg, in metres: the greater accuracy of its ends, and a
  /// little more where the leg is long.
  var accuracyMeters: Double {
    let end = Double(point.accuracyMeters)
    guard let segment, let start else { return end }
    let greater = max(Double(start.accuracyMeters), end)
    return greater > 0 ? greater * segment.greatestSpread : 0
  }
}

extension MonitoringOptions {
  /// Whether what the engine does depends on the accuracy of the fixes.
  var dependsOnAccuracy: Bool { judgesAccuracy || trustsAccuracy && followsReach }
}
