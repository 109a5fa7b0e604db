/* Addresses in texts, by names of the program.
 *
 *     "writes of 0x4052c0" ---> "writes of accounts[12].balance"
 *
 * A variable by its symbol, and the place in it by its type (types.h): without debug information,
 * it is "accounts + 200 bytes". A heap block by the line of its allocation and by its address,
 * which tells blocks of one line apart.
 *
 * Threads: any, while the lock of found.c is held. */
#ifndef SVS_DPST_REPORT_NAMED_H
#define SVS_DPST_REPORT_NAMED_H

/* A copy of the text, from the C library's memory; NULL: of NULL, or no memory. */
const char *svs__text_named(const char *text);

#endif
