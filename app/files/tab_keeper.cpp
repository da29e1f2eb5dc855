// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/files/tab_keeper.h"

#include <algorithm>
#include <exception>

#include <QDir>
#include <QFileInfo>

#include "app/document/file_path.h"
#include "app/document/plan_document.h"
#include "core/files/file.h"
#include "core/files/plan_file.h"
#include "core/files/preset_library.h"
#include "widgets/text/translated.h"

namespace cardfit::app {

namespace {

namespace fs = std::filesystem;

constexpr int kDelay = 400; ///< milliseconds between a change and its writing
constexpr std::size_t kMostClosed = 20;

} // namespace

std::vector<LeftPlan> leftPlans(const fs::path& directory, const Presets& presets)
{
    std::vector<LeftPlan> left;
    for (auto& file : leftRecoveries(directory)) {
        auto content =
            readFile(file->path()).and_then([&](const std::string& text) { return parseRecovery(text, presets); });
        const QDateTime when = QFileInfo(fromPath(file->path())).lastModified();
        left.push_back({std::move(file), std::move(content), when});
    }
    return left;
}

TabKeeper::TabKeeper(PlanDocument& document, fs::path directory, QObject* parent)
    : QObject(parent)
    , m_document(document)
    , m_directory(std::move(directory))
{
    m_writer.setMaxThreadCount(1);
    m_delay.setSingleShot(true);
    m_delay.setInterval(kDelay);
    connect(&m_delay, &QTimer::timeout, this, &TabKeeper::startWriting);
    connect(&m_document, &PlanDocument::planChanged, this, &TabKeeper::follow);
    connect(&m_document, &PlanDocument::fileChanged, this, &TabKeeper::follow);
    connect(&m_document, &PlanDocument::tabsChanged, this, &TabKeeper::follow);
    connect(&m_document, &PlanDocument::closing, this, &TabKeeper::keepClosed);
}

TabKeeper::~TabKeeper()
{
    if (m_delay.isActive()) writeNow();
    m_writer.waitForDone();
}

/// A start that nobody has touched needs no file.
std::optional<UnsavedPlan> TabKeeper::contentOf(int index) const
{
    const OpenPlan& tab = m_document.tab(index);
    if (tab.isStart()) return std::nullopt;
    UnsavedPlan content{tab.plan, tab.file.path().toStdString(), tab.isModified()};
    if (content.edited && !content.file.empty()) content.file_text = tab.file.text();
    content.imported = tab.imported_text.toStdString();
    content.place = index;
    content.shown = index == m_document.current();
    if (tab.slot >= 0) content.letter = QString(PlanDocument::letter(tab.slot)).toStdString();
    return content;
}

int TabKeeper::open(const UnsavedPlan& content, const Presets& presets)
{
    KeptPlan kept;
    // An older version stored the path as it was typed, relative to a folder that is unknown.
    if (!QDir::isRelativePath(QString::fromStdString(content.file))) kept.file = QString::fromStdString(content.file);
    const auto on_disk = readFile(toPath(kept.file)); // an error without a file
    kept.file_text = content.file_text.empty() ? on_disk.value_or(std::string()) : content.file_text;
    const auto saved = parsePlan(kept.file_text, presets);
    kept.saved = saved ? *saved : content.plan;
    kept.plan = content.edited ? content.plan : kept.saved;
    kept.in_no_file = content.edited && !saved;
    kept.imported_text = QString::fromStdString(content.imported);
    if (content.letter.size() == 1) kept.slot = content.letter.front() - 'A';
    return m_document.restore(kept);
}

void TabKeeper::restore(const Presets& presets)
{
    auto left = leftPlans(m_directory, presets);
    // Those of one program in their order; if several have ended, the newest program's come last.
    std::ranges::reverse(left);
    std::ranges::stable_sort(left, {}, [](const LeftPlan& one) { return one.content ? one.content->place : 0; });
    int shown = -1;
    for (LeftPlan& one : left) {
        if (!one.content) {
            setAside(one.file->path(), one.content.error());
            continue;
        }
        const int id = open(*one.content, presets);
        m_kept[id] = std::make_shared<Kept>(Kept{std::move(one.file), {}});
        if (one.content->shown || shown < 0) shown = id;
    }
    restorePins(presets);
    m_document.show(m_document.indexOfId(shown));
}

/// Up to version 4 of the layout there were three places for pins, each with a plan file.
void TabKeeper::restorePins(const Presets& presets)
{
    std::vector<fs::path> read;
    for (const char* name : {"a.json", "b.json", "c.json"}) {
        const fs::path file = pinDirectory() / name;
        std::error_code unknown;
        if (pinDirectory().empty() || !fs::exists(file, unknown)) continue;
        const auto plan = readPlan(file, presets);
        if (!plan) {
            setAside(file, plan.error());
            continue;
        }
        open({*plan, {}, true}, presets);
        read.push_back(file);
    }
    if (read.empty() || !writeNow()) return;
    for (const fs::path& file : read) {
        std::error_code kept; // then it becomes a tab once more
        fs::remove(file, kept);
    }
}

/// What cannot be read is kept under another name, so that it is said once and lost never.
void TabKeeper::setAside(const fs::path& file, const Error& why)
{
    fs::path aside = file;
    aside += ".unreadable";
    std::error_code problem;
    fs::rename(file, aside, problem);
    emit failed(
        tr("A plan of the last time could not be opened; it is kept as %1").arg(fromPath(problem ? file : aside)),
        ui::translated(why));
}

std::vector<LeftPlan> TabKeeper::closedPlans(const Presets& presets) const
{
    auto closed = leftPlans(closedDirectory(), presets);
    std::erase_if(closed, [](const LeftPlan& one) { return !one.content; });
    return closed;
}

void TabKeeper::reopen(const LeftPlan& closed, const Presets& presets)
{
    m_document.show(m_document.indexOfId(open(*closed.content, presets)));
    if (writeNow()) closed.file->remove();
}

void TabKeeper::follow()
{
    // Not restarted while it runs: frequent edits would postpone the writing forever.
    if (!m_delay.isActive()) m_delay.start();
}

bool TabKeeper::writeNow()
{
    m_delay.stop();
    m_writer.waitForDone();
    startWriting();
    m_writer.waitForDone();
    return !m_has_failed;
}

void TabKeeper::startWriting()
{
    // While a slow disk is still writing, wait; then write the newest plans.
    if (m_writing.exchange(true)) {
        m_delay.start();
        return;
    }
    std::vector<Job> jobs;
    std::map<int, std::shared_ptr<Kept>> kept;
    for (int index = 0; index < m_document.count(); ++index) {
        const int id = m_document.tab(index).id;
        auto known = m_kept.extract(id);
        auto& one = kept[id] = known ? std::move(known.mapped()) : std::make_shared<Kept>();
        jobs.push_back({one, contentOf(index)});
    }
    for (const auto& [id, closed] : m_kept)
        jobs.push_back({closed, std::nullopt});
    m_kept = std::move(kept);
    m_writer.start([this, jobs = std::move(jobs)] {
        // An exception must not end the program here, since it holds the edits that the user would lose.
        try {
            Result<void> written;
            for (const Job& job : jobs) {
                if (job.content) {
                    if (auto one = write(*job.kept, *job.content, m_directory); !one) written = std::move(one);
                } else if (job.kept->file != nullptr) {
                    job.kept->file->remove();
                    job.kept->text.clear();
                }
            }
            if (!m_has_failed.exchange(!written) && !written) sayFailed(ui::translated(written.error()));
        } catch (const std::exception& escaped) {
            m_has_failed = true;
            sayFailed(QString::fromLocal8Bit(escaped.what()));
        }
        m_writing = false;
    });
}

void TabKeeper::sayFailed(const QString& why) { emit failed(tr("Open plans cannot be kept for the next start"), why); }

Result<void> TabKeeper::write(Kept& kept, const UnsavedPlan& content, const fs::path& directory)
{
    std::string text = recoveryText(content);
    if (text == kept.text) return {};
    if (kept.file == nullptr) {
        auto made = RecoveryFile::create(directory);
        if (!made) return tl::unexpected<Error>(std::move(made.error()));
        kept.file = *std::move(made);
    }
    auto written = kept.file->write(text);
    if (written) kept.text = std::move(text);
    return written;
}

/// What a file holds is found there again; the rest goes into a folder beside the open tabs.
void TabKeeper::keepClosed(int index)
{
    auto content = contentOf(index);
    if (!content || (!content->edited && !content->file.empty())) return;
    content->shown = false;
    content->letter.clear();
    Kept closed;
    if (const auto written = write(closed, *content, closedDirectory()); !written) {
        // Its own file stays for the next start.
        m_writer.waitForDone();
        m_kept.erase(m_document.tab(index).id);
        return sayFailed(ui::translated(written.error()));
    }
    closed.file.reset(); // ends the lock
    const auto all = leftRecoveries(closedDirectory());
    for (std::size_t i = kMostClosed; i < all.size(); ++i)
        all[i]->remove();
}

} // namespace cardfit::app
