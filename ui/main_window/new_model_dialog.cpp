#include "ui/main_window/new_model_dialog.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QPushButton>
#include <QSpinBox>
#include <cmath>

#include "core/ops/builder.h"
#include "core/plan/edit/presets.h"

namespace ui {
namespace {

struct Sizes {
  int layers = 4, width = 128, heads = 4, ffn = 512, vocab = 256, sequence = 64, batch = 8;
};

core::TensorId block(core::GraphBuilder& build, core::TensorId x) {
  using namespace core;
  TensorId none;
  Shape over{build.dim("d_model", 0 + build.graph().size(*build.graph().findDim("d_model")))};
  build.pushScope("attention");
  TensorId normed = build.layerNorm(x, over, build.parameter("ln.scale", "d_model"), none, 1e-5);
  TensorId q = build.einsum({normed, build.parameter("q.weight", "d_model heads head_dim")}, "batch heads seq head_dim");
  TensorId k = build.einsum({normed, build.parameter("k.weight", "d_model heads head_dim")}, "batch heads seq head_dim");
  TensorId v = build.einsum({normed, build.parameter("v.weight", "d_model heads head_dim")}, "batch heads seq head_dim");
  DimId seq = *build.graph().findDim("seq"), key = build.dim("key_seq", build.graph().size(seq));
  TensorId scores = build.einsum({q, build.rename(k, seq, key)}, "batch heads seq key_seq");
  TensorId weights = build.softmax(scores, key);
  TensorId mixed = build.einsum({weights, build.rename(v, seq, key)}, "batch heads seq head_dim");
  TensorId out = build.einsum({mixed, build.parameter("out.weight", "heads head_dim d_model")}, "batch seq d_model");
  x = build.plus(x, out);
  build.popScope();
  build.pushScope("mlp");
  normed = build.layerNorm(x, over, build.parameter("ln.scale", "d_model"), none, 1e-5);
  TensorId h = build.unary(Function::gelu, build.einsum({normed, build.parameter("in.weight", "d_model ffn")}, "batch seq ffn"));
  x = build.plus(x, build.einsum({h, build.parameter("out.weight", "ffn d_model")}, "batch seq d_model"));
  build.popScope();
  return x;
}

core::Plan gptPlan(const Sizes& sizes) {
  using namespace core;
  if (sizes.width % sizes.heads != 0)
    throw Error{.what = "the width is not a multiple of the heads", .where = "new model", .right = "for example " + std::to_string(sizes.heads * (sizes.width / sizes.heads + 1))};
  GraphBuilder build;
  build.dim("batch", sizes.batch), build.dim("seq", sizes.sequence), build.dim("d_model", sizes.width);
  build.dim("heads", sizes.heads), build.dim("head_dim", sizes.width / sizes.heads), build.dim("ffn", sizes.ffn), build.dim("vocab", sizes.vocab);
  TensorId ids = build.input("ids", "batch seq", DType::i64);
  TensorId table = build.parameter("embedding", "vocab d_model");
  TensorId x = build.gather(table, *build.graph().findDim("vocab"), ids);
  for (int layer = 0; layer < sizes.layers; ++layer) {
    build.pushScope("h." + std::to_string(layer));
    x = block(build, x);
    build.popScope();
  }
  x = build.layerNorm(x, build.shape("d_model"), build.parameter("ln_f.scale", "d_model"), TensorId(), 1e-5);
  build.output(build.einsum({x, table}, "batch seq vocab"));
  Plan plan{.name = "transformer", .graph = std::make_shared<const Graph>(build.take())};
  plan.variants = {Variant{.name = "A", .mesh = Mesh::of("data:2,model:2"), .step = Step{.training = true}}};
  return plan;
}

}  // namespace

core::Plan samplePlan() { return core::megatron(gptPlan({})); }

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
  return gptPlan({layers_->value(), width_->value(), heads_->value(), ffn_->value(), vocab_->value(), sequence_->value(), batch_->value()});
}

}  // namespace ui
