# Warnings, sanitizers, and what makes a build quick: ccache, mold, assertions kept in release.
add_library(meshwright_options INTERFACE)
target_compile_options(meshwright_options INTERFACE -Wall -Wextra -Werror -Wno-missing-field-initializers)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(meshwright_options INTERFACE -Wno-restrict) # GCC 12 sees overlaps in std::string that are not there
endif()
target_include_directories(meshwright_options INTERFACE ${PROJECT_SOURCE_DIR})

# Asserts say what the program believes of itself; they stay on in every build.
string(REPLACE "-DNDEBUG" "" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")
# What computes (executor/) is built with -O2; the rest is quicker to build with -O1 and no slower to a person.
string(REPLACE "-O3" "-O1" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")

if(MESHWRIGHT_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -g1 -O1)
  add_link_options(-fsanitize=address,undefined)
  add_compile_definitions(MESHWRIGHT_SANITIZED)
  add_library(meshwright_sanitize OBJECT ${PROJECT_SOURCE_DIR}/packaging/cmake/sanitize.cpp)
  link_libraries(meshwright_sanitize)
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  # Precompiled headers are cached too.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${CCACHE_PROGRAM})
endif()
find_program(MOLD_PROGRAM mold)
if(MOLD_PROGRAM AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_link_options(-fuse-ld=mold)
endif()
