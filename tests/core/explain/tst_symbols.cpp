// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <set>

#include <rapidcheck.h>

#include "core/estimate/profiles.h"
#include "core/explain/symbols.h"
#include "tests/core/explain/runnable_plans.h"
#include "tests/test_program.h"

namespace cardfit::tst_symbols {

void holds(const char* name, const std::function<void()>& check) { QVERIFY2(rc::check(name, check), name); }

/// Formula times count is the term's bytes, to one byte of rounding for every tensor.
void formulasMeetBytes(const Plan& plan, const Estimate& estimate)
{
    for (std::size_t index = 0; index < estimate.stages.size(); ++index) {
        const auto known = symbols(plan, estimate, index);
        const SymbolValues values = valuesOf(known);
        for (const Term& term : estimate.stages[index].terms) {
            const auto formula = Formula::parse(term.formula);
            RC_ASSERT(formula.has_value());
            const auto one = formula->evaluate(values);
            if (!one) RC_FAIL(std::string(term.id) + ": " + describe(one.error()));
            const double found = *one * static_cast<double>(term.count);
            const double bytes = static_cast<double>(term.bytes.value());
            // A double holds whole numbers to 2^53; beyond that it rounds them itself.
            const double allowed = static_cast<double>(term.count) + std::abs(bytes) * 1e-15;
            if (std::abs(found - bytes) > allowed) {
                RC_LOG() << term.id << ": " << term.formula << " x " << term.count << " = "
                         << formula->inNumbers(Notation::Plain, values).value() << " x " << term.count << " = " << found
                         << ", not " << bytes << '\n';
                RC_FAIL("formula and bytes differ");
            }
        }
    }
}

class TestSymbols : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    { // Ranges are cut down below size 100.
        qputenv("RC_PARAMS", "seed=20261131 max_success=3000 max_size=400");
    }

    void everyFormulaIsItsNumber()
    {
        std::set<std::string> seen;
        holds("formulas of every term of every stage come to its bytes", [&] {
            Plan plan = runnable::plan();
            if (runnable::flag()) plan.calibration = Calibration{{}, 1.1, 1.0, Bytes(runnable::flag() ? 12345 : -678)};
            const Estimate result = estimate(plan);
            RC_PRE(result.complete());
            formulasMeetBytes(plan, result);
            for (const StageMemory& stage : result.stages) {
                for (const Term& term : stage.terms)
                    seen.insert(std::string(term.id));
            }
        });
        // The plans are varied enough only if they meet what is rare.
        for (const char* id :
            {"adapter.expert_latent", "attention.dropout_output", "attention.kv_expanded", "attention.output_sent",
                "activations.offloaded", "experts.down.output_gradient", "join.gathered_input", "join.output_gradient",
                "key_value.up.gathered_input", "key_value.up_input", "mlp.up.gathered_input", "output.output_gradient",
                "qkv.gathered_input", "qkv.output_gradient", "query.down.output_gradient", "query.up.output_gradient",
                "shared.up.gathered_input", "shared.down.output_gradient", "buffer.offload", "buffer.restored_matrix",
                "checkpoints", "experts.copies", "forward.layers", "gathered.keys_values", "gradient.scores",
                "key_value.latent", "kv_cache.windowed", "calibration.residual", "loss.chunk",
                "optimizer.newton_schulz", "optimizer.experts.gradient_copy", "prediction.joined", "prefill.experts",
                "projection.input", "recomputed.layers", "shared.input", "weights.experts.quantized", "weights.stashed",
                "weights.experts.served"}) {
            QVERIFY2(seen.count(id) == 1, id);
        }
    }

    void underTheArticlesProfile()
    {
        holds("the article's formulas come to its bytes", [] {
            const Plan plan = runnable::plan();
            const Estimate result = estimateUnder(plan, Profile::Article);
            RC_PRE(result.complete());
            formulasMeetBytes(plan, result);
        });
    }

    void symbolsAreDistinctAndExplained()
    {
        const Plan plan = samples::llama13BOnEightCards();
        std::set<std::string_view> names;
        const Estimate result = estimate(plan);
        for (const Symbol& symbol : symbols(plan, result, 0)) {
            QVERIFY2(names.insert(symbol.name).second, symbol.name.data());
            QVERIFY(!symbol.meaning.empty());
            QVERIFY(symbol.from == "derived" || symbol.from == "estimate" || symbol.from.starts_with('/'));
        }
    }
};

CARDFIT_TEST(TestSymbols)

} // namespace cardfit::tst_symbols
#include "tst_symbols.moc"
