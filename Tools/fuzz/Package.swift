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
    .executableTarget(
      name: "Fuzz",
      dependencies: [
        "CFuzzer",
        .product(name: "Geodesy", package: "fencepost"),
        .product(name: "Formats", package: "fencepost"),
        .product(name: "Fixes", package: "fencepost"),
        .product(name: "Places", package: "fencepost"),
        .product(name: "Monitoring", package: "fencepost"),
        .product(name: "Notifications", package: "fencepost"),
        .product(name: "Reporting", package: "fencepost"),
        .product(name: "Fencepost", package: "fencepost"),
      ],
      path: ".",
      exclude: ["CFuzzer", "Tests", "run", "seeds"],
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
