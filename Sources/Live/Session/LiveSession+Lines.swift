import FencepostFixes

/// Streams of several devices: each line holds a fix of the device it names.
extension LiveSession {
  func processLines(_ chunk: [UInt8]) {
    guard var lines else { return }
    // Out of `self` for exclusive access during the callback.
    self.lines = nil
    lines.feed(chunk.span) { line, end in self.take(line, endingAt: end) }
    self.lines = lines
  }

  func take(_ line: DeviceLines.Line, endingAt end: Int) {
    switch line {
    case .rejection(let name, let rejection):
      if rejection.makesSense { senseCount += 1 }
      onRejection?(rejection, name)
      onVerdict?(.refused(rejection.reason), end)
      guard let name else {
        if unattributed.total == 0 { onUnattributed?(rejection) }
        return unattributed.add(rejection.reason)
      }
      update(name) { device in
        guard device.position < end else { return }
        device.rejected.add(rejection.reason)
        device.position = end
        device.isDirty = true
      }
    case .fix(let name, let fix):
      senseCount += 1
      update(name) { device in
        guard device.position < end else { return }
        device.position = end
        device.isDirty = true
        self.batch.fixes.append(fix)
        device.filter.filter(&self.batch)
        if self.onVerdict != nil { self.heldEnds[fix.line] = end }
        self.takeJudged(&device, name)
        self.noteWaiting(device, name)
        self.note(device.filter.refusedRun, of: &device, name)
        if self.heldEnds[fix.line] != nil { self.onVerdict?(.held, end) }
      }
    }
  }

  /// Takes what a device's filter has judged.
  func takeJudged(_ device: inout Device, _ name: String) {
    reportVerdicts()
    device.seenBefore?.note(batch)
    for rejection in batch.rejections {
      device.rejected.add(rejection.reason)
      onRejection?(rejection, name)
    }
    for fix in batch.fixes { follow(fix, name, &device) }
    batch.removeAll()
  }

  /// Reports the verdicts on a fix's line and on earlier lines that were held until now.
  private func reportVerdicts() {
    guard let onVerdict else { return }
    for judged in batch.fixes {
      if let end = heldEnds.removeValue(forKey: judged.line) { onVerdict(.accepted, end) }
    }
    for rejection in batch.rejections {
      guard let line = rejection.line.map(Int32.init(clamping:)),
        let end = heldEnds.removeValue(forKey: line)
      else { continue }
      onVerdict(.refused(rejection.reason), end)
    }
  }
}
