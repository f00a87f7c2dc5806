// An import has the options and the report of a list, so whoever imports needs no other module.
@_exported public import FencepostPlaceList
