// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include <QString>
#include <QWidget>

#include "core/files/preset_files.h"

class QFormLayout;
class QLineEdit;

namespace cardfit::app {

/// A form for the important values of a preset's text. Every field stands for a JSON pointer.
class PresetForm : public QWidget {
    Q_OBJECT

public:
    explicit PresetForm(QWidget* parent = nullptr);
    ~PresetForm() override;

    /// Shows the values of a text. Fields of a group that the text does not contain are left out.
    void setText(PresetKind kind, const std::string& text, bool read_only);
    /// Marks the field of a JSON pointer as wrong; an empty pointer marks none.
    void markProblem(const QString& pointer);
    /// Null if there is no such field.
    [[nodiscard]] QLineEdit* field(const QString& pointer) const;

signals:
    void edited(const QString& text); ///< the whole text with the new value
    void refused(const QString& reason); ///< the typed text is not a valid value

private:
    struct Field {
        std::string pointer;
        bool is_word = false;
        QLineEdit* edit = nullptr;
    };

    void build(PresetKind kind);
    void addRow(const std::string& pointer, bool is_word, const QString& label, const QString& unit = {});
    void commit(const Field& field);

    QFormLayout* m_rows;
    std::vector<Field> m_fields;
    PresetKind m_kind = PresetKind::Model;
    std::string m_text;
};

} // namespace cardfit::app
