#pragma once

#include "core/graph/graph.h"
#include "core/io/json_reader.h"
#include "core/layout/layout.h"
#include "core/layout/sharding.h"
#include "core/mesh/machine.h"
#include "core/mesh/mesh.h"
#include "core/plan/plan.h"
#include "core/tdl/expression.h"

// How the values of a plan and of a program stand in JSON; keys with their usual value are left out. Each `...Json`
// has its `read...`, which refuses what it would not have written. For .cpp files of core/io and core/run only.

namespace core {

Json meshJson(const Mesh& mesh);  // [{"name": "data", "size": 2}]
Mesh readMesh(const JsonReader& reader);

Json axesJson(const AxisList& axes, const Mesh& mesh);  // ["data", "model"]
AxisList readAxes(const JsonReader& reader, const Mesh& mesh);
Json axesJson(AxisSet axes, const Mesh& mesh);
AxisSet readAxisSet(const JsonReader& reader, const Mesh& mesh);

Json rulesJson(const std::vector<Rule>& rules);  // [{"dimension": "batch", "axes": ["data"]}]
std::vector<Rule> readRules(const JsonReader& reader);
Json pinsJson(const std::vector<Pin>& pins);
std::vector<Pin> readPins(const JsonReader& reader);
Json choicesJson(const std::vector<Choice>& choices);
std::vector<Choice> readChoices(const JsonReader& reader);

Json placementJson(const Placement& placement, const Mesh& mesh);
Placement readPlacement(const JsonReader& reader, std::size_t rank, const Mesh& mesh);

Json machineJson(const Machine& machine);
Machine readMachine(const JsonReader& reader);  // the form; check(Machine) says whether its figures make sense

Json sourceJson(const Source& source);
Source readSource(const JsonReader& reader);

// Dimensions in attributes stand as names of `graph`, or as numbers where there is none.
Json attributesJson(const Attributes& attributes, const Graph* graph);
Attributes readAttributes(const JsonReader& reader, const Graph* graph);

Json graphJson(const Graph& graph);
Graph readGraph(const JsonReader& reader);

Json dataJson(const Data& data);
Data readData(const JsonReader& reader);
Json variantJson(const Variant& variant);
Variant readVariant(const JsonReader& reader);

Json expressionJson(const Expression& expression);
Expression readExpression(const JsonReader& reader);

DType readDType(const JsonReader& reader);
Reduction readReduction(const JsonReader& reader);

// Sets a key unless the value is the usual one.
template <class T>
void put(Json& json, const char* key, const T& value, const T& usual) {
  if (!(value == usual)) json[key] = value;
}

}  // namespace core
