// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/yaml/yaml_text.h"

#include <exception>
#include <sstream>
#include <utility>

#include <yaml-cpp/eventhandler.h>

namespace cardfit {

namespace {

/// Event handler that discards a document.
class SkippedDocument : public YAML::EventHandler {
public:
    void OnDocumentStart(const YAML::Mark&) override { }
    void OnDocumentEnd() override { }
    void OnNull(const YAML::Mark&, YAML::anchor_t) override { }
    void OnAlias(const YAML::Mark&, YAML::anchor_t) override { }
    void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t, const std::string&) override { }
    void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override { }
    void OnSequenceEnd() override { }
    void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override { }
    void OnMapEnd() override { }
};

} // namespace

Error yamlError(const YAML::Mark& mark, Sentence message)
{
    return Error{ErrorCode::WrongFormat, {}, Sentence::tr("line {}", {mark.line + 1}), std::move(message)};
}

Result<YAML::Node> readYaml(std::string_view text)
{
    // yaml-cpp throws; this function must not.
    try {
        // Not LoadAll: for a comma outside brackets it returns empty documents without end.
        std::istringstream stream{std::string(text)};
        YAML::Parser parser(stream);
        SkippedDocument skipped;
        if (!parser.HandleNextDocument(skipped))
            return fail(ErrorCode::WrongFormat, {}, Sentence::tr("expected one YAML document, found none"));
        if (parser.HandleNextDocument(skipped))
            return fail(ErrorCode::WrongFormat, {}, Sentence::tr("expected one YAML document, found more"));
        return YAML::Load(std::string(text));
    } catch (const YAML::Exception& problem) {
        return tl::unexpected<Error>(yamlError(problem.mark, Sentence::tr("expected YAML: {}", {problem.msg})));
    } catch (const std::exception& problem) {
        return fail(ErrorCode::WrongFormat, {}, Sentence::tr("expected YAML: {}", {problem.what()}));
    }
}

std::string shownYaml(const YAML::Node& node)
{
    constexpr std::size_t kLongest = 80;
    std::string text = node.IsScalar() ? node.Scalar() : node.IsSequence() ? "[...]" : node.IsMap() ? "{...}" : "null";
    if (text.size() > kLongest) text.resize(kLongest);
    return text;
}

} // namespace cardfit
