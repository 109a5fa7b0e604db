# Installs the headers, library, find_package(svs), svs.pc and svs-check.pc.
include(CMakePackageConfigHelpers)
install(TARGETS svs EXPORT svsTargets
    RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}"
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
if(TARGET svs_check)
    install(TARGETS svs_check EXPORT svsTargets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
endif()
foreach(target IN ITEMS svs_ranks svs_ranks_openmpi svs_ranks_mpich svs_ranks_mpi)
    if(TARGET ${target})
        install(TARGETS ${target} EXPORT svsTargets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
    endif()
endforeach()
install(DIRECTORY include/svs DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
if(TARGET svs_ranks)
    install(DIRECTORY ranks/include/svs DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.h")
endif()

set(svs_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/svs")
install(EXPORT svsTargets NAMESPACE svs:: DESTINATION "${svs_package_dir}")
configure_package_config_file(cmake/svsConfig.cmake.in "${PROJECT_BINARY_DIR}/svsConfig.cmake"
    INSTALL_DESTINATION "${svs_package_dir}" PATH_VARS CMAKE_INSTALL_BINDIR)
install(FILES cmake/svsCheckFlags.cmake scan/svsCompare.c scan/svsScan.cmake DESTINATION "${svs_package_dir}")
# Before 1.0 a minor version may be incompatible.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/svsConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/svsConfig.cmake" "${PROJECT_BINARY_DIR}/svsConfigVersion.cmake"
    DESTINATION "${svs_package_dir}")

# Paths relative to the file itself, so that the installed tree is relocatable.
file(RELATIVE_PATH svs_pc_prefix "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" svs_pc_prefix "${svs_pc_prefix}")
configure_file(cmake/svs.pc.in "${PROJECT_BINARY_DIR}/svs.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/svs.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
if(TARGET svs_check) # with the flags of the compiler of this build
    string(TOLOWER "svs_check_${CMAKE_C_COMPILER_ID}_options" svs_pc_options)
    string(REPLACE "gnu" "gcc" svs_pc_options "${svs_pc_options}")
    string(REPLACE ";" " " svs_pc_options "${svs_check_hook_options};${${svs_pc_options}}")
    string(REPLACE "SHELL:" "" svs_pc_options "${svs_pc_options}")
    string(REPLACE ";" ",--wrap=" svs_pc_wraps "${svs_check_wraps}")
    set(svs_pc_libraries "")
    if(SVS_HAS_BACKTRACE)
        set(svs_pc_libraries "-Wl,--undefined=__wrap_mmap -lbacktrace")
    endif()
    configure_file(cmake/svs-check.pc.in "${PROJECT_BINARY_DIR}/svs-check.pc" @ONLY)
    install(FILES "${PROJECT_BINARY_DIR}/svs-check.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endif()
if(TARGET svs_ranks)
    configure_file(ranks/svs-ranks.pc.in "${PROJECT_BINARY_DIR}/svs-ranks.pc" @ONLY)
    install(FILES "${PROJECT_BINARY_DIR}/svs-ranks.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endif()
foreach(svs_pc_mpi IN ITEMS openmpi mpich)
    if(TARGET svs_ranks_${svs_pc_mpi})
        set(svs_pc_mpi_package "${svs_${svs_pc_mpi}_package}")
        configure_file(ranks/svs-ranks-mpi.pc.in "${PROJECT_BINARY_DIR}/svs-ranks-${svs_pc_mpi}.pc" @ONLY)
        install(FILES "${PROJECT_BINARY_DIR}/svs-ranks-${svs_pc_mpi}.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
    endif()
endforeach()
install(FILES LICENSE CHANGELOG.md DESTINATION "${CMAKE_INSTALL_DOCDIR}")
# As in the sources, so that the links between pages hold.
foreach(svs_docs IN ITEMS docs ranks/docs scan/docs)
    install(DIRECTORY ${svs_docs}/ DESTINATION "${CMAKE_INSTALL_DOCDIR}/${svs_docs}"
        FILES_MATCHING PATTERN "*.md" PATTERN "*.png" PATTERN "*.svg")
endforeach()
install(FILES tools/gdb/svs.py DESTINATION "${CMAKE_INSTALL_DATADIR}/svs/gdb")
