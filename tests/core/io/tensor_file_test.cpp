#include "core/io/tensor_file.h"

#include <QtTest>
#include <cstring>

#include "core/base/error.h"
#include "tests/support/onnx_bytes.h"

using namespace core;

namespace {

std::string npy(const std::string& descr, const std::string& fortran, const std::string& shape, const std::string& data) {
  std::string header = "{'descr': '" + descr + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }\n";
  std::string out("\x93NUMPY\x01\x00", 8);
  out.push_back(static_cast<char>(header.size()));
  out.push_back(static_cast<char>(header.size() >> 8));
  return out + header + data;
}

TensorFile read(const std::string& text) { return readTensorBytes(std::as_bytes(std::span(text.data(), text.size())), "x.npy"); }

std::vector<float> floatsOf(const TensorFile& tensor) {
  std::vector<float> out(tensor.bytes.size() / sizeof(float));
  std::memcpy(out.data(), tensor.bytes.data(), tensor.bytes.size());
  return out;
}

const std::string six = tests::onnx::floats({0, 1, 2, 3, 4, 5});

}  // namespace

class TensorFileTest : public QObject {
  Q_OBJECT
 private slots:
  void readsArrays();
  void readsTensors();
  void turnsColumnsIntoRows();
  void widensSmallIntegers();
  void refusesWhatIsCutOrUnknown();
};

void TensorFileTest::readsArrays() {
  TensorFile array = read(npy("<f4", "False", "(2, 3)", six));
  QVERIFY(array.dtype == DType::f32);
  QCOMPARE(array.sizes, (std::vector<std::int64_t>{2, 3}));
  QCOMPARE(floatsOf(array), (std::vector<float>{0, 1, 2, 3, 4, 5}));
  QVERIFY(read(npy("<f4", "False", "()", six.substr(0, 4))).sizes.empty());
  QVERIFY(read(npy("|b1", "False", "(2,)", std::string("\1\0", 2))).dtype == DType::boolean);
}

void TensorFileTest::readsTensors() {
  TensorFile tensor = read(tests::onnx::tensor("x", {3, 2}, 1, six));
  QCOMPARE(tensor.name, std::string("x"));
  QCOMPARE(tensor.sizes, (std::vector<std::int64_t>{3, 2}));
}

void TensorFileTest::turnsColumnsIntoRows() {
  TensorFile array = read(npy("<f4", "True", "(2, 3)", six));
  QCOMPARE(floatsOf(array), (std::vector<float>{0, 2, 4, 1, 3, 5}));
}

void TensorFileTest::widensSmallIntegers() {
  TensorFile array = read(npy("|i1", "False", "(2,)", std::string("\xff\x05", 2)));
  QVERIFY(array.dtype == DType::i32);
  std::int32_t first = 0;
  std::memcpy(&first, array.bytes.data(), sizeof first);
  QCOMPARE(first, -1);
}

void TensorFileTest::refusesWhatIsCutOrUnknown() {
  std::string whole = npy("<f4", "False", "(2, 3)", six);
  for (std::size_t length = 0; length < whole.size(); ++length) QVERIFY_EXCEPTION_THROWN(read(whole.substr(0, length)), Error);
  QVERIFY_EXCEPTION_THROWN(read(npy(">f4", "False", "(2, 3)", six)), Error);
  QVERIFY_EXCEPTION_THROWN(read(npy("<c8", "False", "(2, 3)", six)), Error);
  QVERIFY_EXCEPTION_THROWN(read(npy("<f4", "False", "(4611686018427387904, 4)", six)), Error);
  QVERIFY_EXCEPTION_THROWN(read(npy("<f4", "False", "(-1,)", six)), Error);
}

QTEST_GUILESS_MAIN(TensorFileTest)
#include "tensor_file_test.moc"
