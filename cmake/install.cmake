# Installing: the library, its headers and the program, for find_package(heddle).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(HEDDLE_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/heddle)

install(TARGETS heddle EXPORT heddle_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY src/heddle ${CMAKE_CURRENT_BINARY_DIR}/generated/heddle
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.hpp" PATTERN "cli" EXCLUDE)
if(TARGET heddle_program)
  install(TARGETS heddle_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

install(EXPORT heddle_targets FILE heddleTargets.cmake NAMESPACE heddle::
        DESTINATION ${HEDDLE_CMAKE_DIR})
configure_package_config_file(cmake/heddleConfig.cmake.in heddleConfig.cmake
                              INSTALL_DESTINATION ${HEDDLE_CMAKE_DIR})
write_basic_package_version_file(heddleConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/heddleConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/heddleConfigVersion.cmake
        DESTINATION ${HEDDLE_CMAKE_DIR})
