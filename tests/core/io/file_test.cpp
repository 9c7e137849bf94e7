#include "core/io/file.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "core/base/error.h"

using namespace core;

class FileTest : public QObject {
  Q_OBJECT
 private slots:
  void replacesWholeAndLeavesNothingBeside() {
    QTemporaryDir folder;
    const std::string path = folder.filePath("a.txt").toStdString();
    writeTextAtomically(path, "one");
    writeTextAtomically(path, "two");
    QCOMPARE(readText(path), "two");
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files), QStringList{"a.txt"});
  }

  void keepsTheOldFileWhenTheNewOneCannotBeWritten() {
    QTemporaryDir folder;
    const std::string path = folder.filePath("a.txt").toStdString();
    writeTextAtomically(path, "old");
    QVERIFY(QDir(folder.path()).mkdir("b"));
    QVERIFY_EXCEPTION_THROWN(writeTextAtomically(folder.filePath("b").toStdString(), "new"), Error);
    QVERIFY_EXCEPTION_THROWN(writeTextAtomically(path + "/c", "new"), Error);
    QCOMPARE(readText(path), "old");
  }

  void writesThroughALink() {
    QTemporaryDir folder;
    const QString path = folder.filePath("a.txt"), link = folder.filePath("link.txt");
    writeTextAtomically(path.toStdString(), "old");
    QVERIFY(QFile::link(path, link));
    writeTextAtomically(link.toStdString(), "new");
    QCOMPARE(readText(path.toStdString()), "new");
    QVERIFY(QFileInfo(link).isSymLink());
  }

  void refusesWhatIsNoFileOrTooLarge() {
    QTemporaryDir folder;
    const std::string path = folder.filePath("a.txt").toStdString();
    QVERIFY_EXCEPTION_THROWN(readText(path), Error);
    QVERIFY_EXCEPTION_THROWN(readText(folder.path().toStdString()), Error);
    writeTextAtomically(path, "12345");
    QVERIFY_EXCEPTION_THROWN(readText(path, 4), Error);
    QCOMPARE(readText(path, 5), "12345");
  }
};

QTEST_GUILESS_MAIN(FileTest)
#include "file_test.moc"
