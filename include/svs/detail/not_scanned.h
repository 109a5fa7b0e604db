/* The value of SVS_SCANNED in a build without the tool: an empty header. When the tool reads a
 * source, it notes here that the source includes SVS_SCANNED. */
#if defined(SVS_SCAN) && !defined(SVS__SCAN_INCLUDED)
#define SVS__SCAN_INCLUDED
enum { svs_scan_included = 1 };
#endif
