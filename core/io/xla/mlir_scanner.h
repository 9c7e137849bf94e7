#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace core::xla {

// A number as MLIR writes it: -3, 1.5e+00, or bits, 0x7FC00000.
struct MlirNumber {
  enum class Kind { whole, real, bits };
  Kind kind = Kind::whole;
  bool negative = false;
  std::uint64_t magnitude = 0;  // of whole numbers and bits
  double value = 0;             // of all but bits
};

// Reads MLIR text piece by piece. Blanks, line ends and // comments between pieces mean nothing.
class MlirScanner {
 public:
  MlirScanner(std::string_view text, std::string path);

  bool atEnd();
  char peek();                            // 0 at the end
  char peekBehind(std::size_t count);     // the character `count` behind the next one; 0 at the end
  bool stands(std::string_view symbol);   // next
  bool standsWord(std::string_view word); // next, and no letter behind it
  bool take(std::string_view symbol);     // if it stands here
  bool takeWord(std::string_view word);
  void need(std::string_view symbol);     // Error where it does not
  void needWord(std::string_view word);

  std::string word();               // stablehlo.add; Error where there is none
  std::string name();               // of a value, symbol or alias, behind its sigil: arg0, layer-1.kernel, "any text"
  std::string quoted();             // a text, escapes resolved
  std::string_view quotedAsIs();    // a text whose escapes are left alone, without its quotes
  MlirNumber number();
  bool standsNumber();
  std::int64_t integer();
  std::vector<std::int64_t> list();  // [0, 1]; true is 1

  // What stands up to one of `stops` outside all brackets and texts, or up to a bracket that was not opened here.
  std::string_view until(std::string_view stops);
  // A whole bracket, with what is in it.
  std::string_view bracket();

  std::size_t position() const { return at_; }
  void goTo(std::size_t position) { at_ = position; }
  std::string_view text() const { return text_; }
  std::int64_t lineOf(std::size_t position) const;  // from 1
  std::string place(std::size_t position) const;    // "model.mlir:12:7"
  bool sawSplit() const { return split_; }          // a line "// -----", which begins another file

  [[noreturn]] void fail(const std::string& what, const std::string& right = {});                               // at the next piece
  [[noreturn]] void failMissing(const std::string& what);  // "..." stands where `what` should
  [[noreturn]] void failAt(std::size_t position, const std::string& what, const std::string& right = {}) const;

 private:
  void skip();
  std::string_view next();  // the next piece as an error names it

  std::string_view text_;
  std::string path_;
  std::vector<std::size_t> lines_;  // where each begins
  std::size_t at_ = 0;
  bool split_ = false;
};

}  // namespace core::xla
