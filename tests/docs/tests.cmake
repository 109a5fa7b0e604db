include("${CMAKE_CURRENT_LIST_DIR}/texts.cmake")
# The fenced blocks of README.md and docs/: compiled, run, and compared with what they print. It needs the plain shared
# library, as the blocks are compiled without a sanitizer, and the programs of the examples.
# The pages of ./dev docs.
find_program(SVS_DOXYGEN doxygen DOC "doxygen, for tests/docs")
mark_as_advanced(SVS_DOXYGEN)
if(SVS_DOXYGEN AND SVS_PYTHON)
    add_test(NAME docs.pages COMMAND "${SVS_PYTHON}" -B "${CMAKE_CURRENT_LIST_DIR}/pages.py" "${PROJECT_SOURCE_DIR}"
        "${PROJECT_BINARY_DIR}/tests/docs_pages")
    svs_set_test_properties(docs.pages docs 120)
else()
    message(STATUS "docs.pages is left out: it needs doxygen and python3")
endif()
if(NOT SVS_PYTHON OR SVS_SANITIZE OR SVS_COVERAGE OR NOT BUILD_SHARED_LIBS OR NOT TARGET 01_hello OR NOT TARGET svs_command
   OR NOT TARGET svs_check OR NOT CMAKE_CXX_COMPILER)
    message(STATUS "tests/docs: left out: it needs python3, a C++ compiler, and the examples, tools and race check of a plain shared build")
    return()
endif()
file(GLOB_RECURSE docs_pages CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/docs/*.md" "${PROJECT_SOURCE_DIR}/ranks/docs/*.md"
    "${PROJECT_SOURCE_DIR}/scan/docs/*.md")
set(docs_check "${SVS_PYTHON}" -B "${CMAKE_CURRENT_LIST_DIR}/blocks.py" --source "${PROJECT_SOURCE_DIR}"
    --build "${PROJECT_BINARY_DIR}" --compiler "${CMAKE_C_COMPILER}" --cxx "${CMAKE_CXX_COMPILER}")
add_test(NAME docs.blocks COMMAND ${docs_check} --work "${PROJECT_BINARY_DIR}/tests/docs"
    "${PROJECT_SOURCE_DIR}/README.md" "${PROJECT_SOURCE_DIR}/ARCHITECTURE.md" "${PROJECT_SOURCE_DIR}/CONTRIBUTING.md"
    "${PROJECT_SOURCE_DIR}/CHANGELOG.md" ${docs_pages})
svs_set_test_properties(docs.blocks docs 300)
set_tests_properties(docs.blocks PROPERTIES FIXTURES_REQUIRED svs_installed)
# Pages with one mistake each, which must be found.
add_test(NAME docs.refuses COMMAND ${docs_check} --work "${PROJECT_BINARY_DIR}/tests/docs_refused" --refuse
    "${CMAKE_CURRENT_LIST_DIR}/refused.md")
svs_set_test_properties(docs.refuses docs 120)
