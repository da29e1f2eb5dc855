// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/preset_form.h"

#include <array>
#include <span>

#include <QCoreApplication>
#include <QFormLayout>
#include <QLineEdit>

#include "widgets/chart/theme.h"
#include "widgets/text/quantity_text.h"
#include "widgets/text/translated.h"

namespace cardfit::app {

namespace {

struct FieldKind {
    const char* pointer;
    const char* label; ///< to be translated
    const char* unit = "";
    bool is_word = false;
};

constexpr std::array kModelFields{
    FieldKind{"/name", QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "Name"), "", true},
    FieldKind{"/id", QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "Id"), "", true},
    FieldKind{"/num_hidden_layers", QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "Layers")},
    FieldKind{"/hidden_size", QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "Hidden size")},
    FieldKind{"/intermediate_size", QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "MLP width")},
    FieldKind{"/num_attention_heads", QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "Heads")},
    FieldKind{"/num_key_value_heads", QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "Key/value heads")},
    FieldKind{"/head_dim", QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "Head size")},
    FieldKind{"/vocab_size", QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "Vocabulary")},
    FieldKind{"/max_position_embeddings", QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "Longest sequence"),
        QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "tokens")},
    FieldKind{"/moe/num_experts", QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "Experts")},
    FieldKind{"/moe/num_experts_per_tok", QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "Experts per token")},
    FieldKind{"/moe/moe_intermediate_size", QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "Expert width")},
    FieldKind{"/moe/first_dense_layers", QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "Leading dense layers")},
    FieldKind{"/source", QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "Source"), "", true},
};
constexpr std::array kAcceleratorFields{
    FieldKind{"/name", QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "Name"), "", true},
    FieldKind{"/id", QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "Id"), "", true},
    FieldKind{"/memory_mib", QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "Memory"),
        QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "MiB")},
    FieldKind{"/usable_mib", QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "Usable memory"),
        QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "MiB")},
    FieldKind{"/memory_bandwidth_gb_s", QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "Memory bandwidth"),
        QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "GB/s")},
    FieldKind{"/tflops/bf16", QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "Peak, bf16"),
        QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "TFLOPS")},
    FieldKind{"/tflops/fp16", QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "Peak, fp16"),
        QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "TFLOPS")},
    FieldKind{"/tflops/fp8", QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "Peak, fp8"),
        QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "TFLOPS")},
    FieldKind{"/link_gb_s", QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "Link within the node"),
        QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "GB/s")},
    FieldKind{"/pcie_gb_s", QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "Link to the host"),
        QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "GB/s")},
    FieldKind{"/power_w", QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "Power"),
        QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "W")},
    FieldKind{"/price_per_hour_usd", QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "Price of an hour"),
        QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "USD")},
    FieldKind{"/source", QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "Source"), "", true},
};
constexpr std::array kClusterFields{
    FieldKind{"/name", QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "Name"), "", true},
    FieldKind{"/id", QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "Id"), "", true},
    FieldKind{"/accelerator", QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "Card"), "", true},
    FieldKind{"/nodes", QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "Nodes")},
    FieldKind{"/cards_per_node", QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "Cards per node")},
    FieldKind{"/nodes_per_domain", QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "Nodes per NVLink domain")},
    FieldKind{"/intra_node/gb_s", QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "Within a node"),
        QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "GB/s")},
    FieldKind{"/intra_node/latency_us", QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "Latency within a node"),
        QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "µs")},
    FieldKind{"/inter_node/gb_s", QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "Between nodes, per card"),
        QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "GB/s")},
    FieldKind{"/inter_node/latency_us", QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "Latency between nodes"),
        QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "µs")},
    FieldKind{"/source", QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "Source"), "", true},
};
constexpr std::array kPlanFields{
    FieldKind{"/name", QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "Name"), "", true},
    FieldKind{"/cluster/nodes", QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "Nodes")},
    FieldKind{"/workload/sequence_length", QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "Sequence length"),
        QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "tokens")},
    FieldKind{"/workload/micro_batch_size", QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "Micro-batch"),
        QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "sequences")},
    FieldKind{"/workload/global_batch_size", QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "Global batch"),
        QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "sequences")},
    FieldKind{"/workload/tokens", QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "Tokens of the run")},
    FieldKind{"/parallelism/tensor", QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "Tensor parallel")},
    FieldKind{"/parallelism/pipeline", QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "Pipeline parallel")},
    FieldKind{"/parallelism/context", QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "Context parallel")},
    FieldKind{"/parallelism/expert", QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "Expert parallel")},
    FieldKind{"/parallelism/data", QT_TRANSLATE_NOOP("cardfit::app::PresetForm", "Data parallel")},
};

std::span<const FieldKind> fieldsOf(PresetKind kind)
{
    switch (kind) {
    case PresetKind::Model: return kModelFields;
    case PresetKind::Accelerator: return kAcceleratorFields;
    case PresetKind::Cluster: return kClusterFields;
    case PresetKind::Plan: break;
    }
    return kPlanFields;
}

} // namespace

PresetForm::PresetForm(QWidget* parent)
    : QWidget(parent)
    , m_rows(new QFormLayout(this))
{
    m_rows->setContentsMargins(8, 8, 8, 8);
    m_rows->setVerticalSpacing(4);
    m_rows->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
}

PresetForm::~PresetForm()
{
    // Deleting a field takes its focus, which must not count as an edit.
    for (const Field& field : m_fields)
        field.edit->disconnect(this);
}

void PresetForm::build(PresetKind kind)
{
    for (const Field& field : m_fields)
        field.edit->disconnect(this);
    m_fields.clear();
    while (m_rows->rowCount() > 0)
        m_rows->removeRow(0);
    m_kind = kind;
    for (const FieldKind& row : fieldsOf(kind)) {
        const QString label = tr(row.label);
        auto* edit = new QLineEdit(this);
        edit->setAccessibleName(label);
        m_rows->addRow(*row.unit == '\0' ? label : tr("%1, %2").arg(label, tr(row.unit)), edit);
        m_fields.push_back({row.pointer, row.is_word, edit});
        connect(edit, &QLineEdit::editingFinished, this, [this, field = m_fields.back()] { commit(field); });
    }
}

void PresetForm::setText(PresetKind kind, const std::string& text, bool read_only)
{
    if (m_fields.empty() || kind != m_kind) build(kind);
    m_text = text;
    const bool has_experts = presetValue(text, "/moe/num_experts").has_value();
    for (const Field& field : m_fields) {
        if (field.pointer.rfind("/moe", 0) == 0) m_rows->setRowVisible(field.edit, has_experts);
        field.edit->setText(QString::fromStdString(presetValue(text, field.pointer).value_or(std::string())));
        field.edit->setModified(false);
        field.edit->setCursorPosition(0);
        field.edit->setReadOnly(read_only);
        field.edit->setToolTip(field.is_word ? field.edit->text() : QString());
    }
    markProblem({});
}

void PresetForm::markProblem(const QString& pointer)
{
    QPalette marked = palette();
    marked.setColor(QPalette::Text, ui::themeFor(palette()).over);
    for (const Field& field : m_fields) {
        const bool is_it = !pointer.isEmpty() && QString::fromStdString(field.pointer) == pointer;
        field.edit->setPalette(is_it ? marked : palette());
    }
}

QLineEdit* PresetForm::field(const QString& pointer) const
{
    for (const Field& field : m_fields) {
        if (QString::fromStdString(field.pointer) == pointer) return field.edit;
    }
    return nullptr;
}

void PresetForm::commit(const Field& field)
{
    if (!field.edit->isModified()) return;
    const QString typed = field.edit->text().trimmed();
    Result<std::string> changed;
    if (field.is_word) {
        changed = withPresetWord(m_text, field.pointer, typed.toStdString());
    } else if (typed.isEmpty()) {
        changed = withPresetNumber(m_text, field.pointer, std::nullopt);
    } else {
        const auto number = ui::parseQuantity(typed, {.whole = false, .minimum = 0.0});
        if (!number) {
            markProblem(QString::fromStdString(field.pointer));
            emit refused(number.error());
            return;
        }
        changed = withPresetNumber(m_text, field.pointer, *number);
    }
    if (!changed) {
        emit refused(ui::translated(changed.error()));
        return;
    }
    field.edit->setModified(false);
    emit edited(QString::fromStdString(*changed));
}

} // namespace cardfit::app
