#include "ui/models/fuzzy.h"

namespace ui {
namespace {

bool startsWord(const QString& text, qsizetype i) {
  if (i == 0) return true;
  QChar before = text[i - 1];
  return !before.isLetterOrNumber() || (before.isLower() && text[i].isUpper());
}

}  // namespace

std::optional<int> fuzzyScore(const QString& wanted, const QString& text) {
  int score = 0;
  qsizetype from = 0, last = -2;
  for (QChar letter : wanted) {
    if (letter.isSpace()) continue;
    qsizetype found = -1, inWord = -1;
    for (qsizetype i = from; i < text.size(); ++i) {
      if (text[i].toLower() != letter.toLower()) continue;
      if (found < 0) found = i;
      if (i == last + 1 || startsWord(text, i)) {
        inWord = i;
        break;
      }
    }
    qsizetype at = inWord >= 0 ? inWord : found;
    if (at < 0) return {};
    score += at == last + 1 ? 8 : startsWord(text, at) ? 6 : 1;
    last = at;
    from = at + 1;
  }
  return score * 100 - static_cast<int>(qMin<qsizetype>(text.size(), 99));
}

}  // namespace ui
