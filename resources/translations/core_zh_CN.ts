<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>Sentence</name>
    <message>
        <source>NO ESTIMATE: a broken rule prevents it</source>
        <translation>无法估算：有规则被违反</translation>
    </message>
    <message>
        <source>FITS stage {}: {} of {} ({} free)</source>
        <translation>放得下 阶段 {}：{} / {}（空余 {}）</translation>
    </message>
    <message>
        <source>TIGHT stage {}: {} of {} ({} free)</source>
        <translation>余量小 阶段 {}：{} / {}（空余 {}）</translation>
    </message>
    <message>
        <source>OVER stage {}: {} of {} ({} too much)</source>
        <translation>超出 阶段 {}：{} / {}（超出 {}）</translation>
    </message>
</context>
<context>
    <name>cardfit::Sentence</name>
    <message>
        <source>Memory per card</source>
        <translation>每卡显存</translation>
    </message>
    <message>
        <source>Pipeline timeline</source>
        <translation>流水线时间线</translation>
    </message>
    <message>
        <source>The plan breaks a rule; there are no figures for it.</source>
        <translation>方案违反规则，因此没有数值。</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>{}: {} B parameters, hidden {}, {} layers, {} heads ({} key/value), MLP {}, vocabulary {}</source>
        <translation>{}：{} B 参数，隐藏维度 {}，{} 层，{} 个头（KV 头 {}），MLP {}，词表 {}</translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation>集群</translation>
    </message>
    <message>
        <source>{} node x {} {}, {} MiB each</source>
        <translation>{} 个节点 x {} {}，每张 {} MiB</translation>
    </message>
    <message>
        <source>{} nodes x {} {}, {} MiB each</source>
        <translation>{} 个节点 x {} {}，每张 {} MiB</translation>
    </message>
    <message>
        <source>Parallelism</source>
        <translation>并行</translation>
    </message>
    <message>
        <source>tensor {} with sequence, pipeline {} x {} chunks, context {}, expert {}, data {}</source>
        <translation>张量 {}（含序列并行），流水线 {} x {} 个模型块，上下文 {}，专家 {}，数据 {}</translation>
    </message>
    <message>
        <source>tensor {}, pipeline {} x {} chunks, context {}, expert {}, data {}</source>
        <translation>张量 {}，流水线 {} x {} 个模型块，上下文 {}，专家 {}，数据 {}</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>批次</translation>
    </message>
    <message>
        <source>{} tokens x {} sequences per step, micro-batches of {}, {} per replica</source>
        <translation>每步 {} 词元 x {} 条序列，微批大小 {}，每副本 {} 个微批次</translation>
    </message>
    <message>
        <source>Recipe</source>
        <translation>训练配方</translation>
    </message>
    <message>
        <source>{}, {}, optimizer {}, sharding {}, schedule {}, attention {}, loss {}, recompute {}</source>
        <translation>{}，{}，优化器 {}，分片 {}，调度 {}，注意力 {}，损失 {}，重计算 {}</translation>
    </message>
    <message>
        <source>{}: {} per token of training. {} ({})</source>
        <translation>{}：训练每词元 {}。{}（{}）</translation>
    </message>
    <message>
        <source>Pipeline and step</source>
        <translation>流水线与单步</translation>
    </message>
    <message>
        <source>Figure</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>调度</translation>
    </message>
    <message>
        <source>{}, {} micro-batches</source>
        <translation>{}，{} 个微批次</translation>
    </message>
    <message>
        <source>Idle time over makespan</source>
        <translation>空闲占总时长</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>单步</translation>
    </message>
    <message>
        <source>of which compute</source>
        <translation>其中计算</translation>
    </message>
    <message>
        <source>tensor parallelism</source>
        <translation>张量并行</translation>
    </message>
    <message>
        <source>pipeline transfers</source>
        <translation>流水线传输</translation>
    </message>
    <message>
        <source>bubble</source>
        <translation>气泡</translation>
    </message>
    <message>
        <source>data parallelism</source>
        <translation>数据并行</translation>
    </message>
    <message>
        <source>expert parallelism</source>
        <translation>专家并行</translation>
    </message>
    <message>
        <source>context parallelism</source>
        <translation>上下文并行</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>Tokens per second</source>
        <translation>每秒词元</translation>
    </message>
    <message>
        <source>{}, {} per card</source>
        <translation>{}，每卡 {}</translation>
    </message>
    <message>
        <source>Tokens per day</source>
        <translation>每天词元</translation>
    </message>
    <message>
        <source>{} billion</source>
        <translation>{} B</translation>
    </message>
    <message>
        <source>Model FLOPs utilisation</source>
        <translation>模型 FLOPs 利用率</translation>
    </message>
    <message>
        <source>{} (with recomputation {})</source>
        <translation>{}（含重计算 {}）</translation>
    </message>
    <message>
        <source>Whole run</source>
        <translation>整个训练</translation>
    </message>
    <message>
        <source>Utilisation by convention</source>
        <translation>各种口径的利用率</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>Broken: {}: {}</source>
        <translation>违反：{}：{}</translation>
    </message>
    <message>
        <source>Note: {}: {}</source>
        <translation>提示：{}：{}</translation>
    </message>
    <message>
        <source>Allocated memory is what torch.cuda.max_memory_allocated reports at its peak; reserved adds what the caching allocator holds back; device adds communication libraries and the device context, and is compared with the capacity that the driver reports.</source>
        <translation>“已分配”即峰值时 torch.cuda.max_memory_allocated 所报告的值；“已预留”加上缓存分配器占住的部分；“设备”再加上通信库与设备上下文，并与驱动报告的容量比较。</translation>
    </message>
    <message>
        <source>Activations follow the simulated timeline, not a factor. Balanced experts are assumed unless the plan says otherwise.</source>
        <translation>激活按模拟的时间线计算，而非乘一个系数。除非方案另有说明，假定专家负载均衡。</translation>
    </message>
    <message>
        <source>Step time is the simulated schedule of kernels at measured rates, with the collectives on the links that they cross and what overlaps them, and the optimizer. Not in it: data loading, checkpoints, failures and stragglers, packing of sequences of varying length, power caps, and an uneven load of experts unless the plan gives one.</source>
        <translation>单步时间为按实测速率模拟的算子调度，含所经链路上的集合通信及其重叠，以及优化器。不含：数据加载、写盘检查点、故障与掉队、变长序列拼接、功耗限制，以及专家负载不均（除非方案给出）。</translation>
    </message>
    <message>
        <source>Days, card-hours, cost and energy follow from the step alone, without failures, restarts and evaluations; energy is that of the cards at their rated power.</source>
        <translation>天数、卡时、费用与能耗只由单步推得，不含故障、重启与评测；能耗按各卡额定功率计。</translation>
    </message>
    <message>
        <source>What the figures rest on</source>
        <translation>数值的依据</translation>
    </message>
    <message>
        <source>stage</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>layers</source>
        <translation>层</translation>
    </message>
    <message>
        <source>cards</source>
        <translation>卡数</translation>
    </message>
    <message>
        <source>in flight</source>
        <translation>在途</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>gradients</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>activations</source>
        <translation>激活</translation>
    </message>
    <message>
        <source>temporary</source>
        <translation>临时</translation>
    </message>
    <message>
        <source>communication</source>
        <translation>通信</translation>
    </message>
    <message>
        <source>context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>reserve</source>
        <translation>预留</translation>
    </message>
    <message>
        <source>allocated</source>
        <translation>已分配</translation>
    </message>
    <message>
        <source>reserved</source>
        <translation>已预留</translation>
    </message>
    <message>
        <source>device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>capacity</source>
        <translation>容量</translation>
    </message>
    <message>
        <source>free</source>
        <translation>空余</translation>
    </message>
    <message>
        <source>work counted by</source>
        <translation>计算量口径</translation>
    </message>
    <message>
        <source>peak</source>
        <translation>峰值</translation>
    </message>
    <message>
        <source>model TFLOP/s</source>
        <translation>模型 TFLOP/s</translation>
    </message>
    <message>
        <source>hardware TFLOP/s</source>
        <translation>硬件 TFLOP/s</translation>
    </message>
    <message>
        <source>{} billion tokens in {} days: {} steps</source>
        <translation>{} B 词元，{} 天：{} 步</translation>
    </message>
    <message>
        <source>{} card-hours</source>
        <translation>{} 卡时</translation>
    </message>
    <message>
        <source>{} USD</source>
        <translation>{} 美元</translation>
    </message>
    <message>
        <source>{} kWh for the cards</source>
        <translation>各卡 {} kWh</translation>
    </message>
    <message>
        <source>schedule {} runs no forward pass beside a backward pass</source>
        <translation>调度 {} 不会让前向与反向并行</translation>
    </message>
    <message>
        <source>with a pipeline it needs model chunks, an interleaved schedule</source>
        <translation>有流水线时需要模型块，即交错式调度</translation>
    </message>
    <message>
        <source>every card holds all experts of its layers</source>
        <translation>每张卡都持有所在层的全部专家</translation>
    </message>
    <message>
        <source>the dispatcher gathers all tokens; it must be alltoall or flex</source>
        <translation>该分发方式会收集所有词元；须为 alltoall 或 flex</translation>
    </message>
    <message>
        <source>weights must be in 16 bits</source>
        <translation>权重须为 16 位</translation>
    </message>
    <message>
        <source>it predicts one further token at most</source>
        <translation>最多只能多预测一个词元</translation>
    </message>
    <message>
        <source>recomputing whole layers, or expert layers, would run them twice</source>
        <translation>重计算整层或专家层会使其运行两次</translation>
    </message>
    <message>
        <source>an interleaved schedule needs at least 2 chunks per rank</source>
        <translation>交错式调度每个 rank 至少需要 2 个模型块</translation>
    </message>
    <message>
        <source>{} stages x {} chunks x {} micro-batches are too many to simulate: at most {} forward passes</source>
        <translation>{} 个阶段 x {} 个模型块 x {} 个微批次太多，无法模拟：至多 {} 次前向</translation>
    </message>
    <message>
        <source>groups of {} micro-batches are smaller than the {} stages: a rank would wait for itself</source>
        <translation>每组 {} 个微批次少于 {} 个阶段：rank 会等待自己</translation>
    </message>
    <message>
        <source>an interleaved schedule needs at least 2 pipeline stages</source>
        <translation>交错式调度至少需要 2 个流水线阶段</translation>
    </message>
    <message>
        <source>{} micro-batches are fewer than one group of {}</source>
        <translation>{} 个微批次少于一组的 {} 个</translation>
    </message>
    <message>
        <source>{} micro-batches in groups of {} leave a last group of {}, shorter than the {} stages: ranks would wait for each other</source>
        <translation>{} 个微批次按每组 {} 个划分，最后一组剩 {} 个，少于 {} 个阶段：各 rank 会互相等待</translation>
    </message>
    <message>
        <source>{} micro-batches do not divide into groups of {}</source>
        <translation>{} 个微批次不能按每组 {} 个整除</translation>
    </message>
    <message>
        <source>{} micro-batches are fewer than {}, {}</source>
        <translation>{} 个微批次少于 {} 个，{}</translation>
    </message>
    <message>
        <source>micro-batches enter from both ends and meet between two ranks: {} ranks are not even</source>
        <translation>微批次从两端进入，在两个 rank 之间相遇：{} 个 rank 不是偶数</translation>
    </message>
    <message>
        <source>half of the micro-batches enters from each end: {} are not even</source>
        <translation>微批次从两端各进入一半：{} 个不是偶数</translation>
    </message>
    <message>
        <source>two for every rank</source>
        <translation>每个 rank 两个</translation>
    </message>
    <message>
        <source>runs 1 model chunk per rank, not {}</source>
        <translation>每个 rank 运行 1 个模型块，而非 {} 个</translation>
    </message>
    <message>
        <source>runs {} model chunks per rank, not {}</source>
        <translation>每个 rank 运行 {} 个模型块，而非 {} 个</translation>
    </message>
    <message>
        <source>only 1F1B and interleaved 1F1B can pair passes into overlapped blocks</source>
        <translation>只有 1F1B 与交错式 1F1B 能把前向与反向配成重叠块</translation>
    </message>
    <message>
        <source>it splits or pairs backward passes, and inference has none: 1f1b does the same</source>
        <translation>它拆分或配对反向，而推理没有反向：1f1b 效果相同</translation>
    </message>
    <message>
        <source>a looped schedule needs at least 2 chunks per rank</source>
        <translation>循环调度每个 rank 至少需要 2 个模型块</translation>
    </message>
    <message>
        <source>one for every stage</source>
        <translation>每个阶段一个</translation>
    </message>
    <message>
        <source>two for every stage</source>
        <translation>每个阶段两个</translation>
    </message>
    <message>
        <source>a pipeline needs at least 1 stage</source>
        <translation>流水线至少需要 1 个阶段</translation>
    </message>
    <message>
        <source>a step needs at least 1 micro-batch</source>
        <translation>一步至少需要 1 个微批次</translation>
    </message>
    <message>
        <source>a rank holds 1 to 255 chunks</source>
        <translation>一个 rank 持有 1 至 255 个模型块</translation>
    </message>
    <message>
        <source>{} micro-batches are too many to number: at most {}</source>
        <translation>{} 个微批次太多，无法编号：至多 {} 个</translation>
    </message>
    <message>
        <source>a group has at least 1 micro-batch</source>
        <translation>一组至少有 1 个微批次</translation>
    </message>
    <message>
        <source>{} must be at least 1, it is {}</source>
        <translation>{} 须至少为 1，现为 {}</translation>
    </message>
    <message>
        <source>{} must be at most {}, it is {}</source>
        <translation>{} 须至多为 {}，现为 {}</translation>
    </message>
    <message>
        <source>the model has more than 10^16 parameters</source>
        <translation>模型参数超过 10^16</translation>
    </message>
    <message>
        <source>one micro-batch has more than 10^16 activations</source>
        <translation>单个微批次的激活超过 10^16</translation>
    </message>
    <message>
        <source>{} attention heads cannot share {} key/value heads evenly</source>
        <translation>{} 个注意力头无法均分 {} 个 KV 头</translation>
    </message>
    <message>
        <source>hidden size {} does not split into {} heads</source>
        <translation>隐藏维度 {} 不能分成 {} 个头</translation>
    </message>
    <message>
        <source>{} tokens per sequence, but the model knows {} positions</source>
        <translation>每条序列 {} 个词元，但模型只有 {} 个位置</translation>
    </message>
    <message>
        <source>tensor {} x pipeline {} x context {}</source>
        <translation>张量 {} x 流水线 {} x 上下文 {}</translation>
    </message>
    <message>
        <source>{} x data {} = {} cards, the cluster has {}</source>
        <translation>{} x 数据 {} = {} 张卡，集群有 {} 张</translation>
    </message>
    <message>
        <source>{} = {} cards for one replica, the cluster has {}</source>
        <translation>{} = 每副本 {} 张卡，集群有 {} 张</translation>
    </message>
    <message>
        <source>{} = {}: {} cards leave {} over</source>
        <translation>{} = {}：{} 张卡余 {} 张</translation>
    </message>
    <message>
        <source>tensor {}: {} {} / {} leave {}</source>
        <translation>张量并行 {}：{} {} / {} 余 {}</translation>
    </message>
    <message>
        <source>attention heads</source>
        <translation>注意力头数</translation>
    </message>
    <message>
        <source>hidden features</source>
        <translation>个隐藏特征</translation>
    </message>
    <message>
        <source>MLP features</source>
        <translation>个 MLP 特征</translation>
    </message>
    <message>
        <source>tensor {}: {} key/value heads / {} leave {}</source>
        <translation>张量并行 {}：{} 个 KV 头 / {} 余 {}</translation>
    </message>
    <message>
        <source>tensor {} exceeds {} key/value heads: every rank holds a copy of one</source>
        <translation>张量并行 {} 超过 {} 个 KV 头：每个 rank 持有一个头的副本</translation>
    </message>
    <message>
        <source>vocabulary {} is padded to {} rows, a multiple of 128 x tensor {}</source>
        <translation>词表 {} 填充到 {} 行，即 128 x 张量并行 {} 的倍数</translation>
    </message>
    <message>
        <source>tensor {} spans nodes of {} cards: every layer waits for the slow links</source>
        <translation>张量并行 {} 跨越每节点 {} 卡的节点：每层都要等待慢速链路</translation>
    </message>
    <message>
        <source>sequence parallelism has no effect without tensor parallelism</source>
        <translation>没有张量并行时，序列并行不起作用</translation>
    </message>
    <message>
        <source>context {}: {} tokens do not split into 2 x {} equal pieces</source>
        <translation>上下文并行 {}：{} 个词元不能等分为 2 x {} 段</translation>
    </message>
    <message>
        <source>sequence parallelism: {} tokens per context rank / tensor {} leave {}</source>
        <translation>序列并行：每个上下文 rank {} 个词元 / 张量并行 {} 余 {}</translation>
    </message>
    <message>
        <source>context {} by all-to-all: {} heads per rank / {} leave {}</source>
        <translation>上下文并行 {}（all-to-all）：每 rank {} 个头 / {} 余 {}</translation>
    </message>
    <message>
        <source>{} layers, embedding and head do not fill pipeline {} x {} chunks</source>
        <translation>{} 层加嵌入与输出头填不满流水线 {} x {} 个模型块</translation>
    </message>
    <message>
        <source>pipeline {}: {} layers / {} leave {}; {}</source>
        <translation>流水线并行 {}：{} 层 / {} 余 {}；{}</translation>
    </message>
    <message>
        <source>virtual pipeline {}: {} layers per stage / {} leave {}; {}</source>
        <translation>虚拟流水线 {}：每阶段 {} 层 / {} 余 {}；{}</translation>
    </message>
    <message>
        <source>DeepSpeed&apos;s pipeline engine works with ZeRO stages 0 and 1 only</source>
        <translation>DeepSpeed 的流水线引擎只支持 ZeRO 0 与 1</translation>
    </message>
    <message>
        <source>the figures are for {} layers</source>
        <translation>数值按 {} 层计算</translation>
    </message>
    <message>
        <source>layers_per_stage lists {} stages, pipeline is {} with {} chunks each</source>
        <translation>layers_per_stage 列出 {} 个阶段，而流水线并行为 {}，各含 {} 个模型块</translation>
    </message>
    <message>
        <source>layers_per_stage lists {} stages, pipeline is {}</source>
        <translation>layers_per_stage 列出 {} 个阶段，而流水线并行为 {}</translation>
    </message>
    <message>
        <source>layers_per_stage adds up to {}, the model has {} layers</source>
        <translation>layers_per_stage 合计 {} 层，而模型有 {} 层</translation>
    </message>
    <message>
        <source>virtual pipeline {} does not divide every entry of layers_per_stage</source>
        <translation>虚拟流水线 {} 不能整除 layers_per_stage 的每一项</translation>
    </message>
    <message>
        <source>global batch {} / (micro-batch {} x data {}) leaves {} sequences</source>
        <translation>全局批大小 {} /（微批大小 {} x 数据并行 {}）余 {} 条序列</translation>
    </message>
    <message>
        <source>model chunks need a pipeline of at least 2 stages</source>
        <translation>模型块要求流水线至少有 2 个阶段</translation>
    </message>
    <message>
        <source>schedule {}: {}; the figures assume groups of {}</source>
        <translation>调度 {}：{}；数值按每组 {} 个计算</translation>
    </message>
    <message>
        <source>{} micro-batches cannot fill {} stages: more than half of the step is idle</source>
        <translation>{} 个微批次填不满 {} 个阶段：一步中过半时间空闲</translation>
    </message>
    <message>
        <source>schedule {}: {}</source>
        <translation>调度 {}：{}</translation>
    </message>
    <message>
        <source>expert parallelism {}, but the model has no experts</source>
        <translation>专家并行为 {}，但模型没有专家</translation>
    </message>
    <message>
        <source>expert {}: {} experts / {} leave {}</source>
        <translation>专家并行 {}：{} 个专家 / {} 余 {}</translation>
    </message>
    <message>
        <source>each token goes to {} of {} experts</source>
        <translation>每个词元去往 {} 个专家，而专家共 {} 个</translation>
    </message>
    <message>
        <source>expert tensor {}: {} expert features / {} leave {}</source>
        <translation>专家张量并行 {}：{} 个专家特征 / {} 余 {}</translation>
    </message>
    <message>
        <source>{} cards per stage do not split into groups of expert {} x expert tensor {}</source>
        <translation>每阶段 {} 张卡不能分成专家并行 {} x 专家张量并行 {} 的组</translation>
    </message>
    <message>
        <source>moe.layers lists {} layers, the model has {}</source>
        <translation>moe.layers 列出 {} 层，而模型有 {} 层</translation>
    </message>
    <message>
        <source>Megatron-Core&apos;s distributed optimizer shards optimizer states only (zero1)</source>
        <translation>Megatron-Core 的分布式优化器只对优化器状态分片 (zero1)</translation>
    </message>
    <message>
        <source>FSDP shards at least gradients (zero2) or everything (zero3)</source>
        <translation>FSDP 至少对梯度分片 (zero2)，或全部分片 (zero3)</translation>
    </message>
    <message>
        <source>{} optimizer instances do not divide data x context = {}</source>
        <translation>{} 个优化器实例不能整除数据 x 上下文 = {}</translation>
    </message>
    <message>
        <source>overlapping the experts&apos; communication: {}; the figures assume none</source>
        <translation>重叠专家通信：{}；数值按不重叠计算</translation>
    </message>
    <message>
        <source>int8 is a format for inference, not for training</source>
        <translation>int8 是推理格式，不用于训练</translation>
    </message>
    <message>
        <source>task {} trains no adapter; lora and qlora do</source>
        <translation>任务 {} 不训练适配器；lora 与 qlora 才训练</translation>
    </message>
    <message>
        <source>only inference keeps keys and values</source>
        <translation>只有推理保留 K 和 V</translation>
    </message>
    <message>
        <source>inference runs forward passes only; of schedule {} their order remains</source>
        <translation>推理只运行前向；调度 {} 只剩前向的顺序</translation>
    </message>
    <message>
        <source>Megatron-Core keeps all weights on the card; DeepSpeed and FSDP can offload them</source>
        <translation>Megatron-Core 将全部权重留在卡上；DeepSpeed 与 FSDP 可以卸载</translation>
    </message>
    <message>
        <source>Megatron-Core offloads activations without a pipeline only, pipeline is {}</source>
        <translation>Megatron-Core 仅在没有流水线时卸载激活，流水线并行为 {}</translation>
    </message>
    <message>
        <source>weights can be offloaded only where they are sharded (zero3)</source>
        <translation>只有分片的权重 (zero3) 才能卸载</translation>
    </message>
    <message>
        <source>{} has no bf16 matrix units; fp16 is what it trains in</source>
        <translation>{} 没有 bf16 矩阵单元；它用 fp16 训练</translation>
    </message>
    <message>
        <source>{} has no fp8 matrix units</source>
        <translation>{} 没有 fp8 矩阵单元</translation>
    </message>
    <message>
        <source>{} is not known to this version; it is kept as it is</source>
        <translation>此版本不认识 {}；按原样保留</translation>
    </message>
    <message>
        <source>{}, {}</source>
        <translation>{}、{}</translation>
    </message>
    <message>
        <source>{} {}</source>
        <translation>{}{}</translation>
    </message>
</context>
</TS>
