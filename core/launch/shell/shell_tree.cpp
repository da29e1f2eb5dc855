// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/shell/shell_tree.h"

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <string_view>
#include <utility>

namespace cardfit::shell {

namespace {

class TreeReader {
public:
    explicit TreeReader(std::vector<Statement> statements)
        : m_statements(std::move(statements))
    {
    }

    Block read()
    {
        Block all;
        while (!atEnd()) {
            Block block = readBlock({});
            std::ranges::move(block, std::back_inserter(all));
            if (!atEnd()) takeWord(); // an end without a beginning
        }
        return all;
    }

private:
    using Words = std::initializer_list<std::string_view>;

    [[nodiscard]] bool atEnd() const { return m_at >= m_statements.size(); }
    Statement& current() { return m_statements[m_at]; }

    [[nodiscard]] bool begins(std::string_view word)
    {
        return !atEnd() && !current().words.empty() && isWord(current().words.front(), word);
    }

    /// Takes the first word of the statement; its joint once nothing else is left of it.
    Joint takeWord()
    {
        Statement& statement = current();
        if (!statement.words.empty()) statement.words.erase(statement.words.begin());
        const Joint joint = statement.joint;
        if (statement.words.empty() && statement.assigned.empty()) {
            ++m_at;
            return joint;
        }
        return Joint::End;
    }

    void skipEmpty()
    {
        while (!atEnd() && current().words.empty() && current().assigned.empty() && current().joint != Joint::CaseEnd)
            ++m_at;
    }

    /// Up to one of the words, which is not taken; or, in a branch of `case`, to its end.
    Block readBlock(Words ends, bool in_case = false)
    {
        constexpr std::string_view kEnds[] = {"then", "do", "done", "fi", "else", "elif", "esac", "}"};
        Block block;
        while (!atEnd()) {
            if (std::ranges::any_of(ends, [&](std::string_view word) { return begins(word); })) break;
            // The end of something around this: `fi` inside a loop without `done`.
            if (std::ranges::any_of(kEnds, [&](std::string_view word) { return begins(word); })) {
                if (m_depth > 0) break;
                takeWord();
                continue;
            }
            const bool empty = current().words.empty() && current().assigned.empty();
            if (empty) {
                const bool case_end = current().joint == Joint::CaseEnd;
                ++m_at;
                if (in_case && case_end) break;
                continue;
            }
            block.push_back(readNode());
            if (in_case && block.back().joint == Joint::CaseEnd) break;
        }
        return block;
    }

    Node readNode()
    {
        Node node;
        node.line = current().line;
        while (begins("!") && current().words.size() > 1) {
            node.negated = !node.negated;
            takeWord();
        }
        constexpr int kMostNested = 64; // a malicious file must not overflow the stack
        if (m_depth < kMostNested) {
            ++m_depth;
            const bool compound = readCompound(node);
            --m_depth;
            if (compound) return node;
        }
        node.statement = std::move(current());
        node.joint = node.statement.joint;
        ++m_at;
        return node;
    }

    bool readCompound(Node& node)
    {
        if (begins("if")) {
            node.kind = Node::Kind::If;
            takeWord();
            readIf(node);
        } else if (begins("case") && current().words.size() > 2) {
            node.kind = Node::Kind::Case;
            readCase(node);
        } else if (begins("for") || begins("select")) {
            node.kind = Node::Kind::For;
            readFor(node);
        } else if (begins("while") || begins("until")) {
            node.kind = begins("until") ? Node::Kind::Until : Node::Kind::While;
            Branch& loop = node.branches.emplace_back();
            loop.line = node.line;
            takeWord();
            loop.condition = readBlock({"do"});
            readLoop(node);
        } else if (begins("function") && current().words.size() > 1) {
            node.kind = Node::Kind::Function;
            takeWord();
            node.name = written(current().words.front());
            takeWord();
            skipEmpty();
            readGroup(node);
        } else if (begins("{")) {
            node.kind = Node::Kind::Group;
            readGroup(node);
        } else {
            return false;
        }
        return true;
    }

    void readIf(Node& node)
    {
        bool another = true;
        while (another) {
            Branch& branch = node.branches.emplace_back();
            branch.line = atEnd() ? node.line : current().line;
            branch.condition = readBlock({"then"});
            if (begins("then")) takeWord();
            branch.body = readBlock({"elif", "else", "fi"});
            another = begins("elif");
            if (another) takeWord();
        }
        if (begins("else")) {
            Branch& branch = node.branches.emplace_back();
            branch.line = current().line;
            takeWord();
            branch.body = readBlock({"fi"});
        }
        if (begins("fi")) node.joint = takeWord();
    }

    void readCase(Node& node)
    {
        takeWord();
        node.statement.line = current().line;
        node.statement.words.push_back(std::move(current().words.front()));
        takeWord();
        if (begins("in")) takeWord();
        while (!atEnd() && !begins("esac")) {
            Branch& branch = node.branches.emplace_back();
            branch.line = current().line;
            bool closed = false;
            while (!atEnd() && !closed && !begins("esac")) { // "a | b)" are statements with pipes between them
                closed = current().joint == Joint::Closed;
                if (!closed && current().joint != Joint::Pipe && !current().words.empty()) break;
                std::ranges::move(current().words, std::back_inserter(branch.patterns));
                ++m_at;
            }
            const std::size_t before = m_at;
            branch.body = readBlock({"esac"}, true);
            if (!closed && m_at == before && !atEnd() && !begins("esac")) break; // no pattern and nothing read
        }
        if (begins("esac")) node.joint = takeWord();
    }

    void readFor(Node& node)
    {
        takeWord();
        if (!atEnd() && !current().words.empty()) {
            node.name = written(current().words.front());
            Statement& head = current();
            const std::size_t list = head.words.size() > 1 && isWord(head.words[1], "in") ? 2 : head.words.size();
            node.statement.line = node.line;
            std::move(head.words.begin() + static_cast<std::ptrdiff_t>(list), head.words.end(),
                std::back_inserter(node.statement.words));
            ++m_at;
        }
        skipEmpty();
        node.branches.emplace_back().line = node.line;
        readLoop(node);
    }

    void readLoop(Node& node)
    {
        if (begins("do")) takeWord();
        node.branches.back().body = readBlock({"done"});
        if (begins("done")) node.joint = takeWord();
    }

    void readGroup(Node& node)
    {
        if (begins("{")) takeWord();
        Branch& only = node.branches.emplace_back();
        only.line = node.line;
        only.body = readBlock({"}"});
        if (begins("}")) node.joint = takeWord();
    }

    std::vector<Statement> m_statements;
    std::size_t m_at = 0;
    int m_depth = 0;
};

} // namespace

Block treeOf(std::vector<Statement> statements) { return TreeReader(std::move(statements)).read(); }

} // namespace cardfit::shell
