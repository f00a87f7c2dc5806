import Foundation

// What managers ask for.
extension SimulatedDevice {
  func add(_ manager: CLLocationManager) {
    managers.append(manager)
    post(.other) { [weak manager] other in
      guard let manager, other === manager else { return }
      manager.delegate?.locationManagerDidChangeAuthorization(manager)
    }
  }

  func askForPermission() {
    if authorizationStatus == .notDetermined { permit(.authorizedAlways) }
  }

  func requestLocation(for manager: CLLocationManager) {
    let isAllowed = [.authorizedAlways, .authorizedWhenInUse].contains(authorizationStatus)
    if position == nil || !isAllowed {
      post(.other) { other in
        guard other === manager else { return }
        manager.delegate?.locationManager(
          manager, didFailWithError: CLError(.locationUnknown))
      }
    } else {
      deliverLocation { $0 === manager }
    }
  }

  func startMonitoring(_ region: CLRegion) {
    let identifier = region.identifier
    var code: CLError.Code?
    if let count = failingRegions[identifier], count > 0 {
      failingRegions[identifier] = count - 1
      code = .regionMonitoringFailure
    } else if authorizationStatus != .authorizedAlways {
      code = .regionMonitoringDenied
    } else if regions[identifier] == nil, regions.count >= behavior.regionLimit {
      code = .regionMonitoringFailure
    } else if (region as? CLCircularRegion)?.radius ?? 0 > behavior.greatestRadiusMeters {
      code = .regionMonitoringFailure
    }
    if let code {
      post(.failed(identifier)) {
        $0.delegate?.locationManager($0, monitoringDidFailFor: region, withError: CLError(code))
      }
      return
    }
    regions[identifier] = Monitored(region: region)
    mostRegions = max(mostRegions, regions.count)
    if let circle = region as? CLCircularRegion {
      regions[identifier]?.isInside = isInside(circle.center, circle.radius)
    }
    post(.other) { $0.delegate?.locationManager($0, didStartMonitoringFor: region) }
  }

  func stopMonitoring(_ region: CLRegion) { regions[region.identifier] = nil }

  func requestState(_ region: CLRegion, for manager: CLLocationManager) {
    post(.determined(region.identifier)) { [self] other in
      guard other === manager, let circle = region as? CLCircularRegion else { return }
      let state: CLRegionState =
        switch isInside(circle.center, circle.radius) {
        case true?: .inside
        case false?: .outside
        case nil: .unknown
        }
      manager.delegate?.locationManager(manager, didDetermineState: state, for: circle)
    }
  }
}
