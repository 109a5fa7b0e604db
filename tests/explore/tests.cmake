# The controlled scheduler (explore/machine.h): the library's sources with every shared access a point of choice.
# It has stacks and an order of its own, so the sanitizers' builds leave it out.
if(SVS_SANITIZE)
    message(STATUS "explore: left out under ${SVS_SANITIZE}")
    return()
endif()

set(svs_explore_dir "${CMAKE_CURRENT_LIST_DIR}")
get_target_property(svs_explore_library_sources svs SOURCES)
list(FILTER svs_explore_library_sources EXCLUDE REGEX "/base/platform\\.c$")
list(TRANSFORM svs_explore_library_sources REPLACE "^([^/])" "${svs_SOURCE_DIR}/\\1")

add_library(svs_explore STATIC ${svs_explore_library_sources} "${svs_explore_dir}/platform.c")
svs_configure_library(svs_explore PUBLIC)
target_compile_definitions(svs_explore PUBLIC SVS_EXPLORE)
target_compile_options(svs_explore PUBLIC -Wno-shadow)
target_link_options(svs_explore PUBLIC "-Wl,--wrap=free")
target_include_directories(svs_explore PUBLIC "${PROJECT_SOURCE_DIR}/tests")

set(svs_explore_sources main.c machine.c memory.c strategy.c
    scenarios/asyncs.c scenarios/deque.c scenarios/lock.c scenarios/parking.c)
list(TRANSFORM svs_explore_sources PREPEND "${svs_explore_dir}/")

add_executable(explore ${svs_explore_sources})
target_link_libraries(explore PRIVATE svs_explore)
set_target_properties(explore PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/bin")

foreach(scenario lock parking deque finish finish_nested workfirst runtime)
    add_test(NAME explore_${scenario} COMMAND explore ${scenario})
    svs_set_test_properties(explore_${scenario} explore 300)
endforeach()
