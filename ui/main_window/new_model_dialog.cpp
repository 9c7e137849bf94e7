#include "ui/main_window/new_model_dialog.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QPushButton>
#include <QSpinBox>

#include "core/layers/gpt.h"

namespace ui {
namespace {

core::Plan gptPlan(const core::GptSizes& sizes) {
  core::Plan plan{.name = "gpt", .graph = std::make_shared<const core::Graph>(core::gpt(sizes))};
  plan.variants = {core::Variant{.name = "A", .mesh = core::Mesh::of("data:2,model:2"), .step = {.training = true}}};
  return plan;
}

}  // namespace

NewModelDialog::NewModelDialog(QWidget* parent) : QDialog(parent) {
  setObjectName("newModelDialog");
  setAccessibleName(tr("New model"));
  setWindowTitle(tr("New model"));
  auto* form = new QFormLayout(this);
  auto row = [&](const QString& name, const QString& label, int low, int high, int value) {
    QSpinBox* box = spin(name, label, low, high, value);
    form->addRow(label, box);
    return box;
  };
  layers_ = row("newLayers", tr("Layers"), 1, 512, 4);
  width_ = row("newWidth", tr("Width (d_model)"), 8, 1 << 16, 256);
  heads_ = row("newHeads", tr("Heads"), 1, 1024, 4);
  ffn_ = row("newFfn", tr("Feed-forward (ffn)"), 8, 1 << 18, 1024);
  vocab_ = row("newVocab", tr("Vocabulary"), 2, 1 << 20, 256);
  sequence_ = row("newSequence", tr("Sequence"), 1, 1 << 20, 64);
  batch_ = row("newBatch", tr("Batch"), 1, 1 << 20, 8);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
  buttons->setObjectName("newButtons");
  buttons->setAccessibleName(tr("Create or cancel"));
  buttons->button(QDialogButtonBox::Ok)->setObjectName("newCreate");
  buttons->button(QDialogButtonBox::Ok)->setText(tr("Create"));
  buttons->button(QDialogButtonBox::Cancel)->setObjectName("newCancel");
  form->addRow(buttons);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

QSpinBox* NewModelDialog::spin(const QString& objectName, const QString& label, int low, int high, int value) {
  auto* box = new QSpinBox;
  box->setObjectName(objectName);
  box->setAccessibleName(label);
  box->setRange(low, high);
  box->setValue(value);
  return box;
}

core::Plan NewModelDialog::plan() const {
  return gptPlan({.layers = layers_->value(),
                  .modelSize = width_->value(),
                  .heads = heads_->value(),
                  .ffn = ffn_->value(),
                  .vocab = vocab_->value(),
                  .seq = sequence_->value(),
                  .batch = batch_->value()});
}

}  // namespace ui
