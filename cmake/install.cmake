# Installs the headers, library, find_package(svs) and svs.pc.
install(TARGETS svs EXPORT svsTargets
    RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}"
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
if(TARGET svs_check)
    install(TARGETS svs_check EXPORT svsTargets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
endif()
install(DIRECTORY include/svs DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.h")
install(FILES "${PROJECT_BINARY_DIR}/include/svs/version.h" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/svs")

set(svs_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/svs")
install(EXPORT svsTargets NAMESPACE svs:: DESTINATION "${svs_package_dir}")
configure_package_config_file(cmake/svsConfig.cmake.in "${PROJECT_BINARY_DIR}/svsConfig.cmake"
    INSTALL_DESTINATION "${svs_package_dir}")
install(FILES cmake/svsCheckFlags.cmake DESTINATION "${svs_package_dir}")
# Before 1.0 a minor version may be incompatible.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/svsConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/svsConfig.cmake" "${PROJECT_BINARY_DIR}/svsConfigVersion.cmake"
    DESTINATION "${svs_package_dir}")

# Paths relative to the file itself, so that the installed tree is relocatable.
file(RELATIVE_PATH svs_pc_prefix "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" svs_pc_prefix "${svs_pc_prefix}")
configure_file(cmake/svs.pc.in "${PROJECT_BINARY_DIR}/svs.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/svs.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}")
