// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/inputs_panel.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include <QButtonGroup>
#include <QCheckBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QVBoxLayout>

#include "app/controls/collapsible_group.h"
#include "app/document/plan_view.h"
#include "app/panels/layers_field.h"
#include "core/files/model_sizes.h"
#include "core/model/families.h"
#include "core/plan/field_table.h"
#include "core/plan/fields.h"
#include "core/report/goodput_text.h"
#include "widgets/controls/keyboard_order.h"
#include "widgets/controls/panel_labels.h"
#include "widgets/text/run_text.h"
#include "widgets/text/tool_tip.h"
#include "widgets/text/translated.h"

namespace cardfit::app {

namespace {

const QString kBetweenFacts = QStringLiteral(" · ");

constexpr int kMinimumWidth = 320;
constexpr int kStopsDelay = 50; ///< milliseconds without an edit, in a drag, before all stops follow
constexpr int kStripDelay = 120; ///< milliseconds without an edit before the strips are computed

constexpr std::string_view kExpertTensor = "expert_tensor"; ///< the quantity whose lock is a value of the plan

/// The rule that a field breaks; errors have priority over warnings.
const Check* checkOf(const std::vector<Check>& checks, std::string_view field)
{
    const Check* found = nullptr;
    for (const Check& check : checks) {
        if (check.field != field) continue;
        if (check.severity == Severity::Error) return &check;
        if (found == nullptr) found = &check;
    }
    return found;
}

/// The unit, and a remark if the plan leaves the value to the estimate.
QString unitOf(const PlanQuantity& quantity, const Plan& plan)
{
    const auto fields = planFields();
    const auto field = std::ranges::find(fields, quantity.field, &Field::pointer);
    // In these groups a missing value is not an automatic one: a shape has a size even if it was not asked for by size,
    // and a run without a budget has none.
    const bool has_default = quantity.group != QuantityGroup::Model && quantity.group != QuantityGroup::Run;
    if (!has_default || field == fields.end() || !std::holds_alternative<std::monostate>(field->get(plan)))
        return quantityUnit(quantity);
    if (quantity.id == "concurrency") return InputsPanel::tr("all", "users: as many as fit");
    if (quantity.id == "tpot_limit" || quantity.id == "ttft_limit") return ui::sharedText("none");
    //: short for "automatic", beside a name in one line
    if (quantity.group == QuantityGroup::Load) return InputsPanel::tr("auto");
    return ui::sharedText("automatic");
}

/// How large a checkpoint is and how often an unplanned stop may need one, on separate lines.
QString checkpointText(const Plan& plan, const Estimate& estimate)
{
    const auto said = goodputSentences(plan, estimate);
    constexpr std::size_t kFacts = 2; // the other facts say what is not known
    QString text;
    for (std::size_t i = 0; i < std::min(kFacts, said.size()); ++i)
        text += u'\n' + ui::translated(said[i]);
    return text;
}

} // namespace

InputsPanel::InputsPanel(PlanDocument& document, const Presets& presets, QWidget* parent)
    : QScrollArea(parent)
    , m_document(document)
    , m_presets(presets)
    , m_controls(document)
    , m_strips([this](const Strip& strip) {
        if (auto* target = rail(strip.rail.toStdString())) target->setVerdicts(strip.verdicts);
    })
{
    setWindowTitle(ui::sharedText("Inputs"));
    setAccessibleName(ui::sharedText("Inputs"));
    auto* content = new QWidget(this);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(6, 4, 8, 4);
    column->setSpacing(2);
    addPurposes(column);
    auto* adapters = addRecipe(RecipePart::Adapters, content);
    column->addWidget(adapters);
    m_sections.emplace_back(kAdapterPart, adapters);
    m_top = new QVBoxLayout;
    column->addLayout(m_top);
    column->addWidget(addRecipe(RecipePart::First, content));
    Section& model = addSection(column, QStringLiteral("model"), ui::sharedText("Model"));
    addModelControls(model.group);
    addRailsOf(model, QuantityGroup::Model);
    Section& cluster = addSection(column, QStringLiteral("cluster"), ui::sharedText("Cluster"));
    cluster.fields.push_back(pointerOf<&Accelerator::name>);
    addClusterControls(cluster.group);
    addRailsOf(cluster, QuantityGroup::Cluster);
    Section& parallel = addSection(column, QStringLiteral("parallel"), tr("Parallel"));
    parallel.fields = {pointerOf<&Parallelism::sequence>, pointerOf<&Parallelism::layers_per_stage>};
    addParallelControls(parallel.group);
    addRailsOf(parallel, QuantityGroup::Parallel);
    Section& run = addSection(column, QStringLiteral("run"), tr("Run", "a whole training run"));
    addRailsOf(run, QuantityGroup::Run);
    m_run_note = ui::noteLabel({}, run.group);
    run.group->add(m_run_note);
    m_sections.emplace_back(kRunPart, run.group);
    Section& recipe = addSection(column, QStringLiteral("recipe"), tr("Recipe"));
    addRecipe(recipe, RecipePart::Training);
    addRailsOf(recipe, QuantityGroup::Recipe);
    addRecipe(addSection(column, QStringLiteral("kernels"), tr("Kernels and fusions")), RecipePart::Kernels);
    addRailsOf(addSection(column, QStringLiteral("overheads"), tr("Overheads")), QuantityGroup::Overheads);
    column->addStretch();
    setWidget(content);
    addRails();
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setMinimumWidth(kMinimumWidth);

    m_strip_delay.setSingleShot(true);
    m_strip_delay.setInterval(kStripDelay);
    connect(&m_strip_delay, &QTimer::timeout, this, &InputsPanel::requestStrips);
    connect(&m_document, &PlanDocument::planReplaced, this, &InputsPanel::forgetStrips);
    connect(&m_document, &PlanDocument::planChanged, this, &InputsPanel::showValues);
    // Ticks that kept their places may move again.
    connect(&m_document, &PlanDocument::draggingChanged, this, [this] {
        if (!m_document.isDragging()) m_stops_delay.start();
    });
    m_stops_delay.setSingleShot(true);
    m_stops_delay.setInterval(kStopsDelay);
    const auto follow = [this] {
        showRun();
        showStops();
    };
    connect(&m_stops_delay, &QTimer::timeout, this, follow);
    connect(&m_document, &PlanDocument::estimateChanged, this, [this, follow] {
        showProblems();
        if (!m_document.isDragging()) return follow();
        showNextStops();
        m_stops_delay.start();
    });
    presetsChanged();
    showValues();
}

/// The purpose of the plan decides what the window shows.
void InputsPanel::addPurposes(QVBoxLayout* column)
{
    auto* row = new QWidget(column->parentWidget());
    row->setAccessibleName(tr("What the plan is for"));
    auto* buttons = new QHBoxLayout(row);
    buttons->setContentsMargins(0, 0, 0, 4);
    buttons->setSpacing(0);
    auto* group = new QButtonGroup(row);
    for (const Purpose purpose : {Purpose::Pretraining, Purpose::FineTuning, Purpose::Serving}) {
        auto* button = new QPushButton(purposeLabel(purpose), row);
        button->setCheckable(true);
        ui::setTip(button, purposeHelp(purpose));
        group->addButton(button);
        buttons->addWidget(button, 1);
        connect(button, &QPushButton::clicked, this, [this, purpose] {
            Plan changed = m_document.plan();
            const Purpose before = purposeOf(changed.workload.task);
            if (before == purpose) return;
            m_left.insert_or_assign(before, std::pair(changed.workload, changed.recipe));
            if (const auto left = m_left.find(purpose); left != m_left.end())
                std::tie(changed.workload, changed.recipe) = left->second;
            else
                changed = begun(std::move(changed), purpose);
            m_document.edit(std::move(changed), purposeLabel(purpose));
        });
        m_controls.onRefresh([button, purpose](const Plan& plan) {
            const bool checked = purposeOf(plan.workload.task) == purpose;
            if (checked) button->setChecked(true);
            QFont font = button->font(); // bold, because dark styles hardly distinguish a pressed button
            font.setBold(checked);
            button->setFont(font);
        });
    }
    column->addWidget(row);
    // What one returns to is what this plan was.
    connect(&m_document, &PlanDocument::planReplaced, this, [this] { m_left.clear(); });
}

RecipePanel* InputsPanel::addRecipe(RecipePart part, QWidget* parent)
{
    m_recipes.push_back(new RecipePanel(m_document, part, parent));
    return m_recipes.back();
}

void InputsPanel::addRecipe(Section& section, RecipePart part)
{
    section.group->add(addRecipe(part, section.group));
    section.fields = RecipePanel::fieldsOf(part);
}

InputsPanel::Section& InputsPanel::addSection(QVBoxLayout* column, const QString& id, const QString& title)
{
    auto* group = new CollapsibleGroup(id, title, column->parentWidget());
    connect(group, &CollapsibleGroup::toggled, this, &InputsPanel::showStops);
    column->addWidget(group);
    return m_groups.emplace_back(Section{group, {}});
}

void InputsPanel::addRailsOf(Section& section, QuantityGroup subject)
{
    auto* holder = new QWidget(section.group);
    section.subject = subject;
    section.rails = new QVBoxLayout(holder);
    section.rails->setContentsMargins(0, 0, 0, 0);
    section.group->add(holder);
}

void InputsPanel::addRails()
{
    for (const RailPlace& place : railPlaces()) {
        const PlanQuantity& quantity = *planQuantity(place.quantity);
        auto* rail = new ui::ValueRail(quantityLabel(quantity), widget());
        rail->setObjectName(ui::verbatim(quantity.id));
        rail->setUnit(quantityUnit(quantity));
        rail->setScale(quantity.scale);
        rail->setLockable(quantity.id == "data" || quantity.id == "nodes" || quantity.id == kExpertTensor
            || derivedBatchFactorOf(quantity.id));
        rail->setHelp(quantityHelp(quantity));
        const Row row{&quantity, rail, &place};
        m_rows.push_back(row);
        connect(rail, &ui::ValueRail::edited, this,
            [this, row](double value, ui::EditPhase phase) { onEdited(row, value, phase); });
        connect(rail, &ui::ValueRail::lockToggled, this,
            [this, row](bool locked) { onLockToggled(*row.quantity, locked); });
    }
}

/// Each rail to the place that the purpose gives it, and the keyboard after them.
void InputsPanel::arrangeRails(Purpose purpose)
{
    if (std::exchange(m_arranged, purpose) == purpose) return;
    for (Section& section : m_groups)
        std::erase_if(section.fields, [](std::string_view field) { return quantityOfField(field) != nullptr; });
    for (const RailWeight weight : {RailWeight::Full, RailWeight::Line, RailWeight::Grouped}) {
        for (const Row& row : m_rows) {
            if (row.place->weight(purpose) != weight) continue;
            row.rail->setFoldable(weight == RailWeight::Line);
            const auto section = std::ranges::find(m_groups, std::optional(row.quantity->group), &Section::subject);
            const bool grouped = weight == RailWeight::Grouped && section != m_groups.end();
            (grouped ? section->rails : m_top)->addWidget(row.rail);
            if (grouped) section->fields.push_back(row.quantity->field);
        }
    }
    ui::orderKeyboard(*this, *widget()->layout());
}

void InputsPanel::addModelControls(CollapsibleGroup* group)
{
    auto* family = new ui::QuietComboBox(group);
    for (const auto name : familyNames())
        family->addItem(ui::verbatim(familyTitle(name)), ui::verbatim(name));
    family->setAccessibleName(tr("Family"));
    family->setPlaceholderText(tr("a shape of its own"));
    family->setToolTip(tr("The family whose shapes the model size chooses from."));
    connect(family, &QComboBox::activated, this, [this, family](int) {
        const Model& now = m_document.plan().model;
        const std::string name = family->currentData().toString().toStdString();
        m_document.edit(withModel(m_document.plan(), modelOfSize(name, modelSize(now), m_presets, now)),
            tr("Family: %1").arg(family->currentText()));
    });
    auto* note = ui::noteLabel({}, group);
    auto* form = new QWidget(group);
    auto* rows = new QFormLayout(form);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->addRow(tr("Family"), family);
    group->add(form);
    group->add(note);
    m_controls.onRefresh([family, note](const Plan& plan) {
        family->setCurrentIndex(isOfFamily(plan.model) ? family->findData(ui::verbatim(familyOf(plan.model))) : -1);
        const Architecture& shape = plan.model.architecture;
        const QLocale english(QLocale::English);
        QString text = tr("hidden %1 · MLP %2 · heads %3, key/value %4 · vocabulary %5")
                           .arg(english.toString(static_cast<qlonglong>(shape.hidden_size)),
                               english.toString(static_cast<qlonglong>(shape.intermediate_size)))
                           .arg(shape.num_attention_heads)
                           .arg(shape.num_key_value_heads)
                           .arg(english.toString(static_cast<qlonglong>(shape.vocab_size)));
        if (shape.moe) {
            text += kBetweenFacts
                + tr("%1 experts, %2 per token").arg(shape.moe->num_experts).arg(shape.moe->num_experts_per_tok);
        }
        note->setText(text);
    });
}

void InputsPanel::pickAccelerator(const QString& id)
{
    const Accelerator* card = m_presets.accelerator(id.toStdString());
    if (card == nullptr) return;
    Plan changed = m_document.plan();
    changed.cluster.accelerator = *card;
    changed.cluster.intra_node.reset(); // it is the old cards' link; without a value the new cards' own is used
    changed.cluster.intra_domain.reset();
    markAsOwn(changed.cluster);
    m_document.edit(std::move(changed), tr("Accelerator: %1").arg(QString::fromStdString(card->name)));
}

void InputsPanel::addClusterControls(CollapsibleGroup* group)
{
    m_accelerator = new ui::SearchComboBox(group);
    m_accelerator->setAccessibleName(ui::sharedText("Accelerator"));
    connect(m_accelerator, &ui::SearchComboBox::picked, this, &InputsPanel::pickAccelerator);
    auto* note = ui::noteLabel({}, group);
    auto* form = new QWidget(group);
    auto* rows = new QFormLayout(form);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    rows->addRow(tr("Card"), m_accelerator);
    group->add(form);
    group->add(note);
    m_controls.onRefresh([this, note](const Plan& plan) {
        const Accelerator& card = plan.cluster.accelerator;
        m_accelerator->setCurrent(QString::fromStdString(card.id), QString::fromStdString(card.name));
        const QLocale english(QLocale::English);
        const std::int64_t cards = cardCount(plan.cluster);
        const QString memory = english.toString(static_cast<qlonglong>(card.memory.value()));
        QString text = cards == 1
            ? tr("1 card of %1 MiB").arg(memory)
            : tr("%1 cards · %2 MiB each").arg(english.toString(static_cast<qlonglong>(cards)), memory);
        text += kBetweenFacts
            + (card.usable ? tr("%1 MiB usable").arg(english.toString(static_cast<qlonglong>(card.usable->value())))
                           : tr("all of it counted as usable"));
        if (card.tflops.bf16)
            text += kBetweenFacts + tr("%1 TFLOPS bf16").arg(english.toString(card.tflops.bf16->value(), 'g', 4));
        note->setText(text);
    });
}

void InputsPanel::addParallelControls(CollapsibleGroup* group)
{
    group->add(m_controls.toggle(group, *fieldAt(pointerOf<&Parallelism::sequence>)));
    auto* layers = new LayersField(m_document, group);
    group->add(layers);
    m_controls.onRefresh([layers](const Plan&) { layers->refresh(); });
    connect(&m_document, &PlanDocument::estimateChanged, layers, &LayersField::refresh);
}

void InputsPanel::showRun()
{
    const Estimate& estimate = *m_document.estimate();
    if (!m_document.plan().workload.tokens)
        m_run_note->setText(tr("Days, card-hours, cost and energy follow from a number of tokens."));
    else if (!estimate.complete() || !estimate.step.run)
        m_run_note->setText(tr("There are no figures for a plan that breaks a rule.", "days and cost"));
    else
        m_run_note->setText(ui::runSummary(*estimate.step.run) + checkpointText(m_document.plan(), estimate));
}

void InputsPanel::presetsChanged()
{
    QList<ui::SearchComboBox::Entry> cards;
    for (const Accelerator& card : m_presets.accelerators)
        cards.push_back({QString::fromStdString(card.id), QString::fromStdString(card.name)});
    m_accelerator->setEntries(cards);
}

ui::ValueRail* InputsPanel::rail(std::string_view quantity) const
{
    const auto found = std::ranges::find_if(m_rows, [&](const Row& row) { return row.quantity->id == quantity; });
    return found == m_rows.end() ? nullptr : found->rail;
}

void InputsPanel::setRail(std::string_view quantity, double value)
{
    const auto found = std::ranges::find_if(m_rows, [&](const Row& row) { return row.quantity->id == quantity; });
    if (found != m_rows.end()) onEdited(*found, value, ui::EditPhase::Committed);
}

ui::ValueRail* InputsPanel::showRail(std::string_view quantity)
{
    ui::ValueRail* target = rail(quantity);
    if (target == nullptr) return nullptr;
    for (QWidget* outer = target->parentWidget(); outer != nullptr && outer != this; outer = outer->parentWidget()) {
        if (auto* group = qobject_cast<CollapsibleGroup*>(outer)) group->setOpen(true);
    }
    target->setOpen(true);
    // A group or a rail that was just opened has no layout yet.
    target->layout()->activate();
    widget()->layout()->activate();
    ensureWidgetVisible(target);
    return target;
}

void InputsPanel::goToRail(std::string_view quantity)
{
    ui::ValueRail* target = showRail(quantity);
    if (target == nullptr) return;
    target->field()->setFocus(Qt::ShortcutFocusReason);
    target->field()->selectAll();
}

QStringList InputsPanel::openRails() const
{
    QStringList open;
    for (const Row& row : m_rows) {
        if (row.rail->isOpen()) open << row.rail->objectName();
    }
    return open;
}

void InputsPanel::setOpenRails(const QStringList& quantities)
{
    for (const Row& row : m_rows)
        row.rail->setOpen(quantities.contains(row.rail->objectName()));
}

QuantityContext InputsPanel::context() const
{
    return {m_presets, m_document.derivedFactor(), &m_document.openedPlan(), m_document.derivedBatchFactor()};
}

void InputsPanel::onEdited(const Row& row, double value, ui::EditPhase phase)
{
    const PlanQuantity& quantity = *row.quantity;
    if (!m_document.isDragging()) {
        m_value_before_drag = quantity.read(m_document.plan());
        m_plan_before_drag = m_document.plan();
    }
    const auto kind = quantity.format.kind;
    const QString text = tr("%1 %2 → %3")
                             .arg(quantityLabel(quantity, m_document.plan()),
                                 ui::formatQuantity(m_value_before_drag, kind), ui::formatQuantity(value, kind));
    m_edited = &quantity;
    m_document.edit(quantity.write(m_document.plan(), value, context()), text, ui::verbatim(quantity.id), phase);
    m_edited = nullptr;
    m_note = noteOnHeldBatch(quantity, value, m_plan_before_drag, m_document.plan(), m_document.derivedBatchFactor());
    m_noted = m_note.isEmpty() ? nullptr : &quantity;
    row.rail->setProblem(m_note, false);
    // If the value was not accepted as asked for, the rail shows the actual value.
    row.rail->setValue(quantity.read(m_document.plan()));
}

void InputsPanel::onLockToggled(const PlanQuantity& quantity, bool locked)
{
    if (quantity.id == kExpertTensor) {
        // Open, it follows the framework's default; closed, it keeps the number that this is now.
        Plan changed = m_document.plan();
        auto& shared_by = changed.parallelism.expert_tensor;
        shared_by = locked ? std::optional(expertTensor(m_document.plan())) : std::nullopt;
        m_document.edit(std::move(changed), locked ? tr("Expert tensor held") : tr("Expert tensor automatic"));
    } else if (const auto opened = derivedBatchFactorOf(quantity.id)) {
        // When the derived factor is locked, another one becomes derived: the micro-batch size, if it was the number of
        // micro-batches. Otherwise only data parallelism is left.
        const bool was_default = *opened == DerivedBatchFactor::MicroBatches;
        const auto next = was_default ? DerivedBatchFactor::MicroBatch : DerivedBatchFactor::Data;
        m_document.setDerivedBatchFactor(locked ? next : *opened);
    } else {
        const bool holds_data = (quantity.id == "data") == locked;
        // Data parallelism that is held, or derived from the cards, is no longer derived from the batch.
        if (m_document.derivedBatchFactor() == DerivedBatchFactor::Data)
            m_document.setDerivedBatchFactor(DerivedBatchFactor::MicroBatches);
        m_document.setDerivedFactor(holds_data ? DerivedFactor::Nodes : DerivedFactor::Data);
    }
    showValues();
}

void InputsPanel::showValues()
{
    const Plan& plan = m_document.plan();
    const DerivedFactor derived = m_document.derivedFactor();
    const DerivedBatchFactor batch_derived = m_document.derivedBatchFactor();
    if (m_edited == nullptr) m_noted = nullptr; // the plan was changed elsewhere
    arrangeRails(purposeOf(plan.workload.task));
    for (const auto& [quantity, rail, place] : m_rows) {
        const auto formula = derivation(*quantity, plan, derived, batch_derived);
        rail->setVisible(isOffered(*quantity, plan));
        const QString label = quantityLabel(*quantity, plan);
        if (label != rail->name()) rail->setName(label);
        rail->setFormat(quantityFormat(*quantity, plan));
        rail->setDerived(formula.has_value(), formula.value_or(QString()));
        const bool renamed = label != quantityLabel(*quantity); // "Concurrent sequences": the name says the unit
        rail->setUnit(renamed ? QString() : formula ? quantityUnit(*quantity) : unitOf(*quantity, plan));
        rail->setValue(quantity->read(plan));
        rail->setResetValue(quantity->read(m_document.openedPlan()));
        if (quantity->id == "data")
            rail->setLocked(derived == DerivedFactor::Nodes && batch_derived != DerivedBatchFactor::Data);
        if (quantity->id == kExpertTensor) rail->setLocked(plan.parallelism.expert_tensor.has_value());
        if (quantity->id == "nodes") rail->setLocked(derived == DerivedFactor::Data);
        if (const auto of_batch = derivedBatchFactorOf(quantity->id)) rail->setLocked(*of_batch != batch_derived);
        // Verdicts are valid for one plan. Only those of the quantity being moved stay valid, because its stops give
        // the same plans.
        if (quantity != m_edited) rail->dimVerdicts();
    }
    m_strips.cancel();
    m_controls.refresh();
    for (RecipePanel* recipe : m_recipes)
        recipe->refresh();
    for (const auto& [part, section] : m_sections)
        section->setVisible(shows(plan, part));
    showMarks();
}

/// How many inputs of a folded section differ from the plan that was opened, and whether one breaks a rule.
void InputsPanel::showMarks()
{
    const Plan& plan = m_document.plan();
    const Plan& opened = m_document.openedPlan();
    for (const Section& section : m_groups) {
        const auto differs = [&](std::string_view field) {
            return shows(plan, field) && fieldAt(field)->get(plan) != fieldAt(field)->get(opened);
        };
        const auto changed = std::ranges::count_if(section.fields, differs);
        QString mark = changed == 0 ? QString() : tr("changed: %1", "inputs of a folded group").arg(changed);
        const auto breaks = [&](const Check& check) {
            return check.severity == Severity::Error
                && std::ranges::find(section.fields, check.field) != section.fields.end();
        };
        const auto& estimate = m_document.estimate();
        if (estimate != nullptr && std::ranges::any_of(estimate->checks, breaks))
            mark += mark.isEmpty() ? QStringLiteral("✖") : QStringLiteral(" ✖");
        section.group->setMark(mark);
    }
}

void InputsPanel::showProblems()
{
    const auto& checks = m_document.estimate()->checks;
    showMarks();
    for (const auto& [quantity, rail, place] : m_rows) {
        const Check* broken = quantity->field.empty() ? nullptr : checkOf(checks, quantity->field);
        if (broken == nullptr)
            rail->setProblem(quantity == m_noted ? m_note : QString(), false);
        else
            rail->setProblem(ui::translated(broken->message), broken->severity == Severity::Error);
    }
}

/// Rails of a closed group follow when it opens.
void InputsPanel::showStops()
{
    m_stops_delay.stop();
    for (const Row& row : m_rows)
        showStopsOf(row);
    m_strip_delay.start();
}

/// In a drag one rail follows with each edit: the stops of all of them would take up to a quarter of a frame. After the
/// last rail it is the turn of the run's note, whose text moves everything below it.
void InputsPanel::showNextStops()
{
    m_strip_delay.start();
    while (m_next_stops < m_rows.size()) {
        if (showStopsOf(m_rows[m_next_stops++])) return;
    }
    m_next_stops = 0;
    showRun();
}

/// Only if the rail is visible, because each of its stops is a plan to check. Returns whether it is.
bool InputsPanel::showStopsOf(const Row& row)
{
    if (row.rail->isDerived() || !row.rail->isVisibleTo(widget())) return false;
    const auto held = m_document.isDragging() ? row.rail->stops() : std::vector<ui::Stop>();
    row.rail->setStops(quantityStops(*row.quantity, m_document.plan(), context(), held));
    return true;
}

/// Those of another plan.
void InputsPanel::forgetStrips()
{
    for (const Row& row : m_rows)
        row.rail->setVerdicts({});
}

void InputsPanel::requestStrips()
{
    std::vector<StripRequest> requests;
    for (const auto& [quantity, rail, place] : m_rows) {
        // Tokens, prices, the network and a server's load do not affect memory.
        const bool to_memory = quantity->group != QuantityGroup::Run && quantity->group != QuantityGroup::Network
            && quantity->group != QuantityGroup::Load;
        if (rail->isDerived() || !rail->isVisibleTo(widget()) || !to_memory) continue;
        StripRequest request{ui::verbatim(quantity->id), {}};
        for (const ui::Stop& stop : rail->stops())
            request.plans.push_back(quantity->write(m_document.plan(), stop.value, context()));
        requests.push_back(std::move(request));
    }
    m_strips.request([asked = std::move(requests), profile = m_document.profile()](
                         QPromise<Strip>& promise) { findStrips(promise, asked, profile); });
}

} // namespace cardfit::app
