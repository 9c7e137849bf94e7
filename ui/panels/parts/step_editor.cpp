#include "ui/panels/parts/step_editor.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QSpinBox>

#include "core/plan/edit/variants.h"
#include "ui/models/estimate_rows.h"
#include "ui/session/session.h"

namespace ui {
namespace {

QComboBox* combo(const QString& objectName, const QString& name, const QStringList& items) {
  auto* box = new QComboBox;
  box->setObjectName(objectName);
  box->setAccessibleName(name);
  box->addItems(items);
  box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);  // a narrow dock keeps all of the form
  box->setMinimumContentsLength(8);
  return box;
}

QSpinBox* spin(const QString& objectName, const QString& name, int low, int high) {
  auto* box = new QSpinBox;
  box->setObjectName(objectName);
  box->setAccessibleName(name);
  box->setRange(low, high);
  box->setKeyboardTracking(false);
  return box;
}

}  // namespace

StepEditor::StepEditor(Session& session, QWidget* parent)
    : QWidget(parent),
      session_(session),
      mode_(combo("stepMode", tr("What a step does"), {tr("Training"), tr("Inference")})),
      loss_(combo("stepLoss", tr("Loss"),
                  {tr("Automatic"), tr("A scalar output"), tr("Cross-entropy"), tr("Mean square")})),
      optimizer_(combo("stepOptimizer", tr("Optimizer"), {tr("SGD"), tr("Momentum"), tr("Adam")})),
      rate_(new QDoubleSpinBox),
      precision_(combo("stepPrecision", tr("Precision"), {QStringLiteral("f32"), QStringLiteral("bf16")})),
      microbatches_(spin("stepMicrobatches", tr("Micro-batches"), 1, 4096)),
      seed_(spin("stepSeed", tr("Seed"), 0, 1 << 30)),
      data_(
          combo("stepData", tr("Data"), {tr("Synthetic"), tr("Text file, as bytes"), tr("Arrays (.npy) in a folder")})),
      path_(new QLineEdit),
      browse_(new QPushButton(tr("Browse …"))) {
  setObjectName("stepEditor");
  setAccessibleName(tr("Step"));
  rate_->setObjectName("stepRate");
  rate_->setAccessibleName(tr("Learning rate"));
  rate_->setDecimals(6);
  rate_->setRange(0, 100);
  rate_->setSingleStep(0.0005);
  rate_->setKeyboardTracking(false);
  path_->setObjectName("stepDataPath");
  path_->setAccessibleName(tr("Where the data are"));
  browse_->setObjectName("stepBrowse");
  browse_->setAccessibleName(tr("Choose the data"));
  auto* form = new QFormLayout(this);
  form->setContentsMargins(0, 0, 0, 0);
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  auto* where = new QHBoxLayout;
  where->addWidget(path_, 1);
  where->addWidget(browse_);
  form->addRow(tr("Step"), mode_);
  form->addRow(tr("Loss"), loss_);
  form->addRow(tr("Optimizer"), optimizer_);
  form->addRow(tr("Rate"), rate_);
  form->addRow(tr("Precision"), precision_);
  form->addRow(tr("Micro-batches"), microbatches_);
  form->addRow(tr("Seed"), seed_);
  form->addRow(tr("Data"), data_);
  form->addRow(QString(), where);

  for (QComboBox* box : {mode_, loss_, optimizer_, precision_})
    connect(box, &QComboBox::activated, this, &StepEditor::applyStep);
  for (QSpinBox* box : {microbatches_, seed_}) connect(box, &QSpinBox::valueChanged, this, &StepEditor::applyStep);
  connect(rate_, &QDoubleSpinBox::valueChanged, this, &StepEditor::applyStep);
  connect(data_, &QComboBox::activated, this, &StepEditor::applyData);
  connect(path_, &QLineEdit::editingFinished, this, &StepEditor::applyData);
  connect(browse_, &QPushButton::clicked, this, &StepEditor::browse);
  connect(&session_.document(), &Document::opened, this, &StepEditor::refresh);
  connect(&session_.document(), &Document::changed, this, &StepEditor::refresh);
  refresh();
}

void StepEditor::refresh() {
  setEnabled(session_.isOpen());
  if (!session_.isOpen()) return;
  QScopedValueRollback guard(filling_, true);
  const core::Variant& variant = session_.document().plan().variant();
  mode_->setCurrentIndex(variant.step.training ? 0 : 1);
  loss_->setCurrentIndex(static_cast<int>(variant.step.loss));
  optimizer_->setCurrentIndex(static_cast<int>(variant.step.optimizer.kind));
  rate_->setValue(variant.step.optimizer.learningRate);
  precision_->setCurrentIndex(static_cast<int>(variant.step.precision));
  microbatches_->setValue(static_cast<int>(variant.step.microbatches));
  seed_->setValue(static_cast<int>(variant.step.seed));
  data_->setCurrentIndex(static_cast<int>(variant.data.kind));
  path_->setText(QString::fromStdString(variant.data.path));
  for (QWidget* widget : std::initializer_list<QWidget*>{loss_, optimizer_, rate_})
    widget->setEnabled(variant.step.training);
  bool fromFile = variant.data.kind != core::Data::Kind::synthetic;
  path_->setEnabled(fromFile);
  browse_->setEnabled(fromFile);
}

core::Step StepEditor::step() const {
  core::Step step = session_.document().plan().variant().step;
  step.training = mode_->currentIndex() == 0;
  step.inference = !step.training;
  step.loss = static_cast<core::LossKind>(loss_->currentIndex());
  step.optimizer.kind = static_cast<core::OptimizerKind>(optimizer_->currentIndex());
  step.optimizer.learningRate = rate_->value();
  step.precision = static_cast<core::Precision>(precision_->currentIndex());
  step.microbatches = microbatches_->value();
  step.seed = static_cast<std::uint64_t>(seed_->value());
  return step;
}

core::Data StepEditor::data() const {
  return {static_cast<core::Data::Kind>(data_->currentIndex()),
          data_->currentIndex() == 0 ? std::string() : path_->text().trimmed().toStdString()};
}

void StepEditor::applyStep() {
  if (filling_ || !session_.isOpen()) return;
  core::Step wanted = step();
  session_.apply(tr("Step: %1").arg(stepText(wanted)),
                 [wanted](core::Plan plan) { return core::setStep(std::move(plan), wanted); });
}

void StepEditor::applyData() {
  if (filling_ || !session_.isOpen()) return;
  core::Data wanted = data();
  session_.apply(tr("Data: %1").arg(data_->currentText()),
                 [wanted](core::Plan plan) { return core::setData(std::move(plan), wanted); });
}

void StepEditor::browse() {
  QString found = data_->currentIndex() == 1 ? QFileDialog::getOpenFileName(this, tr("Text to train on"))
                                             : QFileDialog::getExistingDirectory(this, tr("Folder with arrays"));
  if (found.isEmpty()) return;
  path_->setText(found);
  applyData();
}

}  // namespace ui
