#pragma once

#include <string>

#include "core/io/json_reader.h"

// Canonical text: what fits on a line stands on one, the rest item by item; so a change of one thing is a change of one line.
//
//   {
//     "format": "meshwright.layout/1",
//     "rules": [
//       {"dimension": "batch", "axes": ["data"]},
//       {"dimension": "heads", "axes": ["model"]}
//     ]
//   }

namespace core {

std::string printJson(const Json& value);        // ends with a newline
std::string printJsonLine(const Json& value);    // without any newline, for ndjson
Json numberJson(double value);                   // not finite: "inf", "-inf", "nan"

}  // namespace core
