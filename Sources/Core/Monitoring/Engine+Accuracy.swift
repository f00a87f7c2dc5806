import FencepostGeodesy

/// Allows for the accuracy of the fixes in the distance within which nothing can be missed.
///
/// With ``MonitoringOptions/trustsAccuracy`` the device may be anywhere within the accuracy of each
/// fix, and between two fixes within the greater of both. If the accuracy affects sides, a side can
/// change that much before the edge. So unmonitored edges count as that much nearer.
extension Engine {
  /// The distances to subtract, in meters.
  struct Blur {
    /// For a point where the store is asked.
    var anchor = 0.0
    /// For any point of the leg.
    var leg = 0.0

    var total: Double { anchor + leg }
  }

  func blurMeters(on leg: Leg) -> Blur {
    guard options.dependsOnAccuracy else { return Blur() }
    let accuracy = leg.accuracyMeters
    let trusted = options.trustsAccuracy ? accuracy : 0
    return Blur(anchor: trusted, leg: trusted + (options.judgesAccuracy ? accuracy : 0))
  }

  /// How far from the last refresh a leg can go and miss no edge, in meters; may be negative.
  func reachMeters(of anchor: Anchor, on leg: Leg) -> Double {
    anchor.reachMeters - blurMeters(on: leg).leg
  }

  /// How far from the last refresh a leg can go before the next, in meters.
  func tripMeters(of anchor: Anchor, on leg: Leg) -> Double {
    let more = blurMeters(on: leg).leg - anchor.blurMeters
    guard more > 0 else { return anchor.tripMeters }
    return max(anchor.tripMeters - more, Self.leastTripMeters, options.refreshFloorMeters)
  }
}

extension Engine.Leg {
  /// How far the device can be from the leg: the greater accuracy, plus some if the leg is long.
  var accuracyMeters: Double {
    let end = Double(point.accuracyMeters)
    guard let segment, let start else { return end }
    let greater = max(Double(start.accuracyMeters), end)
    return greater > 0 ? greater * segment.greatestSpread : 0
  }
}

extension MonitoringOptions {
  var dependsOnAccuracy: Bool { judgesAccuracy || trustsAccuracy && followsReach }
}
