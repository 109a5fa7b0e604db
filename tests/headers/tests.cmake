# The face as programs see it: each header alone, every macro, and what must not compile; in C11, C++17 and C++20, by each
# compiler that is found.
set(headers_dir "${CMAKE_CURRENT_LIST_DIR}")
set(header_includes "-I${PROJECT_SOURCE_DIR}/include" "-I${PROJECT_SOURCE_DIR}/ranks/include")
# Not -fsyntax-only: gcc looks for unused results later than that.
set(header_flags -Wall -Wextra -pedantic -Wshadow -Wconversion -Werror -S -o /dev/null)

# Warnings that few programs ask for, and that a header must not cause in those.
set(header_strict_clang -Wconditional-uninitialized -Wcomma)
set(header_strict_g++ -Wzero-as-null-pointer-constant)
set(header_strict_clang++ ${header_strict_clang} -Wzero-as-null-pointer-constant)
set(header_strict_g++20 ${header_strict_g++})
set(header_strict_clang++20 ${header_strict_clang++})

set(header_compilers "")
set(header_variants "")
foreach(compiler IN ITEMS gcc clang g++ clang++)
    string(MAKE_C_IDENTIFIER "SVS_HEADERS_${compiler}" variable)
    find_program(${variable} ${compiler})
    mark_as_advanced(${variable})
    if(${variable})
        list(APPEND header_compilers ${compiler})
        set(header_path_${compiler} "${${variable}}")
    else()
        message(STATUS "${compiler} was not found: the headers are not tested with it")
    endif()
    if(compiler MATCHES "\\+\\+")
        set(header_language_${compiler} -Wold-style-cast -x c++ -std=c++17)
        set(header_path_${compiler}20 "${${variable}}")
        set(header_language_${compiler}20 -Wold-style-cast -x c++ -std=c++20)
    else()
        set(header_language_${compiler} -x c -std=c11)
    endif()
endforeach()
foreach(compiler IN LISTS header_compilers)
    list(APPEND header_variants ${compiler})
    if(compiler MATCHES "\\+\\+")
        list(APPEND header_variants ${compiler}20)
    endif()
endforeach()

# The macros are also run, as C and as C++, against the shared library: what it exports is enough.
svs_add_test(NAME headers.run_c LABEL unit SOURCES macros.c LIBRARY svs::svs)
if(CMAKE_CXX_COMPILER)
    svs_as_cpp(macros.c header_macros_cpp)
    svs_add_test(NAME headers.run_cpp LABEL unit SOURCES "${header_macros_cpp}" LIBRARY svs::svs)
endif()

add_executable(headers_must "${headers_dir}/must.c")
target_link_libraries(headers_must PRIVATE svs::svs)
set_target_properties(headers_must PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/bin")
add_test(NAME headers.must COMMAND ${CMAKE_COMMAND} -DSTATUS=1 "-DOUTPUT=^1 call\n$"
    "-DERROR=must.c:16: call.calls == 1 . SVS_E_LIMIT : SVS_OK.: SVS_E_LIMIT: [A-Z]"
    -P "${PROJECT_SOURCE_DIR}/cmake/expect.cmake" -- $<TARGET_FILE:headers_must>)
svs_set_test_properties(headers.must unit 60)

# The tests below only compile, without the flags of this build.
if(SVS_SANITIZE)
    return()
endif()

# Adds a test that compiles `source` by `compiler`; the rest are further flags.
function(svs_add_compile_test name compiler source)
    add_test(NAME ${name} COMMAND "${header_path_${compiler}}" ${header_flags} ${header_includes} ${ARGN}
        ${header_language_${compiler}} "${source}")
    svs_set_test_properties(${name} unit 60)
endfunction()

file(GLOB headers CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/include"
    "${PROJECT_SOURCE_DIR}/include/svs/*.h" "${PROJECT_SOURCE_DIR}/include/svs/detail/*.h"
    "${PROJECT_SOURCE_DIR}/include/svs/*.hpp")
file(GLOB ranks_headers CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/ranks/include"
    "${PROJECT_SOURCE_DIR}/ranks/include/svs/*.h" "${PROJECT_SOURCE_DIR}/ranks/include/svs/ranks/*.h")
list(APPEND headers ${ranks_headers})
foreach(header IN LISTS headers)
    string(MAKE_C_IDENTIFIER "${header}" id)
    # Twice: a header must also bear to be included again.
    file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/headers/${id}.c"
        CONTENT "#include <${header}>\n#include <${header}>\ntypedef int ${id}_was_here;\n")
    foreach(compiler IN LISTS header_variants)
        if(compiler MATCHES "\\+\\+" OR NOT header MATCHES "hpp$")
            svs_add_compile_test(headers.${id}.${compiler} ${compiler} "${CMAKE_CURRENT_BINARY_DIR}/headers/${id}.c"
                ${header_strict_${compiler}})
        endif()
    endforeach()
endforeach()

# Loops of touch functions with each number of accesses, at each level: warnings of optimizers come late.
foreach(compiler IN LISTS header_compilers)
    foreach(level IN ITEMS O1 O2 O3 Os)
        svs_add_compile_test(headers.counts.${compiler}.${level} ${compiler} "${headers_dir}/counts.c" -${level})
    endforeach()
endforeach()

# The lessons, whose macros and calls gcc follows into the headers.
if(gcc IN_LIST header_compilers)
    file(GLOB lessons CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/examples/[01]*.c")
    foreach(lesson IN LISTS lessons)
        cmake_path(GET lesson STEM name)
        svs_add_compile_test(headers.analyzed.${name} gcc "${lesson}" -D_GNU_SOURCE -fanalyzer)
    endforeach()
endif()

# Mistakes that a compiler must refuse, and the words of its error. The same text without the mistake must compile, so
# that the mistake is the cause of the error.
set(header_mistakes OBJECT_AS_ITEM WRONG_CHILD WRONG_ITEM UNUSED_STATUS NOT_A_LINK NO_SUCH_FIELD ITEM_WITH_CONSTRUCTOR WRONG_POINTER
    NO_TOUCH_FUNCTION ONE_ARGUMENT_MORE)
set(header_words_ITEM_WITH_CONSTRUCTOR "copied as plain bytes")
set(header_words_NO_TOUCH_FUNCTION "error:[^\n]*(requires 3 arguments, but only 2 given|too few arguments[^\n]*macro)")
set(header_words_ONE_ARGUMENT_MORE "error:[^\n]*(passed 5 arguments, but takes just 4|too many arguments[^\n]*macro)")
set(header_words_WRONG_POINTER "error:[^\n]*(incompatible pointer|cannot convert|no matching function|cannot initialize)")
set(header_words_OBJECT_AS_ITEM "error:[^\n]*(svs_kind_|redefinition|conflicting|memory object is not an item)")
set(header_words_WRONG_CHILD "error:[^\n]*(incompatible operand|distinct pointer|pointer type mismatch|lacks a cast)")
set(header_words_WRONG_ITEM "error:[^\n]*(incompatible|cannot convert|no matching function|cannot initialize)")
set(header_words_UNUSED_STATUS "error:[^\n]*(warn_unused_result|nodiscard)")
set(header_words_NOT_A_LINK "error:[^\n]*(health|member|pointer|integer)")
set(header_words_NO_SUCH_FIELD "error:[^\n]*no member named[^\n]*beside")
set(header_mistakes_cpp QUALIFIED_TYPE QUALIFIED_TASK OBJECT_AS_GRAPH_ITEM VECTOR_IN_ITEM BODY_OF_ANOTHER_ITEM CHANGING_BODY)
set(header_words_QUALIFIED_TYPE "error:[^\n]*write the macro inside of the namespace, or with a typedef of the type")
set(header_words_QUALIFIED_TASK "error:[^\n]*write the macro inside of the namespace, or with a name before it: SVS_TASK.name, item, run, touch")
set(header_words_OBJECT_AS_GRAPH_ITEM "error:[^\n]*a memory object is not an item: send a pointer to it")
set(header_words_VECTOR_IN_ITEM "error:[^\n]*an item is copied as plain bytes")
set(header_words_BODY_OF_ANOTHER_ITEM "error:[^\n]*a body is const, and takes a handle and its item")
set(header_words_CHANGING_BODY "${header_words_BODY_OF_ANOTHER_ITEM}")
function(svs_add_refusal_tests compiler source)
    foreach(mistake IN LISTS ARGN)
        set(name headers.refused.${mistake}.${compiler})
        svs_add_compile_test(${name} ${compiler} "${headers_dir}/${source}" "-D${mistake}")
        set_tests_properties(${name} PROPERTIES PASS_REGULAR_EXPRESSION "${header_words_${mistake}}")
    endforeach()
endfunction()
foreach(compiler IN LISTS header_variants)
    set(header_macros_flags ${header_strict_${compiler}})
    list(REMOVE_ITEM header_macros_flags -Wzero-as-null-pointer-constant) # macros.c writes NULL itself
    svs_add_compile_test(headers.macros.${compiler} ${compiler} "${headers_dir}/macros.c" ${header_macros_flags})
    svs_add_compile_test(headers.no_mistake.${compiler} ${compiler} "${headers_dir}/mistakes.c")
    if(compiler MATCHES "\\+\\+")
        svs_add_compile_test(headers.no_mistake_cpp.${compiler} ${compiler} "${headers_dir}/mistakes.cpp"
            ${header_strict_${compiler}})
    endif()
endforeach()
foreach(compiler IN LISTS header_compilers)
    svs_add_refusal_tests(${compiler} mistakes.c ${header_mistakes})
    if(compiler MATCHES "\\+\\+")
        svs_add_refusal_tests(${compiler} mistakes.cpp ${header_mistakes_cpp})
    endif()
endforeach()
