import FencepostFixes
import FencepostTracks

/// Fixes that wait until they can be put in order.
extension LiveSession {
  private var windowMilliseconds: Int64 { options.fixes.reorderMilliseconds ?? 0 }

  /// How many fixes of all devices wait.
  var waitingCount: Int {
    stream?.waiting.count ?? devices.values.reduce(0) { $0 + $1.filter.waiting.count }
  }

  /// When to call ``releaseIdle()`` at the latest; nil if nothing waits.
  var releaseDueMilliseconds: Int64? { waiting.dueMilliseconds }

  /// Notes that a fix of a device came, after its filter has seen it.
  func noteWaiting(_ device: Device, _ name: String) {
    guard options.fixes.reorderMilliseconds != nil || device.filter.waiting.count > 0 else {
      return
    }
    waiting.note(
      name, count: device.filter.waiting.count, window: windowMilliseconds, now: nowMilliseconds)
  }

  /// Notes that a fix of a stream of one device came, if one did since the last call.
  func noteWaitingStream() {
    guard let (count, arrivedCount) = stream?.waiting, arrivedCount != streamArrivedCount else {
      return
    }
    streamArrivedCount = arrivedCount
    waiting.note("", count: count, window: windowMilliseconds, now: nowMilliseconds)
  }

  /// Hands on what waits of devices that have sent no fix for the window's length.
  func releaseIdle() {
    guard !isBusy else { return }
    let idle = waiting.takeIdle(window: windowMilliseconds, now: nowMilliseconds)
    guard !idle.isEmpty else { return }
    work { for name in idle { self.release(name) } }
  }

  /// Hands on all that waits, because the source is over.
  func releaseAll() {
    for name in waiting.takeAll() { release(name) }
  }

  private func release(_ name: String) {
    if stream != nil {
      stream?.release(into: &batch)
      takeBatch()
      mustSave = true
      return
    }
    update(name) { device in
      device.filter.release(into: &self.batch)
      self.takeJudged(&device, name)
      device.isDirty = true
    }
    // The clock decided this, which the input cannot repeat.
    touched.insert(name)
  }
}
