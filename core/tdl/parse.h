#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The text of an index expression as a tree of words; what the words stand for is settled by bind().
//
//   y[n,p,q,f] = sum(c,u,v) (x[n, s*p+u-o, s*q+v-o, c] else 0) * w[u,v,c,f]
//
//   definition   output, ... = value, ...        an output is y[i,j], y[*b,d] or a bare y; *b is any dimensions
//   value        numbers, inf, nan, loops, parameters, + - * / % comparisons && ||, calls by a function's name,
//                select(condition, yes, no), f32(value) and the other types, uniform("name", i, j)
//   read         x[index, ...], x[] for a scalar; (x[index] else value) may read outside
//   index        a sum of loops with whole factors, then / and % by constants; a value that holds a read (lookup); *b;
//   : (all) reduction    sum(k) value; sum product max min and or; it takes the product on its right, so sum(k) a[k] +
//   1 adds 1 once
//
// Loops may carry their extent: y[i:4] = sum(k:8) x[i,k].

namespace core {

struct LoopName {
  std::string name;
  bool star = false;                   // *b
  std::optional<std::int64_t> extent;  // b:4
  std::size_t column = 0;
};

struct Term {
  enum class Kind {
    number,
    name,       // a loop or a parameter
    text,       // "dropout/0"
    star,       // *b, as an index
    whole,      // :, as an index
    read,       // name[children]
    otherwise,  // (children[0] else children[1]), the first is a read
    call,       // name(children)
    prefix,     // - children[0]
    infix,      // children[0] name children[1]
    reduce,     // name(loops) children[0]
  };
  Kind kind = Kind::number;
  std::string name;
  double number = 0;
  std::vector<Term> children;
  std::vector<LoopName> loops;
  std::size_t column = 0;  // of its first character, and behind its last
  std::size_t end = 0;
};

struct DefinedOutput {
  std::string name;
  std::vector<LoopName> loops;
};

struct Definition {
  std::string source;
  std::vector<DefinedOutput> outputs;
  std::vector<Term> values;  // one an output; or one opaque(...) for all
};

// Error with the column and what was expected there.
Definition parseDefinition(std::string_view text);

}  // namespace core
