#pragma once

#include <string>

// Where files that come with the program lie: beside the installed program (../share/meshwright), else in the source tree.

namespace core {

std::string resourceFolder();  // "/usr/share/meshwright", "/home/ann/meshwright/resources"
std::string userFolder();      // what a person's own machines lie under: "$XDG_DATA_HOME/meshwright", "~/.local/share/meshwright"

}  // namespace core
