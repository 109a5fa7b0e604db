# The controlled scheduler (explore/machine.h): the library's sources with every shared access a point of choice.
# It has stacks and an order of its own, so the sanitizers' builds leave it out; and what it runs are variants of the
# library, of which coverage says nothing.
if(SVS_SANITIZE OR SVS_COVERAGE)
    message(STATUS "explore: left out under sanitizers and coverage")
    return()
endif()

set(svs_explore_dir "${CMAKE_CURRENT_LIST_DIR}")
get_target_property(svs_explore_library_sources svs SOURCES)
list(FILTER svs_explore_library_sources EXCLUDE REGEX "/base/(platform|timed)\\.c$")
# No scenario uses them: they have no threads.
list(FILTER svs_explore_library_sources EXCLUDE REGEX "/ranks/src/(structures/|transport/(launch|sim))")
file(GLOB svs_explore_sources CONFIGURE_DEPENDS "${svs_explore_dir}/scenarios/*.c")
list(APPEND svs_explore_sources "${svs_explore_dir}/main.c" "${svs_explore_dir}/machine.c" "${svs_explore_dir}/memory.c"
    "${svs_explore_dir}/report.c" "${svs_explore_dir}/strategy.c")

function(svs_configure_explorer target scope)
    svs_configure_library(${target} ${scope})
    svs_of_ranks(${target} ${scope})
    target_compile_definitions(${target} ${scope} SVS_EXPLORE)
    target_compile_options(${target} ${scope} -Wno-shadow $<$<CONFIG:Debug>:-g1>) # accesses nest in accesses; lines suffice
    target_include_directories(${target} ${scope} "${PROJECT_SOURCE_DIR}/tests")
endfunction()

add_library(svs_explore STATIC ${svs_explore_library_sources} "${svs_explore_dir}/heap.c"
    "${svs_explore_dir}/platform.c")
svs_configure_explorer(svs_explore PUBLIC)
if(svs_joins)
    svs_join(svs_explore)
endif()
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
