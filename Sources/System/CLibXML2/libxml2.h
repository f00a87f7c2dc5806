// Debian's libxml2 converts encodings with ICU, and its headers bring ICU's in; they clash with
// the copy of ICU in Foundation. The one structure that differs is never touched from here.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED

#include <libxml/HTMLparser.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>
