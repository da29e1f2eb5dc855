<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>ChartExport</name>
    <message>
        <source>a picture is 1 to 10000 pixels wide and high, not %1</source>
        <translation>图片的宽和高为 1 到 10000 像素，不能是 %1</translation>
    </message>
    <message>
        <source>the scale of a picture is 1 to 4, not %1</source>
        <translation>图片的缩放为 1 到 4，不能是 %1</translation>
    </message>
    <message>
        <source>a chart is saved as .png, .svg or .pdf</source>
        <translation>图表存为 .png、.svg 或 .pdf</translation>
    </message>
</context>
<context>
    <name>Comparison</name>
    <message>
        <source>Fullest card (%1)</source>
        <translation>最满的卡 (%1)</translation>
    </message>
    <message>
        <source>Its capacity (%1)</source>
        <translation>其容量 (%1)</translation>
    </message>
    <message>
        <source>Its stage</source>
        <translation>其阶段</translation>
    </message>
    <message>
        <source>Tokens/s per card</source>
        <translation>每卡词元/秒</translation>
    </message>
    <message>
        <source>%1 pt</source>
        <translation>%1 个百分点</translation>
    </message>
    <message>
        <source>Days</source>
        <translation>天数</translation>
    </message>
    <message>
        <source>Card-hours (1,000)</source>
        <translation>卡时 (1,000)</translation>
    </message>
    <message>
        <source>Cost (1,000 USD)</source>
        <translation>费用 (1,000 美元)</translation>
    </message>
    <message>
        <source>Micro-batches</source>
        <translation>微批次数</translation>
    </message>
    <message>
        <source>Plan − %1</source>
        <translation>方案 − %1</translation>
    </message>
    <message>
        <source>%1 (values: %2)</source>
        <extracomment>an input whose name changed, and how many of its values</extracomment>
        <translation>%1（%2 个值）</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差别</translation>
    </message>
    <message>
        <source>%1 (bytes)</source>
        <translation>%1 (字节)</translation>
    </message>
    <message>
        <source>%1 (s)</source>
        <translation>%1 (s)</translation>
    </message>
    <message>
        <source>Energy of the cards (MWh)</source>
        <translation>各卡能耗（MWh）</translation>
    </message>
    <message>
        <source>MFU, 16-bit peak</source>
        <translation>MFU（16 位峰值）</translation>
    </message>
    <message>
        <source>Output tokens/s per card</source>
        <translation>每卡输出词元/s</translation>
    </message>
</context>
<context>
    <name>PinText</name>
    <message>
        <source>%1: %2</source>
        <extracomment>a pinned plan: its letter and its name</extracomment>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>RecoveryFile</name>
    <message>
        <source>cannot be locked</source>
        <translation>无法锁定</translation>
    </message>
</context>
<context>
    <name>Report</name>
    <message>
        <source>a planning document is written as .html, .pdf, .odt or .md, by the file&apos;s ending</source>
        <translation>规划文档按文件扩展名写为 .html、.pdf、.odt 或 .md</translation>
    </message>
</context>
<context>
    <name>Sentence</name>
    <message>
        <source>command</source>
        <translation>命令</translation>
    </message>
</context>
<context>
    <name>cardfit::Sentence</name>
    <message>
        <source>cannot be written: {}</source>
        <translation>无法写入：{}</translation>
    </message>
    <message>
        <source>without a figure there is only a list of them as text</source>
        <translation>不给出指标时只有文本形式的指标列表</translation>
    </message>
    <message>
        <source>only constants of step time are fitted: validate time --fit</source>
        <translation>只拟合步时间的常数：validate time --fit</translation>
    </message>
</context>
<context>
    <name>cardfit::app::AdviceColumn</name>
    <message>
        <source>Advice</source>
        <translation>建议</translation>
    </message>
    <message>
        <source>Checks, advice and explanation</source>
        <translation>检查、建议与解释</translation>
    </message>
</context>
<context>
    <name>cardfit::app::AdvicePanel</name>
    <message>
        <source>Largest model</source>
        <translation>最大模型</translation>
    </message>
    <message>
        <source>Largest micro-batch</source>
        <translation>最大微批次</translation>
    </message>
    <message>
        <source>Most sequences at once</source>
        <translation>最多并发序列</translation>
    </message>
    <message>
        <source>Fewest cards</source>
        <translation>最少卡数</translation>
    </message>
    <message>
        <source>Fewest, any degrees</source>
        <translation>最少卡数（并行度任选）</translation>
    </message>
    <message>
        <source>%1 layers, hidden size %2</source>
        <translation>%1 层，隐藏维度 %2</translation>
    </message>
    <message>
        <source>tensor %1 × pipeline %2 × context %3 × data %4</source>
        <translation>张量 %1 × 流水线 %2 × 上下文 %3 × 数据 %4</translation>
    </message>
    <message>
        <source>tensor %1 × pipeline %2 × data %3</source>
        <translation>张量 %1 × 流水线 %2 × 数据 %3</translation>
    </message>
    <message>
        <source>time not counted</source>
        <translation>未计入时间</translation>
    </message>
    <message>
        <source>same step time</source>
        <translation>单步时间不变</translation>
    </message>
    <message>
        <source>step −%1</source>
        <translation>单步 −%1</translation>
    </message>
    <message>
        <source>step +%1</source>
        <translation>单步 +%1</translation>
    </message>
    <message>
        <source>Limits and advice</source>
        <translation>极限与建议</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>Apply: %1</source>
        <translation>应用：%1</translation>
    </message>
    <message>
        <source>%1: none fits</source>
        <translation>%1：都放不下</translation>
    </message>
    <message>
        <source>%1: none to try</source>
        <translation>%1：无可尝试</translation>
    </message>
    <message>
        <source>%1 free on stage %2</source>
        <translation>阶段 %2 空余 %1</translation>
    </message>
    <message>
        <source>%1: %2, as now</source>
        <translation>%1：%2，即当前值</translation>
    </message>
    <message>
        <source>%1: %2 (now %3)</source>
        <translation>%1：%2（当前 %3）</translation>
    </message>
    <message>
        <source>✔ %1 free (%2)</source>
        <comment>memory, and its difference to the plan as it is</comment>
        <translation>✔ 空余 %1（%2）</translation>
    </message>
    <message>
        <source>✖ %1 over (%2)</source>
        <comment>memory, and its difference to the plan as it is</comment>
        <translation>✖ 超出 %1（%2）</translation>
    </message>
    <message>
        <source>with %1</source>
        <translation>同时 %1</translation>
    </message>
    <message>
        <source>Single changes</source>
        <translation>单项改动</translation>
    </message>
    <message>
        <source>A broken rule prevents the estimate: see the checks.</source>
        <translation>有规则被违反，无法估算：见“检查”。</translation>
    </message>
    <message>
        <source>No single change helps.</source>
        <translation>没有单项改动有帮助。</translation>
    </message>
    <message>
        <source>Looking for limits…</source>
        <translation>正在查找极限…</translation>
    </message>
    <message>
        <source>Limits, all else held</source>
        <translation>极限（其余不变）</translation>
    </message>
    <message>
        <source>Advice</source>
        <translation>建议</translation>
    </message>
    <message>
        <source>same prefill time</source>
        <translation>预填充时间相同</translation>
    </message>
    <message>
        <source>prefill −%1</source>
        <translation>预填充 −%1</translation>
    </message>
    <message>
        <source>prefill +%1</source>
        <translation>预填充 +%1</translation>
    </message>
    <message>
        <source>More changes, and limits</source>
        <translation>更多修改与极限</translation>
    </message>
    <message>
        <source>▲ may miss %1 (%2)</source>
        <comment>memory, and its difference to the plan as it is</comment>
        <translation>▲ 可能缺 %1（%2）</translation>
    </message>
    <message>
        <source>%1 too much on stage %2, but not for certain</source>
        <translation>阶段 %2 超出 %1，但不确定</translation>
    </message>
    <message>
        <source>%1 misses by %2</source>
        <comment>the next value, and by how much it does not fit</comment>
        <translation>%1 差 %2</translation>
    </message>
</context>
<context>
    <name>cardfit::app::CalibrationDialog</name>
    <message>
        <source>Measured run</source>
        <translation>实测数据</translation>
    </message>
    <message>
        <source>Measured beside predicted</source>
        <translation>实测与预测对照</translation>
    </message>
    <message>
        <source>&amp;Calibrate the plan</source>
        <translation>校准方案(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Remove its calibration</source>
        <translation>移除校准(&amp;R)</translation>
    </message>
    <message>
        <source>Seconds per step</source>
        <translation>每步秒数</translation>
    </message>
    <message>
        <source>Tokens/s per card</source>
        <translation>每卡词元/秒</translation>
    </message>
    <message>
        <source>Samples/s per card</source>
        <translation>每卡样本/秒</translation>
    </message>
    <message>
        <source>Model TFLOP/s per card</source>
        <translation>每卡模型 TFLOP/s</translation>
    </message>
    <message>
        <source>What was measured</source>
        <translation>实测的量</translation>
    </message>
    <message>
        <source>Measured value</source>
        <translation>实测值</translation>
    </message>
    <message>
        <source>as measured</source>
        <translation>按实测填写</translation>
    </message>
    <message>
        <source>optional, tokens/s per card</source>
        <translation>可选，每卡词元/秒</translation>
    </message>
    <message>
        <source>Somebody else&apos;s throughput with the same model and card, for comparison</source>
        <translation>他人用相同模型与卡达到的吞吐，用作对照</translation>
    </message>
    <message>
        <source>optional, such as 61.2 GiB</source>
        <translation>可选，例如 61.2 GiB</translation>
    </message>
    <message>
        <source>The peak that torch.cuda.max_memory_allocated reports</source>
        <translation>torch.cuda.max_memory_allocated 所报告的峰值</translation>
    </message>
    <message>
        <source>Pipeline stage whose memory was measured, from 0</source>
        <translation>实测显存的流水线阶段，从 0 起</translation>
    </message>
    <message>
        <source>optional: which run, when</source>
        <translation>可选：哪次运行、何时</translation>
    </message>
    <message>
        <source>Or paste lines of a training log here: Megatron-LM, torchtitan, DeepSpeed or Hugging Face. The fields above are filled from them.</source>
        <translation>也可在此粘贴训练日志：Megatron-LM、torchtitan、DeepSpeed 或 Hugging Face。上面各项由此填入。</translation>
    </message>
    <message>
        <source>&amp;Measured</source>
        <translation>实测(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Value</source>
        <translation>数值(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Work counted by</source>
        <translation>计算量口径(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Published</source>
        <translation>已公布(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Allocated memory</source>
        <translation>已分配显存(&amp;A)</translation>
    </message>
    <message>
        <source>of &amp;stage</source>
        <translation>阶段(&amp;S)</translation>
    </message>
    <message>
        <source>S&amp;ource</source>
        <translation>来源(&amp;O)</translation>
    </message>
    <message>
        <source>Training &amp;log</source>
        <translation>训练日志(&amp;L)</translation>
    </message>
    <message numerus="yes">
        <source>%n line(s) hold none of the figures.</source>
        <translation>
            <numerusform>%n 行不含任何所需数值。</numerusform>
        </translation>
    </message>
    <message>
        <source>The plan breaks a rule that prevents its estimate; nothing can be compared.</source>
        <translation>方案违反规则而无法估算，因此无从比较。</translation>
    </message>
    <message>
        <source>Enter the speed or the memory that was measured in a run of this plan. It is then shown beside the prediction, and the plan can be calibrated: its prediction then matches the run, and those of its variants are corrected by as much.</source>
        <translation>请填写此方案一次运行实测的速度或显存。随后实测与预测并列显示，并可校准方案：其预测将与实测一致，其变体的预测按相同幅度修正。</translation>
    </message>
    <message>
        <source>Calibrate with a measured run</source>
        <translation>用实测数据校准</translation>
    </message>
    <message>
        <source>Remove the calibration</source>
        <translation>移除校准</translation>
    </message>
</context>
<context>
    <name>cardfit::app::Centre</name>
    <message>
        <source>at %1 ×</source>
        <extracomment>on a button that ends it: the bars show what cards hold at this time of the step</extracomment>
        <translation>%1 处 ×</translation>
    </message>
    <message>
        <source>The bars show what cards hold at this instant. Click to see their peaks again.</source>
        <translation>柱形显示各卡在这一时刻的占用。点击以重新显示峰值。</translation>
    </message>
    <message>
        <source>Time cursor</source>
        <translation>时间光标</translation>
    </message>
    <message>
        <source>The plan as it is now is being computed…</source>
        <translation>当前方案正在计算…</translation>
    </message>
    <message>
        <source>Users at once</source>
        <translation>同时用户数</translation>
    </message>
    <message>
        <source>Limit of the time per token</source>
        <translation>每词元时间的限制</translation>
    </message>
    <message>
        <source>Limit of the time to the first token</source>
        <translation>首词元时间的限制</translation>
    </message>
</context>
<context>
    <name>cardfit::app::ChartTableDialog</name>
    <message>
        <source>Table of a chart</source>
        <translation>图表的表格</translation>
    </message>
    <message>
        <source>Chart</source>
        <translation>图表</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <source>Copies the table as a spreadsheet pastes it</source>
        <translation>以可粘贴到电子表格的形式复制</translation>
    </message>
    <message>
        <source>&amp;Save as CSV…</source>
        <translation>另存为 CSV(&amp;S)…</translation>
    </message>
    <message>
        <source>This chart shows nothing now.</source>
        <translation>此图表现在没有内容。</translation>
    </message>
    <message>
        <source>Save table</source>
        <translation>保存表格</translation>
    </message>
    <message>
        <source>Spreadsheet (*.csv)</source>
        <translation>电子表格 (*.csv)</translation>
    </message>
</context>
<context>
    <name>cardfit::app::ChecksPanel</name>
    <message>
        <source>✖ Error</source>
        <translation>✖ 错误</translation>
    </message>
    <message>
        <source>▲ Warning</source>
        <translation>▲ 警告</translation>
    </message>
    <message>
        <source>✔ The plan keeps every rule.</source>
        <translation>✔ 方案符合所有规则。</translation>
    </message>
    <message>
        <source>Checks</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>All errors at once:</source>
        <translation>一次消除所有错误：</translation>
    </message>
</context>
<context>
    <name>cardfit::app::ClusterPanel</name>
    <message>
        <source>Cluster map</source>
        <translation>集群图</translation>
    </message>
    <message>
        <source>Coloured by</source>
        <translation>着色依据</translation>
    </message>
    <message>
        <source>Group of cards that is coloured</source>
        <translation>着色的卡组</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>cardfit::app::ClusterTab</name>
    <message>
        <source>Deadline</source>
        <translation>期限</translation>
    </message>
    <message>
        <source>Budget</source>
        <translation>预算</translation>
    </message>
    <message>
        <source>Card types and counts</source>
        <translation>卡型与卡数</translation>
    </message>
    <message>
        <source>Use this plan</source>
        <translation>使用此方案</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>费用</translation>
    </message>
    <message>
        <source>Figure against days</source>
        <translation>与天数对照的指标</translation>
    </message>
    <message>
        <source>%1 (no price)</source>
        <translation>%1（无价格）</translation>
    </message>
    <message>
        <source>Clusters whose cards and links are compared, with as many cards per node as in the plan</source>
        <translation>要比较其卡与互连的集群，节点大小与本方案相同</translation>
    </message>
    <message>
        <source>Days, cost and energy follow from a number of tokens: set one under Run.</source>
        <translation>天数、成本和能耗取决于词元数：请在“运行”中设置。</translation>
    </message>
    <message>
        <source>Compare finds the best plan of every card type and count.</source>
        <translation>“比较”为每种卡型和卡数找出最佳方案。</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>days, cost</comment>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>The cheapest that meets deadline and budget: %1 (%2).</source>
        <translation>同时满足期限和预算的最便宜选择：%1（%2）。</translation>
    </message>
    <message>
        <source>The cheapest that meets the deadline: %1 (%2).</source>
        <translation>满足期限的最便宜选择：%1（%2）。</translation>
    </message>
    <message>
        <source>The cheapest, within the budget: %1 (%2).</source>
        <translation>预算之内最便宜的选择：%1（%2）。</translation>
    </message>
    <message>
        <source>The cheapest: %1 (%2).</source>
        <translation>最便宜的选择：%1（%2）。</translation>
    </message>
    <message>
        <source>The model fits on none of these clusters.</source>
        <translation>这些集群都放不下该模型。</translation>
    </message>
    <message>
        <source>None meets the deadline: the fastest, %1, takes %2.</source>
        <translation>没有一个满足期限：最快的 %1 需要 %2。</translation>
    </message>
    <message>
        <source>None meets both: in time, the cheapest is %1 with %2.</source>
        <translation>没有一个同时满足两者：按时完成的最便宜选择是 %1，%2。</translation>
    </message>
    <message>
        <source>No cluster that the model fits on has a price.</source>
        <translation>放得下的选择都没有价格。</translation>
    </message>
    <message>
        <source>No price is known for %1.</source>
        <translation>不知道 %1 的价格。</translation>
    </message>
    <message>
        <source>%1 of %2 compared.</source>
        <translation>已比较 %1/%2。</translation>
    </message>
    <message>
        <source>Remark</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Days</source>
        <translation>天数</translation>
    </message>
    <message>
        <source>over by %1</source>
        <translation>超出 %1</translation>
    </message>
    <message>
        <source>breaks a rule</source>
        <translation>违反规则</translation>
    </message>
    <message>
        <source>cheapest</source>
        <translation>最便宜</translation>
    </message>
    <message>
        <source>too late</source>
        <translation>太晚</translation>
    </message>
    <message>
        <source>too expensive</source>
        <translation>太贵</translation>
    </message>
    <message>
        <source>no price</source>
        <translation>无价格</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>Clusters: %1</source>
        <translation>集群：%1</translation>
    </message>
    <message>
        <source>Stops: unplanned ones to expect if cards fail as those of Llama 3 405B did (419 in 54 days on 16,384 H100). Checkpoint: weights, fp32 copies and optimizer states.</source>
        <translation>中断次数：若显卡故障率与 Llama 3 405B 训练时相同（16,384 张 H100，54 天 419 次），预计的非计划中断次数。检查点：权重、fp32 副本和优化器状态。</translation>
    </message>
    <message>
        <source>Stops</source>
        <translation>中断次数</translation>
    </message>
    <message>
        <source>Checkpoint</source>
        <translation>检查点</translation>
    </message>
    <message>
        <source>Clusters are compared by the days and the cost of a run; a served model has none.</source>
        <translation>集群按一次训练的天数和成本比较；推理服务没有这些。</translation>
    </message>
</context>
<context>
    <name>cardfit::app::CommandPalette</name>
    <message>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>A command, a preset, or a quantity and its value: tensor 4</source>
        <translation>命令、预设，或量与其值：张量 4</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Matching commands</source>
        <translation>匹配的命令</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>No matches</source>
        <translation>没有匹配</translation>
    </message>
    <message>
        <source>%1 › %2</source>
        <translation>%1 › %2</translation>
    </message>
    <message>
        <source>%1 (on)</source>
        <translation>%1（已开启）</translation>
    </message>
    <message>
        <source>Model › %1</source>
        <translation>模型 › %1</translation>
    </message>
    <message>
        <source>Cluster › %1</source>
        <translation>集群 › %1</translation>
    </message>
    <message>
        <source>Set › %1</source>
        <translation>设置 › %1</translation>
    </message>
    <message>
        <source>Set › %1 › %2</source>
        <translation>设置 › %1 › %2</translation>
    </message>
    <message>
        <source>follows: %1</source>
        <translation>推得：%1</translation>
    </message>
</context>
<context>
    <name>cardfit::app::ComparePanel</name>
    <message>
        <source>Swap</source>
        <translation>互换</translation>
    </message>
    <message>
        <source>Every value</source>
        <translation>所有值</translation>
    </message>
    <message>
        <source>Figures side by side</source>
        <translation>数值对照</translation>
    </message>
    <message>
        <source>Changed inputs</source>
        <translation>改动的输入</translation>
    </message>
    <message>
        <source>Parts of memory and time</source>
        <translation>显存与时间的组成</translation>
    </message>
    <message>
        <source>Compare with</source>
        <translation>对比对象</translation>
    </message>
    <message>
        <source>List every value of another model or accelerator, not just its name</source>
        <translation>列出另一模型或加速卡的所有值，而不只是名称</translation>
    </message>
    <message>
        <source>Parts</source>
        <translation>组成</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Plan: %1</source>
        <translation>方案：%1</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>Changed inputs (%1)</source>
        <translation>改动的输入 (%1)</translation>
    </message>
    <message>
        <source>Ticked plan to compare the plan with</source>
        <translation>与方案对比的勾选方案</translation>
    </message>
    <message>
        <source>The other plan is shown, and this one is compared with it</source>
        <translation>显示另一个方案，并将当前方案与之对比</translation>
    </message>
    <message>
        <source>No other plan is ticked: keep a copy (Ctrl+D), change the plan, and compare.</source>
        <translation>没有勾选其他方案：保留副本（Ctrl+D），改动方案后再对比。</translation>
    </message>
</context>
<context>
    <name>cardfit::app::DocumentDialog</name>
    <message>
        <source>Planning document</source>
        <translation>规划文档</translation>
    </message>
    <message>
        <source>Sections</source>
        <translation>章节</translation>
    </message>
    <message>
        <source>Plans beside this one</source>
        <translation>与本方案并列的方案</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>预览</translation>
    </message>
    <message>
        <source>HTML, one file</source>
        <translation>HTML，单个文件</translation>
    </message>
    <message>
        <source>Web page (*.html)</source>
        <translation>网页 (*.html)</translation>
    </message>
    <message>
        <source>PDF</source>
        <translation>PDF</translation>
    </message>
    <message>
        <source>PDF (*.pdf)</source>
        <translation>PDF (*.pdf)</translation>
    </message>
    <message>
        <source>OpenDocument text</source>
        <translation>OpenDocument 文本</translation>
    </message>
    <message>
        <source>OpenDocument text (*.odt)</source>
        <translation>OpenDocument 文本 (*.odt)</translation>
    </message>
    <message>
        <source>Markdown, without charts</source>
        <translation>Markdown，不含图表</translation>
    </message>
    <message>
        <source>Markdown (*.md)</source>
        <translation>Markdown (*.md)</translation>
    </message>
    <message>
        <source>Author</source>
        <translation>作者</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>&amp;Print…</source>
        <translation>打印(&amp;P)…</translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation>导出(&amp;E)…</translation>
    </message>
    <message>
        <source>Looking for alternatives, risks and what moves the figures…</source>
        <translation>正在查找备选方案、风险以及影响结果的因素…</translation>
    </message>
    <message>
        <source>Export: %1</source>
        <translation>导出：%1</translation>
    </message>
</context>
<context>
    <name>cardfit::app::ExplainPanel</name>
    <message>
        <source>Click a segment of a bar or a cell of the table.</source>
        <translation>点击柱中的一段，或表格中的一格。</translation>
    </message>
    <message>
        <source>‹ Back</source>
        <translation>‹ 返回</translation>
    </message>
    <message>
        <source>Back to the last explanation</source>
        <translation>返回上一条解释</translation>
    </message>
    <message>
        <source>↑ Sum</source>
        <translation>↑ 合计</translation>
    </message>
    <message>
        <source>Explain the figure that this one is part of</source>
        <translation>解释包含此数值的合计</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy the explanation</source>
        <translation>复制解释</translation>
    </message>
    <message>
        <source>As &amp;text</source>
        <translation>复制为文本(&amp;T)</translation>
    </message>
    <message>
        <source>As &amp;Markdown</source>
        <translation>复制为 &amp;Markdown</translation>
    </message>
    <message>
        <source>As &amp;LaTeX</source>
        <translation>复制为 &amp;LaTeX</translation>
    </message>
    <message>
        <source>This plan has no %1.</source>
        <translation>此方案没有 %1。</translation>
    </message>
    <message>
        <source>No figures yet. %1</source>
        <translation>还没有数值。%1</translation>
    </message>
    <message>
        <source>Explain</source>
        <translation>解释</translation>
    </message>
    <message>
        <source>This plan has no figures; these are of the last one that had some</source>
        <translation>此计划没有结果；下面是上一个有结果的计划的数值</translation>
    </message>
</context>
<context>
    <name>cardfit::app::ExportMenu</name>
    <message>
        <source>E&amp;xport</source>
        <translation>导出(&amp;X)</translation>
    </message>
    <message>
        <source>&amp;Table…</source>
        <translation>表格(&amp;T)…</translation>
    </message>
    <message>
        <source>Spreadsheet (*.csv);;Markdown (*.md)</source>
        <translation>电子表格 (*.csv);;Markdown (*.md)</translation>
    </message>
    <message>
        <source>Trac&amp;e of the pipeline…</source>
        <translation>流水线轨迹(&amp;E)…</translation>
    </message>
    <message>
        <source>Trace for Perfetto (*.json)</source>
        <translation>Perfetto 轨迹 (*.json)</translation>
    </message>
    <message>
        <source>&amp;Schedule of the pipeline…</source>
        <translation>流水线调度表(&amp;S)…</translation>
    </message>
    <message>
        <source>Schedule for PyTorch (*.csv)</source>
        <translation>PyTorch 调度表 (*.csv)</translation>
    </message>
    <message>
        <source>the plan breaks rules that prevent an estimate; see its checks</source>
        <translation>方案违反了规则，无法估算；请看检查</translation>
    </message>
    <message>
        <source>a table is written as .csv or .md, by the file&apos;s ending</source>
        <translation>表格按文件扩展名写成 .csv 或 .md</translation>
    </message>
    <message>
        <source>Export: %1</source>
        <translation>导出：%1</translation>
    </message>
    <message>
        <source>Plannin&amp;g document…</source>
        <translation>规划文档(&amp;G)…</translation>
    </message>
</context>
<context>
    <name>cardfit::app::FileExport</name>
    <message>
        <source>The file could not be written</source>
        <translation>无法写入文件</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Spreadsheet (*.csv)</source>
        <translation>电子表格 (*.csv)</translation>
    </message>
    <message>
        <source>Picture (*.png);;Vector graphics (*.svg);;PDF (*.pdf)</source>
        <translation>图片 (*.png);;矢量图 (*.svg);;PDF (*.pdf)</translation>
    </message>
</context>
<context>
    <name>cardfit::app::FirstHints</name>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
</context>
<context>
    <name>cardfit::app::GuardedApplication</name>
    <message>
        <source>Cardfit</source>
        <translation>Cardfit</translation>
    </message>
    <message>
        <source>An unexpected error occurred in Cardfit.</source>
        <translation>Cardfit 中出现了不应发生的错误。</translation>
    </message>
    <message>
        <source>The plan is as it was, and unsaved edits are kept. What is shown may be out of date until the next edit.</source>
        <translation>方案保持不变，未保存的编辑也已保留。在下一次编辑之前，显示的内容可能不是最新的。</translation>
    </message>
    <message>
        <source>The error gives no details.</source>
        <translation>该错误没有给出详情。</translation>
    </message>
</context>
<context>
    <name>cardfit::app::HelpMenu</name>
    <message>
        <source>&amp;Contents</source>
        <translation>目录(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Keyboard and mouse</source>
        <translation>键盘与鼠标(&amp;K)</translation>
    </message>
    <message>
        <source>Show the first &amp;hints again</source>
        <translation>再次显示入门提示(&amp;H)</translation>
    </message>
</context>
<context>
    <name>cardfit::app::HelpWindow</name>
    <message>
        <source>A plan in five minutes</source>
        <translation>五分钟做一个方案</translation>
    </message>
    <message>
        <source>Inputs and rails</source>
        <translation>输入与滑轨</translation>
    </message>
    <message>
        <source>Memory per card</source>
        <translation>每卡显存</translation>
    </message>
    <message>
        <source>The pipeline and time</source>
        <translation>流水线与时间</translation>
    </message>
    <message>
        <source>Comparing schedules</source>
        <translation>对比调度</translation>
    </message>
    <message>
        <source>Explain, checks, advice</source>
        <translation>解释、检查、建议</translation>
    </message>
    <message>
        <source>Files and pictures</source>
        <translation>文件与图片</translation>
    </message>
    <message>
        <source>Keyboard and mouse</source>
        <translation>键盘与鼠标</translation>
    </message>
    <message>
        <source>en</source>
        <extracomment>folder of the help pages in this language</extracomment>
        <translation>zh_CN</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>Finding the plan</source>
        <translation>寻找方案</translation>
    </message>
    <message>
        <source>Tabs: comparing plans</source>
        <translation>标签页：对比方案</translation>
    </message>
    <message>
        <source>My script runs out of memory</source>
        <translation>我的脚本显存不足</translation>
    </message>
    <message>
        <source>How many cards for 70B in 30 days</source>
        <translation>70B 模型 30 天需要多少张卡</translation>
    </message>
    <message>
        <source>QLoRA on one 4090</source>
        <translation>在一张 4090 上做 QLoRA</translation>
    </message>
    <message>
        <source>Which schedule</source>
        <translation>选择哪种调度</translation>
    </message>
    <message>
        <source>A planning document</source>
        <translation>一份规划文档</translation>
    </message>
    <message>
        <source>Concepts</source>
        <translation>概念</translation>
    </message>
    <message>
        <source>How right it is</source>
        <translation>有多准</translation>
    </message>
    <message>
        <source>Limits</source>
        <translation>局限</translation>
    </message>
    <message>
        <source>Machines of your own</source>
        <translation>自己的机器</translation>
    </message>
    <message>
        <source>Rules of thumb</source>
        <translation>经验法则</translation>
    </message>
    <message>
        <source>Fields of a plan</source>
        <translation>方案的字段</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Answers as JSON</source>
        <translation>JSON 形式的回答</translation>
    </message>
    <message>
        <source>Rules of a plan</source>
        <translation>方案的规则</translation>
    </message>
    <message>
        <source>How many users on two H100</source>
        <translation>两张 H100 能服务多少用户</translation>
    </message>
</context>
<context>
    <name>cardfit::app::InputsPanel</name>
    <message>
        <source>Parallel</source>
        <translation>并行</translation>
    </message>
    <message>
        <source>Overheads</source>
        <translation>额外开销</translation>
    </message>
    <message>
        <source>Family</source>
        <translation>系列</translation>
    </message>
    <message>
        <source>a shape of its own</source>
        <translation>自定义结构</translation>
    </message>
    <message>
        <source>The family whose shapes the model size chooses from.</source>
        <translation>模型规模从这个系列的结构中选取。</translation>
    </message>
    <message>
        <source>Family: %1</source>
        <translation>系列：%1</translation>
    </message>
    <message>
        <source>hidden %1 · MLP %2 · heads %3, key/value %4 · vocabulary %5</source>
        <translation>隐藏维度 %1 · MLP %2 · 注意力头 %3，KV 头 %4 · 词表 %5</translation>
    </message>
    <message>
        <source>%1 experts, %2 per token</source>
        <translation>%1 个专家，每词元 %2 个</translation>
    </message>
    <message>
        <source>Accelerator: %1</source>
        <translation>加速卡：%1</translation>
    </message>
    <message>
        <source>Card</source>
        <translation>加速卡</translation>
    </message>
    <message>
        <source>1 card of %1 MiB</source>
        <translation>1 张卡 · %1 MiB</translation>
    </message>
    <message>
        <source>%1 cards · %2 MiB each</source>
        <translation>%1 张卡 · 每张 %2 MiB</translation>
    </message>
    <message>
        <source>%1 TFLOPS bf16</source>
        <translation>bf16 %1 TFLOPS</translation>
    </message>
    <message>
        <source>%1 %2 → %3</source>
        <translation>%1 %2 → %3</translation>
    </message>
    <message>
        <source>Run</source>
        <comment>a whole training run</comment>
        <translation>训练运行</translation>
    </message>
    <message>
        <source>Days, card-hours, cost and energy follow from a number of tokens.</source>
        <translation>给出词元数后即可得到天数、卡时、费用和能耗。</translation>
    </message>
    <message>
        <source>There are no figures for a plan that breaks a rule.</source>
        <comment>days and cost</comment>
        <translation>违反规则的方案无法得出这些数字。</translation>
    </message>
    <message>
        <source>Kernels and fusions</source>
        <translation>内核与融合</translation>
    </message>
    <message>
        <source>What the plan is for</source>
        <translation>方案的用途</translation>
    </message>
    <message>
        <source>%1 MiB usable</source>
        <translation>可用 %1 MiB</translation>
    </message>
    <message>
        <source>all of it counted as usable</source>
        <translation>全部计为可用</translation>
    </message>
    <message>
        <source>Expert tensor held</source>
        <translation>固定专家张量并行</translation>
    </message>
    <message>
        <source>Expert tensor automatic</source>
        <translation>专家张量并行改为自动</translation>
    </message>
    <message>
        <source>changed: %1</source>
        <comment>inputs of a folded group</comment>
        <translation>已改 %1 项</translation>
    </message>
    <message>
        <source>Recipe</source>
        <translation>配方</translation>
    </message>
    <message>
        <source>all</source>
        <comment>users: as many as fit</comment>
        <translation>全部</translation>
    </message>
    <message>
        <source>auto</source>
        <extracomment>short for &quot;automatic&quot;, beside a name in one line</extracomment>
        <translation>自动</translation>
    </message>
</context>
<context>
    <name>cardfit::app::Language</name>
    <message>
        <source>&amp;System language</source>
        <translation>跟随系统(&amp;S)</translation>
    </message>
    <message>
        <source>No installed font has the letters of this language: they are boxes in the file. Install one, such as fonts-noto-cjk, and export again.</source>
        <translation>已安装的字体都没有中文字符，文件中显示为方框。请安装中文字体（例如 fonts-noto-cjk）后重新导出。</translation>
    </message>
</context>
<context>
    <name>cardfit::app::LanguageMenu</name>
    <message>
        <source>Lan&amp;guage</source>
        <translation>语言 Language(&amp;G)</translation>
    </message>
</context>
<context>
    <name>cardfit::app::LastRunNotice</name>
    <message>
        <source>Cardfit did not end properly last time. Its plans are back.</source>
        <translation>Cardfit 上次没有正常结束，方案已恢复。</translation>
    </message>
    <message>
        <source>Save a report</source>
        <translation>保存报告</translation>
    </message>
    <message>
        <source>With the names in the plan…</source>
        <translation>包含方案中的名称…</translation>
    </message>
    <message>
        <source>Without names…</source>
        <translation>不含名称…</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>关闭提示</translation>
    </message>
    <message>
        <source>Text (*.txt)</source>
        <translation>文本 (*.txt)</translation>
    </message>
    <message>
        <source>The report was not saved</source>
        <translation>报告未能保存</translation>
    </message>
</context>
<context>
    <name>cardfit::app::LaunchImportDialog</name>
    <message>
        <source>Import from launcher</source>
        <translation>从启动脚本导入</translation>
    </message>
    <message>
        <source>Paste one of these: %1. Cards are those of the open plan.</source>
        <translation>粘贴以下内容之一：%1。加速卡沿用当前方案。</translation>
    </message>
    <message>
        <source>Command line or file</source>
        <translation>命令行或文件</translation>
    </message>
    <message>
        <source>Detected</source>
        <translation>自动识别</translation>
    </message>
    <message>
        <source>&amp;From</source>
        <translation>来自(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Choose file…</source>
        <translation>选择文件(&amp;C)…</translation>
    </message>
    <message>
        <source>Not mapped</source>
        <translation>未映射</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>&amp;Open as new plan</source>
        <translation>作为新方案打开(&amp;O)</translation>
    </message>
    <message>
        <source>Nothing pasted yet.</source>
        <translation>尚未粘贴内容。</translation>
    </message>
    <message>
        <source>Cardfit does not recognise this text as a launcher&apos;s.</source>
        <translation>Cardfit 不认识这段启动内容。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Scripts and configurations (%1);;All files (*)</source>
        <translation>脚本与配置 (%1);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Read as %1; all of it is mapped.</source>
        <translation>按 %1 读取；全部已映射。</translation>
    </message>
    <message>
        <source>Read as %1. Settings that could not be mapped exactly: %2.</source>
        <translation>按 %1 读取。未能原样映射的设置：%2 项。</translation>
    </message>
    <message>
        <source>Use as &amp;model of this plan</source>
        <translation>用作此方案的模型(&amp;M)</translation>
    </message>
    <message>
        <source>Replaces the model of the open plan, in one undo step; everything else stays</source>
        <translation>替换当前方案的模型，可一步撤销；其余内容不变</translation>
    </message>
    <message>
        <source>As the text says</source>
        <translation>按文本所写</translation>
    </message>
    <message>
        <source>That of the open plan</source>
        <translation>当前方案的模型</translation>
    </message>
    <message>
        <source>Used instead of a model that the text names; needed if that one is not known</source>
        <translation>代替文本所写的模型；文本所写的模型未知时必须选择</translation>
    </message>
    <message>
        <source>M&amp;odel</source>
        <translation>模型(&amp;O)</translation>
    </message>
    <message>
        <source>Model %1 is not among the shipped ones. Select the one with its shape, such as %2, or first import its config.json into the open plan.</source>
        <translation>模型 %1 不在内置模型之中。请选择结构相同的模型，例如 %2；或先把它的 config.json 导入当前方案。</translation>
    </message>
</context>
<context>
    <name>cardfit::app::LauncherFiles</name>
    <message>
        <source>%1…</source>
        <translation>%1…</translation>
    </message>
    <message>
        <source>Copy %1</source>
        <translation>复制 %1</translation>
    </message>
    <message>
        <source>%1 (*.%2)</source>
        <translation>%1 (*.%2)</translation>
    </message>
    <message>
        <source>Import from &amp;launcher…</source>
        <translation>从启动脚本导入(&amp;L)…</translation>
    </message>
    <message>
        <source>&amp;Launch command</source>
        <translation>启动命令(&amp;L)</translation>
    </message>
    <message>
        <source>The model could not be read</source>
        <translation>无法读取模型</translation>
    </message>
    <message>
        <source>Model: %1</source>
        <translation>模型：%1</translation>
    </message>
    <message>
        <source>Plans have no fields for some of the settings in %1</source>
        <translation>%1 中有些设置在方案中没有对应的字段</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>No launcher can start this plan</source>
        <translation>没有启动器能运行此方案</translation>
    </message>
    <message>
        <source>The launcher cannot express all of the plan</source>
        <translation>启动器无法表达方案的全部内容</translation>
    </message>
    <message>
        <source>Cardfit</source>
        <translation>Cardfit</translation>
    </message>
    <message>
        <source>A run started with this runs out of memory: the plan does not fit its cards</source>
        <translation>照此启动会耗尽显存：加速卡放不下此方案</translation>
    </message>
    <message>
        <source>Imported text with the changes…</source>
        <translation>导入的文本加上改动…</translation>
    </message>
    <message>
        <source>Copy imported text with the changes</source>
        <translation>复制加上改动的导入文本</translation>
    </message>
    <message>
        <source>Into a file of your own…</source>
        <translation>写入自己的文件…</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Write the plan&apos;s options into a file</source>
        <translation>把方案的选项写入文件</translation>
    </message>
    <message>
        <source>Scripts and configurations (%1);;All files (*)</source>
        <translation>脚本和配置 (%1);;所有文件 (*)</translation>
    </message>
    <message>
        <source>The plan cannot be written into this text</source>
        <translation>方案无法写入这段文本</translation>
    </message>
    <message>
        <source>It does not belong to a launcher that plans can be written for.</source>
        <translation>它不属于能写入方案的启动器。</translation>
    </message>
    <message>
        <source>Nothing: the text already matches the plan.</source>
        <translation>没有改动：文本已与方案一致。</translation>
    </message>
    <message>
        <source>Not in the text:</source>
        <translation>文本中没有的：</translation>
    </message>
    <message>
        <source>Options changed in the text; everything else stays as it was</source>
        <translation>文本中已改动的选项；其余保持原样</translation>
    </message>
    <message>
        <source>The file could not be read</source>
        <translation>无法读取文件</translation>
    </message>
</context>
<context>
    <name>cardfit::app::LayerSplitPanel</name>
    <message>
        <source>Layers per stage: %1</source>
        <translation>各阶段层数：%1</translation>
    </message>
    <message>
        <source>Layout: %1</source>
        <translation>布局：%1</translation>
    </message>
    <message>
        <source>Memory evened out over the stages</source>
        <translation>各阶段显存已拉平</translation>
    </message>
    <message>
        <source>Time evened out over the stages</source>
        <translation>各阶段时间已拉平</translation>
    </message>
    <message>
        <source>Moving any single layer does not make the slowest stage faster without losing memory or time.</source>
        <translation>移动任何单层都不能在不损失显存或时间的前提下加快最慢的阶段。</translation>
    </message>
    <message>
        <source>Layout</source>
        <translation>布局</translation>
    </message>
    <message>
        <source>As --pipeline-model-parallel-layout of Megatron-LM takes it: E embedding, t layer, m prediction layer, L loss, | between stages, t*20 and (t*20|)*2 for repetitions.</source>
        <translation>与 Megatron-LM 的 --pipeline-model-parallel-layout 写法相同：E 嵌入、t 层、m 预测层、L 损失、| 分隔阶段，t*20 与 (t*20|)*2 表示重复。</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy the layout for a Megatron-LM command line</source>
        <translation>复制布局，用于 Megatron-LM 命令行</translation>
    </message>
    <message>
        <source>Even out memory</source>
        <translation>拉平显存</translation>
    </message>
    <message>
        <source>Even out time</source>
        <translation>拉平时间</translation>
    </message>
    <message>
        <source>Move single layers away from the slowest stage as long as that shortens the step</source>
        <translation>逐层移离最慢的阶段，直到单步不再缩短</translation>
    </message>
    <message>
        <source>Evening out…</source>
        <translation>正在拉平……</translation>
    </message>
    <message>
        <source>Remove the list: layers are then split automatically, as the framework does it, or else balanced</source>
        <translation>去掉列表：自动切分各层，按框架的方式，否则均衡</translation>
    </message>
    <message>
        <source>Layers per stage: automatic</source>
        <translation>每阶段层数：自动</translation>
    </message>
    <message>
        <source>Layout (automatic)</source>
        <translation>布局（自动）</translation>
    </message>
    <message>
        <source>Layers are split: %1</source>
        <translation>各层的切分方式：%1</translation>
    </message>
    <message>
        <source>Move single layers away from the fullest card as long as that frees memory on it and the step gets at most %1 longer, or until every card fits</source>
        <translation>逐层移离最满的卡，只要能腾出其显存且单步至多变慢 %1；若有卡放不下，则移到都放得下为止</translation>
    </message>
    <message>
        <source>Moving any single layer frees no memory on the fullest card, or makes the step too long.</source>
        <translation>移动任何单层都不能使最满的卡更空，或会使单步过慢。</translation>
    </message>
    <message>
        <source>step unchanged</source>
        <translation>单步不变</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>单步 %1</translation>
    </message>
    <message>
        <source>Layers moved: %1. Fullest card %2, %3. Undo takes it back (%4).</source>
        <translation>已移动 %1 层。最满的卡 %2，%3。可撤销（%4）。</translation>
    </message>
    <message>
        <source>There may be better splits; press again to go on.</source>
        <translation>可能还有更好的划分；再按一次继续。</translation>
    </message>
</context>
<context>
    <name>cardfit::app::LayersField</name>
    <message>
        <source>Layers per stage: %1</source>
        <translation>各阶段层数：%1</translation>
    </message>
    <message>
        <source>“%1” is not a number of layers. Expected one number per stage, such as 19 20 20 21.</source>
        <translation>“%1”不是层数。应为每个阶段一个数，例如 19 20 20 21。</translation>
    </message>
    <message>
        <source>One number per stage, or per stage and chunk in the order in which a micro-batch visits them, such as 19 20 20 21, or a Megatron-LM layout, such as Et*19|(t*20|)*2,t*21L. Empty: automatic, as the framework splits layers, or else balanced.</source>
        <translation>每个阶段一个数，或按微批次经过的顺序每个阶段和块一个数，如 19 20 20 21；也可填 Megatron-LM 布局，如 Et*19|(t*20|)*2,t*21L。留空：自动，按框架的方式切分各层，否则均衡切分。</translation>
    </message>
    <message>
        <source>Layers per stage: automatic</source>
        <translation>每阶段层数：自动</translation>
    </message>
    <message>
        <source>automatic: %1</source>
        <translation>自动：%1</translation>
    </message>
</context>
<context>
    <name>cardfit::app::LearnPanel</name>
    <message>
        <source>%1 bytes</source>
        <translation>%1 字节</translation>
    </message>
    <message>
        <source>in flight %1</source>
        <translation>在途 %1</translation>
    </message>
    <message>
        <source>bubble %1</source>
        <translation>气泡 %1</translation>
    </message>
    <message>
        <source>Rules of thumb</source>
        <translation>经验法则</translation>
    </message>
    <message>
        <source>What is reckoned</source>
        <translation>估算的内容</translation>
    </message>
    <message>
        <source>Rule</source>
        <translation>法则</translation>
    </message>
    <message>
        <source>By the rule</source>
        <translation>按法则</translation>
    </message>
    <message>
        <source>Exact</source>
        <translation>精确值</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>出处</translation>
    </message>
    <message>
        <source>Why they differ</source>
        <translation>为何不同</translation>
    </message>
    <message>
        <source>Worked examples</source>
        <translation>算例</translation>
    </message>
    <message>
        <source>Example</source>
        <translation>算例</translation>
    </message>
    <message>
        <source>The article</source>
        <translation>文章</translation>
    </message>
    <message>
        <source>Exact, per card</source>
        <translation>精确值，每卡</translation>
    </message>
    <message>
        <source>Remark</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Glossary</source>
        <translation>术语</translation>
    </message>
    <message>
        <source>Term</source>
        <translation>术语</translation>
    </message>
    <message>
        <source>Meaning</source>
        <translation>含义</translation>
    </message>
    <message>
        <source>Open as a plan</source>
        <translation>作为方案打开</translation>
    </message>
    <message>
        <source>Learn</source>
        <translation>学习</translation>
    </message>
    <message>
        <source>They agree.</source>
        <translation>两者一致。</translation>
    </message>
    <message>
        <source>Schedules, four micro-batches</source>
        <translation>调度，四个微批次</translation>
    </message>
</context>
<context>
    <name>cardfit::app::MachinesPanel</name>
    <message>
        <source>yours, cannot be read</source>
        <translation>自己的，无法读取</translation>
    </message>
    <message>
        <source>cannot be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>yours, hides another</source>
        <translation>自有，遮住另一个</translation>
    </message>
    <message>
        <source>yours, hidden</source>
        <translation>自有，被遮住</translation>
    </message>
    <message>
        <source>yours</source>
        <translation>自有</translation>
    </message>
    <message>
        <source>shipped, hidden</source>
        <translation>自带，被遮住</translation>
    </message>
    <message>
        <source>shipped</source>
        <translation>自带</translation>
    </message>
    <message>
        <source>Use in &amp;plan</source>
        <translation>用于方案(&amp;P)</translation>
    </message>
    <message>
        <source>D&amp;uplicate</source>
        <translation>复制一份(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>保存(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Revert</source>
        <translation>还原(&amp;R)</translation>
    </message>
    <message>
        <source>Re&amp;pair…</source>
        <translation>修复(&amp;P)…</translation>
    </message>
    <message>
        <source>&amp;Delete…</source>
        <translation>删除(&amp;D)…</translation>
    </message>
    <message>
        <source>&amp;Import…</source>
        <translation>导入(&amp;I)…</translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation>导出(&amp;E)…</translation>
    </message>
    <message>
        <source>Machines</source>
        <translation>机器</translation>
    </message>
    <message>
        <source>Search names, figures and sources</source>
        <translation>搜索名称、数值与来源</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Origin</source>
        <translation>出处</translation>
    </message>
    <message>
        <source>Presets</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>JSON</source>
        <translation>JSON</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Accelerators</source>
        <translation>加速卡</translation>
    </message>
    <message>
        <source>Clusters</source>
        <translation>集群</translation>
    </message>
    <message>
        <source>Plans</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>%1 (%2 unreadable)</source>
        <translation>%1（%2 个无法读取）</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Shipped presets stay as they are. A duplicate can be changed.</source>
        <translation>自带预设保持不变；复制一份后可以修改。</translation>
    </message>
    <message>
        <source>a preset cannot become one of another kind</source>
        <translation>预设不能变成另一种预设</translation>
    </message>
    <message>
        <source>%1, copy</source>
        <translation>%1（副本）</translation>
    </message>
    <message>
        <source>Copy of the preset %1</source>
        <translation>预设 %1 的副本</translation>
    </message>
    <message>
        <source>Changed on disk</source>
        <translation>磁盘上已更改</translation>
    </message>
    <message>
        <source>%1 was changed on disk since it was read here. Overwrite that change?</source>
        <translation>%1 自在此读取后已在磁盘上更改。要覆盖该更改吗？</translation>
    </message>
    <message>
        <source>Saved. The published count of parameters (reported_parameters) was that of another shape and is left out.</source>
        <translation>已保存。公布的参数量（reported_parameters）属于另一种结构，已去掉。</translation>
    </message>
    <message>
        <source>%1 needs the card “%2”, which is not among your presets. Import that card first, or pick another.</source>
        <translation>%1 需要加速卡“%2”，而您的预设里没有它。请先导入这种卡，或另选一种。</translation>
    </message>
    <message>
        <source>Written to %1</source>
        <translation>已写入 %1</translation>
    </message>
    <message>
        <source>Delete %1? Plans made from it keep their values.</source>
        <translation>删除 %1？由它生成的方案保持原值。</translation>
    </message>
    <message>
        <source>Delete %1, which cannot be read?</source>
        <translation>删除无法读取的 %1 吗？</translation>
    </message>
    <message>
        <source>Its values are first written into what uses it: %1.</source>
        <translation>它的数值会先写入用到它的预设：%1。</translation>
    </message>
    <message>
        <source>Delete preset</source>
        <translation>删除预设</translation>
    </message>
    <message>
        <source>Pick a card</source>
        <translation>选择加速卡</translation>
    </message>
    <message>
        <source>The card “%1” is not among your presets. To keep it, cancel and import its preset first. To go on with another:</source>
        <translation>您的预设里没有加速卡“%1”。要保留它，请取消，先导入它的预设。要改用另一种卡：</translation>
    </message>
    <message>
        <source>Import presets</source>
        <translation>导入预设</translation>
    </message>
    <message>
        <source>Presets (*.json);;All files (*)</source>
        <translation>预设 (*.json);;所有文件 (*)</translation>
    </message>
    <message>
        <source>A preset of yours has the same id as %1. Replace it?</source>
        <translation>您已有预设与 %1 的 id 相同。替换它？</translation>
    </message>
    <message>
        <source>Export preset</source>
        <translation>导出预设</translation>
    </message>
    <message>
        <source>Unsaved changes</source>
        <translation>未保存的修改</translation>
    </message>
    <message>
        <source>%1 has changes that are not saved.</source>
        <translation>%1 有未保存的修改。</translation>
    </message>
</context>
<context>
    <name>cardfit::app::MainWindow</name>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Compare</source>
        <translation>对比(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Memory chart…</source>
        <translation>显存图(&amp;M)…</translation>
    </message>
    <message>
        <source>&amp;Copy memory chart</source>
        <translation>复制显存图(&amp;C)</translation>
    </message>
    <message>
        <source>Memory &amp;over time…</source>
        <translation>显存随时间变化(&amp;O)…</translation>
    </message>
    <message>
        <source>Copy memory over time</source>
        <translation>复制显存随时间变化图</translation>
    </message>
    <message>
        <source>&amp;Pipeline chart…</source>
        <translation>流水线图(&amp;P)…</translation>
    </message>
    <message>
        <source>Copy p&amp;ipeline chart</source>
        <translation>复制流水线图(&amp;I)</translation>
    </message>
    <message>
        <source>Time of a &amp;step…</source>
        <translation>单步时间(&amp;S)…</translation>
    </message>
    <message>
        <source>Copy time of a step</source>
        <translation>复制单步时间图</translation>
    </message>
    <message>
        <source>Compare&amp;d schedules…</source>
        <translation>调度对比(&amp;D)…</translation>
    </message>
    <message>
        <source>Copy compared schedules</source>
        <translation>复制调度对比图</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;About Cardfit</source>
        <translation>关于 Cardfit(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Copy table</source>
        <translation>复制表格(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Reset layout</source>
        <translation>恢复默认布局(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Critical path	C</source>
        <translation>关键路径(&amp;C)	C</translation>
    </message>
    <message>
        <source>Critical path</source>
        <translation>关键路径</translation>
    </message>
    <message>
        <source>GiB</source>
        <translation>GiB</translation>
    </message>
    <message>
        <source>10⁹ bytes</source>
        <translation>10⁹ 字节</translation>
    </message>
    <message>
        <source>2³⁰ bytes</source>
        <translation>2³⁰ 字节</translation>
    </message>
    <message>
        <source>&amp;System colours</source>
        <translation>跟随系统配色(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>浅色(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>深色(&amp;D)</translation>
    </message>
    <message>
        <source>Peaks</source>
        <translation>峰值</translation>
    </message>
    <message>
        <source>Each card&apos;s peak above the pipeline</source>
        <translation>每卡峰值，下方为流水线</translation>
    </message>
    <message>
        <source>Over time</source>
        <translation>随时间</translation>
    </message>
    <message>
        <source>What cards hold over time, above the pipeline</source>
        <translation>各卡显存随时间变化，下方为流水线</translation>
    </message>
    <message>
        <source>Schedules</source>
        <translation>调度</translation>
    </message>
    <message>
        <source>The plan under several schedules</source>
        <translation>同一方案在几种调度下</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>Over time: &amp;all stages in rows</source>
        <translation>随时间：所有阶段逐行显示(&amp;A)</translation>
    </message>
    <message>
        <source>Over time: &amp;peaks as well</source>
        <translation>随时间：同时显示峰值(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Plan</source>
        <translation>方案(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Advice</source>
        <translation>建议(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Measured run…</source>
        <translation>实测数据(&amp;M)…</translation>
    </message>
    <message>
        <source>&amp;Name…</source>
        <translation>名称(&amp;N)…</translation>
    </message>
    <message>
        <source>Save &amp;cluster as preset…</source>
        <translation>将集群存为预设(&amp;C)…</translation>
    </message>
    <message>
        <source>&amp;Read presets again</source>
        <translation>重新读取预设(&amp;R)</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>Copy chart</source>
        <translation>复制图表</translation>
    </message>
    <message>
        <source>Copy the memory chart (%1)</source>
        <translation>复制显存图 (%1)</translation>
    </message>
    <message>
        <source>%1[*]</source>
        <translation>%1[*]</translation>
    </message>
    <message>
        <source>The cluster could not be saved</source>
        <translation>无法保存集群</translation>
    </message>
    <message>
        <source>Cluster: %1</source>
        <translation>集群：%1</translation>
    </message>
    <message>
        <source>Save cluster</source>
        <translation>保存集群</translation>
    </message>
    <message>
        <source>Name of the cluster:</source>
        <translation>集群名称：</translation>
    </message>
    <message>
        <source>Name of the plan</source>
        <translation>方案名称</translation>
    </message>
    <message>
        <source>Name: %1</source>
        <translation>名称：%1</translation>
    </message>
    <message>
        <source>Cardfit</source>
        <translation>Cardfit</translation>
    </message>
    <message>
        <source>About Cardfit</source>
        <translation>关于 Cardfit</translation>
    </message>
    <message>
        <source>Drag a rail</source>
        <translation>拖动滑轨</translation>
    </message>
    <message>
        <source>Every quantity is a rail: drag it, or type 8, 13B or 4k. The strip below shows where the plan stops fitting, before you get there.</source>
        <translation>每个量都是一条滑轨：可拖动，也可键入 8、13B 或 4k。下方色带提前显示方案从哪里开始放不下。</translation>
    </message>
    <message>
        <source>Click into the pipeline</source>
        <translation>点击流水线</translation>
    </message>
    <message>
        <source>A click sets the time cursor. The bars above then show what each card holds at that instant; a click on a bar leads to its peak.</source>
        <translation>点击可设置时间光标，上方的柱随即显示每张卡那一刻的占用；点击柱则跳到其峰值。</translation>
    </message>
    <message>
        <source>See where any number comes from</source>
        <translation>任何数值都可追问来源</translation>
    </message>
    <message>
        <source>Click a part of a bar, or a figure in the table: Explain gives the formula, the numbers and the source. F1 opens help on the part of the window that you are using.</source>
        <translation>点击柱中的一段或表格中的数值：“解释”给出公式、数字与来源。按 F1 打开当前位置的帮助。</translation>
    </message>
    <message>
        <source>Co&amp;mmand palette…</source>
        <translation>命令面板(&amp;M)…</translation>
    </message>
    <message>
        <source>Chart as &amp;table…</source>
        <translation>图表转为表格(&amp;T)…</translation>
    </message>
    <message>
        <source>Critical path: the longest chain of operations, from the start of the step to its end</source>
        <translation>关键路径：从一步开始到结束的最长操作链</translation>
    </message>
    <message>
        <source>Being computed…</source>
        <translation>正在计算…</translation>
    </message>
    <message>
        <source>Name (if empty, the plan is named after its contents and renamed when they change):</source>
        <translation>名称；留空则由方案内容自动命名并随之更新：</translation>
    </message>
    <message>
        <source>True &amp;time: nothing left out	T</source>
        <translation>真实时间：不省略(&amp;T)	T</translation>
    </message>
    <message>
        <source>Plans &amp;found…</source>
        <translation>找到的方案(&amp;F)…</translation>
    </message>
    <message>
        <source>Copy plans found</source>
        <translation>复制找到的方案图</translation>
    </message>
    <message>
        <source>Map of &amp;two fields…</source>
        <translation>两个字段的热图(&amp;T)…</translation>
    </message>
    <message>
        <source>Copy map of two fields</source>
        <translation>复制两个字段的热图</translation>
    </message>
    <message>
        <source>Card types a&amp;nd counts…</source>
        <translation>卡型与卡数(&amp;N)…</translation>
    </message>
    <message>
        <source>Copy card types and counts</source>
        <translation>复制卡型与卡数图</translation>
    </message>
    <message>
        <source>New &amp;window</source>
        <translation>新建窗口(&amp;W)</translation>
    </message>
    <message>
        <source>A cluster of yours has the id %1 already. Replace it?</source>
        <translation>您已有 id 为 %1 的集群。替换它？</translation>
    </message>
    <message>
        <source>&amp;Go to panel</source>
        <translation>转到面板(&amp;G)</translation>
    </message>
    <message>
        <source>&lt;h3&gt;Cardfit %1&lt;/h3&gt;&lt;p&gt;Plans large-model training runs: memory of every card, the pipeline, step time.&lt;/p&gt;&lt;p&gt;GPL-3.0-or-later. Uses Qt (LGPL-3.0), QCustomPlot (GPL-3.0-or-later), nlohmann/json, {fmt}, toml++ and yaml-cpp (MIT), zlib (Zlib), CLI11 (BSD-3-Clause), tl::expected (CC0) and oneTBB (Apache-2.0); the module for Python 3 (PSF-2.0) uses pybind11 (BSD-3-Clause).&lt;/p&gt;&lt;p&gt;No network, no telemetry.&lt;/p&gt;</source>
        <translation>&lt;h3&gt;Cardfit %1&lt;/h3&gt;&lt;p&gt;规划大模型训练：每张卡的显存、流水线、单步时间。&lt;/p&gt;&lt;p&gt;GPL-3.0-or-later。使用 Qt (LGPL-3.0)、QCustomPlot (GPL-3.0-or-later)、nlohmann/json、{fmt}、toml++ 和 yaml-cpp (MIT)、zlib (Zlib)、CLI11 (BSD-3-Clause)、tl::expected (CC0) 以及 oneTBB (Apache-2.0)；供 Python 3 (PSF-2.0) 使用的模块用 pybind11 (BSD-3-Clause)。&lt;/p&gt;&lt;p&gt;不联网，不收集数据。&lt;/p&gt;</translation>
    </message>
    <message>
        <source>&amp;Users and their waits…</source>
        <translation>用户与等待时间(&amp;U)…</translation>
    </message>
    <message>
        <source>Copy users and their waits</source>
        <translation>复制用户与等待时间</translation>
    </message>
    <message>
        <source>Unsaved edits</source>
        <translation>未保存的修改</translation>
    </message>
    <message>
        <source>The open plans cannot be kept for the next start. Edits that are not saved are lost.</source>
        <translation>无法为下次启动保留打开的方案。未保存的修改将会丢失。</translation>
    </message>
    <message>
        <source>&amp;Discard</source>
        <translation>丢弃(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
    <message>
        <source>Memory, di&amp;fference to a ticked plan…</source>
        <translation>显存：与勾选方案之差(&amp;F)…</translation>
    </message>
    <message>
        <source>Copy memory, difference to a ticked plan</source>
        <translation>复制显存图：与勾选方案之差</translation>
    </message>
    <message>
        <source>Memory, co&amp;mpared with a ticked plan…</source>
        <translation>显存：与勾选方案对比(&amp;M)…</translation>
    </message>
    <message>
        <source>Copy memory, compared with a ticked plan</source>
        <translation>复制显存图：与勾选方案对比</translation>
    </message>
    <message>
        <source>Step, comp&amp;ared with a ticked plan…</source>
        <translation>单步：与勾选方案对比(&amp;A)…</translation>
    </message>
    <message>
        <source>Copy step, compared with a ticked plan</source>
        <translation>复制单步图：与勾选方案对比</translation>
    </message>
    <message>
        <source>The plan beside those that are ticked</source>
        <translation>方案与勾选的方案并列</translation>
    </message>
    <message>
        <source>&amp;Presets</source>
        <translation>预设(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Presets (%1 unreadable)</source>
        <translation>预设（%1 个无法读取）(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Start with</source>
        <translation>以预设方案开始(&amp;S)</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>Rails, memory, pipeline and step of the plan</source>
        <translation>方案的滑轨、显存、流水线与单步</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>寻找</translation>
    </message>
    <message>
        <source>The best plans that keep the goals</source>
        <translation>满足目标的最佳方案</translation>
    </message>
    <message>
        <source>Machines</source>
        <translation>机器</translation>
    </message>
    <message>
        <source>Cards, networks, clusters and models</source>
        <translation>卡、网络、集群与模型</translation>
    </message>
    <message>
        <source>Learn</source>
        <translation>学习</translation>
    </message>
    <message>
        <source>Rules of thumb on this plan&apos;s numbers, worked examples, glossary</source>
        <translation>以当前方案的数值表示的经验法则、算例、术语</translation>
    </message>
    <message>
        <source>Rooms</source>
        <translation>各页</translation>
    </message>
</context>
<context>
    <name>cardfit::app::MapTab</name>
    <message>
        <source>All else free</source>
        <translation>其余皆自由</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Field of the columns</source>
        <translation>列的字段</translation>
    </message>
    <message>
        <source>Field of the rows</source>
        <translation>行的字段</translation>
    </message>
    <message>
        <source>Figure of the map</source>
        <translation>热图的指标</translation>
    </message>
    <message>
        <source>If checked, each cell shows the best plan that a search finds with these two values; otherwise the current plan with these two values</source>
        <translation>选中时，每格是搜索在这两个值下找到的最佳方案；否则是把这两个字段改为这两个值的当前方案</translation>
    </message>
    <message>
        <source>This field has only one value in this plan.</source>
        <translation>该字段在此方案中只有一个取值。</translation>
    </message>
    <message>
        <source>Searching …</source>
        <translation>正在搜索…</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>%1 of %2 cells</source>
        <translation>%1/%2 格</translation>
    </message>
    <message>
        <source>the best plan of each cell, all else free: %1</source>
        <translation>每格的最佳方案，其余皆自由：%1</translation>
    </message>
    <message>
        <source>all else as in %1</source>
        <translation>其余与 %1 相同</translation>
    </message>
    <message>
        <source>Over memory by</source>
        <translation>显存超出</translation>
    </message>
    <message>
        <source>Breaks</source>
        <translation>违反</translation>
    </message>
    <message>
        <source>Degrees</source>
        <translation>并行度</translation>
    </message>
    <message>
        <source>tensor %1, pipeline %2, context %3</source>
        <comment>short</comment>
        <translation>张量 %1，流水线 %2，上下文 %3</translation>
    </message>
    <message>
        <source>there is no map yet</source>
        <translation>还没有热图</translation>
    </message>
</context>
<context>
    <name>cardfit::app::MeasuredRuns</name>
    <message>
        <source>Show a &amp;measured run under the timeline…</source>
        <translation>在时间线下叠放实测数据(&amp;M)…</translation>
    </message>
    <message>
        <source>Hide &amp;the measured run</source>
        <translation>移除实测数据(&amp;T)</translation>
    </message>
    <message>
        <source>The measured run could not be read</source>
        <translation>无法读取实测数据</translation>
    </message>
    <message>
        <source>Measured run</source>
        <translation>实测数据</translation>
    </message>
    <message>
        <source>Iteration</source>
        <translation>迭代</translation>
    </message>
    <message>
        <source>Cali&amp;brate the plan with the measured run</source>
        <translation>用实测数据校准方案(&amp;B)</translation>
    </message>
    <message>
        <source>Calibrate with a measured run</source>
        <translation>用实测数据校准</translation>
    </message>
    <message>
        <source>The plan cannot be calibrated with this run</source>
        <translation>无法用这次运行校准方案</translation>
    </message>
    <message>
        <source>Traces (*.json *.json.gz);;All files (*)</source>
        <translation>跟踪文件 (*.json *.json.gz);;所有文件 (*)</translation>
    </message>
</context>
<context>
    <name>cardfit::app::PaneCycle</name>
    <message>
        <source>&amp;Next pane</source>
        <translation>下一窗格(&amp;N)</translation>
    </message>
    <message>
        <source>Pre&amp;vious pane</source>
        <translation>上一窗格(&amp;V)</translation>
    </message>
</context>
<context>
    <name>cardfit::app::PlanControls</name>
    <message>
        <source>%1: %2</source>
        <comment>input: what is chosen</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1 on</source>
        <translation>开启 %1</translation>
    </message>
    <message>
        <source>%1 off</source>
        <translation>关闭 %1</translation>
    </message>
    <message>
        <source>default</source>
        <translation>默认</translation>
    </message>
</context>
<context>
    <name>cardfit::app::PlanDocument</name>
    <message>
        <source>Reload from disk</source>
        <translation>从磁盘重新载入</translation>
    </message>
    <message>
        <source>Earlier edits</source>
        <translation>先前的修改</translation>
    </message>
</context>
<context>
    <name>cardfit::app::PlanFiles</name>
    <message>
        <source>Plans (*.json);;All files (*)</source>
        <translation>方案 (*.json);;所有文件 (*)</translation>
    </message>
    <message>
        <source>&amp;New</source>
        <translation>新建(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>打开(&amp;O)…</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>最近打开(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>保存(&amp;S)</translation>
    </message>
    <message>
        <source>Save &amp;as…</source>
        <translation>另存为(&amp;A)…</translation>
    </message>
    <message>
        <source>The plan could not be opened</source>
        <translation>无法打开方案</translation>
    </message>
    <message>
        <source>The plan could not be saved</source>
        <translation>无法保存方案</translation>
    </message>
    <message>
        <source>Save plan</source>
        <translation>保存方案</translation>
    </message>
    <message>
        <source>Open plan</source>
        <translation>打开方案</translation>
    </message>
    <message>
        <source>None yet</source>
        <translation>暂无</translation>
    </message>
    <message>
        <source>Reloa&amp;d from disk</source>
        <translation>从磁盘重新载入(&amp;D)</translation>
    </message>
    <message>
        <source>Changed on disk</source>
        <translation>磁盘上的文件已更改</translation>
    </message>
    <message>
        <source>%1 was changed on disk since it was opened or saved here.</source>
        <translation>%1 在此处打开或保存之后，磁盘上的内容已被更改。</translation>
    </message>
    <message>
        <source>Overwriting loses that change. Reloading is one undo step: undo brings back the edits made here.</source>
        <translation>覆盖会丢失那些更改。重新载入是一个撤销步骤：此处所做的编辑可以找回。</translation>
    </message>
    <message>
        <source>&amp;Overwrite</source>
        <translation>覆盖(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Reload</source>
        <translation>重新载入(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
    <message>
        <source>On disk → here:</source>
        <translation>磁盘上 → 此处：</translation>
    </message>
    <message>
        <source>The file is written differently, but holds the same plan.</source>
        <translation>文件写法不同，但内容是同一个方案。</translation>
    </message>
    <message>
        <source>Plans and exported pictures (*.json *.json.gz *.png *.svg);;Plans (*.json *.json.gz);;All files (*)</source>
        <translation>方案与导出的图片 (*.json *.json.gz *.png *.svg);;方案 (*.json *.json.gz);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Reopen closed &amp;tab</source>
        <translation>重新打开关闭的标签页(&amp;T)</translation>
    </message>
    <message>
        <source>%1, closed %2</source>
        <extracomment>a closed plan that no file holds: its name, and when it was closed</extracomment>
        <translation>%1，关闭于 %2</translation>
    </message>
</context>
<context>
    <name>cardfit::app::PlanPickers</name>
    <message>
        <source>as planned</source>
        <translation>按方案</translation>
    </message>
    <message>
        <source>Megatron-Core</source>
        <translation>Megatron-Core</translation>
    </message>
    <message>
        <source>article, 18 bytes</source>
        <translation>文章，18 字节</translation>
    </message>
    <message>
        <source>Published models</source>
        <translation>已发布的模型</translation>
    </message>
    <message>
        <source>Figures</source>
        <translation>口径</translation>
    </message>
    <message>
        <source>The framework whose formulas the figures are computed with. The plan does not change.</source>
        <translation>用哪个框架的公式计算数值。方案本身不变。</translation>
    </message>
    <message>
        <source>Model: %1</source>
        <translation>模型：%1</translation>
    </message>
    <message>
        <source>Cluster: %1</source>
        <translation>集群：%1</translation>
    </message>
    <message>
        <source>Clusters; a cluster of a single node gets as many nodes as are needed to keep the number of cards</source>
        <translation>集群；单节点的集群会取足够的节点以保持卡数</translation>
    </message>
</context>
<context>
    <name>cardfit::app::PlanTabs</name>
    <message>
        <source>%1 (changed on disk)</source>
        <translation>%1（磁盘上已更改）</translation>
    </message>
    <message>
        <source>%1 (gone from disk)</source>
        <translation>%1（磁盘上已不存在）</translation>
    </message>
    <message>
        <source>&amp;Close tab</source>
        <translation>关闭标签页(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Tick the plan, to compare others with it</source>
        <translation>勾选方案，供其他方案对比(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Outlines of ticked plans in the charts</source>
        <translation>图表中显示勾选方案的轮廓(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Bars show</source>
        <translation>各柱显示(&amp;B)</translation>
    </message>
    <message>
        <source>Go to t&amp;ab</source>
        <translation>转到标签页(&amp;A)</translation>
    </message>
    <message>
        <source>Open plans</source>
        <translation>打开的方案</translation>
    </message>
    <message>
        <source>New plan</source>
        <translation>新建方案</translation>
    </message>
    <message>
        <source>&amp;Keep a copy</source>
        <translation>保留副本(&amp;K)</translation>
    </message>
    <message>
        <source>The plan as it is now goes into a tab, ticked; editing goes on here</source>
        <translation>方案的现状放入一个已勾选的标签页；在此继续编辑</translation>
    </message>
    <message>
        <source>&amp;Next tab</source>
        <translation>下一个标签页(&amp;N)</translation>
    </message>
    <message>
        <source>Previous ta&amp;b</source>
        <translation>上一个标签页(&amp;B)</translation>
    </message>
    <message>
        <source>Compare with %1</source>
        <translation>与 %1 对比</translation>
    </message>
    <message>
        <source>Tick the plan, to outline it in the charts of other plans and compare it with them</source>
        <translation>勾选方案，在其他方案的图表中显示其轮廓并与之对比</translation>
    </message>
    <message>
        <source>Outlined in the charts of other plans, and compared with them, as %1</source>
        <translation>作为 %1 在其他方案的图表中显示轮廓并与之对比</translation>
    </message>
    <message>
        <source>Compared as %1. Not outlined: it is of another model or other cards.</source>
        <translation>作为 %1 对比。不显示轮廓：它属于其他模型或其他卡。</translation>
    </message>
    <message>
        <source>Close %1</source>
        <translation>关闭 %1</translation>
    </message>
    <message>
        <source>Close; the plan is found under File &gt; Open recent</source>
        <translation>关闭；方案可在“文件 &gt; 打开最近”中找到</translation>
    </message>
    <message>
        <source>being computed</source>
        <translation>正在计算</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>a plan&apos;s name and FITS, TIGHT or OVER</comment>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>Bars: &amp;memory per card</source>
        <translation>柱：每卡显存(&amp;M)</translation>
    </message>
    <message>
        <source>Bars: difference to %1</source>
        <translation>柱：与 %1 之差</translation>
    </message>
</context>
<context>
    <name>cardfit::app::PlanView</name>
    <message>
        <source>Prefill passes</source>
        <translation>预填充次数</translation>
    </message>
    <message>
        <source>Prompts per pass</source>
        <translation>每次的提示数</translation>
    </message>
    <message>
        <source>Concurrent sequences</source>
        <translation>并发序列</translation>
    </message>
    <message>
        <source>Replicas of the model</source>
        <translation>模型副本</translation>
    </message>
    <message>
        <source>Fine-tuning</source>
        <translation>微调</translation>
    </message>
    <message>
        <source>A trained model is trained further, as a whole or through adapters.</source>
        <translation>继续训练已有的模型：全部权重，或通过适配器。</translation>
    </message>
    <message>
        <source>A trained model answers: weights, KV cache and the prefill of prompts, no optimizer.</source>
        <translation>已训练的模型回答请求：权重、KV 缓存和提示的预填充，没有优化器。</translation>
    </message>
</context>
<context>
    <name>cardfit::app::PlansTab</name>
    <message>
        <source>Plans found</source>
        <translation>找到的方案</translation>
    </message>
    <message>
        <source>Use this plan</source>
        <translation>使用此方案</translation>
    </message>
    <message>
        <source>best</source>
        <translation>最佳</translation>
    </message>
    <message>
        <source>tie</source>
        <comment>as good as the best one as far as the estimate can tell</comment>
        <translation>相当</translation>
    </message>
    <message>
        <source>robust</source>
        <comment>good under low and high efficiency</comment>
        <translation>稳健</translation>
    </message>
    <message>
        <source>trade-off</source>
        <translation>权衡</translation>
    </message>
    <message>
        <source>Remark</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Days</source>
        <translation>天数</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>费用</translation>
    </message>
    <message>
        <source>Plan %1</source>
        <translation>方案 %1</translation>
    </message>
    <message>
        <source>Figure across</source>
        <translation>横轴数值</translation>
    </message>
    <message>
        <source>Figure upwards</source>
        <translation>纵轴数值</translation>
    </message>
    <message>
        <source>Figure as colour</source>
        <translation>以颜色表示的数值</translation>
    </message>
    <message>
        <source>Over memory</source>
        <translation>超出显存</translation>
    </message>
    <message>
        <source>Plans that exceed the memory by the least, shown as outlines in the chart</source>
        <translation>图中以空心点显示超出显存最少的方案</translation>
    </message>
    <message>
        <source>Over by %1</source>
        <translation>超出 %1</translation>
    </message>
    <message>
        <source>beyond what was measured</source>
        <translation>超出实测范围</translation>
    </message>
    <message>
        <source>best within what was measured</source>
        <translation>实测范围内最佳</translation>
    </message>
    <message>
        <source>measured</source>
        <comment>as near to measured runs as they are to each other</comment>
        <translation>有实测依据</translation>
    </message>
    <message>
        <source>Nearest measured run</source>
        <translation>最接近的实测运行</translation>
    </message>
    <message>
        <source>Free</source>
        <translation>空余</translation>
    </message>
    <message>
        <source>MFU</source>
        <translation>MFU</translation>
    </message>
    <message>
        <source>With</source>
        <translation>附带</translation>
    </message>
</context>
<context>
    <name>cardfit::app::PresetForm</name>
    <message>
        <source>Id</source>
        <translation>Id</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>Card</source>
        <translation>加速卡</translation>
    </message>
</context>
<context>
    <name>cardfit::app::Quantities</name>
    <message>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Micro-batches</source>
        <translation>微批次数</translation>
    </message>
    <message>
        <source>a global batch of %1 is no multiple of %2 micro-batches × %3 data</source>
        <translation>全局批大小 %1 不是 %2 个微批次 × 数据并行 %3 的倍数</translation>
    </message>
    <message>
        <source>= %1 sequences / (%2 micro-batches × %3 data)</source>
        <translation>= %1 条序列 /（%2 个微批次 × 数据并行 %3）</translation>
    </message>
    <message>
        <source>= %1 per micro-batch × %2 micro-batches × %3 data</source>
        <translation>= 每微批 %1 × %2 个微批次 × 数据并行 %3</translation>
    </message>
    <message>
        <source>= %1 sequences / (%2 per micro-batch × %3 data)</source>
        <translation>= %1 条序列 /（每微批 %2 × 数据并行 %3）</translation>
    </message>
    <message>
        <source>= %1 cards / (%2 tensor × %3 pipeline × %4 context)</source>
        <translation>= %1 张卡 /（张量 %2 × 流水线 %3 × 上下文 %4）</translation>
    </message>
    <message>
        <source>= %1 × %2 × %3 × %4 cards / %5 per node</source>
        <translation>= %1 × %2 × %3 × %4 张卡 / 每节点 %5</translation>
    </message>
    <message>
        <source>= %1 sequences / (%2 per micro-batch × %3 micro-batches)</source>
        <translation>= %1 条序列 /（每微批 %2 × %3 个微批次）</translation>
    </message>
    <message>
        <source>a global batch of %1 is no multiple of %2 micro-batches × %3 sequences</source>
        <translation>全局批大小 %1 不是 %2 个微批次 × %3 条序列的倍数</translation>
    </message>
    <message>
        <source>%1 micro-batches are not possible: a global batch of %2 is no multiple of %1 × %3 per micro-batch. There are %4 now.</source>
        <translation>无法做到 %1 个微批次：全局批大小 %2 不是 %1 × 每微批 %3 的倍数。现在有 %4 个。</translation>
    </message>
    <message>
        <source>%1 micro-batches are not possible: a global batch of %2 is no multiple of %1 × %3 data. There are %4 now.</source>
        <translation>无法做到 %1 个微批次：全局批大小 %2 不是 %1 × 数据并行 %3 的倍数。现在有 %4 个。</translation>
    </message>
    <message>
        <source>budget days duration card-hours cost energy</source>
        <translation>预算 天数 时长 卡时 费用 成本 能耗</translation>
    </message>
    <message>
        <source>Price per card-hour</source>
        <translation>每卡时价格</translation>
    </message>
    <message>
        <source>cost money dollars USD</source>
        <translation>费用 成本 钱 美元</translation>
    </message>
    <message>
        <source>= 1, DeepSpeed&apos;s default</source>
        <translation>= 1，DeepSpeed 的默认值</translation>
    </message>
    <message>
        <source>= 1: expert parallelism takes the tensor ranks too</source>
        <translation>= 1：专家并行同时占用张量并行的 rank</translation>
    </message>
    <message>
        <source>= %1 tensor × %2 data</source>
        <translation>= %1 张量 × %2 数据</translation>
    </message>
    <message>
        <source>= %1 tensor</source>
        <translation>= %1 张量</translation>
    </message>
    <message>
        <source>network bandwidth NVLink PCIe</source>
        <translation>网络 带宽 NVLink PCIe</translation>
    </message>
    <message>
        <source>Inside a node</source>
        <translation>节点内</translation>
    </message>
    <message>
        <source>network bandwidth InfiniBand Ethernet</source>
        <translation>网络 带宽 InfiniBand 以太网</translation>
    </message>
    <message>
        <source>Between nodes</source>
        <translation>节点间</translation>
    </message>
    <message>
        <source>network NVL72 rack</source>
        <translation>网络 NVL72 机柜</translation>
    </message>
    <message>
        <source>NVLink domain</source>
        <translation>NVLink 域</translation>
    </message>
    <message>
        <source>nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>prompt length</source>
        <translation>提示长度</translation>
    </message>
    <message>
        <source>answer length</source>
        <translation>回答长度</translation>
    </message>
    <message>
        <source>concurrency load</source>
        <translation>并发 负载</translation>
    </message>
    <message>
        <source>Users at once</source>
        <translation>同时用户数</translation>
    </message>
    <message>
        <source>latency TPOT ITL limit most time per token</source>
        <translation>延迟 TPOT ITL 限制</translation>
    </message>
    <message>
        <source>Limit per token</source>
        <translation>每词元限时</translation>
    </message>
    <message>
        <source>latency TTFT limit most time</source>
        <translation>延迟 TTFT 限制</translation>
    </message>
    <message>
        <source>Limit to the first</source>
        <translation>首词元限时</translation>
    </message>
</context>
<context>
    <name>cardfit::app::RecipePanel</name>
    <message>
        <source>Recompute %1</source>
        <translation>重计算 %1</translation>
    </message>
    <message>
        <source>Keep %1</source>
        <translation>保留 %1</translation>
    </message>
    <message>
        <source>Learning</source>
        <translation>学习</translation>
    </message>
    <message>
        <source>Learning</source>
        <comment>fine-tuning: what learns</comment>
        <translation>学习</translation>
    </message>
</context>
<context>
    <name>cardfit::app::ReducedMotion</name>
    <message>
        <source>Reduce m&amp;otion</source>
        <translation>减少动画(&amp;O)</translation>
    </message>
</context>
<context>
    <name>cardfit::app::RunPage</name>
    <message>
        <source>Tokens/s per card</source>
        <translation>每卡词元/秒</translation>
    </message>
    <message>
        <source>Allocated, stage %1</source>
        <translation>已分配，阶段 %1</translation>
    </message>
    <message>
        <source>predicted</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>difference</source>
        <translation>差别</translation>
    </message>
    <message>
        <source>%1 %2%3</source>
        <comment>part of the step, sign, time</comment>
        <translation>%1 %2%3</translation>
    </message>
    <message>
        <source>Prediction and measurement agree.</source>
        <translation>预测与实测一致。</translation>
    </message>
    <message>
        <source>In the step: %1.</source>
        <translation>单步中：%1。</translation>
    </message>
    <message>
        <source>Computation and hosts take %1 times, communication %2 times the predicted time.</source>
        <translation>计算与主机耗时为预测的 %1 倍，通信为 %2 倍。</translation>
    </message>
    <message>
        <source>Every card allocates %1 beyond the prediction.</source>
        <translation>每张卡的分配与预测相差 %1。</translation>
    </message>
    <message>
        <source>%1 TFLOP/s, %2</source>
        <comment>peak, number format</comment>
        <translation>%1 TFLOP/s，%2</translation>
    </message>
    <message>
        <source>TFLOP/s</source>
        <translation>TFLOP/s</translation>
    </message>
    <message>
        <source>MFU</source>
        <translation>MFU</translation>
    </message>
    <message>
        <source>HFU</source>
        <translation>HFU</translation>
    </message>
    <message>
        <source>Effect of a calibration</source>
        <translation>校准的效果</translation>
    </message>
    <message>
        <source>Utilisation of each card in this run</source>
        <translation>此次运行每张卡的利用率</translation>
    </message>
    <message>
        <source>Its throughput is %1 of the published one.</source>
        <translation>吞吐为已公布值的 %1。</translation>
    </message>
</context>
<context>
    <name>cardfit::app::SavePlace</name>
    <message>
        <source>%1 exists already. Replace it?</source>
        <translation>%1 已存在。要替换吗？</translation>
    </message>
</context>
<context>
    <name>cardfit::app::SchedulesPanel</name>
    <message>
        <source>The new one is being estimated.</source>
        <translation>正在估算新方案。</translation>
    </message>
    <message>
        <source>Up to four schedules to compare</source>
        <translation>最多选择四种调度进行对比</translation>
    </message>
    <message>
        <source>Four are chosen: remove one first.</source>
        <translation>已选四种：请先取消一种。</translation>
    </message>
    <message>
        <source>Schedules: %1 of %2</source>
        <translation>调度：%1 / %2</translation>
    </message>
</context>
<context>
    <name>cardfit::app::SearchPanel</name>
    <message>
        <source>Follow edits</source>
        <translation>跟随编辑</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>What to look for</source>
        <translation>搜索目标</translation>
    </message>
    <message>
        <source>What a search may change; all else stays as in this plan</source>
        <translation>搜索可以改变的字段；其余都与当前方案相同</translation>
    </message>
    <message>
        <source>Search again after every edit</source>
        <translation>每次编辑后重新搜索</translation>
    </message>
    <message>
        <source>%1 plans: %2 break a rule, %3 over memory, %4 slower, %5 compared</source>
        <translation>%1 个方案：%2 个违反规则，%3 个超出显存，%4 个更慢，%5 个已比较</translation>
    </message>
    <message>
        <source>%1 decided: %2</source>
        <translation>已判定 %1：%2</translation>
    </message>
    <message>
        <source>stopped: better plans may exist</source>
        <translation>已停止：可能存在更好的方案</translation>
    </message>
    <message>
        <source>None fits; the nearest is %1 over on stage %2.</source>
        <translation>没有方案放得下；最接近的在阶段 %2 超出 %1。</translation>
    </message>
    <message>
        <source>None keeps every rule.</source>
        <translation>没有方案符合所有规则。</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Plans</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>Why not</source>
        <translation>为什么不</translation>
    </message>
    <message>
        <source>Map</source>
        <translation>热图</translation>
    </message>
    <message>
        <source>%1 of %2 plans; free: %3</source>
        <comment>objective, plans, fields</comment>
        <translation>%2 个方案中%1；自由字段：%3</translation>
    </message>
    <message>
        <source>The best plan takes %1 of this plan&apos;s step.</source>
        <translation>最佳方案的步时为本方案的 %1。</translation>
    </message>
    <message>
        <source>Search tries every setting of the fields that may change, and lists the best plans.</source>
        <translation>搜索会尝试可变字段的所有取值，并列出最好的方案。</translation>
    </message>
    <message>
        <source>These plans were found for a plan that differs in what a search keeps fixed: search again.</source>
        <translation>这些方案是为另一份计划找到的，其中搜索保持不变的设置已不同：请重新搜索。</translation>
    </message>
    <message>
        <source>No measured runs were found to compare these plans with.</source>
        <translation>没有找到可与这些方案对照的实测运行。</translation>
    </message>
    <message>
        <source>None of the best plans is within what was measured: a run of its framework and card generation at most %1 away.</source>
        <translation>最佳方案都不在实测范围之内:没有同一框架、同一代显卡且距离不超过 %1 的运行。</translation>
    </message>
    <message>
        <source>Best within what was measured: row %1.</source>
        <translation>实测范围内的最佳方案:第 %1 行。</translation>
    </message>
    <message>
        <source>%1 miss a limit</source>
        <translation>%1 个不满足限制</translation>
    </message>
    <message>
        <source>No plan that fits keeps every limit.</source>
        <translation>没有既放得下又满足所有限制的方案。</translation>
    </message>
    <message>
        <source>Cards to plan for</source>
        <translation>用哪些卡</translation>
    </message>
    <message>
        <source>on %1</source>
        <translation>使用 %1</translation>
    </message>
    <message>
        <source>on up to %1</source>
        <translation>最多使用 %1</translation>
    </message>
    <message>
        <source>degrees</source>
        <translation>各并行度</translation>
    </message>
    <message>
        <source>may change: %1</source>
        <translation>可变：%1</translation>
    </message>
</context>
<context>
    <name>cardfit::app::SearchWords</name>
    <message>
        <source>Fastest</source>
        <translation>最快</translation>
    </message>
    <message>
        <source>Cheapest</source>
        <translation>最便宜</translation>
    </message>
    <message>
        <source>Least memory</source>
        <translation>显存最少</translation>
    </message>
    <message>
        <source>Least energy</source>
        <translation>能耗最少</translation>
    </message>
    <message>
        <source>Fewest cards</source>
        <translation>最少卡数</translation>
    </message>
    <message>
        <source>Days</source>
        <translation>天数</translation>
    </message>
    <message>
        <source>Step (s)</source>
        <translation>步时 (s)</translation>
    </message>
    <message>
        <source>Cost (k$)</source>
        <translation>成本（千美元）</translation>
    </message>
    <message>
        <source>Cost ($ for 10⁶ tokens)</source>
        <translation>成本（美元/10⁶ 词元）</translation>
    </message>
    <message>
        <source>Fullest card (GB)</source>
        <translation>最满的卡 (GB)</translation>
    </message>
    <message>
        <source>Energy (MWh)</source>
        <translation>能耗 (MWh)</translation>
    </message>
    <message>
        <source>Energy (kWh for 10⁶ tokens)</source>
        <translation>能耗(kWh/10⁶ 词元)</translation>
    </message>
    <message>
        <source>Free memory (%)</source>
        <translation>空闲显存 (%)</translation>
    </message>
    <message>
        <source>Card type</source>
        <translation>卡型</translation>
    </message>
    <message>
        <source>Most sequences</source>
        <translation>序列最多</translation>
    </message>
    <message>
        <source>Cards for a sequence</source>
        <translation>每条序列的卡数</translation>
    </message>
    <message>
        <source>Most tokens per card</source>
        <translation>单卡词元最多</translation>
    </message>
    <message>
        <source>Shortest time per token</source>
        <translation>每词元时间最短</translation>
    </message>
    <message>
        <source>Card time per token (ms)</source>
        <translation>每词元的卡时间（毫秒）</translation>
    </message>
    <message>
        <source>Time per token (ms)</source>
        <translation>每词元时间（毫秒）</translation>
    </message>
</context>
<context>
    <name>cardfit::app::StageTable</name>
    <message>
        <source>Layers</source>
        <translation>层数</translation>
    </message>
    <message>
        <source>Allocated</source>
        <translation>已分配</translation>
    </message>
    <message>
        <source>Reserved</source>
        <translation>已预留</translation>
    </message>
    <message>
        <source>Free</source>
        <translation>空余</translation>
    </message>
    <message>
        <source>stage %1</source>
        <translation>阶段 %1</translation>
    </message>
    <message>
        <source>In the cache</source>
        <translation>缓存中</translation>
    </message>
</context>
<context>
    <name>cardfit::app::TabKeeper</name>
    <message>
        <source>A plan of the last time could not be opened; it is kept as %1</source>
        <translation>上次的一个方案无法打开；已保留为 %1</translation>
    </message>
    <message>
        <source>Open plans cannot be kept for the next start</source>
        <translation>无法为下次启动保留打开的方案</translation>
    </message>
</context>
<context>
    <name>cardfit::app::TablePanel</name>
    <message>
        <source>Memory of each stage</source>
        <translation>各阶段显存</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>One card of each stage, in GB (10⁹ bytes)</source>
        <translation>每阶段一张卡，单位 GB（10⁹ 字节）</translation>
    </message>
    <message>
        <source>One card of each stage, in GiB (2³⁰ bytes)</source>
        <translation>每阶段一张卡，单位 GiB（2³⁰ 字节）</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>This plan has no figures; these are of the last one that had some</source>
        <translation>此计划没有结果；下面是上一个有结果的计划的数值</translation>
    </message>
</context>
<context>
    <name>cardfit::app::UtilizationMenu</name>
    <message>
        <source>&amp;Utilisation</source>
        <translation>利用率口径(&amp;U)</translation>
    </message>
    <message>
        <source>Against the 16-bit peak</source>
        <translation>对照 16 位峰值</translation>
    </message>
    <message>
        <source>The dense peak of bf16 and fp16, as most publications do</source>
        <translation>bf16 与 fp16 的稠密峰值，多数文献如此</translation>
    </message>
    <message>
        <source>Against the recipe&apos;s own peak</source>
        <translation>对照配方自身精度的峰值</translation>
    </message>
    <message>
        <source>The dense peak of fp8, mxfp8 or nvfp4 where the recipe computes in it</source>
        <translation>配方以 fp8、mxfp8 或 nvfp4 计算时，用其稠密峰值</translation>
    </message>
</context>
<context>
    <name>cardfit::app::WhyTab</name>
    <message>
        <source>The plan as it is: %1</source>
        <translation>当前方案：%1</translation>
    </message>
    <message>
        <source>Plans by reason</source>
        <translation>按原因统计的方案</translation>
    </message>
    <message>
        <source>Why not?</source>
        <translation>为什么不?</translation>
    </message>
    <message>
        <source>Why no plan with these degrees is listed</source>
        <translation>为什么没有列出这些并行度的方案</translation>
    </message>
    <message>
        <source>Reason for these degrees</source>
        <translation>这些并行度的原因</translation>
    </message>
    <message>
        <source>Reason for the plan as it is</source>
        <translation>当前方案的原因</translation>
    </message>
    <message>
        <source>Search first; then this shows why each plan that is not listed was left out.</source>
        <translation>请先搜索：之后这里会显示每个未列出的方案被排除的原因。</translation>
    </message>
    <message>
        <source>Choose a row for an example.</source>
        <translation>选择一行查看示例。</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Plans</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>fit and were compared</source>
        <translation>放得下并已比较</translation>
    </message>
    <message>
        <source>over memory</source>
        <translation>显存超出</translation>
    </message>
    <message>
        <source>slower</source>
        <comment>plans</comment>
        <translation>更慢</translation>
    </message>
    <message>
        <source>miss a limit</source>
        <translation>不满足限制</translation>
    </message>
    <message>
        <source>undecided</source>
        <translation>未判定</translation>
    </message>
    <message>
        <source>break %1</source>
        <translation>违反 %1</translation>
    </message>
    <message>
        <source>For example %1: %2</source>
        <translation>例如 %1：%2</translation>
    </message>
    <message>
        <source>better than what the search found: %1</source>
        <translation>优于搜索所得：%1</translation>
    </message>
    <message>
        <source>offered as number %1</source>
        <translation>列为第 %1 名</translation>
    </message>
    <message>
        <source>not in the space that was searched: %1</source>
        <translation>不在所搜索的空间内：%1</translation>
    </message>
    <message>
        <source>%1 takes a whole number, found “%2”.</source>
        <translation>%1 须为整数，但得到“%2”。</translation>
    </message>
    <message>
        <source>Looking …</source>
        <translation>正在查找…</translation>
    </message>
    <message>
        <source>A setting that the search kept fixed has changed: search again to see the reason.</source>
        <translation>方案中搜索时保持不变的部分已改变：请重新搜索以得到原因。</translation>
    </message>
</context>
<context>
    <name>cardfit::app::WrittenNotice</name>
    <message>
        <source>Open folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>Written: %1</source>
        <translation>已写入：%1</translation>
    </message>
</context>
<context>
    <name>cardfit::ui::Callout</name>
    <message>
        <source>&amp;Close</source>
        <translation>关闭(&amp;C)</translation>
    </message>
    <message>
        <source>Hint</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>&amp;Next</source>
        <translation>下一条(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Done</source>
        <translation>完成(&amp;D)</translation>
    </message>
</context>
<context>
    <name>cardfit::ui::ChartTables</name>
    <message>
        <source>%1 (%2)</source>
        <comment>column: unit</comment>
        <translation>%1 (%2)</translation>
    </message>
</context>
<context>
    <name>cardfit::ui::ChartWidget</name>
    <message>
        <source>%1: %2</source>
        <comment>plan&apos;s name: chart&apos;s title</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Last plan with figures. %1</source>
        <translation>上一个有数值的方案。%1</translation>
    </message>
    <message>
        <source>No figures yet. %1</source>
        <translation>还没有数值。%1</translation>
    </message>
</context>
<context>
    <name>cardfit::ui::ClusterMap</name>
    <message>
        <source>Tensor groups</source>
        <translation>张量并行组</translation>
    </message>
    <message>
        <source>Context groups</source>
        <translation>上下文并行组</translation>
    </message>
    <message>
        <source>Expert groups</source>
        <translation>专家并行组</translation>
    </message>
    <message>
        <source>Data groups</source>
        <translation>数据并行组</translation>
    </message>
    <message>
        <source>Pipelines</source>
        <translation>流水线</translation>
    </message>
    <message>
        <source>%1 cards</source>
        <translation>%1 张卡</translation>
    </message>
    <message>
        <source>%1, within a node</source>
        <translation>%1，节点内</translation>
    </message>
    <message>
        <source>%1, %2 in a node, within a domain</source>
        <translation>%1，每节点 %2 张，域内</translation>
    </message>
    <message>
        <source>%1, %2 in a domain, across the network</source>
        <translation>%1，每域 %2 张，跨网络</translation>
    </message>
    <message>
        <source>%1, %2 in a node, across the network</source>
        <translation>%1，每节点 %2 张，跨网络</translation>
    </message>
    <message>
        <source>%1: %2 of a step</source>
        <translation>%1：每步 %2</translation>
    </message>
    <message>
        <source>Cluster: %1</source>
        <translation>集群：%1</translation>
    </message>
    <message>
        <source>every card is alone</source>
        <translation>每张卡各自独立</translation>
    </message>
    <message>
        <source>the first %1 of %2 cards</source>
        <translation>%2 张卡中的前 %1 张</translation>
    </message>
    <message>
        <source>thin frame: a node</source>
        <translation>细框：节点</translation>
    </message>
    <message>
        <source>thick frame: an NVLink domain</source>
        <translation>粗框：NVLink 域</translation>
    </message>
    <message>
        <source>No cluster to show</source>
        <translation>没有可显示的集群</translation>
    </message>
    <message>
        <source>%1 cards in %2 nodes</source>
        <translation>%2 个节点中的 %1 张卡</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Cards of the cluster</source>
        <translation>集群中的卡</translation>
    </message>
    <message>
        <source>Card</source>
        <translation>卡</translation>
    </message>
    <message>
        <source>Domain</source>
        <translation>域</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Card %1: node %2, domain %3</source>
        <translation>卡 %1：节点 %2，域 %3</translation>
    </message>
    <message>
        <source>Card %1: node %2</source>
        <translation>卡 %1：节点 %2</translation>
    </message>
</context>
<context>
    <name>cardfit::ui::DecodeBars</name>
    <message>
        <source>A card of stage %1</source>
        <translation>阶段 %1 的一张卡</translation>
    </message>
    <message>
        <source>Every card</source>
        <translation>每张卡</translation>
    </message>
    <message>
        <source>No server yet</source>
        <translation>尚无推理服务</translation>
    </message>
    <message>
        <source>%1 (±%2) with %3 users</source>
        <comment>time per token, its error, users at once</comment>
        <translation>%1（±%2），%3 个用户</translation>
    </message>
    <message>
        <source>Share of the time per token</source>
        <translation>占每词元时间的比例</translation>
    </message>
    <message>
        <source>plan %1</source>
        <translation>方案 %1</translation>
    </message>
</context>
<context>
    <name>cardfit::ui::DifferenceBars</name>
    <message>
        <source>not in %1</source>
        <translation>%1 中没有</translation>
    </message>
    <message>
        <source>only in %1</source>
        <translation>仅 %1 中有</translation>
    </message>
</context>
<context>
    <name>cardfit::ui::ExplainView</name>
    <message>
        <source>%1 at the published extremes</source>
        <translation>按已公布的极值为 %1</translation>
    </message>
    <message>
        <source>Explanation</source>
        <translation>解释</translation>
    </message>
</context>
<context>
    <name>cardfit::ui::GoalChips</name>
    <message>
        <source>%1 days</source>
        <translation>%1 天</translation>
    </message>
    <message>
        <source>%1 % free</source>
        <translation>剩余 %1 %</translation>
    </message>
    <message>
        <source>Deadline…</source>
        <translation>期限…</translation>
    </message>
    <message>
        <source>Days that the run may take (0: no deadline):</source>
        <translation>训练最多可用的天数（0：无期限）：</translation>
    </message>
    <message>
        <source>Budget…</source>
        <translation>预算…</translation>
    </message>
    <message>
        <source>US dollars that the run may cost (0: no budget):</source>
        <translation>训练最多可花的美元（0：无预算）：</translation>
    </message>
    <message>
        <source>Margin…</source>
        <translation>余量…</translation>
    </message>
    <message>
        <source>Per cent of the fullest card that must stay free (0: none):</source>
        <translation>最满的卡必须剩余的百分比（0：无）：</translation>
    </message>
    <message>
        <source>Goals</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>%1: kept</source>
        <translation>%1：满足</translation>
    </message>
    <message>
        <source>%1: missed</source>
        <translation>%1：未满足</translation>
    </message>
</context>
<context>
    <name>cardfit::ui::HostBar</name>
    <message>
        <source>Host memory, node %1: %2, of a node whose memory is not known</source>
        <translation>主机内存，节点 %1：%2，该节点的内存大小未知</translation>
    </message>
    <message>
        <source>Host memory, node %1: %2 of %3</source>
        <translation>主机内存，节点 %1：%2 / %3</translation>
    </message>
</context>
<context>
    <name>cardfit::ui::Labels</name>
    <message>
        <source>Optimizer</source>
        <translation>优化器状态</translation>
    </message>
    <message>
        <source>Temporary</source>
        <translation>临时</translation>
    </message>
    <message>
        <source>Communication</source>
        <translation>通信</translation>
    </message>
    <message>
        <source>Context</source>
        <comment>of the device: what a card needs before anything is allocated</comment>
        <translation>设备上下文</translation>
    </message>
    <message>
        <source>Reserve</source>
        <translation>预留</translation>
    </message>
    <message>
        <source>Tensor</source>
        <comment>part of a step</comment>
        <translation>张量</translation>
    </message>
    <message>
        <source>Context</source>
        <comment>part of a step</comment>
        <translation>上下文并行</translation>
    </message>
    <message>
        <source>Data</source>
        <comment>part of a step</comment>
        <translation>数据</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <comment>part of a step</comment>
        <translation>优化器更新</translation>
    </message>
    <message>
        <source>work of the busiest stage&apos;s cards</source>
        <translation>最忙阶段各卡的计算</translation>
    </message>
    <message>
        <source>collectives inside layers that nothing hides</source>
        <translation>层内未被掩盖的集合通信</translation>
    </message>
    <message>
        <source>keys and values that attention waits for</source>
        <translation>注意力等待的 K 和 V</translation>
    </message>
    <message>
        <source>tokens on their way to experts and back</source>
        <translation>词元往返专家的传输</translation>
    </message>
    <message>
        <source>waiting for activations and gradients on their way</source>
        <translation>等待传输中的激活与梯度</translation>
    </message>
    <message>
        <source>waiting for other stages</source>
        <translation>等待其他阶段</translation>
    </message>
    <message>
        <source>gradients and weights that replicas exchange, where nothing hides it</source>
        <translation>副本间未被掩盖的梯度与权重交换</translation>
    </message>
    <message>
        <source>the update of the weights, and the host&apos;s work for a step</source>
        <translation>权重更新与主机每步的开销</translation>
    </message>
    <message>
        <source>Input gradient</source>
        <translation>输入梯度</translation>
    </message>
    <message>
        <source>Weight gradient</source>
        <translation>权重梯度</translation>
    </message>
    <message>
        <source>Forward and backward</source>
        <translation>前向与反向</translation>
    </message>
    <message>
        <source>Update</source>
        <translation>更新</translation>
    </message>
    <message>
        <source>the pipeline fills</source>
        <translation>流水线填充</translation>
    </message>
    <message>
        <source>waits for activations</source>
        <translation>等待激活</translation>
    </message>
    <message>
        <source>waits for a gradient</source>
        <translation>等待梯度</translation>
    </message>
    <message>
        <source>waits for a busy receiver</source>
        <translation>等待忙碌的接收方</translation>
    </message>
    <message>
        <source>a transfer is on its way</source>
        <translation>传输进行中</translation>
    </message>
    <message>
        <source>the pipeline drains</source>
        <translation>流水线排空</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between the parts of a list</comment>
        <translation>、</translation>
    </message>
    <message>
        <source>layers %1</source>
        <translation>层 %1</translation>
    </message>
    <message>
        <source>The plan cannot be estimated</source>
        <translation>无法估算此方案</translation>
    </message>
    <message>
        <source>1 rule broken</source>
        <translation>违反 1 条规则</translation>
    </message>
    <message>
        <source>%1 rules broken</source>
        <translation>违反 %1 条规则</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>how many rules are broken: the first of them</comment>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>cardfit::ui::LayerSplit</name>
    <message>
        <source>%1 layers</source>
        <translation>%1 层</translation>
    </message>
    <message>
        <source>chunk %1</source>
        <extracomment>beside a row of stages: the number of the model chunk of each rank</extracomment>
        <translation>模型块 %1</translation>
    </message>
    <message>
        <source>Drag to move layers between stage %1 and stage %2</source>
        <translation>拖动可在阶段 %1 与阶段 %2 之间移动层</translation>
    </message>
    <message>
        <source>Embedding, on stage %1</source>
        <translation>嵌入，位于阶段 %1</translation>
    </message>
    <message>
        <source>Layer %1, with experts (stage %2, %3)</source>
        <translation>层 %1，含专家（阶段 %2，%3）</translation>
    </message>
    <message>
        <source>Layer %1 (stage %2, %3)</source>
        <translation>层 %1（阶段 %2，%3）</translation>
    </message>
    <message>
        <source>Layer that predicts a further token, on stage %1</source>
        <translation>多词元预测层，位于阶段 %1</translation>
    </message>
    <message>
        <source>Output layer and loss, on stage %1</source>
        <translation>输出层与损失，位于阶段 %1</translation>
    </message>
    <message>
        <source>stage %1: %2</source>
        <translation>阶段 %1：%2</translation>
    </message>
    <message>
        <source>Layers of the stages, boundary between stage %1 with %2 and stage %3 with %4 layers</source>
        <extracomment>Read by a screen reader: where the arrow keys act, and how many layers are on either side.</extracomment>
        <translation>各阶段的层：阶段 %1（%2 层）与阶段 %3（%4 层）的分界</translation>
    </message>
    <message>
        <source>stage %1: %2, fullest</source>
        <translation>阶段 %1：%2，最满</translation>
    </message>
    <message>
        <source>embedding</source>
        <translation>嵌入</translation>
    </message>
    <message>
        <source>prediction of further tokens</source>
        <translation>多词元预测</translation>
    </message>
    <message>
        <source>output layer and loss</source>
        <translation>输出层与损失</translation>
    </message>
    <message>
        <source>Layer %1, %4 (stage %2, %3)</source>
        <translation>第 %1 层，%4（第 %2 阶段，%3）</translation>
    </message>
</context>
<context>
    <name>cardfit::ui::LoadChart</name>
    <message>
        <source>limit %1</source>
        <translation>限制 %1</translation>
    </message>
    <message>
        <source>cache full: %1 users</source>
        <extracomment>marks the number of users from which on requests have to wait</extracomment>
        <translation>缓存已满：%1 个用户</translation>
    </message>
    <message>
        <source>the engine admits %1 users</source>
        <translation>引擎最多接纳 %1 个用户</translation>
    </message>
    <message>
        <source>%1 users</source>
        <translation>%1 个用户</translation>
    </message>
    <message>
        <source>%1 users, of whom some wait</source>
        <translation>%1 个用户，其中一些要等待</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 至 %2</translation>
    </message>
    <message>
        <source>Output tokens/s</source>
        <translation>输出词元/秒</translation>
    </message>
    <message>
        <source>No server yet</source>
        <translation>尚无推理服务</translation>
    </message>
    <message>
        <source>%1 users: %2 per token (±%3)</source>
        <translation>%1 个用户：每词元 %2（±%3）</translation>
    </message>
    <message>
        <source>first token %1 to %2</source>
        <translation>首词元 %1 至 %2</translation>
    </message>
    <message>
        <source>%1 output tokens/s</source>
        <translation>%1 输出词元/秒</translation>
    </message>
    <message>
        <source>First token, alone to all at once</source>
        <translation>首词元，从单独到全部同时</translation>
    </message>
    <message>
        <source>First token alone</source>
        <translation>首词元（单独）</translation>
    </message>
    <message>
        <source>First token, all at once</source>
        <translation>首词元（全部同时）</translation>
    </message>
    <message>
        <source>Users at once</source>
        <translation>同时用户数</translation>
    </message>
    <message>
        <source>Wait</source>
        <translation>等待</translation>
    </message>
</context>
<context>
    <name>cardfit::ui::MemoryBars</name>
    <message>
        <source>%1 continues to stage %2, which is not drawn</source>
        <translation>%1 延续到阶段 %2，未画出</translation>
    </message>
    <message>
        <source>%1 ends at stage %2</source>
        <translation>%1 到阶段 %2 为止</translation>
    </message>
    <message>
        <source>Pipeline stage</source>
        <translation>流水线阶段</translation>
    </message>
    <message>
        <source>Memory per card (%1)</source>
        <translation>每卡显存 (%1)</translation>
    </message>
    <message>
        <source>No plan yet</source>
        <translation>尚无方案</translation>
    </message>
    <message>
        <source>at each card&apos;s peak</source>
        <translation>每张卡的峰值</translation>
    </message>
    <message>
        <source>%1 stages; least free memory on stage %2: %3 of %4</source>
        <translation>共 %1 个阶段；阶段 %2 空余最少：%3，容量 %4</translation>
    </message>
    <message>
        <source>pin %1: %2 on its fullest card</source>
        <translation>固定方案 %1：最满的卡 %2</translation>
    </message>
    <message>
        <source>Stage %1</source>
        <translation>阶段 %1</translation>
    </message>
    <message>
        <source>Allocated</source>
        <translation>已分配</translation>
    </message>
    <message>
        <source>Reserved at the peak</source>
        <translation>峰值时已预留</translation>
    </message>
    <message>
        <source>Reserved</source>
        <translation>已预留</translation>
    </message>
    <message>
        <source>Device at the peak</source>
        <translation>峰值时设备占用</translation>
    </message>
    <message>
        <source>Device, lowest to highest</source>
        <translation>设备占用，最低至最高</translation>
    </message>
    <message>
        <source>Missing</source>
        <translation>缺少</translation>
    </message>
    <message>
        <source>Free</source>
        <translation>空余</translation>
    </message>
    <message>
        <source>has no such stage</source>
        <translation>没有此阶段</translation>
    </message>
    <message>
        <source>plan %1</source>
        <translation>方案 %1</translation>
    </message>
    <message>
        <source>Stage</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>层数</translation>
    </message>
    <message>
        <source>at the cursor, the running operations at their worst</source>
        <translation>光标处（运行中的操作按其最大需求计）</translation>
    </message>
</context>
<context>
    <name>cardfit::ui::MemoryCurves</name>
    <message>
        <source>stage %1: %2</source>
        <translation>阶段 %1：%2</translation>
    </message>
</context>
<context>
    <name>cardfit::ui::MemoryDifference</name>
    <message>
        <source>Memory per card, difference</source>
        <translation>每卡显存之差</translation>
    </message>
    <message>
        <source>Pipeline stage</source>
        <translation>流水线阶段</translation>
    </message>
    <message>
        <source>Plan − pin, per card (%1)</source>
        <translation>方案 − 固定方案，每卡 (%1)</translation>
    </message>
    <message>
        <source>No plan yet</source>
        <translation>尚无方案</translation>
    </message>
    <message>
        <source>No pin</source>
        <translation>没有固定方案</translation>
    </message>
    <message>
        <source>plan minus %1, at each card&apos;s peak</source>
        <translation>方案减 %1，每张卡的峰值</translation>
    </message>
    <message>
        <source>Nothing to compare</source>
        <translation>无可对比</translation>
    </message>
    <message>
        <source>plan minus %1</source>
        <translation>方案减 %1</translation>
    </message>
    <message>
        <source>stage %1: %2</source>
        <translation>阶段 %1：%2</translation>
    </message>
    <message>
        <source>Stage %1</source>
        <translation>阶段 %1</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>has no such stage</source>
        <translation>没有此阶段</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差别</translation>
    </message>
    <message>
        <source>Memory per card, plan minus pin</source>
        <translation>每卡显存，方案减固定方案</translation>
    </message>
    <message>
        <source>Stage</source>
        <translation>阶段</translation>
    </message>
</context>
<context>
    <name>cardfit::ui::MemoryOverTime</name>
    <message>
        <source>Memory over time</source>
        <translation>显存随时间变化</translation>
    </message>
    <message>
        <source>Memory per card (%1)</source>
        <translation>每卡显存 (%1)</translation>
    </message>
    <message>
        <source>Stage</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>No plan yet</source>
        <translation>尚无方案</translation>
    </message>
    <message>
        <source>fullest: stage %1, %2 of %3 at %4</source>
        <translation>最满：阶段 %1，%4 时占用 %2，容量 %3</translation>
    </message>
    <message>
        <source>Varies during the step</source>
        <translation>在一步中变化</translation>
    </message>
    <message>
        <source>Stage %1, fullest</source>
        <translation>阶段 %1（最满）</translation>
    </message>
    <message>
        <source>Stage %1</source>
        <translation>阶段 %1</translation>
    </message>
    <message>
        <source>Lasts the whole step</source>
        <translation>整步常驻</translation>
    </message>
    <message>
        <source>stage %1: %2 to %3 of %4</source>
        <translation>阶段 %1：%2 至 %3，容量 %4</translation>
    </message>
    <message>
        <source>&amp;All stages in rows</source>
        <translation>所有阶段逐行显示(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Fit</source>
        <translation>显示全部(&amp;F)</translation>
    </message>
    <message>
        <source>Stage %1 · %2</source>
        <translation>阶段 %1 · %2</translation>
    </message>
    <message>
        <source>Held</source>
        <translation>占用</translation>
    </message>
    <message>
        <source>Missing</source>
        <translation>缺少</translation>
    </message>
    <message>
        <source>Free</source>
        <translation>空余</translation>
    </message>
    <message>
        <source>Passes in flight</source>
        <translation>在途的前向</translation>
    </message>
    <message>
        <source>From</source>
        <translation>从</translation>
    </message>
    <message>
        <source>To</source>
        <translation>到</translation>
    </message>
    <message>
        <source>Stage %1, at most</source>
        <translation>阶段 %1，最大</translation>
    </message>
    <message>
        <source>Weights and buffers</source>
        <translation>权重和缓冲区</translation>
    </message>
    <message>
        <source>Passes in the cache</source>
        <translation>缓存中的传播</translation>
    </message>
</context>
<context>
    <name>cardfit::ui::OperationCard</name>
    <message>
        <source>Stage %1</source>
        <translation>阶段 %1</translation>
    </message>
    <message>
        <source>Rank %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>Chunk</source>
        <translation>模型块</translation>
    </message>
    <message>
        <source>Virtual stage</source>
        <translation>虚拟阶段</translation>
    </message>
    <message>
        <source>Stage</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Forward of micro-batch</source>
        <translation>前向微批次</translation>
    </message>
    <message>
        <source>Backward of micro-batch</source>
        <translation>反向微批次</translation>
    </message>
    <message>
        <source>Micro-batch</source>
        <translation>微批次</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>End</source>
        <translation>结束</translation>
    </message>
    <message>
        <source>Because</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>For</source>
        <translation>持续</translation>
    </message>
    <message>
        <source>Which runs</source>
        <translation>其正运行</translation>
    </message>
    <message>
        <source>Comes from</source>
        <translation>来自</translation>
    </message>
    <message>
        <source>%1 of micro-batch %2, stage %3</source>
        <translation>微批次 %2 的%1，阶段 %3</translation>
    </message>
    <message>
        <source>%1 of micro-batch %2, rank %3</source>
        <translation>微批次 %2 的%1，rank %3</translation>
    </message>
    <message>
        <source>%1 · idle</source>
        <comment>the name of a rank</comment>
        <translation>%1 · 空闲</translation>
    </message>
    <message>
        <source>Stages of the rank</source>
        <translation>rank 所含阶段</translation>
    </message>
    <message>
        <source>Passes in flight</source>
        <translation>在途的前向</translation>
    </message>
</context>
<context>
    <name>cardfit::ui::PipelineTimeline</name>
    <message>
        <source>Pipeline</source>
        <translation>流水线</translation>
    </message>
    <message>
        <source>measured run of %1 ranks does not match</source>
        <translation>实测数据有 %1 个 rank，与方案不符</translation>
    </message>
    <message>
        <source>Stage</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Rank · its stages</source>
        <translation>rank · 所含阶段</translation>
    </message>
    <message>
        <source>No plan yet</source>
        <translation>尚无方案</translation>
    </message>
    <message>
        <source>%1 micro-batches</source>
        <translation>%1 个微批次</translation>
    </message>
    <message>
        <source>bubble %1 of all card time</source>
        <comment>share of the cards&apos; time spent idle</comment>
        <translation>气泡占全部卡时的 %1</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>单步 %1</translation>
    </message>
    <message>
        <source>no critical path with these transfers</source>
        <translation>此传输方式下没有关键路径</translation>
    </message>
    <message>
        <source>Critical path</source>
        <translation>关键路径</translation>
    </message>
    <message>
        <source>%1 stages, %2 micro-batches, bubble %3</source>
        <translation>%1 个阶段，%2 个微批次，气泡 %3</translation>
    </message>
    <message>
        <source>Measured: %1</source>
        <translation>实测：%1</translation>
    </message>
    <message>
        <source>Operation</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>Micro-batch</source>
        <translation>微批次</translation>
    </message>
    <message>
        <source>Chunk</source>
        <translation>模型块</translation>
    </message>
    <message>
        <source>From</source>
        <translation>从</translation>
    </message>
    <message>
        <source>To</source>
        <translation>到</translation>
    </message>
    <message>
        <source>The first %1 operations of each stage, of %2 in all; zoom in for later ones.</source>
        <translation>每个阶段前 %1 个操作，共 %2 个；放大可见其后的操作。</translation>
    </message>
    <message>
        <source>Passes in flight</source>
        <translation>在途的前向</translation>
    </message>
    <message>
        <source>Memory peak</source>
        <translation>显存峰值</translation>
    </message>
    <message>
        <source>prefill %1</source>
        <translation>预填充 %1</translation>
    </message>
    <message>
        <source>Passes in the cache</source>
        <translation>缓存中的传播</translation>
    </message>
    <message>
        <source>1 prefill pass</source>
        <translation>1 次预填充</translation>
    </message>
    <message>
        <source>%1 prefill passes</source>
        <translation>%1 次预填充</translation>
    </message>
    <message>
        <source>Pipeline from %1 to %2</source>
        <translation>流水线，%1 至 %2</translation>
    </message>
    <message>
        <source>Run</source>
        <comment>planned or measured</comment>
        <translation>运行</translation>
    </message>
    <message>
        <source>Busy</source>
        <comment>share of the time</comment>
        <translation>忙碌</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>planned</source>
        <comment>a run, not measured</comment>
        <translation>计划</translation>
    </message>
    <message>
        <source>Idle: %1</source>
        <comment>cause</comment>
        <translation>空闲：%1</translation>
    </message>
    <message>
        <source>Transfers of the measured run are drawn with the planned time; where no cause of idle time is given, all inputs had arrived.</source>
        <translation>实测运行的传输按方案的时间绘制；没有给出原因的空闲时间里输入都已到齐。</translation>
    </message>
    <message>
        <source>lower bars: measured %1 (%2)</source>
        <translation>下方色块：实测 %1（%2）</translation>
    </message>
</context>
<context>
    <name>cardfit::ui::PlanMap</name>
    <message>
        <source>Map</source>
        <translation>热图</translation>
    </message>
    <message>
        <source>Map: %1</source>
        <translation>热图：%1</translation>
    </message>
    <message>
        <source>least: %1</source>
        <translation>最小：%1</translation>
    </message>
    <message>
        <source>most: %1</source>
        <translation>最大：%1</translation>
    </message>
    <message>
        <source>+ over memory by, in %1</source>
        <translation>+ 显存超出（%1）</translation>
    </message>
    <message>
        <source>breaks a rule</source>
        <translation>违反规则</translation>
    </message>
    <message>
        <source>No map to show</source>
        <translation>没有热图可显示</translation>
    </message>
    <message>
        <source>%1 over %2 and %3, %4 cells</source>
        <translation>%1 随 %2 与 %3 变化，%4 格</translation>
    </message>
    <message>
        <source>the best: %1</source>
        <translation>最佳：%1</translation>
    </message>
</context>
<context>
    <name>cardfit::ui::PlanScatter</name>
    <message>
        <source>Plans found</source>
        <translation>找到的方案</translation>
    </message>
    <message>
        <source>Best trade-offs</source>
        <translation>最佳权衡</translation>
    </message>
    <message>
        <source>This plan</source>
        <translation>当前方案</translation>
    </message>
    <message>
        <source>No plans to show</source>
        <translation>没有可显示的方案</translation>
    </message>
    <message>
        <source>%1 plans; the best trade-offs: %2</source>
        <translation>%1 个方案；最佳权衡：%2</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>Among the best trade-offs</source>
        <translation>属于最佳权衡</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Does not fit</source>
        <translation>放不下</translation>
    </message>
</context>
<context>
    <name>cardfit::ui::QuantityText</name>
    <message>
        <source>Expected a size such as 13B, 70.6B or 1.5e9.</source>
        <translation>应为规模，例如 13B、70.6B 或 1.5e9。</translation>
    </message>
    <message>
        <source>Expected a number of tokens such as 4096, 4k or 2^12.</source>
        <translation>应为词元数，例如 4096、4k 或 2^12。</translation>
    </message>
    <message>
        <source>Expected an amount of memory such as 80GiB or 81920MiB.</source>
        <translation>应为容量，例如 80GiB 或 81920MiB。</translation>
    </message>
    <message>
        <source>Expected a number of sequences such as 512 or 2^9, or of tokens such as 4M tokens.</source>
        <translation>应为序列数，例如 512 或 2^9，或词元数，例如 4M tokens。</translation>
    </message>
    <message>
        <source>Expected a whole number such as 8, 8*8 or 2^6.</source>
        <translation>应为整数，例如 8、8*8 或 2^6。</translation>
    </message>
    <message>
        <source>Expected a number such as 0.94.</source>
        <translation>应为数，例如 0.94。</translation>
    </message>
    <message>
        <source>%1 tokens are not a whole number of sequences of %2; %3 or %4 are near.</source>
        <translation>%1 个词元不是长度 %2 的序列的整数倍；相近的有 %3 或 %4。</translation>
    </message>
    <message>
        <source>%1 is not a whole number. %2</source>
        <translation>%1 不是整数。%2</translation>
    </message>
    <message>
        <source>“%1” is not understood. %2</source>
        <translation>无法理解“%1”。%2</translation>
    </message>
    <message>
        <source>“%1” is too large. %2</source>
        <translation>“%1”太大。%2</translation>
    </message>
    <message>
        <source>The smallest value is %1.</source>
        <translation>最小值为 %1。</translation>
    </message>
    <message>
        <source>The largest value is %1.</source>
        <translation>最大值为 %1。</translation>
    </message>
    <message>
        <source>Expected a number of tokens such as 1T, 300B or 1.5e12.</source>
        <translation>请输入词元数，例如 1T、300B 或 1.5e12。</translation>
    </message>
</context>
<context>
    <name>cardfit::ui::RailTrack</name>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1, %2, valid values %3</source>
        <extracomment>Read by a screen reader: name of the quantity, its value, the values it may take.</extracomment>
        <translation>%1，%2，有效值 %3</translation>
    </message>
    <message>
        <source>may fit, with hardly any memory to spare</source>
        <translation>可能放得下，显存几乎没有余量</translation>
    </message>
</context>
<context>
    <name>cardfit::ui::RunText</name>
    <message>
        <source>%1 hours</source>
        <translation>%1 小时</translation>
    </message>
    <message>
        <source>%1 days</source>
        <translation>%1 天</translation>
    </message>
    <message>
        <source>%1 card-hours</source>
        <translation>%1 卡时</translation>
    </message>
    <message>
        <source>%1 for the cards</source>
        <translation>各卡耗电 %1</translation>
    </message>
    <message>
        <source>Cost unknown: the card has no price. Set one above.</source>
        <translation>费用未知：该卡没有价格，请在上方填写。</translation>
    </message>
    <message>
        <source>Energy unknown: the power of the card is not given.</source>
        <translation>能耗未知：未给出该卡的功率。</translation>
    </message>
</context>
<context>
    <name>cardfit::ui::ScheduleComparison</name>
    <message>
        <source>step %1 (the plan&apos;s own)</source>
        <translation>单步 %1（方案自身）</translation>
    </message>
    <message>
        <source>step %1 (the same)</source>
        <translation>单步 %1（相同）</translation>
    </message>
    <message>
        <source>step %1 (%2)</source>
        <translation>单步 %1（%2）</translation>
    </message>
    <message>
        <source>fullest card %1, %2 over</source>
        <translation>最满的卡 %1，超出 %2</translation>
    </message>
    <message>
        <source>fullest card %1</source>
        <translation>最满的卡 %1</translation>
    </message>
    <message>
        <source>bubble %1 of all card time</source>
        <comment>share of the cards&apos; time spent idle</comment>
        <translation>气泡占全部卡时的 %1</translation>
    </message>
    <message>
        <source>%1 in flight</source>
        <comment>micro-batches</comment>
        <translation>在途 %1</translation>
    </message>
    <message>
        <source>%1 from first to last operation of a rank</source>
        <translation>单个 rank 首尾操作相距 %1</translation>
    </message>
    <message>
        <source>transfers × %1</source>
        <translation>传输 × %1</translation>
    </message>
    <message>
        <source>parameters twice</source>
        <translation>参数存两份</translation>
    </message>
    <message>
        <source>up to %1 versions of the weights</source>
        <translation>最多 %1 个权重版本</translation>
    </message>
    <message>
        <source>refused: %1</source>
        <translation>不可用：%1</translation>
    </message>
    <message>
        <source>1 chunk</source>
        <translation>1 个模型块</translation>
    </message>
    <message>
        <source>%1 chunks</source>
        <translation>%1 个模型块</translation>
    </message>
    <message>
        <source>Schedules compared</source>
        <translation>调度对比</translation>
    </message>
    <message>
        <source>Stage</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>No schedule chosen</source>
        <translation>未选择调度</translation>
    </message>
    <message>
        <source>against %1: step %2, bubble %3, fullest card %4</source>
        <translation>对比 %1：单步 %2，气泡 %3，最满的卡 %4</translation>
    </message>
    <message>
        <source>End of the plan&apos;s own schedule</source>
        <translation>方案自身调度的结束处</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>schedule: figures</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1 · stage %2</source>
        <translation>%1 · 阶段 %2</translation>
    </message>
    <message>
        <source>micro-batch %1</source>
        <translation>微批次 %1</translation>
    </message>
    <message>
        <source>Backward of</source>
        <translation>反向对应</translation>
    </message>
    <message>
        <source>Chunk</source>
        <translation>模型块</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Passes in flight</source>
        <translation>在途的前向</translation>
    </message>
    <message>
        <source>Refused because</source>
        <translation>不可用的原因</translation>
    </message>
</context>
<context>
    <name>cardfit::ui::StageBars</name>
    <message>
        <source>worst: stage %1, %2 over</source>
        <translation>最紧：阶段 %1，超出 %2</translation>
    </message>
    <message>
        <source>worst: stage %1</source>
        <translation>最紧：阶段 %1</translation>
    </message>
    <message>
        <source>fullest then: stage %1</source>
        <translation>此刻最满：阶段 %1</translation>
    </message>
</context>
<context>
    <name>cardfit::ui::StepBar</name>
    <message>
        <source>Time of a step</source>
        <translation>单步时间</translation>
    </message>
    <message>
        <source>No plan yet</source>
        <translation>尚无方案</translation>
    </message>
    <message>
        <source>%1 tokens/s per card</source>
        <translation>每卡 %1 词元/秒</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>time, error</comment>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>pin %1 %2</source>
        <translation>固定方案 %1 %2</translation>
    </message>
    <message>
        <source>Share of the step</source>
        <translation>占单步</translation>
    </message>
    <message>
        <source>plan %1</source>
        <translation>方案 %1</translation>
    </message>
    <message>
        <source>Waiting for stage %1</source>
        <translation>等待阶段 %1</translation>
    </message>
    <message>
        <source>bubble %1 on stage %2, the busiest, %3 of all card time</source>
        <translation>气泡：最忙的阶段 %2 上 %1，全部卡时间的 %3</translation>
    </message>
    <message>
        <source>%1, average of all cards</source>
        <translation>%1，全部卡的平均</translation>
    </message>
    <message>
        <source>uneven stages: how long the average card waits because it has less work</source>
        <translation>阶段不均：平均一张卡因工作较少而等待的时间</translation>
    </message>
    <message>
        <source>With what stage %1 waits itself</source>
        <translation>加上阶段 %1 自己的等待</translation>
    </message>
    <message>
        <source>%1 of all card time</source>
        <translation>全部卡时间的 %1</translation>
    </message>
    <message>
        <source>%1 prompt tokens/s per card</source>
        <translation>每卡 %1 提示词元/秒</translation>
    </message>
    <message>
        <source>Share of the prefill</source>
        <translation>占预填充的份额</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待</translation>
    </message>
</context>
<context>
    <name>cardfit::ui::StepBlocks</name>
    <message>
        <source>waiting for stage %1: %2</source>
        <translation>等待阶段 %1：%2</translation>
    </message>
    <message>
        <source>average card</source>
        <translation>平均一张卡</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <comment>two remarks</comment>
        <translation>%1 · %2</translation>
    </message>
</context>
<context>
    <name>cardfit::ui::StepOverview</name>
    <message>
        <source>× %1</source>
        <comment>so many periods</comment>
        <translation>× %1</translation>
    </message>
    <message>
        <source>%1 micro-batches × %2</source>
        <comment>a period, how many</comment>
        <translation>%1 个微批次 × %2</translation>
    </message>
    <message>
        <source>warm-up</source>
        <translation>预热</translation>
    </message>
    <message>
        <source>cool-down</source>
        <translation>收尾</translation>
    </message>
</context>
<context>
    <name>cardfit::ui::TableView</name>
    <message>
        <source>Copy table</source>
        <translation>复制表格</translation>
    </message>
</context>
<context>
    <name>cardfit::ui::TimeChart</name>
    <message>
        <source>Time (%1)</source>
        <translation>时间 (%1)</translation>
    </message>
    <message>
        <source>cursor at %1</source>
        <translation>光标位于 %1</translation>
    </message>
    <message>
        <source>Time (%1) · broken axis: %2 of steady state left out</source>
        <translation>时间（%1）· 断轴：省略了 %2 的稳态</translation>
    </message>
    <message>
        <source>Time (%1) · true to time</source>
        <translation>时间（%1）· 真实时间</translation>
    </message>
</context>
<context>
    <name>cardfit::ui::TimeSpan</name>
    <message>
        <source>%1, %2 of the %3 step</source>
        <comment>a time, its share of the step, the step&apos;s time</comment>
        <translation>%1，占 %3 单步的 %2</translation>
    </message>
    <message>
        <source>from %1 to %2</source>
        <comment>two times</comment>
        <translation>从 %1 到 %2</translation>
    </message>
</context>
<context>
    <name>cardfit::ui::UtilizationText</name>
    <message>
        <source>MFU %1</source>
        <translation>MFU %1</translation>
    </message>
    <message>
        <source>HFU %1</source>
        <translation>HFU %1</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <comment>utilisation, number format</comment>
        <translation>%1，按 %2</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>utilisation, convention</comment>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>%1
Per token: %2
%3</source>
        <comment>what it counts, formula, source</comment>
        <translation>%1
每词元：%2
%3</translation>
    </message>
    <message>
        <source>No measured run resembles this plan: the size of the error is unknown.</source>
        <translation>没有与此方案相似的实测：误差未知。</translation>
    </message>
    <message>
        <source>Eight in ten runs should lie within %1 % and %2 % of the predicted step time (from %3 measured runs: %4).</source>
        <translation>八成运行应落在预测单步时间的 %1 % 至 %2 % 之内（依据 %3 次实测：%4）。</translation>
    </message>
    <message>
        <source>not validated</source>
        <comment>the step time</comment>
        <translation>未验证</translation>
    </message>
</context>
<context>
    <name>cardfit::ui::ValueRail</name>
    <message>
        <source>Held. Open the lock to let it follow from the other values (Ctrl+L).</source>
        <translation>已锁定。解锁后由其他值推得 (Ctrl+L)。</translation>
    </message>
    <message>
        <source>Follows from the other values. Close the lock to hold it (Ctrl+L).</source>
        <translation>由其他值推得。锁上即可固定 (Ctrl+L)。</translation>
    </message>
    <message>
        <source>Back to the value that was opened (Ctrl+0)</source>
        <translation>恢复打开时的值 (Ctrl+0)</translation>
    </message>
    <message>
        <source>Reset %1</source>
        <translation>恢复 %1</translation>
    </message>
    <message>
        <source>Hold %1</source>
        <translation>锁定 %1</translation>
    </message>
    <message>
        <source>Open the rail of %1</source>
        <translation>展开%1的滑轨</translation>
    </message>
    <message>
        <source>Fold the rail of %1</source>
        <translation>收起%1的滑轨</translation>
    </message>
</context>
<context>
    <name>cardfit::ui::VerdictStrip</name>
    <message>
        <source>stage %1: %2 of %3 (%4)</source>
        <comment>fullest stage: used of capacity (free)</comment>
        <translation>阶段 %1：%2 / %3（%4）</translation>
    </message>
    <message>
        <source>INVALID</source>
        <translation>无效</translation>
    </message>
    <message>
        <source>FITS</source>
        <translation>放得下</translation>
    </message>
    <message>
        <source>TIGHT</source>
        <translation>余量小</translation>
    </message>
    <message>
        <source>OVER</source>
        <translation>超出</translation>
    </message>
    <message>
        <source>%1 micro-batches</source>
        <translation>%1 个微批次</translation>
    </message>
    <message>
        <source>No plan yet</source>
        <translation>尚无方案</translation>
    </message>
    <message>
        <source>%1 sequences at once</source>
        <translation>同时 %1 个序列</translation>
    </message>
    <message>
        <source>stage %1: the server lacks %2 for one sequence</source>
        <translation>阶段 %1：服务器还缺 %2 才放得下一个序列</translation>
    </message>
    <message>
        <source>REFUSED</source>
        <translation>被拒绝</translation>
    </message>
    <message>
        <source>Of %1 published runs with this verdict %2 ran and %3 died of memory.</source>
        <translation>在 %1 个得到该判定的公开运行中，%2 个成功运行，%3 个因显存不足而失败。</translation>
    </message>
    <message>
        <source>%1 missing</source>
        <translation>缺少 %1</translation>
    </message>
    <message>
        <source>%1 free</source>
        <translation>剩余 %1</translation>
    </message>
    <message>
        <source>prefill %1</source>
        <translation>预填充 %1</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>单步 %1</translation>
    </message>
    <message>
        <source>%1, calibrated</source>
        <comment>error</comment>
        <translation>%1，已校准</translation>
    </message>
    <message>
        <source>%1 of cache</source>
        <translation>缓存 %1</translation>
    </message>
    <message>
        <source>data %1</source>
        <comment>data-parallel replicas</comment>
        <translation>数据并行 %1</translation>
    </message>
    <message>
        <source>%1 users</source>
        <translation>%1 个用户</translation>
    </message>
    <message>
        <source>served at once</source>
        <translation>同时服务</translation>
    </message>
    <message>
        <source>for a user&apos;s token, %1</source>
        <extracomment>below a time; %1: its error</extracomment>
        <translation>每词元，%1</translation>
    </message>
    <message>
        <source>to the first token</source>
        <translation>到首个词元</translation>
    </message>
    <message>
        <source>output tokens/s of all</source>
        <translation>全部输出词元/秒</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <extracomment>below the cost: how many tokens the run has</extracomment>
        <translation>%1 词元</translation>
    </message>
    <message>
        <source>no price</source>
        <translation>无价格</translation>
    </message>
    <message>
        <source>%1 tokens/s per card</source>
        <translation>每卡 %1 词元/s</translation>
    </message>
    <message>
        <source>of such plans ran</source>
        <extracomment>below the share of published runs with this verdict that ran</extracomment>
        <translation>同类方案成功运行</translation>
    </message>
    <message>
        <source>to compute</source>
        <extracomment>below the time that computing the figures took</extracomment>
        <translation>计算用时</translation>
    </message>
    <message>
        <source>may miss %1</source>
        <translation>可能缺少 %1</translation>
    </message>
    <message>
        <source>Tight: the bytes count all that the allocator keeps; before memory runs out it gives most of that back, so the plan may fit.</source>
        <translation>紧张：字节数计入分配器保留的全部内容；显存耗尽之前它会归还其中大部分，因此方案可能放得下。</translation>
    </message>
    <message>
        <source>within the limits; figures of %1</source>
        <extracomment>below &quot;31 users&quot;; %1: for how many the figures beside it are</extracomment>
        <translation>限制之内；数值按 %1 个</translation>
    </message>
</context>
<context>
    <name>cardfit::ui::WaterfallChart</name>
    <message>
        <source>Memory of the fullest card, compared</source>
        <translation>最满的卡的显存对比</translation>
    </message>
    <message>
        <source>Time of a step, compared</source>
        <translation>单步时间对比</translation>
    </message>
    <message>
        <source>no plan to compare</source>
        <translation>没有可对比的方案</translation>
    </message>
    <message>
        <source>stage %1 of %2 → stage %3 of the plan</source>
        <translation>%2 的阶段 %1 → 方案的阶段 %3</translation>
    </message>
    <message>
        <source>%1 → plan</source>
        <translation>%1 → 方案</translation>
    </message>
    <message>
        <source>the axis does not begin at 0</source>
        <translation>坐标轴不从 0 开始</translation>
    </message>
    <message>
        <source>no part differs</source>
        <translation>各部分均无差别</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>Nothing to compare</source>
        <translation>无可对比</translation>
    </message>
    <message>
        <source>from %1 to %2</source>
        <translation>从 %1 到 %2</translation>
    </message>
    <message>
        <source>Time of a step</source>
        <translation>单步时间</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差别</translation>
    </message>
    <message>
        <source>Adds</source>
        <translation>增加</translation>
    </message>
    <message>
        <source>Leads to</source>
        <translation>到达</translation>
    </message>
    <message>
        <source>no other plan to compare with</source>
        <translation>没有可对比的其他方案</translation>
    </message>
</context>
</TS>
