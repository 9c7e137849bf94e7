#include <QApplication>
#include <QCommandLineParser>
#include <QSettings>
#include <QTextStream>

#include "ui/main_window/file_flow.h"
#include "ui/main_window/main_window.h"
#include "ui/main_window/picture.h"
#include "ui/theme/theme.h"

// meshwright [FILE | RUN FOLDER] [--sample] [--screenshot FILE --size 1280x720 --theme dark ...]

namespace {

void addOptions(QCommandLineParser& parser) {
  parser.setApplicationDescription("Designs how a tensor program is laid out on a mesh of processors.");
  parser.addHelpOption();
  parser.addVersionOption();
  parser.addPositionalArgument("file", "A plan, a model to import, or the folder of a run.", "[file]");
  parser.addOptions(
      {{"sample", "Open the sample."},
       {"theme", "system, light, dark or contrast.", "name"},
       {"screenshot", "Draw the window into a picture and exit.", "file"},
       {"size", "Of the picture.", "WxH", "1280x720"},
       {"workspace", "Of the picture: design, compare or run.", "name", "design"},
       {"select", "In the picture: tensor:NAME, op:NAME, scope:NAME, dimension:NAME or axis:NAME.", "what"},
       {"overlay", "In the picture: none, memory, compute, communication or source.", "name", "none"},
       {"unfold", "In the picture: groups to unfold, by path, or all.", "paths"},
       {"run", "In the picture: the folder of a run beside the plan.", "folder"}});
}

ui::Appearance chosenAppearance(const QString& name) {
  if (name == "light") return ui::Appearance::light;
  if (name == "dark") return ui::Appearance::dark;
  if (name == "contrast") return ui::Appearance::highContrast;
  if (name == "system") return ui::Appearance::followSystem;
  return static_cast<ui::Appearance>(QSettings().value("appearance", 0).toInt());
}

int fail(const QString& message) {
  QTextStream(stderr) << "meshwright: " << message << Qt::endl;
  return 2;
}

// What is on the command line is opened; a run that went on when the window was closed is shown again.
bool openFirst(ui::MainWindow& window, const QCommandLineParser& parser) {
  if (parser.isSet("sample")) return window.files().openSample();
  if (!parser.positionalArguments().isEmpty()) return window.files().openPath(parser.positionalArguments().first());
  return true;
}

// Help and pictures need no display; a window does, and Qt would only abort. False where there is nothing to show one on.
bool hasDisplay(int argc, char** argv) {
  if (qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY") || qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) return true;
  for (int i = 1; i < argc; ++i) {
    const QLatin1String argument(argv[i]);
    const bool drawsNothing = argument == QLatin1String("-h") || argument == QLatin1String("-v") || argument == QLatin1String("--version") ||
                              argument.startsWith(QLatin1String("--help")) || argument.startsWith(QLatin1String("--screenshot"));
    if (drawsNothing) return qputenv("QT_QPA_PLATFORM", "offscreen");
  }
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  if (!hasDisplay(argc, argv)) return fail("there is no display (DISPLAY is not set); meshwright-cli does the same work in a terminal, and xvfb-run gives a display");
  QApplication application(argc, argv);
  QApplication::setApplicationName("Meshwright");
  QApplication::setOrganizationName("Meshwright");
  QApplication::setApplicationVersion(MESHWRIGHT_VERSION);
  QCommandLineParser parser;
  addOptions(parser);
  parser.process(application);
  ui::applyAppearance(application, chosenAppearance(parser.value("theme")));

  bool picture = parser.isSet("screenshot");
  ui::MainWindow window({.keepArrangement = !picture});
  QString problem;
  QObject::connect(&window.session(), &ui::Session::failed, &window,
                   [&problem](const QString& text) { problem = text; });
  if (!openFirst(window, parser) && picture) return fail(problem);
  if (picture) {
    ui::PictureOptions options{parser.value("screenshot"), parser.value("size"),    parser.value("workspace"),
                               parser.value("select"),     parser.value("overlay"), parser.value("unfold"),
                               parser.value("run")};
    QString wrong = ui::takePicture(window, options);
    return wrong.isEmpty() ? 0 : fail(wrong);
  }
  window.show();
  window.files().offerRecovery();
  QString lastRun = QSettings().value("run/last").toString();
  if (!lastRun.isEmpty() && !window.session().run().isOpen()) window.session().openRun(lastRun);
  return QApplication::exec();
}
