# Compiler flags for svs::check, shared by this project and by projects that use the installed package.

# They enable the hooks, line numbers and call stacks, and disable optimisations with accesses that the hooks would
# miss: inlined memory functions, link-time code (gcc), and accesses of more than 16 bytes (clang). clang instruments
# inlined memcpy(), memmove() and memset(), but no inlined comparisons. Unrolling is disabled because it splits one
# access into several instructions, none of which accesses adjacent memory in consecutive iterations: each would end its
# stream.
#
# clang's vectorizers are disabled in LLVM itself, since a later -O2 or -O3 among a source's own options overrides
# -fno-vectorize. A loop with a vectorization pragma gets vectors of one element; the warning about each such loop is
# disabled.
set(svs_check_languages "$<COMPILE_LANGUAGE:C,CXX>")
set(svs_check_clang "$<OR:$<COMPILE_LANG_AND_ID:C,Clang>,$<COMPILE_LANG_AND_ID:CXX,Clang>>")
set(svs_check_gcc "$<OR:$<COMPILE_LANG_AND_ID:C,GNU>,$<COMPILE_LANG_AND_ID:CXX,GNU>>")
set(svs_check_hook_options -fsanitize=thread -g -fno-omit-frame-pointer -fno-lto)
set(svs_check_gcc_options -fno-builtin)
set(svs_check_clang_options -fno-unroll-loops -Wno-pass-failed)
foreach(option IN ITEMS vectorize-loops=false vectorize-slp=false force-vector-width=1 force-vector-interleave=1)
    list(APPEND svs_check_clang_options "SHELL:-mllvm -${option}")
endforeach()
foreach(name IN ITEMS memcmp bcmp memchr memrchr mempcpy memccpy bzero bcopy strlen strnlen strcpy stpcpy strncpy stpncpy
        strcat strncat strcmp strncmp strcasecmp strncasecmp strchr strrchr strstr strpbrk strspn strcspn strdup strndup
        sprintf snprintf)
    list(APPEND svs_check_clang_options -fno-builtin-${name})
endforeach()
set(svs_check_compile_options
    "$<${svs_check_languages}:${svs_check_hook_options}>"
    "$<${svs_check_gcc}:${svs_check_gcc_options}>"
    "$<${svs_check_clang}:${svs_check_clang_options}>")

# The name of a variable that adds -fsanitize=thread to everything, or nothing.
function(svs_check_find_global_flag result)
    string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
    set(${result} "" PARENT_SCOPE)
    foreach(variable IN ITEMS CMAKE_C_FLAGS CMAKE_CXX_FLAGS CMAKE_EXE_LINKER_FLAGS CMAKE_C_FLAGS_${type} CMAKE_CXX_FLAGS_${type})
        if("${${variable}}" MATCHES "-fsanitize=[a-z,]*thread")
            set(${result} "${variable}" PARENT_SCOPE)
            return()
        endif()
    endforeach()
endfunction()
