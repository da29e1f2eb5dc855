// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QTimer>
#include <QWidget>

class QLabel;
class QPushButton;

namespace cardfit::app {

/// Shows in the status bar that a file was written, and opens its folder on request; disappears after a while.
class WrittenNotice : public QWidget {
    Q_OBJECT

public:
    explicit WrittenNotice(QWidget* parent = nullptr);

    /// `warning`: why the file should not be used as it is; empty if nothing is wrong.
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
