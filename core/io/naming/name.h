#pragma once

#include <map>
#include <string>

#include "core/io/naming/relate.h"

namespace core::naming {

// One dimension for the same role in equal blocks: nothing in a graph ties the heads of layer 0 to those of layer 1.
//
//   h.0.attn.c_attn.weight and h.1.attn.c_attn.weight -> h.*.attn.c_attn.weight
void uniteRepeated(Names& names, const positional::Model& model, const Walk& walk);

// A name in which each number that a module's name follows is a star: "/h.0/attn/MatMul" -> "/h.*/attn/MatMul";
// "net.0.weight" has none. `isNode`: what stands last is an operator, not a module.
std::string roleOf(const std::string& name, bool isNode);

// What a person would call each class; gathered as hints at the atoms.
void addHints(Names& names, const positional::Model& model, const Walk& walk);

struct Dictionary {
  std::map<AtomId, std::string> names;         // of each root that some tensor has
  std::map<std::string, AtomId> aliases;       // a compound that was split -> its major part
};
Dictionary chooseNames(const Names& names, const positional::Model& model, const Walk& walk);

std::string identifier(const std::string& text);  // letters, digits and _

// "h.0.attn.c_attn.weight" -> "h.0.attn.c_attn"; "conv5_4_w_0" -> "conv5_4".
std::string moduleOf(const std::string& parameter);

}  // namespace core::naming
