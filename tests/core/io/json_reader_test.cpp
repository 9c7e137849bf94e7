#include "core/io/json_reader.h"

#include <QTest>

#include "core/io/json_print.h"

using namespace core;

namespace {

constexpr std::pair<std::string_view, int> colours[] = {{"red", 1}, {"blue", 2}};

// What reading `text` with `read` complains of; empty when it does not.
template <class F>
std::string complaint(std::string_view text, F&& read) {
  const std::string file = "a.json";
  try {
    const Json json = parseJson(text, file);
    read(JsonReader(json, file));
  } catch (const Error& error) {
    return error.text();
  }
  return {};
}

}  // namespace

class JsonReaderTest : public QObject {
  Q_OBJECT
 private slots:
  void refusesWhatItWouldNotHaveWritten_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("words");
    QTest::newRow("cut") << R"({"a": [1, 2)" << "a.json: not JSON at line 1, column 11";
    QTest::newRow("cut on line 2") << "{\"a\":\n 1,," << "line 2, column 4";
    QTest::newRow("empty") << "" << "not JSON at line 1, column 1";
    QTest::newRow("twice") << R"({"a": 1, "a": 2})" << "\"a\" stands twice";
    QTest::newRow("unknown key") << R"({"a": 1, "axis": 2})" << "a.json: unknown key \"axis\" (known are \"a\", \"list\", \"colour\", \"inner\")";
    QTest::newRow("missing") << R"({})" << "a.json: \"a\" is missing";
    QTest::newRow("a text") << R"({"a": "1"})" << "a.json: /a: string instead of a whole number";
    QTest::newRow("a fraction") << R"({"a": 1.5})" << "/a: 1.5 instead of a whole number";
    QTest::newRow("zero") << R"({"a": 0})" << "/a: 0 is out of range (at least 1)";
    QTest::newRow("beyond 63 bits") << R"({"a": 9223372036854775808})" << "/a: 9223372036854775808 is out of range";
    QTest::newRow("beyond 64 bits") << R"({"a": 99999999999999999999999})" << "e+22 instead of a whole number";
    QTest::newRow("beyond a double") << R"({"a": 1e999})" << "number overflow";
    QTest::newRow("no list") << R"({"a": 1, "list": {}})" << "/list: not a list";
    QTest::newRow("in a list") << R"({"a": 1, "list": [1, 2, true]})" << "a.json: /list/2: boolean instead of a number";
    QTest::newRow("no name") << R"({"a": 1, "colour": "green"})" << "/colour: unknown \"green\" (one of \"red\", \"blue\")";
    QTest::newRow("deep inside") << R"({"a": 1, "inner": {"b": {"c": 1, "d": 2}}})" << "a.json: /inner/b: unknown key \"d\"";
    QTest::newRow("deeply nested") << QString(200, '[') + QString(200, ']') << "nested deeper than 100";
    QTest::newRow("not an object") << "[1]" << "a.json: array instead of an object";
  }
  void refusesWhatItWouldNotHaveWritten() {
    QFETCH(QString, text);
    QFETCH(QString, words);
    const std::string said = complaint(text.toStdString(), [](const JsonReader& reader) {
      const JsonObject object(reader, {"a", "list", "colour", "inner"});
      object.at("a").size();
      if (auto list = object.find("list")) list->list([](const JsonReader& item) { return item.number(); });
      if (auto colour = object.find("colour")) colour->oneOf<int>(colours);
      if (auto inner = object.find("inner")) {
        const JsonObject outer(*inner, {"b"});
        const JsonReader b = outer.at("b");
        JsonObject(b, {"c"}).at("c").integer();
      }
    });
    QVERIFY2(QString::fromStdString(said).contains(words), said.c_str());
  }

  void refusesAnObjectOfVeryManyKeys() {
    std::string text = "{";
    for (int i = 0; i < 20000; ++i) text += (i ? ",\"" : "\"") + std::to_string(i) + "\":0";
    QVERIFY(complaint(text + "}", [](const JsonReader&) {}).find("more than 10000 keys") != std::string::npos);
  }

  void readsNumbersThatAreNotFinite() {
    const std::string file = "a.json";
    for (double value : {1.0 / 3, -0.0, 1e300, 5e-324, std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()}) {
      const Json json = parseJson(printJsonLine(numberJson(value)), file);
      QCOMPARE(JsonReader(json, file).number(), value);
    }
    const Json json = parseJson(printJsonLine(numberJson(std::numeric_limits<double>::quiet_NaN())), file);
    QVERIFY(std::isnan(JsonReader(json, file).number()));
  }

  void refusesAnotherVersion() {
    const auto read = [](const JsonReader& reader) { expectFormat(reader, "meshwright.plan", 1); };
    QCOMPARE(complaint(R"({"format": "meshwright.plan/1"})", read), "");
    QVERIFY(complaint(R"({"format": "meshwright.plan/2"})", read).find("meshwright.plan/2") != std::string::npos);
    QVERIFY(complaint(R"({"format": 1})", read).find("this version reads") != std::string::npos);
    QVERIFY(complaint(R"({})", read).find("\"format\" is missing") != std::string::npos);
  }

  void printsSoThatAChangeIsALine() {
    const Json json = {{"name", "x"}, {"rules", {{{"dimension", "batch"}, {"axes", {"data"}}}, {{"dimension", std::string(60, 'h')}, {"axes", {"model"}}}}}, {"none", Json::array()}};
    QCOMPARE(printJson(json), "{\n  \"name\": \"x\",\n  \"rules\": [\n    {\"dimension\": \"batch\", \"axes\": [\"data\"]},\n    {\"dimension\": \"" + std::string(60, 'h') +
                                  "\", \"axes\": [\"model\"]}\n  ],\n  \"none\": []\n}\n");
  }

  void writesTextThatIsNoUtf8SoThatItCanBeRead() {
    const Json json = {{"name", "\xff\xfe"}};
    QVERIFY(complaint(printJson(json), [](const JsonReader& reader) { JsonObject(reader, {"name"}).at("name").name(); }).empty());
  }
};

QTEST_GUILESS_MAIN(JsonReaderTest)
#include "json_reader_test.moc"
