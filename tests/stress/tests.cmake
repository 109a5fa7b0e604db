# sched.S1 and sched.S2 under stress (s1_main.c), and the proof that the stress can fail: the same program with the mutants of
# tests/explore/mutants that name a mode of it as STRESS, one mutated source before the library's own.
set(svs_s1_sources s1_main.c s1_round.c s1_item.c s1_body.c s1_set.c)
if(SVS_CHECK_MODE) # each access is looked at: some rounds
    set(svs_s1_instances --instances 8000)
endif()
svs_add_test(NAME stress_s1_mixed LABEL stress SOURCES ${svs_s1_sources} ARGS mixed ${svs_s1_instances} TIMEOUT 900)
foreach(mode conflicts relinking transforms)
    add_test(NAME stress_s1_${mode} COMMAND test_stress_s1_mixed ${mode} ${svs_s1_instances})
    svs_set_test_properties(stress_s1_${mode} stress 900)
endforeach()

if(NOT SVS_BUILD_MUTANTS OR SVS_COVERAGE OR SVS_CHECK_MODE) # no library beside the shared one is counted, or checked
    return()
endif()
list(TRANSFORM svs_s1_sources PREPEND "${CMAKE_CURRENT_LIST_DIR}/")
add_library(svs_s1 STATIC ${svs_s1_sources})
target_link_libraries(svs_s1 PUBLIC svs_internal)

# It searches until it finds, at every scale: some seeds find after the first rounds, some late. The violation itself,
# not any failure, must be seen; a sanitizer may see it first, or, with SVS_SLOW_CHECKS, an assertion of sched.A1 or sched.G2.
file(GLOB svs_s1_mutants CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/../explore/mutants/*.cmake")
foreach(rules IN LISTS svs_s1_mutants)
    unset(STRESS)
    include("${rules}")
    if(NOT DEFINED STRESS)
        continue()
    endif()
    cmake_path(GET rules STEM name)
    svs_mutate("${rules}" mutated)
    svs_add_test(NAME stress_s1_finds_${name} LABEL stress SOURCES "${mutated}" LIBRARY svs_s1
        ARGS ${STRESS} --instances 10000000 TIMEOUT 900)
    set_tests_properties(stress_s1_finds_${name} PROPERTIES
        PASS_REGULAR_EXPRESSION "S1 violated|ThreadSanitizer: data race|AddressSanitizer: heap-use-after-free;check failed: (are_free|are_alone|signature_is_free|context->hold.count)")
endforeach()
