# The race check for programs: svs::check, a static library with the hooks that the compiler's -fsanitize=thread calls.
# A target that links it is compiled with that instrumentation and linked with this library instead of the compiler's
# own.
include(CheckCCompilerFlag)
include("${PROJECT_SOURCE_DIR}/src/dpst/report/wraps.cmake")
include("${PROJECT_SOURCE_DIR}/cmake/svsCheckFlags.cmake")

# Sets the result to the reason why svs::check cannot be built here, or to an empty string.
function(svs_check_obstacle result)
    set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY) # what is only compiled needs nothing of the compiler's library
    svs_check_find_global_flag(flag)
    if(flag)
        set(${result} "${flag} has -fsanitize=thread, which brings the compiler's own checker: take it out there, \
and link what is to be checked with svs::check, which adds what it needs" PARENT_SCOPE)
        return()
    endif()
    if(SVS_SANITIZE)
        set(${result} "SVS_SANITIZE is ${SVS_SANITIZE}, and there can be one checker only" PARENT_SCOPE)
        return()
    endif()
    if(NOT BUILD_SHARED_LIBS)
        set(${result} "it goes with the shared library (set BUILD_SHARED_LIBS)" PARENT_SCOPE)
        return()
    endif()
    check_c_compiler_flag(-fsanitize=thread SVS_COMPILER_HAS_THREAD_HOOKS)
    if(NOT SVS_COMPILER_HAS_THREAD_HOOKS OR NOT CMAKE_C_COMPILER_ID MATCHES "^(GNU|Clang)$"
       OR NOT CMAKE_SYSTEM_NAME STREQUAL "Linux" OR NOT CMAKE_SIZEOF_VOID_P EQUAL 8)
        set(${result} "it needs gcc or clang with -fsanitize=thread, on 64-bit Linux" PARENT_SCOPE)
        return()
    endif()
    set(${result} "" PARENT_SCOPE)
endfunction()

# libbacktrace comes with gcc, where compilers look for libraries by themselves. Its header is among gcc's own, which
# other compilers cannot have in their path: a copy of it is used.
function(svs_check_find_backtrace)
    include(CheckCSourceCompiles)
    set(copy "${PROJECT_BINARY_DIR}/backtrace")
    execute_process(COMMAND "${CMAKE_C_COMPILER}" -print-file-name=include/backtrace.h
        OUTPUT_VARIABLE header OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(IS_ABSOLUTE "${header}" AND EXISTS "${header}")
        file(COPY "${header}" DESTINATION "${copy}")
    endif()
    set(CMAKE_REQUIRED_INCLUDES "${copy}")
    set(CMAKE_REQUIRED_LIBRARIES backtrace)
    check_c_source_compiles("
        #include <backtrace.h>
        int main(void) { return backtrace_create_state(0, 1, 0, 0) == 0; }" SVS_HAS_BACKTRACE)
endfunction()

function(svs_add_check_library)
    add_library(svs_check STATIC)
    add_library(svs::check ALIAS svs_check)
    svs_add_room(svs_check dpst/report)
    # Exceptions of the program pass through these functions.
    set_source_files_properties("${PROJECT_SOURCE_DIR}/src/dpst/report/new.c" "${PROJECT_SOURCE_DIR}/src/dpst/report/wraps_order.c"
        PROPERTIES COMPILE_OPTIONS -fexceptions)
    # An access takes some fifteen instructions; a stack frame would add three.
    set_source_files_properties("${PROJECT_SOURCE_DIR}/src/dpst/report/hooks.c" PROPERTIES COMPILE_OPTIONS -fomit-frame-pointer)
    svs_configure_library(svs_check PRIVATE)
    svs_count(svs_check)
    set_target_properties(svs_check PROPERTIES POSITION_INDEPENDENT_CODE ON EXPORT_NAME check)
    target_compile_options(svs_check PRIVATE -fno-sanitize=all -fno-omit-frame-pointer)
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
        target_compile_options(svs_check PRIVATE -mcx16)
    endif()
    target_link_libraries(svs_check PUBLIC svs PRIVATE ${CMAKE_DL_LIBS})
    svs_check_find_backtrace()
    if(SVS_HAS_BACKTRACE)
        target_compile_definitions(svs_check PRIVATE SVS_HAS_BACKTRACE)
        target_include_directories(svs_check SYSTEM PRIVATE "${PROJECT_BINARY_DIR}/backtrace")
        target_link_libraries(svs_check PRIVATE backtrace)
        # The linker looks at that library last, and its calls are wrapped, too: what they come to must be there.
        target_link_options(svs_check INTERFACE "-Wl,--undefined=__wrap_mmap")
    else()
        message(STATUS "svs::check: no libbacktrace (libgcc-12-dev has it): reports show addresses")
    endif()

    list(TRANSFORM svs_check_wraps PREPEND "--wrap=")
    list(JOIN svs_check_wraps "," wraps)
    target_compile_definitions(svs_check INTERFACE SVS_CHECKED)
    target_compile_options(svs_check INTERFACE ${svs_check_compile_options})
    target_link_options(svs_check INTERFACE "-Wl,${wraps}")
    if(SVS_COVERAGE) # each program that links it, also from outside, counts its coverage
        execute_process(COMMAND "${CMAKE_C_COMPILER}" -print-file-name=libgcov.a
            OUTPUT_VARIABLE gcov OUTPUT_STRIP_TRAILING_WHITESPACE)
        target_sources(svs_check PRIVATE "${PROJECT_SOURCE_DIR}/tests/coverage/exit.c")
        target_link_libraries(svs_check INTERFACE "${gcov}")
        target_link_options(svs_check INTERFACE "-Wl,--undefined=__wrap_abort") # which that library calls
    endif()
endfunction()

set(svs_check_missing "SVS_BUILD_CHECK is off")
if(SVS_BUILD_CHECK)
    svs_check_obstacle(svs_check_missing)
endif()
if(svs_check_missing STREQUAL "")
    svs_add_check_library()
elseif(SVS_BUILD_CHECK)
    message(STATUS "svs::check is left out: ${svs_check_missing}")
endif()
