// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFontDatabase>
#include <QMimeData>
#include <QPlainTextEdit>

namespace cardfit::ui {

/// A field for a script, a log or a file.
class RawTextEdit : public QPlainTextEdit {
public:
    explicit RawTextEdit(QWidget* parent = nullptr)
        : QPlainTextEdit(parent)
    {
        setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
        setLineWrapMode(QPlainTextEdit::NoWrap);
        setTabChangesFocus(true);
    }

protected:
    /// Qt 6.4 crashes on a paste from an empty clipboard: it reads the first of no formats.
    void insertFromMimeData(const QMimeData* source) override
    {
        if (!source->formats().isEmpty()) QPlainTextEdit::insertFromMimeData(source);
    }
};

} // namespace cardfit::ui
