# The library: svs (what programs link) and, for the tests, the same objects with every symbol in reach: svs_internal is a shared
# library, as a test is linked in a third of the time that an archive takes, and svs_internal_archive is for programs that
# replace some of its symbols.
find_package(Threads REQUIRED)
find_path(SVS_XXHASH_INCLUDE_DIR xxhash.h DOC "Where xxhash.h is")
if(NOT SVS_XXHASH_INCLUDE_DIR)
    message(FATAL_ERROR "xxhash.h was not found: install libxxhash-dev, or set SVS_XXHASH_INCLUDE_DIR")
endif()

add_library(svs)
add_library(svs::svs ALIAS svs)

# svs_add_room(target room [RECURSE] [IN folder]): every source of a folder of src/, or of the folder and those in it.
function(svs_add_room target room)
    cmake_parse_arguments(PARSE_ARGV 2 ROOM "RECURSE" "IN" "")
    if(NOT ROOM_IN)
        set(ROOM_IN src)
    endif()
    set(glob GLOB)
    if(ROOM_RECURSE)
        set(glob GLOB_RECURSE)
    endif()
    file(${glob} sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${ROOM_IN}/${room}/*.c"
        "${PROJECT_SOURCE_DIR}/${ROOM_IN}/${room}/*.S")
    target_sources(${target} PRIVATE ${sources})
endfunction()
foreach(room IN ITEMS base hooks worksteal memobj/core memobj/reach memobj stealtree
        sched/admission sched/graph
        dpst/tree dpst/shadow dpst/task dpst/graph dpst)
    svs_add_room(svs ${room})
endforeach()
svs_add_room(svs sched/domain RECURSE)

# svs_core_sources(result): the library's sources without those of components.
function(svs_core_sources result)
    get_target_property(sources svs SOURCES)
    list(FILTER sources EXCLUDE REGEX "/ranks/src/")
    set(${result} ${sources} PARENT_SCOPE)
endfunction()
# Every x86-64 that has been made since 2006 has the instruction of base/wide.h.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    foreach(source IN ITEMS task/collapse shadow/shadow shadow/spd3)
        set_source_files_properties("${PROJECT_SOURCE_DIR}/src/dpst/${source}.c" PROPERTIES COMPILE_OPTIONS -mcx16)
    endforeach()
endif()

# Settings for each build of the library's sources, also for the tests' variants of it.
function(svs_configure_library target scope)
    target_compile_features(${target} PUBLIC c_std_11)
    target_compile_definitions(${target} ${scope} _GNU_SOURCE $<$<BOOL:${SVS_SLOW_CHECKS}>:SVS_SLOW_CHECKS>)
    target_include_directories(${target}
        PUBLIC
            "$<BUILD_INTERFACE:${svs_SOURCE_DIR}/include>"
        ${scope}
            "${svs_SOURCE_DIR}/src")
    target_include_directories(${target} SYSTEM ${scope} "${SVS_XXHASH_INCLUDE_DIR}")
    target_link_libraries(${target} PUBLIC Threads::Threads)
    if(NOT CMAKE_C_FLAGS MATCHES "-O") # a project around this one may have no build type
        target_compile_options(${target} PRIVATE "$<$<CONFIG:>:-O2>")
        target_compile_definitions(${target} PRIVATE "$<$<CONFIG:>:NDEBUG>")
    endif()
endfunction()

# In a coverage build: counts the coverage of a target. Other targets with the same sources are not counted.
function(svs_count target)
    if(SVS_COVERAGE)
        target_compile_options(${target} PRIVATE --coverage -fprofile-update=atomic -O0)
    endif()
endfunction()

# Tests look inside of a shared library.
set(svs_visibility hidden)
if(SVS_BUILD_TESTS)
    set(svs_visibility default)
    target_compile_options(svs PRIVATE -fno-semantic-interposition) # optimise as for hidden symbols
endif()
svs_configure_library(svs PRIVATE)
svs_count(svs)
set_target_properties(svs PROPERTIES
    C_VISIBILITY_PRESET ${svs_visibility}
    POSITION_INDEPENDENT_CODE ON
    VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
    EXPORT_NAME svs
    UNITY_BUILD OFF)

# Symbol versions, and the list of exported symbols: by name, or, where internal functions are visible, by the mark.
set(svs_exports "svs_[a-z]*")
set(svs_private_exports "svs__*")
if(SVS_BUILD_TESTS)
    file(GLOB_RECURSE headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/include/*.h" "${PROJECT_SOURCE_DIR}/src/*.h"
        "${PROJECT_SOURCE_DIR}/ranks/include/*.h" "${PROJECT_SOURCE_DIR}/ranks/src/*.h")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${headers})
    set(marked "")
    foreach(header IN LISTS headers)
        file(READ "${header}" text)
        string(REPLACE ";" "{" text "${text}")
        string(REGEX MATCHALL "SVS_API[^{]*" declarations "${text}")
        string(REGEX MATCHALL "svs_[a-z0-9_]+" names "${declarations}") # and those of their types
        list(APPEND marked ${names})
    endforeach()
    list(REMOVE_DUPLICATES marked)
    string(REGEX MATCHALL "svs__[a-z0-9_]+" svs_private_exports "${marked}")
    string(REGEX MATCHALL "svs_[a-z0-9][a-z0-9_]*" svs_exports "${marked}")
    list(JOIN svs_private_exports "; " svs_private_exports)
    list(JOIN svs_exports "; " svs_exports)
endif()
get_target_property(svs_type svs TYPE)
if(SVS_CHECK_MODE)
    target_link_options(svs PRIVATE -Wl,-Bsymbolic)
elseif(svs_type STREQUAL "SHARED_LIBRARY")
    configure_file(cmake/svs.map.in "${PROJECT_BINARY_DIR}/svs.map" @ONLY)
    # The library's calls of its own exports are direct.
    target_link_options(svs PRIVATE "-Wl,--version-script=${PROJECT_BINARY_DIR}/svs.map" -Wl,-Bsymbolic-functions)
    set_property(TARGET svs APPEND PROPERTY LINK_DEPENDS "${PROJECT_BINARY_DIR}/svs.map")
endif()

if(SVS_BUILD_TESTS AND SVS_CHECK_MODE)
    add_library(svs_internal INTERFACE)
    target_compile_definitions(svs_internal INTERFACE _GNU_SOURCE $<$<BOOL:${SVS_SLOW_CHECKS}>:SVS_SLOW_CHECKS>)
    target_include_directories(svs_internal INTERFACE "${PROJECT_SOURCE_DIR}/src")
    target_include_directories(svs_internal SYSTEM INTERFACE "${SVS_XXHASH_INCLUDE_DIR}")
    target_link_libraries(svs_internal INTERFACE svs)
    add_library(svs_internal_archive ALIAS svs_internal)
elseif(SVS_BUILD_TESTS)
    set(svs_internal_type SHARED)
    if(SVS_COVERAGE) # is counted by program
        set(svs_internal_type STATIC)
    endif()
    add_library(svs_internal ${svs_internal_type} $<TARGET_OBJECTS:svs>)
    add_library(svs_internal_archive STATIC EXCLUDE_FROM_ALL $<TARGET_OBJECTS:svs>)
    foreach(library IN ITEMS svs_internal svs_internal_archive)
        svs_configure_library(${library} PUBLIC)
        set_target_properties(${library} PROPERTIES LINKER_LANGUAGE C)
        if(SVS_COVERAGE)
            target_sources(${library} PRIVATE tests/coverage/exit.c)
        endif()
    endforeach()
endif()
