# The face as programs see it: each header alone, every macro, and what must not compile; in C11 and in C++17, by each
# compiler that is found.
set(headers_dir "${CMAKE_CURRENT_LIST_DIR}")
set(header_includes "-I${PROJECT_SOURCE_DIR}/include")
# Not -fsyntax-only: gcc looks for unused results later than that.
set(header_flags -Wall -Wextra -pedantic -Wshadow -Werror -S -o /dev/null)

set(header_compilers "")
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
        set(header_language_${compiler} -x c++ -std=c++17)
    else()
        set(header_language_${compiler} -x c -std=c11)
    endif()
endforeach()

# Adds a test that compiles `source` by `compiler`; the rest are further flags.
function(svs_add_compile_test name compiler source)
    add_test(NAME ${name} COMMAND "${header_path_${compiler}}" ${header_flags} ${header_includes} ${ARGN}
        ${header_language_${compiler}} "${source}")
    svs_set_test_properties(${name} unit 60)
endfunction()

file(GLOB headers CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/include"
    "${PROJECT_SOURCE_DIR}/include/svs/*.h" "${PROJECT_SOURCE_DIR}/include/svs/detail/*.h")
foreach(header IN LISTS headers)
    string(MAKE_C_IDENTIFIER "${header}" id)
    # Twice: a header must also bear to be included again.
    file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/headers/${id}.c"
        CONTENT "#include <${header}>\n#include <${header}>\ntypedef int ${id}_was_here;\n")
    foreach(compiler IN LISTS header_compilers)
        svs_add_compile_test(headers.${id}.${compiler} ${compiler} "${CMAKE_CURRENT_BINARY_DIR}/headers/${id}.c")
    endforeach()
endforeach()

# Mistakes that a compiler must refuse, and the words of its error. The same text without the mistake must compile, so
# that the mistake is the cause of the error.
set(header_mistakes OBJECT_AS_ITEM WRONG_CHILD WRONG_ITEM UNUSED_STATUS NOT_A_LINK ITEM_WITH_CONSTRUCTOR WRONG_POINTER)
set(header_words_ITEM_WITH_CONSTRUCTOR "copied as plain bytes")
set(header_words_WRONG_POINTER "error:[^\n]*(incompatible pointer|cannot convert|no matching function|cannot initialize)")
set(header_words_OBJECT_AS_ITEM "error:[^\n]*(svs_kind_|redefinition|conflicting|memory object is not an item)")
set(header_words_WRONG_CHILD "error:[^\n]*(incompatible operand|distinct pointer|pointer type mismatch|lacks a cast)")
set(header_words_WRONG_ITEM "error:[^\n]*(incompatible|cannot convert|no matching function|cannot initialize)")
set(header_words_UNUSED_STATUS "error:[^\n]*(warn_unused_result|nodiscard)")
set(header_words_NOT_A_LINK "error:[^\n]*(health|member|pointer|integer)")
foreach(compiler IN LISTS header_compilers)
    svs_add_compile_test(headers.macros.${compiler} ${compiler} "${headers_dir}/macros.c")
    svs_add_compile_test(headers.no_mistake.${compiler} ${compiler} "${headers_dir}/mistakes.c")
    foreach(mistake IN LISTS header_mistakes)
        set(name headers.refused.${mistake}.${compiler})
        svs_add_compile_test(${name} ${compiler} "${headers_dir}/mistakes.c" "-D${mistake}")
        set_tests_properties(${name} PROPERTIES PASS_REGULAR_EXPRESSION "${header_words_${mistake}}")
    endforeach()
endforeach()

# The macros are also run, as C and as C++, against the shared library: what it exports is enough.
svs_add_test(NAME headers.run_c LABEL unit SOURCES macros.c LIBRARY svs::svs)
if(CMAKE_CXX_COMPILER)
    svs_add_test(NAME headers.run_cpp LABEL unit SOURCES macros.cpp LIBRARY svs::svs)
endif()
