# The list of the mutants' tests, and mutated sources (mutants.py).
set(svs_mutants_script "${PROJECT_SOURCE_DIR}/tests/mutants/mutants.py")
set(svs_mutants_dir "${PROJECT_BINARY_DIR}/tests/mutants")
file(GLOB_RECURSE svs_mutants_rules CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/mutants/*.diff")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${svs_mutants_script}" ${svs_mutants_rules})
execute_process(COMMAND ${SVS_PYTHON} "${svs_mutants_script}" list
    OUTPUT_VARIABLE svs_mutants COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n]+" svs_mutants "${svs_mutants}")

# svs_write_mutated(to command [source]): a command that writes a mutated source, or the switch.
function(svs_write_mutated to)
    add_custom_command(OUTPUT "${to}" WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}" COMMENT "" VERBATIM
        COMMAND ${SVS_PYTHON} "${svs_mutants_script}" ${ARGN} "${to}"
        DEPENDS "${svs_mutants_script}" ${svs_mutants_rules} $<$<BOOL:${ARGV2}>:${PROJECT_SOURCE_DIR}/${ARGV2}>)
endfunction()
svs_write_mutated("${svs_mutants_dir}/switch.c" switch)
