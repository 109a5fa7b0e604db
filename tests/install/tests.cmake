# An outside project finds what is installed: the stand-alone example is built and run against a fresh installation.
set(install_dir "${PROJECT_BINARY_DIR}/tests/install")
set(install_flags "")
if(SVS_SANITIZE)
    set(install_flags "-fsanitize=${SVS_SANITIZE}")
elseif(SVS_COVERAGE) # the static libraries have counters
    set(install_flags "--coverage")
endif()
set(install_mpis "")
foreach(mpi IN ITEMS openmpi mpich)
    if(TARGET svs_ranks_${mpi})
        list(APPEND install_mpis ${mpi})
    endif()
endforeach()
list(JOIN install_mpis "," install_mpis)
set(install_variables
    "-DSVS_BINARY_DIR=${PROJECT_BINARY_DIR}"
    "-DSVS_EXAMPLE_DIR=${PROJECT_SOURCE_DIR}/examples/standalone"
    "-DSVS_CHECK_DIR=${PROJECT_SOURCE_DIR}/tests/check/programs"
    "-DSVS_PROJECT_DIR=${PROJECT_SOURCE_DIR}"
    "-DSVS_RANKS_DIR=${CMAKE_CURRENT_LIST_DIR}/ranks"
    "-DSVS_COMPONENT_DIR=${CMAKE_CURRENT_LIST_DIR}/component"
    "-DSVS_MPIS=${install_mpis}"
    "-DSVS_WORK_DIR=${install_dir}"
    "-DSVS_LIBDIR=${CMAKE_INSTALL_LIBDIR}"
    "-DSVS_VERSION=${PROJECT_VERSION}"
    "-DSVS_FLAGS=${install_flags}"
    "-DSVS_C_COMPILER=${CMAKE_C_COMPILER}"
    "-DSVS_CONFIG=$<CONFIG>")
# The messages about the race check when flags stand in its way; tests/check shows that it works.
set(install_check_steps "")
if(TARGET svs_check)
    set(install_check_steps check_component check_notice check_left_out)
    if(NOT SVS_COVERAGE) # whose counters CMake links
        list(APPEND install_check_steps pkg_config_check)
    endif()
endif()
foreach(step IN ITEMS install find_package pkg_config ranks components LISTS install_check_steps)
    add_test(NAME install.${step} COMMAND
        ${CMAKE_COMMAND} -DSVS_STEP=${step} ${install_variables} -P "${CMAKE_CURRENT_LIST_DIR}/outside.cmake")
    svs_set_test_properties(install.${step} install 300)
endforeach()
set_tests_properties(install.ranks PROPERTIES RESOURCE_LOCK svs_mpi)
set(install_files "")
foreach(target IN ITEMS svs svs_check svs_ranks_openmpi svs_ranks_mpich svs_command)
    if(TARGET ${target})
        list(APPEND install_files $<TARGET_FILE:${target}>)
    endif()
endforeach()
set_tests_properties(install.install PROPERTIES FIXTURES_SETUP svs_installed REQUIRED_FILES "${install_files}")
set_tests_properties(install.find_package install.pkg_config install.ranks install.components PROPERTIES FIXTURES_REQUIRED svs_installed)
foreach(step IN LISTS install_check_steps)
    set_tests_properties(install.${step} PROPERTIES FIXTURES_REQUIRED svs_installed)
endforeach()

# The preset of README's install, which the tests of the gdb commands use as well.
if(NOT SVS_SANITIZE AND NOT SVS_COVERAGE AND NOT SVS_CHECK_MODE)
    add_test(NAME install.preset COMMAND ${CMAKE_COMMAND} ${install_variables} "-DSVS_WORK_DIR=${install_dir}_preset"
        -P "${CMAKE_CURRENT_LIST_DIR}/preset.cmake")
    svs_set_test_properties(install.preset install 900)
    set_tests_properties(install.preset PROPERTIES FIXTURES_SETUP svs_preset_installed)
endif()

# An outside project that compares locks with SvS. The race check's build runs its program, too.
if(SVS_SANITIZE)
    return()
endif()
add_test(NAME install.compare COMMAND ${CMAKE_COMMAND} ${install_variables} "-DSVS_PREFIX=${install_dir}/prefix"
    -P "${CMAKE_CURRENT_LIST_DIR}/compare.cmake")
svs_set_test_properties(install.compare install 300)
set_tests_properties(install.compare PROPERTIES FIXTURES_REQUIRED svs_installed)
