#include "core/run/supervisor.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <filesystem>
#include <thread>

#include "core/base/error.h"
#include "core/run/child.h"
#include "core/run/where.h"

using namespace core;

// This executable stands in for mpirun as well: it makes ranks that do what $FAKE says.
namespace {

constexpr std::int64_t ranks = 3;

void waitForEver() {
  while (true) ::pause();
}

int rank(const RunFolder& folder, std::int64_t number, const std::string& story) {
  WhereWriter where(folder.where(number));
  std::optional<EventWriter> events;
  if (number == 0) {
    events.emplace(folder.events());
    events->write(StartedEvent{.ranks = ranks, .mesh = "data:3", .firstStep = 1, .steps = 3});
  }
  for (std::int64_t step = 1; step <= 3; ++step) {
    where.at(step, 1);
    if (step == 2 && number == 1 && story == "dies") ::raise(SIGKILL);
    if (step == 2 && number == 0 && story == "rank 0 dies") ::raise(SIGKILL);
    if (step == 2 && number == 2 && story == "gives up") {
      writeRankError(folder, number, "the file data.bin has changed");
      ::_exit(1);
    }
    if (step == 2 && story != "done" && story != "stops" && story != "ends early") waitForEver();
    if (step == 2 && story == "ends early") break;
    while (step == 2 && story == "stops" && !std::filesystem::exists(folder.stop())) ::usleep(1000);
    if (events) events->write(StepEvent{.step = step, .loss = 1.0 / static_cast<double>(step), .seconds = 0.001});
    if (step == 2 && story == "stops") break;
  }
  where.finished();
  return 0;
}

int fakeMpirun(int argc, char** argv) {
  const std::string story = ::getenv("FAKE");
  if (story == "no start") return 213;
  const RunFolder folder{argv[argc - 1]};
  for (std::int64_t number = 0; number < ranks; ++number)
    if (::fork() == 0) ::_exit(rank(folder, number, story));
  if (story == "launcher dies") {
    ::usleep(300'000);
    ::raise(SIGKILL);
  }
  // A launcher that notices nothing: whoever supervises it must.
  int worst = 0, status = 0;
  while (::wait(&status) > 0) {
    if (WIFEXITED(status)) worst = std::max(worst, WEXITSTATUS(status));
    if (worst != 0) {
      ::signal(SIGTERM, SIG_IGN);
      ::kill(0, SIGTERM);
      return worst;
    }
  }
  return worst;
}

Program program() {
  Program program;
  program.mesh = Mesh::of("data:3");
  program.instructions = {{.name = "first"}, {.name = "second"}};
  return program;
}

struct Ended {
  FinishedEvent event;
  RunInfo info;
  std::vector<Event> events;
  double seconds = 0;
  std::string path;
};

Ended superviseStory(const QTemporaryDir& folder, const char* story) {
  ::setenv("FAKE", story, 1);
  Plan plan{.name = "p", .graph = std::make_shared<const Graph>(), .variants = {{.name = "A", .mesh = Mesh::of("data:3")}}};
  const RunFolder run = layDownRun(folder.filePath("run").toStdString(), plan, 0, program(), {.steps = 3});
  QElapsedTimer timer;
  timer.start();
  const std::string self = std::filesystem::read_symlink("/proc/self/exe");
  Ended ended;
  ended.event = supervise(run, program(), {.ranks = ranks, .rankProgram = self, .mpirun = self}, {});
  ended.seconds = static_cast<double>(timer.elapsed()) / 1000;
  ended.info = readRunInfo(run);
  ended.events = EventReader(run.events()).poll();
  ended.path = run.path;
  return ended;
}

bool anyRankLeft(const std::string& path) {
  for (std::int64_t number = 0; number < ranks; ++number)
    if (const auto where = readWhere(RunFolder{path}.where(number)); where && isRankAlive(static_cast<pid_t>(where->pid), path)) return true;
  return false;
}

}  // namespace

class SupervisorTest : public QObject {
  Q_OBJECT
 private slots:
  void saysThatARunIsDone() {
    QTemporaryDir folder;
    const Ended ended = superviseStory(folder, "done");
    QVERIFY2(ended.event.state == RunState::done, ended.event.message.c_str());
    QCOMPARE(*ended.event.step, 3);
    QVERIFY(ended.info.state == RunState::done);
    QCOMPARE(ended.events.size(), 5u);
    QVERIFY(std::get<FinishedEvent>(ended.events.back()) == ended.event);
  }

  void saysWhereARankWasThatDied_data() {
    QTest::addColumn<QString>("story");
    QTest::addColumn<int>("rank");
    QTest::newRow("one in the middle") << "dies" << 1;
    QTest::newRow("rank 0") << "rank 0 dies" << 0;
    QTest::newRow("one that says why") << "gives up" << 2;
  }
  void saysWhereARankWasThatDied() {
    QFETCH(QString, story);
    QFETCH(int, rank);
    QTemporaryDir folder;
    const Ended ended = superviseStory(folder, story.toLatin1());
    QVERIFY(ended.event.state == RunState::failed);
    QVERIFY2(ended.event.rank.has_value(), ended.event.message.c_str());
    QCOMPARE(*ended.event.rank, rank);
    QCOMPARE(*ended.event.step, 2);
    QCOMPARE(ended.event.instruction, "second");
    if (story == "gives up") QCOMPARE(ended.event.message, "the file data.bin has changed");
    QVERIFY2(ended.seconds < 10, std::to_string(ended.seconds).c_str());
    QVERIFY(!anyRankLeft(ended.path));
    QVERIFY(std::get<FinishedEvent>(ended.events.back()) == ended.event);
    QVERIFY(ended.info.state == RunState::failed);
  }

  void endsRanksWhoseLauncherDied() {
    QTemporaryDir folder;
    const Ended ended = superviseStory(folder, "launcher dies");
    QVERIFY(ended.event.state == RunState::failed);
    QVERIFY2(ended.event.message.find("signal 9") != std::string::npos, ended.event.message.c_str());
    QVERIFY(ended.seconds < 10);
    QVERIFY(!anyRankLeft(ended.path));
  }

  void saysThatARunWasStopped() {
    QTemporaryDir folder;
    // The signal that a terminal's Ctrl-C sends: once, the run stops after its step.
    std::thread([] {
      ::usleep(500'000);
      ::kill(::getpid(), SIGINT);
    }).detach();
    const Ended ended = superviseStory(folder, "stops");
    QVERIFY2(ended.event.state == RunState::stopped, ended.event.message.c_str());
    QCOMPARE(*ended.event.step, 2);
  }

  void doesNotCallAnEarlyEndDone() {
    QTemporaryDir folder;
    const Ended ended = superviseStory(folder, "ends early");
    QVERIFY(ended.event.state == RunState::failed);
    QVERIFY2(ended.event.message.find("after step 1 of 3") != std::string::npos, ended.event.message.c_str());
  }

  void saysWhyNothingStarted() {
    QTemporaryDir folder;
    const Ended ended = superviseStory(folder, "no start");
    QVERIFY(ended.event.state == RunState::failed);
    QVERIFY2(ended.event.message.find("exit code 213") != std::string::npos, ended.event.message.c_str());
  }

  void refusesTooManyRanksAndAMissingLauncher() {
    Program large = program();
    large.mesh = Mesh::of("data:64");
    try {
      prepareLaunch(large, {}, {});
      QFAIL("64 ranks were taken");
    } catch (const Error& error) {
      QVERIFY2(error.text().find("64 devices") != std::string::npos && error.text().find("--max-ranks") != std::string::npos, error.text().c_str());
    }
    try {
      findOnPath("mpirun-that-is-not-there", "install OpenMPI");
      QFAIL("a missing program was found");
    } catch (const Error& error) {
      QVERIFY2(error.text().find("install OpenMPI") != std::string::npos, error.text().c_str());
    }
  }

  void launchesWithWhatOpenMpiNeeds() {
    const Launch launch = localLaunch({.ranks = 4, .threads = 2, .rankProgram = "/bin/rank", .runFolder = "/runs/1", .mpirun = "/usr/bin/mpirun"});
    const std::vector<std::string> expected = {"/usr/bin/mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-x", "OMP_NUM_THREADS", "-n", "4", "/bin/rank", "--run", "/runs/1"};
    QVERIFY(launch.argv == expected);
    QVERIFY((std::find(launch.environment.begin(), launch.environment.end(), std::pair<std::string, std::string>{"OMP_NUM_THREADS", "2"}) != launch.environment.end()));
  }
};

int main(int argc, char** argv) {
  if (argc > 1 && std::string(argv[1]) == "--allow-run-as-root") return fakeMpirun(argc, argv);
  QCoreApplication application(argc, argv);
  SupervisorTest test;
  return QTest::qExec(&test, argc, argv);
}
#include "supervisor_test.moc"
