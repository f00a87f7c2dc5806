// swift-tools-version: 6.2

import PackageDescription

// A package of its own, so that building Fencepost never builds this. Tools/fuzz/run builds it with
// the coverage that libFuzzer steers by and the address sanitizer; the root package compiles Targets
// too, to feed every seed to them in its tests.
let package = Package(
  name: "fuzz",
  dependencies: [.package(name: "fencepost", path: "../..")],
  targets: [
    .target(name: "CFuzzer", path: "CFuzzer"),
    .target(name: "FencepostCProj", path: "CProj", linkerSettings: [.linkedLibrary("proj")]),
    .executableTarget(
      name: "Fuzz",
      dependencies: [
        "CFuzzer", "FencepostCProj",
        .product(name: "FencepostGeodesy", package: "fencepost"),
        .product(name: "FencepostTime", package: "fencepost"),
        .product(name: "FencepostFormats", package: "fencepost"),
        .product(name: "FencepostFiles", package: "fencepost"),
        .product(name: "FencepostFixes", package: "fencepost"),
        .product(name: "FencepostTracks", package: "fencepost"),
        .product(name: "FencepostPlaces", package: "fencepost"),
        .product(name: "FencepostMonitoring", package: "fencepost"),
        .product(name: "FencepostNotifications", package: "fencepost"),
        .product(name: "FencepostReporting", package: "fencepost"),
        .product(name: "FencepostSession", package: "fencepost"),
      ],
      path: ".",
      exclude: ["CFuzzer", "CProj", "Tests", "run", "seeds"],
      sources: ["Driver", "Targets"],
      swiftSettings: [
        .swiftLanguageMode(.v6),
        .strictMemorySafety(),
        .treatAllWarnings(as: .error),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
      ]),
  ]
)
