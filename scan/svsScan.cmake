# svs_add_tasks(target SOURCES source...): the scanned tasks (<svs/scan.h>) in these sources of the target get touch
# functions made from their bodies. A source with scanned tasks ends with #include SVS_SCANNED. One call names all sources
# of the program that define tasks, or that tasks call into. Without clang, or with SVS_SCAN=OFF, the sources compile all
# the same, and their scanned tasks run alone.
#
# INSTEAD: the slice takes the place of each hand-written touch function.
#
# COMPARE: a second check of each translation. The target is linked with the race check, svs::check, if there is one (the
# component `check`): the compiled bodies log their accesses, byte by byte, and two instances whose accesses conflict and
# whose footprints do not are reported, with their lines. In addition, without INSTEAD, the slice of the body runs
# alongside each hand-written touch function of these sources, and what only the slice names is reported on stderr.
#
# NOTES: prints each address that could not be worked out, and why, when the touch functions are made.
#
# A source is scanned when it, or what it includes, has changed; then all facts are linked; only sources with a header
# that has changed are compiled again.
function(svs_add_tasks target)
    cmake_parse_arguments(PARSE_ARGV 1 TASKS "COMPARE;INSTEAD;NOTES" "" "SOURCES")
    if(TASKS_UNPARSED_ARGUMENTS OR NOT TASKS_SOURCES OR NOT TARGET ${target})
        message(FATAL_ERROR "svs_add_tasks(${ARGV}): wanted svs_add_tasks(target SOURCES source... [COMPARE] [INSTEAD] [NOTES])")
    endif()
    if(DEFINED SVS_SCAN AND NOT SVS_SCAN)
        message(NOTICE "svs_add_tasks: SVS_SCAN is off: the scanned tasks of ${target} run alone")
        return()
    endif()
    find_program(SVS_SCAN_CLANG NAMES clang clang-19 clang-18 clang-17 clang-16 clang-15 clang-14
        DOC "clang, with which svs scan reads sources")
    mark_as_advanced(SVS_SCAN_CLANG)
    if(TARGET svs_command AND SVS_BUILD_SCAN)
        set(command "$<TARGET_FILE:svs_command>")
    else()
        find_program(SVS_SCAN_COMMAND svs HINTS ${SVS_COMMAND_DIR} DOC "The command svs")
        mark_as_advanced(SVS_SCAN_COMMAND)
        set(command "${SVS_SCAN_COMMAND}")
    endif()
    if(NOT SVS_SCAN_CLANG OR NOT command)
        message(NOTICE "svs_add_tasks: ${target} is built without scanning, because there is no clang or no command svs: its \
scanned tasks run alone")
        return()
    endif()

    get_target_property(standard ${target} C_STANDARD)
    if(NOT standard)
        set(standard 11)
    endif()
    set(include "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
    set(define "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
    set(flags "-std=gnu${standard}" "$<$<BOOL:${include}>:-I$<JOIN:${include},;-I>>"
        "$<$<BOOL:${define}>:-D$<JOIN:${define},;-D>>")
    set(folder "${CMAKE_CURRENT_BINARY_DIR}/${target}.scanned")
    file(MAKE_DIRECTORY "${folder}")
    set(all_facts "")
    set(headers "")
    set(mode "")
    if(TASKS_INSTEAD)
        set(mode --instead)
        set(defined INSTEAD)
    elseif(TASKS_COMPARE)
        set(mode --compare)
        set(defined COMPARED)
        target_sources(${target} PRIVATE "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/svsCompare.c")
    endif()
    if(TASKS_COMPARE AND TARGET svs::check)
        target_link_libraries(${target} PRIVATE svs::check)
        # The race check does not know the lock of its tables.
        set_property(SOURCE "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/svsCompare.c" PROPERTY COMPILE_OPTIONS -fno-sanitize=thread)
    elseif(TASKS_COMPARE)
        message(NOTICE "svs_add_tasks: COMPARE: what the bodies of ${target} access is not compared with their footprints, \
because there is no svs::check: find_package(svs COMPONENTS check) says why")
    endif()
    set(notes "")
    if(TASKS_NOTES)
        set(notes --notes)
    endif()
    foreach(source IN LISTS TASKS_SOURCES)
        get_filename_component(path "${source}" ABSOLUTE)
        string(REGEX REPLACE "[^A-Za-z0-9_.-]" "_" name "${source}")
        set(facts "${folder}/${name}.facts")
        add_custom_command(OUTPUT "${facts}"
            COMMAND "${command}" scan --clang "${SVS_SCAN_CLANG}" --facts "${facts}" --depfile "${facts}.d" "${path}"
                -- "${flags}"
            DEPENDS "${path}" "${command}" DEPFILE "${facts}.d"
            COMMENT "Scanning ${source}" VERBATIM COMMAND_EXPAND_LISTS)
        list(APPEND all_facts "${facts}")
        list(APPEND headers "${folder}/${name}.svs.h")
        if(mode) # the source between two headers, in its place
            file(CONFIGURE OUTPUT "${folder}/${name}" CONTENT
                "#define SVS_@defined@ 1\n#define SVS_SCANNED \"@folder@/@name@.svs.h\"\n#include <svs/scan.h>\n#include \"@path@\"\n#include \"@folder@/@name@.svs.h\"\n" @ONLY)
            set_property(SOURCE "${source}" PROPERTY HEADER_FILE_ONLY ON)
            target_sources(${target} PRIVATE "${folder}/${name}")
            continue()
        endif()
        set_property(SOURCE "${source}" APPEND PROPERTY COMPILE_DEFINITIONS
            "SVS_SCANNED=\"${folder}/${name}.svs.h\"")
    endforeach()
    add_custom_command(OUTPUT "${folder}/linked" BYPRODUCTS ${headers}
        COMMAND "${command}" scan --link ${mode} ${notes} ${all_facts}
        COMMAND "${CMAKE_COMMAND}" -E touch "${folder}/linked"
        DEPENDS ${all_facts} "${command}"
        COMMENT "Making touch functions of ${target}" VERBATIM)
    add_custom_target(${target}_scanned DEPENDS "${folder}/linked")
    add_dependencies(${target} ${target}_scanned)
endfunction()
