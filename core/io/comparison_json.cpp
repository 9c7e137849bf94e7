#include "core/io/comparison_json.h"

#include "core/io/json_print.h"
#include "core/io/memory_json.h"

namespace core {
namespace {

Json figuresJson(const Figures& figures) { return {{"flops", figures.flops}, {"bytesIn", figures.bytesIn}, {"bytesOut", figures.bytesOut}}; }

void putSeconds(Json& json, const char* key, const std::optional<double>& seconds) {
  if (seconds) json[key] = *seconds;
}

Json rankJson(const ComparedRank& rank) {
  Json json = {{"rank", rank.rank}, {"exact", rank.exact}, {"predicted", figuresJson(rank.predicted)}, {"counted", figuresJson(rank.counted)}, {"predictedPeak", memoryJson(rank.predictedPeak)}};
  if (rank.countedPeak) json["countedPeak"] = memoryJson(*rank.countedPeak);
  json["runtimeBytes"] = rank.runtimeBytes;
  putSeconds(json, "predictedComputeSeconds", rank.predictedComputeSeconds);
  json["measuredComputeSeconds"] = rank.measuredComputeSeconds;
  putSeconds(json, "predictedCommunicationSeconds", rank.predictedCommunicationSeconds);
  json["measuredCommunicationSeconds"] = rank.measuredCommunicationSeconds;
  return json;
}

Json instructionJson(const ComparedInstruction& one) {
  Json json = {{"name", one.name}, {"rank", one.rank}, {"iteration", one.iteration}};
  if (one.instruction) json["kind"] = toString(one.instruction->kind);
  json["times"] = one.times;
  json["exact"] = one.exact;
  json["predicted"] = figuresJson(one.predicted);
  json["counted"] = figuresJson(one.counted);
  putSeconds(json, "predictedSeconds", one.predictedSeconds);
  json["measuredSeconds"] = one.measuredSeconds;
  return json;
}

}  // namespace

std::string printComparisonJson(const Comparison& comparison) {
  Json ranks = Json::array(), instructions = Json::array();
  for (const ComparedRank& one : comparison.ranks) ranks.push_back(rankJson(one));
  for (const ComparedInstruction& one : comparison.instructions) instructions.push_back(instructionJson(one));
  Json json = {{"format", formatOf("meshwright.comparison", 1)}, {"exact", comparison.exact}, {"differences", comparison.differences}};
  putSeconds(json, "predictedStepSeconds", comparison.predictedStepSeconds);
  json["measuredStepSeconds"] = comparison.measuredStepSeconds;
  json["ranks"] = std::move(ranks);
  json["instructions"] = std::move(instructions);
  return printJson(json);
}

}  // namespace core
