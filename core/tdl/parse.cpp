#include "core/tdl/parse.h"

#include <cmath>
#include <limits>
#include <utility>

#include "core/base/error.h"
#include "core/tdl/function.h"
#include "core/tdl/lex.h"
#include "core/tdl/reduction.h"

namespace core {
namespace {

int precedenceOf(std::string_view sign) {
  if (sign == "%") return precedence::product;
  for (const FunctionRow& row : allFunctions())
    if (row.arity == 2 && row.sign == sign) return row.precedence;
  return 0;
}

class Parser {
 public:
  explicit Parser(std::string_view source) : source_(source), tokens_(lex(source)) {
    constexpr std::size_t longest = 4096;  // a tree is as deep as its sums are long
    if (tokens_.size() > longest)
      throw Error{.what = "the expression is too long",
                  .where = placeIn(source, tokens_[longest].column),
                  .right = "at most 4096 words and signs"};
  }

  Definition definition() {
    Definition found{.source = std::string(source_)};
    do found.outputs.push_back(output());
    while (take(","));
    expect("=", "'=' and a value");
    do found.values.push_back(value(0));
    while (take(","));
    if (next().kind != Token::Kind::end) fail("an operator or the end");
    const bool opaque =
        found.values.size() == 1 && found.values[0].kind == Term::Kind::call && found.values[0].name == "opaque";
    if (found.values.size() != found.outputs.size() && !opaque)
      throw Error{.what = std::to_string(found.outputs.size()) + " outputs but " + std::to_string(found.values.size()) +
                          " values",
                  .where = placeIn(source_, found.values.back().column),
                  .right = "one value for each output, or one opaque(...)"};
    return found;
  }

 private:
  const Token& next() const { return tokens_[at_]; }
  bool nextIs(std::string_view sign) const { return next().kind == Token::Kind::sign && next().text == sign; }

  bool take(std::string_view sign) {
    if (!nextIs(sign)) return false;
    ++at_;
    return true;
  }

  void expect(std::string_view sign, const std::string& expected) {
    if (!take(sign)) fail(expected);
  }

  [[noreturn]] void fail(const std::string& expected) const {
    const std::string found = next().kind == Token::Kind::end ? "the end" : "'" + next().text + "'";
    throw Error{
        .what = "unexpected " + found, .where = placeIn(source_, next().column), .right = "expected " + expected};
  }

  std::string name(const std::string& expected) {
    if (next().kind != Token::Kind::name) fail(expected);
    return tokens_[at_++].text;
  }

  DefinedOutput output() {
    DefinedOutput found{.name = name("the name of an output")};
    if (take("[")) found.loops = loopNames("]");
    return found;
  }

  // Up to the closing sign, which it takes.
  std::vector<LoopName> loopNames(std::string_view close) {
    std::vector<LoopName> loops;
    if (take(close)) return loops;
    do {
      LoopName loop{.column = next().column};
      loop.star = take("*");
      loop.name = name("the name of a loop");
      if (!loop.star && take(":")) loop.extent = extent();
      loops.push_back(std::move(loop));
    } while (take(","));
    expect(close, "',' or '" + std::string(close) + "'");
    return loops;
  }

  std::int64_t extent() {
    const double number = next().number;
    if (next().kind != Token::Kind::number || number < 1 || number > 0x1p53 || number != std::floor(number))
      fail("a whole number, 1 or more");
    ++at_;
    return static_cast<std::int64_t>(number);
  }

  // Signs that bind at least as close as `level`, to the left.
  Term value(int level) {
    Term left = prefixed();
    while (next().kind == Token::Kind::sign) {
      const int own = precedenceOf(next().text);
      if (own == 0 || own < level) break;
      const std::string sign = tokens_[at_++].text;
      Term right = value(own + 1);
      left = {.kind = Term::Kind::infix, .name = sign, .children = {std::move(left), std::move(right)}};
      left.column = left.children[0].column;
      left.end = left.children[1].end;
    }
    return left;
  }

  Term prefixed() {
    constexpr int deepest = 256;
    if (++depth_ > deepest)
      throw Error{.what = "the expression is nested too deep",
                  .where = placeIn(source_, next().column),
                  .right = "at most 256 levels"};
    const std::size_t column = next().column;
    Term term;
    if (take("-")) {
      const bool literal = isNumber();
      term = {.kind = Term::Kind::prefix, .name = "-", .children = {prefixed()}};
      if (literal)
        term = {.kind = Term::Kind::number, .number = -term.children[0].number};  // -2, but not -(2), is a number
    } else {
      term = primary();
    }
    term.column = column;
    term.end = tokens_[at_ - 1].end;
    --depth_;
    return term;
  }

  bool isNumber() const {
    return next().kind == Token::Kind::number ||
           (next().kind == Token::Kind::name && (next().text == "inf" || next().text == "nan"));
  }

  double numberOf(const Token& token) const {
    if (token.kind == Token::Kind::number) return token.number;
    return token.text == "inf" ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  }

  Term primary() {
    if (isNumber()) return {.kind = Term::Kind::number, .number = numberOf(tokens_[at_++])};
    if (next().kind == Token::Kind::text) return {.kind = Term::Kind::text, .name = tokens_[at_++].text};
    if (take("(")) return parenthesis();
    const std::string word = name("a value");
    if (take("[")) return {.kind = Term::Kind::read, .name = word, .children = indices()};
    if (!take("(")) return {.kind = Term::Kind::name, .name = word};
    if (findReduction(word)) return reduction(word);
    Term call{.kind = Term::Kind::call, .name = word};
    if (take(")")) return call;
    do call.children.push_back(value(0));
    while (take(","));
    expect(")", "',' or ')'");
    return call;
  }

  Term parenthesis() {
    Term inner = value(0);
    if (next().kind == Token::Kind::name && next().text == "else") {
      if (inner.kind != Term::Kind::read) fail("')'; 'else' stands behind a read");
      ++at_;
      Term other = value(0);
      inner = {.kind = Term::Kind::otherwise, .children = {std::move(inner), std::move(other)}};
    }
    expect(")", "')'");
    return inner;
  }

  Term reduction(const std::string& word) {
    Term term{.kind = Term::Kind::reduce, .name = word, .loops = loopNames(")")};
    term.children.push_back(value(precedence::product));
    return term;
  }

  std::vector<Term> indices() {
    std::vector<Term> found;
    if (take("]")) return found;
    do found.push_back(index());
    while (take(","));
    expect("]", "an operator, ',' or ']'");
    return found;
  }

  Term index() {
    const std::size_t column = next().column;
    if (take(":")) return {.kind = Term::Kind::whole, .column = column, .end = column + 1};
    if (!take("*")) return value(0);
    return {.kind = Term::Kind::star, .name = name("a name behind '*'"), .column = column, .end = tokens_[at_ - 1].end};
  }

  std::string_view source_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

Definition parseDefinition(std::string_view text) {
  return Parser(text).definition();
}

}  // namespace core
