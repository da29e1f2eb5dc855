// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <QDialog>

#include "core/io/plan/preset_files.h"
#include "core/io/plan/presets.h"

class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QTabBar;
class QTabWidget;
class QTreeWidget;

namespace cardfit::app {

class PresetForm;

/// Models, accelerators, clusters and plans that there are: browsed and searched; duplicated, changed as a form or as
/// JSON, imported, exported and deleted. Only presets of the user's own change; those that ship stay as they are.
class PresetDialog : public QDialog {
    Q_OBJECT

public:
    /// Whoever handles presetsChanged() may reload `presets`; the dialog then shows the new ones.
    explicit PresetDialog(const Presets& presets, QWidget* parent = nullptr);
    ~PresetDialog() override;

    void showKind(PresetKind kind);
    /// False if no listed preset has the id; of several the one that counts.
    bool select(std::string_view id);
    [[nodiscard]] const PresetFile* selected() const;
    /// Ids in the list as it is filtered, in its order.
    [[nodiscard]] QStringList listedIds() const;

    [[nodiscard]] QLineEdit& searchField() { return *m_search; }
    [[nodiscard]] PresetForm& form() { return *m_form; }
    [[nodiscard]] QPlainTextEdit& json() { return *m_json; }
    [[nodiscard]] QString message() const;
    [[nodiscard]] bool isModified() const { return m_modified; }
    [[nodiscard]] bool canSave() const;

    /// Copies the selected preset to an own one with a new id, and selects that.
    bool duplicate();
    bool save();
    void revert();
    /// Deletes what is selected, which must be an own preset, without asking.
    bool deleteSelected();
    /// Replaces an own preset of the same id only if `overwrites`; otherwise wouldReplace() then says so.
    bool importFile(const std::filesystem::path& file, bool overwrites = false);
    [[nodiscard]] bool wouldReplace() const { return m_would_replace; }
    bool exportTo(const std::filesystem::path& file);

    void reject() override;

signals:
    void presetsChanged();
    /// The plan shall have this preset.
    void useAsked(cardfit::PresetKind kind, const QString& id);

private:
    void buildLayout();
    void fillList();
    void showSelected();
    void setText(const std::string& text);
    void check();
    void markInJson(const Error& error);
    void say(const QString& message, bool is_error);
    void complain(const Error& error);
    void updateButtons();
    /// Files have changed: everybody reads them again, and the list shows the one with the id.
    void reload(PresetKind kind, const std::string& id);
    void askAndDelete();
    void askAndImport();
    void askAndExport();
    [[nodiscard]] PresetKind kind() const;
    [[nodiscard]] bool isOwn() const;

    const Presets& m_presets;
    std::vector<PresetFile> m_files;
    std::string m_saved; ///< text of the selected file
    std::optional<Error> m_error; ///< of the text as it stands
    bool m_modified = false;
    bool m_would_replace = false; ///< the last import failed for that alone
    bool m_filling = false; ///< the program changes a field, not the user

    QTabBar* m_kinds;
    QLineEdit* m_search;
    QTreeWidget* m_list;
    QLabel* m_title;
    QLabel* m_source;
    QTabWidget* m_pages;
    PresetForm* m_form;
    QPlainTextEdit* m_json;
    QLabel* m_message;
    QPushButton* m_use;
    QPushButton* m_duplicate;
    QPushButton* m_save;
    QPushButton* m_revert;
    QPushButton* m_delete;
    QPushButton* m_import;
    QPushButton* m_export;
    QPushButton* m_close;
};

} // namespace cardfit::app
