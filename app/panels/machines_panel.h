// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <QWidget>

#include "app/panels/panel_context.h"
#include "core/files/preset_files.h"
#include "core/files/presets.h"

class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QTabBar;
class QTabWidget;
class QTreeWidget;

namespace cardfit::app {

class PresetForm;

/// The Machines room: browses and searches cards, clusters, models and plans; duplicates, edits (as a form with live
/// figures, or as JSON), imports, exports and deletes them. Only the user's own presets can be changed, not the shipped
/// ones. Clusters are saved and exported with their card's values, so that they outlive the card's preset and can be
/// given away. Files that cannot be read are listed with the reason, to be repaired or deleted.
class MachinesPanel : public QWidget, public SeenPanel {
    Q_OBJECT

public:
    /// Reads files once it is seen. A handler of presetsChanged() may reload `presets`; the new ones are shown then.
    explicit MachinesPanel(const Presets& presets, QWidget* parent = nullptr);
    ~MachinesPanel() override;

    void showKind(PresetKind kind);
    /// False if no listed preset has the id; if several have it, selects the one in effect.
    bool select(std::string_view id);
    [[nodiscard]] const PresetFile* selected() const;
    /// Ids of the filtered list, in its order.
    [[nodiscard]] QStringList listedIds() const;

    [[nodiscard]] QLineEdit& searchField() { return *m_search; }
    [[nodiscard]] PresetForm& form() { return *m_form; }
    [[nodiscard]] QPlainTextEdit& json() { return *m_json; }
    [[nodiscard]] QString message() const;
    [[nodiscard]] bool isModified() const { return m_modified; }
    [[nodiscard]] bool canSave() const;

    /// Copies the selected preset to a user's preset with a new id, and selects it.
    bool duplicate();
    bool save();
    void revert();
    /// Deletes the selected preset, which must be the user's own, without asking; what needs it keeps its values.
    bool deleteSelected();
    /// Names of the user's clusters and plans that get the selected preset's values when it is deleted.
    [[nodiscard]] QStringList needingSelected() const;
    /// Replaces a user's preset with the same id only if `overwrites`; otherwise wouldReplace() returns true. `card`
    /// takes the place of one that the file names and the presets lack; without it lackedCard() is that card's id.
    bool importFile(const std::filesystem::path& file, bool overwrites = false, const std::string& card = {});
    [[nodiscard]] bool wouldReplace() const { return m_would_replace; }
    [[nodiscard]] const std::string& lackedCard() const { return m_lacked_card; }
    /// Gives the selected preset, which names a card that the presets lack, another card, and saves it.
    bool repairWith(const std::string& card);
    bool exportTo(const std::filesystem::path& file);

    /// Reads the files again, unless one is being edited.
    void setSeen(bool seen) override;
    /// Whether the window may close: there are no edits, or the user gives them up.
    [[nodiscard]] bool mayClose();

signals:
    void presetsChanged();
    /// The user asks to use this preset in the plan.
    void useAsked(cardfit::PresetKind kind, const QString& id);

private:
    void buildLayout();
    void fillList();
    void showSelected();
    void showFigures(const PresetHeading& heading);
    void setText(const std::string& text);
    void check();
    void markInJson(const Error& error);
    void say(const QString& message, bool is_error);
    void complain(const Error& error);
    void updateButtons();
    /// Files have changed: all readers reload them, and the list selects the preset with the id.
    void reload(PresetKind kind, const std::string& id);
    void listFiles(PresetKind kind, const std::string& id);
    void askAndDelete();
    void askAndRepair();
    /// A card's id, picked by the user; empty if none was.
    [[nodiscard]] std::string askForCard(const std::string& missing);
    /// Saves a text with the presets that it refers to embedded if it is a cluster's.
    Result<std::filesystem::path> write(PresetKind kind, const std::string& id, const std::string& text,
        const std::optional<std::filesystem::path>& replaced = std::nullopt, bool overwrites = false);
    void nameTabs();
    void askAndImport();
    void askAndExport();
    [[nodiscard]] PresetKind kind() const;
    [[nodiscard]] bool isOwn() const;

    const Presets& m_presets;
    std::vector<PresetFile> m_files;
    std::string m_saved; ///< text of the selected file
    std::optional<Error> m_error; ///< error in the text as it is now
    bool m_modified = false;
    bool m_would_replace = false; ///< the last import failed only because it would replace a preset
    std::string m_lacked_card; ///< the last import failed only because of this card
    bool m_filling = false; ///< the program is changing a field, not the user

    QTabBar* m_kinds;
    QLineEdit* m_search;
    QTreeWidget* m_list;
    QLabel* m_title;
    QLabel* m_figures; ///< what the text as it is now amounts to
    QLabel* m_source;
    QTabWidget* m_pages;
    PresetForm* m_form;
    QPlainTextEdit* m_json;
    QLabel* m_message;
    QPushButton* m_use;
    QPushButton* m_duplicate;
    QPushButton* m_save;
    QPushButton* m_revert;
    QPushButton* m_repair;
    QPushButton* m_delete;
    QPushButton* m_import;
    QPushButton* m_export;
};

} // namespace cardfit::app
