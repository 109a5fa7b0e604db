# The differential tester (differential.h): random programs through the public headers, against an oracle.
set(svs_differential_sources main.c draw.c land.c item.c body.c acts.c oracle.c graphs.c elide.c scenes.c beside.c memory.c)
svs_add_test(NAME differential LABEL stress SOURCES ${svs_differential_sources} LIBRARY svs TIMEOUT 900)
if(TARGET test_differential)
    set_target_properties(test_differential PROPERTIES OUTPUT_NAME differential)
endif()

# The proof that it can fail: it must find each fault in mutants/ that names a feature (--list) as DIFFERENTIAL, by its
# oracle, an assertion of the library or a crash.
if(NOT COMMAND svs_mutate OR NOT SVS_BUILD_MUTANTS OR SVS_COVERAGE OR SVS_CHECK_MODE)
    return()
endif()
list(TRANSFORM svs_differential_sources PREPEND "${CMAKE_CURRENT_LIST_DIR}/")
add_library(svs_differential STATIC ${svs_differential_sources})
target_link_libraries(svs_differential PUBLIC svs_internal)
file(GLOB svs_differential_mutants CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/mutants/*.cmake")
foreach(rules IN LISTS svs_differential_mutants)
    include("${rules}")
    cmake_path(GET rules STEM name)
    svs_mutate("${rules}" mutated)
    svs_add_test(NAME differential_finds_${name} LABEL stress SOURCES "${mutated}" LIBRARY svs_differential
        ARGS --only ${DIFFERENTIAL} --seconds 300 --hang 20 TIMEOUT 600 WILL_FAIL)
endforeach()
