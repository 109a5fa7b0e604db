# The scene, linked with a library that was built as the preset `library` builds it (RelWithDebInfo) and installed.
set(build "${SVS_WORK_DIR}/library")
set(prefix "${SVS_WORK_DIR}/prefix")
function(run)
    execute_process(COMMAND ${ARGV} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "failed (${result}): ${ARGV}\n${output}")
    endif()
endfunction()
file(REMOVE_RECURSE "${prefix}")
run("${CMAKE_COMMAND}" -S "${SVS_PROJECT_DIR}" -B "${build}" --preset library "-DCMAKE_C_COMPILER=${SVS_C_COMPILER}"
    -DSVS_BUILD_TOOLS=OFF -DSVS_BUILD_CHECK=OFF -DSVS_BUILD_RANKS=OFF)
run("${CMAKE_COMMAND}" --build "${build}")
run("${CMAKE_COMMAND}" --install "${build}" --prefix "${prefix}")
run("${SVS_C_COMPILER}" -std=c11 -O1 -g "-I${prefix}/include" "${CMAKE_CURRENT_LIST_DIR}/scene.c" -o "${SVS_WORK_DIR}/scene"
    "-L${prefix}/${SVS_LIBDIR}" "-Wl,-rpath,${prefix}/${SVS_LIBDIR}" -lsvs)
