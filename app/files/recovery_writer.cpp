// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/files/recovery_writer.h"

#include <exception>

#include "app/document/plan_document.h"
#include "core/files/recovery_text.h"
#include "widgets/text/translated.h"

namespace cardfit::app {

namespace {

constexpr int kDelay = 400; ///< milliseconds between an edit and its writing

} // namespace

RecoveryWriter::RecoveryWriter(PlanDocument& document, std::filesystem::path directory, QObject* parent)
    : QObject(parent)
    , m_document(document)
    , m_directory(std::move(directory))
{
    m_writer.setMaxThreadCount(1);
    m_delay.setSingleShot(true);
    m_delay.setInterval(kDelay);
    connect(&m_delay, &QTimer::timeout, this, &RecoveryWriter::startWriting);
    connect(&m_document, &PlanDocument::planChanged, this, &RecoveryWriter::follow);
    connect(&m_document, &PlanDocument::fileChanged, this, &RecoveryWriter::follow);
}

RecoveryWriter::~RecoveryWriter()
{
    if (m_delay.isActive()) writeNow();
    m_writer.waitForDone();
}

void RecoveryWriter::finish()
{
    m_delay.stop();
    startRemoving();
    m_writer.waitForDone();
}

void RecoveryWriter::follow()
{
    if (!m_document.isModified()) {
        m_delay.stop();
        startRemoving();
    } else if (!m_delay.isActive()) {
        // Not restarted while it runs: frequent edits would postpone the writing forever.
        m_delay.start();
    }
}

void RecoveryWriter::writeNow()
{
    m_delay.stop();
    m_writer.waitForDone();
    if (m_document.isModified()) startWriting();
    m_writer.waitForDone();
}

void RecoveryWriter::startWriting()
{
    // While a slow disk is still writing, wait; then write the newest plan.
    if (m_writing.exchange(true)) {
        m_delay.start();
        return;
    }
    m_writer.start([this, unsaved = UnsavedPlan{m_document.plan(), m_document.filePath().toStdString()}] {
        // An exception must not end the program here, since it holds the edits that the user would lose.
        try {
            write(recoveryText(unsaved));
        } catch (const std::exception& escaped) {
            emit failed(QString::fromLocal8Bit(escaped.what()));
        }
        m_writing = false;
    });
}

void RecoveryWriter::write(const std::string& text)
{
    Result<void> written;
    if (m_file == nullptr) {
        auto made = RecoveryFile::create(m_directory);
        if (made)
            m_file = *std::move(made);
        else
            written = tl::unexpected<Error>(std::move(made.error()));
    }
    if (m_file != nullptr) written = m_file->write(text);
    if (!written && !m_has_failed) emit failed(ui::translated(written.error()));
    m_has_failed = !written;
}

void RecoveryWriter::startRemoving()
{
    m_writer.start([this] {
        if (m_file != nullptr) m_file->remove();
    });
}

} // namespace cardfit::app
