/* A tree of asyncs that counts its leaves: 2 to the power of its depth. */
#ifndef SVS_TESTS_LEAVES_H
#define SVS_TESTS_LEAVES_H

#include <svs/async.h>

SVS_ASYNC_FUNCTION(long, leaves, (int, depth)) {
    long left, right;
    if (depth == 0) return 1;
    SVS_ASYNC_TO(left, leaves, depth - 1);
    right = SVS_CALL(leaves, depth - 1);
    SVS_SYNC(leaves);
    return left + right;
}

#endif
