// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QListWidget;
class QTextBrowser;

namespace cardfit::app {

/// The guide (resources/guide) and the reference, which the program makes of its own tables; no network is needed.
class HelpWindow : public QWidget {
    Q_OBJECT

public:
    explicit HelpWindow(QWidget* parent = nullptr);

    /// Opens a page by its topic: "bars". An unknown topic opens the first page.
    void showTopic(const QString& topic);
    [[nodiscard]] QString topic() const;
    [[nodiscard]] QTextBrowser* browser() const { return m_browser; }

    /// In the order of the list.
    [[nodiscard]] static QStringList topics();
    /// Whether a page is made when it is opened: a part of the reference.
    [[nodiscard]] static bool isGenerated(const QString& topic);
    /// Assigns a help page to a widget and everything inside it.
    static void explainBy(QWidget* widget, const QString& topic);
    /// The page assigned to the widget; the first page if there is none.
    [[nodiscard]] static QString topicOf(const QWidget* widget);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void showPage(int row);

    QListWidget* m_list;
    QTextBrowser* m_browser;
};

} // namespace cardfit::app
