# Builds the two lowest floors and the face test with one compiler and one set of flags, as C and as C++, and runs both:
# cmake -DC=cc -DCXX=c++ "-DFLAGS=-O3;..." "-DSOURCES=a.c;b.S" "-DINCLUDES=-I..;..." -DFACE=dir -DWORK=dir -P levels.cmake
file(MAKE_DIRECTORY "${WORK}")
set(warnings -Wall -Wextra -Werror)

function(run)
    execute_process(COMMAND ${ARGV} WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE result)
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "${result}: ${ARGV}")
    endif()
endfunction()

file(GLOB stale "${WORK}/*.o")
if(stale)
    file(REMOVE ${stale})
endif()
run(${C} -c ${FLAGS} -std=c11 -D_GNU_SOURCE ${INCLUDES} ${SOURCES})
file(GLOB objects "${WORK}/*.o")
run(${C} ${FLAGS} ${warnings} -std=c11 -D_GNU_SOURCE ${INCLUDES} "${FACE}/face.c" ${objects} -pthread -o face_c)
run(./face_c 1)
if(CXX)
    run(${CXX} ${FLAGS} ${warnings} -std=c++17 ${INCLUDES} -x c++ "${FACE}/face.c" -x none ${objects} -pthread -o face_cpp)
    run(./face_cpp 1)
endif()
