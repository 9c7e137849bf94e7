#include "core/base/text.h"

#include <QtTest>

using namespace core;

class TextTest : public QObject {
  Q_OBJECT
 private slots:
  void splits();
  void joins();
  void matchesGlobs();
  void findsTheNearestName();
  void parsesWholeNumbers();
};

void TextTest::splits() {
  QVERIFY((split("a;b;;c", ';') == std::vector<std::string_view>{"a", "b", "", "c"}));
  QVERIFY((split("", ';') == std::vector<std::string_view>{""}));
  QVERIFY((words(" data:4,  model:2 ", ", ") == std::vector<std::string_view>{"data:4", "model:2"}));
  QVERIFY(words("  ").empty());
  QCOMPARE(std::string(trim("  a b\n")), "a b");
}

void TextTest::joins() {
  const std::vector<std::string> parts{"a", "b", "c"};
  QCOMPARE(join(parts, ", "), "a, b, c");
  QCOMPARE(join({}, ", "), "");
}

void TextTest::matchesGlobs() {
  QVERIFY(globMatch("h.*.weight", "h.0.attn.weight"));
  QVERIFY(!globMatch("h.*.weight", "h.0.attn.bias"));
  QVERIFY(globMatch("*", ""));
  QVERIFY(globMatch("a?c*", "abc"));
  QVERIFY(!globMatch("a?c", "ac"));
  QVERIFY(globMatch("*a*b*", "xxaxxbxx"));
  QVERIFY(!globMatch("", "a"));
  QVERIFY(globMatch("grad/*", "grad/h.0.w"));
  QVERIFY(isGlob("h.*"));
  QVERIFY(!isGlob("h.0"));
}

void TextTest::findsTheNearestName() {
  const std::vector<std::string> names{"batch", "heads", "d_model"};
  QCOMPARE(nearestName("bacth", names).value(), "batch");
  QCOMPARE(nearestName("Heads", names).value(), "heads");
  QVERIFY(!nearestName("vocabulary", names));
  QCOMPARE(didYouMean("dmodel", names), "did you mean \"d_model\"?");
  QCOMPARE(didYouMean("zzzzzz", names), "one of batch, heads, d_model");
}

void TextTest::parsesWholeNumbers() {
  QCOMPARE(parseInteger("-12").value(), std::int64_t{-12});
  QVERIFY(!parseInteger("12a"));
  QVERIFY(!parseInteger(""));
  QVERIFY(!parseInteger("9223372036854775808"));
}

QTEST_GUILESS_MAIN(TextTest)
#include "text_test.moc"
