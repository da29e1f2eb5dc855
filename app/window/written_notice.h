// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QTimer>
#include <QWidget>

class QLabel;
class QPushButton;

namespace cardfit::app {

/// Says in the status bar that a file was written, and opens its folder; goes by itself after a while.
class WrittenNotice : public QWidget {
    Q_OBJECT

public:
    explicit WrittenNotice(QWidget* parent = nullptr);

    /// `warning`: why nobody should use the file as it is; empty if nothing is wrong with it.
    void show(const QString& file, const QString& warning = {});
    [[nodiscard]] QString text() const;
    [[nodiscard]] QString warning() const;
    [[nodiscard]] QPushButton& folderButton() { return *m_folder; }

private:
    void openFolder();

    QString m_file;
    QLabel* m_text;
    QLabel* m_warning;
    QPushButton* m_folder;
    QTimer m_gone;
};

} // namespace cardfit::app
