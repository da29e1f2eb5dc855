// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/recovery/edit_keeper.h"

#include "app/document/plan_document.h"
#include "core/io/plan/recovery_text.h"
#include "widgets/text/translated.h"

namespace cardfit::app {

namespace {

constexpr int kDelay = 400; ///< milliseconds from an edit to its writing

} // namespace

EditKeeper::EditKeeper(PlanDocument& document, std::filesystem::path directory, QObject* parent)
    : QObject(parent)
    , m_document(document)
    , m_directory(std::move(directory))
{
    m_writer.setMaxThreadCount(1);
    m_delay.setSingleShot(true);
    m_delay.setInterval(kDelay);
    connect(&m_delay, &QTimer::timeout, this, &EditKeeper::keep);
    connect(&m_document, &PlanDocument::planChanged, this, &EditKeeper::follow);
    connect(&m_document, &PlanDocument::fileChanged, this, &EditKeeper::follow);
}

EditKeeper::~EditKeeper()
{
    if (m_delay.isActive()) keepNow();
    m_writer.waitForDone();
}

void EditKeeper::finish()
{
    m_delay.stop();
    drop();
    m_writer.waitForDone();
}

void EditKeeper::follow()
{
    if (!m_document.isModified()) {
        m_delay.stop();
        drop();
    } else if (!m_delay.isActive()) {
        // Never restarted: a stream of edits must not push the writing away.
        m_delay.start();
    }
}

void EditKeeper::keepNow()
{
    m_delay.stop();
    m_writer.waitForDone();
    if (m_document.isModified()) keep();
    m_writer.waitForDone();
}

void EditKeeper::keep()
{
    // A slow disk gets the newest plan when it is done with the last one.
    if (m_writing.exchange(true)) {
        m_delay.start();
        return;
    }
    m_writer.start([this, unsaved = UnsavedPlan{m_document.plan(), m_document.filePath().toStdString()}] {
        write(recoveryText(unsaved));
        m_writing = false;
    });
}

void EditKeeper::write(const std::string& text)
{
    Result<void> written;
    if (m_hold == nullptr) {
        auto hold = RecoveryHold::create(m_directory);
        if (hold)
            m_hold = *std::move(hold);
        else
            written = tl::unexpected<Error>(std::move(hold.error()));
    }
    if (m_hold != nullptr) written = m_hold->write(text);
    if (!written && !m_has_failed) emit failed(ui::translated(written.error()));
    m_has_failed = !written;
}

void EditKeeper::drop()
{
    m_writer.start([this] {
        if (m_hold != nullptr) m_hold->remove();
    });
}

} // namespace cardfit::app
