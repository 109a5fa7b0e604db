# The controlled scheduler (explore/machine.h): the library's sources with every shared access a point of choice.
# It has stacks and an order of its own, so the sanitizers' builds leave it out; and what it runs are variants of the
# library, of which coverage says nothing.
if(SVS_SANITIZE OR SVS_COVERAGE)
    message(STATUS "explore: left out under sanitizers and coverage")
    return()
endif()

set(svs_explore_dir "${CMAKE_CURRENT_LIST_DIR}")
get_target_property(svs_explore_library_sources svs SOURCES)
list(FILTER svs_explore_library_sources EXCLUDE REGEX "/base/platform\\.c$")
file(GLOB svs_explore_sources CONFIGURE_DEPENDS "${svs_explore_dir}/scenarios/*.c")
list(APPEND svs_explore_sources "${svs_explore_dir}/main.c" "${svs_explore_dir}/machine.c" "${svs_explore_dir}/memory.c"
    "${svs_explore_dir}/report.c" "${svs_explore_dir}/strategy.c")

function(svs_configure_explorer target scope)
    svs_configure_library(${target} ${scope})
    target_compile_definitions(${target} ${scope} SVS_EXPLORE)
    target_compile_options(${target} ${scope} -Wno-shadow) # accesses nest in accesses
    target_include_directories(${target} ${scope} "${PROJECT_SOURCE_DIR}/tests")
endfunction()

add_library(svs_explore STATIC ${svs_explore_library_sources} "${svs_explore_dir}/heap.c"
    "${svs_explore_dir}/platform.c")
svs_configure_explorer(svs_explore PUBLIC)
target_link_options(svs_explore PUBLIC "-Wl,--wrap=malloc,--wrap=aligned_alloc,--wrap=free")
add_library(svs_explore_scenarios STATIC ${svs_explore_sources})
target_link_libraries(svs_explore_scenarios PUBLIC svs_explore)

add_executable(explore "${svs_explore_dir}/main.c")
target_link_libraries(explore PRIVATE svs_explore_scenarios)
set_target_properties(explore PROPERTIES LINKER_LANGUAGE C RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/bin")

# Each line of scenarios.h is a test.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${svs_explore_dir}/scenarios.h")
file(STRINGS "${svs_explore_dir}/scenarios.h" svs_explore_scenario_lines REGEX "^EXPLORE_SCENARIO")
foreach(line IN LISTS svs_explore_scenario_lines)
    string(REGEX REPLACE "^EXPLORE_SCENARIO\\((.*)\\)" "\\1" scenario "${line}")
    add_test(NAME explore_${scenario} COMMAND explore ${scenario})
    svs_set_test_properties(explore_${scenario} explore 300)
endforeach()

# The proof that the net catches: each file of mutants/ with a SCENARIO is one fault in one source (mutate.cmake), and the
# explorer of that library must fail.
if(NOT SVS_BUILD_MUTANTS)
    return()
endif()

# The sources that include a header of a room, directly or through other headers of that room.
function(svs_explore_includers header result)
    string(REGEX MATCH "^src/(.*)/([^/]*)$" header "${header}")
    set(headers "${CMAKE_MATCH_1}/${CMAKE_MATCH_2}")
    file(GLOB files RELATIVE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/src/${CMAKE_MATCH_1}/*.h")
    list(TRANSFORM files PREPEND "${PROJECT_SOURCE_DIR}/src/" OUTPUT_VARIABLE paths)
    set(before "")
    while(NOT before STREQUAL headers) # until no header is added
        set(before "${headers}")
        list(JOIN headers "|" any)
        foreach(file path IN ZIP_LISTS files paths)
            file(STRINGS "${path}" lines REGEX "^#include \"(${any})\"")
            if(lines AND NOT file IN_LIST headers)
                list(APPEND headers "${file}")
            endif()
        endforeach()
    endwhile()
    list(JOIN headers "|" any)
    set(found "")
    foreach(source IN LISTS svs_explore_library_sources svs_explore_sources)
        file(STRINGS "${source}" lines REGEX "^#include \"(${any})\"")
        if(lines)
            list(APPEND found "${source}")
        endif()
    endforeach()
    set(${result} "${found}" PARENT_SCOPE)
endfunction()

# A mutated source takes the place of the library's own object; of a mutated header, its includers are compiled again.
function(svs_add_explore_mutant rules)
    unset(SCENARIO)
    include("${rules}")
    if(NOT DEFINED SCENARIO)
        return()
    endif()
    cmake_path(GET rules STEM name)
    set(target explore_${name})
    svs_mutate("${rules}" mutated)
    add_executable(${target} "${mutated}")
    if(FILE MATCHES "\\.h$")
        svs_explore_includers("${FILE}" includers)
        target_sources(${target} PRIVATE ${includers})
        target_include_directories(${target} BEFORE PRIVATE "${PROJECT_BINARY_DIR}/tests/mutants/${name}/src")
    endif()
    target_link_libraries(${target} PRIVATE svs_explore_scenarios)
    set_target_properties(${target} PROPERTIES LINKER_LANGUAGE C
        RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/bin")
    add_test(NAME explore_finds_${name} COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:${target}>
        -DSCENARIO=${SCENARIO} -P "${svs_explore_dir}/finds.cmake")
    svs_set_test_properties(explore_finds_${name} explore 60)
endfunction()

file(GLOB svs_explore_mutants CONFIGURE_DEPENDS "${svs_explore_dir}/mutants/*.cmake")
foreach(rules IN LISTS svs_explore_mutants)
    svs_add_explore_mutant("${rules}")
endforeach()
