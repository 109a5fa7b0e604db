# cmake -DLIBRARY=libsvs.so -DREADELF=readelf -P tests/embed/tls.cmake: the library's static TLS is at most 64 bytes.
# A process that loads it at run time has a little for all libraries together (glibc: 1,664 bytes).
cmake_minimum_required(VERSION 3.25)
set(most 64)
execute_process(COMMAND "${READELF}" -lW "${LIBRARY}" OUTPUT_VARIABLE headers COMMAND_ERROR_IS_FATAL ANY)
# TLS   offset   address   physical address   size in the file   size in memory   flags   alignment
if(NOT headers MATCHES "\n +TLS +0x[0-9a-f]+ 0x[0-9a-f]+ 0x[0-9a-f]+ 0x[0-9a-f]+ (0x[0-9a-f]+) ")
    message(FATAL_ERROR "${READELF} shows no TLS segment of ${LIBRARY}: correct this script, or take the test out")
endif()
math(EXPR bytes "${CMAKE_MATCH_1}")
if(bytes GREATER most)
    message(FATAL_ERROR "${LIBRARY} has ${bytes} bytes of static TLS, and ${most} are allowed: keep what is larger in a \
block that a pointer names (src/dpst/tree/thread.h, dpst.C7)")
endif()
message(STATUS "${bytes} bytes of static TLS; ${most} are allowed")
