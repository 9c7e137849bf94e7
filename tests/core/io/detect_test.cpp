#include "core/io/detect.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QtTest>
#include <fstream>

#include "core/base/error.h"
#include "core/io/import.h"
#include "core/io/tensor_file.h"

using namespace core;

namespace {

std::string contents(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

const std::string data = MESHWRIGHT_SOURCE "/tests/data/onnx/";

}  // namespace

class DetectTest : public QObject {
  Q_OBJECT
 private slots:
  void namesWhatIsNoModel_data();
  void namesWhatIsNoModel();
  void namesAFolderAndAMissingFile();
  void survivesCuts_data();
  void survivesCuts();
  void survivesChangedBytes();
  void refusesCutTensors();

 private:
  QTemporaryDir folder_;
  std::string write(const std::string& name, const std::string& text) {
    std::string path = folder_.filePath(QString::fromStdString(name)).toStdString();
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
};

void DetectTest::namesWhatIsNoModel_data() {
  QTest::addColumn<QByteArray>("text");
  QTest::addColumn<QString>("named");
  QTest::newRow("empty") << QByteArray() << "empty";
  QTest::newRow("lfs") << QByteArray("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n") << "Git LFS pointer";
  QTest::newRow("text proto") << QByteArray("ir_version: 7\ngraph {\n}\n") << "protobuf text";
  QTest::newRow("json") << QByteArray("{\"format\": 1}") << "JSON";
  QTest::newRow("zip") << QByteArray("PK\x03\x04\x00\x00rest", 10) << "ZIP";
  QTest::newRow("prose") << QByteArray("hello, world\n") << "text file";
  QTest::newRow("tensor") << QByteArray::fromStdString(contents(data + "mlp_loss/test_data_set_0/input_0.pb")) << "tensor";
  QTest::newRow("noise") << QByteArray("\xff\xfe\xfd\x00\x01\x02\x03\x04\xff\xff\xff\xff", 12) << "not a model";
}

void DetectTest::namesWhatIsNoModel() {
  QFETCH(QByteArray, text);
  QFETCH(QString, named);
  std::string path = write("model.onnx", text.toStdString());
  try {
    importModel(path, {});
    QFAIL("it was imported");
  } catch (const Error& error) {
    QVERIFY2(QString::fromStdString(error.what).contains(named), error.text().c_str());
    QCOMPARE(error.where, path);
    QVERIFY(!error.right.empty());
  }
}

void DetectTest::namesAFolderAndAMissingFile() {
  QVERIFY_EXCEPTION_THROWN(importModel(folder_.path().toStdString(), {}), Error);
  QVERIFY_EXCEPTION_THROWN(importModel(folder_.filePath("none.onnx").toStdString(), {}), Error);
}

void DetectTest::survivesCuts_data() {
  QTest::addColumn<QString>("model");
  QTest::newRow("mlp_loss") << "mlp_loss";
  QTest::newRow("transformer_encoder") << "transformer_encoder";
}

// A file that ends anywhere is refused with its place; at a boundary between fields it may still be a smaller model.
void DetectTest::survivesCuts() {
  QFETCH(QString, model);
  std::string whole = contents(data + model.toStdString() + "/model.onnx");
  QElapsedTimer timer;
  timer.start();
  int refused = 0, tried = 0;
  for (std::size_t length = 0; length < whole.size(); length += 64, ++tried) {
    std::string path = write("cut.onnx", whole.substr(0, length));
    try {
      importModel(path, {});
    } catch (const Error& error) {
      ++refused;
      QVERIFY2(!error.what.empty() && !error.where.empty() && !error.right.empty(), error.text().c_str());
    }
  }
  QVERIFY2(refused >= tried - 2, qPrintable(QString("%1 of %2 cuts were refused").arg(refused).arg(tried)));
  QVERIFY2(timer.elapsed() < 120'000, "cuts take too long");
}

void DetectTest::survivesChangedBytes() {
  std::string whole = contents(data + "mlp_loss/model.onnx");
  std::uint32_t state = 1;
  for (int i = 0; i < 3000; ++i) {
    std::string changed = whole;
    for (int k = 0; k < 3; ++k) {
      state = state * 1664525u + 1013904223u;
      std::size_t at = (state >> 8) % (k == 0 ? changed.size() : std::min<std::size_t>(changed.size(), 600));
      changed[at] = static_cast<char>(state >> 24);
    }
    try {
      importModel(write("changed.onnx", changed), {});
    } catch (const Error& error) {
      QVERIFY2(!error.what.empty(), "an error that says nothing");
    }
  }
}

void DetectTest::refusesCutTensors() {
  std::string whole = contents(data + "mlp_loss/test_data_set_0/input_0.pb");
  TensorFile tensor = readTensorFile(write("whole.pb", whole));
  QCOMPARE(tensor.sizes, (std::vector<std::int64_t>{16, 12}));
  QCOMPARE(tensor.bytes.size(), std::size_t(16 * 12 * 4));
  for (std::size_t length = 0; length < whole.size(); length += 7) QVERIFY_EXCEPTION_THROWN(readTensorFile(write("cut.pb", whole.substr(0, length))), Error);
}

QTEST_GUILESS_MAIN(DetectTest)
#include "detect_test.moc"
