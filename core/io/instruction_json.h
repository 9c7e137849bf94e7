#pragma once

#include "core/io/json_reader.h"
#include "core/spmd/program.h"

// Instructions of a program in JSON, see program_file.h. For .cpp files of core/io only.

namespace core {

BufferId readBufferId(const JsonReader& reader, std::size_t buffers);
Json bufferIdsJson(const std::vector<BufferId>& ids);
std::vector<BufferId> readBufferIds(const JsonReader& reader, std::size_t buffers);

Json instructionJson(const Instruction& instruction, const Mesh& mesh);
Instruction readInstruction(const JsonReader& reader, const Program& program);  // whose buffers and expressions are read

}  // namespace core
