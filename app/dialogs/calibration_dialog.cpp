// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/calibration_dialog.h"

#include <array>
#include <cmath>

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTextBrowser>
#include <QVBoxLayout>

#include "app/dialogs/run_page.h"
#include "app/document/plan_document.h"
#include "core/traces/training_log.h"
#include "widgets/controls/raw_text_edit.h"
#include "widgets/text/quantity_text.h"
#include "widgets/text/translated.h"

namespace cardfit::app {

namespace {

constexpr QSize kFirstSize(920, 560);
constexpr int kFieldsWidth = 340;
constexpr double kLeastSpeed = 1e-9;

tl::unexpected<Error> unreadable(const QString& why) { return fail(ErrorCode::WrongType, {}, ui::sentence(why)); }

/// nullopt for an empty field.
Result<std::optional<double>> numberIn(const QLineEdit& field, ui::QuantityKind kind)
{
    if (field.text().trimmed().isEmpty()) return std::optional<double>();
    const auto number = ui::parseQuantity(field.text(), {kind, false, kLeastSpeed});
    if (!number) return unreadable(number.error());
    return std::optional(*number);
}

} // namespace

CalibrationDialog::CalibrationDialog(PlanDocument& document, ByteUnit unit, QWidget* parent)
    : QDialog(parent)
    , m_document(document)
    , m_unit(unit)
{
    setObjectName(QStringLiteral("calibration"));
    setWindowTitle(tr("Measured run"));
    auto* columns = new QHBoxLayout;
    columns->addWidget(buildFields());
    m_answer = new QTextBrowser(this);
    m_answer->setAccessibleName(tr("Measured beside predicted"));
    columns->addWidget(m_answer, 1);

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    m_apply = buttons->addButton(tr("&Calibrate the plan"), QDialogButtonBox::ApplyRole);
    m_remove = buttons->addButton(tr("&Remove its calibration"), QDialogButtonBox::ResetRole);
    connect(m_apply, &QPushButton::clicked, this, &CalibrationDialog::apply);
    connect(m_remove, &QPushButton::clicked, this, &CalibrationDialog::removeCalibration);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);

    auto* rows = new QVBoxLayout(this);
    rows->addLayout(columns, 1);
    rows->addWidget(buttons);
    resize(kFirstSize);
    showCalibrationOfPlan();
    connect(&m_document, &PlanDocument::estimateChanged, this, &CalibrationDialog::refresh);
    refresh();
}

QWidget* CalibrationDialog::buildFields()
{
    auto* fields = new QWidget(this);
    fields->setFixedWidth(kFieldsWidth);
    m_quantity = new QComboBox(fields);
    // In the order of MeasuredQuantity.
    m_quantity->addItems(
        {tr("Seconds per step"), tr("Tokens/s per card"), tr("Samples/s per card"), tr("Model TFLOP/s per card")});
    m_quantity->setAccessibleName(tr("What was measured"));
    m_speed = new QLineEdit(fields);
    m_speed->setAccessibleName(tr("Measured value"));
    m_speed->setPlaceholderText(tr("as measured"));
    m_work = new QComboBox(fields);
    for (const WorkDefinitionText& text : workDefinitions())
        m_work->addItem(ui::translated(text.title));
    m_published = new QLineEdit(fields);
    m_published->setPlaceholderText(tr("optional, tokens/s per card"));
    m_published->setToolTip(tr("Somebody else's throughput with the same model and card, for comparison"));
    m_allocated = new QLineEdit(fields);
    m_allocated->setPlaceholderText(tr("optional, such as 61.2 GiB"));
    m_allocated->setToolTip(tr("The peak that torch.cuda.max_memory_allocated reports"));
    m_stage = new QSpinBox(fields);
    m_stage->setToolTip(tr("Pipeline stage whose memory was measured, from 0"));
    m_source = new QLineEdit(fields);
    m_source->setPlaceholderText(tr("optional: which run, when"));
    m_log = new ui::RawTextEdit(fields);
    m_log->setPlaceholderText(tr("Or paste lines of a training log here: Megatron-LM, torchtitan, DeepSpeed or "
                                 "Hugging Face. The fields above are filled from them."));
    m_log_answer = new QLabel(fields);
    m_log_answer->setTextFormat(Qt::PlainText);
    m_log_answer->setWordWrap(true);
    m_log_answer->setTextInteractionFlags(Qt::TextSelectableByMouse);

    auto* form = new QFormLayout;
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(tr("&Measured"), m_quantity);
    form->addRow(tr("&Value"), m_speed);
    form->addRow(tr("&Work counted by"), m_work);
    form->addRow(tr("&Published"), m_published);
    form->addRow(tr("&Allocated memory"), m_allocated);
    form->addRow(tr("of &stage"), m_stage);
    form->addRow(tr("S&ource"), m_source);
    auto* column = new QVBoxLayout(fields);
    column->setContentsMargins(0, 0, 0, 0);
    column->addLayout(form);
    auto* log_label = new QLabel(tr("Training &log"), fields);
    log_label->setBuddy(m_log);
    column->addWidget(log_label);
    column->addWidget(m_log, 1);
    column->addWidget(m_log_answer);

    connect(m_quantity, &QComboBox::currentIndexChanged, this, &CalibrationDialog::refresh);
    connect(m_work, &QComboBox::currentIndexChanged, this, &CalibrationDialog::refresh);
    connect(m_stage, &QSpinBox::valueChanged, this, &CalibrationDialog::refresh);
    for (QLineEdit* field : {m_speed, m_published, m_allocated, m_source})
        connect(field, &QLineEdit::textChanged, this, &CalibrationDialog::refresh);
    connect(m_log, &QPlainTextEdit::textChanged, this, &CalibrationDialog::readLog);
    return fields;
}

/// Reopening the dialog shows the run that the plan was calibrated with.
void CalibrationDialog::showCalibrationOfPlan()
{
    if (!m_document.plan().calibration) return;
    const Measurement& measured = m_document.plan().calibration->measured;
    m_stage->setMaximum(static_cast<int>(measured.stage));
    m_stage->setValue(static_cast<int>(measured.stage));
    m_source->setText(QString::fromStdString(measured.source));
    fill(measured, 15);
}

/// Shows speed (with this many digits) and memory, if they were measured.
void CalibrationDialog::fill(const Measurement& measured, int digits)
{
    if (measured.step || measured.tokens_per_second_per_card) {
        const auto quantity = measured.step ? MeasuredQuantity::StepSeconds : MeasuredQuantity::TokensPerSecondPerCard;
        m_quantity->setCurrentIndex(static_cast<int>(quantity));
        m_speed->setText(QString::number(
            measured.step ? measured.step->value() : *measured.tokens_per_second_per_card, 'g', digits));
    }
    if (!measured.allocated) return;
    m_allocated->setText(QStringLiteral("%1 B").arg(measured.allocated->value()));
    m_stage->setValue(static_cast<int>(measured.stage));
}

RunFields CalibrationDialog::fields() const
{
    return {m_quantity->currentIndex(), m_speed->text(), m_work->currentIndex(), m_published->text(),
        m_allocated->text(), m_stage->value(), m_source->text(), m_log->toPlainText()};
}

void CalibrationDialog::setFields(const RunFields& fields)
{
    // The log comes first: reading it fills fields that the user may have changed later.
    m_log->setPlainText(fields.log);
    m_quantity->setCurrentIndex(fields.quantity);
    m_speed->setText(fields.speed);
    m_work->setCurrentIndex(fields.work);
    m_published->setText(fields.published);
    m_allocated->setText(fields.allocated);
    m_stage->setValue(fields.stage);
    m_source->setText(fields.source);
}

void CalibrationDialog::readLog()
{
    const std::string text = m_log->toPlainText().toStdString();
    if (text.find_first_not_of(" \t\n") == std::string::npos) {
        m_log_answer->clear();
        return;
    }
    const auto log = readTrainingLog(text);
    const Result<Measurement> logged =
        log ? measurementOf(*log, m_document.plan()) : Result<Measurement>(tl::unexpect, log.error());
    QStringList answers;
    if (log) {
        for (const Sentence& found : log->found)
            answers.append(ui::translated(found));
        if (!log->not_understood.empty())
            answers.append(tr("%n line(s) hold none of the figures.", nullptr, int(log->not_understood.size())));
    }
    if (!logged) answers.append(ui::translated(logged.error()));
    m_log_answer->setText(answers.join(u'\n'));
    if (logged) fill(*logged, 9);
}

Result<Measurement> CalibrationDialog::measured() const
{
    Measurement measured;
    measured.source = m_source->text().trimmed().toStdString();
    const auto allocated = numberIn(*m_allocated, ui::QuantityKind::Bytes);
    if (!allocated) return tl::unexpected<Error>(allocated.error());
    if (*allocated) {
        measured.allocated = roundToBytes(**allocated);
        measured.stage = m_stage->value();
    }
    const auto speed = numberIn(*m_speed, ui::QuantityKind::Count);
    if (!speed) return tl::unexpected<Error>(speed.error());
    if (!*speed) return measured;
    const auto quantity = static_cast<MeasuredQuantity>(m_quantity->currentIndex());
    const WorkDefinition work = workDefinitions()[static_cast<std::size_t>(m_work->currentIndex())].definition;
    return withSpeed(std::move(measured), m_document.plan(), {quantity, **speed, work});
}

void CalibrationDialog::refresh()
{
    m_work->setEnabled(m_quantity->currentIndex() == static_cast<int>(MeasuredQuantity::TeraflopsPerCard));
    m_stage->setMaximum(static_cast<int>(m_document.plan().parallelism.pipeline) - 1);
    m_remove->setEnabled(m_document.plan().calibration.has_value());
    m_comparison.reset();
    m_apply->setEnabled(false);
    const auto& estimate = m_document.estimate();
    if (!estimate || !estimate->complete()) {
        m_answer->setPlainText(tr("The plan breaks a rule that prevents its estimate; nothing can be compared."));
        return;
    }
    if (m_speed->text().trimmed().isEmpty() && m_allocated->text().trimmed().isEmpty()) {
        m_answer->setPlainText(tr("Enter the speed or the memory that was measured in a run of this plan. It is then "
                                  "shown beside the prediction, and the plan can be calibrated: its prediction then "
                                  "matches the run, and those of its variants are corrected by as much."));
        return;
    }
    const auto run = measured();
    const auto published = numberIn(*m_published, ui::QuantityKind::Tokens);
    if (!run || !published) {
        const Error& error = run ? published.error() : run.error();
        m_answer->setPlainText(ui::translated(error.message));
        return;
    }
    auto comparison = compareWithRun(m_document.plan(), *run, *published);
    if (!comparison) {
        m_answer->setPlainText(ui::translated(comparison.error()));
        return;
    }
    m_comparison = *std::move(comparison);
    m_answer->setHtml(runPage(*m_comparison, m_unit));
    m_apply->setEnabled(m_comparison->plan.calibration != m_document.plan().calibration);
}

void CalibrationDialog::apply()
{
    if (m_comparison) m_document.edit(m_comparison->plan, tr("Calibrate with a measured run"));
}

void CalibrationDialog::removeCalibration()
{
    Plan plan = m_document.plan();
    plan.calibration.reset();
    m_document.edit(std::move(plan), tr("Remove the calibration"));
}

} // namespace cardfit::app
