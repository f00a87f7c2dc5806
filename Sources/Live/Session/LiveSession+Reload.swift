package import Fencepost
import FencepostFixes
import FencepostTracks
package import FencepostPlaces

/// What a running session takes up from its options and files.
package struct LiveReload: Sendable {
  /// The rules; nil to keep them.
  package var rules: TrackSession.Options?
  /// A copy of the stories that replaces the former; nil for a store that is read as it is.
  package var places: PlaceStore?

  package init(rules: TrackSession.Options? = nil, places: PlaceStore? = nil) {
    self.rules = rules
    self.places = places
  }
}

extension LiveSession {
  /// Queries the store again for every device, because the places may have changed.
  func refreshPlaces() {
    guard !isBusy else { return }
    work {
      _ = self.places.takeUpReplacement()
      self.refreshMonitored()
    }
  }

  func refreshMonitored() {
    mustSave = true
    for name in devices.keys.sorted() {
      let device = device(name)
      let eventCount = events.count
      device.session.refresh { events.append($0) }
      device.isDirty = true
      notifyObserver(from: eventCount, device.session, options.deviceField.map { _ in name })
    }
  }

  /// Takes up other rules and stories and looks up the nearest stories of every device again.
  ///
  /// Every device keeps its path, its filter and its memory of alerts.
  ///
  /// - Returns: Sentences about what has changed.
  func reload(_ reload: LiveReload) -> [String] {
    // The runner asks between two pieces of input.
    guard !isBusy else { return [] }
    var sentences: [String] = []
    work {
      if !self.places.takeUpReplacement(), let store = reload.places {
        sentences += self.replacePlaces(by: store)
      }
      if let rules = reload.rules { sentences += self.replaceRules(by: rules) }
      self.refreshMonitored()
    }
    if sentences.isEmpty { sentences.append("looked up the nearest stories again") }
    return sentences
  }

  private func replacePlaces(by store: PlaceStore) -> [String] {
    do throws(PlaceStoreError) {
      // A count that fails is only not said.
      let before = (try? places.placeCount).map(String.init) ?? "unknown"
      let reader = try store.makeReader()
      let count = try reader.count()
      places.replace(with: reader)
      observer?(.places(store))
      return ["\(store.path): read \(count) stories (before: \(before))"]
    } catch {
      return ["\(error); the stories stay the same"]
    }
  }

  private func replaceRules(by rules: TrackSession.Options) -> [String] {
    guard let before = journal.identity else { return [] }
    var options = options
    options.session = rules
    let now = LiveState.Identity(instance: before.instance, settings: options.settings)
    let change = before.change(to: now)
    guard let what = change.what else { return [] }
    for name in devices.keys.sorted() {
      let device = device(name)
      // The old rules decide what the snapshot of reminders contains.
      let snapshot = saved(device)
      self.options = options
      device.reminders = makeReminders()
      restore(device, name, snapshot, isSameRule: !change.isRule)
      device.isDirty = true
      guard change.isRule else { continue }
      device.filter.countAnew()
      device.rejected = RejectionCounts()
    }
    if change.isRule { stream?.hygiene.countAnew() }
    self.options = options
    journal.identity = now
    mustSave = true
    return ["the rules have changed: \(what)"]
  }
}
