#pragma once

#include <cstdint>
#include <string>

#include "core/spmd/program.h"
#include "executor/collectives/collectives.h"
#include "executor/interpreter.h"

// A checkpoint is the states and the step: a folder with a safetensors file a rank and an index.
//
//   checkpoints/step-25/index.json           which part of which state lies in which file
//   checkpoints/step-25/rank.0.safetensors   the parts that rank 0 answers for, without padding; hashes in its metadata
//
// It is made under another name, synced and renamed, so that a folder of that name is whole. Any mesh can load it.

namespace executor {

// All ranks call it; what several ranks hold is written by the first of them. Gives "step-25".
std::string writeCheckpoint(Interpreter& interpreter, const core::Program& program, Communicator& communicator, const std::string& checkpoints, std::int64_t step);

// `from` is a checkpoint's folder, or a run's: then the newest of its checkpoints. Error when there is none.
std::string findCheckpoint(const std::string& from);

// Every state of the program gets what the checkpoint has of it; a rank reads only what it holds, and checks what it reads. Gives the step
// after which it was written. Error where a state is missing, has other sizes, or was changed.
std::int64_t loadCheckpoint(Interpreter& interpreter, const core::Program& program, const std::string& checkpoint);

}  // namespace executor
