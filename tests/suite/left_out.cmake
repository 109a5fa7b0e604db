# Two lists of tests, with the reasons: svs_left_to_all are those that the short run of `./dev test` leaves to `./dev test --all`,
# svs_left_to_plain those that runs with a sanitizer leave out. All others are in the short run, with the part of their cases
# that SVS_TEST_SHARE leaves (scale.h). What a mutant dies by is in it: docs/testing.md says how that was measured.
set(svs_left_to_all "")
set(svs_left_to_plain "")

# svs_leave_to(all|plain regex ... BECAUSE reason): names of tests.
function(svs_leave_to list)
    cmake_parse_arguments(PARSE_ARGV 1 LEAVE "" "BECAUSE" "")
    if(NOT LEAVE_BECAUSE)
        message(FATAL_ERROR "svs_leave_to(${ARGV}): there is no reason")
    endif()
    set(svs_left_to_${list} ${svs_left_to_${list}} ${LEAVE_UNPARSED_ARGUMENTS} PARENT_SCOPE)
endfunction()

# svs_matches_any(NAME RESULT REGEX...)
function(svs_matches_any name result)
    set(${result} FALSE PARENT_SCOPE)
    foreach(regex IN LISTS ARGN)
        if(name MATCHES "^(${regex})$")
            set(${result} TRUE PARENT_SCOPE)
            return()
        endif()
    endforeach()
endfunction()

svs_leave_to(all "embed[.](one_line|subproject)" "abi[.]older_program.*" "tsan[.].*" BECAUSE "they compile the whole library again")
svs_leave_to(all "bench[.]list[.]told" BECAUSE "it needs each program of the benchmarks")
svs_leave_to(all "evaluation[.].*" tools_page BECAUSE "they need further packages: matplotlib, a browser")
svs_leave_to(all "bench[.](stealtree|racecheck|quakesquad|spawn|ranks|sends|wakeup|tick|frame|links|mesh|queues|sources|stall|width|walks)([.].*)?"
    "bench[.].*[.](parsec|engines)" "bench[.](tripuzzle|eigenvalue|groebner|phylogeny).*" "multipol[.].*"
    BECAUSE "programs and inputs take long to build or to run; rows are printed by the same functions, and structures over ranks have tests of their own")
svs_leave_to(all "example[.]tripuzzle[.](mpich[.].*|.*[.]8|local[.][14]|sim[.][12]|openmpi[.][14])" quakesquad.crowded
    BECAUSE "larger inputs, and more ranks, of programs that are run")
svs_leave_to(all "ranks_(openmpi|mpich)[.](exit|kill|[18]|stopped|no|other).*" "ranks_mpich[.].*"
    BECAUSE "each starts jobs of MPI; those of the tests of ranks are in the short run")
svs_leave_to(all "install[.].*" "gdb[.]install.*" "headers[.]refused[.].*" "docs[.](blocks|planted)" "faults[.].*[.](quakesquad|canneal|fluidanimate)"
    BECAUSE "they compile the library, outside projects, each block of the pages, or the ports once more")
svs_leave_to(all "headers[.].*[.](clang|clang[+][+]|g[+][+]20|clang[+][+]20)([.]O.)?" "async[.]levels[.].*"
    BECAUSE "one compiler of each language is in the short run")
svs_leave_to(all "check[.](gcc|clang)[.].*" BECAUSE "three levels of each program are built, and lessons are checked in this build")
svs_leave_to(all "scan[.](written_.*|compared|pairs|large|clangs|build_.*|table|real|front)" BECAUSE "hundreds of scans, or sources to fetch; random programs, cases and holds find the faults of the scan")
svs_leave_to(all "docs[.](names_misspelt|refuses)" "headers[.]analyzed[.].*" BECAUSE "they test the tests of pages, or have gcc follow lessons that are run")
svs_leave_to(all "bench[.]instructions[.].*" BECAUSE "they count instructions by valgrind, and no fault of the library is found by them")
svs_leave_to(all "quakesquad[.]mutex_(pthread|striped|rw)[.].*" BECAUSE "engines that know nothing of the library")
svs_leave_to(all "cilk[.](allqueens|cholesky|fft|heat|lu|matmul|nbody|strassen)[.].*" BECAUSE "fib stands for the suite")
svs_leave_to(all "mutant_.*" BECAUSE "each runs until it dies")

svs_leave_to(plain "install[.].*" BECAUSE "what is installed and found does not depend on a sanitizer")
svs_leave_to(plain "scan[.](clangs|pairs|compared)" tools_page BECAUSE "they compare versions of clang, and pages, and other tests run the same code")
svs_leave_to(plain "quakesquad[.]mutex_(pthread|striped|rw)[.].*" "example[.].*[.]engines" BECAUSE "engines that know nothing of the library")
