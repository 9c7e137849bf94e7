#include "ui/models/fuzzy.h"

#include <QTest>

using ui::fuzzyScore;

class FuzzyTest : public QObject {
  Q_OBJECT

 private slots:
  void lettersStandInOrder() {
    QVERIFY(fuzzyScore("dlp", "Data-parallel") == std::nullopt);
    QVERIFY(fuzzyScore("dpl", "Data-parallel"));
    QVERIFY(fuzzyScore("DATA", "Data-parallel"));
    QVERIFY(fuzzyScore("", "anything"));
  }
  void startsOfWordsCountMore() { QVERIFY(*fuzzyScore("dp", "Data-parallel") > *fuzzyScore("dp", "deepen it")); }
  void neighboursCountMore() { QVERIFY(*fuzzyScore("attn", "h.0/attn/q") > *fuzzyScore("attn", "a tall tin number")); }
  void theShorterOfEqualsIsFirst() { QVERIFY(*fuzzyScore("batch", "batch") > *fuzzyScore("batch", "batch_2")); }
};

QTEST_GUILESS_MAIN(FuzzyTest)
#include "fuzzy_test.moc"
