# What README's install gives: the preset `library`, without the command svs and the race check, which take long to build
# and are tried in the build of the tests.
set(build "${SVS_WORK_DIR}/build")
set(prefix "${SVS_WORK_DIR}/prefix")
function(run)
    execute_process(COMMAND ${ARGV} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "failed (${result}): ${ARGV}\n${output}")
    endif()
endfunction()
file(REMOVE_RECURSE "${prefix}")
run("${CMAKE_COMMAND}" -S "${SVS_PROJECT_DIR}" -B "${build}" --preset library "-DCMAKE_C_COMPILER=${SVS_C_COMPILER}"
    -DSVS_BUILD_TOOLS=OFF -DSVS_BUILD_CHECK=OFF)
run("${CMAKE_COMMAND}" --build "${build}")
run("${CMAKE_COMMAND}" --install "${build}" --prefix "${prefix}")
# The transports over the MPIs that are here.
string(REPLACE "," ";" mpis "${SVS_MPIS}")
foreach(mpi IN LISTS mpis)
    if(NOT EXISTS "${prefix}/${SVS_LIBDIR}/libsvs_ranks_${mpi}.a" OR NOT EXISTS "${prefix}/${SVS_LIBDIR}/pkgconfig/svs-ranks-${mpi}.pc")
        message(FATAL_ERROR "the transport over ${mpi} is not installed")
    endif()
endforeach()
