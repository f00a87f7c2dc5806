package import FencepostPhones

extension EntryMeasures {
  /// The distributions under the names of their bins in documents.
  package static let sketches:
    [(name: StaticString, path: any WritableKeyPath<Self, QuantileSketch> & Sendable)] = [
      ("alertSpeedBins", \.alertSpeed), ("latenessBins", \.latenessSeconds),
      ("insideBins", \.insideSeconds), ("dwellBins", \.dwellSeconds),
    ]

  package static func += (measures: inout EntryMeasures, other: EntryMeasures) {
    for (_, path) in sketches { measures[keyPath: path].merge(other[keyPath: path]) }
  }
}
