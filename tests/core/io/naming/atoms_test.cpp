#include "core/io/naming/atoms.h"

#include <QtTest>

using namespace core::naming;

class AtomsTest : public QObject {
  Q_OBJECT
 private slots:
  void splitsTheClassNotTheAxis();
  void keepsEnemiesThroughSplits();
  void refinesOnlyWhereCutsAgree();
  void splitsNothingWhenOneSideIsWhole();
  void takesAnOldTwinFirst();
  void namesDerivedSizesOnce();
};

void AtomsTest::splitsTheClassNotTheAxis() {
  Atoms atoms;
  AtomId a = atoms.make(12), b = atoms.make(12);
  QVERIFY(atoms.unite(a, b));
  QVERIFY(atoms.split(a, {3, 4}));
  QCOMPARE(atoms.leaves(Axis{b}), atoms.leaves(Axis{a}));
  QCOMPARE(atoms.leaves(Axis{b}).size(), std::size_t(2));
}

void AtomsTest::keepsEnemiesThroughSplits() {
  Atoms atoms;
  AtomId a = atoms.make(12), b = atoms.make(3);
  atoms.declare({a, b});
  atoms.split(a, {3, 4});
  QVERIFY(!atoms.unite(atoms.leaves(Axis{a})[0], b));  // both stand in one tensor
  AtomId c = atoms.make(3);
  QVERIFY(atoms.unite(c, b));
  QVERIFY(atoms.enemies(c, atoms.leaves(Axis{a})[0]));
}

void AtomsTest::refinesOnlyWhereCutsAgree() {
  Atoms atoms;
  AtomId a = atoms.make(136);
  QVERIFY(atoms.refine({a}, {4, 34}));
  QVERIFY(!atoms.refine({a}, {34, 4}));  // 34 and 4 from the minor end: neither divides the other
  QCOMPARE(atoms.leaves(Axis{a}).size(), std::size_t(2));
  QVERIFY(atoms.refine({a}, {2, 2, 34}));
}

void AtomsTest::splitsNothingWhenOneSideIsWhole() {
  Atoms atoms;
  AtomId a = atoms.make(12), b = atoms.make(12);
  atoms.split(a, {3, 4});
  AtomId c = atoms.make(24), d = atoms.make(2);
  atoms.setWhole(b);
  QVERIFY(!atoms.align({a}, {b}));
  QVERIFY(atoms.align({c}, {d, b}));  // a cut at 12 falls between, not into b
  QCOMPARE(atoms.leaves(Axis{c}).size(), std::size_t(2));
}

void AtomsTest::takesAnOldTwinFirst() {
  Atoms atoms;
  AtomId a = atoms.make(8);
  AtomId first = atoms.twin(a, {a});
  QCOMPARE(atoms.twin(a, {a}), first);
  QVERIFY(atoms.twin(a, {a, first}) != first);
}

void AtomsTest::namesDerivedSizesOnce() {
  Atoms atoms;
  AtomId a = atoms.make(32);
  QCOMPARE(atoms.derived(a, 16), atoms.derived(a, 16));
  QCOMPARE(atoms.family(atoms.derived(a, 16)), atoms.family(a));
  QVERIFY(atoms.derived(a, 8) != atoms.derived(a, 16));
}

QTEST_GUILESS_MAIN(AtomsTest)
#include "atoms_test.moc"
