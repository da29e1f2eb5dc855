// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QListWidget;
class QTextBrowser;

namespace cardfit::app {

/// The pages that explain the window; part of the program, so that they need no network.
class HelpWindow : public QWidget {
    Q_OBJECT

public:
    explicit HelpWindow(QWidget* parent = nullptr);

    /// Opens a page by its topic: "bars". An unknown one opens the first page.
    void showTopic(const QString& topic);
    [[nodiscard]] QString topic() const;
    [[nodiscard]] QTextBrowser* browser() const { return m_browser; }

    /// In the order of the list.
    [[nodiscard]] static QStringList topics();
    /// Marks a widget, and all inside it, as explained by a page.
    static void explainBy(QWidget* widget, const QString& topic);
    /// The page that explains the widget; the first one if none does.
    [[nodiscard]] static QString topicOf(const QWidget* widget);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void showPage(int row);

    QListWidget* m_list;
    QTextBrowser* m_browser;
};

} // namespace cardfit::app
