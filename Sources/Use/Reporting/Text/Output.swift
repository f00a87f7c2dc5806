// Whoever writes reports writes to this module's buffer.
@_exported public import FencepostOutput
