# cmake -DSVS_EVALUATION=program -DSVS_WORK_DIR=folder [-DSVS_PYTHON=..] [-DSVS_CHROMIUM=..] -DSVS_GNUPLOT=.. -P report.cmake:
# a small evaluation of everything, and what must be on its page, in its rows and in its JSON.
cmake_minimum_required(VERSION 3.25)

set(page "${SVS_WORK_DIR}/evaluation.html")
file(REMOVE_RECURSE "${SVS_WORK_DIR}")
execute_process(COMMAND "${SVS_EVALUATION}" --tiny --out "${SVS_WORK_DIR}" --json "${SVS_WORK_DIR}/all.json"
    OUTPUT_VARIABLE said ERROR_VARIABLE complained RESULT_VARIABLE result)
message(STATUS "${said}")
if(NOT result EQUAL 0)
    message(FATAL_ERROR "it ended with ${result}: ${complained}")
endif()

# Rows: all programs, with svs and with the locks, and each figure.
set(number "[0-9]+\\.[0-9]+")
foreach(program IN ITEMS "7.5;fluidanimate" "7.6;canneal" "7.7;quakesquad")
    list(GET program 0 figure)
    list(GET program 1 name)
    foreach(engine IN ITEMS svs mutex)
        if(NOT said MATCHES "\nbench=evaluation figure=${figure} program=${name} case=[^ ]+ engine=${engine} threads=2 [^\n]*seconds=${number}[^\n]* ratio_best_other=${number}")
            message(FATAL_ERROR "no row of ${name} with engine ${engine}")
        endif()
    endforeach()
    if(NOT said MATCHES "\nbench=evaluation figure=headline program=${name} [^\n]* ratio_prepared=${number} ratio_cpu=${number} ")
        message(FATAL_ERROR "no headline of ${name}")
    endif()
    if(NOT said MATCHES "\nbench=evaluation figure=${figure} program=${name} case=[^ ]+ part=spent threads=2 other=[a-z]+ ratio=${number} ratio_cpu=${number} ")
        message(FATAL_ERROR "nothing is said of what svs spends in ${name}")
    endif()
endforeach()
foreach(row IN ITEMS "figure=7.1 bits=4096" "figure=table-7.1 tree=40k K=8 examine=0" "figure=loses contention=high objects=2"
        "figure=cost program=quakesquad engine=svs" "figure=7.7 program=quakesquad case=moving part=spent")
    if(NOT said MATCHES "\nbench=evaluation ${row}")
        message(FATAL_ERROR "no row '${row}'")
    endif()
endforeach()

# Predictions rest on valgrind's counts.
if(SVS_VALGRIND)
    foreach(program IN ITEMS fluidanimate canneal quakesquad)
        if(NOT said MATCHES "program=${program} case=[^ ]+ engine=svs part=prediction threads=64 predicted_seconds=${number} ")
            message(FATAL_ERROR "no prediction for ${program}")
        endif()
    endforeach()
endif()

# Each part is announced with what it takes.
if(NOT said MATCHES "on a quiet machine.*\n  fluidanimate +[0-9]+ s\n.*\n  retain +[0-9]+ s\n")
    message(FATAL_ERROR "no plan was printed")
endif()

file(READ "${page}" text)
foreach(wanted IN ITEMS "thesis: simlarge, 8 cores" "thesis, us a frame: its own world" "svs takes" "peak MB" "p99 frame, ms"
        "times one was put back" "Input here: a generated netlist of 500" "The machine was not quiet|SvS against the best other engine" "on 2 CPUs|on [0-9]+ CPUs")
    if(NOT text MATCHES "${wanted}")
        message(FATAL_ERROR "the page does not say '${wanted}'")
    endif()
endforeach()
foreach(id IN ITEMS ratios fluidanimate canneal quakesquad loses cost width links tracing storage lca retain machine)
    if(NOT text MATCHES "<section id=\"${id}\">")
        message(FATAL_ERROR "the page has no section ${id}")
    endif()
endforeach()
get_filename_component(programs "${SVS_EVALUATION}" DIRECTORY)
if(EXISTS "${programs}/bench_racecheck" AND NOT text MATCHES "fewer with labels.*<td class=\"t\">heat</td><td class=\"t\">work-first</td>")
    message(FATAL_ERROR "the page has no figure 9")
endif()
if(text MATCHES "class=\"problem\"")
    message(FATAL_ERROR "the page tells of a problem")
endif()
# Nothing is fetched: names of namespaces are all that looks like an address.
string(REGEX MATCHALL "(src|href)=['\"](https?:)?//[^'\"]*" outside "${text}")
if(outside)
    message(FATAL_ERROR "the page wants ${outside}")
endif()
# As many pictures as were drawn, and none of them empty: each has a line, a box or a tile with data.
string(REGEX MATCHALL "<svg[ \n]" pictures "${text}")
list(LENGTH pictures count)
if(SVS_GNUPLOT)
    if(count LESS 20 OR NOT text MATCHES "; ${count} plots;")
        message(FATAL_ERROR "the page has ${count} plots")
    endif()
elseif(NOT count EQUAL 0)
    message(FATAL_ERROR "pictures without gnuplot?")
endif()

# Another machine's JSON beside: this one's own.
execute_process(COMMAND "${SVS_EVALUATION}" --tiny --only canneal --out "${SVS_WORK_DIR}/in/again" --beside "${SVS_WORK_DIR}/all.json"
    OUTPUT_QUIET ERROR_VARIABLE complained RESULT_VARIABLE result)
file(READ "${SVS_WORK_DIR}/in/again/evaluation.html" again)
if(NOT result EQUAL 0 OR NOT again MATCHES "<section id=\"beside\">.*<td class=\"t\">fluidanimate</td>")
    message(FATAL_ERROR "it does not stand beside another (${result}): ${complained}")
endif()
if(again MATCHES "<section id=\"quakesquad\">" OR again MATCHES "That one is a")
    message(FATAL_ERROR "one part beside an evaluation like it is more than that")
endif()

# refused(what complaint options...): before anything is measured.
function(refused complaint)
    execute_process(COMMAND "${SVS_EVALUATION}" --tiny --only cost ${ARGN}
        OUTPUT_VARIABLE said ERROR_VARIABLE complained RESULT_VARIABLE result)
    if(result EQUAL 0 OR NOT complained MATCHES "${complaint}")
        message(FATAL_ERROR "${ARGN}: it ended with ${result} and said: ${complained}")
    endif()
endfunction()
file(WRITE "${SVS_WORK_DIR}/other.json" "{\"a\":1}\n")
set(to --out "${SVS_WORK_DIR}/refused")
refused("--beside: .*none.json cannot be read" ${to} --beside "${SVS_WORK_DIR}/none.json")
refused("--beside: .*other.json has no runs" ${to} --beside "${SVS_WORK_DIR}/other.json")
refused("--json: .*: No such file" ${to} --json "${SVS_WORK_DIR}/none/x.json")
refused("--out: .*other.json: it is no folder" --out "${SVS_WORK_DIR}/other.json")
refused("problem: files of 10 ports are not in the source tree" ${to} --source "${SVS_WORK_DIR}")
refused("'x' is not one of fluidanimate" ${to} --only x)
refused("problem: canneal is not among the programs" ${to} --only canneal --programs "${SVS_WORK_DIR}")
refused("problem: fluidanimate needs PARSEC's" ${to} --only fluidanimate --data "${SVS_WORK_DIR}")

if(SVS_PYTHON)
    execute_process(COMMAND "${SVS_PYTHON}" -c
        "import json,sys; d=json.load(open(sys.argv[1])); r=d['rows']; assert len(r) > 100 and d['machine']['cpus']; assert any(isinstance(x.get('samples'), (list, float)) for x in r)"
        "${SVS_WORK_DIR}/all.json" ERROR_VARIABLE complained RESULT_VARIABLE result)
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "the JSON is not what it should be: ${complained}")
    endif()
endif()

if(NOT SVS_CHROMIUM)
    message(STATUS "no Chromium is installed: the page was not opened")
    return()
endif()
execute_process(
    COMMAND "${SVS_CHROMIUM}" --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage
        --disable-background-networking --no-first-run "--user-data-dir=${SVS_WORK_DIR}/browser" --window-size=1280,1200
        --enable-logging=stderr --virtual-time-budget=5000 --dump-dom "file://${page}"
    OUTPUT_VARIABLE document ERROR_VARIABLE complained RESULT_VARIABLE result TIMEOUT 120)
if(NOT result EQUAL 0 OR complained MATCHES "CONSOLE|Uncaught" OR NOT document MATCHES "<section id=\"machine\">")
    message(FATAL_ERROR "the page does not open well (${result}): ${complained}")
endif()
