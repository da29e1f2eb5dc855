// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdio>
#include <random>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <QAbstractButton>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QSettings>
#include <QTimer>

#include "app/document/file_path.h"
#include "app/files/plan_files.h"
#include "app/panels/machines_panel.h"
#include "app/window/guarded_application.h"
#include "app/window/main_window.h"
#include "app/window/window_host.h"

/// One of several windows in which one user does at random what users do: edits, saves and opens plans, closes tabs and
/// opens them again, edits a preset, changes settings. A lock is the user, who is in one window at a time; under it
/// every deed is written into a journal that all windows share, for tst_two_windows to judge.
///
/// Arguments: the folder with lock, journal and plans; this window's letter; a seed; how many deeds.
namespace {

using namespace cardfit;
using namespace cardfit::app;

/// The number that a deed leaves: the global batch of a plan, the nodes of a cluster.
int numberIn(const QString& text, const char* key)
{
    static const QString kNumber = QStringLiteral("\"%1\": (\\d+)");
    return QRegularExpression(kNumber.arg(QLatin1String(key))).match(text).captured(1).toInt();
}

class User {
public:
    User(WindowHost& host, QStringList arguments)
        : m_host(host)
        , m_folder(arguments.at(1))
        , m_letter(arguments.at(2))
        , m_random(arguments.at(3).toUInt())
        , m_lock(::open(qPrintable(m_folder + QStringLiteral("/user")), O_RDWR | O_CREAT | O_CLOEXEC, 0666))
        , m_journal(std::fopen(qPrintable(m_folder + QStringLiteral("/journal")), "a"))
    {
        m_left = arguments.at(4).toInt();
        QObject::connect(&m_answers, &QTimer::timeout, &m_answers, [this] { answer(); });
        m_answers.start(2);
        QObject::connect(&m_deeds, &QTimer::timeout, &m_deeds, [this] { act(); });
        m_deeds.start(20);
        ::flock(m_lock, LOCK_EX);
        sayTabs("restored");
        ::flock(m_lock, LOCK_UN);
    }

private:
    [[nodiscard]] MainWindow& window() { return m_host.window(); }
    [[nodiscard]] PlanDocument& document() { return window().document(); }
    [[nodiscard]] PlanFiles& files() { return window().part<PlanFiles>(); }
    int below(int count) { return std::uniform_int_distribution<>(0, count - 1)(m_random); }

    void say(const QString& line)
    {
        std::fprintf(m_journal, "%s %s\n", qPrintable(m_letter), qPrintable(line));
        std::fflush(m_journal);
    }
    /// The numbers that no file holds.
    void sayTabs(const char* what)
    {
        QString line = QLatin1String(what);
        for (int tab = 0; tab < document().count(); ++tab) {
            if (document().tab(tab).isModified())
                line += QStringLiteral(" %1").arg(document().tab(tab).plan.workload.global_batch_size);
        }
        say(line);
    }
    /// No other deed of any window has this number.
    int newNumber()
    {
        QFile counter(m_folder + QStringLiteral("/counter"));
        if (!counter.open(QIODevice::ReadWrite)) return 0;
        const int number = counter.readAll().toInt() + 1;
        counter.seek(0);
        counter.write(QByteArray::number(number));
        return number;
    }

    void act()
    {
        if (QApplication::activeModalWidget() != nullptr) return;
        if (::flock(m_lock, LOCK_EX | LOCK_NB) != 0) return; // the user is elsewhere; this window goes on
        if (m_left-- > 0) {
            do {
                m_asked = false;
            } while (!deed(below(10)));
            sayTabs("tabs");
        } else {
            m_deeds.stop();
            window().part<MachinesPanel>().revert();
            window().close();
            QApplication::exit();
        }
        ::flock(m_lock, LOCK_UN);
    }

    /// False if there is nothing to do.
    bool deed(int which)
    {
        switch (which) {
        case 0:
        case 1:
        case 2: return edit();
        case 3: return save();
        case 4: return open();
        case 5: document().openStart(); return true;
        case 6: return close();
        case 7: files().reopen(); return true;
        case 8: return m_typed == 0 ? typePreset() : savePreset();
        default: return change();
        }
    }
    bool edit()
    {
        document().show(below(document().count()));
        Plan plan = document().plan();
        plan.workload.global_batch_size = newNumber();
        document().edit(std::move(plan), QStringLiteral("edit"));
        return true;
    }
    bool save()
    {
        const QString file = document().filePath();
        if (file.isEmpty() || !document().isModified()) return false;
        const auto known = QString::fromStdString(document().tab(document().current()).file.text());
        const int base = numberIn(known, "global_batch_size");
        const auto number = document().plan().workload.global_batch_size;
        if (files().save())
            say(QStringLiteral("saved %1 %2 %3 %4").arg(file).arg(base).arg(number).arg(m_asked ? "asked" : "unasked"));
        return true;
    }
    bool open()
    {
        const QString file = m_folder + QStringLiteral("/%1.json").arg(QStringLiteral("pqr")[below(3)]);
        if (files().open(file) && PlanFiles::recentFiles().value(0) == file) say(QStringLiteral("opened ") + file);
        return true;
    }
    bool close()
    {
        document().close(document().current());
        return true;
    }
    bool typePreset()
    {
        auto& panel = window().part<MachinesPanel>();
        panel.setSeen(true);
        panel.showKind(PresetKind::Cluster);
        if (!panel.select("shared")) return false;
        QString text = panel.json().toPlainText();
        m_base = numberIn(text, "nodes");
        m_typed = newNumber();
        panel.json().setPlainText(
            text.replace(QStringLiteral("\"nodes\": %1").arg(m_base), QStringLiteral("\"nodes\": %1").arg(m_typed)));
        return true;
    }
    bool savePreset()
    {
        auto& panel = window().part<MachinesPanel>();
        if (panel.save())
            say(QStringLiteral("saved %1 %2 %3 %4")
                    .arg(fromPath(panel.selected()->file))
                    .arg(m_base)
                    .arg(m_typed)
                    .arg(m_asked ? "asked" : "unasked"));
        else
            panel.revert();
        m_typed = 0;
        return true;
    }
    /// Each window has a setting of its own, and all have one together.
    bool change()
    {
        const QString key = QStringLiteral("drill/") + (below(2) == 0 ? m_letter : QStringLiteral("all"));
        const int number = newNumber();
        QSettings().setValue(key, number);
        say(QStringLiteral("set %1 %2").arg(key).arg(number));
        return true;
    }

    /// Whatever asks gets one of its answers, but for those that ask on.
    void answer()
    {
        auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
        if (box == nullptr) return;
        QList<QAbstractButton*> buttons;
        for (QAbstractButton* button : box->buttons()) {
            if (!button->text().contains(u'…')) buttons.append(button);
        }
        if (buttons.size() < 2) say(QStringLiteral("failed %1: %2").arg(box->text(), box->informativeText()));
        m_asked = true;
        buttons.at(below(static_cast<int>(buttons.size())))->click();
    }

    WindowHost& m_host;
    QString m_folder;
    QString m_letter;
    std::mt19937 m_random;
    int m_lock;
    std::FILE* m_journal;
    int m_left = 0; ///< deeds
    QTimer m_answers, m_deeds;
    bool m_asked = false;
    int m_base = 0, m_typed = 0; ///< nodes of the preset as it was read and as they were typed; 0: none
};

} // namespace

int main(int argc, char** argv)
{
    GuardedApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("cardfit"));
    QApplication::setOrganizationName(QStringLiteral("cardfit"));
    WindowHost host;
    host.window().restoreLayout();
    host.window().show();
    User user(host, QApplication::arguments());
    return QApplication::exec();
}
