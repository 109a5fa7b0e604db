/* The file behind SVS_SCANNED in a build without the tool: nothing. The tool sees that the source
 * has the line. */
#if defined(SVS_SCAN) && !defined(SVS__SCAN_INCLUDED)
#define SVS__SCAN_INCLUDED
enum { svs_scan_included = 1 };
#endif
