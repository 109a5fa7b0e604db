/* Replaces addresses in texts by names of the program.
 *
 *     "writes of 0x4052c0" ---> "writes of accounts[12].balance"
 *
 * A variable is named by its symbol, and the place in it by its type (types.h); without debug
 * information, the place is "accounts + 200 bytes". A heap block is named by the line of its
 * allocation and by its address, which distinguishes the blocks of one line.
 *
 * Threads: any, while the lock of found.c is held. */
#ifndef SVS_DPST_REPORT_NAMED_H
#define SVS_DPST_REPORT_NAMED_H

/* @return a copy of the text with names, in memory of the C library; NULL if the text is NULL or
 * there is no memory. */
const char *svs__text_named(const char *text);

#endif
