// An import takes the options of a list and returns its report; both come along with this module.
@_exported public import FencepostPlaceList
