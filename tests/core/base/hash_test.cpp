#include "core/base/hash.h"

#include <QtTest>

using namespace core;

class HashTest : public QObject {
  Q_OBJECT
 private slots:
  void isXxh3();
  void combiningMindsTheOrder();
  void chunksAreSixteenMebibytesAndTheRest();
};

// Written to files, so the values may never change (from the reference implementation's `xxh3sum`).
void HashTest::isXxh3() {
  QCOMPARE(hashText(""), std::uint64_t{0x2d06800538d394c2});
  QCOMPARE(hashText("a"), std::uint64_t{0xe6c632b61e964e1f});
  QCOMPARE(hashText("abc"), std::uint64_t{0x78af5f94892f3950});
}

void HashTest::combiningMindsTheOrder() {
  QVERIFY(hashCombine(1, 2) != hashCombine(2, 1));
  QCOMPARE(hashCombine(1, 2), hashCombine(1, 2));
}

void HashTest::chunksAreSixteenMebibytesAndTheRest() {
  std::vector<std::byte> bytes(static_cast<std::size_t>(hashChunkBytes) + 3, std::byte{7});
  const std::vector<std::uint64_t> hashes = hashChunks(bytes);
  QCOMPARE(hashes.size(), std::size_t{2});
  QCOMPARE(hashes[1], hashBytes(std::span(bytes).last(3)));
  bytes.back() = std::byte{8};
  QCOMPARE(hashChunks(bytes)[0], hashes[0]);
  QVERIFY(hashChunks(bytes)[1] != hashes[1]);
  QVERIFY(hashChunks({}).empty());
}

QTEST_GUILESS_MAIN(HashTest)
#include "hash_test.moc"
