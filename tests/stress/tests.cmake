# S1 and S2 under stress (s1_main.c), and the proof that the stress can fail: the same program against libraries that lack one part of admission.
set(svs_s1_sources s1_main.c s1_round.c s1_item.c s1_body.c s1_set.c)
if(SVS_CHECK_MODE) # each access is looked at: some rounds
    set(svs_s1_instances --instances 8000)
endif()
foreach(mode mixed conflicts relinking transforms)
    svs_add_test(NAME stress_s1_${mode} LABEL stress SOURCES ${svs_s1_sources} ARGS ${mode} ${svs_s1_instances} TIMEOUT 900)
endforeach()

# It searches until it finds, at every scale: some seeds find after the first rounds, some late.
function(svs_add_s1_mutant name define mode)
    if(SVS_COVERAGE) # of which nothing is counted
        return()
    endif()
    svs_add_mutant_library(NAME svs_mutant_${name} DEFINE ${define})
    svs_add_test(NAME stress_s1_finds_${name} LABEL stress SOURCES ${svs_s1_sources}
        ARGS ${mode} --instances 10000000 LIBRARY svs_mutant_${name} TIMEOUT 900)
    # The violation itself, not any failure, is what must be seen; a sanitizer may see it first.
    set_tests_properties(stress_s1_finds_${name} PROPERTIES
        PASS_REGULAR_EXPRESSION "S1 violated|ThreadSanitizer: data race|AddressSanitizer: heap-use-after-free")
endfunction()
svs_add_s1_mutant(no_conflict_check SVS_MUTANT_NO_CONFLICT_CHECK conflicts)
svs_add_s1_mutant(no_revalidation SVS_MUTANT_NO_REVALIDATION relinking)
svs_add_s1_mutant(no_transform_admission SVS_MUTANT_NO_TRANSFORM_ADMISSION transforms)
