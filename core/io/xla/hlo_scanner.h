#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace core::xla {

// Reads HLO text piece by piece. Blanks, line ends and /* comments */ between pieces mean nothing.
class Scanner {
 public:
  Scanner(std::string_view text, std::string path) : text_(text), path_(std::move(path)) {}

  bool atEnd();
  char peek();                             // 0 at the end
  char here() const { return at_ < text_.size() ? text_[at_] : 0; }  // blanks, too
  bool take(std::string_view symbol);      // if it stands here
  void need(std::string_view symbol);      // Error where it does not
  std::string word();                      // letters, digits and _ - . of a name without its %; Error where there is none
  std::int64_t integer();                  // Error
  bool tooLarge();                         // a whole number of more than 63 bits stands here
  double real();                           // nan and inf, and hexadecimal bits, too; Error
  std::vector<std::int64_t> list();        // {0, 1}
  std::string quoted();                    // "a \"text\"", without quotes and backslashes
  std::string_view balanced();             // up to the next ',' or closing bracket that was not opened here, as it stands
  std::string_view line();                 // the rest of the line
  std::int64_t lineNumber() const { return line_; }
  std::string_view text() const { return text_; }  // all of it

  std::size_t position() const { return at_; }
  std::string place() const;  // "model.hlo.txt:12:7"
  [[noreturn]] void fail(const std::string& what, const std::string& right = {}) const;

 private:
  void skip();
  void advance(std::size_t count);

  std::string_view text_;
  std::string path_;
  std::size_t at_ = 0;
  std::size_t lineStart_ = 0;
  std::int64_t line_ = 1;
};

}  // namespace core::xla
