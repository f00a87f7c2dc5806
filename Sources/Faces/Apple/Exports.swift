// An app needs no other import. Of the geometry it gets the coordinate only, because SwiftUI has a
// `Circle` too.
@_exported public import struct FencepostGeodesy.Coordinate
@_exported public import FencepostMonitoring
@_exported public import FencepostNotifications
@_exported public import FencepostStateFile
