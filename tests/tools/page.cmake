# cmake -DSVS_CHROMIUM=program -DSVS_COMMAND=svs -DSVS_WORK_DIR=folder -P page.cmake: opens pages in a browser without a
# window, and looks at what they say of themselves once they are drawn.
cmake_minimum_required(VERSION 3.25)

if(NOT SVS_CHROMIUM)
    message(STATUS "skipped: there is no browser (Debian: chromium)")
    return()
endif()

# open(name): the page's document in `document`, its console's words in `said`.
function(open name)
    set(profile "${SVS_WORK_DIR}/browser")
    file(REMOVE_RECURSE "${profile}")
    execute_process(
        COMMAND "${SVS_CHROMIUM}" --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage
            --disable-background-networking --disable-component-update --disable-sync --disable-quic --no-first-run "--user-data-dir=${profile}" --window-size=1280,1200
            --enable-logging=stderr --virtual-time-budget=5000 --dump-dom "file://${SVS_WORK_DIR}/${name}"
        OUTPUT_VARIABLE document ERROR_VARIABLE said RESULT_VARIABLE result TIMEOUT 120)
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "${SVS_CHROMIUM} ended with ${result}: ${said}")
    endif()
    string(REGEX MATCH "<html[^>]*>" marks "${document}")
    message(STATUS "${name}: ${marks}")
    set(document "${document}" PARENT_SCOPE)
    set(marks "${marks}" PARENT_SCOPE)
    set(said "${said}" PARENT_SCOPE)
endfunction()

function(make name trace)
    execute_process(COMMAND "${SVS_COMMAND}" trace html ${ARGN} -o "${SVS_WORK_DIR}/${name}" "${trace}" RESULT_VARIABLE result)
    if(result GREATER 1)
        message(FATAL_ERROR "svs trace html ${trace} ended with ${result}")
    endif()
endfunction()

# check(name trace ready bars texts...): the page is drawn without an error, says `ready`, draws so many bars of phases
# and SVS_BARS of the tree, and has the texts.
function(check name trace ready bars)
    make(${name} "${trace}" ${SVS_OPTIONS})
    open(${name})
    if(said MATCHES "CONSOLE|Uncaught" OR marks MATCHES "data-error")
        message(FATAL_ERROR "${name} has errors: ${marks}\n${said}")
    endif()
    foreach(mark IN ITEMS "data-ready=\"${ready}\"" "data-timeline=\"${bars}\"" "data-tree=\"${SVS_BARS}\"")
        if(NOT marks MATCHES "${mark}")
            message(FATAL_ERROR "${name} says ${marks}, and not ${mark}")
        endif()
    endforeach()
    foreach(mark IN LISTS ARGN)
        string(FIND "${document}" "${mark}" at)
        if(at EQUAL -1)
            message(FATAL_ERROR "${name} does not show ${mark}")
        endif()
    endforeach()
endfunction()

set(SVS_BARS "[1-9][0-9]*")
check(nested.html "${SVS_WORK_DIR}/nested.svstrace" "3 workers, 4 phases" 4
    "<b>150</b><span>asyncs</span>" "<b>3</b><span>steals</span>" "help-first, 3 workers" "<td>100</td>")
check(suspended.html "${SVS_WORK_DIR}/suspended.svstrace" "2 workers, 3 phases" 3 "work-first, 2 workers")
check(large.html "${SVS_WORK_DIR}/large.svstrace" "64 workers, 10000 phases" 10000 "<b>9,999</b><span>steals</span>")
check(lost.html "${SVS_WORK_DIR}/lost.svstrace" "64 workers, [0-9]+ phases" "[1-9][0-9]*" "This trace is inconsistent")
set(SVS_BARS 0)
check(graph.html "${SVS_WORK_DIR}/graph.svstrace" "2 workers, 0 phases, 401 instances, [1-9][0-9]* conflicts" 401
    "<b>401</b><span>instances</span>" "Why instances did not run together" "<td>both declare it</td>" "<td>accounts</td>"
    "<td>400</td>")
check(failed.html "${SVS_WORK_DIR}/failed.svstrace" "2 workers, 0 phases, [0-9]+ instances, [0-9]+ conflicts" "[1-9][0-9]*")
check(none.html "${SVS_WORK_DIR}/none.svstrace" "1 worker, 0 phases" 0)
set(SVS_BARS 4)
check(odd.html "${SVS_WORK_DIR}/a\"b\\<c> '&.svstrace" "3 workers, 4 phases" 4 [[<h1 id="title">a"b\&lt;c&gt; '&amp;.svstrace</h1>]])
set(SVS_BARS "[1-9][0-9]*")
set(SVS_OPTIONS --phases 300)
check(longest.html "${SVS_WORK_DIR}/large.svstrace" "64 workers, [0-9]+ phases" "[1-9][0-9]*" "are shown one by one")

# A page that breaks says so: what the checks above look for is there to be found.
file(READ "${SVS_WORK_DIR}/nested.html" page)
string(REPLACE "\"phases\":{" "\"stages\":{" page "${page}")
file(WRITE "${SVS_WORK_DIR}/broken.html" "${page}")
open(broken.html)
if(NOT marks MATCHES "data-error=\"[^\"]*undefined" OR NOT said MATCHES "CONSOLE")
    message(FATAL_ERROR "a broken page does not say so: ${marks}\n${said}")
endif()
