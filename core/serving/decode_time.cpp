// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving/decode_time.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/memory/inference.h"
#include "core/time/kernels.h"

namespace cardfit {

namespace {

constexpr double kWideBytes = 2.0; ///< of a weight that stays in 16 bits

double number(std::int64_t value) { return static_cast<double>(value); }

/// What two times make together where the longer one hides most of the shorter one.
double overlapped(double one, double other)
{
    const double a = one * one;
    const double b = other * other;
    return std::sqrt(std::sqrt(a * a + b * b));
}

/// Seconds of arithmetic of a product for one row, and of a grouped one those for each expert.
struct Arithmetic {
    double per_row = 0.0;
    double start = 0.0;
};

Arithmetic arithmeticOf(const Constants& constants, const KernelClock::Rate& rate, const MatrixProduct& product)
{
    const double sustained = constants[Constant::ServedProducts] * rate.sustained.value() * 1e12;
    const double ideal = 2.0 * product.inner * product.columns / sustained;
    const double inner = 1.0 + rate.curve.inner / product.inner;
    const double conversions = constants[Constant::ServedConversions] * rate.curve.columns / product.columns;
    const double rows = product.expert ? constants[Constant::ServedGroupedRows] : 0.0;
    return {ideal * (inner + conversions), ideal * rows * inner};
}

/// Multiplies nothing by a weight: the scores of an indexer, which are read with the cache.
bool isScore(const MatrixProduct& product) { return product.wide && product.copies > 1.0; }

/// Ranks whose tokens reach the same experts: with attention data parallelism all that share them.
double tokenRanks(const Plan& plan)
{
    if (!plan.model.architecture.moe) return 1.0;
    const std::int64_t ranks = expertCards(plan) / std::max<std::int64_t>(plan.parallelism.tensor, 1);
    return number(std::clamp<std::int64_t>(ranks, 1, std::max<std::int64_t>(dataParallel(plan), 1)));
}

/// FLOPs of attention per pair of tokens on a card. Decoding, latent attention multiplies queries with the latent
/// itself (DeepSeek-V2, arXiv:2405.04434, 2.1.2).
struct ScoreFlops {
    double decoded = 0.0, prompt = 0.0;
};
ScoreFlops scoreFlops(const Plan& plan, TokenMixer mixer)
{
    const Architecture& model = plan.model.architecture;
    const double tensor = number(plan.parallelism.tensor);
    if (model.mla) {
        const LatentAttention& mla = *model.mla;
        const double heads = number(model.num_attention_heads) / tensor;
        return {2.0 * heads * number(2 * mla.kv_lora_rank + mla.qk_rope_head_dim),
            2.0 * heads * number(mla.qk_nope_head_dim + mla.qk_rope_head_dim + mla.v_head_dim)};
    }
    const AttentionHeads heads = attentionHeads(model, mixer);
    const double flops = 2.0 * number(heads.queries) / tensor * number(heads.head_dim + heads.v_head_dim);
    return {flops, flops};
}

} // namespace

DecodeParts& DecodeParts::operator+=(const DecodeParts& other)
{
    for (const DecodePart& part : kDecodeParts)
        this->*part.time += other.*part.time;
    return *this;
}

DecodeParts operator*(double factor, const DecodeParts& parts)
{
    DecodeParts made;
    for (const DecodePart& part : kDecodeParts)
        made.*part.time = factor * (parts.*part.time);
    return made;
}

DecodeClock::DecodeClock(const PlanContext& context)
    : m_plan(context.plan)
    , m_token_ranks(tokenRanks(context.plan))
    , m_reached(reachedBandwidth(context.plan).value() * 1e9)
{
    const Architecture& model = m_plan.model.architecture;
    const Constants& constants = m_plan.constants;
    if (model.moe)
        m_untouched =
            1.0 - number(model.moe->num_experts_per_tok) / number(std::max<std::int64_t>(model.moe->num_experts, 1));
    if (m_token_ranks > 1.0) m_busiest = constants[Constant::BusiestExperts];
    if (model.sliding_window) m_window = number(model.sliding_window->size);
    if (model.sparse_attention && model.mla) m_chosen = number(model.sparse_attention->index_topk);
    const auto& curve = m_plan.cluster.accelerator.attention_curve;
    const double efficiency =
        curve ? curve->efficiency : constants[Constant::AttentionOverProducts] * constants[Constant::UsualEfficiency];
    m_score_rate = efficiency * referencePeak(m_plan).value() * 1e12;
    m_read_cache =
        1.0 / (constants[Constant::CacheBandwidth] * m_plan.cluster.accelerator.memory_bandwidth.value() * 1e9);
    m_per_sequence = constants[Constant::DecodedSequence];
    m_stages.reserve(context.stages.size());
    for (const StageLayers& layers : context.stages)
        m_stages.push_back(stageOf(context, layers));
}

DecodeClock::Stage DecodeClock::stageOf(const PlanContext& context, const StageLayers& layers) const
{
    const Plan& plan = m_plan;
    const Architecture& model = plan.model.architecture;
    const Constants& constants = plan.constants;
    const bool full = plan.recipe.precision == Precision::Fp32 || plan.recipe.precision == Precision::Fp16;
    const KernelClock::Rate wide = KernelClock::rateOf(plan, full ? plan.recipe.precision : Precision::Bf16);
    struct Format {
        KernelClock::Rate rate;
        double bytes = 0.0;
        bool narrow = false;
    };
    const auto formatOf = [&](WeightPart part) {
        const Precision format = servedFormat(plan, part);
        const bool narrow = bytesPerValue(format) < kWideBytes;
        return Format{narrow ? KernelClock::narrowRateOf(plan, format) : wide, servedMatrixBytes(plan, part), narrow};
    };
    const std::array formats{
        formatOf(WeightPart::Experts), formatOf(WeightPart::Attention), formatOf(WeightPart::Rest)};
    const double expert_reached =
        constants[Constant::ExpertBandwidth] * plan.cluster.accelerator.memory_bandwidth.value() * 1e9;
    const double chosen = model.moe ? number(model.moe->num_experts_per_tok) : 0.0;

    Stage stage;
    const auto add = [&](const MatrixProduct& product, WeightPart part, double times, Products& to) {
        if (isScore(product) && !product.expert) return;
        const Format& format = formats[static_cast<std::size_t>(product.expert ? WeightPart::Experts : part)];
        const bool narrow = !product.wide && format.narrow;
        const double bytes =
            times * product.copies * product.inner * product.columns * (narrow ? format.bytes : kWideBytes);
        const Arithmetic one = arithmeticOf(constants, narrow ? format.rate : wide, product);
        to.bytes += bytes;
        to.read += bytes / (product.expert ? expert_reached : m_reached);
        // Of E / e experts on this card, a token visits k / e.
        const double visited = product.expert ? chosen / number(plan.parallelism.expert) : product.copies;
        to.per_row += times * visited * one.per_row;
        to.start += times * product.copies * one.start;
    };
    const auto keep = [&](const Products& products) {
        if (products.read > 0.0) stage.products.push_back(products);
    };

    const double tensor = number(plan.parallelism.tensor);
    double sums = layers.embedding() && tensor > 1.0 ? 1.0 : 0.0;
    double exchanges = 0.0;
    const double floors =
        plan.cluster.accelerator.generation == Generation::Blackwell ? constants[Constant::BlackwellFloors] : 1.0;
    for (const auto [kind, count] : layerKinds(model, layers)) {
        const double times = number(count);
        Products mixer{DecodeWork::Mixer, kind, times};
        Products mlp{DecodeWork::Mlp, kind, times};
        Products experts{DecodeWork::Experts, kind, times};
        bool after = false;
        for (const Operator& step : context.tables.layers.of(kind)) {
            after = after || startsMlp(step);
            for (const MatrixProduct& product : step.products)
                add(product, after ? WeightPart::Rest : WeightPart::Attention, times,
                    product.expert ? experts
                        : after    ? mlp
                                   : mixer);
        }
        keep(mixer);
        keep(mlp);
        keep(experts);
        const auto launch = [&](DecodeWork work, double of, Constant least) {
            if (of > 0.0) stage.floors.push_back({work, of, of * floors * constants[least]});
        };
        const double halves = (kind.mixer == TokenMixer::None ? 0.0 : 0.5) + (kind.mlp == LayerMlp::None ? 0.0 : 0.5);
        launch(DecodeWork::Launches, times * halves, Constant::DecodedLayer);
        if (kind.experts()) launch(DecodeWork::ExpertLaunches, times, Constant::DecodedExperts);
        if (kind.recurrent()) launch(DecodeWork::RecurrentLaunches, times, Constant::DecodedRecurrence);
        if (model.sparse_attention && kind.attends())
            launch(DecodeWork::IndexerLaunches, times, Constant::DecodedIndexer);
        if (tensor > 1.0 && kind.mixer != TokenMixer::None) sums += times;
        if (kind.experts() && m_token_ranks > 1.0)
            exchanges += 2.0 * times; // to the experts and back
        else if (tensor > 1.0 && kind.mlp != LayerMlp::None)
            sums += times;
    }
    const double stream = elementBytes(plan) * number(model.hidden_size);
    const auto exchange = [&](DecodeWork work, Collective collective, RankSet ranks, double bytes, double times) {
        if (times <= 0.0) return;
        stage.exchanges.push_back({work, collective, rankGroup(plan, ranks), bytes, times});
    };
    exchange(DecodeWork::Sums, Collective::AllReduce, RankSet::Tensor, stream, sums);
    exchange(DecodeWork::Exchanges, Collective::AllToAll,
        plan.parallelism.expert > 1 ? RankSet::Expert : RankSet::ExpertTensor,
        stream * std::min(chosen, number(expertCards(plan))) / tensor, exchanges);
    if (layers.head()) {
        Products head{DecodeWork::Head, {}};
        for (const Operator& step : context.tables.head) {
            for (const MatrixProduct& product : step.products)
                add(product, WeightPart::Rest, 1.0, head);
        }
        keep(head);
    }

    const double per_value = bytesPerValue(plan.recipe.kv_cache_precision.value_or(Precision::Bf16))
        / number(std::max<std::int64_t>(plan.parallelism.context, 1));
    const double caching = cachingLayers(plan, layers);
    const double windowed = windowedLayers(plan, layers);
    stage.per_token = per_value * cachedValues(plan, TokenMixer::Attention) * (caching - windowed);
    const ScoreFlops scores = scoreFlops(plan, TokenMixer::Attention);
    stage.decoded_flops = (caching - windowed) * scores.decoded;
    stage.prompt_flops = (caching - windowed) * scores.prompt;
    if (windowed > 0.0) {
        stage.windowed = per_value * cachedValues(plan, TokenMixer::WindowedAttention) * windowed;
        const ScoreFlops of_window = scoreFlops(plan, TokenMixer::WindowedAttention);
        stage.windowed_decoded_flops = windowed * of_window.decoded;
        stage.windowed_prompt_flops = windowed * of_window.prompt;
    }
    if (model.sparse_attention && model.mla) stage.indexed = number(model.sparse_attention->index_head_dim) * caching;
    if (const auto& compressed = model.compressed_attention) {
        const double size = number(model.head_dim);
        stage.compressed = per_value * size
            * (compressedLayers(plan, layers, TokenMixer::CompressedSparse) / number(compressed->compress_rate_csa)
                + compressedLayers(plan, layers, TokenMixer::HeavilyCompressed)
                    / number(compressed->compress_rate_hca));
    }
    stage.states = recurrentBytes(plan, layers);
    return stage;
}

double DecodeClock::exchangeTime(const Exchange& exchange, double rows) const
{
    const Constants& constants = m_plan.constants;
    const Accelerator& card = m_plan.cluster.accelerator;
    const RankGroup& group = exchange.group;
    const double bytes = exchange.per_row * rows;
    if (!card.link && !m_plan.cluster.intra_node && group.level() == NetworkLevel::Node) {
        const GigabytesPerSecond pcie = card.pcie.value_or(GigabytesPerSecond(constants[Constant::UnknownLink]));
        const double reached = constants[Constant::AllReducePcieShare] * pcie.value() * 1e9;
        const double on_link = number(group.ranks - 1) / number(group.ranks) * bytes
            * (exchange.collective == Collective::AllReduce ? 2.0 : 1.0);
        return exchange.times * (1e-6 * constants[Constant::AllReduceStartPcie] + on_link / reached);
    }
    const auto alone = [&](double of) {
        const Bytes whole(std::max<std::int64_t>(std::llround(of), 1));
        return collectiveTime(constants, m_plan.cluster, exchange.collective, group, whole).value();
    };
    const double least = alone(1.0);
    // Between nodes there is no kernel of an engine's own: NCCL starts as it does alone.
    const double start =
        group.level() == NetworkLevel::Node ? 1e-6 * constants[traits(card.generation).reduce_start] : least;
    return exchange.times * (start + constants[Constant::AllReduceRing] * (alone(bytes) - least));
}

double DecodeClock::cacheBytes(std::size_t stage, double tokens) const
{
    const Stage& one = m_stages[stage];
    return (one.per_token + one.compressed) * tokens + one.windowed * std::min(tokens, m_window) + one.states;
}

template <class Add> void DecodeClock::eachTerm(const Stage& stage, const DecodeLoad& load, Add add) const
{
    const double rows = load.sequences + load.prompt;
    const double all_rows = rows * m_token_ranks;
    const double touched = 1.0 - std::pow(m_untouched, all_rows);
    const double ended = load.prompt_length > 0.0 ? load.prompt / load.prompt_length : 0.0;
    for (const Products& one : stage.products) {
        const bool experts = one.work == DecodeWork::Experts;
        const double share = experts ? touched : 1.0;
        const double read = share * one.read;
        const double arithmetic = experts
            ? m_busiest * all_rows * one.per_row + touched * one.start
            : (one.work == DecodeWork::Head ? load.sequences + ended : rows) * one.per_row + one.start;
        add({one.work, experts ? &DecodeParts::experts : &DecodeParts::weights, Seconds(read), one.kind, one.layers,
            share * one.bytes});
        add({one.work, &DecodeParts::products, Seconds(overlapped(read, arithmetic) - read), one.kind, one.layers});
    }
    const double attended = m_chosen > 0.0 ? std::min(load.context, m_chosen) : load.context;
    const double in_window = std::min(load.context, m_window);
    const double bytes = load.sequences
        * (stage.per_token * attended + (stage.compressed + stage.indexed) * load.context + stage.windowed * in_window
            + 2.0 * stage.states);
    const double read = bytes * m_read_cache;
    const double scores =
        load.sequences * (stage.decoded_flops * attended + stage.windowed_decoded_flops * in_window) / m_score_rate;
    add({DecodeWork::Cache, &DecodeParts::cache, Seconds(read), {}, load.sequences, bytes});
    add({DecodeWork::DecodedScores, &DecodeParts::products, Seconds(overlapped(read, scores) - read), {},
        load.sequences});
    const double half = 0.5 * load.prompt_length;
    add({DecodeWork::PromptScores, &DecodeParts::products,
        Seconds(load.prompt
            * (stage.prompt_flops * (m_chosen > 0.0 ? std::min(half, m_chosen) : half)
                + stage.windowed_prompt_flops * std::min(half, m_window))
            / m_score_rate)});
    for (const Exchange& exchange : stage.exchanges)
        add({exchange.work, &DecodeParts::all_reduce, Seconds(exchangeTime(exchange, rows)), {}, exchange.times,
            exchange.per_row * rows, exchange.group.ranks});
    for (const Floor& floor : stage.floors)
        add({floor.work, &DecodeParts::layers, Seconds(floor.seconds), {}, floor.layers});
    add({DecodeWork::Sequences, &DecodeParts::layers, Seconds(load.sequences * m_per_sequence), {}, load.sequences});
}

DecodeParts DecodeClock::stageTime(const Stage& stage, const DecodeLoad& load) const
{
    DecodeParts parts;
    eachTerm(stage, load, [&](const DecodeTerm& term) { parts.*term.part += term.time; });
    return parts;
}

DecodeLoad DecodeClock::stageLoad(const DecodeLoad& load) const
{
    if (m_stages.size() == 1) return load;
    const double stages = number(static_cast<std::int64_t>(m_stages.size()));
    DecodeLoad part = load;
    part.sequences = load.sequences > 0.0 ? std::max(std::min(load.sequences, 1.0), load.sequences / stages) : 0.0;
    part.prompt = load.prompt / stages;
    return part;
}

std::vector<DecodeTerm> DecodeClock::terms(std::size_t stage, const DecodeLoad& load) const
{
    std::vector<DecodeTerm> terms;
    eachTerm(m_stages[stage], stageLoad(load), [&](const DecodeTerm& term) {
        if (term.time > Seconds(0.0)) terms.push_back(term);
    });
    return terms;
}

DecodeParts DecodeClock::iteration(const DecodeLoad& load) const
{
    if (m_stages.size() == 1) return stageTime(m_stages.front(), load);
    const double stages = number(static_cast<std::int64_t>(m_stages.size()));
    const DecodeLoad part = stageLoad(load);
    DecodeParts sum;
    double slowest = 0.0;
    for (const Stage& stage : m_stages) {
        const DecodeParts one = stageTime(stage, part);
        slowest = std::max(slowest, one.total().value());
        sum += one;
    }
    const double loss = 1.0 + m_plan.constants[Constant::PipelineLoss] * (stages - 1.0);
    sum.pipeline += Seconds(stages * slowest * loss - sum.total().value());
    return sum;
}

std::vector<DecodeParts> DecodeClock::cards(const DecodeLoad& load) const
{
    const Seconds whole = iteration(load).total();
    const double stages = number(static_cast<std::int64_t>(m_stages.size()));
    std::vector<DecodeParts> cards;
    for (const Stage& stage : m_stages) {
        // A card serves as many parts of the batch, one after the other, as there are stages.
        DecodeParts card = stages * stageTime(stage, stageLoad(load));
        if (m_stages.size() > 1) card.pipeline += whole - card.total();
        cards.push_back(card);
    }
    return cards;
}

} // namespace cardfit
