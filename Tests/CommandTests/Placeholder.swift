import Testing
// Placeholder until the target's first suite lands.
