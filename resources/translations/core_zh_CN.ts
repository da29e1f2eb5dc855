<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>Sentence</name>
    <message>
        <source>Norm inputs</source>
        <translation>归一化的输入</translation>
    </message>
    <message>
        <source>Every norm keeps the residual stream that enters it, because its gradient depends on it.</source>
        <translation>每个归一化都保留进入它的残差流，因为其梯度依赖于此。</translation>
    </message>
    <message>
        <source>Normalized values</source>
        <translation>归一化后的值</translation>
    </message>
    <message>
        <source>A norm run as separate operations keeps its normalized values besides its input, for the gradient of its weight.</source>
        <translation>以分立算子运行的归一化除输入外还保留归一化后的值，用于求其权重的梯度。</translation>
    </message>
    <message>
        <source>Norm outputs</source>
        <translation>归一化的输出</translation>
    </message>
    <message>
        <source>The matrix product behind a norm keeps the norm&apos;s output as its input, for the gradient of its weight; sequence parallelism stores it before it is gathered.</source>
        <translation>归一化之后的矩阵乘保留归一化的输出作为自己的输入，用于求权重梯度；序列并行存放的是聚合之前的部分。</translation>
    </message>
    <message>
        <source>Norm statistics</source>
        <translation>归一化的统计量</translation>
    </message>
    <message>
        <source>Each token&apos;s fp32 reciprocal deviation, and for LayerNorm its mean, spare the backward pass from summing over h again.</source>
        <translation>每个词元的 fp32 标准差倒数（LayerNorm 另有均值），使反向传播不必再次沿 h 求和。</translation>
    </message>
    <message>
        <source>Inputs of the query and key norms</source>
        <translation>查询与键归一化的输入</translation>
    </message>
    <message>
        <source>Models that normalize queries and keys keep both as they were before the norm.</source>
        <translation>对查询和键做归一化的模型，会保留两者归一化之前的值。</translation>
    </message>
    <message>
        <source>The norms&apos; statistics per head are below the estimate&apos;s resolution.</source>
        <translation>归一化按头计的统计量低于估算的分辨率。</translation>
    </message>
    <message>
        <source>Latent queries</source>
        <translation>潜在查询</translation>
    </message>
    <message>
        <source>Latent attention keeps the compressed queries that enter their norm; they are not divided over the heads&apos; cards.</source>
        <translation>潜在注意力保留进入归一化的压缩查询；它们不按头分到各卡。</translation>
    </message>
    <message>
        <source>Normalized latent queries</source>
        <translation>归一化后的潜在查询</translation>
    </message>
    <message>
        <source>The projection up to the heads keeps its input, for the gradient of its weight.</source>
        <translation>升维到各头的投影保留其输入，用于求权重梯度。</translation>
    </message>
    <message>
        <source>Latent keys and values</source>
        <translation>潜在键值</translation>
    </message>
    <message>
        <source>Latent attention keeps the compressed keys and values that enter their norm, and the rotated part of the keys.</source>
        <translation>潜在注意力保留进入归一化的压缩键值，以及键的旋转部分。</translation>
    </message>
    <message>
        <source>Normalized latent keys and values</source>
        <translation>归一化后的潜在键值</translation>
    </message>
    <message>
        <source>Queries, keys and values</source>
        <translation>查询、键和值</translation>
    </message>
    <message>
        <source>The attention kernel keeps the queries, keys and values it read; rotation makes new tensors, so the packed projection is freed.</source>
        <translation>注意力内核保留它读取的查询、键和值；旋转位置编码会生成新张量，因此打包的投影被释放。</translation>
    </message>
    <message>
        <source>Log-sum-exp of the scores</source>
        <translation>分数的 log-sum-exp</translation>
    </message>
    <message>
        <source>A fused kernel keeps one fp32 number per query and head, from which the backward pass rebuilds the softmax.</source>
        <translation>融合内核为每个查询和每个头保留一个 fp32 数，反向传播据此重建 softmax。</translation>
    </message>
    <message>
        <source>Softmax of the scores</source>
        <translation>分数的 softmax</translation>
    </message>
    <message>
        <source>Without a fused kernel the matrix of a s scores per token is stored after its softmax; it grows with the square of the sequence.</source>
        <translation>没有融合内核时，每个词元的 a s 个分数在 softmax 之后被存下；其大小随序列长度平方增长。</translation>
    </message>
    <message>
        <source>Probabilities in 16 bits</source>
        <translation>16 位概率</translation>
    </message>
    <message>
        <source>The softmax is computed in fp32; the product with the values keeps a 16-bit copy.</source>
        <translation>softmax 以 fp32 计算；与值相乘的一步另存一份 16 位副本。</translation>
    </message>
    <message>
        <source>Dropout mask of the scores</source>
        <translation>分数的 dropout 掩码</translation>
    </message>
    <message>
        <source>Dropout on the attention&apos;s probabilities keeps one byte for each of them.</source>
        <translation>对注意力概率做 dropout 时，每个概率保留一个字节。</translation>
    </message>
    <message>
        <source>Probabilities after dropout</source>
        <translation>dropout 之后的概率</translation>
    </message>
    <message>
        <source>The product with the values keeps the probabilities that dropout left.</source>
        <translation>与值相乘的一步保留 dropout 之后的概率。</translation>
    </message>
    <message>
        <source>Expanded keys and values</source>
        <translation>展开的键和值</translation>
    </message>
    <message>
        <source>Unfused attention copies every key and value head for each query head of its group.</source>
        <translation>未融合的注意力为组内每个查询头复制一份 KV 头。</translation>
    </message>
    <message>
        <source>Attention output</source>
        <translation>注意力输出</translation>
    </message>
    <message>
        <source>The kernel&apos;s output enters the output projection, which keeps it; one tensor serves both.</source>
        <translation>内核的输出进入输出投影并由其保留；两者共用一个张量。</translation>
    </message>
    <message>
        <source>Second copy of the attention output</source>
        <translation>注意力输出的第二份副本</translation>
    </message>
    <message>
        <source>FlashAttention-2 and PyTorch&apos;s kernel write in another order of dimensions than the layer uses, so the transposed output is a tensor of its own.</source>
        <translation>FlashAttention-2 和 PyTorch 的内核写出的维度顺序与层所用的不同，因此转置后的输出是一个独立张量。</translation>
    </message>
    <message>
        <source>That the order of dimensions is the reason is inferred from the size of the difference.</source>
        <translation>原因在于维度顺序，这一点是由差值的大小推断的。</translation>
    </message>
    <message>
        <source>Quantized input of the output projection</source>
        <translation>输出投影的量化输入</translation>
    </message>
    <message>
        <source>The kernel keeps its 16-bit output and the quantized projection its own narrower copy.</source>
        <translation>内核保留其 16 位输出，量化的投影另存一份更窄的副本。</translation>
    </message>
    <message>
        <source>Attention output before the exchange</source>
        <translation>交换之前的注意力输出</translation>
    </message>
    <message>
        <source>Context parallelism by all-to-all keeps the output as it was before heads were exchanged for tokens.</source>
        <translation>以 all-to-all 实现的上下文并行保留用头交换词元之前的输出。</translation>
    </message>
    <message>
        <source>Dropout masks</source>
        <translation>dropout 掩码</translation>
    </message>
    <message>
        <source>Dropout behind attention, MLP and embedding keeps one byte per value of the residual stream.</source>
        <translation>注意力、MLP 和嵌入之后的 dropout 为残差流的每个值保留一个字节。</translation>
    </message>
    <message>
        <source>Output of the MLP&apos;s first product</source>
        <translation>MLP 第一个矩阵乘的输出</translation>
    </message>
    <message>
        <source>The activation function keeps its input: the first product&apos;s output, both halves where the MLP is gated.</source>
        <translation>激活函数保留其输入：第一个矩阵乘的输出，带门控的 MLP 为两半。</translation>
    </message>
    <message>
        <source>Activated gate</source>
        <translation>激活后的门</translation>
    </message>
    <message>
        <source>Without a fused kernel the activated gate is a tensor of its own that the product with the other half keeps.</source>
        <translation>没有融合内核时，激活后的门是一个独立张量，由与另一半的乘积保留。</translation>
    </message>
    <message>
        <source>Input of the MLP&apos;s second product</source>
        <translation>MLP 第二个矩阵乘的输入</translation>
    </message>
    <message>
        <source>The second product keeps the activation function&apos;s output, for the gradient of its weight.</source>
        <translation>第二个矩阵乘保留激活函数的输出，用于求权重梯度。</translation>
    </message>
    <message>
        <source>Output of the shared experts&apos; first product</source>
        <translation>共享专家第一个矩阵乘的输出</translation>
    </message>
    <message>
        <source>The shared experts&apos; activation function keeps its input.</source>
        <translation>共享专家的激活函数保留其输入。</translation>
    </message>
    <message>
        <source>Activated gate of the shared experts</source>
        <translation>共享专家激活后的门</translation>
    </message>
    <message>
        <source>Without a fused kernel the shared experts&apos; activated gate is a tensor of its own.</source>
        <translation>没有融合内核时，共享专家激活后的门是一个独立张量。</translation>
    </message>
    <message>
        <source>Input of the shared experts&apos; second product</source>
        <translation>共享专家第二个矩阵乘的输入</translation>
    </message>
    <message>
        <source>The shared experts&apos; second product keeps its input.</source>
        <translation>共享专家的第二个矩阵乘保留其输入。</translation>
    </message>
    <message>
        <source>Quantized input of the shared experts</source>
        <translation>共享专家的量化输入</translation>
    </message>
    <message>
        <source>In 16 bits the shared experts read the tensor that the router keeps; quantized, their input is one more.</source>
        <translation>16 位时共享专家读取路由器保留的张量；量化时其输入是另外一个张量。</translation>
    </message>
    <message>
        <source>Router&apos;s tables</source>
        <translation>路由器的表</translation>
    </message>
    <message>
        <source>The router keeps about 13.6 bytes per token and expert: fp32 scores, the boolean map of who goes where, the permutation&apos;s row map and the auxiliary loss.</source>
        <translation>路由器为每个词元和专家保留约 13.6 字节：fp32 分数、去向的布尔图、置换的行映射和辅助损失。</translation>
    </message>
    <message>
        <source>The constant is fitted, not counted; other routers (expert bias, group limits) differ by a few bytes.</source>
        <translation>该常数是拟合的，不是数出来的；其他路由器（专家偏置、组限制）相差几个字节。</translation>
    </message>
    <message>
        <source>Rows sent to the experts</source>
        <translation>发往专家的行</translation>
    </message>
    <message>
        <source>The experts&apos; first product keeps the rows that were dispatched to this card.</source>
        <translation>专家的第一个矩阵乘保留分发到本卡的行。</translation>
    </message>
    <message>
        <source>Rows of a dropless run follow the data; the busiest card of published runs gets 1 to 1.5 times the mean.</source>
        <translation>不丢弃词元时行数取决于数据；公开运行中最忙的卡得到均值的 1 至 1.5 倍。</translation>
    </message>
    <message>
        <source>Probabilities of dispatched rows</source>
        <translation>已分发行的概率</translation>
    </message>
    <message>
        <source>Each dispatched row carries its fp32 router probability, which scales the expert&apos;s output.</source>
        <translation>每个已分发的行带有其 fp32 路由概率，用于缩放专家的输出。</translation>
    </message>
    <message>
        <source>Output of the experts&apos; first product</source>
        <translation>专家第一个矩阵乘的输出</translation>
    </message>
    <message>
        <source>The experts&apos; activation function keeps its input.</source>
        <translation>专家的激活函数保留其输入。</translation>
    </message>
    <message>
        <source>Rows follow the data, see experts.input.</source>
        <translation>行数取决于数据，见 experts.input。</translation>
    </message>
    <message>
        <source>Activated gate of the experts</source>
        <translation>专家激活后的门</translation>
    </message>
    <message>
        <source>Without a fused kernel the experts&apos; activated gate is a tensor of its own.</source>
        <translation>没有融合内核时，专家激活后的门是一个独立张量。</translation>
    </message>
    <message>
        <source>Expert activations before weighting</source>
        <translation>加权之前的专家激活</translation>
    </message>
    <message>
        <source>Where scaling by the router&apos;s probability is not fused into the activation, the unscaled factor is kept.</source>
        <translation>路由概率的缩放未融合进激活函数时，会保留未缩放的因子。</translation>
    </message>
    <message>
        <source>Input of the experts&apos; second product</source>
        <translation>专家第二个矩阵乘的输入</translation>
    </message>
    <message>
        <source>The experts&apos; second product keeps the weighted activations.</source>
        <translation>专家的第二个矩阵乘保留加权后的激活。</translation>
    </message>
    <message>
        <source>Adapter latents</source>
        <translation>适配器的中间值</translation>
    </message>
    <message>
        <source>An adapter keeps the r values per token between its two small matrices.</source>
        <translation>适配器在两个小矩阵之间为每个词元保留 r 个值。</translation>
    </message>
    <message>
        <source>Adapter latents of the experts</source>
        <translation>专家适配器的中间值</translation>
    </message>
    <message>
        <source>Adapters of experts keep r values for every row that an expert works on.</source>
        <translation>专家的适配器为专家处理的每一行保留 r 个值。</translation>
    </message>
    <message>
        <source>Token ids</source>
        <translation>词元 id</translation>
    </message>
    <message>
        <source>The embedding keeps the token ids, 8 bytes each, to know which rows it changed.</source>
        <translation>嵌入保留词元 id（每个 8 字节），以便知道改动了哪些行。</translation>
    </message>
    <message>
        <source>Masked token ids</source>
        <translation>掩码后的词元 id</translation>
    </message>
    <message>
        <source>With the vocabulary divided, a card also keeps which ids are its own (1 byte) and the ids shifted to its rows (8 bytes).</source>
        <translation>词表切分时，每卡还保留哪些 id 属于自己（1 字节）以及平移到本卡行号的 id（8 字节）。</translation>
    </message>
    <message>
        <source>Joined input of further predictions</source>
        <translation>后续预测的拼接输入</translation>
    </message>
    <message>
        <source>Each depth of multi-token prediction keeps the hidden state joined with the next token&apos;s embedding, 2 h wide.</source>
        <translation>多词元预测的每一深度保留隐藏状态与下一个词元的嵌入的拼接，宽 2 h。</translation>
    </message>
    <message>
        <source>Logits</source>
        <translation>logits</translation>
    </message>
    <message>
        <source>Gradient kept by the chunked loss</source>
        <translation>分块损失保留的梯度</translation>
    </message>
    <message>
        <source>A chunked loss computes the hidden state&apos;s gradient in the forward pass and keeps that instead of logits.</source>
        <translation>分块损失在前向传播中就算出隐藏状态的梯度，并以此代替 logits 保留。</translation>
    </message>
    <message>
        <source>Gradient of queries, keys and values</source>
        <translation>查询、键和值的梯度</translation>
    </message>
    <message>
        <source>Where the backward pass is split in two, this gradient is kept for the weight half of the backward pass, which multiplies it with the product&apos;s input.</source>
        <translation>反向传播的两半分开运行时，该梯度要等到反向传播的权重半，与矩阵乘的输入相乘。</translation>
    </message>
    <message>
        <source>Gradient of the output projection&apos;s output</source>
        <translation>输出投影的输出的梯度</translation>
    </message>
    <message>
        <source>Where the backward pass is split in two, this gradient is kept for the weight half of the backward pass, which multiplies it with the product&apos;s input; it is gathered, so no tensor parallelism divides it.</source>
        <translation>反向传播的两半分开运行时，该梯度要等到反向传播的权重半，与矩阵乘的输入相乘；它是聚合过的，张量并行不再切分它。</translation>
    </message>
    <message>
        <source>Gradient of the latent queries</source>
        <translation>潜在查询的梯度</translation>
    </message>
    <message>
        <source>Gradient of the queries</source>
        <translation>查询的梯度</translation>
    </message>
    <message>
        <source>Gradient of the latent keys and values</source>
        <translation>潜在键值的梯度</translation>
    </message>
    <message>
        <source>Gradient of keys and values</source>
        <translation>键和值的梯度</translation>
    </message>
    <message>
        <source>Gradient of the MLP&apos;s first product</source>
        <translation>MLP 第一个矩阵乘的梯度</translation>
    </message>
    <message>
        <source>Gradient of the MLP&apos;s second product</source>
        <translation>MLP 第二个矩阵乘的梯度</translation>
    </message>
    <message>
        <source>Gradient of the shared experts&apos; first product</source>
        <translation>共享专家第一个矩阵乘的梯度</translation>
    </message>
    <message>
        <source>Gradient of the shared experts&apos; second product</source>
        <translation>共享专家第二个矩阵乘的梯度</translation>
    </message>
    <message>
        <source>Gradient of the experts&apos; first product</source>
        <translation>专家第一个矩阵乘的梯度</translation>
    </message>
    <message>
        <source>Gradient of the experts&apos; second product</source>
        <translation>专家第二个矩阵乘的梯度</translation>
    </message>
    <message>
        <source>Gradient of the joined input&apos;s product</source>
        <translation>拼接输入的矩阵乘的梯度</translation>
    </message>
    <message>
        <source>Gradient of the logits, kept</source>
        <translation>保留的 logits 梯度</translation>
    </message>
    <message>
        <source>Gathered input of the attention&apos;s products</source>
        <translation>注意力矩阵乘的聚合输入</translation>
    </message>
    <message>
        <source>TransformerEngine&apos;s delayed weight half keeps this input as sequence parallelism gathered it, not the part that was saved.</source>
        <translation>TransformerEngine 延迟的权重半保留的是序列并行聚合之后的输入，而不是已保存的那一部分。</translation>
    </message>
    <message>
        <source>Gathered input of the queries&apos; product</source>
        <translation>查询矩阵乘的聚合输入</translation>
    </message>
    <message>
        <source>Gathered input of the keys&apos; and values&apos; product</source>
        <translation>键值矩阵乘的聚合输入</translation>
    </message>
    <message>
        <source>Gathered input of the MLP&apos;s first product</source>
        <translation>MLP 第一个矩阵乘的聚合输入</translation>
    </message>
    <message>
        <source>Gathered input of the shared experts&apos; first product</source>
        <translation>共享专家第一个矩阵乘的聚合输入</translation>
    </message>
    <message>
        <source>Gathered input of the joined input&apos;s product</source>
        <translation>拼接输入的矩阵乘的聚合输入</translation>
    </message>
    <message>
        <source>Checkpoints</source>
        <translation>检查点</translation>
    </message>
    <message>
        <source>Full recomputation keeps only the residual stream that enters each group of layers.</source>
        <translation>完全重计算只保留进入每组层的残差流。</translation>
    </message>
    <message>
        <source>Activations in host memory</source>
        <translation>主机内存中的激活</translation>
    </message>
    <message>
        <source>This share of what the layers keep is copied to host memory after the forward pass.</source>
        <translation>各层所保留内容的这一部分在前向传播之后复制到主机内存。</translation>
    </message>
    <message>
        <source>The time of the copies is not modelled.</source>
        <translation>复制所需的时间未建模。</translation>
    </message>
    <message>
        <source>Attention masks from the data loader</source>
        <translation>数据加载器的注意力掩码</translation>
    </message>
    <message>
        <source>The data loader makes a boolean mask of s x s per sequence, which lives as long as its micro-batch.</source>
        <translation>数据加载器为每个序列生成 s x s 的布尔掩码，其存续与所属微批次相同。</translation>
    </message>
    <message>
        <source>Freed before the peak</source>
        <translation>峰值之前已释放</translation>
    </message>
    <message>
        <source>At the instant of the peak the backward pass has already freed this much of the current micro-batch.</source>
        <translation>到达峰值的时刻，反向传播已经释放了当前微批次的这些内容。</translation>
    </message>
    <message>
        <source>Key and value cache</source>
        <translation>键值缓存</translation>
    </message>
    <message>
        <source>A server keeps keys and values of every sequence at full length; latent attention keeps one compressed vector per token, which no tensor parallelism divides.</source>
        <translation>推理服务按完整长度保留每个序列的键和值；潜在注意力为每个词元保留一个压缩向量，张量并行不切分它。</translation>
    </message>
    <message>
        <source>Paging rounds each sequence up to whole blocks; prefix sharing would need less.</source>
        <translation>分页把每个序列向上取整到整块；共享前缀会需要更少。</translation>
    </message>
    <message>
        <source>Cache of layers with a window</source>
        <translation>带窗口的层的缓存</translation>
    </message>
    <message>
        <source>Layers with a sliding window keep keys and values of the last s_w tokens only.</source>
        <translation>使用滑动窗口的层只保留最后 s_w 个词元的键和值。</translation>
    </message>
    <message>
        <source>Servers that do not evict keep the whole sequence here too.</source>
        <translation>不做淘汰的推理服务在这里也保留整个序列。</translation>
    </message>
    <message>
        <source>Activations by the article&apos;s rule</source>
        <translation>按文章规则的激活</translation>
    </message>
    <message>
        <source>The article counts 40 s b h L bytes of activations per micro-batch, attention scores not kept, times the micro-batches in flight.</source>
        <translation>文章按每个微批次 40 s b h L 字节计算激活（不保留注意力分数），再乘以在途微批次数。</translation>
    </message>
    <message>
        <source>Logits, communication buffers and the device&apos;s own memory are not in the article&apos;s sum.</source>
        <translation>logits、通信缓冲区和设备自身占用不在文章的合计之中。</translation>
    </message>
    <message>
        <source>Data loading, checkpoints to disk, failures and stragglers, packing of sequences of varying length, power caps, and an uneven load of experts unless the plan gives one.</source>
        <translation>数据加载、写盘检查点、故障与慢节点、变长序列的打包、功耗限制，以及（除非方案给出）专家负载不均。</translation>
    </message>
    <message>
        <source>End of a forward pass</source>
        <translation>前向传播结束</translation>
    </message>
    <message>
        <source>Nothing besides the saved tensors is held.</source>
        <translation>除已保存的张量外不占用其他显存。</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>The cross-entropy is computed while all activations of the micro-batch are there.</source>
        <translation>计算交叉熵时，该微批次的全部激活都还在。</translation>
    </message>
    <message>
        <source>Combining the experts&apos; outputs</source>
        <translation>合并专家的输出</translation>
    </message>
    <message>
        <source>The expert layer puts its rows back in order while four copies of them exist.</source>
        <translation>专家层把行恢复原序，此时存在四份副本。</translation>
    </message>
    <message>
        <source>Combining the experts&apos; outputs again</source>
        <translation>再次合并专家的输出</translation>
    </message>
    <message>
        <source>A checkpointed expert layer runs its forward pass again, and combines on top of all that it has rebuilt.</source>
        <translation>设了检查点的专家层再次运行前向传播，并在已重建的全部内容之上做合并。</translation>
    </message>
    <message>
        <source>Gathering keys and values</source>
        <translation>聚合键和值</translation>
    </message>
    <message>
        <source>The last layer&apos;s attention gathers keys and values of the whole sequence.</source>
        <translation>最后一层的注意力聚合整个序列的键和值。</translation>
    </message>
    <message>
        <source>Start of a backward pass</source>
        <translation>反向传播开始</translation>
    </message>
    <message>
        <source>Nothing has been freed yet and no gradient has been made.</source>
        <translation>尚未释放任何内容，也尚未产生梯度。</translation>
    </message>
    <message>
        <source>End of an input half</source>
        <translation>输入半结束</translation>
    </message>
    <message>
        <source>The input half of a backward pass has freed what the weight half does not need.</source>
        <translation>反向传播的输入半已释放权重半不需要的内容。</translation>
    </message>
    <message>
        <source>Last layer of an input half</source>
        <translation>输入半的最后一层</translation>
    </message>
    <message>
        <source>The first layer&apos;s backward pass is the last to run; all other layers have left more for their weight half than they had saved.</source>
        <translation>第一层的反向传播最后运行；其他各层留给权重半的内容比它们原先保存的更多。</translation>
    </message>
    <message>
        <source>Backward pass of the loss</source>
        <translation>损失的反向传播</translation>
    </message>
    <message>
        <source>The loss turns logits into their gradient.</source>
        <translation>损失把 logits 变为其梯度。</translation>
    </message>
    <message>
        <source>Backward pass of the output layer</source>
        <translation>输出层的反向传播</translation>
    </message>
    <message>
        <source>The logits&apos; gradient, the gathered stream and its gradient are held at once.</source>
        <translation>同时持有 logits 的梯度、聚合后的残差流及其梯度。</translation>
    </message>
    <message>
        <source>Backward pass of the MLP&apos;s second product</source>
        <translation>MLP 第二个矩阵乘的反向传播</translation>
    </message>
    <message>
        <source>The last layer&apos;s second product differentiates while all other layers&apos; activations are still there.</source>
        <translation>最后一层的第二个矩阵乘求导，其他各层的激活都还在。</translation>
    </message>
    <message>
        <source>Backward pass of the activation function</source>
        <translation>激活函数的反向传播</translation>
    </message>
    <message>
        <source>The last layer&apos;s activation function differentiates; its input&apos;s gradient is the widest tensor of the layer.</source>
        <translation>最后一层的激活函数求导；其输入的梯度是该层最宽的张量。</translation>
    </message>
    <message>
        <source>Backward pass of the MLP&apos;s first product</source>
        <translation>MLP 第一个矩阵乘的反向传播</translation>
    </message>
    <message>
        <source>The first product&apos;s input is gathered again and its gradient made.</source>
        <translation>再次聚合第一个矩阵乘的输入，并产生其梯度。</translation>
    </message>
    <message>
        <source>Backward pass of the experts&apos; second product</source>
        <translation>专家第二个矩阵乘的反向传播</translation>
    </message>
    <message>
        <source>The last layer&apos;s experts differentiate their second product.</source>
        <translation>最后一层的专家对第二个矩阵乘求导。</translation>
    </message>
    <message>
        <source>Backward pass of the experts&apos; activation</source>
        <translation>专家激活函数的反向传播</translation>
    </message>
    <message>
        <source>The last layer&apos;s experts differentiate their activation function.</source>
        <translation>最后一层的专家对激活函数求导。</translation>
    </message>
    <message>
        <source>Backward pass of attention</source>
        <translation>注意力的反向传播</translation>
    </message>
    <message>
        <source>The last layer&apos;s attention differentiates; the MLP&apos;s tensors are already freed.</source>
        <translation>最后一层的注意力求导；MLP 的张量已经释放。</translation>
    </message>
    <message>
        <source>Optimizer step</source>
        <translation>优化器步</translation>
    </message>
    <message>
        <source>The update needs more than all activations did; those are freed by then.</source>
        <translation>更新所需超过全部激活；此时激活已经释放。</translation>
    </message>
    <message>
        <source>Forward pass of a prompt</source>
        <translation>提示词的前向传播</translation>
    </message>
    <message>
        <source>The widest operator of a prompt&apos;s forward pass.</source>
        <translation>提示词前向传播中最宽的算子。</translation>
    </message>
    <message>
        <source>Idle</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>Nothing besides weights and cache is held.</source>
        <translation>除权重和缓存外不占用其他显存。</translation>
    </message>
    <message>
        <source>Token embedding</source>
        <translation>词元嵌入</translation>
    </message>
    <message>
        <source>One row of h values per token of the vocabulary.</source>
        <translation>词表每个词元一行，每行 h 个值。</translation>
    </message>
    <message>
        <source>Position embedding</source>
        <translation>位置嵌入</translation>
    </message>
    <message>
        <source>One row of h values per position.</source>
        <translation>每个位置一行，每行 h 个值。</translation>
    </message>
    <message>
        <source>Norms</source>
        <translation>归一化</translation>
    </message>
    <message>
        <source>A scale per feature, and for LayerNorm a shift.</source>
        <translation>每个特征一个缩放，LayerNorm 另有一个平移。</translation>
    </message>
    <message>
        <source>Query, key and value projection</source>
        <translation>查询、键和值的投影</translation>
    </message>
    <message>
        <source>From h to (a + 2 k) d features.</source>
        <translation>从 h 到 (a + 2 k) d 个特征。</translation>
    </message>
    <message>
        <source>Bias of queries, keys and values</source>
        <translation>查询、键和值的偏置</translation>
    </message>
    <message>
        <source>One value per projected feature.</source>
        <translation>每个投影后的特征一个值。</translation>
    </message>
    <message>
        <source>Query norm</source>
        <translation>查询归一化</translation>
    </message>
    <message>
        <source>A scale per feature of a query head, or of the latent queries.</source>
        <translation>查询头或潜在查询的每个特征一个缩放。</translation>
    </message>
    <message>
        <source>Key norm</source>
        <translation>键归一化</translation>
    </message>
    <message>
        <source>A scale per feature of a key head.</source>
        <translation>键头的每个特征一个缩放。</translation>
    </message>
    <message>
        <source>Query projection</source>
        <translation>查询投影</translation>
    </message>
    <message>
        <source>From h to all query heads.</source>
        <translation>从 h 到所有查询头。</translation>
    </message>
    <message>
        <source>Query projection down</source>
        <translation>查询降维投影</translation>
    </message>
    <message>
        <source>From h to the latent queries.</source>
        <translation>从 h 到潜在查询。</translation>
    </message>
    <message>
        <source>Query projection up</source>
        <translation>查询升维投影</translation>
    </message>
    <message>
        <source>From the latent queries to all heads.</source>
        <translation>从潜在查询到所有头。</translation>
    </message>
    <message>
        <source>Key and value projection down</source>
        <translation>键值降维投影</translation>
    </message>
    <message>
        <source>From h to the latent and the rotated key.</source>
        <translation>从 h 到潜在向量和旋转的键。</translation>
    </message>
    <message>
        <source>Key and value projection up</source>
        <translation>键值升维投影</translation>
    </message>
    <message>
        <source>From the latent to all key and value heads.</source>
        <translation>从潜在向量到所有 KV 头。</translation>
    </message>
    <message>
        <source>Norm of latent keys and values</source>
        <translation>潜在键值的归一化</translation>
    </message>
    <message>
        <source>A scale per feature of the latent.</source>
        <translation>潜在向量的每个特征一个缩放。</translation>
    </message>
    <message>
        <source>Output projection</source>
        <translation>输出投影</translation>
    </message>
    <message>
        <source>From all heads back to h.</source>
        <translation>从所有头回到 h。</translation>
    </message>
    <message>
        <source>Bias of the output projection</source>
        <translation>输出投影的偏置</translation>
    </message>
    <message>
        <source>One value per feature.</source>
        <translation>每个特征一个值。</translation>
    </message>
    <message>
        <source>First product of the MLP</source>
        <translation>MLP 的第一个矩阵乘</translation>
    </message>
    <message>
        <source>From h to f features, twice where it is gated.</source>
        <translation>从 h 到 f 个特征，带门控时为两倍。</translation>
    </message>
    <message>
        <source>Bias of the first product</source>
        <translation>第一个矩阵乘的偏置</translation>
    </message>
    <message>
        <source>Second product of the MLP</source>
        <translation>MLP 的第二个矩阵乘</translation>
    </message>
    <message>
        <source>From f features back to h.</source>
        <translation>从 f 个特征回到 h。</translation>
    </message>
    <message>
        <source>Bias of the second product</source>
        <translation>第二个矩阵乘的偏置</translation>
    </message>
    <message>
        <source>Router</source>
        <translation>路由器</translation>
    </message>
    <message>
        <source>One score per expert.</source>
        <translation>每个专家一个分数。</translation>
    </message>
    <message>
        <source>First product of the experts</source>
        <translation>专家的第一个矩阵乘</translation>
    </message>
    <message>
        <source>From h to f_e features for every expert.</source>
        <translation>每个专家从 h 到 f_e 个特征。</translation>
    </message>
    <message>
        <source>Bias of the experts&apos; first product</source>
        <translation>专家第一个矩阵乘的偏置</translation>
    </message>
    <message>
        <source>Second product of the experts</source>
        <translation>专家的第二个矩阵乘</translation>
    </message>
    <message>
        <source>From f_e features back to h for every expert.</source>
        <translation>每个专家从 f_e 个特征回到 h。</translation>
    </message>
    <message>
        <source>Bias of the experts&apos; second product</source>
        <translation>专家第二个矩阵乘的偏置</translation>
    </message>
    <message>
        <source>First product of the shared experts</source>
        <translation>共享专家的第一个矩阵乘</translation>
    </message>
    <message>
        <source>From h to f_s features.</source>
        <translation>从 h 到 f_s 个特征。</translation>
    </message>
    <message>
        <source>Bias of the shared experts&apos; first product</source>
        <translation>共享专家第一个矩阵乘的偏置</translation>
    </message>
    <message>
        <source>Second product of the shared experts</source>
        <translation>共享专家的第二个矩阵乘</translation>
    </message>
    <message>
        <source>From f_s features back to h.</source>
        <translation>从 f_s 个特征回到 h。</translation>
    </message>
    <message>
        <source>Bias of the shared experts&apos; second product</source>
        <translation>共享专家第二个矩阵乘的偏置</translation>
    </message>
    <message>
        <source>Adapter</source>
        <translation>适配器</translation>
    </message>
    <message>
        <source>Two small matrices added to a product: rank x in and out x rank.</source>
        <translation>附加在矩阵乘上的两个小矩阵：秩 x 输入和输出 x 秩。</translation>
    </message>
    <message>
        <source>Join of further predictions</source>
        <translation>后续预测的拼接投影</translation>
    </message>
    <message>
        <source>From hidden state and next embedding, 2 h, to h.</source>
        <translation>从隐藏状态与下一个嵌入（2 h）到 h。</translation>
    </message>
    <message>
        <source>Output layer</source>
        <translation>输出层</translation>
    </message>
    <message>
        <source>From h to one logit per token of the vocabulary.</source>
        <translation>从 h 到词表每个词元一个 logit。</translation>
    </message>
    <message>
        <source>Allocated at the peak</source>
        <translation>峰值时已分配</translation>
    </message>
    <message>
        <source>The most that tensors take at once: what torch.cuda.max_memory_allocated reports.</source>
        <translation>张量同时占用的最大值：即 torch.cuda.max_memory_allocated 报告的数值。</translation>
    </message>
    <message>
        <source>CUDA graphs and tensors of the training script itself.</source>
        <translation>CUDA graph 以及训练脚本自身的张量。</translation>
    </message>
    <message>
        <source>Reserved by the allocator</source>
        <translation>分配器已预留</translation>
    </message>
    <message>
        <source>Allocated, and what the caching allocator holds back and cannot use: what torch.cuda.max_memory_reserved reports.</source>
        <translation>已分配，加上缓存分配器持有却无法使用的部分：即 torch.cuda.max_memory_reserved 报告的数值。</translation>
    </message>
    <message>
        <source>Fragmentation by tensors of varying size.</source>
        <translation>大小不一的张量造成的碎片。</translation>
    </message>
    <message>
        <source>On the device</source>
        <translation>设备占用</translation>
    </message>
    <message>
        <source>Reserved, communication libraries and device context: what nvidia-smi shows, and what must stay within the card&apos;s capacity.</source>
        <translation>已预留、通信库与设备上下文之和：即 nvidia-smi 显示的数值，必须不超过显卡容量。</translation>
    </message>
    <message>
        <source>Other processes on the card.</source>
        <translation>卡上的其他进程。</translation>
    </message>
    <message>
        <source>Capacity of the card</source>
        <translation>显卡容量</translation>
    </message>
    <message>
        <source>Micro-batches in flight</source>
        <translation>在途微批次</translation>
    </message>
    <message>
        <source>Forward passes whose backward pass has not freed them yet, at most, in units of the stage&apos;s whole share of a micro-batch.</source>
        <translation>尚未被反向传播释放的前向传播的最大数量，以一个微批次在该阶段的全部份额为单位。</translation>
    </message>
    <message>
        <source>Peak of the card</source>
        <translation>显卡峰值</translation>
    </message>
    <message>
        <source>The instant at which tensors take most, and what the card is doing then.</source>
        <translation>张量占用最多的时刻，以及此时显卡在做什么。</translation>
    </message>
    <message>
        <source>Parameters of the model</source>
        <translation>模型参数</translation>
    </message>
    <message>
        <source>All weights as published checkpoints count them: vocabulary not padded, tied embeddings once.</source>
        <translation>按公开检查点的方式计的全部权重：词表不填充，共享嵌入只计一次。</translation>
    </message>
    <message>
        <source>Parameters that a token uses</source>
        <translation>每个词元使用的参数</translation>
    </message>
    <message>
        <source>Of the routed experts only those that a token visits.</source>
        <translation>路由专家中只计一个词元会经过的那些。</translation>
    </message>
    <message>
        <source>Parameters that are learned</source>
        <translation>可训练参数</translation>
    </message>
    <message>
        <source>In training all of them, with a frozen model only the adapters&apos;, at inference none.</source>
        <translation>训练时为全部；模型冻结时仅为适配器的参数；推理时为零。</translation>
    </message>
    <message>
        <source>Bubble</source>
        <translation>气泡</translation>
    </message>
    <message>
        <source>Idle time over makespan times stages; with equal stages and 1F1B it is (p - 1) / (m + p - 1).</source>
        <translation>空闲时间除以总时长与阶段数之积；各阶段相等且用 1F1B 时为 (p - 1) / (m + p - 1)。</translation>
    </message>
    <message>
        <source>Micro-batches per step</source>
        <translation>每步微批次数</translation>
    </message>
    <message>
        <source>Sequences per step, divided by replicas and by sequences per micro-batch.</source>
        <translation>每步序列数除以副本数与每个微批次的序列数。</translation>
    </message>
    <message>
        <source>Step time</source>
        <translation>步时间</translation>
    </message>
    <message>
        <source>From the first forward pass to the end of the optimizer step, on the busiest stage; the parts add up.</source>
        <translation>从第一次前向传播到优化器步结束，取最忙的阶段；各部分相加即为总和。</translation>
    </message>
    <message>
        <source>Compute</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>The busiest stage&apos;s forward and backward passes.</source>
        <translation>最忙的阶段的前向和反向传播。</translation>
    </message>
    <message>
        <source>Tensor parallelism</source>
        <translation>张量并行</translation>
    </message>
    <message>
        <source>Collectives of tensor parallelism that nothing hides.</source>
        <translation>未被掩盖的张量并行集合通信。</translation>
    </message>
    <message>
        <source>Pipeline transfers</source>
        <translation>流水线传输</translation>
    </message>
    <message>
        <source>Sending activations and gradients between stages, where nothing hides it.</source>
        <translation>阶段间传递激活和梯度中未被掩盖的时间。</translation>
    </message>
    <message>
        <source>Time in which the busiest stage waits for the others.</source>
        <translation>最忙的阶段等待其他阶段的时间。</translation>
    </message>
    <message>
        <source>Data parallelism</source>
        <translation>数据并行</translation>
    </message>
    <message>
        <source>Reducing gradients and gathering weights, where nothing hides it.</source>
        <translation>规约梯度和聚合权重中未被掩盖的时间。</translation>
    </message>
    <message>
        <source>Expert parallelism</source>
        <translation>专家并行</translation>
    </message>
    <message>
        <source>Exchanging tokens between experts, where nothing hides it.</source>
        <translation>专家之间交换词元中未被掩盖的时间。</translation>
    </message>
    <message>
        <source>Context parallelism</source>
        <translation>上下文并行</translation>
    </message>
    <message>
        <source>Exchanging keys and values, where nothing hides it.</source>
        <translation>交换键和值中未被掩盖的时间。</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>The update reads and writes 36 bytes per parameter of this card&apos;s shard.</source>
        <translation>更新时对本卡分片的每个参数读写 36 字节。</translation>
    </message>
    <message>
        <source>Throughput</source>
        <translation>吞吐量</translation>
    </message>
    <message>
        <source>Tokens of a step divided by its time, all cards together.</source>
        <translation>一步的词元数除以其时间，所有卡合计。</translation>
    </message>
    <message>
        <source>Throughput per card</source>
        <translation>每卡吞吐量</translation>
    </message>
    <message>
        <source>Tokens of a step divided by its time and by the cards.</source>
        <translation>一步的词元数除以其时间和卡数。</translation>
    </message>
    <message>
        <source>Model FLOP/s per card</source>
        <translation>每卡模型 FLOP/s</translation>
    </message>
    <message>
        <source>Useful work per second and card: matrix products and causal attention of forward and backward passes, no recomputation.</source>
        <translation>每秒每卡的有用计算：前向和反向传播的矩阵乘与因果注意力，不含重计算。</translation>
    </message>
    <message>
        <source>Model FLOPs utilization</source>
        <translation>模型 FLOPs 利用率</translation>
    </message>
    <message>
        <source>Useful work per second over the card&apos;s dense 16-bit peak; attention counts as far as causality lets it see.</source>
        <translation>每秒有用计算除以显卡的稠密 16 位峰值；注意力只计因果可见的部分。</translation>
    </message>
    <message>
        <source>Recomputation does not count as work.</source>
        <translation>重计算不计为有用计算。</translation>
    </message>
    <message>
        <source>Hardware FLOPs utilization</source>
        <translation>硬件 FLOPs 利用率</translation>
    </message>
    <message>
        <source>Executed work per second, recomputation included, over the card&apos;s dense 16-bit peak.</source>
        <translation>每秒实际执行的计算（含重计算）除以显卡的稠密 16 位峰值。</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>The weights that the passes multiply with, and copies of them.</source>
        <translation>前向和反向传播所用的权重及其副本。</translation>
    </message>
    <message>
        <source>Gradients</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>One gradient per learned weight, kept through all micro-batches of a step.</source>
        <translation>每个可训练权重一个梯度，在一步的所有微批次期间保留。</translation>
    </message>
    <message>
        <source>Optimizer states</source>
        <translation>优化器状态</translation>
    </message>
    <message>
        <source>The fp32 copy of the weights and the optimizer&apos;s moments.</source>
        <translation>权重的 fp32 副本和优化器的动量。</translation>
    </message>
    <message>
        <source>Activations</source>
        <translation>激活</translation>
    </message>
    <message>
        <source>Tensors that forward passes keep for their backward passes, of every micro-batch in flight at the peak.</source>
        <translation>前向传播为反向传播保留的张量，含峰值时所有在途微批次。</translation>
    </message>
    <message>
        <source>Temporary peak and buffers</source>
        <translation>临时峰值与缓冲区</translation>
    </message>
    <message>
        <source>What the operation at the peak holds besides saved tensors, and buffers that live as long as the process.</source>
        <translation>峰值处的操作在已保存张量之外占用的部分，以及与进程同存续的缓冲区。</translation>
    </message>
    <message>
        <source>CUDA graphs, which take a few GiB more.</source>
        <translation>CUDA graph，另占数 GiB。</translation>
    </message>
    <message>
        <source>Communication libraries</source>
        <translation>通信库</translation>
    </message>
    <message>
        <source>Buffers of NCCL&apos;s communicators, outside the allocator.</source>
        <translation>NCCL 通信器的缓冲区，在分配器之外。</translation>
    </message>
    <message>
        <source>NCCL&apos;s buffers are uncertain by a factor of two.</source>
        <translation>NCCL 缓冲区的不确定性为两倍。</translation>
    </message>
    <message>
        <source>Device context</source>
        <translation>设备上下文</translation>
    </message>
    <message>
        <source>The driver&apos;s context and loaded kernels, outside the allocator.</source>
        <translation>驱动的上下文和已加载的内核，在分配器之外。</translation>
    </message>
    <message>
        <source>Allocator reserve</source>
        <translation>分配器预留</translation>
    </message>
    <message>
        <source>What the caching allocator holds back and cannot use.</source>
        <translation>缓存分配器持有却无法使用的部分。</translation>
    </message>
    <message>
        <source>Fragmentation by sequences of varying length.</source>
        <translation>变长序列造成的碎片。</translation>
    </message>
    <message>
        <source>Experts&apos; weights</source>
        <translation>专家的权重</translation>
    </message>
    <message>
        <source>Weights of this card&apos;s experts; they are replicated over fewer cards than the rest, so sharding divides them less.</source>
        <translation>本卡专家的权重；其复制的卡数少于其余权重，因此分片的切分也较少。</translation>
    </message>
    <message>
        <source>Quantized copies of the weights</source>
        <translation>权重的量化副本</translation>
    </message>
    <message>
        <source>Between micro-batches TransformerEngine keeps each matrix in fp8 or narrower: once for the forward product, and transposed for the backward product on Hopper and Ada; block-scaled formats need both everywhere.</source>
        <translation>TransformerEngine 在微批次之间以 fp8 或更窄的格式保留每个矩阵：一份用于前向乘法，在 Hopper 和 Ada 上另有一份转置用于反向乘法；按块缩放的格式在各处都需要两份。</translation>
    </message>
    <message>
        <source>Quantized copies of the experts&apos; weights</source>
        <translation>专家权重的量化副本</translation>
    </message>
    <message>
        <source>The experts&apos; matrices are kept quantized like all others.</source>
        <translation>专家的矩阵与其他矩阵一样以量化形式保留。</translation>
    </message>
    <message>
        <source>Stashed weight versions</source>
        <translation>暂存的权重版本</translation>
    </message>
    <message>
        <source>An asynchronous pipeline keeps the version of the weights that each micro-batch in flight has seen.</source>
        <translation>异步流水线为每个在途微批次保留其见过的权重版本。</translation>
    </message>
    <message>
        <source>Stashed versions of the experts&apos; weights</source>
        <translation>专家权重的暂存版本</translation>
    </message>
    <message>
        <source>Older versions of the experts&apos; weights, for micro-batches that are still in flight.</source>
        <translation>为仍在途的微批次保留的专家权重旧版本。</translation>
    </message>
    <message>
        <source>Frozen weights</source>
        <translation>冻结的权重</translation>
    </message>
    <message>
        <source>The model without the adapters: 2 bytes a value, and in QLoRA 0.516 bytes for the layers&apos; matrices, 4 bits and double-quantized scales.</source>
        <translation>适配器之外的模型：每个值 2 字节；QLoRA 中各层矩阵为 0.516 字节，即 4 位加双重量化的缩放。</translation>
    </message>
    <message>
        <source>Frozen experts</source>
        <translation>冻结的专家</translation>
    </message>
    <message>
        <source>The experts&apos; frozen weights, stored like the rest of the model.</source>
        <translation>专家的冻结权重，与模型其余部分同样存放。</translation>
    </message>
    <message>
        <source>Adapter weights</source>
        <translation>适配器权重</translation>
    </message>
    <message>
        <source>The two small matrices of every adapted product, in 16 bits.</source>
        <translation>每个被适配的矩阵乘的两个小矩阵，16 位。</translation>
    </message>
    <message>
        <source>Served weights</source>
        <translation>推理权重</translation>
    </message>
    <message>
        <source>Matrices of layers in the served format, scales included; embeddings, norms and the output layer in 16 bits.</source>
        <translation>各层矩阵按推理格式存放（含缩放）；嵌入、归一化和输出层为 16 位。</translation>
    </message>
    <message>
        <source>Served experts</source>
        <translation>推理专家</translation>
    </message>
    <message>
        <source>The experts&apos; matrices in the served format.</source>
        <translation>按推理格式存放的专家矩阵。</translation>
    </message>
    <message>
        <source>One gradient per weight, kept through all micro-batches of a step: fp32 in Megatron&apos;s main-gradient buffer, 2 bytes in DeepSpeed, fp32 and sharded under FSDP.</source>
        <translation>每个权重一个梯度，在一步的所有微批次期间保留：Megatron 的主梯度缓冲区为 fp32，DeepSpeed 为 2 字节，FSDP 为分片的 fp32。</translation>
    </message>
    <message>
        <source>Experts&apos; gradients</source>
        <translation>专家的梯度</translation>
    </message>
    <message>
        <source>Gradients of this card&apos;s experts.</source>
        <translation>本卡专家的梯度。</translation>
    </message>
    <message>
        <source>Adapter gradients</source>
        <translation>适配器的梯度</translation>
    </message>
    <message>
        <source>2 bytes for every learned parameter; frozen weights have none.</source>
        <translation>每个可训练参数 2 字节；冻结的权重没有梯度。</translation>
    </message>
    <message>
        <source>Master weights</source>
        <translation>主权重</translation>
    </message>
    <message>
        <source>Mixed precision updates an fp32 copy of the weights, because a step is too small for 16 bits.</source>
        <translation>混合精度更新的是权重的 fp32 副本，因为一步的改变量对 16 位而言太小。</translation>
    </message>
    <message>
        <source>Experts&apos; master weights</source>
        <translation>专家的主权重</translation>
    </message>
    <message>
        <source>The fp32 copy of the experts&apos; weights.</source>
        <translation>专家权重的 fp32 副本。</translation>
    </message>
    <message>
        <source>Optimizer moments</source>
        <translation>优化器动量</translation>
    </message>
    <message>
        <source>Moments are made in the first optimizer step; until then a run needs less.</source>
        <translation>动量在第一个优化器步中创建；此前所需较少。</translation>
    </message>
    <message>
        <source>Experts&apos; moments</source>
        <translation>专家的动量</translation>
    </message>
    <message>
        <source>Running averages for the experts&apos; weights.</source>
        <translation>专家权重的滑动平均。</translation>
    </message>
    <message>
        <source>Adapter optimizer states</source>
        <translation>适配器的优化器状态</translation>
    </message>
    <message>
        <source>fp32 copy of the gradients</source>
        <translation>梯度的 fp32 副本</translation>
    </message>
    <message>
        <source>fp32 copy of the experts&apos; gradients</source>
        <translation>专家梯度的 fp32 副本</translation>
    </message>
    <message>
        <source>16-bit gradients of the experts, turned into fp32 for the update.</source>
        <translation>专家的 16 位梯度，为更新转为 fp32。</translation>
    </message>
    <message>
        <source>Newton-Schulz iteration</source>
        <translation>Newton-Schulz 迭代</translation>
    </message>
    <message>
        <source>Muon orthogonalizes one matrix at a time in 16 bits and holds three copies of it.</source>
        <translation>Muon 每次以 16 位正交化一个矩阵，并持有其三份副本。</translation>
    </message>
    <message>
        <source>Weights by the article&apos;s rule</source>
        <translation>按文章规则的权重</translation>
    </message>
    <message>
        <source>2 bytes per parameter, divided by the pipeline.</source>
        <translation>每参数 2 字节，按流水线切分。</translation>
    </message>
    <message>
        <source>Gradients by the article&apos;s rule</source>
        <translation>按文章规则的梯度</translation>
    </message>
    <message>
        <source>4 bytes per parameter, divided by the pipeline.</source>
        <translation>每参数 4 字节，按流水线切分。</translation>
    </message>
    <message>
        <source>Optimizer by the article&apos;s rule</source>
        <translation>按文章规则的优化器</translation>
    </message>
    <message>
        <source>12 bytes per parameter (fp32 copy and Adam&apos;s moments), divided by the pipeline and, with ZeRO-1, by the replicas.</source>
        <translation>每参数 12 字节（fp32 副本和 Adam 的动量），按流水线切分，使用 ZeRO-1 时再按副本数切分。</translation>
    </message>
    <message>
        <source>Gradient of the residual stream</source>
        <translation>残差流的梯度</translation>
    </message>
    <message>
        <source>The gradient that the layer under work received, as large as the stream itself.</source>
        <translation>正在处理的层收到的梯度，与残差流同样大。</translation>
    </message>
    <message>
        <source>Gradient last received</source>
        <translation>最近收到的梯度</translation>
    </message>
    <message>
        <source>Once gradients flow, a pipeline stage still refers to the one it last got from the next stage.</source>
        <translation>梯度开始流动后，流水线阶段仍引用它最近从下一阶段收到的梯度。</translation>
    </message>
    <message>
        <source>Gradient of the gathered stream</source>
        <translation>聚合后残差流的梯度</translation>
    </message>
    <message>
        <source>A product that reads all tokens of its sequence-parallel group first makes the gradient of all of them.</source>
        <translation>读取其序列并行组全部词元的矩阵乘，先产生全部词元的梯度。</translation>
    </message>
    <message>
        <source>Gradient of the activation&apos;s output</source>
        <translation>激活函数输出的梯度</translation>
    </message>
    <message>
        <source>The gradient behind the MLP&apos;s activation function, from the second product.</source>
        <translation>MLP 激活函数之后的梯度，来自第二个矩阵乘。</translation>
    </message>
    <message>
        <source>Gradient of the activation&apos;s input</source>
        <translation>激活函数输入的梯度</translation>
    </message>
    <message>
        <source>The activation function&apos;s backward pass writes the gradient of the first product&apos;s output, both halves where it is gated.</source>
        <translation>激活函数的反向传播写出第一个矩阵乘输出的梯度，带门控时为两半。</translation>
    </message>
    <message>
        <source>Gradient of one weight</source>
        <translation>单个权重的梯度</translation>
    </message>
    <message>
        <source>Without fused accumulation a weight&apos;s gradient is first written to a tensor of its own, then added.</source>
        <translation>没有融合累加时，权重的梯度先放在独立张量里，然后再累加。</translation>
    </message>
    <message>
        <source>Gradient of the logits</source>
        <translation>logits 的梯度</translation>
    </message>
    <message>
        <source>The loss hands the output layer a 16-bit gradient as large as the logits.</source>
        <translation>损失交给输出层一个与 logits 同样大的 16 位梯度。</translation>
    </message>
    <message>
        <source>Gradient of the experts&apos; output</source>
        <translation>专家输出的梯度</translation>
    </message>
    <message>
        <source>The gradient of every row that the experts returned.</source>
        <translation>专家返回的每一行的梯度。</translation>
    </message>
    <message>
        <source>Gradients of softmax and scores</source>
        <translation>softmax 与分数的梯度</translation>
    </message>
    <message>
        <source>Unfused attention holds the gradient of the softmax and that of the scores at once.</source>
        <translation>未融合的注意力同时持有 softmax 的梯度和分数的梯度。</translation>
    </message>
    <message>
        <source>Gradient of gathered keys and values</source>
        <translation>聚合后键和值的梯度</translation>
    </message>
    <message>
        <source>The gradient of the whole sequence&apos;s keys and values, before it is reduced to this card&apos;s part.</source>
        <translation>整个序列的键和值的梯度，在规约到本卡的部分之前。</translation>
    </message>
    <message>
        <source>Gathered gradient</source>
        <translation>聚合后的梯度</translation>
    </message>
    <message>
        <source>Sequence parallelism gathers the gradient of all its cards&apos; tokens before the second product&apos;s backward pass.</source>
        <translation>序列并行在第二个矩阵乘的反向传播之前聚合组内所有卡的词元的梯度。</translation>
    </message>
    <message>
        <source>Gathered input</source>
        <translation>聚合后的输入</translation>
    </message>
    <message>
        <source>Sequence parallelism gathers the stored input again for the gradient of the first product&apos;s weight.</source>
        <translation>序列并行为求第一个矩阵乘权重的梯度，再次聚合已存的输入。</translation>
    </message>
    <message>
        <source>Gathered keys and values</source>
        <translation>聚合后的键和值</translation>
    </message>
    <message>
        <source>Context parallelism by all-gather holds keys and values of the whole sequence, gathered and in order.</source>
        <translation>以 all-gather 实现的上下文并行持有整个序列的键和值，聚合并按顺序排列。</translation>
    </message>
    <message>
        <source>No published regression covers this buffer.</source>
        <translation>没有公开的回归测试覆盖该缓冲区。</translation>
    </message>
    <message>
        <source>Copies while experts&apos; outputs are combined</source>
        <translation>合并专家输出时的副本</translation>
    </message>
    <message>
        <source>The permuted, dispatched, unsorted and combined rows exist side by side while the layer&apos;s frame refers to them.</source>
        <translation>置换、分发、还原和合并后的行同时存在，直到该层的栈帧不再引用它们。</translation>
    </message>
    <message>
        <source>Rows of a dropless run follow the data; the band is 1 to 1.5 times the mean.</source>
        <translation>不丢弃词元时行数取决于数据；范围为均值的 1 至 1.5 倍。</translation>
    </message>
    <message>
        <source>Result of the expert layer</source>
        <translation>专家层的结果</translation>
    </message>
    <message>
        <source>The combined output, and that of the shared experts.</source>
        <translation>合并后的输出，以及共享专家的输出。</translation>
    </message>
    <message>
        <source>Working set of the loss</source>
        <translation>损失的工作集</translation>
    </message>
    <message>
        <source>Chunk of logits</source>
        <translation>logits 的一块</translation>
    </message>
    <message>
        <source>A chunked loss holds one chunk of logits and its fp32 softmax; chunks are about T h / v tokens.</source>
        <translation>分块损失只持有一块 logits 及其 fp32 softmax；每块约 T h / v 个词元。</translation>
    </message>
    <message>
        <source>First layer of the paired forward pass</source>
        <translation>配对前向传播的第一层</translation>
    </message>
    <message>
        <source>A paired block frees one layer of the backward pass for each that the forward pass saves: together they hold one pass and one layer.</source>
        <translation>配对的块在前向保存一层的同时由反向释放一层，因此两者合计持有一个传播再加一层。</translation>
    </message>
    <message>
        <source>Both passes are taken to have layers of one size.</source>
        <translation>假定两个传播的层大小相同。</translation>
    </message>
    <message>
        <source>Recomputed activations</source>
        <translation>重计算的激活</translation>
    </message>
    <message>
        <source>Recomputation rebuilds everything that one group of layers keeps, less the checkpoint it starts from.</source>
        <translation>重计算会重建一组层保留的全部内容，减去其起点的检查点。</translation>
    </message>
    <message>
        <source>Residual streams of the prompt</source>
        <translation>提示词的残差流</translation>
    </message>
    <message>
        <source>A forward pass holds the stream that enters a layer and the one that leaves it.</source>
        <translation>前向传播持有进入一层的残差流和离开该层的残差流。</translation>
    </message>
    <message>
        <source>Queries, keys and values of the prompt</source>
        <translation>提示词的查询、键和值</translation>
    </message>
    <message>
        <source>The widest intermediate result of the forward pass: the packed projection.</source>
        <translation>前向传播中最宽的中间结果：打包的投影。</translation>
    </message>
    <message>
        <source>MLP activations of the prompt</source>
        <translation>提示词的 MLP 激活</translation>
    </message>
    <message>
        <source>The widest intermediate result of the forward pass: the MLP&apos;s two products.</source>
        <translation>前向传播中最宽的中间结果：MLP 的两个矩阵乘。</translation>
    </message>
    <message>
        <source>Expert activations of the prompt</source>
        <translation>提示词的专家激活</translation>
    </message>
    <message>
        <source>The widest intermediate result of the forward pass: rows to, inside and from the experts.</source>
        <translation>前向传播中最宽的中间结果：去往专家、专家内部和来自专家的行。</translation>
    </message>
    <message>
        <source>Balanced experts are assumed.</source>
        <translation>假定专家负载均衡。</translation>
    </message>
    <message>
        <source>Logits of the last token</source>
        <translation>最后一个词元的 logits</translation>
    </message>
    <message>
        <source>Only a prompt&apos;s last token is turned into fp32 logits.</source>
        <translation>只有提示词的最后一个词元会变为 fp32 logits。</translation>
    </message>
    <message>
        <source>Prompt log-probabilities would need them for every token.</source>
        <translation>若需要提示词的对数概率，则每个词元都要有。</translation>
    </message>
    <message>
        <source>TransformerEngine&apos;s workspace</source>
        <translation>TransformerEngine 的工作区</translation>
    </message>
    <message>
        <source>Matrix products share one workspace per process: 32 MiB from Hopper on, 4 MiB before.</source>
        <translation>矩阵乘共用每进程一个的工作区：自 Hopper 起 32 MiB，此前 4 MiB。</translation>
    </message>
    <message>
        <source>cuBLAS workspaces</source>
        <translation>cuBLAS 工作区</translation>
    </message>
    <message>
        <source>Workspaces of grouped products</source>
        <translation>分组矩阵乘的工作区</translation>
    </message>
    <message>
        <source>Grouped matrix products of experts run on four streams with 32 MiB each, and 16 MiB more.</source>
        <translation>专家的分组矩阵乘在四条流上运行，每条 32 MiB，另加 16 MiB。</translation>
    </message>
    <message>
        <source>Small buffers</source>
        <translation>小缓冲区</translation>
    </message>
    <message>
        <source>Random states, token ids, labels and the padding of optimizer buckets.</source>
        <translation>随机状态、词元 id、标签以及优化器桶的填充。</translation>
    </message>
    <message>
        <source>Rotary table</source>
        <translation>旋转位置编码表</translation>
    </message>
    <message>
        <source>Cosines and sines of every position of this card, in fp32.</source>
        <translation>本卡每个位置的余弦和正弦，fp32。</translation>
    </message>
    <message>
        <source>Buffer for gathered tokens</source>
        <translation>聚合词元的缓冲区</translation>
    </message>
    <message>
        <source>The output layer gathers the sequence-parallel stream into a buffer that is never given back.</source>
        <translation>输出层把序列并行的残差流聚合到一个不再归还的缓冲区。</translation>
    </message>
    <message>
        <source>Input gradient last sent</source>
        <translation>最近发出的输入梯度</translation>
    </message>
    <message>
        <source>Every stage but the first keeps the gradient it last sent to the stage before.</source>
        <translation>除第一阶段外，每个阶段都保留最近发给上一阶段的梯度。</translation>
    </message>
    <message>
        <source>Dummy gradients</source>
        <translation>占位梯度</translation>
    </message>
    <message>
        <source>With fused accumulation TransformerEngine hands autograd a placeholder gradient, cached per distinct weight shape.</source>
        <translation>使用融合累加时，TransformerEngine 交给 autograd 一个占位梯度，按不同的权重形状缓存。</translation>
    </message>
    <message>
        <source>Reduce buckets</source>
        <translation>规约桶</translation>
    </message>
    <message>
        <source>Gather bucket</source>
        <translation>聚合桶</translation>
    </message>
    <message>
        <source>Gathered layers</source>
        <translation>聚合后的层</translation>
    </message>
    <message>
        <source>Fully sharded weights are gathered before they are used: the layer under work and the one prefetched under FSDP, up to 1e9 live parameters in DeepSpeed.</source>
        <translation>完全分片的权重在使用之前先聚合：FSDP 为正在处理的层和预取的一层，DeepSpeed 为至多 1e9 个活动参数。</translation>
    </message>
    <message>
        <source>Gathered output layer</source>
        <translation>聚合后的输出层</translation>
    </message>
    <message>
        <source>Gathered weights</source>
        <translation>聚合后的权重</translation>
    </message>
    <message>
        <source>SHARD_GRAD_OP leaves all weights gathered in 16 bits from the forward to the backward pass.</source>
        <translation>SHARD_GRAD_OP 使全部权重从前向到反向传播期间保持聚合（16 位）。</translation>
    </message>
    <message>
        <source>Gradients waiting to be reduced</source>
        <translation>等待规约的梯度</translation>
    </message>
    <message>
        <source>The gradients of one FSDP unit are held whole until they are reduced and scattered.</source>
        <translation>一个 FSDP 单元的梯度在规约并散布之前保持完整。</translation>
    </message>
    <message>
        <source>Restored weight</source>
        <translation>恢复的权重</translation>
    </message>
    <message>
        <source>QLoRA restores one 4-bit weight at a time to 16 bits for its product.</source>
        <translation>QLoRA 每次把一个 4 位权重恢复为 16 位以做矩阵乘。</translation>
    </message>
    <message>
        <source>A card&apos;s experts are counted as one weight.</source>
        <translation>一张卡的专家合计为一个权重。</translation>
    </message>
    <message>
        <source>Offload buffer</source>
        <translation>卸载缓冲区</translation>
    </message>
    <message>
        <source>Activations of up to two layers are on their way to host memory and back.</source>
        <translation>至多两层的激活正在往返主机内存的途中。</translation>
    </message>
    <message>
        <source>Measured beyond the prediction</source>
        <translation>超出预测的实测值</translation>
    </message>
    <message>
        <source>The plan is calibrated with a measured run: what its card allocated beyond the prediction is taken to be there on every card, whatever else of the plan changes.</source>
        <translation>该方案用一次实测运行校准：其显卡超出预测的分配量被认为在每张卡上都存在，无论方案其他部分如何改变。</translation>
    </message>
    <message>
        <source>One figure cannot say which term it belongs to, nor how it grows with the plan.</source>
        <translation>单个数值无法说明它属于哪一项，也无法说明它如何随方案增长。</translation>
    </message>
    <message>
        <source>Communicators</source>
        <translation>通信器</translation>
    </message>
    <message>
        <source>NCCL allocates channel buffers for every process group of more than one rank: tensor, pipeline, context, expert and data.</source>
        <translation>NCCL 为每个多于一个 rank 的进程组分配通道缓冲区：张量、流水线、上下文、专家和数据并行。</translation>
    </message>
    <message>
        <source>Communicators are uncertain by a factor of two: they grow with channels and connections, and are made when first used.</source>
        <translation>通信器的不确定性为两倍：它们随通道和连接数增长，并在首次使用时创建。</translation>
    </message>
    <message>
        <source>The driver&apos;s context and the kernels loaded into it; outside the allocator, seen only by nvidia-smi.</source>
        <translation>驱动的上下文及加载到其中的内核；在分配器之外，只有 nvidia-smi 能看到。</translation>
    </message>
    <message>
        <source>Reserve of the allocator</source>
        <translation>分配器的预留</translation>
    </message>
    <message>
        <source>Sequences of varying length fragment far more, up to twice the allocation without expandable segments.</source>
        <translation>变长序列的碎片要多得多，不用可扩展段时可达分配量的两倍。</translation>
    </message>
    <message>
        <source>tensor</source>
        <translation>张量并行</translation>
    </message>
    <message>
        <source>pipeline</source>
        <translation>流水线并行</translation>
    </message>
    <message>
        <source>context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>expert</source>
        <translation>专家并行</translation>
    </message>
    <message>
        <source>data</source>
        <translation>数据并行</translation>
    </message>
    <message>
        <source>1 micro-batch in flight</source>
        <translation>1 个在途微批次</translation>
    </message>
    <message>
        <source>{} micro-batches in flight</source>
        <translation>{} 个在途微批次</translation>
    </message>
    <message>
        <source>all chunks in flight</source>
        <translation>全部在途模型块</translation>
    </message>
    <message>
        <source>all chunks in flight or awaiting their weight half</source>
        <translation>全部在途或等待权重半的模型块</translation>
    </message>
    <message>
        <source>1 chunk pass in flight</source>
        <translation>1 次在途的块传播</translation>
    </message>
    <message>
        <source>{} chunk passes in flight</source>
        <translation>{} 次在途的块传播</translation>
    </message>
    <message>
        <source>1 pass awaiting its weight half</source>
        <translation>1 次等待权重半的传播</translation>
    </message>
    <message>
        <source>{} passes awaiting their weight half</source>
        <translation>{} 次等待权重半的传播</translation>
    </message>
    <message>
        <source>{} x {}</source>
        <translation>{} x {}</translation>
    </message>
    <message>
        <source>{} + {}</source>
        <translation>{} + {}</translation>
    </message>
    <message>
        <source>{} x ({})</source>
        <translation>{} x ({})</translation>
    </message>
    <message>
        <source>1 layer</source>
        <translation>1 层</translation>
    </message>
    <message>
        <source>{} layers</source>
        <translation>{} 层</translation>
    </message>
    <message>
        <source>1 dense layer</source>
        <translation>1 个稠密层</translation>
    </message>
    <message>
        <source>{} dense layers</source>
        <translation>{} 个稠密层</translation>
    </message>
    <message>
        <source>1 expert layer</source>
        <translation>1 个专家层</translation>
    </message>
    <message>
        <source>{} expert layers</source>
        <translation>{} 个专家层</translation>
    </message>
    <message>
        <source>1 embedding</source>
        <translation>1 个嵌入</translation>
    </message>
    <message>
        <source>1 head</source>
        <translation>1 个输出层</translation>
    </message>
    <message>
        <source>1 prediction depth</source>
        <translation>1 个预测深度</translation>
    </message>
    <message>
        <source>{} prediction depths</source>
        <translation>{} 个预测深度</translation>
    </message>
    <message>
        <source>({})</source>
        <translation>({})</translation>
    </message>
    <message>
        <source>Stage {}: {}</source>
        <translation>阶段 {}：{}</translation>
    </message>
    <message>
        <source>Peak: {}</source>
        <translation>峰值：{}</translation>
    </message>
    <message>
        <source>{} passes of {} chunks</source>
        <translation>{} 次传播（{} 个模型块）</translation>
    </message>
    <message>
        <source>{} of {}</source>
        <translation>{} / {}</translation>
    </message>
    <message>
        <source>Schedule {}: {} at most on stage {}.</source>
        <translation>调度 {0}：阶段 {2} 至多 {1}。</translation>
    </message>
    <message>
        <source>Forward passes held</source>
        <translation>持有的前向传播</translation>
    </message>
    <message>
        <source>Stage {} holds most in the optimizer step, after all activations are freed.</source>
        <translation>阶段 {} 在优化器步中占用最多，此时激活已经释放。</translation>
    </message>
    <message>
        <source>Stage {} holds most {} s into the step, in the {} ({}).</source>
        <translation>阶段 {} 在步开始后 {} s 占用最多，处于{}（{}）。</translation>
    </message>
    <message>
        <source>forward pass of micro-batch {}</source>
        <translation>微批次 {} 的前向传播</translation>
    </message>
    <message>
        <source>forward pass of micro-batch {} together with the backward pass of micro-batch {}</source>
        <translation>微批次 {} 的前向传播，与微批次 {} 的反向传播并行</translation>
    </message>
    <message>
        <source>input half of the backward pass of micro-batch {}</source>
        <translation>微批次 {} 反向传播的输入半</translation>
    </message>
    <message>
        <source>backward pass of micro-batch {}</source>
        <translation>微批次 {} 的反向传播</translation>
    </message>
    <message>
        <source>Stage {} takes {} % of the card.</source>
        <translation>阶段 {} 占用显卡的 {} %。</translation>
    </message>
    <message>
        <source>Stage {} takes {} % of the card: it does not fit.</source>
        <translation>阶段 {} 占用显卡的 {} %：放不下。</translation>
    </message>
    <message>
        <source>{} {} {}</source>
        <translation>{} {} {}</translation>
    </message>
    <message>
        <source>That formula gives {} % here; relative to the work, idle time is {} %.</source>
        <translation>按该公式此处为 {} %；空闲时间相对于计算时间为 {} %。</translation>
    </message>
    <message>
        <source>Idle time by cause: {}.</source>
        <translation>按原因划分的空闲时间：{}。</translation>
    </message>
    <message>
        <source>Idle time of stage {}</source>
        <translation>阶段 {} 的空闲时间</translation>
    </message>
    <message>
        <source>Of it: {}.</source>
        <translation>其中：{}。</translation>
    </message>
    <message>
        <source>Hardware FLOPs utilization, {}</source>
        <translation>硬件 FLOPs 利用率，{}</translation>
    </message>
    <message>
        <source>Model FLOPs utilization, {}</source>
        <translation>模型 FLOPs 利用率，{}</translation>
    </message>
    <message>
        <source>Of the dense {} peak, by {} per token of training.</source>
        <translation>相对于 {} 稠密峰值，每个训练词元计 {}。</translation>
    </message>
    <message>
        <source>work of a token by this convention, 10^12 FLOP</source>
        <translation>按此口径一个词元的计算量，10^12 FLOP</translation>
    </message>
    <message>
        <source>tokens per second and card</source>
        <translation>每秒每卡词元数</translation>
    </message>
    <message>
        <source>dense peak of the card, 10^12 FLOP/s</source>
        <translation>显卡的稠密峰值，10^12 FLOP/s</translation>
    </message>
    <message>
        <source>{} ({} peak) {} %</source>
        <translation>{}（{} 峰值）{} %</translation>
    </message>
    <message>
        <source>By other conventions: {}.</source>
        <translation>按其他口径：{}。</translation>
    </message>
    <message>
        <source>sequences per step</source>
        <translation>每步序列数</translation>
    </message>
    <message>
        <source>sequences of a micro-batch</source>
        <translation>一个微批次的序列数</translation>
    </message>
    <message>
        <source>tokens of a sequence</source>
        <translation>一个序列的词元数</translation>
    </message>
    <message>
        <source>micro-batches per step and replica</source>
        <translation>每步每副本的微批次数</translation>
    </message>
    <message>
        <source>data-parallel replicas</source>
        <translation>数据并行副本数</translation>
    </message>
    <message>
        <source>cards</source>
        <translation>卡数</translation>
    </message>
    <message>
        <source>seconds of a step</source>
        <translation>一步的秒数</translation>
    </message>
    <message>
        <source>useful work of one card in a step, 10^12 FLOP</source>
        <translation>一张卡在一步中的有用计算，10^12 FLOP</translation>
    </message>
    <message>
        <source>executed work of one card in a step, 10^12 FLOP</source>
        <translation>一张卡在一步中实际执行的计算，10^12 FLOP</translation>
    </message>
    <message>
        <source>dense 16-bit peak of the card, 10^12 FLOP/s</source>
        <translation>显卡的稠密 16 位峰值，10^12 FLOP/s</translation>
    </message>
    <message>
        <source>The plan breaks {}, so a framework would refuse it: {}.</source>
        <translation>该方案违反 {}，因此框架会拒绝它：{}。</translation>
    </message>
    <message>
        <source>{} layers x {} experts</source>
        <translation>{} 层 x {} 个专家</translation>
    </message>
    <message>
        <source>{} x 2, data / 2</source>
        <translation>{} x 2，数据并行 / 2</translation>
    </message>
    <message>
        <source>{} x 2, cards x 2</source>
        <translation>{} x 2，卡数 x 2</translation>
    </message>
    <message>
        <source>sequence length x 2</source>
        <translation>序列长度 x 2</translation>
    </message>
    <message>
        <source>micro-batch x 2</source>
        <translation>微批次 x 2</translation>
    </message>
    <message>
        <source>data x 2, cards x 2</source>
        <translation>数据并行 x 2，卡数 x 2</translation>
    </message>
    <message>
        <source>full recomputation</source>
        <translation>完全重计算</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Layers with experts</source>
        <translation>带专家的层</translation>
    </message>
    <message>
        <source>Recomputed layers</source>
        <translation>重计算的层</translation>
    </message>
    <message>
        <source>Recomputed layers with experts</source>
        <translation>重计算的带专家的层</translation>
    </message>
    <message>
        <source>Embedding</source>
        <translation>嵌入</translation>
    </message>
    <message>
        <source>Fill</source>
        <translation>填充</translation>
    </message>
    <message>
        <source>Waiting for activations</source>
        <translation>等待激活</translation>
    </message>
    <message>
        <source>Waiting for gradients</source>
        <translation>等待梯度</translation>
    </message>
    <message>
        <source>Waiting for receivers</source>
        <translation>等待接收方</translation>
    </message>
    <message>
        <source>Transfers</source>
        <translation>传输</translation>
    </message>
    <message>
        <source>Drain</source>
        <translation>排空</translation>
    </message>
    <message>
        <source>waiting for the host to launch kernels</source>
        <translation>等待主机启动内核</translation>
    </message>
    <message>
        <source>adding gradients of the weights to those before</source>
        <translation>将权重梯度累加到已有梯度上</translation>
    </message>
    <message>
        <source>moving activations to the host and back</source>
        <translation>将激活移到主机内存再移回</translation>
    </message>
    <message>
        <source>gathering sharded weights and scattering their gradients</source>
        <translation>聚合分片权重并散布其梯度</translation>
    </message>
    <message>
        <source>{}: {} of {} over {} cards, {} in a node, {}; exposed {}.</source>
        <translation>{}：{} {}，{} 张卡（节点内 {}），{}；未掩盖 {}。</translation>
    </message>
    <message>
        <source>Backward</source>
        <translation>反向</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>前向</translation>
    </message>
    <message>
        <source>Times in one layer and micro-batch: forward {}, backward {}.</source>
        <translation>单层单个微批次的时间：前向 {}，反向 {}。</translation>
    </message>
    <message>
        <source>{}: {}</source>
        <translation>{}：{}</translation>
    </message>
    <message>
        <source>Gathering updated weights</source>
        <translation>聚合更新后的权重</translation>
    </message>
    <message>
        <source>Reducing gradients</source>
        <translation>规约梯度</translation>
    </message>
    <message>
        <source>One {} of {} among replicas, {}; exposed {}.</source>
        <translation>副本之间一次 {}，{}，{}；未掩盖 {}。</translation>
    </message>
    <message>
        <source>Update of the parameters</source>
        <translation>参数更新</translation>
    </message>
    <message>
        <source>The slowest rank&apos;s shard at the memory&apos;s bandwidth, launches and what crosses PCIe included.</source>
        <translation>最慢 rank 的分片按显存带宽计，含启动和经过 PCIe 的部分。</translation>
    </message>
    <message>
        <source>Work of the host</source>
        <translation>主机的工作</translation>
    </message>
    <message>
        <source>What the training loop does once a step.</source>
        <translation>训练循环每步做一次的事。</translation>
    </message>
    <message>
        <source>On stage {}, the busiest.</source>
        <translation>位于最忙的阶段 {}。</translation>
    </message>
    <message>
        <source>One transfer takes {}.</source>
        <translation>一次传输用时 {}。</translation>
    </message>
    <message>
        <source>bytes of an activation</source>
        <translation>一个激活值的字节数</translation>
    </message>
    <message>
        <source>bytes in which a matrix product keeps a value of its input</source>
        <translation>矩阵乘为其输入的每个值保留的字节数</translation>
    </message>
    <message>
        <source>bytes in which a layer&apos;s product keeps a value of its output&apos;s gradient for a weight half of its own: in fp8 one copy for each direction that needs one</source>
        <translation>一层的矩阵乘为自己的权重半保留输出梯度每个值的字节数：fp8 时每个需要的方向一份副本</translation>
    </message>
    <message>
        <source>tokens of a micro-batch on one card, s b / c</source>
        <translation>一张卡上一个微批次的词元数，s b / c</translation>
    </message>
    <message>
        <source>context-parallel cards</source>
        <translation>上下文并行的卡数</translation>
    </message>
    <message>
        <source>tensor-parallel cards</source>
        <translation>张量并行的卡数</translation>
    </message>
    <message>
        <source>cards that share norms and residuals: t with sequence parallelism, else 1</source>
        <translation>分摊归一化与残差的卡数：使用序列并行时为 t，否则为 1</translation>
    </message>
    <message>
        <source>pipeline stages</source>
        <translation>流水线阶段数</translation>
    </message>
    <message>
        <source>hidden size</source>
        <translation>隐藏维度</translation>
    </message>
    <message>
        <source>width of the MLP</source>
        <translation>MLP 的宽度</translation>
    </message>
    <message>
        <source>attention heads</source>
        <translation>注意力头数</translation>
    </message>
    <message>
        <source>key and value heads, at least one for every tensor-parallel card</source>
        <translation>KV 头数，每张张量并行卡至少一个</translation>
    </message>
    <message>
        <source>size of a head</source>
        <translation>一个头的维度</translation>
    </message>
    <message>
        <source>matrices into the MLP: 2 where it is gated, else 1</source>
        <translation>进入 MLP 的矩阵数：带门控时为 2，否则为 1</translation>
    </message>
    <message>
        <source>bytes of fp32 statistics per token: one value for RMSNorm, two for LayerNorm</source>
        <translation>每个词元的 fp32 统计量的字节数：RMSNorm 一个值，LayerNorm 两个</translation>
    </message>
    <message>
        <source>rows of the vocabulary, padded to a multiple of 128 t</source>
        <translation>词表行数，填充到 128 t 的倍数</translation>
    </message>
    <message>
        <source>layers of the model</source>
        <translation>模型的层数</translation>
    </message>
    <message>
        <source>rank of the adapters</source>
        <translation>适配器的秩</translation>
    </message>
    <message>
        <source>experts of a layer</source>
        <translation>一层的专家数</translation>
    </message>
    <message>
        <source>experts that a token visits</source>
        <translation>一个词元经过的专家数</translation>
    </message>
    <message>
        <source>rows that enter a card&apos;s experts: tokens times experts per token, imbalance and capacity included</source>
        <translation>进入一张卡的专家的行数：词元数乘以每词元专家数，含不均衡和容量</translation>
    </message>
    <message>
        <source>width of an expert</source>
        <translation>一个专家的宽度</translation>
    </message>
    <message>
        <source>width of the shared experts together</source>
        <translation>共享专家的总宽度</translation>
    </message>
    <message>
        <source>tensor-parallel cards of an expert</source>
        <translation>一个专家的张量并行卡数</translation>
    </message>
    <message>
        <source>size of a query&apos;s part without rotation</source>
        <translation>查询中不旋转部分的维度</translation>
    </message>
    <message>
        <source>size of a query&apos;s rotated part</source>
        <translation>查询中旋转部分的维度</translation>
    </message>
    <message>
        <source>size of a value head</source>
        <translation>一个值头的维度</translation>
    </message>
    <message>
        <source>rank of the queries&apos; latent</source>
        <translation>查询潜在向量的秩</translation>
    </message>
    <message>
        <source>rank of the keys&apos; and values&apos; latent</source>
        <translation>键值潜在向量的秩</translation>
    </message>
    <message>
        <source>parameters of this card that are not experts&apos;</source>
        <translation>本卡不属于专家的参数数</translation>
    </message>
    <message>
        <source>parameters of this card in the layers&apos; matrices, not experts&apos;</source>
        <translation>本卡各层矩阵的参数数，不含专家</translation>
    </message>
    <message>
        <source>rows plus columns of this card&apos;s matrices, and values of its vectors, not experts&apos;</source>
        <translation>本卡各矩阵的行数加列数，以及各向量的值数，不含专家</translation>
    </message>
    <message>
        <source>parameters of this card&apos;s experts</source>
        <translation>本卡专家的参数数</translation>
    </message>
    <message>
        <source>parameters of the matrices of this card&apos;s experts</source>
        <translation>本卡专家矩阵的参数数</translation>
    </message>
    <message>
        <source>rows plus columns of the matrices of this card&apos;s experts, and values of their vectors</source>
        <translation>本卡专家各矩阵的行数加列数，以及各向量的值数</translation>
    </message>
    <message>
        <source>parameters of the largest single matrix of a layer on this card</source>
        <translation>本卡一层中最大单个矩阵的参数数</translation>
    </message>
    <message>
        <source>bytes of a weight</source>
        <translation>一个权重的字节数</translation>
    </message>
    <message>
        <source>bytes of a served matrix&apos;s value, scales included</source>
        <translation>推理矩阵一个值的字节数，含缩放</translation>
    </message>
    <message>
        <source>bytes of a matrix&apos;s quantized copies, per value</source>
        <translation>矩阵量化副本每个值的字节数</translation>
    </message>
    <message>
        <source>bytes of a gradient</source>
        <translation>一个梯度的字节数</translation>
    </message>
    <message>
        <source>bytes of the optimizer&apos;s moments per row and column</source>
        <translation>优化器动量每行每列的字节数</translation>
    </message>
    <message>
        <source>bytes of the optimizer&apos;s moments per parameter</source>
        <translation>优化器动量每参数的字节数</translation>
    </message>
    <message>
        <source>bytes of moments per parameter outside the layers&apos; matrices</source>
        <translation>各层矩阵之外每参数的动量字节数</translation>
    </message>
    <message>
        <source>share of the optimizer&apos;s states in host memory</source>
        <translation>优化器状态放在主机内存的比例</translation>
    </message>
    <message>
        <source>share of the weights in host memory</source>
        <translation>权重放在主机内存的比例</translation>
    </message>
    <message>
        <source>share of the layers&apos; activations in host memory</source>
        <translation>各层激活放在主机内存的比例</translation>
    </message>
    <message>
        <source>versions of the weights that the schedule keeps</source>
        <translation>调度保留的权重版本数</translation>
    </message>
    <message>
        <source>cards that share the weights; 1 if none do</source>
        <translation>分摊权重的卡数；不分摊时为 1</translation>
    </message>
    <message>
        <source>cards that share the gradients; 1 if none do</source>
        <translation>分摊梯度的卡数；不分摊时为 1</translation>
    </message>
    <message>
        <source>cards that share the optimizer&apos;s states; 1 if none do</source>
        <translation>分摊优化器状态的卡数；不分摊时为 1</translation>
    </message>
    <message>
        <source>cards that share the experts&apos; weights; 1 if none do</source>
        <translation>分摊专家权重的卡数；不分摊时为 1</translation>
    </message>
    <message>
        <source>cards that share the experts&apos; gradients; 1 if none do</source>
        <translation>分摊专家梯度的卡数；不分摊时为 1</translation>
    </message>
    <message>
        <source>cards that share the experts&apos; optimizer states; 1 if none do</source>
        <translation>分摊专家优化器状态的卡数；不分摊时为 1</translation>
    </message>
    <message>
        <source>bytes of TransformerEngine&apos;s workspace: 32 MiB from Hopper on, 4 MiB before</source>
        <translation>TransformerEngine 工作区的字节数：自 Hopper 起 32 MiB，此前 4 MiB</translation>
    </message>
    <message>
        <source>bytes of a cuBLAS workspace, one per thread and stream</source>
        <translation>一个 cuBLAS 工作区的字节数，每个线程和流一个</translation>
    </message>
    <message>
        <source>bytes of the workspaces of grouped matrix products, four streams</source>
        <translation>分组矩阵乘工作区的字节数，四条流</translation>
    </message>
    <message>
        <source>bytes of random states, token ids, labels and padding</source>
        <translation>随机状态、词元 id、标签和填充的字节数</translation>
    </message>
    <message>
        <source>bytes of one communicator&apos;s buffers</source>
        <translation>一个通信器的缓冲区字节数</translation>
    </message>
    <message>
        <source>bytes of the device context</source>
        <translation>设备上下文的字节数</translation>
    </message>
    <message>
        <source>what the allocator holds and cannot use, over what is allocated</source>
        <translation>分配器持有却无法使用的量与已分配量之比</translation>
    </message>
    <message>
        <source>bytes allocated at the peak</source>
        <translation>峰值时已分配的字节数</translation>
    </message>
    <message>
        <source>parameters of one matrix of every distinct shape on this card</source>
        <translation>本卡每种不同形状各取一个矩阵的参数数</translation>
    </message>
    <message>
        <source>parameters of the largest weight, a card&apos;s experts counting as one</source>
        <translation>最大权重的参数数，一张卡的专家合计为一个</translation>
    </message>
    <message>
        <source>parameters of the largest layer on this card</source>
        <translation>本卡最大层的参数数</translation>
    </message>
    <message>
        <source>bytes of the stage&apos;s frozen weights that this card does not store itself</source>
        <translation>该阶段冻结权重中本卡自己不存放的字节数</translation>
    </message>
    <message>
        <source>values that a token leaves in one layer&apos;s cache on this card</source>
        <translation>一个词元在本卡一层的缓存中留下的值数</translation>
    </message>
    <message>
        <source>sequences that a replica serves at once</source>
        <translation>一个副本同时服务的序列数</translation>
    </message>
    <message>
        <source>layers of this stage whose attention has a window</source>
        <translation>该阶段中注意力带窗口的层数</translation>
    </message>
    <message>
        <source>tokens of the window</source>
        <translation>窗口的词元数</translation>
    </message>
    <message>
        <source>bytes of a cached value</source>
        <translation>一个缓存值的字节数</translation>
    </message>
    <message>
        <source>bytes that recomputation rebuilds at once</source>
        <translation>重计算一次重建的字节数</translation>
    </message>
    <message>
        <source>bytes that the forward pass of a block has saved when the block&apos;s first layers run</source>
        <translation>块的最前几层运行时，该块的前向传播已保存的字节数</translation>
    </message>
    <message>
        <source>bytes of this micro-batch&apos;s activations that are freed before the peak</source>
        <translation>峰值之前已释放的本微批次激活的字节数</translation>
    </message>
    <message>
        <source>bytes that a measured run allocated beyond the prediction, on every card; may be negative</source>
        <translation>一次实测运行在每张卡上超出预测的分配字节数；可以为负</translation>
    </message>
    <message>
        <source>layers of a model chunk</source>
        <translation>一个模型块的层数</translation>
    </message>
    <message>
        <source>layers on their way to or from host memory</source>
        <translation>正在往返主机内存的层数</translation>
    </message>
    <message>
        <source>bytes that the layers of a chunk keep per micro-batch, on average over chunks in flight</source>
        <translation>一个模型块的各层每个微批次保留的字节数，按在途模型块平均</translation>
    </message>
    <message>
        <source>bytes that the layers of the largest chunk keep per micro-batch</source>
        <translation>最大模型块的各层每个微批次保留的字节数</translation>
    </message>
    <message>
        <source>parameters of the model</source>
        <translation>模型的参数数</translation>
    </message>
    <message>
        <source>micro-batches in flight</source>
        <translation>在途微批次数</translation>
    </message>
    <message>
        <source>1 micro-batch</source>
        <translation>1 个微批次</translation>
    </message>
    <message>
        <source>{} micro-batches</source>
        <translation>{} 个微批次</translation>
    </message>
    <message>
        <source>{} tokens/s</source>
        <translation>{} 词元/秒</translation>
    </message>
    <message>
        <source>{} bytes</source>
        <translation>{} 字节</translation>
    </message>
    <message>
        <source>{} at the published extremes</source>
        <translation>按公开数据的极值{}</translation>
    </message>
    <message>
        <source>no change</source>
        <translation>不变</translation>
    </message>
    <message>
        <source>{} percentage points</source>
        <translation>{} 个百分点</translation>
    </message>
    <message>
        <source>+{}</source>
        <translation>+{}</translation>
    </message>
    <message>
        <source>{} bytes = {} = {}</source>
        <translation>{} 字节 = {} = {}</translation>
    </message>
    <message>
        <source>between {} and {}</source>
        <translation>在 {} 与 {} 之间</translation>
    </message>
    <message>
        <source>{} ({})</source>
        <translation>{}（{}）</translation>
    </message>
    <message>
        <source>{} = {}</source>
        <translation>{} = {}</translation>
    </message>
    <message>
        <source>{}, each {}</source>
        <translation>{}，每份 {}</translation>
    </message>
    <message>
        <source>total, {}</source>
        <translation>合计，{}</translation>
    </message>
    <message>
        <source>total</source>
        <translation>合计</translation>
    </message>
    <message>
        <source>Symbols</source>
        <translation>符号</translation>
    </message>
    <message>
        <source>If one input changed</source>
        <translation>若改变一个输入</translation>
    </message>
    <message>
        <source>Sources</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Left out</source>
        <translation>未计入</translation>
    </message>
    <message>
        <source>What</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>数量</translation>
    </message>
    <message>
        <source>Formula of one</source>
        <translation>单份公式</translation>
    </message>
    <message>
        <source>Numbers</source>
        <translation>代入数值</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>合计</translation>
    </message>
    <message>
        <source>virtual pipeline</source>
        <translation>虚拟流水线</translation>
    </message>
    <message>
        <source>sequence</source>
        <translation>序列并行</translation>
    </message>
    <message>
        <source>layers per stage</source>
        <translation>每阶段层数</translation>
    </message>
    <message>
        <source>micro batch size</source>
        <translation>微批大小</translation>
    </message>
    <message>
        <source>precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>kv cache precision</source>
        <translation>键值缓存精度</translation>
    </message>
    <message>
        <source>sharding</source>
        <translation>分片</translation>
    </message>
    <message>
        <source>schedule</source>
        <translation>调度</translation>
    </message>
    <message>
        <source>recompute</source>
        <translation>重计算</translation>
    </message>
    <message>
        <source>optimizer offload</source>
        <translation>优化器卸载</translation>
    </message>
    <message>
        <source>{} {} -&gt; {}</source>
        <translation>{} {} -&gt; {}</translation>
    </message>
    <message>
        <source>without sharding</source>
        <translation>（不分片）</translation>
    </message>
    <message>
        <source>with {} over {} rank</source>
        <translation>（{}，{} 个 rank）</translation>
    </message>
    <message>
        <source>with {} over {} ranks</source>
        <translation>（{}，{} 个 rank）</translation>
    </message>
    <message>
        <source>no model of this kind fits</source>
        <translation>这类模型没有放得下的</translation>
    </message>
    <message>
        <source>no sequence and no micro-batch fits</source>
        <translation>任何序列长度和微批大小都放不下</translation>
    </message>
    <message>
        <source>not one sequence for every replica fits</source>
        <translation>每个副本连一个序列都放不下</translation>
    </message>
    <message>
        <source>no number of replicas fits</source>
        <translation>任何副本数都放不下</translation>
    </message>
    <message>
        <source>no number of cards that was tried fits</source>
        <translation>尝试过的卡数都放不下</translation>
    </message>
    <message>
        <source>{}, or with {}</source>
        <translation>{}，或者 {}</translation>
    </message>
    <message>
        <source>At {} it would fit with {}.</source>
        <translation>在 {} 下，做以下改动即可放下：{}。</translation>
    </message>
    <message>
        <source>At {} no single change frees memory.</source>
        <translation>在 {} 下，没有单项改动能释放显存。</translation>
    </message>
    <message>
        <source>At {} no single change is enough: {} frees most, {} of the {} that are missing.</source>
        <translation>在 {} 下，单项改动都不够：释放最多的是 {}，释放 {}，而缺少 {}。</translation>
    </message>
    <message>
        <source>{} billion parameters</source>
        <translation>{}B 参数</translation>
    </message>
    <message>
        <source>1 token</source>
        <translation>1 个词元</translation>
    </message>
    <message>
        <source>{} tokens</source>
        <translation>{} 个词元</translation>
    </message>
    <message>
        <source>1 sequence</source>
        <translation>1 个序列</translation>
    </message>
    <message>
        <source>{} sequences</source>
        <translation>{} 条序列</translation>
    </message>
    <message>
        <source>1 card</source>
        <translation>1 张卡</translation>
    </message>
    <message>
        <source>{} cards</source>
        <translation>{} 张卡</translation>
    </message>
    <message>
        <source>{} layers of hidden size {}, {} heads, MLP {}</source>
        <translation>{} 层，隐藏维度 {}，{} 个头，MLP {}</translation>
    </message>
    <message>
        <source>1 node of {}</source>
        <translation>1 个节点（每节点 {} 张卡）</translation>
    </message>
    <message>
        <source>{} nodes of {}</source>
        <translation>{} 个节点（每节点 {} 张卡）</translation>
    </message>
    <message>
        <source>tensor {}, pipeline {}, context {}, data {} on {}</source>
        <translation>张量并行 {}，流水线并行 {}，上下文并行 {}，数据并行 {}，{}</translation>
    </message>
    <message>
        <source>Weights, gradients and optimizer states of stage {} are {} {}; the card has {}, of which communication and device context take {} and the allocator holds back {} for them: {}.</source>
        <translation>阶段 {} 的权重、梯度和优化器状态为 {}{}；显卡容量 {}，其中通信与设备上下文占 {}，分配器为其预留 {}：{}。</translation>
    </message>
    <message>
        <source>Even at {} stage {} needs {} of {}: weights, gradients and optimizer states {} {}, activations {}, temporary {}, communication and device context {}, held back {}.</source>
        <translation>即使在 {} 下，阶段 {} 也需要 {}，而容量为 {}：权重、梯度和优化器状态 {}{}，激活 {}，临时 {}，通信与设备上下文 {}，预留 {}。</translation>
    </message>
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
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation>集群</translation>
    </message>
    <message>
        <source>Parallelism</source>
        <translation>并行</translation>
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
        <source>{}: {} per token of training. {} ({})</source>
        <translation>{}：训练每词元 {}。{}（{}）</translation>
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
        <source>Step</source>
        <translation>单步</translation>
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
        <source>Model FLOPs utilisation</source>
        <translation>模型 FLOPs 利用率</translation>
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
        <source>fill</source>
        <translation>填充</translation>
    </message>
    <message>
        <source>waiting for activations</source>
        <translation>等待激活</translation>
    </message>
    <message>
        <source>waiting for gradients</source>
        <translation>等待梯度</translation>
    </message>
    <message>
        <source>waiting for receivers</source>
        <translation>等待接收方</translation>
    </message>
    <message>
        <source>transfers</source>
        <translation>传输</translation>
    </message>
    <message>
        <source>drain</source>
        <translation>排空</translation>
    </message>
    <message>
        <source>schedule {} never runs a forward pass together with a backward pass</source>
        <translation>调度 {} 从不同时运行前向与反向传播</translation>
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
        <source>micro-batches enter from both ends and meet between two ranks: {} ranks are not an even number</source>
        <translation>微批次从两端进入，在两个 rank 之间相遇：{} 个 rank 不是偶数</translation>
    </message>
    <message>
        <source>half of the micro-batches enter from each end: {} is not an even number</source>
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
        <source>it splits or pairs backward passes, and inference has none: use 1f1b, which runs the same forward passes</source>
        <translation>它拆分或配对反向，而推理没有反向：请用 1f1b，其前向传播相同</translation>
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
        <source>{} tokens per sequence, but the model supports {} positions</source>
        <translation>每条序列 {} 个词元，但模型只支持 {} 个位置</translation>
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
        <source>DeepSpeed&apos;s pipeline engine works with ZeRO stages 0 and 1 only</source>
        <translation>DeepSpeed 的流水线引擎只支持 ZeRO 0 与 1</translation>
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
        <source>inference runs forward passes only; schedule {} decides only their order</source>
        <translation>推理只运行前向传播；调度 {} 只决定其顺序</translation>
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
        <source>{} has no bf16 matrix units; use fp16</source>
        <translation>{} 没有 bf16 矩阵单元；请用 fp16</translation>
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
        <source>tensor {}, pipeline {}, context {}</source>
        <translation>张量并行 {}，流水线并行 {}，上下文并行 {}</translation>
    </message>
    <message>
        <source>the global batch of {} sequences</source>
        <translation>全局批大小 {} 条序列</translation>
    </message>
    <message>
        <source>{} stays, and so do model, micro-batch and degrees; in steps of {} tokens</source>
        <translation>{}不变，模型、微批次和并行度也不变；步长 {} 个词元</translation>
    </message>
    <message>
        <source>{} and data {} stay, {} per replica; the number of micro-batches follows, and only sizes that divide the sequences of a replica count</source>
        <translation>{}和数据并行 {} 不变，每副本 {} 个；微批次数随之改变，只计能整除每副本序列数的大小</translation>
    </message>
    <message>
        <source>{} sequences are all that a replica has</source>
        <translation>一个副本总共只有 {} 条序列</translation>
    </message>
    <message>
        <source>no larger divisor of {} keeps the rules</source>
        <translation>{} 没有更大的约数满足规则</translation>
    </message>
    <message>
        <source>{} tokens each, model and degrees stay; in steps of {}, one more micro-batch for every replica</source>
        <translation>每个 {} 个词元，模型和并行度不变；步长 {}，即每个副本多一个微批次</translation>
    </message>
    <message>
        <source>{}, {}, batch and sequence stay</source>
        <translation>{}，{}，批大小和序列不变</translation>
    </message>
    <message>
        <source>context {}, {} and micro-batches of {} stay; tensor within a node, pipeline and data are free</source>
        <translation>上下文并行 {}、{}和微批次 {} 不变；张量并行（节点内）、流水线并行和数据并行可变</translation>
    </message>
    <message>
        <source>{}, {} and micro-batches of {} stay; data follows, in whole nodes or within one</source>
        <translation>{}，{}和微批次 {} 不变；数据并行随之改变，取整节点或单节点内</translation>
    </message>
    <message>
        <source>no smaller number of cards was left to try</source>
        <translation>没有更少的卡数可试</translation>
    </message>
    <message>
        <source>one replica takes {}</source>
        <translation>一个副本需要 {} 张</translation>
    </message>
    <message>
        <source>no smaller number keeps the rules</source>
        <translation>更少的卡数都违反规则</translation>
    </message>
    <message>
        <source>more or fewer layers in steps of {}, the width stays: no family has experts or latent attention</source>
        <translation>层数按 {} 的步长增减，宽度不变：没有哪个系列带专家或潜在注意力</translation>
    </message>
    <message>
        <source>shapes of the {} family</source>
        <translation>{} 系列的形状</translation>
    </message>
    <message>
        <source>shapes of the {} family, the nearest: the model belongs to none</source>
        <translation>{} 系列的形状，即最接近的系列：该模型不属于任何系列</translation>
    </message>
    <message>
        <source>{}; layers in steps of {}</source>
        <translation>{}；层数步长 {}</translation>
    </message>
    <message>
        <source>{}, {}</source>
        <translation>{}、{}</translation>
    </message>
    <message>
        <source>{} {}</source>
        <translation>{} {}</translation>
    </message>
    <message>
        <source>any kind</source>
        <translation>任意类型</translation>
    </message>
    <message>
        <source>dense Ampere 16-bit</source>
        <translation>稠密 Ampere 16 位</translation>
    </message>
    <message>
        <source>dense Ampere 16-bit, 16k tokens and more</source>
        <translation>稠密 Ampere 16 位，16k 词元及以上</translation>
    </message>
    <message>
        <source>dense Ampere in any format</source>
        <translation>稠密 Ampere 任意格式</translation>
    </message>
    <message>
        <source>dense Ampere in any format, 16k tokens and more</source>
        <translation>稠密 Ampere 任意格式，16k 词元及以上</translation>
    </message>
    <message>
        <source>dense Blackwell 16-bit</source>
        <translation>稠密 Blackwell 16 位</translation>
    </message>
    <message>
        <source>dense Blackwell 16-bit, 16k tokens and more</source>
        <translation>稠密 Blackwell 16 位，16k 词元及以上</translation>
    </message>
    <message>
        <source>dense Blackwell fp4</source>
        <translation>稠密 Blackwell fp4</translation>
    </message>
    <message>
        <source>dense Blackwell fp8</source>
        <translation>稠密 Blackwell fp8</translation>
    </message>
    <message>
        <source>dense Blackwell in any format</source>
        <translation>稠密 Blackwell 任意格式</translation>
    </message>
    <message>
        <source>dense Blackwell in any format, 16k tokens and more</source>
        <translation>稠密 Blackwell 任意格式，16k 词元及以上</translation>
    </message>
    <message>
        <source>dense Hopper 16-bit</source>
        <translation>稠密 Hopper 16 位</translation>
    </message>
    <message>
        <source>dense Hopper 16-bit, 16k tokens and more</source>
        <translation>稠密 Hopper 16 位，16k 词元及以上</translation>
    </message>
    <message>
        <source>dense Hopper fp8</source>
        <translation>稠密 Hopper fp8</translation>
    </message>
    <message>
        <source>dense Hopper fp8, 16k tokens and more</source>
        <translation>稠密 Hopper fp8，16k 词元及以上</translation>
    </message>
    <message>
        <source>dense Hopper in any format</source>
        <translation>稠密 Hopper 任意格式</translation>
    </message>
    <message>
        <source>dense Hopper in any format, 16k tokens and more</source>
        <translation>稠密 Hopper 任意格式，16k 词元及以上</translation>
    </message>
    <message>
        <source>dense of any kind</source>
        <translation>任意类型的稠密模型</translation>
    </message>
    <message>
        <source>dense on any card</source>
        <translation>任意显卡上的稠密模型</translation>
    </message>
    <message>
        <source>dense on any card, 16k tokens and more</source>
        <translation>任意显卡上的稠密模型，16k 词元及以上</translation>
    </message>
    <message>
        <source>dense, calibrated with another run of the same model</source>
        <translation>稠密，用同一模型的另一次运行校准</translation>
    </message>
    <message>
        <source>experts Blackwell 16-bit</source>
        <translation>专家 Blackwell 16 位</translation>
    </message>
    <message>
        <source>experts Blackwell fp8</source>
        <translation>专家 Blackwell fp8</translation>
    </message>
    <message>
        <source>experts Blackwell in any format</source>
        <translation>专家 Blackwell 任意格式</translation>
    </message>
    <message>
        <source>experts Hopper in any format</source>
        <translation>专家 Hopper 任意格式</translation>
    </message>
    <message>
        <source>experts of any kind</source>
        <translation>任意类型的专家模型</translation>
    </message>
    <message>
        <source>experts on any card</source>
        <translation>任意显卡上的专家模型</translation>
    </message>
    <message>
        <source>experts, calibrated with another run of the same model</source>
        <translation>专家，用同一模型的另一次运行校准</translation>
    </message>
    <message>
        <source>launch-bound dense Ampere 16-bit</source>
        <translation>受启动限制的稠密 Ampere 16 位</translation>
    </message>
    <message>
        <source>launch-bound dense Ampere in any format</source>
        <translation>受启动限制的稠密 Ampere 任意格式</translation>
    </message>
    <message>
        <source>launch-bound dense on any card</source>
        <translation>任意显卡上受启动限制的稠密模型</translation>
    </message>
    <message>
        <source>Causal attention</source>
        <translation>因果注意力</translation>
    </message>
    <message>
        <source>Matrix products without the embedding, and attention as far as causality and windows let it see; what Megatron-LM has printed since March 2025, and Megatron-Bridge and torchtitan.</source>
        <translation>矩阵乘不含嵌入，注意力只计因果与窗口可见的部分；Megatron-LM 自 2025 年 3 月起、Megatron-Bridge 和 torchtitan 打印的口径。</translation>
    </message>
    <message>
        <source>Full attention</source>
        <translation>全注意力</translation>
    </message>
    <message>
        <source>The same with every query seeing the whole sequence, for GPT shapes 72 L h^2 (1 + s/6h + V/12hL); what Megatron-LM printed before March 2025, and NeMo&apos;s tables of 2024.</source>
        <translation>同上，但每个查询都看到整个序列，GPT 形状为 72 L h^2 (1 + s/6h + V/12hL)；Megatron-LM 在 2025 年 3 月之前以及 NeMo 2024 年表格的口径。</translation>
    </message>
    <message>
        <source>PaLM</source>
        <translation>PaLM</translation>
    </message>
    <message>
        <source>All parameters, the embedding among them, and full attention. It defines no hardware utilisation.</source>
        <translation>全部参数（含嵌入）加全注意力。它不定义硬件利用率。</translation>
    </message>
    <message>
        <source>llm-foundry</source>
        <translation>llm-foundry</translation>
    </message>
    <message>
        <source>All parameters and full attention over the hidden size; checkpointed activations count as a third more work.</source>
        <translation>全部参数，加按隐藏维度计的全注意力；设检查点的激活多计三分之一的计算。</translation>
    </message>
    <message>
        <source>Narayanan 2021</source>
        <translation>Narayanan 2021</translation>
    </message>
    <message>
        <source>Full attention and a second forward pass of all layers, whether the plan runs it or not, for GPT shapes 96 L h^2 (1 + s/6h + V/16hL): hardware FLOPs, whose share of the peak is no model utilisation.</source>
        <translation>全注意力，并计所有层的第二次前向传播（无论方案是否运行），GPT 形状为 96 L h^2 (1 + s/6h + V/16hL)：这是硬件 FLOPs，其占峰值的比例不是模型利用率。</translation>
    </message>
    <message>
        <source>{} B parameters, {} layers, hidden {}, {} experts</source>
        <translation>{} B 参数，{} 层，隐藏维度 {}，{} 个专家</translation>
    </message>
    <message>
        <source>{} B parameters, {} layers, hidden {}</source>
        <translation>{} B 参数，{} 层，隐藏维度 {}</translation>
    </message>
    <message>
        <source>{}, {} cards</source>
        <translation>{}，{} 张卡</translation>
    </message>
    <message>
        <source>which layers are recomputed is the model&apos;s own code; none are, in this plan</source>
        <translation>哪些层重计算由模型自己的代码决定；本方案中没有</translation>
    </message>
    <message>
        <source>plans have no field for this</source>
        <translation>方案中没有与之对应的字段</translation>
    </message>
    <message>
        <source>filled in when the trainer starts; the starting plan&apos;s value is kept</source>
        <translation>训练器启动时才填入；保留起始方案的值</translation>
    </message>
    <message>
        <source>plans do not support it; adam is used</source>
        <translation>方案不支持它；使用 adam</translation>
    </message>
    <message>
        <source>the estimate takes {} elements</source>
        <translation>估算按 {} 个元素计</translation>
    </message>
    <message>
        <source>read as host memory; plans offload to no other place</source>
        <translation>按主机内存读取；方案不能卸载到别处</translation>
    </message>
    <message>
        <source>the training script has it</source>
        <translation>由训练脚本给出</translation>
    </message>
    <message>
        <source>the deepspeed command has --num_nodes and --num_gpus</source>
        <translation>由 deepspeed 命令的 --num_nodes 和 --num_gpus 给出</translation>
    </message>
    <message>
        <source>PipelineModule takes num_stages in code</source>
        <translation>由代码中 PipelineModule 的 num_stages 给出</translation>
    </message>
    <message>
        <source>DeepSpeed has no virtual stages</source>
        <translation>DeepSpeed 没有虚拟阶段</translation>
    </message>
    <message>
        <source>PipelineModule takes partition_method in code</source>
        <translation>由代码中 PipelineModule 的 partition_method 给出</translation>
    </message>
    <message>
        <source>the MoE layer takes ep_size in code</source>
        <translation>由代码中 MoE 层的 ep_size 给出</translation>
    </message>
    <message>
        <source>the MoE layer takes it in code</source>
        <translation>由代码中的 MoE 层给出</translation>
    </message>
    <message>
        <source>DeepSpeed does not shard norms over tensor ranks</source>
        <translation>DeepSpeed 不在张量并行的各 rank 间切分归一化</translation>
    </message>
    <message>
        <source>the memory and time formulas of DeepSpeed do not apply to it</source>
        <translation>DeepSpeed 的显存和时间公式不适用于它</translation>
    </message>
    <message>
        <source>DeepSpeed runs 1f1b</source>
        <translation>DeepSpeed 运行 1f1b</translation>
    </message>
    <message>
        <source>the model&apos;s code says which layers are recomputed</source>
        <translation>哪些层重计算由模型代码决定</translation>
    </message>
    <message>
        <source>cpu_checkpointing offloads what checkpoints keep, in models that call it</source>
        <translation>cpu_checkpointing 卸载检查点所保留的内容，仅限调用它的模型</translation>
    </message>
    <message>
        <source>the model has it</source>
        <translation>由模型给出</translation>
    </message>
    <message>
        <source>the model&apos;s code has them</source>
        <translation>由模型代码给出</translation>
    </message>
    <message>
        <source>no whole number of micro-batches on {} replicas; DeepSpeed will refuse it</source>
        <translation>在 {} 个副本上微批次数不是整数；DeepSpeed 会拒绝</translation>
    </message>
    <message>
        <source>overlap_comm switches both overlaps together</source>
        <translation>overlap_comm 同时开关两种重叠</translation>
    </message>
    <message>
        <source>can only be all or none; written as all</source>
        <translation>只能全部或没有；写作全部</translation>
    </message>
    <message>
        <source>Ulysses exchanges all to all</source>
        <translation>Ulysses 以 all-to-all 交换</translation>
    </message>
    <message>
        <source>given more than once; the last one counts</source>
        <translation>给出多次；以最后一次为准</translation>
    </message>
    <message>
        <source>unknown model type; read as a model built like Llama</source>
        <translation>此处不认识；按 Llama 结构的模型读取</translation>
    </message>
    <message>
        <source>not given; the default of {} in the transformers library is used</source>
        <translation>未给出；使用 transformers 库中 {} 的默认值</translation>
    </message>
    <message>
        <source>the model has {} layers</source>
        <translation>模型有 {} 层</translation>
    </message>
    <message>
        <source>no regular pattern; read as full attention in one layer of {}</source>
        <translation>没有规律；按每 {} 层有一层全注意力处理</translation>
    </message>
    <message>
        <source>no regular pattern; read as windowed in one layer of {}</source>
        <translation>没有规律；按每 {} 层有一层受窗口限制处理</translation>
    </message>
    <message>
        <source>the plan&apos;s recipe has dropout of its own</source>
        <translation>方案的训练配置有自己的 dropout</translation>
    </message>
    <message>
        <source>the recipe says in which format weights are kept</source>
        <translation>权重以何种格式保存由训练配置决定</translation>
    </message>
    <message>
        <source>attention and MLP stand one after the other in a plan</source>
        <translation>方案中注意力与 MLP 先后排列</translation>
    </message>
    <message>
        <source>of the four norms in a layer, plans keep only those before attention and MLP</source>
        <translation>每层四个归一化中，方案只有注意力和 MLP 之前的两个</translation>
    </message>
    <message>
        <source>chunks are taken as a window of the same length</source>
        <translation>分块按同样长度的窗口处理</translation>
    </message>
    <message>
        <source>only the language model of several parts is planned</source>
        <translation>多个部分中只规划语言模型</translation>
    </message>
    <message>
        <source>{} {}: {}</source>
        <translation>{} {}：{}</translation>
    </message>
    <message>
        <source>Megatron-LM has a bias in every linear layer or, besides none, in that of queries, keys and values alone</source>
        <translation>Megatron-LM 要么每个线性层都有偏置，要么都没有，要么只有查询、键和值的投影有</translation>
    </message>
    <message>
        <source>the output projection has a bias if the MLP has one</source>
        <translation>MLP 有偏置时，输出投影也有</translation>
    </message>
    <message>
        <source>Megatron-LM does not support it; written as rope, which has no parameters either</source>
        <translation>Megatron-LM 不支持它；写作 rope，它同样没有参数</translation>
    </message>
    <message>
        <source>Megatron-LM requires a value; the sequence length is written</source>
        <translation>Megatron-LM 必须有一个数；写入序列长度</translation>
    </message>
    <message>
        <source>written as windowed in every layer</source>
        <translation>写作每一层都带窗口</translation>
    </message>
    <message>
        <source>only their total width is written</source>
        <translation>只写出它们的总宽度</translation>
    </message>
    <message>
        <source>comes from the router at run time</source>
        <translation>由路由器在运行时决定</translation>
    </message>
    <message>
        <source>Megatron-LM&apos;s own scripts train all weights</source>
        <translation>Megatron-LM 自带的脚本训练全部权重</translation>
    </message>
    <message>
        <source>rounded up to whole sequences</source>
        <translation>向上取整到整条序列</translation>
    </message>
    <message>
        <source>Megatron-LM switches it off without tensor ranks</source>
        <translation>没有张量并行时 Megatron-LM 会关闭它</translation>
    </message>
    <message>
        <source>Megatron-LM takes all cards that the other degrees leave</source>
        <translation>Megatron-LM 使用其他并行度剩下的所有显卡</translation>
    </message>
    <message>
        <source>not one entry per rank or virtual stage, or too long for a layout</source>
        <translation>不是每个 rank 或每个虚拟阶段一项，或者对 layout 来说太长</translation>
    </message>
    <message>
        <source>Megatron-LM runs 1f1b, and interleaved-1f1b with virtual stages</source>
        <translation>Megatron-LM 运行 1f1b；有虚拟阶段时运行 interleaved-1f1b</translation>
    </message>
    <message>
        <source>Megatron-LM overlaps transfers of virtual stages, and no others</source>
        <translation>Megatron-LM 只重叠虚拟阶段的传输</translation>
    </message>
    <message>
        <source>Megatron-LM keeps parameters on the cards</source>
        <translation>Megatron-LM 把参数留在显卡上</translation>
    </message>
    <message>
        <source>Megatron-LM&apos;s own kernels have unfused or flash attention</source>
        <translation>Megatron-LM 自己的内核只有未融合注意力或 FlashAttention</translation>
    </message>
    <message>
        <source>there is nothing to fuse without a bias or a gate</source>
        <translation>没有偏置也没有门控时无可融合</translation>
    </message>
    <message>
        <source>the memory and time formulas of Megatron-Core do not apply to it</source>
        <translation>Megatron-Core 的显存和时间公式不适用于它</translation>
    </message>
    <message>
        <source>Megatron-LM&apos;s own scripts have no adapters</source>
        <translation>Megatron-LM 自带的脚本没有适配器</translation>
    </message>
    <message>
        <source>training keeps no cache</source>
        <translation>训练不保留缓存</translation>
    </message>
    <message>
        <source>read as p2p; plans do not support hierarchical a2a+p2p</source>
        <translation>按 p2p 读取；方案不支持分层的 a2a+p2p</translation>
    </message>
    <message>
        <source>plans have one kind for all layers; the first is used</source>
        <translation>方案中所有层只有一种；使用第一种</translation>
    </message>
    <message>
        <source>not a number; the cluster&apos;s own is kept</source>
        <translation>不是数字；保留集群自己的值</translation>
    </message>
    <message>
        <source>neither --nnodes nor --nproc-per-node is given; the cluster&apos;s own number is used</source>
        <translation>未给出 --nnodes 和 --nproc-per-node；采用集群自己的数量</translation>
    </message>
    <message>
        <source>plans describe the steps after the batch size ramp-up</source>
        <translation>方案描述的是批大小爬升之后的步</translation>
    </message>
    <message>
        <source>Megatron-LM refuses it together with --bf16; bf16 is used</source>
        <translation>Megatron-LM 不接受它与 --bf16 同时出现；使用 bf16</translation>
    </message>
    <message>
        <source>plans support fp8 with one scale per tensor, and mxfp8; read as fp8</source>
        <translation>方案支持每张量一个缩放因子的 fp8 和 mxfp8；按 fp8 读取</translation>
    </message>
    <message>
        <source>plans store everything that is not in a narrower format as bf16</source>
        <translation>方案把不用更窄格式的部分一律按 bf16 存放</translation>
    </message>
    <message>
        <source>not given; same format as the weights (default since core 0.17)</source>
        <translation>未给出；与权重格式相同（自 core 0.17 起的默认值）</translation>
    </message>
    <message>
        <source>plans do not support it; transformer_engine is used</source>
        <translation>方案不支持它；使用 transformer_engine</translation>
    </message>
    <message>
        <source>left to TransformerEngine; {} is assumed</source>
        <translation>由 TransformerEngine 选择；假定为 {}</translation>
    </message>
    <message>
        <source>expected sizes and numbers that come to whole MiB, such as :4096:8</source>
        <translation>应为合计为整数 MiB 的大小和个数，例如 :4096:8</translation>
    </message>
    <message>
        <source>plans keep the layers of multi-token prediction on the stage of the loss</source>
        <translation>方案把多词元预测的层放在损失所在的阶段</translation>
    </message>
    <message>
        <source>plans do not support recomputing this module; its activations are kept</source>
        <translation>方案不支持重计算这个模块；保留其激活</translation>
    </message>
    <message>
        <source>no --num-layers, --hidden-size and --num-attention-heads: the starting plan&apos;s model is used</source>
        <translation>没有 --num-layers、--hidden-size 和 --num-attention-heads：使用起始方案的模型</translation>
    </message>
    <message>
        <source>without --group-query-attention every head has keys of its own</source>
        <translation>没有 --group-query-attention 时每个头都有自己的键</translation>
    </message>
    <message>
        <source>taken as rope, which has no parameters either</source>
        <translation>按 rope 处理，它同样没有参数</translation>
    </message>
    <message>
        <source>read as learned_absolute; plans do not support relative positions</source>
        <translation>按 learned_absolute 读取；方案不支持相对位置</translation>
    </message>
    <message>
        <source>plans limit attention to previous tokens only</source>
        <translation>方案只限制对前面词元的注意力</translation>
    </message>
    <message>
        <source>no regular pattern; about as many layers are limited</source>
        <translation>没有规律；按大致同样多的受限层处理</translation>
    </message>
    <message>
        <source>plans assume that tokens are padded to the capacity as well</source>
        <translation>方案还假定词元被填充到容量</translation>
    </message>
    <message>
        <source>no option gives the tokenizer&apos;s size; the starting plan&apos;s vocabulary is used</source>
        <translation>没有选项给出分词器的词表大小；使用起始方案的词表</translation>
    </message>
    <message>
        <source>a plan pads to 128 per tensor rank</source>
        <translation>方案按每个张量并行 rank 填充到 128 的倍数</translation>
    </message>
    <message>
        <source>plans do not support it; 1F1B is used</source>
        <translation>方案不支持它；使用 1F1B</translation>
    </message>
    <message>
        <source>it keeps every second matrix product; read as recomputing norms and MLP</source>
        <translation>它每隔一个矩阵乘保留一个；按重计算归一化和 MLP 读取</translation>
    </message>
    <message>
        <source>plans do not support it; nothing is recomputed</source>
        <translation>方案不支持它；不做重计算</translation>
    </message>
    <message>
        <source>PyTorch&apos;s own run, eager</source>
        <translation>运行的是 PyTorch 自己的内核，即时执行</translation>
    </message>
    <message>
        <source>torchtitan does not have this model; add name and flavor by hand</source>
        <translation>torchtitan 没有这个模型；请手动填写 name 和 flavor</translation>
    </message>
    <message>
        <source>rounded up to whole steps</source>
        <translation>向上取整到整步</translation>
    </message>
    <message>
        <source>torchtitan reduces in fp32</source>
        <translation>torchtitan 以 fp32 规约</translation>
    </message>
    <message>
        <source>can only be all or none, weights and optimizer alike; written as all</source>
        <translation>只能全部或没有，权重与优化器一同；写作全部</translation>
    </message>
    <message>
        <source>torchtitan keeps activations on the cards</source>
        <translation>torchtitan 把激活留在显卡上</translation>
    </message>
    <message>
        <source>the file starts a pre-training</source>
        <translation>该文件启动的是预训练</translation>
    </message>
    <message>
        <source>FSDP shards gradients, too</source>
        <translation>FSDP 也切分梯度</translation>
    </message>
    <message>
        <source>no divisor of {} replicas</source>
        <translation>不是 {} 个副本的约数</translation>
    </message>
    <message>
        <source>torchtitan shards norms whenever there are tensor ranks</source>
        <translation>只要有张量并行，torchtitan 就切分归一化</translation>
    </message>
    <message>
        <source>torchtitan does not support this schedule; none is written, so 1F1B runs</source>
        <translation>torchtitan 不支持这种调度；不写调度，因此运行 1F1B</translation>
    </message>
    <message>
        <source>no number of layers per stage results in this many stages</source>
        <translation>没有哪个每阶段层数能得到这么多阶段</translation>
    </message>
    <message>
        <source>torchtitan chooses by operator, not by module</source>
        <translation>torchtitan 按算子而不是按模块选择</translation>
    </message>
    <message>
        <source>written as every layer on its own</source>
        <translation>写作每层单独重计算</translation>
    </message>
    <message>
        <source>torchrun has --nnodes and --nproc-per-node</source>
        <translation>由 torchrun 的 --nnodes 和 --nproc-per-node 给出</translation>
    </message>
    <message>
        <source>the memory and time formulas of FSDP do not apply to it</source>
        <translation>FSDP 的显存和时间公式不适用于它</translation>
    </message>
    <message>
        <source>torchtitan has none</source>
        <translation>torchtitan 没有</translation>
    </message>
    <message>
        <source>torchtitan&apos;s models have none</source>
        <translation>torchtitan 的模型没有</translation>
    </message>
    <message>
        <source>PyTorch chooses the kernel</source>
        <translation>由 PyTorch 选择内核</translation>
    </message>
    <message>
        <source>PyTorch&apos;s cross entropy is unfused, or compiled</source>
        <translation>PyTorch 的交叉熵是未融合的，或经过编译</translation>
    </message>
    <message>
        <source>the launcher sets it to {}</source>
        <translation>启动器会使其成为 {}</translation>
    </message>
    <message>
        <source>the model&apos;s code has it</source>
        <translation>由模型代码给出</translation>
    </message>
    <message>
        <source>{} per card x {} steps x {} replicas do not equal train_batch_size; DeepSpeed would refuse it on these cards</source>
        <translation>每卡 {} x {} 步 x {} 个副本不等于 train_batch_size；DeepSpeed 在这些显卡上会拒绝</translation>
    </message>
    <message>
        <source>options missing in the command have this configuration&apos;s values of August 2026</source>
        <translation>命令中没有的选项采用该配置 2026 年 8 月的值</translation>
    </message>
    <message>
        <source>unknown configuration; options missing in the command have torchtitan&apos;s defaults</source>
        <translation>未知的配置；命令中没有的选项采用 torchtitan 的默认值</translation>
    </message>
    <message>
        <source>the plan breaks a rule that prevents its estimate</source>
        <translation>方案违反了一条规则，因此无法估算</translation>
    </message>
    <message>
        <source>there is no such figure; the nearest are {}</source>
        <translation>没有这样的数值；最接近的是 {}</translation>
    </message>
    <message>
        <source>character {}</source>
        <translation>第 {} 个字符</translation>
    </message>
    <message>
        <source>expected the formula&apos;s end</source>
        <translation>应为公式结尾</translation>
    </message>
    <message>
        <source>the end</source>
        <translation>结尾</translation>
    </message>
    <message>
        <source>{}, found {}</source>
        <translation>{}，实为 {}</translation>
    </message>
    <message>
        <source>expected a number, a symbol or &apos;(&apos;</source>
        <translation>应为数、符号或“(”</translation>
    </message>
    <message>
        <source>expected &apos;)&apos;</source>
        <translation>应为“)”</translation>
    </message>
    <message>
        <source>expected a number</source>
        <translation>应为数</translation>
    </message>
    <message>
        <source>expected &apos;(&apos; after min</source>
        <translation>min 之后应为“(”</translation>
    </message>
    <message>
        <source>expected &apos;,&apos;</source>
        <translation>应为“,”</translation>
    </message>
    <message>
        <source>no value for the symbol {}</source>
        <translation>符号 {} 没有值</translation>
    </message>
    <message>
        <source>division by zero</source>
        <translation>除以零</translation>
    </message>
    <message>
        <source>no such file or directory</source>
        <translation>没有这个文件或目录</translation>
    </message>
    <message>
        <source>it is a directory</source>
        <translation>这是一个目录</translation>
    </message>
    <message>
        <source>a part of the path is not a directory</source>
        <translation>路径中有一部分不是目录</translation>
    </message>
    <message>
        <source>no permission</source>
        <translation>没有权限</translation>
    </message>
    <message>
        <source>the file system is read-only</source>
        <translation>文件系统是只读的</translation>
    </message>
    <message>
        <source>no space left</source>
        <translation>没有剩余空间</translation>
    </message>
    <message>
        <source>the disk quota is used up</source>
        <translation>磁盘配额已用完</translation>
    </message>
    <message>
        <source>the file system does not take a file of that size</source>
        <translation>文件系统容不下这么大的文件</translation>
    </message>
    <message>
        <source>too many symbolic links</source>
        <translation>符号链接太多</translation>
    </message>
    <message>
        <source>cannot be read: {}</source>
        <translation>无法读取：{}</translation>
    </message>
    <message>
        <source>cannot be written: {}</source>
        <translation>无法写入：{}</translation>
    </message>
    <message>
        <source>is larger than {} bytes</source>
        <translation>大于 {} 字节</translation>
    </message>
    <message>
        <source>line {}, column {}</source>
        <translation>第 {} 行第 {} 列</translation>
    </message>
    <message>
        <source>this key appears twice in the same object</source>
        <translation>这个键在同一对象中出现了两次</translation>
    </message>
    <message>
        <source>the number {} at {} is out of range</source>
        <translation>{1}的数 {0} 超出范围</translation>
    </message>
    <message>
        <source>nested more than {} levels deep</source>
        <translation>嵌套超过 {} 层</translation>
    </message>
    <message>
        <source>an object</source>
        <translation>一个对象</translation>
    </message>
    <message>
        <source>a list</source>
        <translation>一个列表</translation>
    </message>
    <message>
        <source>0 or 1</source>
        <translation>0 或 1</translation>
    </message>
    <message>
        <source>a whole number of at least {}</source>
        <translation>不小于 {} 的整数</translation>
    </message>
    <message>
        <source>a number above {}</source>
        <translation>大于 {} 的数</translation>
    </message>
    <message>
        <source>a number of at least {}</source>
        <translation>不小于 {} 的数</translation>
    </message>
    <message>
        <source>a number from {} to {}</source>
        <translation>{} 到 {} 之间的数</translation>
    </message>
    <message>
        <source>the text is empty; a JSON object is expected</source>
        <translation>内容为空；应为 JSON 对象</translation>
    </message>
    <message>
        <source>expected a JSON object, found {}</source>
        <translation>应为 JSON 对象，实为 {}</translation>
    </message>
    <message>
        <source>true or false</source>
        <translation>true 或 false</translation>
    </message>
    <message>
        <source>text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>a whole number of at most {}</source>
        <translation>不大于 {} 的整数</translation>
    </message>
    <message>
        <source>missing, and {} follows from the other keys; at most {} can be planned</source>
        <translation>缺失，由其他键得出的是 {}；至多能规划 {}</translation>
    </message>
    <message>
        <source>missing; {}</source>
        <translation>缺失；{}</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>空</translation>
    </message>
    <message>
        <source>expected {}, found {}</source>
        <translation>应为{}，实为 {}</translation>
    </message>
    <message>
        <source>version {} was written by a newer Cardfit; this one reads up to version {}</source>
        <translation>版本 {} 由更新的 Cardfit 写出；当前程序最高读取版本 {}</translation>
    </message>
    <message>
        <source>there is no {} &quot;{}&quot;</source>
        <translation>没有名为“{1}”的{0}</translation>
    </message>
    <message>
        <source>{} or {}</source>
        <translation>{} 或 {}</translation>
    </message>
    <message>
        <source>{}; did you mean {}?</source>
        <translation>{}；是指 {} 吗？</translation>
    </message>
    <message>
        <source>one of {}</source>
        <translation>以下之一：{}</translation>
    </message>
    <message>
        <source>expected a script whose variables come to less than a million characters, found more</source>
        <translation>脚本变量的总长应不到一百万个字符，实际更长</translation>
    </message>
    <message>
        <source>expected a command with options such as --num-layers 32, found none</source>
        <translation>应有带 --num-layers 32 这类选项的命令，但没有找到</translation>
    </message>
    <message>
        <source>expected a batch of at most 2^40 samples, found more</source>
        <translation>应为不超过 2^40 个样本的批次，实际更多</translation>
    </message>
    <message>
        <source>one word</source>
        <translation>一个词</translation>
    </message>
    <message>
        <source>line {}, {}</source>
        <translation>第 {} 行，{}</translation>
    </message>
    <message>
        <source>a model needs it</source>
        <translation>模型需要它</translation>
    </message>
    <message>
        <source>{}: a plan&apos;s embeddings are as wide as its layers</source>
        <translation>{}：方案的嵌入与各层同宽</translation>
    </message>
    <message>
        <source>a list of words</source>
        <translation>单词列表</translation>
    </message>
    <message>
        <source>expected layers with attention, found &quot;{}&quot;, which a plan cannot describe</source>
        <translation>应为带注意力的层，实际为“{}”，方案无法描述</translation>
    </message>
    <message>
        <source>a router needs it</source>
        <translation>路由器需要它</translation>
    </message>
    <message>
        <source>false: a plan has no cross-attention</source>
        <translation>false：方案没有交叉注意力</translation>
    </message>
    <message>
        <source>expected a Hugging Face config.json of a language model</source>
        <translation>应为语言模型的 Hugging Face config.json</translation>
    </message>
    <message>
        <source>{} cannot be planned: {}</source>
        <translation>{} 无法规划：{}</translation>
    </message>
    <message>
        <source>it has no attention, and plans describe only layers with attention</source>
        <translation>它没有注意力，而方案的每一层都要有注意力</translation>
    </message>
    <message>
        <source>some of its layers have something else than attention, which a plan cannot describe</source>
        <translation>它有些层用的不是注意力，方案无法描述</translation>
    </message>
    <message>
        <source>it has an encoder and a decoder; a plan describes decoders only</source>
        <translation>它有编码器和解码器；方案只描述解码器</translation>
    </message>
    <message>
        <source>it is an encoder; a plan describes decoders only</source>
        <translation>它是编码器；方案只描述解码器</translation>
    </message>
    <message>
        <source>its layers have embeddings of their own, which a plan cannot describe</source>
        <translation>它的各层有各自的嵌入，方案无法描述</translation>
    </message>
    <message>
        <source>some of its layers attend to an image, which a plan cannot describe</source>
        <translation>它有些层关注图像，方案无法描述</translation>
    </message>
    <message>
        <source>expected a training task; inference has other launchers</source>
        <translation>应为训练任务；推理另有启动器</translation>
    </message>
    <message>
        <source>files of {} can only be read</source>
        <translation>{} 的文件只能读取</translation>
    </message>
    <message>
        <source>layers with experts are written as a list of at most 4096 layers</source>
        <translation>带专家的层写成列表，至多 4096 层</translation>
    </message>
    <message>
        <source>no whole number of layers</source>
        <translation>不是整数层</translation>
    </message>
    <message>
        <source>the file is refused when it is read again: {}</source>
        <translation>再次读取该文件会被拒绝：{}</translation>
    </message>
    <message>
        <source>expected a list of words, found {}</source>
        <translation>应为单词列表，实际为 {}</translation>
    </message>
    <message>
        <source>expected sections such as MODEL_ARGS:, found {}</source>
        <translation>应为 MODEL_ARGS: 之类的段，实际为 {}</translation>
    </message>
    <message>
        <source>expected YAML: {}</source>
        <translation>应为 YAML：{}</translation>
    </message>
    <message>
        <source>expected a key of at most {} parts, found more</source>
        <translation>应为至多 {} 段的键，实际更多</translation>
    </message>
    <message>
        <source>Megatron-LM</source>
        <translation>Megatron-LM</translation>
    </message>
    <message>
        <source>a script or test case of Megatron-LM</source>
        <translation>Megatron-LM 的脚本或测试用例</translation>
    </message>
    <message>
        <source>Megatron-LM script</source>
        <translation>Megatron-LM 脚本</translation>
    </message>
    <message>
        <source>DeepSpeed</source>
        <translation>DeepSpeed</translation>
    </message>
    <message>
        <source>a DeepSpeed configuration</source>
        <translation>DeepSpeed 配置</translation>
    </message>
    <message>
        <source>DeepSpeed configuration</source>
        <translation>DeepSpeed 配置</translation>
    </message>
    <message>
        <source>torchtitan</source>
        <translation>torchtitan</translation>
    </message>
    <message>
        <source>torchtitan job</source>
        <translation>torchtitan 作业</translation>
    </message>
    <message>
        <source>Hugging Face</source>
        <translation>Hugging Face</translation>
    </message>
    <message>
        <source>a Hugging Face config.json</source>
        <translation>Hugging Face config.json</translation>
    </message>
    <message>
        <source>p2p, a2a, all_gather or a2a+p2p</source>
        <translation>p2p、a2a、all_gather 或 a2a+p2p</translation>
    </message>
    <message>
        <source>Megatron-LM has no default for it</source>
        <translation>Megatron-LM 没有它的默认值</translation>
    </message>
    <message>
        <source>a batch of at most 2^40 samples</source>
        <translation>不超过 2^40 个样本的批次</translation>
    </message>
    <message>
        <source>a divisor of the {} layers of a rank</source>
        <translation>一个 rank 的 {} 层的约数</translation>
    </message>
    <message>
        <source>a number that leaves the other {} ranks equal shares</source>
        <translation>使其余 {} 个 rank 均分的数</translation>
    </message>
    <message>
        <source>{} layers (including embedding and loss) to be divisible by {}</source>
        <translation>{} 层（计入嵌入和损失）能被 {} 整除</translation>
    </message>
    <message>
        <source>stages such as Et*3|(tt|)*29,m|L</source>
        <translation>形如 Et*3|(tt|)*29,m|L 的阶段</translation>
    </message>
    <message>
        <source>a number of stages divisible by {} ranks</source>
        <translation>能被 {} 个 rank 整除的阶段数</translation>
    </message>
    <message>
        <source>a model whose layers are all alike</source>
        <translation>各层都相同的模型</translation>
    </message>
    <message>
        <source>a decoder without an encoder</source>
        <translation>没有编码器的解码器</translation>
    </message>
    <message>
        <source>two numbers, such as 127,0</source>
        <translation>两个数，例如 127,0</translation>
    </message>
    <message>
        <source>a number or a list such as ([1]*5+[0]*1)*4</source>
        <translation>一个数，或形如 ([1]*5+[0]*1)*4 的列表</translation>
    </message>
    <message>
        <source>a number or a list such as ([0]*3+[1]*58)</source>
        <translation>一个数，或形如 ([0]*3+[1]*58) 的列表</translation>
    </message>
    <message>
        <source>the size of the vocabulary is not known without it</source>
        <translation>没有它就不知道词表大小</translation>
    </message>
    <message>
        <source>a list that begins with &quot;(&quot; has no &quot;)&quot;</source>
        <translation>以“(”开头的列表没有“)”</translation>
    </message>
    <message>
        <source>line {}</source>
        <translation>第 {} 行</translation>
    </message>
    <message>
        <source>a quotation that begins with {} does not end</source>
        <translation>以 {} 开头的引用没有结束</translation>
    </message>
    <message>
        <source>&quot;${}&quot; is not closed</source>
        <translation>“${}”没有闭合</translation>
    </message>
    <message>
        <source>a command in backquotes does not end</source>
        <translation>反引号中的命令没有结束</translation>
    </message>
    <message>
        <source>expected &quot;{}: value&quot;, found {}</source>
        <translation>应为“{}: 值”，实为 {}</translation>
    </message>
    <message>
        <source>expected the name of a section above, such as *OTHER, found {}</source>
        <translation>应为上文某一节的名称，例如 *OTHER，实际为 {}</translation>
    </message>
    <message>
        <source>expected fewer options, found more than {}</source>
        <translation>应为更少的选项，实际多于 {} 个</translation>
    </message>
    <message>
        <source>expected flags such as &quot;--num-layers: 32&quot; below MODEL_ARGS:, found none</source>
        <translation>MODEL_ARGS: 之下应有“--num-layers: 32”这类选项，但没有找到</translation>
    </message>
    <message>
        <source>a whole number</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>a text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>a list of texts</source>
        <translation>文本列表</translation>
    </message>
    <message>
        <source>at most 2^40 replicas</source>
        <translation>不超过 2^40 个副本</translation>
    </message>
    <message>
        <source>a number that makes the {} stages divisible by {} ranks</source>
        <translation>使 {} 个阶段能被 {} 个 rank 整除的数</translation>
    </message>
    <message>
        <source>a multiple of the {} tokens of a sequence</source>
        <translation>一条序列 {} 个词元的倍数</translation>
    </message>
    <message>
        <source>op or a number of layers</source>
        <translation>op 或层数</translation>
    </message>
    <message>
        <source>expected TOML: {}</source>
        <translation>应为 TOML：{}</translation>
    </message>
    <message>
        <source>column {}</source>
        <translation>第 {} 列</translation>
    </message>
    <message>
        <source>more than {} letters and bars</source>
        <translation>字母和竖线多于 {} 个</translation>
    </message>
    <message>
        <source>a group in a group; Megatron-LM knows none</source>
        <translation>组中还有组；Megatron-LM 不支持</translation>
    </message>
    <message>
        <source>a group that is not closed</source>
        <translation>组没有闭合</translation>
    </message>
    <message>
        <source>an empty group</source>
        <translation>空的组</translation>
    </message>
    <message>
        <source>expected * and a number behind a group, such as (tt|)*3</source>
        <translation>组之后应为 * 和一个数，例如 (tt|)*3</translation>
    </message>
    <message>
        <source>expected E, t, m, L or |, found “{}”</source>
        <translation>应为 E、t、m、L 或 |，实为“{}”</translation>
    </message>
    <message>
        <source>expected a number behind *</source>
        <translation>* 之后应为一个数</translation>
    </message>
    <message>
        <source>a repetition of a repetition; Megatron-LM knows none</source>
        <translation>重复之上又有重复；Megatron-LM 不支持</translation>
    </message>
    <message>
        <source>the schedule runs its stages back and forth, which a Megatron-LM layout cannot express</source>
        <translation>该调度来回经过各阶段，Megatron-LM 的布局无法表达</translation>
    </message>
    <message>
        <source>the embedding E may only be the first of all</source>
        <translation>嵌入 E 只能在最前</translation>
    </message>
    <message>
        <source>the loss L may only be the last of all</source>
        <translation>损失 L 只能在最后</translation>
    </message>
    <message>
        <source>layers t cannot follow prediction layers m</source>
        <translation>层 t 不能在预测层 m 之后</translation>
    </message>
    <message>
        <source>expected the embedding E first of all</source>
        <translation>最前应为嵌入 E</translation>
    </message>
    <message>
        <source>expected the loss L last of all</source>
        <translation>最后应为损失 L</translation>
    </message>
    <message>
        <source>the layout has {} stages, expected a multiple of pipeline {}</source>
        <translation>布局有 {} 个阶段，应为流水线并行度 {} 的倍数</translation>
    </message>
    <message>
        <source>the layout has {} layers t, the model {}</source>
        <translation>布局有 {} 个层 t，模型有 {} 个</translation>
    </message>
    <message>
        <source>the layout has {} prediction layers m, the model {}</source>
        <translation>布局有 {} 个预测层 m，模型有 {} 个</translation>
    </message>
    <message>
        <source>the layout has prediction layers m before its last stage; plans keep them on the stage of the loss L</source>
        <translation>布局的预测层 m 在最后一个阶段之前；方案把它们放在损失 L 所在的阶段</translation>
    </message>
    <message>
        <source>a broken rule leaves the layers of the stages unknown</source>
        <translation>有规则被违反，各阶段的层数无从得知</translation>
    </message>
    <message>
        <source>this key is not known here</source>
        <translation>这里没有这个键</translation>
    </message>
    <message>
        <source>one of high, medium, low</source>
        <translation>high、medium、low 之一</translation>
    </message>
    <message>
        <source>a run is compared by its plan</source>
        <translation>运行按其方案来比较</translation>
    </message>
    <message>
        <source>every case needs it</source>
        <translation>每个用例都需要它</translation>
    </message>
    <message>
        <source>a measured peak needs it</source>
        <translation>实测峰值需要它</translation>
    </message>
    <message>
        <source>a measured throughput needs it</source>
        <translation>实测吞吐量需要它</translation>
    </message>
    <message>
        <source>a group&apos;s name needs it</source>
        <translation>组名需要它</translation>
    </message>
    <message>
        <source>a file of measurements lists them</source>
        <translation>实测文件应列出它们</translation>
    </message>
    <message>
        <source>another case is called &quot;{}&quot;</source>
        <translation>另有一个用例名为“{}”</translation>
    </message>
    <message>
        <source>at least one case</source>
        <translation>至少一个用例</translation>
    </message>
    <message>
        <source>something longer</source>
        <translation>更长的内容</translation>
    </message>
    <message>
        <source>expected one step, so each operation once; found {} of micro-batch {} in chunk {} again</source>
        <translation>应只有一步，即每个操作一次；又出现了模型块 {2} 中微批次 {1} 的 {0}</translation>
    </message>
    <message>
        <source>expected operations of a rank one after the other, found one from {} s to {} s after one that ends at {} s</source>
        <translation>一个 rank 的操作应先后进行；却有一个从 {} s 到 {} s，而它之前的一个在 {} s 才结束</translation>
    </message>
    <message>
        <source>expected forward and backward passes, found none</source>
        <translation>应有前向和反向传播，但没有找到</translation>
    </message>
    <message>
        <source>a list of milliseconds</source>
        <translation>毫秒数的列表</translation>
    </message>
    <message>
        <source>milliseconds since the iteration began</source>
        <translation>自该次迭代开始以来的毫秒数</translation>
    </message>
    <message>
        <source>expected as many ends as starts, which are {}, found {}</source>
        <translation>结束应与开始一样多，即 {} 个，实为 {} 个</translation>
    </message>
    <message>
        <source>a list of whole numbers</source>
        <translation>整数列表</translation>
    </message>
    <message>
        <source>a whole number from 0 to {}</source>
        <translation>0 到 {} 之间的整数</translation>
    </message>
    <message>
        <source>expected one number per pass, which are {}, found {}</source>
        <translation>每次传播应有一个数，共 {} 个，实为 {} 个</translation>
    </message>
    <message>
        <source>expected config.json beside the files, or lists that say micro-batch and chunk of every pass</source>
        <translation>文件旁应有 config.json，或有列表说明每次传播的微批次和模型块</translation>
    </message>
    <message>
        <source>expected whole groups of {} micro-batches in {} chunks, found {} passes</source>
        <translation>应为整组：{} 个微批次、{} 个模型块，实为 {} 次传播</translation>
    </message>
    <message>
        <source>expected one trace, or the files pp_rank_0.json, pp_rank_1.json, … of one run</source>
        <translation>应为一个跟踪文件，或同一次运行的 pp_rank_0.json、pp_rank_1.json……</translation>
    </message>
    <message>
        <source>expected pp_rank_{}.json as well: the ranks of a run count from 0</source>
        <translation>还应有 pp_rank_{}.json：一次运行的 rank 从 0 数起</translation>
    </message>
    <message>
        <source>the number of chunks per rank, 1 or more</source>
        <translation>每个 rank 的模型块数，1 或更多</translation>
    </message>
    <message>
        <source>expected the number of an iteration as the key</source>
        <translation>键应为迭代的编号</translation>
    </message>
    <message>
        <source>iteration {}</source>
        <translation>迭代 {}</translation>
    </message>
    <message>
        <source>an iteration</source>
        <translation>一次迭代</translation>
    </message>
    <message>
        <source>expected {} in the files of all ranks; they have none in common</source>
        <translation>所有 rank 的文件中都应有{}；它们没有共同的迭代</translation>
    </message>
    <message>
        <source>expected {} in the files of all ranks; they have {}</source>
        <translation>所有 rank 的文件中都应有{}；它们共有的是 {}</translation>
    </message>
    <message>
        <source>the times of an iteration</source>
        <translation>一次迭代的各个时间</translation>
    </message>
    <message>
        <source>microseconds</source>
        <translation>微秒数</translation>
    </message>
    <message>
        <source>the list of events of a Chrome trace</source>
        <translation>Chrome 跟踪的事件列表</translation>
    </message>
    <message>
        <source>expected events X named F, B, I, W, F&amp;B or U with their micro-batch as args.mb and the rank as pid, found none</source>
        <translation>应有名为 F、B、I、W、F&amp;B 或 U 的 X 事件，微批次在 args.mb 中，rank 为 pid；但没有找到</translation>
    </message>
    <message>
        <source>expected ranks from 0 without a gap, found {} but not {}</source>
        <translation>rank 应从 0 起连续，有 {} 却没有 {}</translation>
    </message>
    <message>
        <source>expected the files of a measured run, found none</source>
        <translation>应有一次实测运行的文件，但没有找到</translation>
    </message>
    <message>
        <source>expected pp_rank_0.json, pp_rank_1.json, … in this folder, found none</source>
        <translation>这个文件夹中应有 pp_rank_0.json、pp_rank_1.json……，但没有找到</translation>
    </message>
    <message>
        <source>a picture without a plan in it: it was not exported by Cardfit, or another program has removed the plan</source>
        <translation>图片中没有方案：它不是 Cardfit 导出的，或者方案已被别的程序去掉</translation>
    </message>
    <message>
        <source>the plan in the picture was compressed by another program; open the picture as it was exported</source>
        <translation>图片中的方案被别的程序压缩过；请打开当初导出的图片</translation>
    </message>
    <message>
        <source>the plan in the picture is damaged: its checksum does not match</source>
        <translation>图片中的方案已损坏：校验和不符</translation>
    </message>
    <message>
        <source>the plan in the picture is damaged: the beginning of its text is missing</source>
        <translation>图片中的方案已损坏：缺少文本的开头</translation>
    </message>
    <message>
        <source>the picture is cut short, and no plan stands before its end</source>
        <translation>图片不完整，在断处之前没有方案</translation>
    </message>
    <message>
        <source>the plan in the picture is damaged: its end is missing</source>
        <translation>图片中的方案已损坏：缺少结尾</translation>
    </message>
    <message>
        <source>the plan in the picture is larger than {} bytes</source>
        <translation>图片中的方案大于 {} 字节</translation>
    </message>
    <message>
        <source>`cardfit calibrate` derives it from the measured figure</source>
        <translation>`cardfit calibrate` 由实测值得出它</translation>
    </message>
    <message>
        <source>a step time or tokens_per_second_per_card, not both</source>
        <translation>单步时间或 tokens_per_second_per_card，不能两者都有</translation>
    </message>
    <message>
        <source>a calibration needs that, tokens_per_second_per_card or allocated_bytes</source>
        <translation>校准需要它、tokens_per_second_per_card 或 allocated_bytes</translation>
    </message>
    <message>
        <source>a plan needs one</source>
        <translation>方案需要它</translation>
    </message>
    <message>
        <source>a preset has no such key</source>
        <translation>预设没有这个键</translation>
    </message>
    <message>
        <source>a preset has no such key; nor {}</source>
        <translation>预设没有这个键，也没有 {}</translation>
    </message>
    <message>
        <source>a preset needs one</source>
        <translation>预设需要它</translation>
    </message>
    <message>
        <source>expected &quot;cardfit/model&quot;, &quot;cardfit/accelerator&quot;, &quot;cardfit/cluster&quot; or &quot;cardfit/plan&quot;</source>
        <translation>应为“cardfit/model”、“cardfit/accelerator”、“cardfit/cluster”或“cardfit/plan”</translation>
    </message>
    <message>
        <source>not a JSON pointer</source>
        <translation>不是 JSON 指针</translation>
    </message>
    <message>
        <source>the value that contains it is neither an object nor null</source>
        <translation>其上层既不是对象也不是 null</translation>
    </message>
    <message>
        <source>an attention curve needs the value that it tends to</source>
        <translation>注意力曲线需要它趋近的值</translation>
    </message>
    <message>
        <source>a measured collective needs it</source>
        <translation>实测的集合通信需要它</translation>
    </message>
    <message>
        <source>more ranks than the entry before</source>
        <translation>比前一项更多的 rank 数</translation>
    </message>
    <message>
        <source>a link needs its bandwidth</source>
        <translation>链路需要带宽</translation>
    </message>
    <message>
        <source>accelerator preset</source>
        <translation>加速器预设</translation>
    </message>
    <message>
        <source>a size that the family {} has</source>
        <translation>{} 系列有的规模</translation>
    </message>
    <message>
        <source>a sliding window needs its size in tokens</source>
        <translation>滑动窗口需要以词元计的大小</translation>
    </message>
    <message>
        <source>a mixture of experts needs their number</source>
        <translation>混合专家需要专家数</translation>
    </message>
    <message>
        <source>latent attention needs it</source>
        <translation>潜在注意力需要它</translation>
    </message>
    <message>
        <source>hidden_size {} does not divide into num_attention_heads {}</source>
        <translation>hidden_size {} 不能被 num_attention_heads {} 整除</translation>
    </message>
    <message>
        <source>a model needs a preset, a family with parameters, or its whole shape</source>
        <translation>模型需要预设、系列加参数量，或完整的形状</translation>
    </message>
    <message>
        <source>an accelerator needs a preset or its memory</source>
        <translation>加速器需要预设或显存大小</translation>
    </message>
    <message>
        <source>an accelerator needs a preset or its memory bandwidth</source>
        <translation>加速器需要预设或显存带宽</translation>
    </message>
    <message>
        <source>cluster preset</source>
        <translation>集群预设</translation>
    </message>
    <message>
        <source>a cluster needs a preset or an accelerator</source>
        <translation>集群需要预设或加速器</translation>
    </message>
    <message>
        <source>model preset</source>
        <translation>模型预设</translation>
    </message>
    <message>
        <source>another file of this directory has the id &quot;{}&quot; too</source>
        <translation>此目录中另一个文件也用了 id“{}”</translation>
    </message>
    <message>
        <source>a recovery file holds it</source>
        <translation>恢复文件中必须有它</translation>
    </message>
    <message>
        <source>context</source>
        <comment>of the device</comment>
        <translation>设备上下文</translation>
    </message>
    <message>
        <source>stage, F, B, I or W, and micro-batch, as in 3F5</source>
        <translation>阶段，F、B、I 或 W，以及微批次，如 3F5</translation>
    </message>
    <message>
        <source>an operation that computes (a schedule in the compute-only format)</source>
        <translation>做计算的操作（仅含计算的调度格式）</translation>
    </message>
    <message>
        <source>expected a forward and a whole backward pass, as in (0F7;7B3)OVERLAP_F_B, found {}</source>
        <translation>应为一次前向和一次完整的反向传播，如 (0F7;7B3)OVERLAP_F_B，实为 {}</translation>
    </message>
    <message>
        <source>expected the operations of rank {}, found none</source>
        <translation>应有 rank {} 的操作，但没有找到</translation>
    </message>
    <message>
        <source>expected one line per rank, found an empty file</source>
        <translation>每个 rank 应有一行，文件却是空的</translation>
    </message>
    <message>
        <source>stage {} is on rank {}, by {}</source>
        <translation>阶段 {0} 已在 rank {1} 上，见{2}</translation>
    </message>
    <message>
        <source>this forward pass runs twice</source>
        <translation>这次前向传播运行了两次</translation>
    </message>
    <message>
        <source>expected the forward pass of this micro-batch before it</source>
        <translation>在它之前应有该微批次的前向传播</translation>
    </message>
    <message>
        <source>this backward pass runs twice</source>
        <translation>这次反向传播运行了两次</translation>
    </message>
    <message>
        <source>the weight gradient is made twice: B is the whole backward pass, I its first half</source>
        <translation>权重梯度算了两次：B 是完整的反向传播，I 是它的前一半</translation>
    </message>
    <message>
        <source>expected I of this micro-batch before it</source>
        <translation>在它之前应有该微批次的 I</translation>
    </message>
    <message>
        <source>this weight gradient is made twice</source>
        <translation>这个权重梯度算了两次</translation>
    </message>
    <message>
        <source>expected {} of micro-batch {} in stage {}, found none</source>
        <translation>应有微批次 {1} 在阶段 {2} 的{0}，但没有找到</translation>
    </message>
    <message>
        <source>the forward pass</source>
        <translation>前向传播</translation>
    </message>
    <message>
        <source>the weight gradient W</source>
        <translation>权重梯度 W</translation>
    </message>
    <message>
        <source>the backward pass</source>
        <translation>反向传播</translation>
    </message>
    <message>
        <source>expected the stages from 0 on without a gap; stage {} is on no rank</source>
        <translation>阶段应从 0 起连续；阶段 {} 不在任何 rank 上</translation>
    </message>
    <message>
        <source>expected the same number of stages on every rank, up to {}; these are {} stages on {} ranks</source>
        <translation>每个 rank 上的阶段数应相同，至多 {}；这里是 {} 个阶段、{} 个 rank</translation>
    </message>
    <message>
        <source>stage {} is on rank {}: expected stages that go round the ranks (here rank {}) or there and back (rank {}); no other placement is known</source>
        <translation>阶段 {} 在 rank {} 上：各阶段应循环经过各 rank（此处为 rank {}）或去而复返（rank {}）；不支持其他放置方式</translation>
    </message>
    <message>
        <source>this schedule cannot be written as CSV: {}</source>
        <translation>这个调度无法写成 CSV：{}</translation>
    </message>
    <message>
        <source>it holds two copies of every stage, and the format has one rank per stage</source>
        <translation>它的每个阶段有两份，而该格式每个阶段只有一个 rank</translation>
    </message>
    <message>
        <source>it updates the weights between micro-batches, and the format has no such operation</source>
        <translation>它在微批次之间更新权重，而该格式没有这种操作</translation>
    </message>
    <message>
        <source>it runs forward passes only, and the format needs a backward pass for each</source>
        <translation>它只有前向传播，而该格式要求各有一次反向传播</translation>
    </message>
    <message>
        <source>it has {} forward passes; up to {} are written</source>
        <translation>它有 {} 次前向传播；至多写出 {} 次</translation>
    </message>
    <message>
        <source>a trace lists every operation and takes up to {} forward passes; these are {}</source>
        <translation>跟踪文件列出每个操作，至多容纳 {} 次前向传播；这里有 {} 次</translation>
    </message>
    <message>
        <source>a trace counts nanoseconds and ends after 146 years; this one would last {} seconds</source>
        <translation>跟踪文件以纳秒计，止于 146 年；这一个会长达 {} 秒</translation>
    </message>
    <message>
        <source>step time {} s</source>
        <translation>单步时间 {} s</translation>
    </message>
    <message>
        <source>steps {} per second</source>
        <translation>每秒步数 {}</translation>
    </message>
    <message>
        <source>tokens {} per second and card</source>
        <translation>每秒每卡词元数 {}</translation>
    </message>
    <message>
        <source>samples {} per second</source>
        <translation>每秒样本数 {}</translation>
    </message>
    <message>
        <source>work {} TFLOP/s per card</source>
        <translation>计算量 {} TFLOP/s（每卡）</translation>
    </message>
    <message>
        <source>from one line</source>
        <translation>取自一行</translation>
    </message>
    <message>
        <source>median of {} lines after the first {}</source>
        <translation>前 {1} 行之后 {0} 行的中位数</translation>
    </message>
    <message>
        <source>from the line after the first {}</source>
        <translation>取自前 {} 行之后的一行</translation>
    </message>
    <message>
        <source>mean of two lines, which may be a warm-up</source>
        <translation>两行的平均，可能是预热</translation>
    </message>
    <message>
        <source>1 line</source>
        <translation>1 行</translation>
    </message>
    <message>
        <source>{} lines</source>
        <translation>{} 行</translation>
    </message>
    <message>
        <source>memory allocated {} bytes, most of rank {} in {}</source>
        <translation>已分配显存 {} 字节，rank {} 在{}中的最大值</translation>
    </message>
    <message>
        <source>memory reserved {} bytes, most in {}</source>
        <translation>已预留显存 {} 字节，{}中的最大值</translation>
    </message>
    <message>
        <source>expected lines of Megatron-LM (&quot;elapsed time per iteration (ms): 1234.5&quot;, &quot;max allocated: 61234.0&quot;), torchtitan (&quot;tps: 2,345&quot;), DeepSpeed (&quot;samples/sec: 12.3&quot;) or Hugging Face (&quot;train_samples_per_second&quot;: 12.3), found none of them in {}</source>
        <translation>应有 Megatron-LM（&quot;elapsed time per iteration (ms): 1234.5&quot;、&quot;max allocated: 61234.0&quot;）、torchtitan（&quot;tps: 2,345&quot;）、DeepSpeed（&quot;samples/sec: 12.3&quot;）或 Hugging Face（&quot;train_samples_per_second&quot;: 12.3）的日志行，在{}中一个也没有找到</translation>
    </message>
    <message>
        <source>expected ranks below {}, the cards that the plan uses; found memory of rank {}</source>
        <translation>rank 应小于方案所用的卡数 {}；却有 rank {} 的显存</translation>
    </message>
    <message>
        <source>expected a step time, tokens per second, samples per second or max allocated memory in the log; found only TFLOP/s or reserved memory</source>
        <translation>日志中应有单步时间、每秒词元数、每秒样本数或最大已分配显存；只找到 TFLOP/s 或保留显存</translation>
    </message>
    <message>
        <source>the timeline does not tell which transfers its ranks wait for</source>
        <translation>时间线没有说明各 rank 在等哪些传输</translation>
    </message>
    <message>
        <source>the pipeline does not settle within {} operations, which is too many to simulate</source>
        <translation>流水线在 {} 个操作之内没有进入稳态，规模过大，无法模拟</translation>
    </message>
    <message>
        <source>the schedule deadlocks: {}</source>
        <translation>调度死锁：{}</translation>
    </message>
    <message>
        <source>rank {} waits for rank {} to take what it has made</source>
        <translation>rank {} 等待 rank {} 取走它的结果</translation>
    </message>
    <message>
        <source>rank {} waits for rank {}: the input of the backward pass of micro-batch {} in chunk {}</source>
        <translation>rank {0} 等待 rank {1}：模型块 {3} 中微批次 {2} 的反向传播的输入</translation>
    </message>
    <message>
        <source>rank {} waits for rank {}: the input of the forward pass of micro-batch {} in chunk {}</source>
        <translation>rank {0} 等待 rank {1}：模型块 {3} 中微批次 {2} 的前向传播的输入</translation>
    </message>
    <message>
        <source>{}; {}</source>
        <translation>{}；{}</translation>
    </message>
    <message>
        <source>the schedule deadlocks: rank {} waits for itself before the backward pass of micro-batch {} in chunk {}</source>
        <translation>调度死锁：rank {0} 在模型块 {2} 中微批次 {1} 的反向传播之前等待自己</translation>
    </message>
    <message>
        <source>slack of {} operations is too much to compute: at most {}</source>
        <translation>{} 个操作的余量太多，无法计算：至多 {} 个</translation>
    </message>
    <message>
        <source>a step of {} s does not fit this plan: with kernels twice and communication ten times as fast as predicted it takes {} s; was another run measured?</source>
        <translation>{} s 的单步时间不会是这个方案的：即使内核快到预测的两倍、通信快到十倍，也需要 {} s；实测的是不是另一次运行？</translation>
    </message>
    <message>
        <source>a step of {} s does not fit this plan: with kernels half and communication a tenth as fast as predicted it takes {} s; was another run measured?</source>
        <translation>{} s 的单步时间不会是这个方案的：即使内核慢到预测的一半、通信慢到十分之一，也只需要 {} s；实测的是不是另一次运行？</translation>
    </message>
    <message>
        <source>expected a step time or a throughput, found both</source>
        <translation>单步时间和吞吐量应只给一个，却两者都有</translation>
    </message>
    <message>
        <source>expected a time above 0, found {}</source>
        <translation>应为大于 0 的时间，实为 {}</translation>
    </message>
    <message>
        <source>expected a number above 0, found {}</source>
        <translation>应为大于 0 的数，实为 {}</translation>
    </message>
    <message>
        <source>expected bytes above 0, found {}</source>
        <translation>应为大于 0 的字节数，实为 {}</translation>
    </message>
    <message>
        <source>expected a measured step time, throughput or allocated memory, found none of them</source>
        <translation>应有实测的单步时间、吞吐量或已分配显存，但一个也没有</translation>
    </message>
    <message>
        <source>the plan cannot be compared with a measurement: a broken rule prevents its estimate</source>
        <translation>方案没有可与实测对照的估算：有一条规则被违反</translation>
    </message>
    <message>
        <source>expected a stage from 0 to {}, found {}</source>
        <translation>阶段应在 0 到 {} 之间，实为 {}</translation>
    </message>
    <message>
        <source>expected a number above 0</source>
        <translation>应为大于 0 的数</translation>
    </message>
    <message>
        <source>this convention does not define the work of the plan</source>
        <translation>它没有定义这种方案的计算量</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>empty</source>
        <translation>空</translation>
    </message>
    <message>
        <source>not given</source>
        <translation>未给出</translation>
    </message>
    <message>
        <source>One micro-batch at a time</source>
        <translation>逐个微批次</translation>
    </message>
    <message>
        <source>GPipe, last in first out</source>
        <translation>GPipe（后进先出）</translation>
    </message>
    <message>
        <source>Eager 1F1B</source>
        <translation>Eager 1F1B</translation>
    </message>
    <message>
        <source>Interleaved 1F1B</source>
        <translation>交错式 1F1B</translation>
    </message>
    <message>
        <source>Looped breadth-first</source>
        <translation>循环广度优先</translation>
    </message>
    <message>
        <source>Interleaved zero bubble</source>
        <translation>交错式零气泡</translation>
    </message>
    <message>
        <source>expected POINTER=VALUE, such as /parallelism/tensor=8, found {}</source>
        <translation>应为 POINTER=VALUE，例如 /parallelism/tensor=8，实际为 {}</translation>
    </message>
    <message>
        <source>field</source>
        <translation>字段</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Model size</source>
        <translation>模型规模</translation>
    </message>
    <message>
        <source>Hidden size</source>
        <translation>隐藏维度</translation>
    </message>
    <message>
        <source>Heads</source>
        <translation>注意力头</translation>
    </message>
    <message>
        <source>Key/value heads</source>
        <translation>KV 头</translation>
    </message>
    <message>
        <source>Head size</source>
        <translation>头维度</translation>
    </message>
    <message>
        <source>MLP width</source>
        <translation>MLP 宽度</translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation>词表</translation>
    </message>
    <message>
        <source>Longest sequence</source>
        <translation>最长序列</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Experts</source>
        <translation>专家</translation>
    </message>
    <message>
        <source>Experts per token</source>
        <translation>每词元专家</translation>
    </message>
    <message>
        <source>Expert width</source>
        <translation>专家宽度</translation>
    </message>
    <message>
        <source>Leading dense layers</source>
        <translation>前置稠密层</translation>
    </message>
    <message>
        <source>Expert imbalance</source>
        <translation>专家负载不均</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Accelerator</source>
        <translation>加速卡</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>显存</translation>
    </message>
    <message>
        <source>MiB</source>
        <translation>MiB</translation>
    </message>
    <message>
        <source>Memory bandwidth</source>
        <translation>显存带宽</translation>
    </message>
    <message>
        <source>GB/s</source>
        <translation>GB/s</translation>
    </message>
    <message>
        <source>Peak, bf16</source>
        <translation>峰值，bf16</translation>
    </message>
    <message>
        <source>TFLOPS</source>
        <translation>TFLOPS</translation>
    </message>
    <message>
        <source>Peak, fp16</source>
        <translation>峰值，fp16</translation>
    </message>
    <message>
        <source>Peak, fp8</source>
        <translation>峰值，fp8</translation>
    </message>
    <message>
        <source>Link within the node</source>
        <translation>节点内链路</translation>
    </message>
    <message>
        <source>Link to the host</source>
        <translation>主机链路</translation>
    </message>
    <message>
        <source>Power</source>
        <translation>功率</translation>
    </message>
    <message>
        <source>W</source>
        <translation>W</translation>
    </message>
    <message>
        <source>Price of an hour</source>
        <translation>每小时价格</translation>
    </message>
    <message>
        <source>USD</source>
        <translation>美元</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点数</translation>
    </message>
    <message>
        <source>Cards per node</source>
        <translation>每节点卡数</translation>
    </message>
    <message>
        <source>Within a node</source>
        <translation>节点内</translation>
    </message>
    <message>
        <source>Latency within a node</source>
        <translation>节点内延迟</translation>
    </message>
    <message>
        <source>µs</source>
        <translation>µs</translation>
    </message>
    <message>
        <source>Between nodes, per card</source>
        <translation>节点间，每卡</translation>
    </message>
    <message>
        <source>Latency between nodes</source>
        <translation>节点间延迟</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>Sequence length</source>
        <translation>序列长度</translation>
    </message>
    <message>
        <source>Micro-batch</source>
        <translation>微批大小</translation>
    </message>
    <message>
        <source>sequences</source>
        <translation>条序列</translation>
    </message>
    <message>
        <source>Global batch</source>
        <translation>全局批大小</translation>
    </message>
    <message>
        <source>Tokens of the run</source>
        <translation>训练总词元</translation>
    </message>
    <message>
        <source>Tensor parallel</source>
        <translation>张量并行</translation>
    </message>
    <message>
        <source>Sequence parallel</source>
        <translation>序列并行</translation>
    </message>
    <message>
        <source>Pipeline parallel</source>
        <translation>流水线并行</translation>
    </message>
    <message>
        <source>Virtual pipeline</source>
        <translation>虚拟流水线</translation>
    </message>
    <message>
        <source>Layers per stage</source>
        <translation>各阶段层数</translation>
    </message>
    <message>
        <source>Context parallel</source>
        <translation>上下文并行</translation>
    </message>
    <message>
        <source>Expert parallel</source>
        <translation>专家并行</translation>
    </message>
    <message>
        <source>Expert tensor</source>
        <translation>专家张量并行</translation>
    </message>
    <message>
        <source>Data parallel</source>
        <translation>数据并行</translation>
    </message>
    <message>
        <source>Framework</source>
        <translation>框架</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>算子实现</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>Sharding</source>
        <translation>分片</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>Recompute</source>
        <translation>重计算</translation>
    </message>
    <message>
        <source>Recomputed modules</source>
        <translation>重计算的模块</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>方式</translation>
    </message>
    <message>
        <source>Gradient accumulation fused</source>
        <translation>融合梯度累加</translation>
    </message>
    <message>
        <source>Weight gradients are added into the main gradients by the matrix product itself.</source>
        <translation>权重梯度由矩阵乘直接累加到主梯度。</translation>
    </message>
    <message>
        <source>Attention mask from the data loader</source>
        <translation>注意力掩码由数据加载器提供</translation>
    </message>
    <message>
        <source>Activation functions fused</source>
        <translation>融合激活函数</translation>
    </message>
    <message>
        <source>Rotary embedding fused</source>
        <translation>融合旋转位置编码</translation>
    </message>
    <message>
        <source>Experts&apos; products grouped</source>
        <translation>专家分组矩阵乘</translation>
    </message>
    <message>
        <source>Dispatcher</source>
        <translation>词元分发</translation>
    </message>
    <message>
        <source>Token permutation fused</source>
        <translation>融合词元重排</translation>
    </message>
    <message>
        <source>Overlap expert communication</source>
        <translation>重叠专家并行通信</translation>
    </message>
    <message>
        <source>Context by</source>
        <translation>上下文通信</translation>
    </message>
    <message>
        <source>Optimizer on the host</source>
        <translation>优化器放到主机</translation>
    </message>
    <message>
        <source>Weights on the host</source>
        <translation>权重放到主机</translation>
    </message>
    <message>
        <source>Activations on the host</source>
        <translation>激活放到主机</translation>
    </message>
    <message>
        <source>Adapter rank</source>
        <translation>适配器秩</translation>
    </message>
    <message>
        <source>Overlap gradient reduction</source>
        <translation>重叠梯度规约</translation>
    </message>
    <message>
        <source>Overlap parameter gathering</source>
        <translation>重叠参数收集</translation>
    </message>
    <message>
        <source>Overlap tensor communication</source>
        <translation>重叠张量并行通信</translation>
    </message>
    <message>
        <source>Overlap pipeline communication</source>
        <translation>重叠流水线通信</translation>
    </message>
    <message>
        <source>Key/value cache</source>
        <translation>KV 缓存</translation>
    </message>
    <message>
        <source>the step would take more than 10^12 seconds, or the cost of the run is too large to compute; check the rates, efficiencies, latencies, price and number of tokens</source>
        <translation>一步将超过 10^12 秒，或者整个训练的花费大到无法计算；请检查速率、效率、延迟、价格和词元数量</translation>
    </message>
    <message>
        <source>Rebuilt and freed again</source>
        <translation>重建后又已释放</translation>
    </message>
    <message>
        <source>At the instant of the peak the backward pass has already freed this much of what recomputation had rebuilt, or of what had come back from host memory.</source>
        <translation>在峰值时刻，反向传播已经释放了这么多由重计算重建或从主机内存取回的内容。</translation>
    </message>
    <message>
        <source>bytes freed before the peak that had been rebuilt, or fetched from host memory</source>
        <translation>在峰值之前已释放的、由重计算重建或从主机内存取回的字节数</translation>
    </message>
    <message>
        <source>it is a pipe or a device, not a file</source>
        <translation>它是管道或设备，不是文件</translation>
    </message>
    <message>
        <source>expected text, found a NUL byte</source>
        <translation>应为文本，却出现了 NUL 字节</translation>
    </message>
    <message>
        <source>expected none, full, modules such as core_attn+mlp, uniform:2, block:8 or block:1/2, found {}</source>
        <translation>应为 none、full、模块（如 core_attn+mlp）、uniform:2、block:8 或 block:1/2，实际为 {}</translation>
    </message>
    <message>
        <source>accelerator</source>
        <translation>加速卡</translation>
    </message>
    <message>
        <source>{} is listed twice</source>
        <translation>{} 列出了两次</translation>
    </message>
    <message>
        <source>expected 64,128 or 64..1024, found {}</source>
        <translation>应为 64,128 或 64..1024 的形式，实际为 {}</translation>
    </message>
    <message>
        <source>{} cards are no whole nodes of {}</source>
        <translation>{} 张卡不是每节点 {} 张卡的整数个节点</translation>
    </message>
    <message>
        <source>is given twice</source>
        <translation>给出了两次</translation>
    </message>
    <message>
        <source>expected NAME=VALUES, found {}</source>
        <translation>应为 NAME=VALUES，实际为 {}</translation>
    </message>
    <message>
        <source>expected one value, found {}; --values takes several</source>
        <translation>应为一个取值，实际为 {}；--values 可列多个</translation>
    </message>
    <message>
        <source>{} has no list of values of its own: name some with --values</source>
        <translation>{} 没有自带的取值列表：请用 --values 列出</translation>
    </message>
    <message>
        <source>expected POINTER=VALUES, such as /parallelism/tensor=1,2,4, found {}</source>
        <translation>应为 POINTER=VALUES，例如 /parallelism/tensor=1,2,4，实际为 {}</translation>
    </message>
    <message>
        <source>figure</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>expected two or three figures, or none, found {}</source>
        <translation>应为两个或三个指标，或 none，实际为 {}</translation>
    </message>
    <message>
        <source>expected a figure, &lt; or &gt;, and a number, such as cost&lt;2e6, found {}</source>
        <translation>应为指标、&lt; 或 &gt; 以及数值，例如 cost&lt;2e6，实际为 {}</translation>
    </message>
    <message>
        <source>cost unknown (the card has no price)</source>
        <translation>费用未知（该卡没有价格）</translation>
    </message>
    <message>
        <source>energy unknown (the power of the card is not given)</source>
        <translation>能耗未知（未给出该卡的功率）</translation>
    </message>
    <message>
        <source>the list of layers has {} stages, pipeline is {} with {} chunks each</source>
        <translation>层列表有 {} 个阶段，流水线并行为 {}，每个含 {} 个模型块</translation>
    </message>
    <message>
        <source>the list of layers has {} stages, pipeline is {}</source>
        <translation>层列表有 {} 个阶段，流水线并行为 {}</translation>
    </message>
    <message>
        <source>the list of layers adds up to {}, the model has {} layers</source>
        <translation>层列表合计 {} 层，而模型有 {} 层</translation>
    </message>
    <message>
        <source>the list of layers with experts has {} entries, the model {} layers</source>
        <translation>专家层列表有 {} 项，而模型有 {} 层</translation>
    </message>
    <message>
        <source>{} has no fp4 matrix units</source>
        <translation>{} 没有 fp4 矩阵单元</translation>
    </message>
    <message>
        <source>Prediction layers</source>
        <translation>预测层数</translation>
    </message>
    <message>
        <source>Optimizer instances</source>
        <translation>优化器实例数</translation>
    </message>
    <message>
        <source>Micro-batches per group</source>
        <translation>每组微批次数</translation>
    </message>
    <message>
        <source>Share evenly</source>
        <translation>平均分配</translation>
    </message>
    <message>
        <source>Use {}</source>
        <translation>采用 {}</translation>
    </message>
    <message>
        <source>{} has no values: name some with --values</source>
        <translation>{} 没有取值：请用 --values 列出</translation>
    </message>
    <message>
        <source>the space has more than 2^40 plans: pin a field or list fewer values</source>
        <translation>搜索空间超过 2^40 个方案：请固定某个字段或少列一些取值</translation>
    </message>
    <message>
        <source>the card has no price: set /cluster/accelerator/price_per_hour_usd</source>
        <translation>该卡没有价格：请设置 /cluster/accelerator/price_per_hour_usd</translation>
    </message>
    <message>
        <source>the card&apos;s power is not known: set /cluster/accelerator/power_w</source>
        <translation>该卡的功率未知：请设置 /cluster/accelerator/power_w</translation>
    </message>
    <message>
        <source>Dropout of the adapters</source>
        <translation>适配器的丢弃</translation>
    </message>
    <message>
        <source>An adapter with dropout keeps its input after dropout and a mask of one byte per value; separate products each have a dropout of their own.</source>
        <translation>带丢弃的适配器会保留丢弃后的输入和每值一字节的掩码；分开执行的乘积各有自己的丢弃。</translation>
    </message>
    <message>
        <source>Dropout of the experts&apos; adapters</source>
        <translation>专家适配器的丢弃</translation>
    </message>
    <message>
        <source>Adapters of experts with dropout keep what it leaves of every row, and its mask.</source>
        <translation>带丢弃的专家适配器会保留每行丢弃后的值及其掩码。</translation>
    </message>
    <message>
        <source>Outputs kept by selective checkpointing</source>
        <translation>选择性检查点保留的输出</translation>
    </message>
    <message>
        <source>PyTorch&apos;s selective checkpointing rebuilds a layer from its input and from the outputs of listed operators: attention and the matrix products, every second one under torchtitan.</source>
        <translation>PyTorch 的选择性检查点从层的输入和所列算子的输出重建一层：注意力和矩阵乘积，在 torchtitan 中每隔一个乘积保留一个。</translation>
    </message>
    <message>
        <source>Outputs kept in expert layers</source>
        <translation>专家层保留的输出</translation>
    </message>
    <message>
        <source>Selective checkpointing keeps outputs of attention&apos;s products; experts&apos; grouped products run again.</source>
        <translation>选择性检查点保留注意力各乘积的输出；专家的分组乘积会重新计算。</translation>
    </message>
    <message>
        <source>The loss keeps what it needs of the logits until its backward pass, for every prediction depth: 2 bytes each where the kernel is fused or compiled, 4 or 6 where an fp32 softmax is stored.</source>
        <translation>损失在反向传播之前保留所需的 logits，每个预测深度各一份：内核融合或编译时每个 2 字节，存储 fp32 softmax 时为 4 或 6 字节。</translation>
    </message>
    <message>
        <source>Sampling of the profile run</source>
        <translation>自测运行的采样</translation>
    </message>
    <message>
        <source>The server draws a token for each of the sequences it admits, to learn what that takes.</source>
        <translation>服务器为它接纳的每个序列采样一个词元，以了解所需内存。</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV 缓存</translation>
    </message>
    <message>
        <source>Keys and values of every sequence. The cache grows with every token, so cards hold most at the end, when all sequences have their full length.</source>
        <translation>每个序列的键和值。缓存随每个词元增长，因此在最后、所有序列都达到全长时显卡占用最多。</translation>
    </message>
    <message>
        <source>What the forward pass of a prompt holds at its widest operator, and buffers that live as long as the process.</source>
        <translation>提示的前向传播在最宽的算子处所占用的内容，以及与进程同寿命的缓冲区。</translation>
    </message>
    <message>
        <source>CUDA graphs, and what a server fills beyond the sequences.</source>
        <translation>CUDA 图，以及服务器在这些序列之外填充的内容。</translation>
    </message>
    <message>
        <source>Micro-batches in the cache</source>
        <translation>缓存中的微批次</translation>
    </message>
    <message>
        <source>Micro-batches whose keys and values the card holds at most: in the end all of them.</source>
        <translation>显卡最多同时保存其键和值的微批次：最后是全部。</translation>
    </message>
    <message>
        <source>Micro-batches of prompts</source>
        <translation>提示的微批次</translation>
    </message>
    <message>
        <source>Sequences at once, divided by replicas and by prompts in one forward pass.</source>
        <translation>同时服务的序列数除以副本数与一次前向传播中的提示数。</translation>
    </message>
    <message>
        <source>Prefill of all prompts</source>
        <translation>全部提示的预填充</translation>
    </message>
    <message>
        <source>From the first prompt&apos;s forward pass to the end of the last one&apos;s, on the busiest stage; the parts add up.</source>
        <translation>在最忙的阶段上，从第一个提示的前向传播到最后一个结束；各部分相加即为总和。</translation>
    </message>
    <message>
        <source>The busiest stage&apos;s forward passes.</source>
        <translation>最忙阶段的前向传播。</translation>
    </message>
    <message>
        <source>Sending activations between stages, where nothing hides it.</source>
        <translation>在阶段之间发送激活值，未被掩盖的部分。</translation>
    </message>
    <message>
        <source>Gathering weights, where nothing hides it.</source>
        <translation>收集权重，未被掩盖的部分。</translation>
    </message>
    <message>
        <source>Prefill throughput</source>
        <translation>预填充吞吐量</translation>
    </message>
    <message>
        <source>Tokens of the prompts divided by the time of their forward passes, all cards together.</source>
        <translation>提示的词元数除以其前向传播的时间，所有显卡合计。</translation>
    </message>
    <message>
        <source>Prefill throughput per card</source>
        <translation>每卡预填充吞吐量</translation>
    </message>
    <message>
        <source>Tokens of the prompts divided by the time of their forward passes and by the cards.</source>
        <translation>提示的词元数除以其前向传播的时间与显卡数。</translation>
    </message>
    <message>
        <source>Useful work per second and card: matrix products and causal attention of forward passes.</source>
        <translation>每秒每卡的有效计算量：前向传播的矩阵乘法与因果注意力。</translation>
    </message>
    <message>
        <source>Executed work per second over the card&apos;s dense 16-bit peak.</source>
        <translation>每秒执行的计算量与显卡 16 位稠密峰值之比。</translation>
    </message>
    <message>
        <source>Gradients not yet reduced</source>
        <translation>尚未归约的梯度</translation>
    </message>
    <message>
        <source>Experts&apos; gradients not yet reduced</source>
        <translation>尚未归约的专家梯度</translation>
    </message>
    <message>
        <source>Gradients of this card&apos;s experts, whole until the last micro-batch of a step.</source>
        <translation>本卡专家的梯度，在一步的最后一个微批次之前保持完整。</translation>
    </message>
    <message>
        <source>Where each weight is updated during the backward pass, one gradient exists at a time.</source>
        <translation>若每个权重在反向传播中更新，则同一时刻只存在一个梯度。</translation>
    </message>
    <message>
        <source>For every learned parameter an fp32 copy and the optimizer&apos;s moments, 12 bytes with Adam; 4 where everything is kept in 16 bits.</source>
        <translation>每个可学习参数有一份 fp32 副本和优化器的矩，使用 Adam 时为 12 字节；全部以 16 位保存时为 4 字节。</translation>
    </message>
    <message>
        <source>An optimizer that updates fp32 weights first turns 16-bit gradients into fp32, under ZeRO-3 one sub-group at a time; the activations are gone by then.</source>
        <translation>更新 fp32 权重的优化器先把 16 位梯度转为 fp32，在 ZeRO-3 下每次只转一个子组；此时激活值已释放。</translation>
    </message>
    <message>
        <source>What the cross-entropy needs besides the logits it saves: nothing in place, 6 bytes per logit with Megatron&apos;s native fusion, 2 unfused or compiled, 8 with PyTorch&apos;s fp32 loss and 12 where tensor parallelism divides it, 1 where it works on an eighth of the logits.</source>
        <translation>除保存的 logits 外交叉熵还需要的内存：就地计算时为零，Megatron 原生融合时每个 logit 6 字节，未融合或编译时 2 字节，PyTorch 的 fp32 损失 8 字节，张量并行切分时 12 字节，每次处理八分之一 logits 时 1 字节。</translation>
    </message>
    <message>
        <source>Logits of the profile run</source>
        <translation>自测运行的 logits</translation>
    </message>
    <message>
        <source>A server that measures itself samples a token for as many sequences as it admits: logits in 16 and 32 bits, their sorted copy with its index, and what the sort needs in between.</source>
        <translation>服务器自测时会为它所接纳的全部序列各采样一个词元：16 位和 32 位的 logits、排序后的副本及其索引，以及排序过程所需的内存。</translation>
    </message>
    <message>
        <source>Penalties and log-probabilities, which a request may ask for, are not counted.</source>
        <translation>请求可能要求的惩罚项和对数概率未计入。</translation>
    </message>
    <message>
        <source>PyTorch gives each thread and stream that calls cuBLAS a workspace; training has two such threads.</source>
        <translation>PyTorch 为每个调用 cuBLAS 的线程和流分配一个工作区；训练时有两个这样的线程。</translation>
    </message>
    <message>
        <source>FSDP gathers the output layer as a unit of its own, with the embedding where only the layers are wrapped.</source>
        <translation>FSDP 把输出层作为独立单元收集；若只包装各层，则嵌入也在其中。</translation>
    </message>
    <message>
        <source>Inputs of frozen products</source>
        <translation>冻结乘积的输入</translation>
    </message>
    <message>
        <source>bitsandbytes up to 0.43 keeps the inputs of frozen products as attributes of the graph, which the loss of the previous micro-batch holds until the next one is there.</source>
        <translation>0.43 及更早的 bitsandbytes 把冻结乘积的输入作为计算图的属性保留，上一个微批次的损失会一直持有它们，直到下一个损失算出。</translation>
    </message>
    <message>
        <source>A training loop that detaches its loss frees them earlier.</source>
        <translation>若训练循环把损失从计算图中分离，它们会更早释放。</translation>
    </message>
    <message>
        <source>Layers are split {}.</source>
        <translation>各层的切分方式：{}。</translation>
    </message>
    <message>
        <source>Stage {} holds most at the end, in the {} ({}): {} s into the prefill if each prompt has its full length.</source>
        <translation>阶段 {} 在最后占用最多，处于{}（{}）：若每个提示都为全长，则在预填充开始后 {} 秒。</translation>
    </message>
    <message>
        <source>Time in one layer and micro-batch: {}.</source>
        <translation>每层每个微批次的时间：{}。</translation>
    </message>
    <message>
        <source>parameters of the largest single weight on this card</source>
        <translation>本卡最大单个权重的参数数</translation>
    </message>
    <message>
        <source>bytes of optimizer states per parameter of an adapter</source>
        <translation>适配器每个参数的优化器状态字节数</translation>
    </message>
    <message>
        <source>bytes of a gradient&apos;s copy in the master weights&apos; format</source>
        <translation>以主权重格式保存的梯度副本的字节数</translation>
    </message>
    <message>
        <source>values that the frozen products of this card&apos;s layers read in a micro-batch</source>
        <translation>本卡各层的冻结乘积在一个微批次中读取的值数</translation>
    </message>
    <message>
        <source>values per token that a layer keeps of its products&apos; outputs</source>
        <translation>一层为其各乘积的输出每个词元保留的值数</translation>
    </message>
    <message>
        <source>values per token that an expert layer keeps of its products&apos; outputs</source>
        <translation>专家层为其各乘积的输出每个词元保留的值数</translation>
    </message>
    <message>
        <source>parameters of the unit that holds the output layer, where this stage has it</source>
        <translation>含输出层的单元的参数数（若本阶段有输出层）</translation>
    </message>
    <message>
        <source>sequences for which a server samples when it measures itself</source>
        <translation>服务器自测时采样的序列数</translation>
    </message>
    <message>
        <source>Megatron-LM refuses them on {} ranks x {} chunks without {}; they are split automatically</source>
        <translation>在 {} 个 rank x {} 个块上，没有 {} 时 Megatron-LM 会拒绝；这里自动切分</translation>
    </message>
    <message>
        <source>a list of lists of texts</source>
        <translation>由文本列表组成的列表</translation>
    </message>
    <message>
        <source>too many layers to name each one, or a broken rule leaves the split unknown</source>
        <translation>层数太多，无法逐一列名，或因违反规则而切分未知</translation>
    </message>
    <message>
        <source>at most the {} layers of a stage, at both ends</source>
        <translation>两端都不超过一个阶段的 {} 层</translation>
    </message>
    <message>
        <source>a number of parts divisible by {} ranks</source>
        <translation>能被 {} 个 rank 整除的部分数</translation>
    </message>
    <message>
        <source>all layers in order, {}{} next</source>
        <translation>所有层按顺序排列，接下来应为 {}{}</translation>
    </message>
    <message>
        <source>a measured peak needs it, or reserved_bytes, or device_bytes</source>
        <translation>测得的峰值需要它，或 reserved_bytes，或 device_bytes</translation>
    </message>
    <message>
        <source>a list of layers for each chunk of each stage</source>
        <translation>每个阶段每个块的层数列表</translation>
    </message>
    <message>
        <source>expected {} lists of {} numbers, one for each stage and chunk</source>
        <translation>应为 {} 个列表，每个 {} 个数，每个阶段和块一个</translation>
    </message>
    <message>
        <source>{} days</source>
        <translation>{} 天</translation>
    </message>
    <message>
        <source>{} if a checkpoint is written within {} ({})</source>
        <translation>{}：检查点须在 {} 内写完（{}）</translation>
    </message>
    <message>
        <source>{} never</source>
        <translation>{}：无法达到</translation>
    </message>
    <message>
        <source>Restart in {}: {}.</source>
        <translation>重启需 {}：{}。</translation>
    </message>
    <message>
        <source>A checkpoint holds {}: weights, fp32 copies and optimizer states.</source>
        <translation>一个检查点为 {}：权重、fp32 副本和优化器状态。</translation>
    </message>
    <message>
        <source>One unplanned stop in {} on {} cards.</source>
        <translation>{1} 张卡上每 {0} 发生一次意外中断。</translation>
    </message>
    <message>
        <source>One unplanned stop in {} on {} cards, if they fail as those of Llama 3 405B did (419 stops in 54 days on 16,384 H100).</source>
        <translation>若故障率与 Llama 3 405B 相同（16,384 张 H100 在 54 天内中断 419 次），{1} 张卡上每 {0} 发生一次意外中断。</translation>
    </message>
    <message>
        <source>Written in {}, best every {} (Daly 2006; Young 1974: {}): {} of the time is training.</source>
        <translation>写入需 {}，最佳间隔为 {}（Daly 2006；Young 1974：{}）：{} 的时间用于训练。</translation>
    </message>
    <message>
        <source>The run takes {} days instead of {}.</source>
        <translation>运行需要 {} 天，而非 {} 天。</translation>
    </message>
    <message>
        <source>Written in {}, best every {} (Daly 2006; Young 1974: {}).</source>
        <translation>写入需 {}，最佳间隔为 {}（Daly 2006；Young 1974：{}）。</translation>
    </message>
    <message>
        <source>write bandwidth</source>
        <translation>写入带宽</translation>
    </message>
    <message>
        <source>time of a restart</source>
        <translation>重启时间</translation>
    </message>
    <message>
        <source>stops per card-hour</source>
        <translation>每卡时中断次数</translation>
    </message>
    <message>
        <source>Not given: {}. How much of the time is training depends on them:</source>
        <translation>未给出：{}。训练时间的占比取决于它们：</translation>
    </message>
    <message>
        <source>{} tokens x {} sequences at once, prompts of {} in a forward pass, {} per replica</source>
        <translation>同时 {} 个词元 x {} 个序列，一次前向传播 {} 个提示，每个副本 {} 次</translation>
    </message>
    <message>
        <source>Prefill of the prompts</source>
        <translation>提示的预填充</translation>
    </message>
    <message>
        <source>{} cards for a sequence</source>
        <translation>每条序列 {} 张卡</translation>
    </message>
    <message>
        <source>{} s for a token</source>
        <translation>每词元 {} 秒</translation>
    </message>
    <message>
        <source>{} USD for a token</source>
        <translation>每词元 {} 美元</translation>
    </message>
    <message>
        <source>{} kWh for a token</source>
        <translation>每词元 {} kWh</translation>
    </message>
    <message>
        <source>{}: {} (nearest values of {} that keep it: {})</source>
        <translation>{}：{}（满足它的 {} 的最近取值：{}）</translation>
    </message>
    <message>
        <source>misses the limit {} {} {}: {}</source>
        <translation>不满足限制 {} {} {}：{}</translation>
    </message>
    <message>
        <source>misses a limit</source>
        <translation>不满足某个限制</translation>
    </message>
    <message>
        <source>A gain of more than 15 % is doubtful until it is measured. Seconds of the step that differ: {}.</source>
        <translation>超过 15 % 的提升在实测之前存疑。步时中不同的秒数：{}。</translation>
    </message>
    <message>
        <source>the best</source>
        <translation>最佳</translation>
    </message>
    <message>
        <source>breaks rules</source>
        <translation>违反规则</translation>
    </message>
    <message>
        <source>over by at least {} on stage {}</source>
        <translation>在第 {1} 阶段至少超出 {0}</translation>
    </message>
    <message>
        <source>{} times the best: {} against {} ({})</source>
        <translation>为最佳的 {} 倍：{}，最佳为 {}（{}）</translation>
    </message>
    <message>
        <source>{} micro-batches over {} stages make groups of {}, not {}</source>
        <translation>{} 个微批次分到 {} 个阶段，每组 {} 个，而不是 {} 个</translation>
    </message>
    <message>
        <source>{} ({}&apos;s rule)</source>
        <translation>{}（{} 的规则）</translation>
    </message>
    <message>
        <source>{} does not run this schedule</source>
        <translation>{} 不运行此调度</translation>
    </message>
    <message>
        <source>{} layers, embedding and head do not fill {} stages</source>
        <translation>{} 层加上嵌入层和输出头填不满 {} 个阶段</translation>
    </message>
    <message>
        <source>virtual pipeline {}: stage {} has {} layers for {} chunks</source>
        <translation>虚拟流水线 {}：阶段 {} 只有 {} 层，却有 {} 个块</translation>
    </message>
    <message>
        <source>schedule {}: only forks of {} run it</source>
        <translation>调度 {}：只有 {} 的分支版本可以运行</translation>
    </message>
    <message>
        <source>schedule {}: {} does not run it</source>
        <translation>调度 {}：{} 不运行它</translation>
    </message>
    <message>
        <source>DeepSpeed&apos;s {} divides gradients after every micro-batch; it refuses no_sync</source>
        <translation>DeepSpeed 的 {} 在每个微批次之后就切分梯度；它拒绝 no_sync</translation>
    </message>
    <message>
        <source>updating weights during the backward pass is PyTorch&apos;s; {} does not do it</source>
        <translation>在反向传播中更新权重是 PyTorch 的做法；{} 不支持</translation>
    </message>
    <message>
        <source>weights are updated in every backward pass, so a step has one micro-batch, not {}</source>
        <translation>每次反向传播都会更新权重，因此一步只有一个微批次，而不是 {} 个</translation>
    </message>
    <message>
        <source>Megatron-Core keeps all gradients on the card; DeepSpeed and FSDP can offload them</source>
        <translation>Megatron-Core 把全部梯度留在卡上；DeepSpeed 和 FSDP 可以卸载梯度</translation>
    </message>
    <message>
        <source>{} has no fp8 arithmetic: the format narrows stored weights only</source>
        <translation>{} 没有 fp8 运算：该格式只缩小存储的权重</translation>
    </message>
    <message>
        <source>{} has no fp4 arithmetic: the format narrows stored weights only</source>
        <translation>{} 没有 fp4 运算：该格式只缩小存储的权重</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>One number per stage, or per stage and chunk in the order in which a micro-batch visits them; null: automatic, as the framework splits layers, or else balanced</source>
        <translation>每个阶段一个数，或按微批次经过的顺序每个阶段和块一个数；空值：自动，按框架的方式切分各层，否则均衡切分</translation>
    </message>
    <message>
        <source>Balance of automatic layers</source>
        <translation>自动分层的均衡</translation>
    </message>
    <message>
        <source>time: as the framework splits layers, or else so that the slowest stage is as fast as possible; memory: so that the fullest card is as empty as possible</source>
        <translation>time：按框架的方式切分各层，否则使最慢的阶段尽可能快；memory：使最满的卡尽可能空</translation>
    </message>
    <message>
        <source>Gradients on the host</source>
        <translation>主机上的梯度</translation>
    </message>
    <message>
        <source>share of the gradients in host memory</source>
        <translation>梯度在主机内存中的比例</translation>
    </message>
    <message>
        <source>Gradients reduced after</source>
        <translation>梯度归约时机</translation>
    </message>
    <message>
        <source>FSDP can accumulate micro-batches without reducing their gradients; it then keeps them whole until the last one.</source>
        <translation>FSDP 可以在不归约梯度的情况下累积微批次；此时它会完整保留梯度，直到最后一个微批次。</translation>
    </message>
    <message>
        <source>Update during backward</source>
        <translation>反向传播中更新</translation>
    </message>
    <message>
        <source>Each weight is updated as soon as its gradient is there, so that gradients never add up.</source>
        <translation>每个权重在梯度算出后立即更新，因此梯度不会累积。</translation>
    </message>
    <message>
        <source>Sub-group size</source>
        <translation>子组大小</translation>
    </message>
    <message>
        <source>parameters that DeepSpeed updates at once</source>
        <translation>DeepSpeed 一次更新的参数数</translation>
    </message>
    <message>
        <source>Quantizer</source>
        <translation>量化器</translation>
    </message>
    <message>
        <source>Scales quantized as well</source>
        <translation>缩放因子也量化</translation>
    </message>
    <message>
        <source>The scales of 4-bit weights are stored in 8 bits: 0.516 bytes a value instead of 0.5625.</source>
        <translation>4 位权重的缩放因子以 8 位存储：每个值 0.516 字节，而不是 0.5625 字节。</translation>
    </message>
    <message>
        <source>Dropout of the adapter</source>
        <translation>适配器的丢弃率</translation>
    </message>
    <message>
        <source>as the plan lists them</source>
        <translation>按方案列出的方式</translation>
    </message>
    <message>
        <source>evenly</source>
        <translation>平均</translation>
    </message>
    <message>
        <source>as torchtitan splits them, the embedding and the head counted as a layer each</source>
        <translation>按 torchtitan 的方式，嵌入层和输出头各计为一层</translation>
    </message>
    <message>
        <source>as DeepSpeed splits them, so that stages differ least in their parameters</source>
        <translation>按 DeepSpeed 的方式，使各阶段的参数量相差最小</translation>
    </message>
    <message>
        <source>so that the slowest stage is as fast as it can be</source>
        <translation>使最慢的阶段尽可能快</translation>
    </message>
    <message>
        <source>so that the fullest card is as empty as it can be</source>
        <translation>使最满的卡尽可能空</translation>
    </message>
    <message>
        <source>expert {}: tokens are sent between domains of {} cards, over the slow network; this costs {} s of the step&apos;s {} s</source>
        <translation>专家并行 {}：词元要经慢速网络在域（每个 {} 张卡）之间传送，为此多用 {} 秒（每步共 {} 秒）</translation>
    </message>
    <message>
        <source>expert {}: tokens are sent between nodes of {} cards, over the slow network; this costs {} s of the step&apos;s {} s</source>
        <translation>专家并行 {}：词元要经慢速网络在节点（每个 {} 张卡）之间传送，为此多用 {} 秒（每步共 {} 秒）</translation>
    </message>
    <message>
        <source>Counted from the reference&apos;s code; there is no published measurement of this tensor.</source>
        <translation>按参考实现的代码计数；没有公开的对该张量的测量。</translation>
    </message>
    <message>
        <source>The product back to the residual stream keeps its input, for the gradient of its weight.</source>
        <translation>回到残差流的乘积保留其输入，用于其权重的梯度。</translation>
    </message>
    <message>
        <source>Projection into the delta rule</source>
        <translation>进入 delta 规则的投影</translation>
    </message>
    <message>
        <source>The convolution keeps the projection that it reads: queries, keys, values, gates and decays.</source>
        <translation>卷积保留它读取的投影：查询、键、值、门和衰减。</translation>
    </message>
    <message>
        <source>Queries and keys of the delta rule</source>
        <translation>delta 规则的查询和键</translation>
    </message>
    <message>
        <source>Normalized queries and keys are kept by their norm and, copied for every value head, by the rule.</source>
        <translation>归一化后的查询和键由其归一化保留，并为每个值头复制后由规则保留。</translation>
    </message>
    <message>
        <source>Values and gate of the delta rule</source>
        <translation>delta 规则的值和门</translation>
    </message>
    <message>
        <source>The rule&apos;s kernel and the gate behind it each keep a contiguous copy.</source>
        <translation>规则的内核和其后的门各保留一份连续的副本。</translation>
    </message>
    <message>
        <source>Values of the delta rule</source>
        <translation>delta 规则的值</translation>
    </message>
    <message>
        <source>The rule&apos;s kernel keeps its values.</source>
        <translation>规则的内核保留其值。</translation>
    </message>
    <message>
        <source>Decays and output gate of Kimi delta attention</source>
        <translation>Kimi delta 注意力的衰减与输出门</translation>
    </message>
    <message>
        <source>Two low-rank products make a decay and a gate per channel; both are kept.</source>
        <translation>两个低秩乘积为每个通道产生衰减和门；两者都被保留。</translation>
    </message>
    <message>
        <source>Decays and chunk matrices of the delta rule</source>
        <translation>delta 规则的衰减与分块矩阵</translation>
    </message>
    <message>
        <source>Decays in fp32, write strengths, and for every chunk of 64 tokens the inverse of a triangle.</source>
        <translation>fp32 的衰减、写入强度，以及每 64 个词元一块的三角阵之逆。</translation>
    </message>
    <message>
        <source>Output of the delta rule</source>
        <translation>delta 规则的输出</translation>
    </message>
    <message>
        <source>The norm behind the rule keeps its input; the gate keeps the norm&apos;s output.</source>
        <translation>规则之后的归一化保留其输入；门保留归一化的结果。</translation>
    </message>
    <message>
        <source>Input of the delta rule&apos;s output product</source>
        <translation>delta 规则输出乘积的输入</translation>
    </message>
    <message>
        <source>Projection into Mamba-2</source>
        <translation>进入 Mamba-2 的投影</translation>
    </message>
    <message>
        <source>The memory-efficient kernel keeps its whole input and computes convolution and states again.</source>
        <translation>节省内存的内核保留其全部输入，并重新计算卷积和状态。</translation>
    </message>
    <message>
        <source>Output of Mamba-2&apos;s scan</source>
        <translation>Mamba-2 扫描的输出</translation>
    </message>
    <message>
        <source>The kernel keeps its output before the gate, and the norm behind it the gated output.</source>
        <translation>内核保留门之前的输出，其后的归一化保留过门的输出。</translation>
    </message>
    <message>
        <source>Input of Mamba-2&apos;s output product</source>
        <translation>Mamba-2 输出乘积的输入</translation>
    </message>
    <message>
        <source>Parts of the short convolution</source>
        <translation>短卷积的各部分</translation>
    </message>
    <message>
        <source>The projection&apos;s three parts are kept: two are multiplied before, one after the convolution.</source>
        <translation>投影的三个部分都被保留：两个在卷积之前相乘，一个在卷积之后。</translation>
    </message>
    <message>
        <source>Input and output of the short convolution</source>
        <translation>短卷积的输入与输出</translation>
    </message>
    <message>
        <source>The convolution keeps what it reads, the gate behind it what the convolution made.</source>
        <translation>卷积保留它读取的内容，其后的门保留卷积的结果。</translation>
    </message>
    <message>
        <source>Input of the short convolution&apos;s output product</source>
        <translation>短卷积输出乘积的输入</translation>
    </message>
    <message>
        <source>Gate of the attention output</source>
        <translation>注意力输出的门</translation>
    </message>
    <message>
        <source>A gate as wide as the queries scales attention&apos;s output; it is kept, and in 16 bits its product, which the output projection reads.</source>
        <translation>一个与查询同宽的门缩放注意力的输出；它被保留，在 16 位下其乘积也被保留，由输出投影读取。</translation>
    </message>
    <message>
        <source>Queries, keys and weights of the indexer</source>
        <translation>索引器的查询、键和权重</translation>
    </message>
    <message>
        <source>The indexer keeps its small queries, its one key and a weight per head for every token.</source>
        <translation>索引器为每个词元保留其小查询、唯一的键和每个头的一个权重。</translation>
    </message>
    <message>
        <source>Chosen tokens</source>
        <translation>选中的词元</translation>
    </message>
    <message>
        <source>For every query the numbers of the tokens that it may see, 4 bytes each.</source>
        <translation>每个查询可以看到的词元的编号，各 4 字节。</translation>
    </message>
    <message>
        <source>Latent output of the experts</source>
        <translation>专家的潜在输出</translation>
    </message>
    <message>
        <source>The product that widens what the experts return keeps its input.</source>
        <translation>展宽专家返回值的乘积保留其输入。</translation>
    </message>
    <message>
        <source>Output of the shared experts</source>
        <translation>共享专家的输出</translation>
    </message>
    <message>
        <source>The gate that scales the shared experts&apos; output keeps that output.</source>
        <translation>缩放共享专家输出的门保留该输出。</translation>
    </message>
    <message>
        <source>Recurrent states</source>
        <translation>循环状态</translation>
    </message>
    <message>
        <source>A server keeps one state per sequence of every recurrent layer, however long the sequence is, and what the layer&apos;s convolution still sees.</source>
        <translation>服务器为每个循环层的每个序列保留一个状态，不论序列多长，并保留该层的卷积仍能看到的内容。</translation>
    </message>
    <message>
        <source>Gradients in a recurrent layer</source>
        <translation>循环层中的梯度</translation>
    </message>
    <message>
        <source>The gradient of the whole projection exists at the same time as those of its parts.</source>
        <translation>整个投影的梯度与其各部分的梯度同时存在。</translation>
    </message>
    <message>
        <source>Projection of the prompt in a recurrent layer</source>
        <translation>提示在循环层中的投影</translation>
    </message>
    <message>
        <source>Gradient of the projection into the delta rule</source>
        <translation>进入 delta 规则的投影的梯度</translation>
    </message>
    <message>
        <source>Gradient of decays and output gate</source>
        <translation>衰减与输出门的梯度</translation>
    </message>
    <message>
        <source>Gradient of the delta rule&apos;s output product</source>
        <translation>delta 规则输出乘积的梯度</translation>
    </message>
    <message>
        <source>Gradient of the projection into Mamba-2</source>
        <translation>进入 Mamba-2 的投影的梯度</translation>
    </message>
    <message>
        <source>Gradient of Mamba-2&apos;s output product</source>
        <translation>Mamba-2 输出乘积的梯度</translation>
    </message>
    <message>
        <source>Gradient of the short convolution&apos;s projection</source>
        <translation>短卷积投影的梯度</translation>
    </message>
    <message>
        <source>Gradient of the short convolution&apos;s output product</source>
        <translation>短卷积输出乘积的梯度</translation>
    </message>
    <message>
        <source>Gradient of the experts&apos; latent input</source>
        <translation>专家潜在输入的梯度</translation>
    </message>
    <message>
        <source>Gradient of the experts&apos; widened output</source>
        <translation>专家展宽输出的梯度</translation>
    </message>
    <message>
        <source>Gathered input of the delta rule&apos;s projection</source>
        <translation>delta 规则投影的聚集输入</translation>
    </message>
    <message>
        <source>Gathered input of Mamba-2&apos;s projection</source>
        <translation>Mamba-2 投影的聚集输入</translation>
    </message>
    <message>
        <source>Gathered input of the short convolution&apos;s projection</source>
        <translation>短卷积投影的聚集输入</translation>
    </message>
    <message>
        <source>Backward pass of a recurrent layer</source>
        <translation>循环层的反向传播</translation>
    </message>
    <message>
        <source>The last layer&apos;s recurrence differentiates; the MLP&apos;s tensors are already freed.</source>
        <translation>最后一层的循环求导；MLP 的张量已经释放。</translation>
    </message>
    <message>
        <source>From h to queries, keys, values, gates and a decay and a write strength per value head.</source>
        <translation>从 h 到查询、键、值、门，以及每个值头的衰减和写入强度。</translation>
    </message>
    <message>
        <source>Convolution of the delta rule</source>
        <translation>delta 规则的卷积</translation>
    </message>
    <message>
        <source>A few weights for every channel of queries, keys and values.</source>
        <translation>查询、键和值的每个通道有几个权重。</translation>
    </message>
    <message>
        <source>Decay of the delta rule</source>
        <translation>delta 规则的衰减</translation>
    </message>
    <message>
        <source>One value per head.</source>
        <translation>每个头一个值。</translation>
    </message>
    <message>
        <source>Bias of the delta rule&apos;s decay</source>
        <translation>delta 规则衰减的偏置</translation>
    </message>
    <message>
        <source>One value per head, or per channel.</source>
        <translation>每个头或每个通道一个值。</translation>
    </message>
    <message>
        <source>Norm of the delta rule&apos;s output</source>
        <translation>delta 规则输出的归一化</translation>
    </message>
    <message>
        <source>A scale per feature of a value head.</source>
        <translation>值头的每个特征一个缩放。</translation>
    </message>
    <message>
        <source>Decays and gate, projection down</source>
        <translation>衰减与门，向下投影</translation>
    </message>
    <message>
        <source>From h to the rank of a head, twice.</source>
        <translation>从 h 到一个头的秩，两次。</translation>
    </message>
    <message>
        <source>Decays and gate, projection up</source>
        <translation>衰减与门，向上投影</translation>
    </message>
    <message>
        <source>From the rank of a head to every channel.</source>
        <translation>从一个头的秩到每个通道。</translation>
    </message>
    <message>
        <source>Output product of the delta rule</source>
        <translation>delta 规则的输出乘积</translation>
    </message>
    <message>
        <source>From all value heads back to h.</source>
        <translation>从所有值头回到 h。</translation>
    </message>
    <message>
        <source>From h to gate, input, what enters and leaves the state, and a step per head.</source>
        <translation>从 h 到门、输入、进出状态的量，以及每个头一个步长。</translation>
    </message>
    <message>
        <source>Convolution of Mamba-2</source>
        <translation>Mamba-2 的卷积</translation>
    </message>
    <message>
        <source>A few weights for every channel.</source>
        <translation>每个通道有几个权重。</translation>
    </message>
    <message>
        <source>Bias of Mamba-2&apos;s convolution</source>
        <translation>Mamba-2 卷积的偏置</translation>
    </message>
    <message>
        <source>One value per channel.</source>
        <translation>每个通道一个值。</translation>
    </message>
    <message>
        <source>Bias of Mamba-2&apos;s steps</source>
        <translation>Mamba-2 步长的偏置</translation>
    </message>
    <message>
        <source>Decay of Mamba-2</source>
        <translation>Mamba-2 的衰减</translation>
    </message>
    <message>
        <source>Skip of Mamba-2</source>
        <translation>Mamba-2 的跳连</translation>
    </message>
    <message>
        <source>Norm of Mamba-2&apos;s output</source>
        <translation>Mamba-2 输出的归一化</translation>
    </message>
    <message>
        <source>A scale per feature.</source>
        <translation>每个特征一个缩放。</translation>
    </message>
    <message>
        <source>Output product of Mamba-2</source>
        <translation>Mamba-2 的输出乘积</translation>
    </message>
    <message>
        <source>Projection into the short convolution</source>
        <translation>进入短卷积的投影</translation>
    </message>
    <message>
        <source>From h to three parts of h features.</source>
        <translation>从 h 到三个各 h 个特征的部分。</translation>
    </message>
    <message>
        <source>Short convolution</source>
        <translation>短卷积</translation>
    </message>
    <message>
        <source>Output product of the short convolution</source>
        <translation>短卷积的输出乘积</translation>
    </message>
    <message>
        <source>From h features back to h.</source>
        <translation>从 h 个特征回到 h。</translation>
    </message>
    <message>
        <source>Query projection of the indexer</source>
        <translation>索引器的查询投影</translation>
    </message>
    <message>
        <source>From the latent queries to the indexer&apos;s heads.</source>
        <translation>从潜在查询到索引器的各头。</translation>
    </message>
    <message>
        <source>Key projection of the indexer</source>
        <translation>索引器的键投影</translation>
    </message>
    <message>
        <source>From h to the indexer&apos;s one key.</source>
        <translation>从 h 到索引器唯一的键。</translation>
    </message>
    <message>
        <source>Head weights of the indexer</source>
        <translation>索引器的头权重</translation>
    </message>
    <message>
        <source>From h to one weight per head.</source>
        <translation>从 h 到每个头一个权重。</translation>
    </message>
    <message>
        <source>Key norm of the indexer</source>
        <translation>索引器的键归一化</translation>
    </message>
    <message>
        <source>A scale and a shift per feature of the key.</source>
        <translation>键的每个特征一个缩放和一个平移。</translation>
    </message>
    <message>
        <source>Projection into the experts&apos; latent</source>
        <translation>进入专家潜在空间的投影</translation>
    </message>
    <message>
        <source>From h to the width at which experts see a token.</source>
        <translation>从 h 到专家看到词元的宽度。</translation>
    </message>
    <message>
        <source>Projection out of the experts&apos; latent</source>
        <translation>离开专家潜在空间的投影</translation>
    </message>
    <message>
        <source>From the width at which experts see a token back to h.</source>
        <translation>从专家看到词元的宽度回到 h。</translation>
    </message>
    <message>
        <source>Gate of the shared experts</source>
        <translation>共享专家的门</translation>
    </message>
    <message>
        <source>From h to one value.</source>
        <translation>从 h 到一个值。</translation>
    </message>
    <message>
        <source>The weights that the passes multiply with: 2 bytes each in mixed precision, 4 in fp32 and under FSDP, whose sharded fp32 weights are the master copy. Where weights are gathered in fp8 or fp4, Megatron-Core keeps the layers&apos; matrices in that format alone.</source>
        <translation>前向和反向计算所用的权重：混合精度下每个 2 字节，fp32 以及 FSDP 下 4 字节（FSDP 切分的 fp32 权重就是主副本）。以 fp8 或 fp4 收集权重时，Megatron-Core 只以该格式保留各层的矩阵。</translation>
    </message>
    <message>
        <source>Dispatch buffers</source>
        <translation>分发缓冲区</translation>
    </message>
    <message>
        <source>DeepEP sends tokens to experts through buffers of its own: for every channel and every rank of the node, and between nodes for every node, as many tokens as may be sent ahead.</source>
        <translation>DeepEP 通过自己的缓冲区把词元发送给专家：每个通道、节点内的每个 rank（节点之间则为每个节点）各留出可以提前发送的词元数。</translation>
    </message>
    <message>
        <source>layers of {}: {}</source>
        <translation>{}层：{}</translation>
    </message>
    <message>
        <source>Layers of {}</source>
        <translation>{} 层</translation>
    </message>
    <message>
        <source>Recomputed layers of {}</source>
        <translation>重计算的{}层</translation>
    </message>
    <message>
        <source>waiting to learn how many tokens each expert gets</source>
        <translation>等待得知每个专家分到多少词元</translation>
    </message>
    <message>
        <source>{}: {} of {} over {} cards, {} in a domain, {}; exposed {}.</source>
        <translation>{}：{}，{}，{} 张卡，其中 {} 张在同一个域内，{}；未被掩盖 {}。</translation>
    </message>
    <message>
        <source>bytes of the buffers through which DeepEP sends tokens</source>
        <translation>DeepEP 发送词元所用缓冲区的字节数</translation>
    </message>
    <message>
        <source>layers of this stage that cache keys and values</source>
        <translation>本阶段缓存键和值的层</translation>
    </message>
    <message>
        <source>bytes that the recurrent layers of this stage keep of a sequence on this card</source>
        <translation>本阶段的循环层在本卡上为一个序列保留的字节数</translation>
    </message>
    <message>
        <source>the kind of every layer</source>
        <translation>每一层的种类</translation>
    </message>
    <message>
        <source>mamba, attention, mlp or moe</source>
        <translation>mamba、attention、mlp 或 moe</translation>
    </message>
    <message>
        <source>Megatron-LM lists layers of attention and of gated delta net, and no others</source>
        <translation>Megatron-LM 只列出注意力层和门控 delta 网络层，没有其他种类</translation>
    </message>
    <message>
        <source>Megatron-LM&apos;s patterns have Mamba-2, gated delta net, attention, MLPs and experts, and no others</source>
        <translation>Megatron-LM 的模式只有 Mamba-2、门控 delta 网络、注意力、MLP 和专家，没有其他种类</translation>
    </message>
    <message>
        <source>written only together with layers that use it</source>
        <translation>只与使用它的层一起写出</translation>
    </message>
    <message>
        <source>Megatron-LM has no layers of short convolutions</source>
        <translation>Megatron-LM 没有短卷积层</translation>
    </message>
    <message>
        <source>Megatron-LM has no option for it; fp8_dot_product_attention stands in Megatron-Core&apos;s configuration</source>
        <translation>Megatron-LM 没有这个选项；Megatron-Core 的配置中有 fp8_dot_product_attention</translation>
    </message>
    <message>
        <source>Megatron-LM has no option for it; activation_func_fp8_input_store stands in Megatron-Core&apos;s configuration</source>
        <translation>Megatron-LM 没有这个选项；Megatron-Core 的配置中有 activation_func_fp8_input_store</translation>
    </message>
    <message>
        <source>Megatron-LM always computes the loss on divided logits</source>
        <translation>Megatron-LM 总是在切分的 logits 上计算损失</translation>
    </message>
    <message>
        <source>a plan keeps master weights in fp32</source>
        <translation>计划以 fp32 保存主权重</translation>
    </message>
    <message>
        <source>plans have one format for both moments; the wider one is used</source>
        <translation>方案中两个动量只有一种格式；使用较宽的一种</translation>
    </message>
    <message>
        <source>plans record graphs of attention and router, or of whole layers; {} is used</source>
        <translation>方案只能录制注意力和路由的图，或者整层的图；使用 {}</translation>
    </message>
    <message>
        <source>plans do not support it; hybridep is used</source>
        <translation>方案不支持它；使用 hybridep</translation>
    </message>
    <message>
        <source>only the letters M, G, *, - and E</source>
        <translation>只能是字母 M、G、*、- 和 E</translation>
    </message>
    <message>
        <source>a list with the kind of every layer</source>
        <translation>列出每一层种类的列表</translation>
    </message>
    <message>
        <source>torchtitan records whole steps, or nothing</source>
        <translation>torchtitan 要么录制整步，要么不录制</translation>
    </message>
    <message>
        <source>torchtitan&apos;s moments are made like the weights</source>
        <translation>torchtitan 的动量与权重同格式</translation>
    </message>
    <message>
        <source>torchtitan has alltoall, deepep and hybridep</source>
        <translation>torchtitan 有 alltoall、deepep 和 hybridep</translation>
    </message>
    <message>
        <source>plans do not support it; alltoall is used</source>
        <translation>方案不支持它；使用 alltoall</translation>
    </message>
    <message>
        <source>the presets that ship with Cardfit are missing. They were looked for in {}; CARDFIT_PRESETS may name another folder</source>
        <translation>缺少 Cardfit 自带的预设。已在以下位置查找：{}；可以用 CARDFIT_PRESETS 指定另一个文件夹</translation>
    </message>
    <message>
        <source>expected lower-case letters and digits, joined by single hyphens or points, such as &quot;my-cluster-2&quot;</source>
        <translation>应为小写字母和数字，以单个连字符或点相连，例如“my-cluster-2”</translation>
    </message>
    <message>
        <source>another preset of yours has this id</source>
        <translation>您的另一个预设已用了这个 id</translation>
    </message>
    <message>
        <source>only presets of your own are deleted</source>
        <translation>只能删除您自己的预设</translation>
    </message>
    <message>
        <source>experts</source>
        <translation>专家</translation>
    </message>
    <message>
        <source>MLP</source>
        <translation>MLP</translation>
    </message>
    <message>
        <source>attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>attention and experts</source>
        <translation>注意力与专家</translation>
    </message>
    <message>
        <source>attention and MLP</source>
        <translation>注意力与 MLP</translation>
    </message>
    <message>
        <source>windowed attention</source>
        <translation>窗口注意力</translation>
    </message>
    <message>
        <source>windowed attention and experts</source>
        <translation>窗口注意力与专家</translation>
    </message>
    <message>
        <source>windowed attention and MLP</source>
        <translation>窗口注意力与 MLP</translation>
    </message>
    <message>
        <source>gated delta net</source>
        <translation>门控 delta 网络</translation>
    </message>
    <message>
        <source>gated delta net and experts</source>
        <translation>门控 delta 网络与专家</translation>
    </message>
    <message>
        <source>gated delta net and MLP</source>
        <translation>门控 delta 网络与 MLP</translation>
    </message>
    <message>
        <source>Kimi delta attention</source>
        <translation>Kimi delta 注意力</translation>
    </message>
    <message>
        <source>Kimi delta attention and experts</source>
        <translation>Kimi delta 注意力与专家</translation>
    </message>
    <message>
        <source>Kimi delta attention and MLP</source>
        <translation>Kimi delta 注意力与 MLP</translation>
    </message>
    <message>
        <source>Mamba-2</source>
        <translation>Mamba-2</translation>
    </message>
    <message>
        <source>Mamba-2 and experts</source>
        <translation>Mamba-2 与专家</translation>
    </message>
    <message>
        <source>Mamba-2 and MLP</source>
        <translation>Mamba-2 与 MLP</translation>
    </message>
    <message>
        <source>short convolution</source>
        <translation>短卷积</translation>
    </message>
    <message>
        <source>short convolution and experts</source>
        <translation>短卷积与专家</translation>
    </message>
    <message>
        <source>short convolution and MLP</source>
        <translation>短卷积与 MLP</translation>
    </message>
    <message>
        <source>experts see {} of {} features</source>
        <translation>专家看到 {} 个特征（共 {} 个）</translation>
    </message>
    <message>
        <source>an indexer picks {} tokens for every query</source>
        <translation>索引器为每个查询选出 {} 个词元</translation>
    </message>
    <message>
        <source>tensor {} spans NVLink domains of {} cards: every layer waits for the slow links</source>
        <translation>张量并行 {} 跨越每个 {} 张卡的 NVLink 域：每一层都要等待慢速链路</translation>
    </message>
    <message>
        <source>width at which experts see a token</source>
        <translation>专家看到词元的宽度</translation>
    </message>
    <message>
        <source>one letter a layer: M Mamba-2, G linear attention, * attention, W windowed attention, C short convolution, - MLP, E experts; after a slash the layers of one prediction depth</source>
        <translation>每层一个字母：M Mamba-2，G 线性注意力，* 注意力，W 窗口注意力，C 短卷积，- MLP，E 专家；斜杠之后是一个预测深度的各层</translation>
    </message>
    <message>
        <source>how each layer mixes tokens, before its MLP or experts</source>
        <translation>每层在 MLP 或专家之前如何混合词元</translation>
    </message>
    <message>
        <source>key heads of linear attention</source>
        <translation>线性注意力的键头</translation>
    </message>
    <message>
        <source>value heads of linear attention</source>
        <translation>线性注意力的值头</translation>
    </message>
    <message>
        <source>size of a key head of linear attention</source>
        <translation>线性注意力一个键头的大小</translation>
    </message>
    <message>
        <source>size of a value head of linear attention</source>
        <translation>线性注意力一个值头的大小</translation>
    </message>
    <message>
        <source>heads of Mamba-2</source>
        <translation>Mamba-2 的头</translation>
    </message>
    <message>
        <source>size of a head of Mamba-2</source>
        <translation>Mamba-2 一个头的大小</translation>
    </message>
    <message>
        <source>groups of heads of Mamba-2</source>
        <translation>Mamba-2 的头组</translation>
    </message>
    <message>
        <source>size of a state of Mamba-2</source>
        <translation>Mamba-2 一个状态的大小</translation>
    </message>
    <message>
        <source>heads of the indexer</source>
        <translation>索引器的头</translation>
    </message>
    <message>
        <source>size of a head of the indexer</source>
        <translation>索引器一个头的大小</translation>
    </message>
    <message>
        <source>Nodes per NVLink domain</source>
        <translation>每个 NVLink 域的节点数</translation>
    </message>
    <message>
        <source>Neighbouring nodes on one fast network, as many as the run uses: 16 trays of 4 cards are 64 of an NVL72&apos;s 72; 1: every node is its own domain</source>
        <translation>同一高速网络上相邻的节点数，按运行实际使用的数目计：16 个 4 卡托盘即 NVL72 的 72 张卡中的 64 张；1：每个节点自成一个域</translation>
    </message>
    <message>
        <source>Between nodes of a domain, per card</source>
        <translation>域内节点之间，每张卡</translation>
    </message>
    <message>
        <source>Latency between nodes of a domain</source>
        <translation>域内节点之间的延迟</translation>
    </message>
    <message>
        <source>Order of ranks</source>
        <translation>秩的排列顺序</translation>
    </message>
    <message>
        <source>Which groups are on neighbouring cards, from the innermost</source>
        <translation>哪些组位于相邻的卡上，从最内层起</translation>
    </message>
    <message>
        <source>Attention in fp8</source>
        <translation>注意力使用 fp8</translation>
    </message>
    <message>
        <source>Scores and their product with the values are multiplied in fp8 as well.</source>
        <translation>注意力分数及其与值的乘积也用 fp8 计算。</translation>
    </message>
    <message>
        <source>Weights gathered in fp8</source>
        <translation>以 fp8 收集权重</translation>
    </message>
    <message>
        <source>Replicas gather weights in the format of the products; Megatron-Core then keeps no 16-bit copy of them.</source>
        <translation>各副本以矩阵乘法的格式收集权重；Megatron-Core 此时不再保留 16 位副本。</translation>
    </message>
    <message>
        <source>Weights gathered in fp4</source>
        <translation>以 fp4 收集权重</translation>
    </message>
    <message>
        <source>Replicas gather the weights of nvfp4 products in fp4, and keep no 16-bit copy of them.</source>
        <translation>各副本以 fp4 收集 nvfp4 矩阵乘法的权重，并且不保留其 16 位副本。</translation>
    </message>
    <message>
        <source>Moments</source>
        <translation>动量</translation>
    </message>
    <message>
        <source>Loss parallel</source>
        <translation>损失并行</translation>
    </message>
    <message>
        <source>Logits stay divided over the tensor-parallel cards; otherwise each holds all of them.</source>
        <translation>logits 保持切分在张量并行的各卡上；否则每张卡都持有全部 logits。</translation>
    </message>
    <message>
        <source>Activation inputs in fp8</source>
        <translation>激活输入使用 fp8</translation>
    </message>
    <message>
        <source>SwiGLU&apos;s input is kept in fp8 for the backward pass, whatever it was computed in.</source>
        <translation>SwiGLU 的输入无论以何种格式计算，都以 fp8 保留给反向传播。</translation>
    </message>
    <message>
        <source>CUDA graphs of</source>
        <translation>CUDA 图范围</translation>
    </message>
    <message>
        <source>What a step replays as recorded graphs, so that the host need not launch its kernels one by one.</source>
        <translation>一步中以录制好的图重放的部分，主机因此不必逐个启动内核。</translation>
    </message>
    <message>
        <source>Experts&apos; MLP fused</source>
        <translation>专家 MLP 融合</translation>
    </message>
    <message>
        <source>Each product of the experts is one kernel with the activation and the quantization around it.</source>
        <translation>专家的每个矩阵乘法与其前后的激活和量化合为一个内核。</translation>
    </message>
    <message>
        <source>channels of the short convolution</source>
        <translation>短卷积的通道</translation>
    </message>
    <message>
        <source>a model&apos;s layers are listed by a pattern or by their types, not by both</source>
        <translation>模型的各层要么由模式列出，要么由类型列出，不能两者都用</translation>
    </message>
    <message>
        <source>{} in the pattern of layers is none of M G * W C - E</source>
        <translation>层的模式中的 {} 不属于 M G * W C - E</translation>
    </message>
    <message>
        <source>{} layers are listed one by one, the model has {}</source>
        <translation>逐一列出了 {} 层，模型有 {} 层</translation>
    </message>
    <message>
        <source>the model has layers of {} and does not say their sizes: {}</source>
        <translation>模型有{}层，却没有说明其大小：{}</translation>
    </message>
    <message>
        <source>{} heads of Mamba-2 do not split into {} groups</source>
        <translation>Mamba-2 的 {} 个头不能均分为 {} 组</translation>
    </message>
    <message>
        <source>{} value heads of linear attention cannot share {} key heads evenly</source>
        <translation>线性注意力的 {} 个值头不能均分共享 {} 个键头</translation>
    </message>
    <message>
        <source>context {}: {} {} per tensor rank / {} leave {}</source>
        <translation>上下文 {}：每个张量秩 {} 个{} / {} 余 {}</translation>
    </message>
    <message>
        <source>the dispatcher gathers all tokens; it must be alltoall, deepep or hybridep</source>
        <translation>该分发器收集全部词元；必须是 alltoall、deepep 或 hybridep</translation>
    </message>
    <message>
        <source>the model has no experts and so no router</source>
        <translation>模型没有专家，也就没有路由</translation>
    </message>
    <message>
        <source>layers whose experts take any number of tokens have no fixed shapes; attention+router records the rest</source>
        <translation>专家可接收任意数量词元的层没有固定形状；attention+router 录制其余部分</translation>
    </message>
    <message>
        <source>the host waits for the number of tokens of each expert; only hybridep keeps that number on the card</source>
        <translation>主机要等待每个专家的词元数；只有 hybridep 把这个数留在卡上</translation>
    </message>
    <message>
        <source>the experts&apos; products take their sizes from the host unless their MLP is fused</source>
        <translation>除非专家 MLP 融合，否则专家的矩阵乘法要从主机得到大小</translation>
    </message>
    <message>
        <source>with full recomputation Megatron-Core records whole steps only (full_iteration)</source>
        <translation>完全重计算时 Megatron-Core 只能录制整步（full_iteration）</translation>
    </message>
    <message>
        <source>expert layers are recomputed, and the router is part of them</source>
        <translation>专家层会重计算，而路由是其中一部分</translation>
    </message>
    <message>
        <source>recomputed attention with dropout needs new random numbers, which a graph does not draw</source>
        <translation>带 dropout 的注意力重计算需要新的随机数，而图不会抽取</translation>
    </message>
    <message>
        <source>graphs of layers cannot be combined with activations on the host</source>
        <translation>按层的图不能与激活卸载到主机同时使用</translation>
    </message>
    <message>
        <source>overlapping the experts&apos; communication splits layers into parts, so they cannot be recorded whole</source>
        <translation>重叠专家通信会把层拆成几部分，因此不能整层录制</translation>
    </message>
    <message>
        <source>PyTorch&apos;s trainers record whole steps only (full_iteration)</source>
        <translation>PyTorch 的训练器只录制整步（full_iteration）</translation>
    </message>
    <message>
        <source>torchtitan records no step of a pipeline</source>
        <translation>torchtitan 不录制流水线的步</translation>
    </message>
    <message>
        <source>DeepSpeed records no graphs of training steps</source>
        <translation>DeepSpeed 不录制训练步的图</translation>
    </message>
    <message>
        <source>only TransformerEngine&apos;s kernels under Megatron-Core have it</source>
        <translation>只有 Megatron-Core 下的 TransformerEngine 内核支持</translation>
    </message>
    <message>
        <source>it requires precision fp8, mxfp8 or nvfp4; the precision is {}</source>
        <translation>它需要精度 fp8、mxfp8 或 nvfp4；现在的精度为 {}</translation>
    </message>
    <message>
        <source>attention {} multiplies in 16 bits; fused has kernels for it</source>
        <translation>注意力 {} 以 16 位计算；fused 有相应内核</translation>
    </message>
    <message>
        <source>there are kernels for Hopper and Blackwell, none for {}</source>
        <translation>只有 Hopper 和 Blackwell 有内核，{} 没有</translation>
    </message>
    <message>
        <source>DeepSpeed gathers weights in 16 bits</source>
        <translation>DeepSpeed 以 16 位收集权重</translation>
    </message>
    <message>
        <source>the products are not in fp8, the precision is {}</source>
        <translation>矩阵乘法不是 fp8，精度为 {}</translation>
    </message>
    <message>
        <source>every replica keeps its own weights; nothing is gathered</source>
        <translation>每个副本保有自己的权重；没有收集</translation>
    </message>
    <message>
        <source>only TransformerEngine keeps weights in fp8</source>
        <translation>只有 TransformerEngine 以 fp8 保存权重</translation>
    </message>
    <message>
        <source>with the optimizer on the host it requires precision fp8</source>
        <translation>优化器在主机上时只能用于精度 fp8</translation>
    </message>
    <message>
        <source>the products are not in fp4, the precision is {}</source>
        <translation>矩阵乘法不是 fp4，精度为 {}</translation>
    </message>
    <message>
        <source>DeepSpeed exchanges tokens by alltoall only</source>
        <translation>DeepSpeed 只用 alltoall 交换词元</translation>
    </message>
    <message>
        <source>every card holds all experts of its layers, so no tokens are sent</source>
        <translation>每张卡都持有其各层的全部专家，因此不发送词元</translation>
    </message>
    <message>
        <source>it is set up for groups of {} ranks, not of {}</source>
        <translation>它为 {} 个 rank 的组设置，而不是 {} 个</translation>
    </message>
    <message>
        <source>it does not fill experts up to a capacity</source>
        <translation>它不会把专家填充到容量</translation>
    </message>
    <message>
        <source>only Megatron-Core has it</source>
        <translation>只有 Megatron-Core 支持</translation>
    </message>
    <message>
        <source>it is made for SwiGLU only</source>
        <translation>它只适用于 SwiGLU</translation>
    </message>
    <message>
        <source>the experts&apos; products have to be grouped</source>
        <translation>专家的矩阵乘法必须分组</translation>
    </message>
    <message>
        <source>optimizer {} fixes the format of its moments; with adam it can be chosen</source>
        <translation>优化器 {} 的动量格式是固定的；adam 的可以选择</translation>
    </message>
    <message>
        <source>{} keeps moments in the format of the weights that they update</source>
        <translation>{} 以所更新权重的格式保存动量</translation>
    </message>
    <message>
        <source>Megatron-Core has it in its distributed optimizer (zero1) only</source>
        <translation>Megatron-Core 只在其分布式优化器（zero1）中支持</translation>
    </message>
    <message>
        <source>dispatcher {}</source>
        <translation>分发器 {}</translation>
    </message>
    <message>
        <source>dispatcher {} has no kernels for {}; frameworks fall back to alltoall</source>
        <translation>分发器 {} 没有用于 {} 的内核；框架会退回 alltoall</translation>
    </message>
    <message>
        <source>CUDA graphs {}</source>
        <translation>CUDA 图 {}</translation>
    </message>
    <message>
        <source>attention in fp8</source>
        <translation>fp8 注意力</translation>
    </message>
    <message>
        <source>gathering weights in fp8</source>
        <translation>以 fp8 收集权重</translation>
    </message>
    <message>
        <source>gathering weights in fp4</source>
        <translation>以 fp4 收集权重</translation>
    </message>
    <message>
        <source>moments in {}</source>
        <translation>{} 动量</translation>
    </message>
    <message>
        <source>activation inputs in fp8</source>
        <translation>fp8 激活输入</translation>
    </message>
    <message>
        <source>fusing the experts&apos; MLP</source>
        <translation>融合专家 MLP</translation>
    </message>
    <message>
        <source>the experts&apos; MLP is fused in mxfp8 and nvfp4 on Blackwell; elsewhere the same setting runs separate kernels</source>
        <translation>专家 MLP 在 Blackwell 上以 mxfp8 和 nvfp4 融合；在其他情况下同一设置运行分开的内核</translation>
    </message>
    <message>
        <source>Megatron-Core always computes the loss on divided logits; with PyTorch they can be gathered first</source>
        <translation>Megatron-Core 总是在切分的 logits 上计算损失；PyTorch 可以先收集</translation>
    </message>
    <message>
        <source>expected letters beyond ASCII in quotes or comments only</source>
        <translation>ASCII 以外的字符只能出现在引号或注释中</translation>
    </message>
    <message>
        <source>expected one YAML document, found none</source>
        <translation>应有一个 YAML 文档，但没有找到</translation>
    </message>
    <message>
        <source>expected one YAML document, found more</source>
        <translation>应只有一个 YAML 文档，但找到多个</translation>
    </message>
    <message>
        <source>Cache of the server</source>
        <translation>服务器的缓存</translation>
    </message>
    <message>
        <source>What the server&apos;s share of a card leaves to keys and values once weights, the largest forward pass and what is outside the allocator are taken off.</source>
        <translation>从服务器占用的显存中减去权重、最大的前向传播以及分配器之外的部分后，留给键和值的空间。</translation>
    </message>
    <message>
        <source>Tokens in the cache</source>
        <translation>缓存中的词元</translation>
    </message>
    <message>
        <source>Tokens whose keys and values the cache of one replica holds at once, in whole blocks, where all sequences have the plan&apos;s length.</source>
        <translation>所有序列均为计划长度时，一个副本的缓存可同时保存键和值的词元数，按整块计。</translation>
    </message>
    <message>
        <source>Sequences in the cache</source>
        <translation>缓存中的序列</translation>
    </message>
    <message>
        <source>Sequences of the plan&apos;s length that the cache of one replica holds at once.</source>
        <translation>一个副本的缓存可同时容纳的、具有计划长度的序列数。</translation>
    </message>
    <message>
        <source>Prefix sharing, which lets more in, and the bound on sequences at once (max_num_seqs).</source>
        <translation>前缀共享（可容纳更多），以及同时处理的序列上限（max_num_seqs）。</translation>
    </message>
    <message>
        <source>Longest context</source>
        <translation>最长上下文</translation>
    </message>
    <message>
        <source>Tokens of a single sequence that takes all of the cache.</source>
        <translation>单个序列占用全部缓存时的词元数。</translation>
    </message>
    <message>
        <source>The sequence length that the model was made for.</source>
        <translation>模型设计支持的长度。</translation>
    </message>
    <message>
        <source>The server&apos;s share of the card</source>
        <translation>服务器占用的显存</translation>
    </message>
    <message>
        <source>The largest forward pass, and buffers</source>
        <translation>最大的前向传播，以及缓冲区</translation>
    </message>
    <message>
        <source>Outside the allocator</source>
        <translation>分配器之外</translation>
    </message>
    <message>
        <source>share of a card that the server fills</source>
        <translation>服务器占用的显存比例</translation>
    </message>
    <message>
        <source>bytes of a card</source>
        <translation>一张卡的字节数</translation>
    </message>
    <message>
        <source>Stage {} has the least room: {} tokens.</source>
        <translation>阶段 {} 的空间最小：{} 个词元。</translation>
    </message>
    <message>
        <source>tokens of a block of the cache</source>
        <translation>缓存中一块的词元数</translation>
    </message>
    <message>
        <source>blocks in the cache, of sequences at the plan&apos;s length</source>
        <translation>缓存中的块数，序列为计划长度</translation>
    </message>
    <message>
        <source>blocks of one sequence that has all of the cache</source>
        <translation>独占全部缓存的单个序列的块数</translation>
    </message>
    <message>
        <source>bytes of the cache</source>
        <translation>缓存的字节数</translation>
    </message>
    <message>
        <source>bytes that a sequence of the plan&apos;s length takes, in whole blocks</source>
        <translation>计划长度的一个序列占用的字节数，按整块计</translation>
    </message>
    <message>
        <source>tokens of a prompt in one forward pass</source>
        <translation>一次前向传播中提示的词元数</translation>
    </message>
    <message>
        <source>plans do not support it; every card holds the whole model</source>
        <translation>方案不支持它；每张卡都有完整模型</translation>
    </message>
    <message>
        <source>a multiple of the {} machines</source>
        <translation>{} 台机器的倍数</translation>
    </message>
    <message>
        <source>filled in when the trainer starts; 1 is used</source>
        <translation>训练器启动时填入；使用 1</translation>
    </message>
    <message>
        <source>another file; import it as well</source>
        <translation>另一个文件；其内容请同样导入</translation>
    </message>
    <message>
        <source>plans do not support sharding inside a node only; {} is used</source>
        <translation>方案不支持只在节点内分片；使用 {}</translation>
    </message>
    <message>
        <source>Axolotl trains it</source>
        <translation>Axolotl 训练的就是它</translation>
    </message>
    <message>
        <source>not given; {} tokens are used</source>
        <translation>未指定；使用 {} 个词元</translation>
    </message>
    <message>
        <source>samples vary in length; all are counted as full length</source>
        <translation>样本长度不一；均按全长计</translation>
    </message>
    <message>
        <source>a pattern; all linear layers are used</source>
        <translation>一个模式；使用所有线性层</translation>
    </message>
    <message>
        <source>frozen weights without an adapter; all weights are taken as trained</source>
        <translation>冻结权重但没有适配器；视为训练全部权重</translation>
    </message>
    <message>
        <source>plans do not support it; lora is used</source>
        <translation>方案不支持它；使用 lora</translation>
    </message>
    <message>
        <source>true, false or auto</source>
        <translation>true、false 或 auto</translation>
    </message>
    <message>
        <source>another file; its name suggests {}. Import it as well for the rest</source>
        <translation>另一个文件；从名称推断为 {}。其余内容请另行导入</translation>
    </message>
    <message>
        <source>true, false or offload</source>
        <translation>true、false 或 offload</translation>
    </message>
    <message>
        <source>a plan&apos;s eager kernels are PyTorch&apos;s own; the estimate keeps what these keep</source>
        <translation>计划的 eager 内核是 PyTorch 自带的；估算保留它们所保留的内容</translation>
    </message>
    <message>
        <source>torchtune</source>
        <translation>torchtune</translation>
    </message>
    <message>
        <source>a configuration of torchtune</source>
        <translation>torchtune 的配置</translation>
    </message>
    <message>
        <source>Axolotl</source>
        <translation>Axolotl</translation>
    </message>
    <message>
        <source>a configuration of Axolotl</source>
        <translation>Axolotl 的配置</translation>
    </message>
    <message>
        <source>Accelerate</source>
        <translation>Accelerate</translation>
    </message>
    <message>
        <source>the configuration of Accelerate</source>
        <translation>Accelerate 的配置</translation>
    </message>
    <message>
        <source>vLLM</source>
        <translation>vLLM</translation>
    </message>
    <message>
        <source>vLLM command</source>
        <translation>vLLM 命令</translation>
    </message>
    <message>
        <source>expected an inference task; {} does not support training</source>
        <translation>应为推理任务；{} 不支持训练</translation>
    </message>
    <message>
        <source>unknown model; {} is kept. Select another with --model (a config.json or a preset)</source>
        <translation>未知模型；保留 {}。可用 --model 选择其他模型（config.json 或预设）</translation>
    </message>
    <message>
        <source>plans have no adapters for this module</source>
        <translation>方案没有用于这个模块的适配器</translation>
    </message>
    <message>
        <source>taken out</source>
        <translation>已去掉</translation>
    </message>
    <message>
        <source>added</source>
        <translation>已添加</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>已改动</translation>
    </message>
    <message>
        <source>was {}</source>
        <translation>原为 {}</translation>
    </message>
    <message>
        <source>could not be written into the text</source>
        <translation>无法写入文本</translation>
    </message>
    <message>
        <source>could not be taken out of the text</source>
        <translation>无法从文本中去掉</translation>
    </message>
    <message>
        <source>not given, so samples vary in length; {} tokens are used</source>
        <translation>未指定，因此样本长度不一；使用 {} 个词元</translation>
    </message>
    <message>
        <source>torchtune names the model&apos;s builder there</source>
        <translation>torchtune 在此指定模型的构造函数</translation>
    </message>
    <message>
        <source>its magnitudes are left out: a vector for each product</source>
        <translation>未计其幅值：每个乘积一个向量</translation>
    </message>
    <message>
        <source>torchtune trains in bf16 and fp32; bf16 is taken</source>
        <translation>torchtune 以 bf16 和 fp32 训练；取 bf16</translation>
    </message>
    <message>
        <source>only parts are compiled; read as compiling everything</source>
        <translation>只编译了部分；按全部编译读取</translation>
    </message>
    <message>
        <source>plans do not support it; cross entropy is used</source>
        <translation>方案不支持它；使用交叉熵</translation>
    </message>
    <message>
        <source>not in the command; the starting plan&apos;s model is used</source>
        <translation>命令未指定；使用起始方案的模型</translation>
    </message>
    <message>
        <source>more cards together than any cluster has</source>
        <translation>合计的卡数超过任何集群</translation>
    </message>
    <message>
        <source>a number such as 8192 or 16k</source>
        <translation>一个数，如 8192 或 16k</translation>
    </message>
    <message>
        <source>at most {} sequences</source>
        <translation>最多 {} 个序列</translation>
    </message>
    <message>
        <source>blocks of {} tokens are counted</source>
        <translation>按每块 {} 个词元计</translation>
    </message>
    <message>
        <source>its name suggests a checkpoint in {}</source>
        <translation>从名称推断检查点的格式为 {}</translation>
    </message>
    <message>
        <source>plans do not support it; 16 bits are used</source>
        <translation>方案不支持它；使用 16 位</translation>
    </message>
    <message>
        <source>the estimate counts no CUDA graphs either way</source>
        <translation>估算在两种情况下都不计 CUDA 图</translation>
    </message>
    <message>
        <source>as many of full length as the cache of a replica holds</source>
        <translation>一个副本的缓存可容纳的全长序列数</translation>
    </message>
    <message>
        <source>put the name of its checkpoint here</source>
        <translation>在此填入其检查点的名称</translation>
    </message>
    <message>
        <source>vLLM takes as many cards as its degrees need</source>
        <translation>vLLM 按其并行度所需使用卡</translation>
    </message>
    <message>
        <source>vLLM admits what its cache holds</source>
        <translation>vLLM 接纳其缓存所能容纳的序列</translation>
    </message>
    <message>
        <source>vLLM makes up its batches itself</source>
        <translation>vLLM 自行组成批次</translation>
    </message>
    <message>
        <source>a server has no budget of tokens</source>
        <translation>服务器没有词元预算</translation>
    </message>
    <message>
        <source>not written: vLLM divides the context of decoding only</source>
        <translation>未写出：vLLM 只划分解码的上下文</translation>
    </message>
    <message>
        <source>vLLM caches in 16 bits or fp8</source>
        <translation>vLLM 以 16 位或 fp8 缓存</translation>
    </message>
    <message>
        <source>the checkpoint that is served decides</source>
        <translation>由所服务的检查点决定</translation>
    </message>
    <message>
        <source>a training recipe, or vLLM&apos;s own choice</source>
        <translation>训练配方，或由 vLLM 自行选择</translation>
    </message>
    <message>
        <source>vLLM has no such degree</source>
        <translation>vLLM 没有这种并行度</translation>
    </message>
    <message>
        <source>expected at most {} levels, found more</source>
        <translation>应最多 {} 层，实际更多</translation>
    </message>
    <message>
        <source>expected at most {} values, found more</source>
        <translation>应最多 {} 个值，实际更多</translation>
    </message>
    <message>
        <source>expected a key that is a text, found a list or a map</source>
        <translation>应为文本键，实际为列表或映射</translation>
    </message>
    <message>
        <source>expected each key once, found {} again</source>
        <translation>每个键应只出现一次，{} 重复出现</translation>
    </message>
    <message>
        <source>expected keys with values, found something else</source>
        <translation>应为带值的键，实际为其他内容</translation>
    </message>
    <message>
        <source>Cache of one replica</source>
        <translation>一个副本的缓存</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>any length: no layer keeps all tokens</source>
        <translation>任意长度：没有层保留所有词元</translation>
    </message>
    <message>
        <source>{} tokens for one sequence alone; the model was made for {}</source>
        <translation>单个序列 {} 个词元；模型设计支持 {}</translation>
    </message>
    <message>
        <source>{} tokens for one sequence alone</source>
        <translation>单个序列 {} 个词元</translation>
    </message>
    <message>
        <source>Cache</source>
        <translation>缓存</translation>
    </message>
    <message>
        <source>none: {} % of a card is {}, which is {} less than weights ({}), a forward pass ({}) and memory outside the allocator ({}) need</source>
        <translation>无：卡的 {} % 为 {}，少 {}：权重（{}）、一次前向传播（{}）和分配器之外的部分（{}）占用更多</translation>
    </message>
    <message>
        <source>{} tokens in {}: {} % of a card is {}, minus weights {}, a forward pass {} and {} outside the allocator</source>
        <translation>{} 个词元，占 {}：卡的 {} % 为 {}，减去权重 {}、一次前向传播 {} 和分配器之外的 {}</translation>
    </message>
    <message>
        <source>Sequences</source>
        <translation>序列</translation>
    </message>
    <message>
        <source>{} of {} tokens fit at once; the server admits {} of them (max_num_seqs)</source>
        <translation>可同时容纳 {} 个（每个 {} 词元），其中服务器接纳 {} 个（max_num_seqs）</translation>
    </message>
    <message>
        <source>{} of {} tokens fit at once, {} each</source>
        <translation>可同时容纳 {} 个（每个 {} 词元），每个 {}</translation>
    </message>
    <message>
        <source>With more cards</source>
        <translation>使用更多卡</translation>
    </message>
    <message>
        <source>tensor {} ({} cards instead of {}) still leaves nothing for the cache</source>
        <translation>张量并行 {}（{} 张卡，原为 {} 张）仍不留缓存空间</translation>
    </message>
    <message>
        <source>tensor {} ({} cards instead of {}): {} tokens, {} times as many; {} sequences; {}</source>
        <translation>张量并行 {}（{} 张卡，原为 {} 张）：{} 个词元，为 {} 倍；{} 个序列；{}</translation>
    </message>
    <message>
        <source>tensor {} ({} cards instead of {}): {} tokens; {} sequences; {}</source>
        <translation>张量并行 {}（{} 张卡，原为 {} 张）：{} 个词元；{} 个序列；{}</translation>
    </message>
    <message>
        <source>nf4 is a format for inference; to train adapters of such a model, use the task qlora</source>
        <translation>nf4 是用于推理的格式；要训练此类模型的适配器，请用任务 qlora</translation>
    </message>
    <message>
        <source>{} is a format for inference, not for training</source>
        <translation>{} 是推理格式，不用于训练</translation>
    </message>
    <message>
        <source>{} is a format of weights; no server caches keys and values in it</source>
        <translation>{} 是权重格式；没有服务器用它缓存键和值</translation>
    </message>
    <message>
        <source>Reduce bucket</source>
        <translation>归约桶</translation>
    </message>
    <message>
        <source>gradients that DeepSpeed reduces at once</source>
        <translation>DeepSpeed 一次归约的梯度数</translation>
    </message>
    <message>
        <source>Memory for the server</source>
        <translation>服务器可用显存</translation>
    </message>
    <message>
        <source>Share of a card that the server fills: weights, what a forward pass needs, and the cache; null: 0.9 with compiled kernels (vLLM), otherwise all of it.</source>
        <translation>服务器占用的显存比例：权重、前向传播所需以及缓存；空值：编译内核（vLLM）为 0.9，否则为全部。</translation>
    </message>
    <message>
        <source>Sequences admitted at once</source>
        <translation>同时接纳的序列</translation>
    </message>
    <message>
        <source>Most sequences that vLLM runs at once; its profile run samples for as many. null: 1,024 on cards of 70 GiB and more except the A100, else 256.</source>
        <translation>vLLM 最多接纳的序列数，也是其自测时采样的数目；空值：70 GiB 及以上的卡（A100 除外）为 1,024，否则为 256。</translation>
    </message>
    <message>
        <source>Tokens of a forward pass</source>
        <translation>一次前向传播的词元</translation>
    </message>
    <message>
        <source>Longer prompts are fed in pieces of this size; null: 8,192.</source>
        <translation>更长的提示按此大小分段输入；空值：8,192。</translation>
    </message>
    <message>
        <source>recurrent layers, Blackwell fp8</source>
        <translation>含循环层，Blackwell fp8</translation>
    </message>
    <message>
        <source>recurrent layers, Blackwell fp4</source>
        <translation>含循环层，Blackwell fp4</translation>
    </message>
    <message>
        <source>recurrent layers, Blackwell in any format</source>
        <translation>含循环层，Blackwell 任意格式</translation>
    </message>
    <message>
        <source>recurrent layers on any card</source>
        <translation>含循环层，任意卡</translation>
    </message>
    <message>
        <source>recurrent layers, calibrated with another run of the same model</source>
        <translation>含循环层，已用同一模型的另一次运行校准</translation>
    </message>
    <message>
        <source>in the cache</source>
        <translation>缓存中</translation>
    </message>
    <message>
        <source>key and value heads of layers with a window, at least one for every tensor-parallel card</source>
        <translation>窗口层的键值头数，每张张量并行卡至少一个</translation>
    </message>
    <message>
        <source>values that a token leaves in the cache of one layer with a window, on this card</source>
        <translation>一个词元在本卡上留在一个窗口层缓存中的数值个数</translation>
    </message>
    <message>
        <source>attention heads of layers with a window</source>
        <translation>窗口层的注意力头数</translation>
    </message>
    <message>
        <source>key/value heads of layers with a window</source>
        <translation>窗口层的键值头</translation>
    </message>
    <message>
        <source>heads of the layers with a window; 0: as in the other layers</source>
        <translation>窗口层的注意力头；为 0 者与其他层相同</translation>
    </message>
    <message>
        <source>size of a head of layers with a window</source>
        <translation>窗口层中一个头的大小</translation>
    </message>
    <message>
        <source>size of a value head of layers with a window</source>
        <translation>窗口层中一个值头的大小</translation>
    </message>
    <message>
        <source>layers with a window can have heads of their own where layer_types or a pattern lists them, and attention is not latent</source>
        <translation>只有 layer_types 或层模式逐层列出、且注意力不是潜在注意力时，窗口层才能有自己的头</translation>
    </message>
    <message>
        <source>Streams of the residual</source>
        <translation>残差的各条流</translation>
    </message>
    <message>
        <source>Hyper-connections keep all streams of the residual before attention, the MLP and the output layer: the product that maps them, their sum and their mixture read them again.</source>
        <translation>超连接在注意力、MLP 和输出层之前保留残差的所有流：映射它们的乘积、它们的求和与混合都要再次读取它们。</translation>
    </message>
    <message>
        <source>Weights of the streams</source>
        <translation>各条流的权重</translation>
    </message>
    <message>
        <source>Per token, in fp32: how streams are summed, how they mix and how an output returns to each.</source>
        <translation>每个词元，fp32：各条流如何求和、如何混合，以及输出如何回到每条流。</translation>
    </message>
    <message>
        <source>Weights of the streams before the output layer</source>
        <translation>输出层之前各条流的权重</translation>
    </message>
    <message>
        <source>Per token and stream, in fp32, how they are summed.</source>
        <translation>每个词元、每条流一个 fp32 值：它们如何求和。</translation>
    </message>
    <message>
        <source>Outputs that return to the streams</source>
        <translation>回到各条流的输出</translation>
    </message>
    <message>
        <source>What attention or the MLP made is kept, for the gradient of the weights with which it returns to each stream.</source>
        <translation>保留注意力或 MLP 的输出，用于它回到每条流时所用权重的梯度。</translation>
    </message>
    <message>
        <source>Projected keys</source>
        <translation>投影后的键</translation>
    </message>
    <message>
        <source>The norm keeps the one key of every token, which is its value too; it is on every card.</source>
        <translation>归一化保留每个词元唯一的键，它同时也是值；每张卡上都有一份。</translation>
    </message>
    <message>
        <source>Values and weights for compression</source>
        <translation>压缩所用的值与权重</translation>
    </message>
    <message>
        <source>For every token a value and the weights with which it enters its entry, twice where windows overlap.</source>
        <translation>每个词元一个值及其进入条目的权重，窗口重叠处为两份。</translation>
    </message>
    <message>
        <source>Compressed entries</source>
        <translation>压缩条目</translation>
    </message>
    <message>
        <source>The norm keeps the entries that stand for several tokens each.</source>
        <translation>归一化保留各代表多个词元的条目。</translation>
    </message>
    <message>
        <source>Queries</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>The attention kernel keeps the queries that it read.</source>
        <translation>注意力内核保留它读取的查询。</translation>
    </message>
    <message>
        <source>Keys and compressed entries</source>
        <translation>键与压缩条目</translation>
    </message>
    <message>
        <source>The attention kernel keeps the keys of the tokens and the compressed entries behind them, which all heads read, as keys and as values.</source>
        <translation>注意力内核保留各词元的键及其之前的压缩条目，所有头都读取它们，既作键也作值。</translation>
    </message>
    <message>
        <source>Heads projected by groups</source>
        <translation>按组投影的头</translation>
    </message>
    <message>
        <source>The second step of the output projection keeps its input.</source>
        <translation>输出投影的第二步保留其输入。</translation>
    </message>
    <message>
        <source>Cache of compressed entries</source>
        <translation>压缩条目的缓存</translation>
    </message>
    <message>
        <source>Behind the window a server keeps one entry for several tokens, and in sparse layers the indexer&apos;s key of it.</source>
        <translation>在窗口之前，服务端为每若干词元保留一个条目；稀疏层还保留该条目的索引器键。</translation>
    </message>
    <message>
        <source>Gradient of the projected keys</source>
        <translation>投影后键的梯度</translation>
    </message>
    <message>
        <source>Gradient of the heads projected by groups</source>
        <translation>按组投影的头的梯度</translation>
    </message>
    <message>
        <source>Compressor of the indexer</source>
        <translation>索引器的压缩器</translation>
    </message>
    <message>
        <source>From h to a key and its weights, twice because windows overlap.</source>
        <translation>从 h 到键及其权重，因窗口重叠而为两份。</translation>
    </message>
    <message>
        <source>Bias of the indexer&apos;s compressor</source>
        <translation>索引器压缩器的偏置</translation>
    </message>
    <message>
        <source>Per place of a token in its entry.</source>
        <translation>按词元在条目中的位置。</translation>
    </message>
    <message>
        <source>Norm of the indexer&apos;s entries</source>
        <translation>索引器条目的归一化</translation>
    </message>
    <message>
        <source>Key projection</source>
        <translation>键投影</translation>
    </message>
    <message>
        <source>From h to one key for all heads.</source>
        <translation>从 h 到所有头共用的一个键。</translation>
    </message>
    <message>
        <source>Compressor</source>
        <translation>压缩器</translation>
    </message>
    <message>
        <source>From h to a token&apos;s value and its weights in an entry; twice as wide where windows overlap.</source>
        <translation>从 h 到词元的值及其在条目中的权重；窗口重叠处宽度加倍。</translation>
    </message>
    <message>
        <source>Bias of the compressor</source>
        <translation>压缩器的偏置</translation>
    </message>
    <message>
        <source>Norm of the compressed entries</source>
        <translation>压缩条目的归一化</translation>
    </message>
    <message>
        <source>Attention sinks</source>
        <translation>注意力汇</translation>
    </message>
    <message>
        <source>One learned score per head.</source>
        <translation>每个头一个学习得到的分数。</translation>
    </message>
    <message>
        <source>Output projection of groups of heads</source>
        <translation>各组头的输出投影</translation>
    </message>
    <message>
        <source>Each group of heads has a product of its own.</source>
        <translation>每组头有自己的乘积。</translation>
    </message>
    <message>
        <source>Mapping of the streams</source>
        <translation>各条流的映射</translation>
    </message>
    <message>
        <source>From all streams to the weights with which they are summed, mixed and extended.</source>
        <translation>从所有流到它们求和、混合与扩展所用的权重。</translation>
    </message>
    <message>
        <source>Bias of the streams&apos; weights</source>
        <translation>各条流权重的偏置</translation>
    </message>
    <message>
        <source>One value per weight.</source>
        <translation>每个权重一个值。</translation>
    </message>
    <message>
        <source>Scales of the streams&apos; weights</source>
        <translation>各条流权重的缩放</translation>
    </message>
    <message>
        <source>One value per kind of weight.</source>
        <translation>每类权重一个值。</translation>
    </message>
    <message>
        <source>tokens, or entries of several, that an indexer leaves a query to see</source>
        <translation>索引器留给一个查询看的词元或多词元条目数</translation>
    </message>
    <message>
        <source>layers of this stage with compressed sparse attention</source>
        <translation>本阶段使用压缩稀疏注意力的层数</translation>
    </message>
    <message>
        <source>layers of this stage with heavily compressed attention</source>
        <translation>本阶段使用重度压缩注意力的层数</translation>
    </message>
    <message>
        <source>0, {} or {}</source>
        <translation>0、{} 或 {}</translation>
    </message>
    <message>
        <source>Megatron-LM&apos;s released options have no compressed attention</source>
        <translation>Megatron-LM 已发布的选项没有压缩注意力</translation>
    </message>
    <message>
        <source>compressed sparse attention and experts</source>
        <translation>压缩稀疏注意力与专家</translation>
    </message>
    <message>
        <source>compressed sparse attention and MLP</source>
        <translation>压缩稀疏注意力与 MLP</translation>
    </message>
    <message>
        <source>heavily compressed attention and experts</source>
        <translation>重度压缩注意力与专家</translation>
    </message>
    <message>
        <source>heavily compressed attention and MLP</source>
        <translation>重度压缩注意力与 MLP</translation>
    </message>
    <message>
        <source>groups of attention heads</source>
        <translation>注意力头的组</translation>
    </message>
    <message>
        <source>rank of the queries in compressed attention</source>
        <translation>压缩注意力中查询的秩</translation>
    </message>
    <message>
        <source>groups of heads that are projected by themselves</source>
        <translation>各自投影的头的组数</translation>
    </message>
    <message>
        <source>features that a group of heads is projected to</source>
        <translation>一组头投影成的特征数</translation>
    </message>
    <message>
        <source>tokens of an entry in compressed sparse attention</source>
        <translation>压缩稀疏注意力中一个条目的词元数</translation>
    </message>
    <message>
        <source>tokens of an entry in heavily compressed attention</source>
        <translation>重度压缩注意力中一个条目的词元数</translation>
    </message>
    <message>
        <source>Residual streams</source>
        <translation>残差流数</translation>
    </message>
    <message>
        <source>streams of the residual</source>
        <translation>残差流的条数</translation>
    </message>
    <message>
        <source>with compressed attention every layer is listed as sliding_attention, compressed_sparse_attention or heavily_compressed_attention</source>
        <translation>使用压缩注意力时，每一层都列为 sliding_attention、compressed_sparse_attention 或 heavily_compressed_attention</translation>
    </message>
    <message>
        <source>compressed attention has one key for all heads, which is their value too</source>
        <translation>压缩注意力的所有头共用一个键，它同时也是值</translation>
    </message>
    <message>
        <source>{} attention heads do not split into {} groups</source>
        <translation>{} 个注意力头不能分成 {} 组</translation>
    </message>
    <message>
        <source>an indexer chooses among the tokens of latent attention, or the entries of compressed attention; the model has neither</source>
        <translation>索引器在潜在注意力的词元或压缩注意力的条目中选择；该模型两者都没有</translation>
    </message>
    <message>
        <source>a window of {} tokens, and behind it entries of {} and {} tokens</source>
        <translation>{} 个词元的窗口，之前是各代表 {} 个和 {} 个词元的条目</translation>
    </message>
    <message>
        <source>hyper-connections join {} residual streams</source>
        <translation>超连接联结 {} 条残差流</translation>
    </message>
    <message>
        <source>a number for every layer, such as ([0]*2+[4,128]*20)</source>
        <translation>每层一个数，例如 ([0]*2+[4,128]*20)</translation>
    </message>
    <message>
        <source>gated_delta_net, dsa or dsv4_hybrid</source>
        <translation>gated_delta_net、dsa 或 dsv4_hybrid</translation>
    </message>
    <message>
        <source>the residual has one stream and no hyper-connections</source>
        <translation>残差只有一条流，没有超连接</translation>
    </message>
    <message>
        <source>with hyper-connections Megatron-Core recomputes selected modules, among them mhc, and not whole layers</source>
        <translation>使用超连接时，Megatron-Core 重计算所选模块（包括 mhc），而不是整层</translation>
    </message>
    <message>
        <source>Megatron-Core recomputes mhc or mlp, not both</source>
        <translation>Megatron-Core 重计算 mhc 或 mlp，不能两者兼有</translation>
    </message>
    <message>
        <source>recomputation {}</source>
        <translation>重计算 {}</translation>
    </message>
    <message>
        <source>at most 2^40 cards</source>
        <translation>最多 2^40 张卡</translation>
    </message>
    <message>
        <source>true, false, legacy, disk or hidden_states</source>
        <translation>true、false、legacy、disk 或 hidden_states</translation>
    </message>
    <message>
        <source>0: a plan&apos;s layers have no embeddings of their own</source>
        <translation>0：方案的层没有自己的嵌入</translation>
    </message>
    <message>
        <source>0: a plan&apos;s layers each have keys of their own</source>
        <translation>0：方案的每一层都有自己的键</translation>
    </message>
    <message>
        <source>Megatron-LM projects values in every layer</source>
        <translation>Megatron-LM 在每一层都投影值</translation>
    </message>
    <message>
        <source>Megatron-LM&apos;s layers all have the same heads</source>
        <translation>Megatron-LM 的各层头数相同</translation>
    </message>
    <message>
        <source>values are keys in layers without a window</source>
        <translation>没有窗口的层中值即为键</translation>
    </message>
    <message>
        <source>values are the projected keys in layers without a window</source>
        <translation>在没有窗口的层中，值就是投影后的键</translation>
    </message>
    <message>
        <source>values that are keys have the size of keys, and attention is neither latent nor compressed</source>
        <translation>作为键的值与键大小相同，且注意力既非潜在也非压缩</translation>
    </message>
    <message>
        <source>Frozen vision tower</source>
        <translation>冻结的视觉塔</translation>
    </message>
    <message>
        <source>A frozen vision tower is kept in the weights&apos; format, without gradients and optimizer states.</source>
        <translation>冻结的视觉塔按权重的格式保存，没有梯度和优化器状态。</translation>
    </message>
    <message>
        <source>Patches of images</source>
        <translation>图像块</translation>
    </message>
    <message>
        <source>The product that embeds patches keeps them, for the gradient of its weight.</source>
        <translation>嵌入图像块的乘积保留它们，用于其权重的梯度。</translation>
    </message>
    <message>
        <source>Inputs of the vision tower&apos;s layers</source>
        <translation>视觉塔各层的输入</translation>
    </message>
    <message>
        <source>Full recomputation keeps the inputs of the tower&apos;s layers alone.</source>
        <translation>完全重计算只保留视觉塔各层的输入。</translation>
    </message>
    <message>
        <source>Streams and norms of the vision tower</source>
        <translation>视觉塔的残差流与归一化</translation>
    </message>
    <message>
        <source>Each layer keeps what enters its two norms, and what leaves them.</source>
        <translation>每层保留进入和离开其两个归一化的内容。</translation>
    </message>
    <message>
        <source>Products of the vision tower</source>
        <translation>视觉塔的乘积</translation>
    </message>
    <message>
        <source>Each layer keeps queries, keys and values, the output of attention, and what enters and leaves the MLP&apos;s activation function.</source>
        <translation>每层保留查询、键和值、注意力的输出，以及进入和离开 MLP 激活函数的内容。</translation>
    </message>
    <message>
        <source>Log-sum-exp of the vision tower</source>
        <translation>视觉塔的 log-sum-exp</translation>
    </message>
    <message>
        <source>One fp32 number per patch and head, from which the backward pass rebuilds the softmax.</source>
        <translation>每个图像块和头一个 fp32 数，反向传播由它重建 softmax。</translation>
    </message>
    <message>
        <source>Merged patches</source>
        <translation>合并后的图像块</translation>
    </message>
    <message>
        <source>Each merger keeps what enters its norm and its two products, and its activation function.</source>
        <translation>每个合并器保留进入其归一化、两个乘积和激活函数的内容。</translation>
    </message>
    <message>
        <source>Patch embedding</source>
        <translation>图像块嵌入</translation>
    </message>
    <message>
        <source>From the values of a patch to the tower&apos;s features.</source>
        <translation>从图像块的值到视觉塔的特征。</translation>
    </message>
    <message>
        <source>Bias of the patch embedding</source>
        <translation>图像块嵌入的偏置</translation>
    </message>
    <message>
        <source>A value per feature.</source>
        <translation>每个特征一个值。</translation>
    </message>
    <message>
        <source>Positions of patches</source>
        <translation>图像块的位置</translation>
    </message>
    <message>
        <source>A learned vector for every place of an image.</source>
        <translation>图像的每个位置一个学习得到的向量。</translation>
    </message>
    <message>
        <source>Query, key and value projection of the vision tower</source>
        <translation>视觉塔的查询、键和值投影</translation>
    </message>
    <message>
        <source>In every layer of the tower.</source>
        <translation>在视觉塔的每一层中。</translation>
    </message>
    <message>
        <source>Bias of the vision tower&apos;s queries, keys and values</source>
        <translation>视觉塔查询、键和值的偏置</translation>
    </message>
    <message>
        <source>Bias of the vision tower&apos;s output projection</source>
        <translation>视觉塔输出投影的偏置</translation>
    </message>
    <message>
        <source>Bias of the vision tower&apos;s first product</source>
        <translation>视觉塔第一个乘积的偏置</translation>
    </message>
    <message>
        <source>Bias of the vision tower&apos;s second product</source>
        <translation>视觉塔第二个乘积的偏置</translation>
    </message>
    <message>
        <source>Output projection of the vision tower</source>
        <translation>视觉塔的输出投影</translation>
    </message>
    <message>
        <source>First product of the vision tower&apos;s MLP</source>
        <translation>视觉塔 MLP 的第一个乘积</translation>
    </message>
    <message>
        <source>Second product of the vision tower&apos;s MLP</source>
        <translation>视觉塔 MLP 的第二个乘积</translation>
    </message>
    <message>
        <source>Norms of the vision tower</source>
        <translation>视觉塔的归一化</translation>
    </message>
    <message>
        <source>Two in every layer of the tower.</source>
        <translation>视觉塔每层两个。</translation>
    </message>
    <message>
        <source>First product of a merger</source>
        <translation>合并器的第一个乘积</translation>
    </message>
    <message>
        <source>Mixes the patches of a token.</source>
        <translation>混合一个词元的各图像块。</translation>
    </message>
    <message>
        <source>Second product of a merger</source>
        <translation>合并器的第二个乘积</translation>
    </message>
    <message>
        <source>To the model&apos;s hidden size.</source>
        <translation>到模型的隐藏大小。</translation>
    </message>
    <message>
        <source>Biases of a merger</source>
        <translation>合并器的偏置</translation>
    </message>
    <message>
        <source>Norms of the mergers</source>
        <translation>合并器的归一化</translation>
    </message>
    <message>
        <source>A scale and a shift per feature.</source>
        <translation>每个特征一个缩放和一个平移。</translation>
    </message>
    <message>
        <source>tokens of a micro-batch that the vision tower makes</source>
        <translation>一个微批次中由视觉塔产生的词元数</translation>
    </message>
    <message>
        <source>patches of a micro-batch</source>
        <translation>一个微批次的图像块数</translation>
    </message>
    <message>
        <source>cards that share the vision tower</source>
        <translation>分担视觉塔的卡数</translation>
    </message>
    <message>
        <source>parameters of a frozen vision tower on this card</source>
        <translation>本卡上冻结视觉塔的参数</translation>
    </message>
    <message>
        <source>a patch of at most 2^40 values</source>
        <translation>最多 2^40 个值的图像块</translation>
    </message>
    <message>
        <source>pretrain_gpt.py trains language models alone</source>
        <translation>pretrain_gpt.py 只训练语言模型</translation>
    </message>
    <message>
        <source>a vision tower of {} layers makes a token of {} patches</source>
        <translation>{} 层的视觉塔由 {} 个图像块产生一个词元</translation>
    </message>
    <message>
        <source>the model has no vision tower that makes tokens of images</source>
        <translation>该模型没有把图像变成词元的视觉塔</translation>
    </message>
    <message>
        <source>{} tokens of images do not fit into a sequence of {}</source>
        <translation>{} 个图像词元放不进长度为 {} 的序列</translation>
    </message>
    <message>
        <source>{} images are more than the {} tokens that they become</source>
        <translation>{} 张图像多于它们变成的 {} 个词元</translation>
    </message>
    <message>
        <source>tensor {} does not divide the vision tower&apos;s {} heads and {} MLP features</source>
        <translation>张量 {} 不能整除视觉塔的 {} 个头和 {} 个 MLP 特征</translation>
    </message>
    <message>
        <source>hidden size of the vision tower</source>
        <translation>视觉塔的隐藏大小</translation>
    </message>
    <message>
        <source>layers of the vision tower</source>
        <translation>视觉塔的层数</translation>
    </message>
    <message>
        <source>attention heads of the vision tower</source>
        <translation>视觉塔的注意力头数</translation>
    </message>
    <message>
        <source>MLP width of the vision tower</source>
        <translation>视觉塔的 MLP 宽度</translation>
    </message>
    <message>
        <source>values of a patch</source>
        <translation>一个图像块的值数</translation>
    </message>
    <message>
        <source>patches that become one token</source>
        <translation>合成一个词元的图像块数</translation>
    </message>
    <message>
        <source>mergers of patches</source>
        <translation>图像块合并器的个数</translation>
    </message>
    <message>
        <source>Image tokens</source>
        <translation>图像词元</translation>
    </message>
    <message>
        <source>Tokens of a sequence that the vision tower makes of images</source>
        <translation>一个序列中由视觉塔从图像产生的词元</translation>
    </message>
    <message>
        <source>Images</source>
        <translation>图像数</translation>
    </message>
    <message>
        <source>Images of a sequence; the patches of one see each other</source>
        <translation>一个序列的图像数；同一图像的块彼此可见</translation>
    </message>
    <message>
        <source>Vision tower over tensor ranks</source>
        <translation>视觉塔按张量并行划分</translation>
    </message>
    <message>
        <source>The vision tower is divided over the tensor-parallel cards; otherwise each has all of it.</source>
        <translation>视觉塔在张量并行的各卡间划分；否则每张卡都有完整的一份。</translation>
    </message>
    <message>
        <source>Vision tower learns</source>
        <translation>训练视觉塔</translation>
    </message>
    <message>
        <source>Otherwise the vision tower is frozen: no gradients, no optimizer states, nothing kept.</source>
        <translation>否则视觉塔被冻结：没有梯度、没有优化器状态、不保留任何内容。</translation>
    </message>
    <message>
        <source>other waits of the busiest stage</source>
        <translation>最忙阶段的其他等待</translation>
    </message>
    <message>
        <source>The plan breaks a rule: as it is, it cannot run.</source>
        <translation>方案违反规则，照此无法运行。</translation>
    </message>
    <message>
        <source>The plan does not fit its cards.</source>
        <translation>方案放不进它的卡。</translation>
    </message>
    <message>
        <source>Only the last micro-batch reduces gradients; until then every card keeps them whole, 2 bytes each. In FSDP&apos;s flat parameters the frozen weights of learning layers have gradients too.</source>
        <translation>除最后一个以外的微批次不归约梯度，因此每张卡都完整保留它们，每个 2 字节；FSDP 的扁平参数对含可学习部分的层中的冻结权重同样持有梯度。</translation>
    </message>
    <message>
        <source>Gradients of frozen weights</source>
        <translation>冻结权重的梯度</translation>
    </message>
    <message>
        <source>If only a part of an FSDP1 flat parameter learns, its gradient still covers all of it, 2 bytes a weight; every card keeps its shard.</source>
        <translation>FSDP1 的扁平参数只要有一部分可学习，就整体持有梯度，每个权重 2 字节；每张卡保留自己的分片。</translation>
    </message>
    <message>
        <source>Gradients of frozen experts</source>
        <translation>冻结专家的梯度</translation>
    </message>
    <message>
        <source>This card&apos;s shard of the experts&apos; gradients, for flat parameters that learn only in part.</source>
        <translation>部分可学习的扁平参数中专家梯度在本卡上的分片。</translation>
    </message>
    <message>
        <source>Running averages that the optimizer keeps: 8 bytes per parameter for Adam, or two of the moments&apos; format, 4 for momentum, Lion and Muon&apos;s matrices, 2 for 8-bit Adam, 1 for 4-bit Adam, rows and columns only for Adafactor.</source>
        <translation>优化器保存的滑动平均：Adam 每参数 8 字节（或按动量格式的两份），动量法、Lion 以及 Muon 的矩阵 4 字节，8 位 Adam 2 字节，4 位 Adam 1 字节，Adafactor 只保存行和列。</translation>
    </message>
    <message>
        <source>DeepSpeed collects gradients in a buffer of reduce_bucket_size before it reduces them, under ZeRO-1 and ZeRO-2 in two where that overlaps with the backward pass.</source>
        <translation>DeepSpeed 在归约梯度之前先收集到一个 reduce_bucket_size 大小的缓冲区；在 ZeRO-1 和 ZeRO-2 下若与反向传播重叠，则用两个。</translation>
    </message>
    <message>
        <source>bytes of a frozen matrix&apos;s value: 2, in int8 1, or in 4 bits with scales 0.5625 or 0.516</source>
        <translation>冻结矩阵每个值的字节数：2，int8 时为 1，4 位时连同缩放为 0.5625 或 0.516</translation>
    </message>
    <message>
        <source>the run has {} ranks and {} micro-batches, the plan {} and {}</source>
        <translation>实测运行有 {} 个 rank 和 {} 个微批次，方案有 {} 个和 {} 个</translation>
    </message>
    <message>
        <source>Clamped input of the experts&apos; activation</source>
        <translation>专家激活函数经截断的输入</translation>
    </message>
    <message>
        <source>Megatron-Core clamps the two halves of a quick GELU&apos;s input, as gpt-oss asks, in kernels of their own: both what they get and what they make are kept.</source>
        <translation>按 gpt-oss 的要求，Megatron-Core 用单独的内核截断 quick GELU 的两半输入：截断前后的张量都会保留。</translation>
    </message>
    <message>
        <source>Megatron-LM uses the {} layers of {}</source>
        <translation>Megatron-LM 使用 {1} 中的 {0} 层</translation>
    </message>
    <message>
        <source>plans do not support it; {} weights are used</source>
        <translation>计划不支持此项；按 {} 权重计算</translation>
    </message>
    <message>
        <source>read as nf4, which takes as many bytes</source>
        <translation>按 nf4 读取，二者占用的字节数相同</translation>
    </message>
    <message>
        <source>vLLM uses all {} ranks of tensor and data parallelism for experts</source>
        <translation>vLLM 将张量并行与数据并行的全部 {} 个进程用于专家</translation>
    </message>
    <message>
        <source>a limit on {} needs the number of tokens of the run: set /workload/tokens</source>
        <translation>对 {} 的限制需要训练有确定的词元数：请设置 /workload/tokens</translation>
    </message>
    <message>
        <source>expected a gzip file, found one that is cut off or damaged</source>
        <translation>应为 gzip 文件，此文件不完整或已损坏</translation>
    </message>
    <message>
        <source>a served model has no run whose {} could be limited</source>
        <translation>部署的模型没有可以限制其 {} 的训练</translation>
    </message>
    <message>
        <source>The run never ends: cards stop again before a restart and a checkpoint are done.</source>
        <translation>训练永远不会结束：还没完成重启和写检查点，卡就再次停机。</translation>
    </message>
    <message>
        <source>the first {} layers are dense and the model has {}, so none has experts</source>
        <translation>前 {} 层为稠密层，而模型共有 {} 层，因此没有专家层</translation>
    </message>
    <message>
        <source>the busiest of {} expert-parallel ranks has at most {} times the mean, not {} times</source>
        <translation>{} 个专家并行 rank 中最忙的一个最多为平均值的 {} 倍，而不是 {} 倍</translation>
    </message>
    <message>
        <source>parameters ask for a model of a family, not for a preset</source>
        <translation>parameters 用于指定某一系列中的模型，不能与预设同用</translation>
    </message>
    <message>
        <source>INVALID, breaks {}; stage {}: {} of {}</source>
        <translation>无效，违反 {}；阶段 {}：{} / {}</translation>
    </message>
    <message>
        <source>unknown activation function; memory and time are counted as for GELU</source>
        <translation>未知的激活函数；显存和时间按 GELU 计算</translation>
    </message>
    <message>
        <source>the list of layers with experts contradicts {} leading dense layers and experts in one of every {} layers; the list is used</source>
        <translation>含专家的层的列表与“开头 {} 层为稠密层、每 {} 层中有一层含专家”不一致；以列表为准</translation>
    </message>
    <message>
        <source>Pretraining</source>
        <translation>预训练</translation>
    </message>
    <message>
        <source>All weights are trained, on the tokens of a whole run.</source>
        <translation>用整次训练的词元训练全部权重。</translation>
    </message>
    <message>
        <source>All weights</source>
        <translation>全部权重</translation>
    </message>
    <message>
        <source>All weights are trained further, each with its gradient and optimizer states.</source>
        <translation>继续训练全部权重，每个都有梯度和优化器状态。</translation>
    </message>
    <message>
        <source>LoRA</source>
        <translation>LoRA</translation>
    </message>
    <message>
        <source>Small adapters are trained; the 16-bit weights are frozen.</source>
        <translation>训练小的适配器；16 位权重冻结。</translation>
    </message>
    <message>
        <source>QLoRA</source>
        <translation>QLoRA</translation>
    </message>
    <message>
        <source>Small adapters are trained; the 4-bit weights are frozen.</source>
        <translation>训练小的适配器；4 位权重冻结。</translation>
    </message>
    <message>
        <source>Serving</source>
        <translation>推理服务</translation>
    </message>
    <message>
        <source>The model answers requests; nothing is trained.</source>
        <translation>模型回答请求；不做训练。</translation>
    </message>
    <message>
        <source>Megatron-Core&apos;s layers, optimizer and pipeline.</source>
        <translation>使用 Megatron-Core 的层、优化器和流水线。</translation>
    </message>
    <message>
        <source>ZeRO with its buckets and offloading, around the model&apos;s own code.</source>
        <translation>使用 ZeRO 及其桶和卸载，模型用自己的代码。</translation>
    </message>
    <message>
        <source>PyTorch FSDP</source>
        <translation>PyTorch FSDP</translation>
    </message>
    <message>
        <source>FSDP2 and PyTorch&apos;s own parallelism, as torchtitan and torchtune use them.</source>
        <translation>使用 FSDP2 和 PyTorch 自带的并行方式，如 torchtitan 和 torchtune。</translation>
    </message>
    <message>
        <source>Transformer Engine</source>
        <translation>Transformer Engine</translation>
    </message>
    <message>
        <source>NVIDIA&apos;s fused layers, which keep few tensors and know fp8.</source>
        <translation>NVIDIA 的融合层，保留的张量少，支持 fp8。</translation>
    </message>
    <message>
        <source>Megatron local</source>
        <translation>Megatron 本地</translation>
    </message>
    <message>
        <source>Megatron-LM&apos;s own layers, one kernel after the other.</source>
        <translation>Megatron-LM 自己的层，逐个内核执行。</translation>
    </message>
    <message>
        <source>Compiled</source>
        <translation>编译</translation>
    </message>
    <message>
        <source>torch.compile fuses the operations between matrix products.</source>
        <translation>torch.compile 融合矩阵乘之间的操作。</translation>
    </message>
    <message>
        <source>Eager</source>
        <translation>逐操作</translation>
    </message>
    <message>
        <source>PyTorch runs every operation by itself and keeps what each needs.</source>
        <translation>PyTorch 单独执行每个操作，并保留各自所需的张量。</translation>
    </message>
    <message>
        <source>fp32</source>
        <translation>fp32</translation>
    </message>
    <message>
        <source>Everything is stored and multiplied in 32 bits.</source>
        <translation>全部以 32 位存储和相乘。</translation>
    </message>
    <message>
        <source>bf16</source>
        <translation>bf16</translation>
    </message>
    <message>
        <source>Products in bf16, master weights and optimizer states in fp32.</source>
        <translation>以 bf16 相乘，主权重和优化器状态为 fp32。</translation>
    </message>
    <message>
        <source>fp16</source>
        <translation>fp16</translation>
    </message>
    <message>
        <source>Products in fp16 with a scaled loss, master weights in fp32.</source>
        <translation>以 fp16 相乘并缩放损失，主权重为 fp32。</translation>
    </message>
    <message>
        <source>fp8</source>
        <translation>fp8</translation>
    </message>
    <message>
        <source>Products in fp8 with one scale for a tensor.</source>
        <translation>以 fp8 相乘，每个张量一个缩放因子。</translation>
    </message>
    <message>
        <source>mxfp8</source>
        <translation>mxfp8</translation>
    </message>
    <message>
        <source>Products in fp8 with a scale for every 32 values.</source>
        <translation>以 fp8 相乘，每 32 个值一个缩放因子。</translation>
    </message>
    <message>
        <source>nvfp4</source>
        <translation>nvfp4</translation>
    </message>
    <message>
        <source>Products in 4 bits with a scale for every 16 values.</source>
        <translation>以 4 位相乘，每 16 个值一个缩放因子。</translation>
    </message>
    <message>
        <source>bf16 only</source>
        <translation>仅 bf16</translation>
    </message>
    <message>
        <source>Weights, gradients and optimizer states are all in bf16.</source>
        <translation>权重、梯度和优化器状态都是 bf16。</translation>
    </message>
    <message>
        <source>int8</source>
        <translation>int8</translation>
    </message>
    <message>
        <source>Stored in 8 bits, multiplied as the card can.</source>
        <translation>以 8 位存储，按卡的能力相乘。</translation>
    </message>
    <message>
        <source>Gradients add up and are exchanged in 32 bits.</source>
        <translation>梯度以 32 位累加和交换。</translation>
    </message>
    <message>
        <source>Gradients add up and are exchanged in bf16: half the memory.</source>
        <translation>梯度以 bf16 累加和交换：显存减半。</translation>
    </message>
    <message>
        <source>Gradients add up and are exchanged in fp16.</source>
        <translation>梯度以 fp16 累加和交换。</translation>
    </message>
    <message>
        <source>Adam</source>
        <translation>Adam</translation>
    </message>
    <message>
        <source>Two running averages of each weight&apos;s gradient.</source>
        <translation>每个权重的梯度有两个滑动平均。</translation>
    </message>
    <message>
        <source>AdamW, 8-bit (torchao)</source>
        <translation>AdamW 8 位 (torchao)</translation>
    </message>
    <message>
        <source>Adam whose averages are stored in 8 bits by torchao.</source>
        <translation>由 torchao 以 8 位存储平均值的 Adam。</translation>
    </message>
    <message>
        <source>SGD</source>
        <translation>SGD</translation>
    </message>
    <message>
        <source>No states: each weight follows its gradient.</source>
        <translation>没有状态：权重直接沿梯度更新。</translation>
    </message>
    <message>
        <source>SGD with momentum</source>
        <translation>带动量的 SGD</translation>
    </message>
    <message>
        <source>One running average of each weight&apos;s gradient.</source>
        <translation>每个权重的梯度有一个滑动平均。</translation>
    </message>
    <message>
        <source>Adafactor</source>
        <translation>Adafactor</translation>
    </message>
    <message>
        <source>Averages of rows and columns instead of every weight.</source>
        <translation>只保存行和列的平均值，而非每个权重。</translation>
    </message>
    <message>
        <source>Lion</source>
        <translation>Lion</translation>
    </message>
    <message>
        <source>One running average; only its sign is used.</source>
        <translation>一个滑动平均，只用其符号。</translation>
    </message>
    <message>
        <source>Muon</source>
        <translation>Muon</translation>
    </message>
    <message>
        <source>Momentum made orthogonal for matrices, Adam for the rest.</source>
        <translation>矩阵使用正交化的动量，其余使用 Adam。</translation>
    </message>
    <message>
        <source>Adam, 8-bit</source>
        <translation>Adam 8 位</translation>
    </message>
    <message>
        <source>Adam whose averages are stored in 8 bits by bitsandbytes.</source>
        <translation>由 bitsandbytes 以 8 位存储平均值的 Adam。</translation>
    </message>
    <message>
        <source>Paged Adam, 8-bit</source>
        <translation>分页 Adam 8 位</translation>
    </message>
    <message>
        <source>The same, in memory that moves to the host when the card is full.</source>
        <translation>同上，但存放在卡满时移到主机的内存中。</translation>
    </message>
    <message>
        <source>Paged Adam</source>
        <translation>分页 Adam</translation>
    </message>
    <message>
        <source>Adam in memory that moves to the host when the card is full.</source>
        <translation>状态存放在卡满时移到主机的内存中的 Adam。</translation>
    </message>
    <message>
        <source>Adam&apos;s averages in 32 bits.</source>
        <translation>Adam 的平均值为 32 位。</translation>
    </message>
    <message>
        <source>Adam&apos;s averages in bf16.</source>
        <translation>Adam 的平均值为 bf16。</translation>
    </message>
    <message>
        <source>Adam&apos;s averages in fp16.</source>
        <translation>Adam 的平均值为 fp16。</translation>
    </message>
    <message>
        <source>Adam&apos;s averages in fp8.</source>
        <translation>Adam 的平均值为 fp8。</translation>
    </message>
    <message>
        <source>None</source>
        <translation>不分片</translation>
    </message>
    <message>
        <source>Every replica holds all weights, gradients and optimizer states.</source>
        <translation>每个副本都保存全部权重、梯度和优化器状态。</translation>
    </message>
    <message>
        <source>ZeRO-1</source>
        <translation>ZeRO-1</translation>
    </message>
    <message>
        <source>Replicas share the optimizer states among them.</source>
        <translation>各副本分担优化器状态。</translation>
    </message>
    <message>
        <source>ZeRO-2</source>
        <translation>ZeRO-2</translation>
    </message>
    <message>
        <source>Replicas share optimizer states and gradients.</source>
        <translation>各副本分担优化器状态和梯度。</translation>
    </message>
    <message>
        <source>ZeRO-3</source>
        <translation>ZeRO-3</translation>
    </message>
    <message>
        <source>Replicas share weights as well, and gather each layer when it is needed.</source>
        <translation>各副本还分担权重，需要时再收集每一层。</translation>
    </message>
    <message>
        <source>Each micro-batch passes all stages before the next one begins.</source>
        <translation>每个微批次经过所有阶段后，下一个才开始。</translation>
    </message>
    <message>
        <source>All forward passes, then all backward passes: activations of every micro-batch are kept.</source>
        <translation>先全部前向，再全部反向：保留每个微批次的激活。</translation>
    </message>
    <message>
        <source>As GPipe, with the last micro-batch going back first.</source>
        <translation>同 GPipe，但最后一个微批次先反向。</translation>
    </message>
    <message>
        <source>After a warm-up each stage alternates one forward and one backward pass.</source>
        <translation>热身后，每个阶段交替进行一次前向和一次反向。</translation>
    </message>
    <message>
        <source>1F1B with more passes in flight, so that transfers are hidden.</source>
        <translation>在途更多的 1F1B，以便隐藏传输。</translation>
    </message>
    <message>
        <source>1F1B that never drains: weights are updated between micro-batches.</source>
        <translation>从不排空的 1F1B：在微批次之间更新权重。</translation>
    </message>
    <message>
        <source>Each card runs several chunks of layers, which shortens the bubble and sends more.</source>
        <translation>每张卡运行多个层块，气泡更短，传输更多。</translation>
    </message>
    <message>
        <source>Each chunk runs all micro-batches before the next chunk begins.</source>
        <translation>各层块依次运行，每块跑完全部微批次。</translation>
    </message>
    <message>
        <source>Weight gradients wait and fill the bubble, with 1F1B&apos;s memory.</source>
        <translation>权重梯度延后以填充气泡，显存同 1F1B。</translation>
    </message>
    <message>
        <source>Weight gradients fill nearly all of the bubble, at the cost of about twice the activations.</source>
        <translation>权重梯度几乎填满气泡，激活约为两倍。</translation>
    </message>
    <message>
        <source>Interleaved 1F1B whose weight gradients fill the bubble.</source>
        <translation>用权重梯度填充气泡的交错 1F1B。</translation>
    </message>
    <message>
        <source>Two chunks in a V per card and no bubble, with 1F1B&apos;s memory.</source>
        <translation>每张卡两个层块成 V 形，无气泡，显存同 1F1B。</translation>
    </message>
    <message>
        <source>The V with about half of 1F1B&apos;s activations, at the cost of some bubble.</source>
        <translation>V 形，激活约为 1F1B 的一半，有些气泡。</translation>
    </message>
    <message>
        <source>The V with about a third of 1F1B&apos;s activations, at the cost of more bubble.</source>
        <translation>V 形，激活约为 1F1B 的三分之一，气泡更多。</translation>
    </message>
    <message>
        <source>Two pipelines in opposite directions, whose passes overlap with communication; weights are held twice.</source>
        <translation>方向相反的两条流水线，计算与通信重叠；权重保存两份。</translation>
    </message>
    <message>
        <source>DualPipe in a V, without the second copy of the weights.</source>
        <translation>V 形的 DualPipe，不需要第二份权重。</translation>
    </message>
    <message>
        <source>Fused (cuDNN)</source>
        <translation>融合 (cuDNN)</translation>
    </message>
    <message>
        <source>cuDNN&apos;s kernel: scores are never stored.</source>
        <translation>cuDNN 的内核：从不存储分数。</translation>
    </message>
    <message>
        <source>FlashAttention 2</source>
        <translation>FlashAttention 2</translation>
    </message>
    <message>
        <source>Scores are computed in tiles and never stored.</source>
        <translation>分块计算分数，从不存储。</translation>
    </message>
    <message>
        <source>Unfused</source>
        <translation>不融合</translation>
    </message>
    <message>
        <source>Scores of all pairs of tokens are stored.</source>
        <translation>存储所有词元对的分数。</translation>
    </message>
    <message>
        <source>Fused (Transformer Engine)</source>
        <translation>融合 (Transformer Engine)</translation>
    </message>
    <message>
        <source>One kernel that computes in place on the logits.</source>
        <translation>一个在 logits 原位计算的内核。</translation>
    </message>
    <message>
        <source>Fused (Megatron)</source>
        <translation>融合 (Megatron)</translation>
    </message>
    <message>
        <source>Megatron-LM&apos;s own fusion: fewer copies of the logits.</source>
        <translation>Megatron-LM 自己的融合：logits 副本更少。</translation>
    </message>
    <message>
        <source>Each operation on the logits has a copy of its own.</source>
        <translation>对 logits 的每个操作都有自己的副本。</translation>
    </message>
    <message>
        <source>torch.compile fuses the operations on the logits.</source>
        <translation>torch.compile 融合对 logits 的操作。</translation>
    </message>
    <message>
        <source>Logits in chunks</source>
        <translation>logits 分块</translation>
    </message>
    <message>
        <source>The loss is computed a piece of the logits at a time.</source>
        <translation>每次只计算一部分 logits 的损失。</translation>
    </message>
    <message>
        <source>Head and loss in chunks</source>
        <translation>输出层与损失分块</translation>
    </message>
    <message>
        <source>Logits are made and used a piece at a time: never all of them.</source>
        <translation>logits 分块生成并使用：从不全部存在。</translation>
    </message>
    <message>
        <source>Nothing</source>
        <translation>不重算</translation>
    </message>
    <message>
        <source>All activations are kept for the backward pass.</source>
        <translation>为反向保留全部激活。</translation>
    </message>
    <message>
        <source>Selected modules</source>
        <translation>选定模块</translation>
    </message>
    <message>
        <source>Modules with much memory and little work run again in the backward pass.</source>
        <translation>显存多而计算少的模块在反向时重新运行。</translation>
    </message>
    <message>
        <source>Whole layers</source>
        <translation>整层</translation>
    </message>
    <message>
        <source>Only the inputs of layers are kept; each layer runs again before its backward pass.</source>
        <translation>只保留层的输入；每层在反向之前重新运行。</translation>
    </message>
    <message>
        <source>Groups of layers</source>
        <translation>按组</translation>
    </message>
    <message>
        <source>All layers run again, a group at a time from its input.</source>
        <translation>全部层重新运行，每组从其输入开始。</translation>
    </message>
    <message>
        <source>First layers of a chunk</source>
        <translation>每块的前几层</translation>
    </message>
    <message>
        <source>Only the given number of layers of each chunk run again.</source>
        <translation>每个层块只有给定数量的层重新运行。</translation>
    </message>
    <message>
        <source>Attention core</source>
        <translation>注意力核心</translation>
    </message>
    <message>
        <source>Scores and their product with the values.</source>
        <translation>分数及其与值的乘积。</translation>
    </message>
    <message>
        <source>The normalizations of a layer.</source>
        <translation>层中的归一化。</translation>
    </message>
    <message>
        <source>The whole MLP of a dense layer.</source>
        <translation>稠密层的整个 MLP。</translation>
    </message>
    <message>
        <source>Experts&apos; activation</source>
        <translation>专家激活函数</translation>
    </message>
    <message>
        <source>The function between the experts&apos; two products.</source>
        <translation>专家两次乘法之间的函数。</translation>
    </message>
    <message>
        <source>The whole layer of experts, its exchange of tokens included.</source>
        <translation>整个专家层，包括词元的交换。</translation>
    </message>
    <message>
        <source>Shared experts</source>
        <translation>共享专家</translation>
    </message>
    <message>
        <source>Experts that every token visits.</source>
        <translation>每个词元都经过的专家。</translation>
    </message>
    <message>
        <source>Latent projections</source>
        <translation>潜变量投影</translation>
    </message>
    <message>
        <source>The products that make queries, keys and values from latents.</source>
        <translation>由潜变量生成查询、键和值的投影。</translation>
    </message>
    <message>
        <source>All-to-all</source>
        <translation>全交换</translation>
    </message>
    <message>
        <source>Each token is sent to the cards of its experts.</source>
        <translation>每个词元被发送到其专家所在的卡。</translation>
    </message>
    <message>
        <source>All-gather</source>
        <translation>全收集</translation>
    </message>
    <message>
        <source>Every card gathers all tokens and keeps those of its experts.</source>
        <translation>每张卡收集所有词元，保留属于其专家的。</translation>
    </message>
    <message>
        <source>DeepEP</source>
        <translation>DeepEP</translation>
    </message>
    <message>
        <source>DeepSeek&apos;s kernels, which send a token once to each node.</source>
        <translation>DeepSeek 的内核，每个词元对每个节点只发送一次。</translation>
    </message>
    <message>
        <source>HybridEP</source>
        <translation>HybridEP</translation>
    </message>
    <message>
        <source>NVIDIA&apos;s kernels for fast networks between many nodes.</source>
        <translation>NVIDIA 面向多节点高速网络的内核。</translation>
    </message>
    <message>
        <source>Ring</source>
        <translation>环形</translation>
    </message>
    <message>
        <source>Keys and values go around from card to card while attention works.</source>
        <translation>注意力计算时，键和值在卡间依次传递。</translation>
    </message>
    <message>
        <source>All-to-all (Ulysses)</source>
        <translation>全交换（Ulysses）</translation>
    </message>
    <message>
        <source>Cards exchange heads for tokens before attention and back after it.</source>
        <translation>注意力之前以头换词元，之后换回。</translation>
    </message>
    <message>
        <source>Every card gathers all keys and values first.</source>
        <translation>每张卡先收集全部键和值。</translation>
    </message>
    <message>
        <source>bitsandbytes</source>
        <translation>bitsandbytes</translation>
    </message>
    <message>
        <source>NF4 by bitsandbytes since 0.44.</source>
        <translation>bitsandbytes 0.44 起的 NF4。</translation>
    </message>
    <message>
        <source>bitsandbytes up to 0.43</source>
        <translation>bitsandbytes 0.43 及更早</translation>
    </message>
    <message>
        <source>NF4 by older versions, which also keep the inputs of frozen products.</source>
        <translation>旧版本的 NF4，还保留冻结矩阵乘的输入。</translation>
    </message>
    <message>
        <source>torchao</source>
        <translation>torchao</translation>
    </message>
    <message>
        <source>NF4 by torchao, as torchtune uses it.</source>
        <translation>torchao 的 NF4，如 torchtune 所用。</translation>
    </message>
    <message>
        <source>mxfp4</source>
        <translation>mxfp4</translation>
    </message>
    <message>
        <source>Stored in 4 bits with a scale for every 32 values; for serving.</source>
        <translation>以 4 位存储，每 32 个值一个缩放因子；用于推理服务。</translation>
    </message>
    <message>
        <source>nf4</source>
        <translation>nf4</translation>
    </message>
    <message>
        <source>Stored in bitsandbytes&apos; 4 bits, multiplied in 16; for serving.</source>
        <translation>以 bitsandbytes 的 4 位存储，以 16 位相乘；用于推理服务。</translation>
    </message>
    <message>
        <source>Hyper-connections</source>
        <translation>超连接</translation>
    </message>
    <message>
        <source>The residual&apos;s streams, and what sums and mixes them.</source>
        <translation>残差的各条流，以及对它们求和与混合的部分。</translation>
    </message>
    <message>
        <source>AdamW, 4-bit (torchao)</source>
        <translation>AdamW 4 位 (torchao)</translation>
    </message>
    <message>
        <source>Adam whose averages are stored in 4 bits by torchao.</source>
        <translation>由 torchao 以 4 位存储平均值的 Adam。</translation>
    </message>
    <message>
        <source>bitsandbytes, int8</source>
        <translation>bitsandbytes，int8</translation>
    </message>
    <message>
        <source>LLM.int8: one byte a weight; the inputs of frozen products are kept.</source>
        <translation>LLM.int8：每个权重一字节；保留冻结矩阵乘的输入。</translation>
    </message>
    <message>
        <source>Norms and residuals are split over the tensor ranks, too.</source>
        <translation>归一化与残差也在张量并行各 rank 间切分。</translation>
    </message>
    <message>
        <source>Format of Adam&apos;s running averages; by default 32 bits, or 16 where everything is.</source>
        <translation>Adam 滑动平均值的格式；默认 32 位，一切都用 16 位时则为 16 位。</translation>
    </message>
    <message>
        <source>Batches carry a mask of all pairs of tokens, which lies on the card.</source>
        <translation>批次带有所有词元对的掩码，存放在卡上。</translation>
    </message>
    <message>
        <source>Bias and activation function run as one kernel, and keep one input instead of two.</source>
        <translation>偏置和激活函数作为一个内核运行，只保留一个输入而不是两个。</translation>
    </message>
    <message>
        <source>Queries and keys are rotated by one kernel each.</source>
        <translation>查询和键各由一个内核旋转。</translation>
    </message>
    <message>
        <source>One kernel multiplies for all experts of a card.</source>
        <translation>一个内核完成一张卡上所有专家的乘法。</translation>
    </message>
    <message>
        <source>Tokens are sorted by expert in one kernel.</source>
        <translation>用一个内核按专家排列词元。</translation>
    </message>
    <message>
        <source>Tokens of one micro-batch travel while another one computes.</source>
        <translation>一个微批次的词元传输时，另一个在计算。</translation>
    </message>
    <message>
        <source>Replicas exchange gradients while backward passes go on.</source>
        <translation>反向进行的同时，各副本交换梯度。</translation>
    </message>
    <message>
        <source>Replicas gather weights while forward passes go on.</source>
        <translation>前向进行的同时，各副本收集权重。</translation>
    </message>
    <message>
        <source>Collectives of tensor parallelism run piece by piece beside the products.</source>
        <translation>张量并行的集合通信与矩阵乘分块并行。</translation>
    </message>
    <message>
        <source>Transfers between stages run beside the passes.</source>
        <translation>阶段间的传输与计算同时进行。</translation>
    </message>
    <message>
        <source>Every micro-batch</source>
        <translation>每个微批次</translation>
    </message>
    <message>
        <source>Gradients are reduced after each micro-batch: little memory, more traffic.</source>
        <translation>每个微批次后规约梯度：显存少，通信多。</translation>
    </message>
    <message>
        <source>The last micro-batch</source>
        <translation>最后一个微批次</translation>
    </message>
    <message>
        <source>Gradients add up and are reduced once a step.</source>
        <translation>梯度先累加，每步只规约一次。</translation>
    </message>
    <message>
        <source>The host launches every kernel.</source>
        <translation>由主机启动每个内核。</translation>
    </message>
    <message>
        <source>Attention is replayed as a recorded graph.</source>
        <translation>注意力作为录制的图重放。</translation>
    </message>
    <message>
        <source>The experts&apos; router is replayed.</source>
        <translation>重放专家的路由器。</translation>
    </message>
    <message>
        <source>Attention and router</source>
        <translation>注意力和路由器</translation>
    </message>
    <message>
        <source>Both are replayed; the experts&apos; products are launched.</source>
        <translation>两者重放；专家的乘法仍由主机启动。</translation>
    </message>
    <message>
        <source>Each layer is replayed as one graph.</source>
        <translation>每层作为一个图重放。</translation>
    </message>
    <message>
        <source>The whole step</source>
        <translation>整个步</translation>
    </message>
    <message>
        <source>One graph for all of a step.</source>
        <translation>一步的全部为一个图。</translation>
    </message>
    <message>
        <source>What processes can fill: the total that CUDA reports, on which running out of memory is decided.</source>
        <translation>进程能用的显存：CUDA 报告的总量，显存是否不足由它决定。</translation>
    </message>
    <message>
        <source>CUDA graphs.</source>
        <translation>CUDA 图。</translation>
    </message>
    <message>
        <source>nvidia-smi prints a total of {} MiB, with what the driver keeps for itself.</source>
        <translation>nvidia-smi 显示的总量为 {} MiB，含驱动自己保留的部分。</translation>
    </message>
    <message>
        <source>The card does not say what CUDA gives (usable_mib): its total counts.</source>
        <translation>这种卡没有注明 CUDA 给出多少（usable_mib）：按总量计算。</translation>
    </message>
    <message>
        <source>Stage {} takes {} % of the card, but the server does not start: its cache does not hold one sequence.</source>
        <translation>阶段 {} 占用该卡的 {} %，但服务器无法启动：其缓存放不下一个序列。</translation>
    </message>
    <message>
        <source>More than the share: missing</source>
        <translation>超出份额：缺少</translation>
    </message>
    <message>
        <source>{}{}</source>
        <translation>{}{}</translation>
    </message>
    <message>
        <source>a preset of another kind; this folder holds &quot;{}&quot;</source>
        <translation>另一类预设；此文件夹存放“{}”</translation>
    </message>
    <message>
        <source>{}; import that card first, or write its values here</source>
        <translation>{}；请先导入这种卡，或在此写出它的数值</translation>
    </message>
    <message>
        <source>at most the card&apos;s memory, {} MiB</source>
        <translation>不超过卡的显存 {} MiB</translation>
    </message>
    <message>
        <source>not set, and the system knows no home folder of yours: presets cannot be kept</source>
        <translation>未设置，系统也没有您的主文件夹：无法保存预设</translation>
    </message>
    <message>
        <source>Total as nvidia-smi prints it; with another one, nothing is known of what is usable</source>
        <translation>nvidia-smi 显示的总量；改成别的数值后，可用量即为未知</translation>
    </message>
    <message>
        <source>Usable memory</source>
        <translation>可用显存</translation>
    </message>
    <message>
        <source>What CUDA gives (torch&apos;s total_memory; nvidia-smi -q: Total less Reserved): the capacity; null: all of it</source>
        <translation>CUDA 给出的量（torch 的 total_memory；nvidia-smi -q：Total 减 Reserved），即容量；空值：全部</translation>
    </message>
    <message>
        <source>Even at {} the server does not start: its share of the card lacks {} for one sequence.</source>
        <translation>即使取 {}，服务器也无法启动：它在卡上的份额还缺 {} 才放得下一个序列。</translation>
    </message>
    <message>
        <source>{} node x {} {} of {}</source>
        <translation>{} 个节点 x {} 张 {}，每张 {}</translation>
    </message>
    <message>
        <source>{} nodes x {} {} of {}</source>
        <translation>{} 个节点 x {} 张 {}，每张 {}</translation>
    </message>
    <message>
        <source>Memory is that of the end, when every sequence has its full length in the cache; device adds communication libraries and the device context, and is compared with what CUDA gives of the card.</source>
        <translation>内存是最后时刻的，此时每个序列在缓存中都达到全长；设备内存还包括通信库和设备上下文，并与 CUDA 给出的显存比较。</translation>
    </message>
    <message>
        <source>Allocated memory is what torch.cuda.max_memory_allocated reports at its peak; reserved adds what the caching allocator holds back; device adds communication libraries and the device context, and is compared with what CUDA gives of the card.</source>
        <translation>“已分配”即峰值时 torch.cuda.max_memory_allocated 所报告的值；“已预留”加上缓存分配器占住的部分；“设备”再加上通信库与设备上下文，并与 CUDA 给出的显存比较。</translation>
    </message>
    <message>
        <source>{} MiB, all counted as usable (the card does not say)</source>
        <translation>{} MiB，全部计为可用（该卡没有注明）</translation>
    </message>
    <message>
        <source>{} MiB, {} usable</source>
        <translation>{} MiB，其中 {} 可用</translation>
    </message>
    <message>
        <source>the server does not start: {} of a sequence of {} tokens fits; {} are missing</source>
        <translation>服务器无法启动：一个 {1} 词元的序列只放得下 {0}；缺少 {2}</translation>
    </message>
    <message>
        <source>as vLLM splits them, the remainder on the last stages but one</source>
        <translation>按 vLLM 的方式，余下的层从倒数第二个阶段起向前各加一层</translation>
    </message>
    <message>
        <source>Cards that share each expert&apos;s matrices; null: as the framework does, which is the tensor degree for Megatron-LM</source>
        <translation>共享每个专家矩阵的卡数；空值：按框架的默认值，Megatron-LM 为张量并行度</translation>
    </message>
    <message>
        <source>expert tensor {}</source>
        <translation>专家张量并行 {}</translation>
    </message>
    <message>
        <source>expert tensor {} (automatic)</source>
        <translation>专家张量并行 {}（自动）</translation>
    </message>
    <message>
        <source>{}: {} expert features / {} leave {}</source>
        <translation>{}：{} 个专家特征 / {} 余 {}</translation>
    </message>
    <message>
        <source>{} cards per stage do not split into groups of expert {} x {}</source>
        <translation>每阶段 {} 张卡不能分成专家并行 {} x {} 的组</translation>
    </message>
    <message>
        <source>tensor {}, but expert {} x {}: {} tensor ranks hold copies of the same experts</source>
        <translation>张量并行 {}，但专家并行 {} x {}：{} 个张量并行 rank 持有相同专家的副本</translation>
    </message>
    <message>
        <source>tensor {} with experts and without sequence parallelism: Megatron-Core refuses to train it</source>
        <translation>张量并行 {}，有专家而没有序列并行：Megatron-Core 拒绝训练</translation>
    </message>
    <message>
        <source>{} optimizer instances do not divide the {} copies of the experts</source>
        <translation>{} 个优化器实例不能整除专家的 {} 份副本</translation>
    </message>
    <message>
        <source>DeepSpeed has no expert parallelism with ZeRO stage 3 and tensor parallelism together</source>
        <translation>DeepSpeed 的专家并行不能同时使用 ZeRO 第 3 阶段和张量并行</translation>
    </message>
    <message>
        <source>Megatron-LM overlaps parameter gathering only together with gradient reduction</source>
        <translation>Megatron-LM 只有在同时重叠梯度归约时才重叠参数收集</translation>
    </message>
    <message>
        <source>Megatron-LM overlaps tensor communication only with sequence parallelism</source>
        <translation>Megatron-LM 只有在使用序列并行时才重叠张量并行通信</translation>
    </message>
    <message>
        <source>the calibration takes {} bytes off every card, all that stage {} holds and more: measure this plan</source>
        <translation>校准从每张卡减去 {} 字节，不少于阶段 {} 所占的全部内存：请对此方案重新测量</translation>
    </message>
    <message>
        <source>a served plan has no choice of {}</source>
        <translation>推理服务方案不能选择 {}</translation>
    </message>
    <message>
        <source>is larger than {} bytes when it is unpacked</source>
        <translation>解压后大于 {} 字节</translation>
    </message>
    <message>
        <source>only the one with options from line {} was read: it has the most, or is the last with as many; not read: line {}</source>
        <translation>只读取了选项从第 {} 行开始的那条：它的选项最多，数量相同时取最后一条；未读取：第 {} 行</translation>
    </message>
    <message>
        <source>a factor that leaves MLPs of at most 2^40</source>
        <translation>使 MLP 宽度不超过 2^40 的系数</translation>
    </message>
    <message>
        <source>follows from the file as {}; a plan holds numbers from {} to {}</source>
        <translation>由文件得出的值为 {}；方案中的数须在 {} 到 {} 之间</translation>
    </message>
    <message>
        <source>at most {} stages instead of {} ranks x {} chunks</source>
        <translation>至多 {} 个阶段，而非 {} 个 rank x {} 个模型块</translation>
    </message>
    <message>
        <source>expected a quotation only where a key or a value begins</source>
        <translation>引号只能出现在键或值的开头</translation>
    </message>
    <message>
        <source>expected a JSON object, found a list</source>
        <translation>应为 JSON 对象，实际为列表</translation>
    </message>
    <message>
        <source>{} bytes do not fit this plan, which holds {}; was another run measured?</source>
        <translation>{} 字节与此方案不符：它应占 {} 字节；测量的是否为另一次运行？</translation>
    </message>
    <message>
        <source>expected at most {} bytes, found {}</source>
        <translation>应不超过 {} 字节，实为 {}</translation>
    </message>
    <message>
        <source>reached share of a link&apos;s rated bandwidth</source>
        <translation>链路标称带宽中实际达到的比例</translation>
    </message>
    <message>
        <source>reached share of PCIe by up to four cards</source>
        <translation>至多四张卡时 PCIe 实际达到的比例</translation>
    </message>
    <message>
        <source>reached share of PCIe by more than four cards</source>
        <translation>多于四张卡时 PCIe 实际达到的比例</translation>
    </message>
    <message>
        <source>share of one PCIe link that all groups between the halves of a host have together</source>
        <translation>主机两半之间的所有通信组合计占一条 PCIe 链路的比例</translation>
    </message>
    <message>
        <source>link of a card whose file names none</source>
        <translation>文件未注明链路的卡所用的链路</translation>
    </message>
    <message>
        <source>start of a collective inside a node where none was measured</source>
        <translation>节点内集合通信的启动时间（无测量值时）</translation>
    </message>
    <message>
        <source>latency between nodes that do not state it</source>
        <translation>未注明时的节点间延迟</translation>
    </message>
    <message>
        <source>port between nodes up to Ampere and Ada, if the cluster does not state it</source>
        <translation>Ampere 与 Ada 及更早各代的节点间端口（集群未注明时）</translation>
    </message>
    <message>
        <source>port between nodes from Hopper on, if the cluster does not state it</source>
        <translation>Hopper 起的节点间端口（集群未注明时）</translation>
    </message>
    <message>
        <source>reached share of PCIe between a card and host memory</source>
        <translation>卡与主机内存之间 PCIe 实际达到的比例</translation>
    </message>
    <message>
        <source>PCIe to the host of a card whose file names none</source>
        <translation>文件未注明 PCIe 的卡到主机的带宽</translation>
    </message>
    <message>
        <source>metadata of an exchange of DeepEP or HybridEP</source>
        <translation>DeepEP 或 HybridEP 每次交换的元数据时间</translation>
    </message>
    <message>
        <source>memory bandwidth that kernels reach</source>
        <translation>内核实际达到的显存带宽</translation>
    </message>
    <message>
        <source>share of the peak that products reach on a card without measurements</source>
        <translation>无测量值的卡上矩阵乘达到的峰值比例</translation>
    </message>
    <message>
        <source>rows with half the rate, on a card without a curve</source>
        <translation>速率减半时的行数（无曲线的卡）</translation>
    </message>
    <message>
        <source>inner dimension with half the rate, on a card without a curve</source>
        <translation>速率减半时的内维（无曲线的卡）</translation>
    </message>
    <message>
        <source>columns with half the rate, on a card without a curve</source>
        <translation>速率减半时的列数（无曲线的卡）</translation>
    </message>
    <message>
        <source>start of a product on a card without a curve</source>
        <translation>矩阵乘的启动时间（无曲线的卡）</translation>
    </message>
    <message>
        <source>columns with half the rate of fp8 and fp4 products, on a card without a curve</source>
        <translation>fp8 与 fp4 矩阵乘速率减半时的列数（无曲线的卡）</translation>
    </message>
    <message>
        <source>share of conversions that no norm, activation or product includes</source>
        <translation>未并入归一化、激活或矩阵乘的格式转换所占比例</translation>
    </message>
    <message>
        <source>rows per expert with half the rate of grouped products</source>
        <translation>分组矩阵乘速率减半时每个专家的行数</translation>
    </message>
    <message>
        <source>traffic of an activation inside the grouped product before it</source>
        <translation>并入前一个分组矩阵乘的激活的访存量</translation>
    </message>
    <message>
        <source>memory traffic over that of fused kernels</source>
        <translation>访存量与融合内核之比</translation>
    </message>
    <message>
        <source>memory traffic of plain modules over that of fused kernels</source>
        <translation>普通模块的访存量与融合内核之比</translation>
    </message>
    <message>
        <source>traffic of the biases of the experts&apos; second products, both directions</source>
        <translation>专家第二个矩阵乘的偏置的访存量（前向加反向）</translation>
    </message>
    <message>
        <source>the part of it forward</source>
        <translation>其中前向的部分</translation>
    </message>
    <message>
        <source>traffic of the clamps before a gated activation, forward</source>
        <translation>门控激活之前截断的访存量（前向）</translation>
    </message>
    <message>
        <source>traffic of the clamps before a gated activation, backward</source>
        <translation>门控激活之前截断的访存量（反向）</translation>
    </message>
    <message>
        <source>passes over the streams of a hyper-connection</source>
        <translation>超连接对各残差流的遍数</translation>
    </message>
    <message>
        <source>traffic of merging a step of PyTorch&apos;s attention ring</source>
        <translation>PyTorch 环形注意力每步合并的访存量</translation>
    </message>
    <message>
        <source>rate of attention over that of products, on a card without a curve</source>
        <translation>注意力与矩阵乘的速率之比（无曲线的卡）</translation>
    </message>
    <message>
        <source>tokens with half the rate of attention, on a card without a curve</source>
        <translation>注意力速率减半时的词元数（无曲线的卡）</translation>
    </message>
    <message>
        <source>start of attention on a card without a curve</source>
        <translation>注意力的启动时间（无曲线的卡）</translation>
    </message>
    <message>
        <source>rate of FlashAttention-2 over that of the card&apos;s best kernels, from Hopper on</source>
        <translation>Hopper 起 FlashAttention-2 与该卡最快内核的速率之比</translation>
    </message>
    <message>
        <source>rate of FlashAttention-2 over that of FlashAttention-1</source>
        <translation>FlashAttention-2 与 FlashAttention-1 的速率之比</translation>
    </message>
    <message>
        <source>tokens with half the rate of FlashAttention-2, from Hopper on</source>
        <translation>Hopper 起 FlashAttention-2 速率减半时的词元数</translation>
    </message>
    <message>
        <source>loss of attention&apos;s rate, extrapolated to heads without values</source>
        <translation>注意力速率的损失（外推到头维为零）</translation>
    </message>
    <message>
        <source>the same on Blackwell, where exponentials bound it</source>
        <translation>同上，Blackwell 上受指数运算限制</translation>
    </message>
    <message>
        <source>rate of attention in fp8 over that in 16 bits</source>
        <translation>fp8 注意力与 16 位注意力的速率之比</translation>
    </message>
    <message>
        <source>work of attention backward over forward, scores recomputed</source>
        <translation>注意力反向与前向的运算量之比（重算分数）</translation>
    </message>
    <message>
        <source>rate of attention backward over forward</source>
        <translation>注意力反向与前向的速率之比</translation>
    </message>
    <message>
        <source>share of the peak that products of unfused attention reach</source>
        <translation>未融合注意力的矩阵乘达到的峰值比例</translation>
    </message>
    <message>
        <source>passes of dropout over the scores</source>
        <translation>dropout 对分数的遍数</translation>
    </message>
    <message>
        <source>passes of Megatron&apos;s causal softmax over the scores, forward</source>
        <translation>Megatron 因果 softmax 对分数的遍数（前向）</translation>
    </message>
    <message>
        <source>passes of Megatron&apos;s causal softmax over the scores, backward</source>
        <translation>Megatron 因果 softmax 对分数的遍数（反向）</translation>
    </message>
    <message>
        <source>passes of mask and softmax over the scores, forward</source>
        <translation>掩码与 softmax 对分数的遍数（前向）</translation>
    </message>
    <message>
        <source>passes of mask and softmax over the scores, backward</source>
        <translation>掩码与 softmax 对分数的遍数（反向）</translation>
    </message>
    <message>
        <source>passes of scale, mask, fp32 softmax and rounding over the scores, each direction</source>
        <translation>缩放、掩码、fp32 softmax 与舍入对分数的遍数（每个方向）</translation>
    </message>
    <message>
        <source>kernels of unfused attention, forward</source>
        <translation>未融合注意力的内核数（前向）</translation>
    </message>
    <message>
        <source>kernels of unfused attention, backward</source>
        <translation>未融合注意力的内核数（反向）</translation>
    </message>
    <message>
        <source>peak above which chunked recurrences gain nothing</source>
        <translation>分块循环不再受益的峰值上限</translation>
    </message>
    <message>
        <source>share of that peak that Mamba-2 reaches</source>
        <translation>Mamba-2 达到该峰值的比例</translation>
    </message>
    <message>
        <source>share of that peak that Mamba-2 reaches on Blackwell</source>
        <translation>Blackwell 上 Mamba-2 达到该峰值的比例</translation>
    </message>
    <message>
        <source>share of that peak that delta rules reach</source>
        <translation>delta 规则达到该峰值的比例</translation>
    </message>
    <message>
        <source>work of delta rules backward over forward, states recomputed</source>
        <translation>delta 规则反向与前向的运算量之比（重算状态）</translation>
    </message>
    <message>
        <source>wait of a delta rule&apos;s chunk for the one before it</source>
        <translation>delta 规则的块等待前一块的时间</translation>
    </message>
    <message>
        <source>launches of a layer of Megatron&apos;s own Python modules, forward</source>
        <translation>Megatron 自带 Python 模块一层的启动时间（前向）</translation>
    </message>
    <message>
        <source>launches of a layer of Megatron&apos;s own Python modules, backward</source>
        <translation>Megatron 自带 Python 模块一层的启动时间（反向）</translation>
    </message>
    <message>
        <source>launches of TransformerEngine&apos;s modules in 16 bits, or of PyTorch&apos;s, over those</source>
        <translation>TransformerEngine 的 16 位模块或 PyTorch 模块的启动时间与上述之比</translation>
    </message>
    <message>
        <source>launches of compiled modules over those</source>
        <translation>编译模块的启动时间与上述之比</translation>
    </message>
    <message>
        <source>launches of TransformerEngine&apos;s modules in fp8 and fp4 over those</source>
        <translation>TransformerEngine 的 fp8 与 fp4 模块的启动时间与上述之比</translation>
    </message>
    <message>
        <source>launches of a layer of experts of TransformerEngine over those</source>
        <translation>TransformerEngine 专家层的启动时间与上述之比</translation>
    </message>
    <message>
        <source>launches of a layer of experts over a dense one, other modules</source>
        <translation>其他模块的专家层与稠密层启动时间之比</translation>
    </message>
    <message>
        <source>share of a dense layer&apos;s launches that belong to the token mixer</source>
        <translation>稠密层的启动中属于词元混合器的比例</translation>
    </message>
    <message>
        <source>share of a layer&apos;s launches that belong to attention</source>
        <translation>一层的启动中属于注意力的比例</translation>
    </message>
    <message>
        <source>share of a layer&apos;s launches that belong to norm and router</source>
        <translation>一层的启动中属于归一化与路由器的比例</translation>
    </message>
    <message>
        <source>launch of a CUDA graph over the launches that it replays</source>
        <translation>CUDA 图的启动与其重放的启动之比</translation>
    </message>
    <message>
        <source>wait for the host to read how many tokens each expert gets</source>
        <translation>等待主机读取每个专家的词元数的时间</translation>
    </message>
    <message>
        <source>host work of a training step, outside its passes</source>
        <translation>训练步中各遍之外的主机工作</translation>
    </message>
    <message>
        <source>part of tensor parallelism&apos;s collectives that userbuffers hide</source>
        <translation>userbuffers 隐藏的张量并行集合通信比例</translation>
    </message>
    <message>
        <source>part of the expert exchange that is hidden beside another micro-batch&apos;s pass</source>
        <translation>在另一个微批的遍旁隐藏的专家交换比例</translation>
    </message>
    <message>
        <source>share of a pass behind which communication can be hidden</source>
        <translation>一遍中可用于隐藏通信的比例</translation>
    </message>
    <message>
        <source>how much slower work is while it overlaps with communication</source>
        <translation>计算与通信重叠时变慢的程度</translation>
    </message>
    <message>
        <source>standard deviation of the speed of equal cards</source>
        <translation>同型号卡速度的标准差</translation>
    </message>
    <message>
        <source>memory traffic of the update</source>
        <translation>参数更新的访存量</translation>
    </message>
    <message>
        <source>launches of the update</source>
        <translation>参数更新的启动时间</translation>
    </message>
    <message>
        <source>traffic over PCIe of an update on the host</source>
        <translation>主机上更新参数时经 PCIe 的传输量</translation>
    </message>
    <message>
        <source>bandwidth of a host&apos;s memory, shared by its cards</source>
        <translation>主机内存带宽，由其各卡共享</translation>
    </message>
    <message>
        <source>a card&apos;s least share of the bandwidth of host memory</source>
        <translation>每张卡至少分得的主机内存带宽</translation>
    </message>
    <message>
        <source>bytes that the router keeps per token and expert</source>
        <translation>路由器为每个词元与专家保留的字节数</translation>
    </message>
    <message>
        <source>workspace of grouped products</source>
        <translation>分组矩阵乘的工作区</translation>
    </message>
    <message>
        <source>random states, token ids, labels and padding</source>
        <translation>随机状态、词元编号、标签与填充</translation>
    </message>
    <message>
        <source>memory of a communicator</source>
        <translation>一个通信器的显存</translation>
    </message>
    <message>
        <source>device context of a plan that does not state it</source>
        <translation>方案未注明时的设备上下文</translation>
    </message>
    <message>
        <source>smallest device context: kernels loaded when first used</source>
        <translation>最小的设备上下文：内核在首次使用时加载</translation>
    </message>
    <message>
        <source>largest device context: all kernels loaded at once</source>
        <translation>最大的设备上下文：一次加载全部内核</translation>
    </message>
    <message>
        <source>the least of it</source>
        <translation>其最小值</translation>
    </message>
    <message>
        <source>the most of it</source>
        <translation>其最大值</translation>
    </message>
    <message>
        <source>by how much the busiest rank&apos;s tokens may exceed the mean, if the plan does not say</source>
        <translation>方案未注明时最忙的 rank 的词元数可超出均值的程度</translation>
    </message>
    <message>
        <source>tokens of a server&apos;s forward pass, if the recipe does not say</source>
        <translation>配方未注明时服务一次前向的词元数</translation>
    </message>
    <message>
        <source>bytes per logit of vLLM&apos;s profile run of its sampler</source>
        <translation>vLLM 采样器试运行中每个 logit 的字节数</translation>
    </message>
    <message>
        <source>memory of vLLM outside the allocator on one card</source>
        <translation>vLLM 在单卡上分配器之外的显存</translation>
    </message>
    <message>
        <source>share of the card that vLLM fills, if the recipe does not say</source>
        <translation>配方未注明时 vLLM 占用的显存比例</translation>
    </message>
    <message>
        <source>Padding of served experts</source>
        <translation>推理时专家的填充</translation>
    </message>
    <message>
        <source>vLLM&apos;s kernels for mxfp4 pad the hidden size to a multiple of 256 and an expert&apos;s width to one of 128.</source>
        <translation>vLLM 的 mxfp4 内核把隐藏维度填充到 256 的倍数，把专家宽度填充到 128 的倍数。</translation>
    </message>
    <message>
        <source>size of the experts&apos; padded matrices over their own</source>
        <translation>专家矩阵填充后与填充前的大小之比</translation>
    </message>
    <message>
        <source>expected WORD=VALUE, such as links.share=0.75, found {}</source>
        <translation>应为 WORD=VALUE，例如 links.share=0.75，实际为 {}</translation>
    </message>
    <message>
        <source>constant</source>
        <translation>常数</translation>
    </message>
    <message>
        <source>{}: expected a number above 0, found {}</source>
        <translation>{}：应为大于 0 的数，实际为 {}</translation>
    </message>
    <message>
        <source>{}: a plan always has one, it cannot be none</source>
        <translation>{}：计划必有此项，不能设为无</translation>
    </message>
    <message>
        <source>is the same field as --x</source>
        <translation>与 --x 是同一字段</translation>
    </message>
    <message>
        <source>not in Accelerate&apos;s file; model and kind of cards are the starting plan&apos;s</source>
        <translation>不在 Accelerate 的文件中；模型和卡的型号取自起始方案</translation>
    </message>
    <message>
        <source>not in Accelerate&apos;s file; the starting plan&apos;s</source>
        <translation>不在 Accelerate 的文件中；取自起始方案</translation>
    </message>
    <message>
        <source>the training script says whether activations are recomputed; here none are</source>
        <translation>是否重计算激活由训练脚本决定；此处不重计算</translation>
    </message>
    <message>
        <source>gradients are reduced after every micro-batch, as by Accelerate before 1.11; later versions keep whole gradients on each card until the last one</source>
        <translation>每个微批次之后归约梯度，如 1.11 之前的 Accelerate；之后的版本在每张卡上保留完整梯度直到最后一个微批次</translation>
    </message>
    <message>
        <source>only some weights are trained; the plan trains all of them</source>
        <translation>只训练部分权重；方案训练全部权重</translation>
    </message>
    <message>
        <source>distillation: log probabilities of the teacher, and a loss that needs all logits, are left out</source>
        <translation>蒸馏：教师模型的对数概率以及需要全部 logits 的损失未计入</translation>
    </message>
    <message>
        <source>its averages of the gradients are left out: a copy of the trained weights</source>
        <translation>其梯度平均值未计入：相当于可训练权重的一份副本</translation>
    </message>
    <message>
        <source>changes of the model&apos;s configuration are not applied</source>
        <translation>对模型配置的修改未生效</translation>
    </message>
    <message>
        <source>only these weights are trained; the plan trains all, and so keeps too many gradients and optimizer states</source>
        <translation>只训练这些权重；方案训练全部权重，因此梯度和优化器状态偏多</translation>
    </message>
    <message>
        <source>only so many layers are trained at a time; the plan trains all, and so keeps too many gradients and optimizer states</source>
        <translation>每次只训练这么多层；方案训练全部层，因此梯度和优化器状态偏多</translation>
    </message>
    <message>
        <source>only these layers have adapters; the plan gives them to all</source>
        <translation>只有这些层有适配器；方案中所有层都有</translation>
    </message>
    <message>
        <source>these modules are trained in full beside the adapters; the plan has them frozen</source>
        <translation>除适配器外还完整训练这些模块；方案中它们被冻结</translation>
    </message>
    <message>
        <source>adapters are merged into the weights from time to time; the plan trains adapters</source>
        <translation>适配器会不时并入权重；方案只训练适配器</translation>
    </message>
    <message>
        <source>products are rounded as later in inference; what that keeps is left out</source>
        <translation>乘法按日后推理的方式舍入；为此保留的内容未计入</translation>
    </message>
    <message>
        <source>experts are matrices of their own, computed one by one</source>
        <translation>每个专家是单独的矩阵，逐个计算</translation>
    </message>
    <message>
        <source>what it changes is not known</source>
        <translation>不知道它会改变什么</translation>
    </message>
    <message>
        <source>not given; PEFT&apos;s own choice for most models</source>
        <translation>未给出；采用 PEFT 对多数模型的默认选择</translation>
    </message>
    <message>
        <source>experts are taken as quantized; transformers 5 keeps those of most models in 16 bits</source>
        <translation>专家按已量化计算；transformers 5 对多数模型仍以 16 位保留专家</translation>
    </message>
    <message>
        <source>weights and gradients are taken as fp32; those that Axolotl loads in bf16 stay so, which is precision bf16-pure</source>
        <translation>权重和梯度按 fp32 计算；Axolotl 以 bf16 加载的权重保持 bf16，即精度 bf16-pure</translation>
    </message>
    <message>
        <source>plugins do not have Axolotl&apos;s LigerPlugin, which reads it; without effect</source>
        <translation>plugins 中没有读取它的 Axolotl LigerPlugin；不起作用</translation>
    </message>
    <message>
        <source>files of GGUF have many formats, and the name says none</source>
        <translation>GGUF 文件有多种格式，名称中没有说明</translation>
    </message>
    <message>
        <source>its vision tower is not counted</source>
        <translation>未计入其视觉塔</translation>
    </message>
    <message>
        <source>its encoders of images and sound are not counted</source>
        <translation>未计入其图像和声音编码器</translation>
    </message>
    <message>
        <source>its experts have 4-bit integers with a scale for every 32, 6 % more than the mxfp4 that is counted</source>
        <translation>其专家为 4 位整数，每 32 个值一个缩放因子，比所计的 mxfp4 多 6 %</translation>
    </message>
    <message>
        <source>not in DeepSpeed&apos;s file; model and cards are the starting plan&apos;s</source>
        <translation>不在 DeepSpeed 的文件中；模型和卡取自起始方案</translation>
    </message>
    <message>
        <source>not in DeepSpeed&apos;s file; the starting plan&apos;s</source>
        <translation>不在 DeepSpeed 的文件中；取自起始方案</translation>
    </message>
    <message>
        <source>the name of a file or its content</source>
        <translation>文件名或其内容</translation>
    </message>
    <message>
        <source>not set here, and the script ends where it is not</source>
        <translation>此处未设置,而未设置时脚本会终止</translation>
    </message>
    <message>
        <source>not set here; options in it are missing</source>
        <translation>此处未设置;其中的选项缺失</translation>
    </message>
    <message>
        <source>not set here; the value of {} is not known</source>
        <translation>此处未设置;{} 的值未知</translation>
    </message>
    <message>
        <source>not read, though the script sources it; what it sets is missing</source>
        <translation>未读取,但脚本会 source 它;缺少其中的设置</translation>
    </message>
    <message>
        <source>not known (line {}) and taken as not so; on it hang {}</source>
        <translation>未知(第 {} 行),按不成立处理;取决于它的有 {}</translation>
    </message>
    <message>
        <source>not known (line {}); read was what begins on line {}; on it hang {}</source>
        <translation>未知(第 {} 行);读取的是从第 {} 行开始的部分;取决于它的有 {}</translation>
    </message>
    <message>
        <source>the command runs once for each; read for {}</source>
        <translation>该命令对每个值各运行一次;按 {} 读取</translation>
    </message>
    <message>
        <source>the model has experts, which are described by keys that are not known</source>
        <translation>该模型有专家，但描述它们的键是未知的</translation>
    </message>
    <message>
        <source>the gated MLPs of its tower count as ones without a gate, half as wide again</source>
        <translation>其视觉塔的门控 MLP 按宽度为 1.5 倍的无门控 MLP 计算</translation>
    </message>
    <message>
        <source>plans have no such format; weights count in 16 bits</source>
        <translation>方案没有这种格式；权重按 16 位计</translation>
    </message>
    <message>
        <source>not read, though it may be a size of the model</source>
        <translation>未读取，但它可能是模型的尺寸</translation>
    </message>
    <message>
        <source>MLPs with it are counted without a gate</source>
        <translation>使用它的 MLP 按无门控计算</translation>
    </message>
    <message>
        <source>not given; as many are common</source>
        <translation>未给出；采用常见的数目</translation>
    </message>
    <message>
        <source>looks like a file of {}, not of {}</source>
        <translation>看起来是 {} 的文件，而不是 {} 的</translation>
    </message>
    <message>
        <source>the file has none: give --model config.json or a shipped one</source>
        <translation>文件中没有模型：请用 --model 指定 config.json 或内置模型</translation>
    </message>
    <message>
        <source>model {} is not among the shipped ones: give --model config.json or one of: {}</source>
        <translation>模型 {} 不在内置模型之中：请用 --model 指定 config.json，或其中之一：{}</translation>
    </message>
    <message>
        <source>the name says {} billion parameters; {}, which was chosen, has {}</source>
        <translation>名称表示有 {} 十亿参数；所选的 {} 有 {}</translation>
    </message>
    <message>
        <source>neither it nor any other key of the file is one of this launcher</source>
        <translation>它和文件中其他的键都不属于这个启动器</translation>
    </message>
    <message>
        <source>Hugging Face Trainer</source>
        <translation>Hugging Face Trainer</translation>
    </message>
    <message>
        <source>TrainingArguments or the command of a script that reads them</source>
        <translation>TrainingArguments，或读取它的脚本的命令</translation>
    </message>
    <message>
        <source>LLaMA-Factory</source>
        <translation>LLaMA-Factory</translation>
    </message>
    <message>
        <source>a configuration or command of LLaMA-Factory</source>
        <translation>LLaMA-Factory 的配置或命令</translation>
    </message>
    <message>
        <source>ms-swift</source>
        <translation>ms-swift</translation>
    </message>
    <message>
        <source>a command of ms-swift</source>
        <translation>ms-swift 的命令</translation>
    </message>
    <message>
        <source>gradients are projected to a low rank; the plan has the optimizer&apos;s whole states</source>
        <translation>梯度被投影到低秩；方案按完整的优化器状态计算</translation>
    </message>
    <message>
        <source>only a block of layers is trained at a time; the plan trains all of them</source>
        <translation>每次只训练一块层；方案训练全部层</translation>
    </message>
    <message>
        <source>one second moment for a block of weights; the plan has one for each</source>
        <translation>一块权重共用一个二阶矩；方案中每个权重一个</translation>
    </message>
    <message>
        <source>only the added layers are trained; the plan trains all of them</source>
        <translation>只训练新增的层；方案训练全部层</translation>
    </message>
    <message>
        <source>Unsloth&apos;s own kernels keep less than the plan&apos;s, which are PyTorch&apos;s</source>
        <translation>Unsloth 自己的内核保留得比方案（PyTorch 的内核）少</translation>
    </message>
    <message>
        <source>a frozen reference model is not in the plan</source>
        <translation>方案不含冻结的参考模型</translation>
    </message>
    <message>
        <source>attention in groups of neighbours; the plan has whole sequences</source>
        <translation>注意力只在相邻的组内计算；方案按整个序列计算</translation>
    </message>
    <message>
        <source>tokens skip layers; the plan has them pass all</source>
        <translation>词元会跳过一些层；方案中词元经过所有层</translation>
    </message>
    <message>
        <source>the language model is frozen; the plan trains it</source>
        <translation>语言模型被冻结；方案会训练它</translation>
    </message>
    <message>
        <source>LLaMA-Factory trains it</source>
        <translation>LLaMA-Factory 训练的就是它</translation>
    </message>
    <message>
        <source>merges a checkpoint; only LLaMA-Factory&apos;s training is read</source>
        <translation>合并检查点；只读取 LLaMA-Factory 的训练</translation>
    </message>
    <message>
        <source>serves a model; only LLaMA-Factory&apos;s training is read</source>
        <translation>用于部署模型；只读取 LLaMA-Factory 的训练</translation>
    </message>
    <message>
        <source>trains with Megatron-Core; only LLaMA-Factory&apos;s own training is read</source>
        <translation>用 Megatron-Core 训练；只读取 LLaMA-Factory 自己的训练</translation>
    </message>
    <message>
        <source>KTransformers computes experts on the host, which plans cannot say</source>
        <translation>KTransformers 在主机上计算专家，方案无法表达</translation>
    </message>
    <message>
        <source>a configuration of LLaMA-Factory&apos;s v1; only that of the present version is read</source>
        <translation>LLaMA-Factory v1 的配置；只读取当前版本的配置</translation>
    </message>
    <message>
        <source>not given; LLaMA-Factory&apos;s default</source>
        <translation>未给出；采用 LLaMA-Factory 的默认值</translation>
    </message>
    <message>
        <source>only some layers are trained; the plan trains all, and so keeps too many gradients and optimizer states</source>
        <translation>只训练部分层；方案训练全部层，因此梯度和优化器状态偏多</translation>
    </message>
    <message>
        <source>its weights are taken to be as large as those of bitsandbytes</source>
        <translation>其权重大小按 bitsandbytes 的计算</translation>
    </message>
    <message>
        <source>the file has a model and no run of it; all else is the starting plan&apos;s</source>
        <translation>文件只含模型而无运行设置;其余取自起始计划</translation>
    </message>
    <message>
        <source>{}; options in {} are missing here</source>
        <translation>{};此处缺少 {} 中的选项</translation>
    </message>
    <message>
        <source>read as inference; its cache is counted as vLLM&apos;s is</source>
        <translation>按推理读取;其缓存按 vLLM 的方式计算</translation>
    </message>
    <message>
        <source>plans have the language model; the vision tower is missing</source>
        <translation>计划只含语言模型;缺少视觉塔</translation>
    </message>
    <message>
        <source>BERT, an encoder</source>
        <translation>BERT(编码器)</translation>
    </message>
    <message>
        <source>T5, an encoder and a decoder</source>
        <translation>T5(编码器加解码器)</translation>
    </message>
    <message>
        <source>an encoder of pictures</source>
        <translation>图像编码器</translation>
    </message>
    <message>
        <source>an encoder for retrieval</source>
        <translation>用于检索的编码器</translation>
    </message>
    <message>
        <source>a model with retrieval</source>
        <translation>带检索的模型</translation>
    </message>
    <message>
        <source>a model of several encoders</source>
        <translation>带多个编码器的模型</translation>
    </message>
    <message>
        <source>reinforcement learning, with a rollout beside the training</source>
        <translation>强化学习(训练之外还有 rollout)</translation>
    </message>
    <message>
        <source>an evaluation</source>
        <translation>评测程序</translation>
    </message>
    <message>
        <source>a quantization</source>
        <translation>量化程序</translation>
    </message>
    <message>
        <source>a pruning</source>
        <translation>剪枝程序</translation>
    </message>
    <message>
        <source>a conversion</source>
        <translation>转换程序</translation>
    </message>
    <message>
        <source>expected a program of Megatron-LM that trains or serves a language model, found {}</source>
        <translation>应为 Megatron-LM 中训练或提供语言模型服务的程序,实为{}</translation>
    </message>
    <message>
        <source>one that converts, evaluates or prepares data</source>
        <translation>用于转换、评测或准备数据的程序</translation>
    </message>
    <message>
        <source>no option of it, but {}</source>
        <translation>没有它的选项,而有 {}</translation>
    </message>
    <message>
        <source>kept in {}; training is taken to load it in 16 bits</source>
        <translation>以 {} 保存；训练按以 16 位加载计算</translation>
    </message>
    <message>
        <source>frozen weights stay in {}; they are taken to be as large as those of {}</source>
        <translation>冻结的权重保持 {}；大小按 {} 的权重计算</translation>
    </message>
    <message>
        <source>expected CLUSTER:NODES, such as dgx-h100:8, found {}</source>
        <translation>应为 集群:节点数，例如 dgx-h100:8，实际为 {}</translation>
    </message>
    <message>
        <source>--on {}: {} cards are no whole nodes of {}; {} nodes, as the preset has</source>
        <translation>--on {}：{} 张卡不能凑成每节点 {} 张的整节点；按预设取 {} 个节点</translation>
    </message>
    <message>
        <source>--on {}: {} cards, not {}; data parallelism {} -&gt; {}</source>
        <translation>--on {}：{} 张卡，而非 {} 张；数据并行 {} -&gt; {}</translation>
    </message>
    <message>
        <source>the shipped presets are missing: they hold the plan that fills in what the file does not give</source>
        <translation>缺少随附的预设：文件未给出的内容由其中的计划补足</translation>
    </message>
    <message>
        <source>--from is not used: the file is a plan</source>
        <translation>未使用 --from：该文件是计划</translation>
    </message>
    <message>
        <source>the file is a model itself</source>
        <translation>该文件本身就是模型</translation>
    </message>
    <message>
        <source>so that the model keeps every rule there: {}</source>
        <translation>为使该模型在那里遵守所有规则：{}</translation>
    </message>
    <message>
        <source>--model is not used: the file says the model&apos;s shape itself</source>
        <translation>未使用 --model：该文件自己给出了模型的形状</translation>
    </message>
    <message>
        <source>--on {}: {} nodes, not {} as the file says; data parallelism {} -&gt; {}</source>
        <translation>--on {}：{} 个节点，而非文件所说的 {} 个；数据并行 {} -&gt; {}</translation>
    </message>
    <message>
        <source>is neither a plan nor a file that is known as a launcher&apos;s; --from says whose it is</source>
        <translation>既不是计划，也认不出是哪个启动器的文件；用 --from 指明</translation>
    </message>
    <message>
        <source>only the training of the model is planned, not the generation of sequences and their rewards, which may share the cards</source>
        <translation>方案只含模型的训练，不含序列的生成及其奖励，二者可能共用这些卡</translation>
    </message>
    <message>
        <source>the reference model is the frozen one without its adapters, so there is no second copy</source>
        <translation>参考模型就是不带适配器的冻结模型，因此没有第二份</translation>
    </message>
    <message>
        <source>the chosen and the rejected sequence run together: {} sequences a micro-batch</source>
        <translation>被选中和被拒绝的序列一起运行：每个微批次 {} 条序列</translation>
    </message>
    <message>
        <source>causal_lm</source>
        <translation>causal_lm</translation>
    </message>
    <message>
        <source>NPROC_PER_NODE is not given; the cluster&apos;s own number is used</source>
        <translation>未给出 NPROC_PER_NODE;使用集群自身的数量</translation>
    </message>
    <message>
        <source>plans train all weights of the language model</source>
        <translation>计划训练语言模型的全部权重</translation>
    </message>
    <message>
        <source>another file; taken as fully sharded. Import it as well for the rest</source>
        <translation>另一个文件;按完全分片处理。其余设置请一并导入该文件</translation>
    </message>
    <message>
        <source>not known from the text; a step of 16 samples is taken</source>
        <translation>无法从文本得知;按每步 16 个样本计算</translation>
    </message>
    <message>
        <source>a configuration for generating text; only torchtune&apos;s training recipes are read</source>
        <translation>用于生成文本的配置；只读取 torchtune 的训练配方</translation>
    </message>
    <message>
        <source>a configuration for evaluating a model; only torchtune&apos;s training recipes are read</source>
        <translation>用于评测模型的配置；只读取 torchtune 的训练配方</translation>
    </message>
    <message>
        <source>GRPO generates text and keeps a reference model; only torchtune&apos;s recipes for given sequences are read</source>
        <translation>GRPO 生成文本并保留参考模型；只读取 torchtune 在给定序列上训练的配方</translation>
    </message>
    <message>
        <source>PPO keeps a policy, its reference, a value and a reward model, and generates text; only torchtune&apos;s recipes for given sequences are read</source>
        <translation>PPO 保留策略模型、其参考模型、价值模型和奖励模型，并生成文本；只读取 torchtune 在给定序列上训练的配方</translation>
    </message>
    <message>
        <source>a configuration for quantizing a checkpoint; only torchtune&apos;s training recipes are read</source>
        <translation>用于量化检查点的配置；只读取 torchtune 的训练配方</translation>
    </message>
    <message>
        <source>the frozen teacher is not in the plan: {} GB in all</source>
        <translation>方案不含冻结的教师模型：共 {} GB</translation>
    </message>
    <message>
        <source>the frozen teacher is not in the plan</source>
        <translation>方案不含冻结的教师模型</translation>
    </message>
    <message>
        <source>no model is given; the starting plan&apos;s is taken</source>
        <translation>未给出模型；采用起始方案的模型</translation>
    </message>
    <message>
        <source>not given; the default of TRL and run_clm.py</source>
        <translation>未给出；采用 TRL 和 run_clm.py 的默认值</translation>
    </message>
    <message>
        <source>not in TrainingArguments; the starting plan&apos;s</source>
        <translation>不在 TrainingArguments 中；取自起始方案</translation>
    </message>
    <message>
        <source>not given; TRL&apos;s default since 2026</source>
        <translation>未给出；采用 TRL 自 2026 年起的默认值</translation>
    </message>
    <message>
        <source>another file; it is not read</source>
        <translation>另一个文件；不读取</translation>
    </message>
    <message>
        <source>not given; the Trainer&apos;s default</source>
        <translation>未给出；采用 Trainer 的默认值</translation>
    </message>
    <message>
        <source>the Trainer halves the batch until it fits; here it is as given</source>
        <translation>Trainer 会将批大小减半直到放得下；此处按给出的值</translation>
    </message>
    <message>
        <source>expected a container with the command of a server, found none</source>
        <translation>应有一个带服务器命令的容器，但没有找到</translation>
    </message>
    <message>
        <source>only that of the first container was read</source>
        <translation>只读取了第一个容器的命令</translation>
    </message>
    <message>
        <source>not a literal; vLLM&apos;s default is used</source>
        <translation>不是字面值；使用 vLLM 的默认值</translation>
    </message>
    <message>
        <source>SGLang&apos;s share is for weights and cache alone; it is read as vLLM&apos;s, which is for all</source>
        <translation>SGLang 的比例只含权重和缓存；此处按 vLLM 的比例（含全部）读取</translation>
    </message>
    <message>
        <source>plans have no attention that is replicated within tensor parallelism</source>
        <translation>方案中没有在张量并行内复制的注意力</translation>
    </message>
    <message>
        <source>its checkpoint is published in {}</source>
        <translation>其检查点以 {} 发布</translation>
    </message>
    <message>
        <source>Assumed</source>
        <translation>导入时的假定</translation>
    </message>
    <message>
        <source>What an import took for granted; a sentence stays until you remove it</source>
        <translation>导入时视为既定的内容；每句话保留到您将其删除为止</translation>
    </message>
    <message>
        <source>by counting</source>
        <translation>由计数得出</translation>
    </message>
    <message>
        <source>published</source>
        <translation>已公布</translation>
    </message>
    <message>
        <source>fitted</source>
        <translation>拟合</translation>
    </message>
    <message>
        <source>assumed</source>
        <translation>假定</translation>
    </message>
    <message>
        <source>{} = {} ({}): {}</source>
        <translation>{} = {}（{}）：{}</translation>
    </message>
    <message>
        <source>Constants</source>
        <translation>常数</translation>
    </message>
    <message>
        <source>What the import assumed</source>
        <translation>导入时的假定</translation>
    </message>
    <message>
        <source>{}: {} -&gt; {}</source>
        <translation>{}：{} -&gt; {}</translation>
    </message>
    <message>
        <source>not given, so samples are as long as the data has them; {} tokens are taken</source>
        <translation>未给出,样本长度取决于数据;按 {} 个词元计算</translation>
    </message>
    <message>
        <source>the arguments are in this file, which is not there: import it instead</source>
        <translation>参数在这个文件中，而它不在那里：请改为导入它</translation>
    </message>
    <message>
        <source>expected a whole number from {} to {}, found {}</source>
        <translation>应为 {} 到 {} 之间的整数，实际为 {}</translation>
    </message>
    <message>
        <source>not given; taken from the cluster</source>
        <translation>未给出；取自集群</translation>
    </message>
    <message>
        <source>not in Axolotl&apos;s file; taken from the cluster</source>
        <translation>Axolotl 的文件中没有；取自集群</translation>
    </message>
    <message>
        <source>{} rows, as {} has</source>
        <translation>{} 行，与 {} 相同</translation>
    </message>
    <message>
        <source>--on {}: {} cards, not {}; too few for one replica, which takes {}</source>
        <translation>--on {}：{} 张卡，而不是 {}；不足以容纳一个副本，一个副本需要 {} 张</translation>
    </message>
    <message>
        <source>a model alone is given: batch, sequence, degrees and recipe are those of the plan &quot;{}&quot;, on {} x {} cards ({})</source>
        <translation>只给出了模型：批大小、序列长度、并行度和配方取自方案“{}”，使用 {} x {} 张卡（{}）</translation>
    </message>
    <message>
        <source>the file names no cards: {} x {} of the default plan&apos;s kind ({}); --on names others</source>
        <translation>文件没有指明卡：采用 {} x {} 张默认方案的卡（{}）；可用 --on 指定其他卡</translation>
    </message>
    <message>
        <source>{} is a model itself</source>
        <translation>{} 本身就是模型</translation>
    </message>
    <message>
        <source>--from is not used: {} is a shipped model</source>
        <translation>未使用 --from：{} 是内置模型</translation>
    </message>
    <message>
        <source>shipped plan or model</source>
        <translation>内置方案或模型</translation>
    </message>
    <message>
        <source>shipped model</source>
        <translation>内置模型</translation>
    </message>
    <message>
        <source>not in torchtitan&apos;s file; taken from the cluster</source>
        <translation>torchtitan 的文件中没有；取自集群</translation>
    </message>
    <message>
        <source>a recipe for a single device; the kind of card is taken from the cluster</source>
        <translation>单设备配方；卡的型号取自集群</translation>
    </message>
    <message>
        <source>not in torchtune&apos;s file; taken from the cluster</source>
        <translation>torchtune 的文件中没有；取自集群</translation>
    </message>
    <message>
        <source>the number is not given; taken from the cluster</source>
        <translation>未给出数目；取自集群</translation>
    </message>
    <message>
        <source>as many as the degrees need; the kind of card is taken from the cluster</source>
        <translation>数目按并行度所需；卡的型号取自集群</translation>
    </message>
    <message>
        <source>{} ranks take {} features of {} each, no multiple of 128: vLLM refuses checkpoints in fp8 with blocks of 128; those with a scale for each channel are not concerned</source>
        <translation>{} 个 rank 各取 {} 个{}的特征，不是 128 的倍数：vLLM 拒绝以 128 为块的 fp8 检查点；按通道缩放的检查点不受影响</translation>
    </message>
    <message>
        <source>an expert</source>
        <translation>专家</translation>
    </message>
    <message>
        <source>the shared experts</source>
        <translation>共享专家</translation>
    </message>
    <message>
        <source>an MLP</source>
        <translation>MLP</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知量</translation>
    </message>
    <message>
        <source>only that in line {} was read; not read: line {}</source>
        <translation>只读取了第 {} 行;未读取:第 {} 行</translation>
    </message>
    <message>
        <source>read as {}; the program takes hyphens alone, not this dash</source>
        <translation>按 {} 读取;程序只接受连字符,不接受此种破折号</translation>
    </message>
    <message>
        <source>the model of the command, which also names {}</source>
        <translation>作为命令的模型;命令还写了 {}</translation>
    </message>
    <message>
        <source>belongs to no option; not read</source>
        <translation>不属于任何选项;未读取</translation>
    </message>
    <message>
        <source>expected a command that starts a server, such as vllm serve MODEL, found {}</source>
        <translation>应为启动服务的命令,例如 vllm serve MODEL,实为 {}</translation>
    </message>
    <message>
        <source>{}: {} days</source>
        <translation>{}：{} 天</translation>
    </message>
    <message>
        <source>the most tokens are {}</source>
        <translation>最多词元数为 {}</translation>
    </message>
    <message>
        <source>the largest model has parameters {}</source>
        <translation>最大模型的参数量为 {}</translation>
    </message>
    <message>
        <source>the fewest cards are {}</source>
        <translation>最少卡数为 {}</translation>
    </message>
    <message>
        <source>no {} that were tried keep every limit, the last {} ({} searches)</source>
        <translation>尝试过的 {} 均不满足全部限制，最后一个为 {}（{} 次搜索）</translation>
    </message>
    <message>
        <source>no {} keep every limit ({} searches)</source>
        <translation>没有任何 {} 满足全部限制（{} 次搜索）</translation>
    </message>
    <message>
        <source>{}; nothing beyond was left to try ({} searches)</source>
        <translation>{}；其外已无可试的值（{} 次搜索）</translation>
    </message>
    <message>
        <source>{}; the next that was tried misses: {} ({} searches)</source>
        <translation>{}；下一个尝试的值不满足：{}（{} 次搜索）</translation>
    </message>
    <message>
        <source>a served model has no run that a deadline or a budget could bound</source>
        <translation>推理服务没有可用期限或预算约束的训练过程</translation>
    </message>
    <message>
        <source>{} needs --deadline</source>
        <translation>{} 需要 --deadline</translation>
    </message>
    <message>
        <source>{} needs --deadline or --budget</source>
        <translation>{} 需要 --deadline 或 --budget</translation>
    </message>
    <message>
        <source>cards are solved for: name the numbers to try with --cards</source>
        <translation>卡数是待求量：用 --cards 给出要尝试的数目</translation>
    </message>
    <message>
        <source>weights in 4 bits, which Axolotl requires for qlora</source>
        <translation>4 位权重（Axolotl 对 qlora 的要求）</translation>
    </message>
    <message>
        <source>Axolotl refuses it together with {}</source>
        <translation>Axolotl 拒绝它与 {} 同时使用</translation>
    </message>
    <message>
        <source>DeepSpeed refuses it together with {}</source>
        <translation>DeepSpeed 拒绝它与 {} 同时使用</translation>
    </message>
    <message>
        <source>another file, whose name says no stage; DeepSpeed&apos;s default, stage 0, is taken. Import it as well</source>
        <translation>另一个文件，其名称未说明阶段；按 DeepSpeed 的默认值（阶段 0）处理。请一并导入该文件</translation>
    </message>
    <message>
        <source>LLaMA-Factory quantizes only under adapters, not with finetuning_type {}</source>
        <translation>LLaMA-Factory 只在使用适配器时量化，finetuning_type 为 {} 时不量化</translation>
    </message>
    <message>
        <source>1 to 8</source>
        <translation>1 到 8</translation>
    </message>
    <message>
        <source>4 or 8</source>
        <translation>4 或 8</translation>
    </message>
    <message>
        <source>Megatron-LM refuses full recomputation without it; {} is taken</source>
        <translation>没有它时 Megatron-LM 拒绝完全重计算；按 {} 处理</translation>
    </message>
    <message>
        <source>a checkpoint&apos;s sizes count more than the options; they are taken to be the same</source>
        <translation>检查点的尺寸优先于这些选项；按二者相同处理</translation>
    </message>
    <message>
        <source>at most {}</source>
        <translation>至多 {}</translation>
    </message>
    <message>
        <source>not given; every layer is taken to be Mamba, as Megatron-LM had it before the option</source>
        <translation>未给出；按每一层都是 Mamba 处理，与该选项出现之前的 Megatron-LM 相同</translation>
    </message>
    <message>
        <source>one activation: Megatron-LM refuses it together with --swiglu</source>
        <translation>一种激活函数：Megatron-LM 拒绝它与 --swiglu 同时使用</translation>
    </message>
    <message>
        <source>a list for {} layers instead of {}</source>
        <translation>{} 层的列表，而不是 {} 层</translation>
    </message>
    <message>
        <source>serves a model</source>
        <translation>用于提供模型服务</translation>
    </message>
    <message>
        <source>generates text</source>
        <translation>用于生成文本</translation>
    </message>
    <message>
        <source>evaluates a model</source>
        <translation>用于评测模型</translation>
    </message>
    <message>
        <source>converts a checkpoint</source>
        <translation>用于转换检查点</translation>
    </message>
    <message>
        <source>a JSON object</source>
        <translation>一个 JSON 对象</translation>
    </message>
    <message>
        <source>another file, not read; its options are missing</source>
        <translation>另一个文件，未被读取；其中的选项缺失</translation>
    </message>
    <message>
        <source>another file, whose name says neither FSDP nor a stage; every card is taken to hold the whole model. Import it as well</source>
        <translation>另一个文件，其名称既未说明 FSDP 也未说明阶段；按每张卡保存完整模型处理。请一并导入该文件</translation>
    </message>
    <message>
        <source>TrainingArguments refuse it together with {}</source>
        <translation>TrainingArguments 拒绝它与 {} 同时使用</translation>
    </message>
    <message>
        <source>expected a map or a list of maps to merge, found something else</source>
        <translation>应为要合并的映射或映射列表，实际为其他内容</translation>
    </message>
    <message>
        <source>what is offloaded takes {} GB of a node&apos;s memory, up to {} GB with pinned buffers; how much a node has is not known (host_memory_gb)</source>
        <translation>卸载的内容占用节点内存 {} GB，计入锁页缓冲区最多 {} GB；节点内存大小未知（host_memory_gb）</translation>
    </message>
    <message>
        <source>what is offloaded takes {} GB of a node&apos;s memory ({} GB optimizer, {} GB gradients, {} GB weights, {} GB activations, {} GB processes), which has {} GB: offload less, or divide the states over more nodes</source>
        <translation>卸载的内容占用节点内存 {} GB（优化器 {} GB、梯度 {} GB、权重 {} GB、激活 {} GB、进程 {} GB），而节点只有 {} GB：请减少卸载，或将状态分到更多节点</translation>
    </message>
    <message>
        <source>a trainer that reads the whole checkpoint takes {} GB of a node&apos;s memory, which has {} GB: read it in parts</source>
        <translation>一次读取整个检查点的训练程序需要节点内存 {} GB，而节点只有 {} GB：请分块读取</translation>
    </message>
    <message>
        <source>what is offloaded takes {} GB of a node&apos;s {} GB, but up to {} GB if pinned buffers are rounded up</source>
        <translation>卸载的内容占用节点 {} GB（共 {} GB），若锁页缓冲区向上取整则最多 {} GB</translation>
    </message>
    <message>
        <source>Memory of a node</source>
        <translation>节点内存</translation>
    </message>
    <message>
        <source>What the ranks of the fullest node hold in its main memory: offloaded states, gradients and activations, copies for an optimizer on the host, their processes.</source>
        <translation>最满节点上各进程在主内存中占用的内容：卸载的状态、梯度和激活，供主机端优化器使用的副本，以及进程本身。</translation>
    </message>
    <message>
        <source>Pinned buffers that are rounded up to powers of two; the operating system and its file cache.</source>
        <translation>向上取整到 2 的幂的锁页缓冲区；操作系统及其文件缓存。</translation>
    </message>
    <message>
        <source>Reference model</source>
        <translation>参考模型</translation>
    </message>
    <message>
        <source>A frozen copy of the model in 16 bits, with whose probabilities the trained model&apos;s are compared; it is divided as the trained weights are.</source>
        <translation>模型的 16 位冻结副本，训练中的模型的概率与其概率相比较；切分方式与训练的权重相同。</translation>
    </message>
    <message>
        <source>Experts of the reference model</source>
        <translation>参考模型的专家</translation>
    </message>
    <message>
        <source>The frozen copy of this card&apos;s experts.</source>
        <translation>本卡专家的冻结副本。</translation>
    </message>
    <message>
        <source>Offloaded weights</source>
        <translation>卸载的权重</translation>
    </message>
    <message>
        <source>Offloaded gradients, and copies for the optimizer</source>
        <translation>卸载的梯度及供优化器使用的副本</translation>
    </message>
    <message>
        <source>Offloaded optimizer states</source>
        <translation>卸载的优化器状态</translation>
    </message>
    <message>
        <source>Offloaded activations</source>
        <translation>卸载的激活</translation>
    </message>
    <message>
        <source>Processes and data loaders</source>
        <translation>进程和数据加载器</translation>
    </message>
    <message>
        <source>Node {}, {} cards of the plan, has {} bytes.</source>
        <translation>节点 {}（方案的 {} 张卡）有 {} 字节。</translation>
    </message>
    <message>
        <source>Node {}, {} cards of the plan; its memory is not known.</source>
        <translation>节点 {}（方案的 {} 张卡）；内存大小未知。</translation>
    </message>
    <message>
        <source>the recipe&apos;s model is no name on the hub, but {}; the starting plan&apos;s is used</source>
        <translation>配方的模型不是 Hub 上的名称，而是 {}；使用起始方案的模型</translation>
    </message>
    <message>
        <source>no literal; what it sets is missing</source>
        <translation>不是字面量；缺少其设置</translation>
    </message>
    <message>
        <source>not in the recipe; taken from the cluster</source>
        <translation>配方中没有；取自集群</translation>
    </message>
    <message>
        <source>as many as the recipe&apos;s name says</source>
        <translation>与配方名称所示一样多</translation>
    </message>
    <message>
        <source>no literal; Megatron-LM&apos;s default is taken</source>
        <translation>不是字面量；取 Megatron-LM 的默认值</translation>
    </message>
    <message>
        <source>expected a whole number, found {}</source>
        <translation>应为整数，实际为 {}</translation>
    </message>
    <message>
        <source>not known; bf16 is taken</source>
        <translation>未知；取 bf16</translation>
    </message>
    <message>
        <source>a command, job or configuration of torchtitan</source>
        <translation>torchtitan 的命令、作业或配置</translation>
    </message>
    <message>
        <source>verl</source>
        <translation>verl</translation>
    </message>
    <message>
        <source>a command or configuration of verl</source>
        <translation>verl 的命令或配置</translation>
    </message>
    <message>
        <source>OpenRLHF</source>
        <translation>OpenRLHF</translation>
    </message>
    <message>
        <source>a command of OpenRLHF</source>
        <translation>OpenRLHF 的命令</translation>
    </message>
    <message>
        <source>Megatron-Bridge</source>
        <translation>Megatron-Bridge</translation>
    </message>
    <message>
        <source>a recipe of Megatron-Bridge</source>
        <translation>Megatron-Bridge 的配方</translation>
    </message>
    <message>
        <source>of OpenRLHF&apos;s programs only train_sft, train_dpo, train_kto, train_rm and train_ppo_ray are read</source>
        <translation>OpenRLHF 的程序中只读取 train_sft、train_dpo、train_kto、train_rm 和 train_ppo_ray</translation>
    </message>
    <message>
        <source>not given; OpenRLHF&apos;s default</source>
        <translation>未给出；取 OpenRLHF 的默认值</translation>
    </message>
    <message>
        <source>a stage from 0 to 3</source>
        <translation>0 到 3 的阶段</translation>
    </message>
    <message>
        <source>gradients are accumulated in fp32; plans of DeepSpeed have them in 16 bits</source>
        <translation>梯度以 fp32 累积；DeepSpeed 的方案中为 16 位</translation>
    </message>
    <message>
        <source>its loss needs whole logits here; they are counted</source>
        <translation>此处其损失需要完整的 logits；已计入</translation>
    </message>
    <message>
        <source>ZeRO++ keeps a second copy of the weights divided over so many cards; plans have none</source>
        <translation>ZeRO++ 在这么多卡上切分保存权重的第二份副本；方案中没有</translation>
    </message>
    <message>
        <source>micro-batches are filled up to so many tokens: taken as {} sequences of full length</source>
        <translation>微批次最多填充这么多词元：按 {} 条满长度序列计</translation>
    </message>
    <message>
        <source>only the actor&apos;s training is planned; the engine that generates sequences, the critic and the reward model are not in the plan</source>
        <translation>只规划 actor 的训练；生成序列的引擎、critic 和奖励模型不在方案中</translation>
    </message>
    <message>
        <source>expected a command of OpenRLHF such as deepspeed --module openrlhf.cli.train_sft, found none</source>
        <translation>应为 OpenRLHF 的命令，如 deepspeed --module openrlhf.cli.train_sft，但没有找到</translation>
    </message>
    <message>
        <source>expected Python whose brackets and quotes are closed, found one that is not</source>
        <translation>应为括号和引号都闭合的 Python，但有未闭合的</translation>
    </message>
    <message>
        <source>expected a function that returns a configuration made of literals, found none</source>
        <translation>应有返回由字面量构成的配置的函数，但没有找到</translation>
    </message>
    <message>
        <source>the file has {} configurations; write one behind its name, FILE:NAME, of {}</source>
        <translation>文件有 {} 个配置；请在文件名后写出其中一个，FILE:NAME：{}</translation>
    </message>
    <message>
        <source>the frozen reference model is in host memory while the model trains, {} GB in 16 bits</source>
        <translation>训练期间冻结的参考模型位于主机内存，16 位共 {} GB</translation>
    </message>
    <message>
        <source>the frozen reference model is a second copy on the cards, {} GB in 16 bits divided as the weights are; its forward pass is not in the step&apos;s time</source>
        <translation>冻结的参考模型是卡上的第二份副本，16 位共 {} GB，按权重的方式切分；其前向计算不计入步时间</translation>
    </message>
    <message>
        <source>expected ms-swift&apos;s sft, pt or rlhf; plans have no {}</source>
        <translation>应为 ms-swift 的 sft、pt 或 rlhf；方案没有 {}</translation>
    </message>
    <message>
        <source>{}; of ms-swift&apos;s commands only sft, pt and rlhf are read</source>
        <translation>{}；ms-swift 的命令中只读取 sft、pt 和 rlhf</translation>
    </message>
    <message>
        <source>sequences are taken as long as prompt and completion may be, {} tokens</source>
        <translation>序列按提示与补全的最大长度计，{} 个词元</translation>
    </message>
    <message>
        <source>not in torchtitan&apos;s configuration; taken from the cluster</source>
        <translation>torchtitan 的配置中没有；取自集群</translation>
    </message>
    <message>
        <source>expected model_registry(&quot;8B&quot;) with a literal, found another expression</source>
        <translation>应为带字面量的 model_registry(&quot;8B&quot;)，但为其他表达式</translation>
    </message>
    <message>
        <source>plans do not support it; it is passed over</source>
        <translation>方案不支持；略过</translation>
    </message>
    <message>
        <source>no literal; torchtitan&apos;s default is taken</source>
        <translation>不是字面量；取 torchtitan 的默认值</translation>
    </message>
    <message>
        <source>not given; TRL&apos;s default</source>
        <translation>未给出；取 TRL 的默认值</translation>
    </message>
    <message>
        <source>evaluates texts</source>
        <translation>评测文本</translation>
    </message>
    <message>
        <source>prepares data</source>
        <translation>准备数据</translation>
    </message>
    <message>
        <source>{}; of verl&apos;s programs only those that train are read</source>
        <translation>{}；verl 的程序中只读取训练的程序</translation>
    </message>
    <message>
        <source>{} is not given; the starting plan&apos;s model is used</source>
        <translation>未给出 {}；使用起始方案的模型</translation>
    </message>
    <message>
        <source>not given; verl&apos;s default</source>
        <translation>未给出；取 verl 的默认值</translation>
    </message>
    <message>
        <source>verl keeps frozen weights in fp32; plans have them in 16 bits, half as large</source>
        <translation>verl 以 fp32 保存冻结权重；方案中为 16 位，只有一半大</translation>
    </message>
    <message>
        <source>moved to the host between training steps; on the card while it trains</source>
        <translation>训练步之间移到主机；训练时在卡上</translation>
    </message>
    <message>
        <source>a batch of at most 2^40 sequences</source>
        <translation>最多 2^40 条序列的批次</translation>
    </message>
    <message>
        <source>a number, since use_dynamic_bsz is off</source>
        <translation>一个数，因为 use_dynamic_bsz 关闭</translation>
    </message>
    <message>
        <source>the plan is a step of the actor&apos;s training: a mini-batch of prompts, {} responses to each, every sequence as long as prompt and response may be</source>
        <translation>方案是 actor 训练的一步：一个小批次的提示，每个提示 {} 个回答，每条序列取提示与回答的最大长度</translation>
    </message>
    <message>
        <source>only the actor&apos;s training is planned; the engine that generates sequences shares the cards and has freed its weights and cache by then</source>
        <translation>只规划 actor 的训练；生成序列的引擎与其共用卡，届时已释放权重和缓存</translation>
    </message>
    <message>
        <source>only the actor&apos;s training is planned; the engine that generates sequences has cards of its own</source>
        <translation>只规划 actor 的训练；生成序列的引擎使用自己的卡</translation>
    </message>
    <message>
        <source>not in the plan: the critic trains on the same cards, in turn with the actor; unless it is offloaded, its weights and optimizer states stay there</source>
        <translation>不在方案中：critic 与 actor 在同样的卡上轮流训练；除非卸载，其权重和优化器状态会留在卡上</translation>
    </message>
    <message>
        <source>of verl&apos;s engines for fine-tuning only fsdp is read, found {}</source>
        <translation>verl 的微调引擎中只读取 fsdp，实际为 {}</translation>
    </message>
    <message>
        <source>expected a command of verl such as python3 -m verl.trainer.main_ppo, found none</source>
        <translation>应为 verl 的命令，如 python3 -m verl.trainer.main_ppo，但没有找到</translation>
    </message>
    <message>
        <source>another file, not read; what it sets is missing</source>
        <translation>另一个文件，未读取；缺少其中的设置</translation>
    </message>
    <message>
        <source>Host memory of a node</source>
        <translation>每个节点的主机内存</translation>
    </message>
    <message>
        <source>GB</source>
        <translation>GB</translation>
    </message>
    <message>
        <source>Main memory of one node, for what is offloaded; null: not known</source>
        <translation>单个节点的主内存，用于存放卸载的内容；空值：未知</translation>
    </message>
    <message>
        <source>A frozen copy of the whole model stays on the cards in 16 bits, divided as the trained weights are, as DPO and PPO compare with. The time of its forward pass is not counted.</source>
        <translation>整个模型的一份冻结副本以 16 位保留在卡上，切分方式与训练的权重相同，供 DPO 和 PPO 比较使用。其前向计算的时间不计入。</translation>
    </message>
    <message>
        <source>node {}, {} cards: {} to {}, its memory is not known: {}</source>
        <translation>节点 {}，{} 张卡：{} 到 {}，节点内存未知：{}</translation>
    </message>
    <message>
        <source>node {}, {} cards: {} to {} of {}: {}</source>
        <translation>节点 {}，{} 张卡：{} 到 {}，共 {}：{}</translation>
    </message>
    <message>
        <source>Host memory: {}.</source>
        <translation>主机内存：{}。</translation>
    </message>
    <message>
        <source>REFUSED stage {}: the server does not start, its share of the card lacks {} for one sequence; {} of {}</source>
        <translation>被拒绝 阶段 {}：服务器无法启动，其占用的显存份额对一个序列还缺 {}；{} / {}</translation>
    </message>
    <message>
        <source>TIGHT stage {}: {} of {} ({} too much, but not for certain)</source>
        <translation>紧张 阶段 {}：{} / {}（可能超出 {}，但不确定）</translation>
    </message>
    <message>
        <source>Megatron-Core&apos;s distributed optimizer shards optimizer states only (zero1); this runs with Megatron-FSDP (--use-megatron-fsdp)</source>
        <translation>Megatron-Core 的分布式优化器只切分优化器状态（zero1）；此方案以 Megatron-FSDP 运行（--use-megatron-fsdp）</translation>
    </message>
    <message>
        <source>context {}: a recurrence runs through the whole sequence; {} neither exchanges its heads for tokens nor passes its state on</source>
        <translation>上下文并行 {}：递归贯穿整个序列；{} 既不以头交换词元，也不传递其状态</translation>
    </message>
    <message>
        <source>how the run ended</source>
        <translation>运行如何结束</translation>
    </message>
    <message>
        <source>one of died, refused, ran</source>
        <translation>died、refused、ran 之一</translation>
    </message>
    <message>
        <source>no case is called &quot;{}&quot;</source>
        <translation>没有名为“{}”的案例</translation>
    </message>
    <message>
        <source>Recipe&apos;s source</source>
        <translation>方案来源</translation>
    </message>
    <message>
        <source>The plan as given would take {} to {} of its predicted step, so the gain is doubtful until it is measured. Seconds of the step that differ: {}.</source>
        <translation>给定方案的实际步时可能是预测值的 {} 到 {},而最佳方案比这还快,因此在实测之前这一增益存疑。步时中有差别的部分(秒):{}。</translation>
    </message>
    <message>
        <source>{}, {} away</source>
        <translation>{},距离 {}</translation>
    </message>
    <message>
        <source>{}, {} away, predicted {}</source>
        <translation>{},距离 {},预测误差 {}</translation>
    </message>
    <message>
        <source>Processes</source>
        <translation>进程</translation>
    </message>
    <message>
        <source>share of the memory left by weights that TensorRT-LLM gives to its cache</source>
        <translation>TensorRT-LLM 分给缓存的、权重之外剩余显存的份额</translation>
    </message>
    <message>
        <source>memory bandwidth that grouped products of experts reach</source>
        <translation>专家分组矩阵乘达到的显存带宽</translation>
    </message>
    <message>
        <source>memory bandwidth that attention reaches over the cache</source>
        <translation>注意力读取缓存时达到的显存带宽</translation>
    </message>
    <message>
        <source>rate of a server&apos;s products over that of training</source>
        <translation>服务端矩阵乘速率与训练之比</translation>
    </message>
    <message>
        <source>rows per expert with half the rate of a server&apos;s grouped products</source>
        <translation>服务端分组矩阵乘速率减半时每个专家的行数</translation>
    </message>
    <message>
        <source>conversions to fp8 and fp4 over those measured apart</source>
        <translation>到 fp8 与 fp4 的转换开销与单独测量值之比</translation>
    </message>
    <message>
        <source>least time of a layer: norms, rotations and other small kernels</source>
        <translation>一层的最短时间：归一化、旋转编码和其他小内核</translation>
    </message>
    <message>
        <source>the same that routing to experts adds</source>
        <translation>路由到专家所增加的同类时间</translation>
    </message>
    <message>
        <source>the same that the indexer of sparse attention adds</source>
        <translation>稀疏注意力索引器所增加的同类时间</translation>
    </message>
    <message>
        <source>the same that a recurrent layer adds</source>
        <translation>循环层所增加的同类时间</translation>
    </message>
    <message>
        <source>these least times on Blackwell over those before</source>
        <translation>Blackwell 上这些最短时间与此前各代之比</translation>
    </message>
    <message>
        <source>time of an iteration for each of its sequences: sampling and scheduling</source>
        <translation>一次迭代中每条序列的时间：采样与调度</translation>
    </message>
    <message>
        <source>start of a small all-reduce over the fast link up to Ampere and Ada, and on AMD&apos;s cards</source>
        <translation>高速链路上小型 all-reduce 的启动时间，适用于 Ampere、Ada 及更早的卡和 AMD 的卡</translation>
    </message>
    <message>
        <source>the same on Hopper</source>
        <translation>同上，Hopper</translation>
    </message>
    <message>
        <source>the same on Blackwell</source>
        <translation>同上，Blackwell</translation>
    </message>
    <message>
        <source>the same of cards that are connected by PCIe alone</source>
        <translation>同上，仅由 PCIe 连接的卡</translation>
    </message>
    <message>
        <source>share of PCIe that a server&apos;s all-reduce reaches</source>
        <translation>服务端 all-reduce 达到的 PCIe 份额</translation>
    </message>
    <message>
        <source>bandwidth term of an all-reduce between kernels over that of one measured alone</source>
        <translation>内核之间 all-reduce 的带宽项与单独测量值之比</translation>
    </message>
    <message>
        <source>work of the busiest rank&apos;s experts over the mean, with attention data parallelism</source>
        <translation>注意力数据并行时，最忙的卡的专家工作量与均值之比</translation>
    </message>
    <message>
        <source>prompts&apos; work that shows in the time to the first token instead of later ones, twice</source>
        <translation>提示的工作中计入首个词元时间、而非之后词元的份额，乘以二</translation>
    </message>
    <message>
        <source>time that each further pipeline stage adds</source>
        <translation>流水线每多一级所增加的时间</translation>
    </message>
    <message>
        <source>host and HTTP before the first token of a loaded server</source>
        <translation>有负载的服务端在首个词元之前的主机与 HTTP 时间</translation>
    </message>
    <message>
        <source>Decoding, the tokens that follow a prompt one by one: its time is among the server&apos;s answers.</source>
        <translation>解码，即提示之后逐个生成的词元：其时间见服务端的答案。</translation>
    </message>
    <message>
        <source>vLLM&apos;s engine and its admission of requests.</source>
        <translation>vLLM 的引擎及其接纳请求的方式。</translation>
    </message>
    <message>
        <source>SGLang</source>
        <translation>SGLang</translation>
    </message>
    <message>
        <source>SGLang&apos;s engine and its admission of requests.</source>
        <translation>SGLang 的引擎及其接纳请求的方式。</translation>
    </message>
    <message>
        <source>TensorRT-LLM</source>
        <translation>TensorRT-LLM</translation>
    </message>
    <message>
        <source>NVIDIA&apos;s engine; its cache gets a share of the memory that weights leave.</source>
        <translation>NVIDIA 的引擎；其缓存占用权重之外剩余显存的一部分。</translation>
    </message>
    <message>
        <source>Input tokens</source>
        <translation>输入词元</translation>
    </message>
    <message>
        <source>Mean length of a prompt; null: what the answer leaves of the sequence length</source>
        <translation>提示的平均长度；空值：序列长度减去回答后所剩</translation>
    </message>
    <message>
        <source>Output tokens</source>
        <translation>输出词元</translation>
    </message>
    <message>
        <source>Mean length of an answer; null with no input tokens: decoding is timed at the full sequence length, without prompts of others</source>
        <translation>回答的平均长度；若输入词元也为 空值：按完整序列长度计算解码时间，不含他人的提示</translation>
    </message>
    <message>
        <source>Concurrency</source>
        <translation>并发数</translation>
    </message>
    <message>
        <source>Requests at once, over all replicas; null: as many as the cache holds and the server admits</source>
        <translation>所有副本上同时处理的请求；空值：缓存所能容纳、服务端所能接纳的最大数</translation>
    </message>
    <message>
        <source>Requests per second</source>
        <translation>每秒请求数</translation>
    </message>
    <message>
        <source>1/s</source>
        <translation>1/s</translation>
    </message>
    <message>
        <source>A load instead of a concurrency; null: none is given</source>
        <translation>以请求速率代替并发数；空值：未给出</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>队列</translation>
    </message>
    <message>
        <source>requests</source>
        <translation>个请求</translation>
    </message>
    <message>
        <source>Requests that wait at the start of a saturated run; null: endless</source>
        <translation>饱和运行开始时等待的请求；空值：无限</translation>
    </message>
    <message>
        <source>Limits</source>
        <translation>限制</translation>
    </message>
    <message>
        <source>Most time per token</source>
        <translation>每词元最长时间</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>Between the tokens of one user; null: no limit</source>
        <translation>同一用户相邻词元之间；空值：无限制</translation>
    </message>
    <message>
        <source>Most time to the first token</source>
        <translation>首个词元最长时间</translation>
    </message>
    <message>
        <source>s</source>
        <translation>s</translation>
    </message>
    <message>
        <source>From the request on, with all users&apos; requests at once; null: no limit</source>
        <translation>从请求开始，所有用户同时请求；空值：无限制</translation>
    </message>
    <message>
        <source>Times and throughput of the prefill are those of the prompts&apos; forward passes. Decoding, the tokens that follow a prompt one by one, is timed in the steady state, when prompts arrive as fast as answers end.</source>
        <translation>预填充的时间和吞吐量属于提示的前向计算。解码，即提示之后逐个生成的词元，按稳态计时：新提示到来的速度与回答结束的速度相同。</translation>
    </message>
    <message>
        <source>{} s of a card for an output token</source>
        <translation>每个输出词元用单卡 {} 秒</translation>
    </message>
    <message>
        <source>{} ms for a token of a user</source>
        <translation>每个用户每词元 {} 毫秒</translation>
    </message>
    <message>
        <source>does not serve the plan&apos;s load within its limits: {} ms for a token of {} users at once</source>
        <translation>不能在限制内承担方案的负载：{1} 个用户同时时每词元 {0} 毫秒</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>负载</translation>
    </message>
    <message>
        <source>{} sequences at once, {} tokens in and {} out in the mean</source>
        <translation>同时 {} 条序列，平均输入 {}、输出 {} 个词元</translation>
    </message>
    <message>
        <source>{} sequences at once, each at its full {} tokens; no prompts, because the plan gives no output tokens</source>
        <translation>同时 {} 条序列，各为完整的 {} 个词元；没有提示，因为方案未给出输出词元</translation>
    </message>
    <message>
        <source>Uncertain</source>
        <translation>不确定</translation>
    </message>
    <message>
        <source>{} to {} sequences if memory is a GiB less or more than counted: the cache is small</source>
        <translation>若内存比计算值少或多 1 GiB，则为 {} 至 {} 条序列：缓存很小</translation>
    </message>
    <message>
        <source>Overload</source>
        <translation>过载</translation>
    </message>
    <message>
        <source>requests come faster than the server answers them: they queue without end</source>
        <translation>请求来得比服务端回答得快：队列无限增长</translation>
    </message>
    <message>
        <source>Time per token</source>
        <translation>每词元时间</translation>
    </message>
    <message>
        <source>{} (within {} % in most published runs) = {}; {} with nothing else on the machine</source>
        <translation>{}（多数公开运行在 {} % 以内）= {}；机器上别无负载时为 {}</translation>
    </message>
    <message>
        <source>First token</source>
        <translation>首词元</translation>
    </message>
    <message>
        <source>{} alone to {} if all users ask at once</source>
        <translation>单独请求 {}，所有用户同时请求 {}</translation>
    </message>
    <message>
        <source>{} output tokens/s, {} per card; {} requests/s</source>
        <translation>输出 {} 词元/s，每卡 {}；{} 请求/s</translation>
    </message>
    <message>
        <source>{} output tokens/s, {} per card</source>
        <translation>输出 {} 词元/s，每卡 {}</translation>
    </message>
    <message>
        <source>Users</source>
        <translation>用户</translation>
    </message>
    <message>
        <source>at most {} within the limits; {} binds</source>
        <translation>限制之内最多 {}；受限于 {}</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>成本</translation>
    </message>
    <message>
        <source>{} USD per million output tokens</source>
        <translation>每百万输出词元 {} 美元</translation>
    </message>
    <message>
        <source>Energy</source>
        <translation>能耗</translation>
    </message>
    <message>
        <source>{} J per output token, at the cards&apos; rated power</source>
        <translation>每个输出词元 {} J，按卡的额定功率</translation>
    </message>
    <message>
        <source>prompts and answers of {} tokens in the mean are longer than the {} that the server is planned for</source>
        <translation>提示与回答平均共 {} 个词元，超过服务端所规划的 {}</translation>
    </message>
    <message>
        <source>a load is given by concurrency or by requests a second, not by both</source>
        <translation>负载由并发数或每秒请求数给出，不能两者同时给出</translation>
    </message>
    <message>
        <source>requests a second say nothing without the length of their answers</source>
        <translation>没有回答的长度，每秒请求数就没有意义</translation>
    </message>
    <message>
        <source>{} serves models; it does not train them</source>
        <translation>{} 用于提供服务，不用于训练</translation>
    </message>
    <message>
        <source>a plan that trains has no {}: that is of servers</source>
        <translation>训练的方案没有 {}：它属于推理服务</translation>
    </message>
    <message>
        <source>cache</source>
        <translation>缓存</translation>
    </message>
    <message>
        <source>products</source>
        <translation>矩阵乘</translation>
    </message>
    <message>
        <source>all-reduce</source>
        <translation>all-reduce</translation>
    </message>
    <message>
        <source>prompts</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>a measured server needs it, or tokens_per_second_per_user, or output_tokens_per_second, or ttft_ms</source>
        <translation>测得的服务端需要它，或 tokens_per_second_per_user、output_tokens_per_second、ttft_ms</translation>
    </message>
    <message>
        <source>its memory is planned as vLLM&apos;s, with the same degrees and sizes</source>
        <translation>其显存按 vLLM 规划，并行度和大小相同</translation>
    </message>
    <message>
        <source>this is vLLM&apos;s command</source>
        <translation>这是 vLLM 的命令</translation>
    </message>
    <message>
        <source>port between nodes up to which gathers and scatters of shards hide nothing</source>
        <translation>节点间端口不超过此带宽时，分片的收集与散发完全无法隐藏</translation>
    </message>
    <message>
        <source>traffic of widening a 4-bit weight before a product</source>
        <translation>乘法前把 4 位权重展开的访存量</translation>
    </message>
    <message>
        <source>rate of FlashAttention-3 under PyTorch over that of the card&apos;s best kernels</source>
        <translation>PyTorch 下 FlashAttention-3 的速率与该卡最佳内核之比</translation>
    </message>
    <message>
        <source>launches of a step of an eager attention ring, each direction</source>
        <translation>即时执行的注意力环每一步的启动时间，每个方向</translation>
    </message>
    <message>
        <source>share of a card&apos;s units that collectives take, from Hopper on</source>
        <translation>自 Hopper 起集合通信占用的计算单元比例</translation>
    </message>
    <message>
        <source>parameters of a bucket that replicas exchange at once; a million a rank if that is more</source>
        <translation>副本一次交换的桶中的参数数；若更多则为每个 rank 一百万</translation>
    </message>
    <message>
        <source>years after a generation&apos;s launch in which its software becomes faster</source>
        <translation>一代卡发布后软件逐渐变快的年数</translation>
    </message>
    <message>
        <source>by how much Blackwell&apos;s kernels were slower at its launch</source>
        <translation>Blackwell 发布时内核慢多少</translation>
    </message>
    <message>
        <source>what PyTorch&apos;s allocator holds and cannot use, over the largest block that a pass makes</source>
        <translation>PyTorch 分配器持有而无法使用的显存，与一次计算中最大块之比</translation>
    </message>
    <message>
        <source>the same with expandable segments</source>
        <translation>使用可扩展段时的同一比值</translation>
    </message>
    <message>
        <source>the same with compiled layers</source>
        <translation>层经过编译时的同一比值</translation>
    </message>
    <message>
        <source>Normalized queries and keys</source>
        <translation>归一化后的查询和键</translation>
    </message>
    <message>
        <source>Unfused norms keep the normalized values for the gradient of their weights.</source>
        <translation>未融合的归一化为其权重的梯度保留归一化后的值。</translation>
    </message>
    <message>
        <source>Backward pass of the experts&apos; first product</source>
        <translation>专家第一个矩阵乘的反向计算</translation>
    </message>
    <message>
        <source>The last layer&apos;s experts differentiate their first product; the gradients of their weights are whole.</source>
        <translation>最后一层的专家对第一个矩阵乘求导；其权重的梯度此时是完整的。</translation>
    </message>
    <message>
        <source>Last reduction of gradients</source>
        <translation>最后一次梯度归约</translation>
    </message>
    <message>
        <source>FSDP reduces the gradients of its last unit when no activations are left and all other gradients are there.</source>
        <translation>FSDP 归约最后一个单元的梯度时，激活已全部释放，其他梯度都已存在。</translation>
    </message>
    <message>
        <source>Scales of frozen matrices</source>
        <translation>冻结矩阵的缩放因子</translation>
    </message>
    <message>
        <source>bitsandbytes keeps the scales of 4-bit weights beside the tensors that FSDP divides, so every card has all of them.</source>
        <translation>bitsandbytes 把 4 位权重的缩放因子放在 FSDP 所切分的张量之外，因此每张卡都有全部缩放因子。</translation>
    </message>
    <message>
        <source>Scales of frozen experts</source>
        <translation>冻结专家的缩放因子</translation>
    </message>
    <message>
        <source>Adapter weights of experts</source>
        <translation>专家的适配器权重</translation>
    </message>
    <message>
        <source>The adapters of this card&apos;s experts, in 16 bits; shared by the cards that hold the same experts.</source>
        <translation>本卡专家的适配器，16 位；由持有相同专家的卡分摊。</translation>
    </message>
    <message>
        <source>Adapter gradients of experts</source>
        <translation>专家的适配器梯度</translation>
    </message>
    <message>
        <source>2 bytes for every learned parameter of the experts&apos; adapters.</source>
        <translation>专家适配器的每个可训练参数 2 字节。</translation>
    </message>
    <message>
        <source>Adapter optimizer states of experts</source>
        <translation>专家适配器的优化器状态</translation>
    </message>
    <message>
        <source>States of the experts&apos; adapters, shared by the cards that hold the same experts.</source>
        <translation>专家适配器的状态，由持有相同专家的卡分摊。</translation>
    </message>
    <message>
        <source>Copy for the update</source>
        <translation>更新用的副本</translation>
    </message>
    <message>
        <source>PyTorch&apos;s optimizer runs each operation over the whole list of weights, and holds the result of one for all of them.</source>
        <translation>PyTorch 的优化器对整个权重列表逐个执行操作，并为所有权重保存其中一个操作的结果。</translation>
    </message>
    <message>
        <source>Copy of the experts for the update</source>
        <translation>专家更新用的副本</translation>
    </message>
    <message>
        <source>The same of the experts.</source>
        <translation>专家的同一项。</translation>
    </message>
    <message>
        <source>16-bit copies of weights</source>
        <translation>权重的 16 位副本</translation>
    </message>
    <message>
        <source>Autocast turns fp32 weights into 16 bits where a product reads them, and keeps the copies until the product&apos;s backward pass.</source>
        <translation>自动混合精度在矩阵乘读取 fp32 权重时将其转换为 16 位，并把副本保留到该矩阵乘的反向计算。</translation>
    </message>
    <message>
        <source>Gradients being reduced</source>
        <translation>正在归约的梯度</translation>
    </message>
    <message>
        <source>While a layer&apos;s backward pass runs, FSDP holds the buffer out of which the unit before is reduced, and the output layer&apos;s gradient until its unit is complete.</source>
        <translation>一层反向计算期间，FSDP 持有前一单元归约所用的缓冲区，以及输出层的梯度，直到其单元完整。</translation>
    </message>
    <message>
        <source>Gradients of the last unit</source>
        <translation>最后一个单元的梯度</translation>
    </message>
    <message>
        <source>At the end of the backward pass FSDP holds the last unit&apos;s gradient, and the buffer out of which it is reduced: the embedding, where only layers are wrapped with the output layer.</source>
        <translation>反向计算结束时，FSDP 持有最后一个单元的梯度及其归约缓冲区：即词嵌入；若只包装各层，则还包括输出层。</translation>
    </message>
    <message>
        <source>The caching allocator holds freed blocks that no later tensor fits into: 5.2 % of what is allocated is the median of 23 published stages of Megatron-LM; a served model has none.</source>
        <translation>缓存分配器持有之后的张量放不进的已释放块：已分配量的 5.2 % 是 Megatron-LM 23 个已发布阶段的中位数；推理服务的模型没有。</translation>
    </message>
    <message>
        <source>Optimizer states cut up the blocks of the first step, so that the largest ones of later steps find no place: what is held and cannot be used is about one block as large as the largest that a pass makes.</source>
        <translation>优化器状态切碎了第一步的块，使之后各步中最大的块找不到位置：持有而无法使用的约为一次计算中最大的一块。</translation>
    </message>
    <message>
        <source>Place of the gradients</source>
        <translation>梯度的位置</translation>
    </message>
    <message>
        <source>FSDP makes sharded gradients on a stream of its own. Between steps they are freed, but nothing else can use their place.</source>
        <translation>FSDP 在独立的流上产生切分后的梯度。步与步之间它们被释放，但其位置不能用于其他张量。</translation>
    </message>
    <message>
        <source>Place of the experts&apos; gradients</source>
        <translation>专家梯度的位置</translation>
    </message>
    <message>
        <source>Place of the passes</source>
        <translation>各次计算的位置</translation>
    </message>
    <message>
        <source>Gradients are made in segments of their own, so what the passes held before stays reserved beside them.</source>
        <translation>梯度产生在独立的段中，因此各次计算之前占用的显存仍在其旁保留。</translation>
    </message>
    <message>
        <source>Freed layers in use</source>
        <translation>已释放但仍在使用的层</translation>
    </message>
    <message>
        <source>FSDP1 frees up to two gathered layers before the card has used them; until then nothing else can use their place.</source>
        <translation>FSDP1 会在卡用完之前释放至多两个已收集的层；在此之前其位置不能用于其他张量。</translation>
    </message>
    <message>
        <source>Place of gathered weights</source>
        <translation>已收集权重的位置</translation>
    </message>
    <message>
        <source>FSDP gathers on a stream of its own, into memory that holds two layers or the root unit at once and serves nothing else.</source>
        <translation>FSDP 在独立的流上收集权重，所用显存同时容纳两层或根单元，不作他用。</translation>
    </message>
    <message>
        <source>Stage {} holds most at the end of the backward pass, when the gradients of the last unit are reduced.</source>
        <translation>阶段 {} 在反向计算结束、归约最后一个单元的梯度时占用最多。</translation>
    </message>
    <message>
        <source>Layers in 16 bits</source>
        <translation>16 位层</translation>
    </message>
    <message>
        <source>Recomputed layers in 16 bits</source>
        <translation>重计算的 16 位层</translation>
    </message>
    <message>
        <source>parameters of this card&apos;s adapters that are not experts&apos;</source>
        <translation>本卡不属于专家的适配器参数</translation>
    </message>
    <message>
        <source>parameters of the adapters of this card&apos;s experts</source>
        <translation>本卡专家的适配器参数</translation>
    </message>
    <message>
        <source>bytes of a frozen matrix&apos;s scales, per value, that FSDP does not divide</source>
        <translation>冻结矩阵每个值对应的、FSDP 不切分的缩放因子字节数</translation>
    </message>
    <message>
        <source>bytes of the optimizer&apos;s states that go by the sides of matrices</source>
        <translation>按矩阵边长计的优化器状态字节数</translation>
    </message>
    <message>
        <source>the same of the experts&apos; matrices</source>
        <translation>专家矩阵的同一项</translation>
    </message>
    <message>
        <source>bytes of a weight in the format in which it is updated</source>
        <translation>权重在更新时所用格式的字节数</translation>
    </message>
    <message>
        <source>parameters of the output layer on its card</source>
        <translation>输出层在其所在卡上的参数</translation>
    </message>
    <message>
        <source>parameters of the unit that FSDP reduces last, with the embedding where this stage has it</source>
        <translation>FSDP 最后归约的单元的参数，若本阶段有词嵌入则包括它</translation>
    </message>
    <message>
        <source>bytes in which FSDP reduces a gradient</source>
        <translation>FSDP 归约一个梯度所用的字节数</translation>
    </message>
    <message>
        <source>bytes of the largest block that a pass makes and frees</source>
        <translation>一次计算产生并释放的最大块的字节数</translation>
    </message>
    <message>
        <source>what the allocator holds and cannot use, over that block</source>
        <translation>分配器持有而无法使用的量与该块之比</translation>
    </message>
    <message>
        <source>bytes that passes held on the main stream beyond what is on it at the peak</source>
        <translation>各次计算在主流上占用的字节数，超出峰值时主流上的部分</translation>
    </message>
    <message>
        <source>Adam-mini</source>
        <translation>Adam-mini</translation>
    </message>
    <message>
        <source>Adam with one average of squares for each block of weights.</source>
        <translation>每个权重块只有一个平方平均值的 Adam。</translation>
    </message>
    <message>
        <source>NorMuon</source>
        <translation>NorMuon</translation>
    </message>
    <message>
        <source>Muon whose rows are scaled by an average of their squares.</source>
        <translation>各行按其平方平均值缩放的 Muon。</translation>
    </message>
    <message>
        <source>Dion</source>
        <translation>Dion</translation>
    </message>
    <message>
        <source>Momentum made orthogonal at a quarter of a matrix&apos;s rank, Adam for the rest.</source>
        <translation>以矩阵四分之一的秩正交化的动量，其余用 Adam。</translation>
    </message>
    <message>
        <source>SOAP</source>
        <translation>SOAP</translation>
    </message>
    <message>
        <source>Adam in the eigenbasis of Shampoo&apos;s two matrices for every weight matrix.</source>
        <translation>在每个权重矩阵的两个 Shampoo 矩阵的特征基中运行的 Adam。</translation>
    </message>
    <message>
        <source>Shampoo</source>
        <translation>Shampoo</translation>
    </message>
    <message>
        <source>Two matrices and their inverse roots for every block of 1,024 x 1,024 weights.</source>
        <translation>每个 1,024 x 1,024 的权重块有两个矩阵及其逆根。</translation>
    </message>
    <message>
        <source>GaLore</source>
        <translation>GaLore</translation>
    </message>
    <message>
        <source>Adam of gradients that are projected to rank 128.</source>
        <translation>对投影到秩 128 的梯度运行的 Adam。</translation>
    </message>
    <message>
        <source>APOLLO</source>
        <translation>APOLLO</translation>
    </message>
    <message>
        <source>One rate for each channel, from Adam of gradients that are projected at random to rank 256.</source>
        <translation>每个通道一个学习率，来自对随机投影到秩 256 的梯度运行的 Adam。</translation>
    </message>
    <message>
        <source>FlashAttention 3</source>
        <translation>FlashAttention 3</translation>
    </message>
    <message>
        <source>The same tiles, in kernels written for Hopper.</source>
        <translation>同样的分块，内核专为 Hopper 编写。</translation>
    </message>
    <message>
        <source>Fused</source>
        <translation>融合</translation>
    </message>
    <message>
        <source>One kernel reads and writes everything that belongs to a weight.</source>
        <translation>一个核函数读写属于一个权重的全部数据。</translation>
    </message>
    <message>
        <source>Lists of tensors</source>
        <translation>按张量列表</translation>
    </message>
    <message>
        <source>Each operation runs over all weights before the next one; one more copy of them is held.</source>
        <translation>每个操作先处理完全部权重再进行下一个；会多保存一份副本。</translation>
    </message>
    <message>
        <source>Tensor by tensor</source>
        <translation>逐个张量</translation>
    </message>
    <message>
        <source>Each weight is updated by operations of its own.</source>
        <translation>每个权重由各自的操作更新。</translation>
    </message>
    <message>
        <source>Software of</source>
        <translation>软件版本月份</translation>
    </message>
    <message>
        <source>Year and month of the training software, as in 2025-11: kernels of a new generation of cards become faster in its first years; null: today&apos;s.</source>
        <translation>训练软件的年份和月份，如 2025-11：新一代卡的内核在头几年会变快；空值：当前版本。</translation>
    </message>
    <message>
        <source>First layers in 16 bits</source>
        <translation>开头的 16 位层数</translation>
    </message>
    <message>
        <source>So many layers from the first multiply in 16 bits, whatever the precision.</source>
        <translation>从第一层起这么多层以 16 位做乘法，与精度设置无关。</translation>
    </message>
    <message>
        <source>Last layers in 16 bits</source>
        <translation>末尾的 16 位层数</translation>
    </message>
    <message>
        <source>So many layers up to the last multiply in 16 bits, whatever the precision.</source>
        <translation>直到最后一层的这么多层以 16 位做乘法，与精度设置无关。</translation>
    </message>
    <message>
        <source>Update by</source>
        <translation>更新方式</translation>
    </message>
    <message>
        <source>How PyTorch&apos;s own optimizer runs; null: fused.</source>
        <translation>PyTorch 自带优化器的运行方式；空值：融合。</translation>
    </message>
    <message>
        <source>Expandable segments</source>
        <translation>可扩展段</translation>
    </message>
    <message>
        <source>PYTORCH_CUDA_ALLOC_CONF has expandable_segments: what the allocator holds grows in place.</source>
        <translation>PYTORCH_CUDA_ALLOC_CONF 含 expandable_segments：分配器持有的显存就地增长。</translation>
    </message>
    <message>
        <source>Embedding sharded apart</source>
        <translation>词嵌入单独切分</translation>
    </message>
    <message>
        <source>FSDP gathers and reduces the embedding apart from the output layer; null: as torchtitan does in pre-training and Hugging Face&apos;s wrapping does not in fine-tuning.</source>
        <translation>FSDP 把词嵌入与输出层分开收集和归约；空值：预训练时如 torchtitan 分开，微调时如 Hugging Face 的包装不分开。</translation>
    </message>
    <message>
        <source>software &quot;{}&quot;: expected year and month, as in &quot;2025-11&quot;; the figures assume today&apos;s</source>
        <translation>软件“{}”：应为年份和月份，如“2025-11”；数值按当前软件计算</translation>
    </message>
    <message>
        <source>Padded output of the adapters</source>
        <translation>适配器补零后的输出</translation>
    </message>
    <message>
        <source>Where one product makes queries, keys and values and only queries and values have adapters, their output is padded with zeros for the keys and kept.</source>
        <translation>若一个矩阵乘同时产生查询、键和值，且只有查询和值有适配器，则其输出在键的位置补零并被保留。</translation>
    </message>
    <message>
        <source>Roots for the update</source>
        <translation>更新用的平方根</translation>
    </message>
    <message>
        <source>Tensor by tensor PyTorch&apos;s AdamW makes the root of the second moments and divides it: two copies of a weight. DeepSpeed&apos;s partition is one tensor.</source>
        <translation>逐个张量更新时，PyTorch 的 AdamW 先对二阶矩开方再做除法：权重的两份副本。DeepSpeed 的分片是一个张量。</translation>
    </message>
    <message>
        <source>Roots for the experts&apos; update</source>
        <translation>专家更新用的平方根</translation>
    </message>
    <message>
        <source>Outputs of two buffers</source>
        <translation>两个缓冲区的输出</translation>
    </message>
    <message>
        <source>DeepSpeed&apos;s pipeline keeps the logits of its last stage until the buffer&apos;s next pass, and that stage has two buffers.</source>
        <translation>DeepSpeed 的流水线把最后阶段的 logits 保留到该缓冲区的下一次计算，而该阶段有两个缓冲区。</translation>
    </message>
    <message>
        <source>Place of the wrapped weights</source>
        <translation>包装权重所占的位置</translation>
    </message>
    <message>
        <source>FSDP1 copies the weights of its largest units to wrap them. What gradients, states and passes do not use of that place afterwards stays reserved.</source>
        <translation>FSDP1 为包装其最大的单元而复制权重。此后梯度、状态和各次计算未用到的那部分位置仍被保留。</translation>
    </message>
    <message>
        <source>bytes left by wrapping that nothing has used since</source>
        <translation>包装留下且此后未被使用的字节数</translation>
    </message>
    <message>
        <source>adapters of any kind</source>
        <translation>任意类型的适配器</translation>
    </message>
    <message>
        <source>bytes of a served expert&apos;s value, scales included</source>
        <translation>所服务专家每个值的字节数，含缩放因子</translation>
    </message>
    <message>
        <source>bytes of a served value of attention, scales included</source>
        <translation>所服务注意力权重每个值的字节数，含缩放因子</translation>
    </message>
    <message>
        <source>formats by part are of served weights</source>
        <translation>分部分的格式只用于推理服务的权重</translation>
    </message>
    <message>
        <source>Format of the experts&apos; weights where it is not the precision; null: it is.</source>
        <translation>专家权重的格式，与精度不同时填写；空值：与精度相同。</translation>
    </message>
    <message>
        <source>Attention&apos;s weights</source>
        <translation>注意力权重</translation>
    </message>
    <message>
        <source>Format of the weights of attention; null: the precision, or 16 bits beside experts in mxfp4.</source>
        <translation>注意力权重的格式；空值：与精度相同，专家为 mxfp4 时为 16 位。</translation>
    </message>
    <message>
        <source>Other weights</source>
        <translation>其他权重</translation>
    </message>
    <message>
        <source>Format of the layers&apos; other matrices; null: the precision, or 16 bits beside experts in mxfp4. Embeddings and the output layer stay in 16 bits.</source>
        <translation>各层其他矩阵的格式；空值：与精度相同，专家为 mxfp4 时为 16 位。嵌入层和输出层保持 16 位。</translation>
    </message>
    <message>
        <source>Embedding and head sit on the outer stages.</source>
        <translation>嵌入层和输出头位于首尾阶段。</translation>
    </message>
    <message>
        <source>The stages hold different numbers of layers.</source>
        <translation>各阶段的层数不同。</translation>
    </message>
    <message>
        <source>Experts are divided by degrees of their own.</source>
        <translation>专家按自己的并行度划分。</translation>
    </message>
    <message>
        <source>Norms are whole on every tensor rank.</source>
        <translation>归一化层在每个张量并行的卡上都是完整的。</translation>
    </message>
    <message>
        <source>Context ranks share the optimizer&apos;s states as well.</source>
        <translation>上下文并行的各卡也分担优化器状态。</translation>
    </message>
    <message>
        <source>Framework, precision and optimizer of this plan keep other bytes per parameter.</source>
        <translation>此方案的框架、精度和优化器每参数的字节数不同。</translation>
    </message>
    <message>
        <source>A part of it is kept on the host.</source>
        <translation>其中一部分保存在主机上。</translation>
    </message>
    <message>
        <source>Replicas share the weights.</source>
        <translation>副本分担权重。</translation>
    </message>
    <message>
        <source>Adapters are kept beside the frozen weights.</source>
        <translation>冻结的权重旁还保存适配器。</translation>
    </message>
    <message>
        <source>Embedding, head and norms are not quantized, and the rest comes with its scales.</source>
        <translation>嵌入层、输出头和归一化层不量化，其余部分还带有缩放系数。</translation>
    </message>
    <message>
        <source>The rule is that of plain 1F1B; the schedule is another.</source>
        <translation>该法则针对普通 1F1B；此方案用的是另一种调度。</translation>
    </message>
    <message>
        <source>The coefficient is that of one layer shape; MLP, heads and norms are counted here.</source>
        <translation>系数只对应一种层的形状；这里逐项计算 MLP、头和归一化层。</translation>
    </message>
    <message>
        <source>What is recomputed is not kept.</source>
        <translation>重计算的部分不保留。</translation>
    </message>
    <message>
        <source>Attention keeps its scores.</source>
        <translation>注意力保留其得分。</translation>
    </message>
    <message>
        <source>Without sequence parallelism norms are whole on every tensor rank.</source>
        <translation>没有序列并行时，归一化层在每个张量并行的卡上都是完整的。</translation>
    </message>
    <message>
        <source>The last stage holds the logits too.</source>
        <translation>最后一个阶段还保存 logits。</translation>
    </message>
    <message>
        <source>Weights on a card: Q bits each</source>
        <translation>一张卡上的权重：每个 Q 位</translation>
    </message>
    <message>
        <source>Memory to load the model on a card: the weights and a fifth</source>
        <translation>在一张卡上加载模型的显存：权重再加五分之一</translation>
    </message>
    <message>
        <source>A server fills what is left with the cache of its users.</source>
        <translation>服务器把剩余部分用于用户的缓存。</translation>
    </message>
    <message>
        <source>Bytes per parameter in mixed precision with fp32 gradients</source>
        <translation>混合精度、fp32 梯度时每参数的字节数</translation>
    </message>
    <message>
        <source>Bytes per parameter in mixed precision with 16-bit gradients</source>
        <translation>混合精度、16 位梯度时每参数的字节数</translation>
    </message>
    <message>
        <source>Least memory per parameter to train at all, on all cards of a replica</source>
        <translation>训练所需的每参数最少显存，一个副本的所有卡合计</translation>
    </message>
    <message>
        <source>Drawn from one run; activations follow the batch, not the parameters.</source>
        <translation>来自一次运行；激活值随批大小而非参数量变化。</translation>
    </message>
    <message>
        <source>Weights, gradients and optimizer on a card</source>
        <translation>一张卡上的权重、梯度和优化器</translation>
    </message>
    <message>
        <source>Weights, gradients and optimizer on a card with ZeRO-1</source>
        <translation>ZeRO-1 时一张卡上的权重、梯度和优化器</translation>
    </message>
    <message>
        <source>Weights, gradients and optimizer on a card with ZeRO-3</source>
        <translation>ZeRO-3 时一张卡上的权重、梯度和优化器</translation>
    </message>
    <message>
        <source>Micro-batches that the stage holds at once</source>
        <translation>该阶段同时保存的微批次</translation>
    </message>
    <message>
        <source>The same with v chunks per stage, on the first stage</source>
        <translation>每阶段 v 块时，第一个阶段的同一数值</translation>
    </message>
    <message>
        <source>Megatron-Core warms up by whole groups of micro-batches.</source>
        <translation>Megatron-Core 按整组微批次预热。</translation>
    </message>
    <message>
        <source>Activations on a card by 40 bytes</source>
        <translation>一张卡上的激活值，按 40 字节</translation>
    </message>
    <message>
        <source>Activations on a card by Korthikanti&apos;s 34 bytes</source>
        <translation>一张卡上的激活值，按 Korthikanti 的 34 字节</translation>
    </message>
    <message>
        <source>All of a card: states and activations</source>
        <translation>一张卡的全部：状态与激活值</translation>
    </message>
    <message>
        <source>Temporaries, communication, device context and reserve come on top.</source>
        <translation>另有临时量、通信、设备上下文和预留。</translation>
    </message>
    <message>
        <source>Device context of a process</source>
        <translation>一个进程的设备上下文</translation>
    </message>
    <message>
        <source>Follows the card and the libraries; the article&apos;s is one reading of a meter.</source>
        <translation>取决于卡和库；文章的数值是一次读数。</translation>
    </message>
    <message>
        <source>Idle share of the cards&apos; time</source>
        <translation>卡的空闲时间占比</translation>
    </message>
    <message>
        <source>Stages take different times, and transfers take some.</source>
        <translation>各阶段用时不同，传输也要时间。</translation>
    </message>
    <message>
        <source>Busy share if stages worked one after another</source>
        <translation>各阶段依次工作时的忙碌占比</translation>
    </message>
    <message>
        <source>Micro-batches keep the stages busy at the same time.</source>
        <translation>微批次让各阶段同时忙碌。</translation>
    </message>
    <message>
        <source>Model FLOPs utilisation (MFU)</source>
        <translation>模型 FLOPs 利用率（MFU）</translation>
    </message>
    <message>
        <source>Six FLOPs per parameter and token leave out attention&apos;s own products, and count the embedding, which multiplies nothing.</source>
        <translation>每参数每词元 6 次运算未计注意力自身的乘积，却计入了不做乘法的嵌入层。</translation>
    </message>
    <message>
        <source>Only the experts that a token goes to compute.</source>
        <translation>只有词元去往的专家参与计算。</translation>
    </message>
    <message>
        <source>13B on 4 cards of 80 GB: pipeline 4</source>
        <translation>13B，4 张 80 GB 卡：流水线 4</translation>
    </message>
    <message>
        <source>The third card holds 75.5 GB and does not burst, as the article says it does. Here embedding, head, temporaries and the device&apos;s context are counted too.</source>
        <translation>第三张卡占 75.5 GB，并不像文章所说的那样爆显存。这里还计入嵌入层、输出头、临时量和设备上下文。</translation>
    </message>
    <message>
        <source>The same with a batch of one</source>
        <translation>同上，批大小为一</translation>
    </message>
    <message>
        <source>With one micro-batch nothing piles up; three quarters of the time are idle.</source>
        <translation>只有一个微批次时没有堆积；四分之三的时间空闲。</translation>
    </message>
    <message>
        <source>13B on 8 cards: pipeline 4, two replicas with ZeRO-1</source>
        <translation>13B，8 张卡：流水线 4，两个副本，ZeRO-1</translation>
    </message>
    <message>
        <source>The article cuts 64.5 off. Figures by its own rule: choose “article, 18 bytes” under Figures.</source>
        <translation>文章把 64.5 截断了。要按其自身法则计算，请在“数值”中选择“文章，18 字节”。</translation>
    </message>
    <message>
        <source>13B on 8 cards: pipeline 8</source>
        <translation>13B，8 张卡：流水线 8</translation>
    </message>
    <message>
        <source>Eight micro-batches in flight on the first card.</source>
        <translation>第一张卡上有八个在途微批次。</translation>
    </message>
    <message>
        <source>13B on 8 cards: pipeline 4, interleaved with two chunks</source>
        <translation>13B，8 张卡：流水线 4，两块交错</translation>
    </message>
    <message>
        <source>The article names this schedule, and reckons plain 1F1B. Interleaving holds more.</source>
        <translation>文章说的是这种调度，算的却是普通 1F1B。交错调度保存得更多。</translation>
    </message>
    <message>
        <source>Four stages, one micro-batch at a time</source>
        <translation>四个阶段，一次一个微批次</translation>
    </message>
    <message>
        <source>The pipeline of the first picture: one stage works, three wait.</source>
        <translation>第一幅图的流水线：一个阶段工作，三个等待。</translation>
    </message>
    <message>
        <source>Four stages, four micro-batches: GPipe</source>
        <translation>四个阶段，四个微批次：GPipe</translation>
    </message>
    <message>
        <source>Every stage holds all four; the bubble is 3 of 7.</source>
        <translation>每个阶段保存全部四个；气泡为 3/7。</translation>
    </message>
    <message>
        <source>Four stages, four micro-batches: 1F1B</source>
        <translation>四个阶段，四个微批次：1F1B</translation>
    </message>
    <message>
        <source>The same bubble as GPipe with less memory. PipeDream itself keeps several versions of weights.</source>
        <translation>气泡与 GPipe 相同，显存更少。PipeDream 本身会保存多个版本的权重。</translation>
    </message>
    <message>
        <source>7B trained on one card of 24 GB</source>
        <translation>7B，在一张 24 GB 卡上训练</translation>
    </message>
    <message>
        <source>True of inference and of LoRA or QLoRA, not of full training: 18 bytes per parameter.</source>
        <translation>对推理以及 LoRA、QLoRA 成立，对全量训练不成立：每参数 18 字节。</translation>
    </message>
    <message>
        <source>7B trained on one card of 80 GB</source>
        <translation>7B，在一张 80 GB 卡上训练</translation>
    </message>
    <message>
        <source>16 bytes per parameter of its 6.7 billion, and the activations on top.</source>
        <translation>其 67 亿参数每个 16 字节，另加激活值。</translation>
    </message>
    <message>
        <source>Llama 70B served in 16 bits</source>
        <translation>Llama 70B，16 位推理</translation>
    </message>
    <message>
        <source>The weights and a fifth, on all cards; a server gives the rest to the cache.</source>
        <translation>权重再加五分之一，所有卡合计；服务器把其余部分用于缓存。</translation>
    </message>
    <message>
        <source>65B served on four V100 of 32 GB</source>
        <translation>65B，四张 32 GB V100 推理</translation>
    </message>
    <message>
        <source>The weights alone miss by 2 GB.</source>
        <translation>仅权重就差 2 GB。</translation>
    </message>
    <message>
        <source>65B in 4 bits with LoRA on one card</source>
        <translation>65B，4 位，LoRA，一张卡</translation>
    </message>
    <message>
        <source>Half a byte per parameter, and adapters, activations and buffers on top.</source>
        <translation>每参数半个字节，另加适配器、激活值和缓冲区。</translation>
    </message>
    <message>
        <source>Model states</source>
        <translation>模型状态</translation>
    </message>
    <message>
        <source>Weights, their gradients, and what the optimizer keeps of each.</source>
        <translation>权重、梯度，以及优化器为每个参数保存的内容。</translation>
    </message>
    <message>
        <source>What a forward pass keeps until its backward pass, for every token of a micro-batch.</source>
        <translation>前向传播为微批次的每个词元保留到反向传播的内容。</translation>
    </message>
    <message>
        <source>The sequences that go through the model together on one replica; a step has several of them.</source>
        <translation>在一个副本上一起通过模型的序列；一步有多个微批次。</translation>
    </message>
    <message>
        <source>All sequences of an optimizer step: micro-batch x micro-batches x replicas.</source>
        <translation>一个优化器步的所有序列：微批大小 × 微批次数 × 副本数。</translation>
    </message>
    <message>
        <source>Replicas of the model that work on different sequences and add up their gradients.</source>
        <translation>处理不同序列并把梯度相加的模型副本。</translation>
    </message>
    <message>
        <source>ZeRO, sharding</source>
        <translation>ZeRO，分片</translation>
    </message>
    <message>
        <source>Replicas divide the optimizer (1), gradients too (2), weights too (3) instead of repeating them.</source>
        <translation>副本之间划分优化器（1）、还有梯度（2）、还有权重（3），而不是各存一份。</translation>
    </message>
    <message>
        <source>The matrices of a layer are divided over cards, which exchange activations in every layer.</source>
        <translation>一层的矩阵划分到多张卡上，每层都要交换激活值。</translation>
    </message>
    <message>
        <source>Tensor ranks also divide what stands between the matrices, by tokens.</source>
        <translation>张量并行的各卡还按词元划分矩阵之间的部分。</translation>
    </message>
    <message>
        <source>Layers are divided into stages; micro-batches pass from one to the next.</source>
        <translation>层划分为阶段；微批次从一个阶段传到下一个。</translation>
    </message>
    <message>
        <source>The time in which a stage waits for the others.</source>
        <translation>一个阶段等待其他阶段的时间。</translation>
    </message>
    <message>
        <source>In flight</source>
        <translation>在途</translation>
    </message>
    <message>
        <source>Micro-batches that a stage has sent forward and not yet back: it keeps their activations.</source>
        <translation>一个阶段已做前向、尚未做反向的微批次：它保存其激活值。</translation>
    </message>
    <message>
        <source>GPipe</source>
        <translation>GPipe</translation>
    </message>
    <message>
        <source>All micro-batches forward, then all back: every stage holds all of them.</source>
        <translation>所有微批次先前向、再反向：每个阶段保存全部。</translation>
    </message>
    <message>
        <source>1F1B</source>
        <translation>1F1B</translation>
    </message>
    <message>
        <source>One forward, one backward: stage i of p holds at most p - i + 1 micro-batches.</source>
        <translation>一次前向、一次反向：p 个阶段中的第 i 个最多保存 p - i + 1 个微批次。</translation>
    </message>
    <message>
        <source>A stage has several chunks of layers: a smaller bubble, more in flight, more transfers.</source>
        <translation>一个阶段有多块层：气泡更小，在途更多，传输更多。</translation>
    </message>
    <message>
        <source>A sequence is divided over cards, which exchange keys and values for attention.</source>
        <translation>一个序列划分到多张卡上，注意力需要交换键和值。</translation>
    </message>
    <message>
        <source>Experts are divided over cards; tokens travel to theirs and back.</source>
        <translation>专家划分到多张卡上；词元前往各自的专家再返回。</translation>
    </message>
    <message>
        <source>Recomputation</source>
        <translation>重计算</translation>
    </message>
    <message>
        <source>Activations are dropped and computed again for the backward pass: less memory, more time.</source>
        <translation>丢弃激活值，反向时再次计算：显存更少，时间更多。</translation>
    </message>
    <message>
        <source>Offload</source>
        <translation>卸载</translation>
    </message>
    <message>
        <source>A part is kept in the host&apos;s memory and copied when it is needed.</source>
        <translation>一部分保存在主机内存中，需要时复制。</translation>
    </message>
    <message>
        <source>LoRA, QLoRA</source>
        <translation>LoRA、QLoRA</translation>
    </message>
    <message>
        <source>Small adapters are trained beside frozen weights, which QLoRA keeps in 4 bits.</source>
        <translation>在冻结的权重旁训练小型适配器；QLoRA 以 4 位保存权重。</translation>
    </message>
    <message>
        <source>MFU, HFU</source>
        <translation>MFU、HFU</translation>
    </message>
    <message>
        <source>FLOPs of the model, or of all that is run, as a share of what the cards could do at their peak.</source>
        <translation>模型的（或实际执行的全部）FLOPs 占卡峰值能力的比例。</translation>
    </message>
    <message>
        <source>What a server keeps of every token that its users&apos; contexts hold.</source>
        <translation>服务器为用户上下文中的每个词元保存的内容。</translation>
    </message>
    <message>
        <source>Prefill, decode</source>
        <translation>预填充、解码</translation>
    </message>
    <message>
        <source>A prompt is read at once and bounded by compute; answers are made token by token, bounded by memory bandwidth.</source>
        <translation>提示一次读入，受算力限制；回答逐词元生成，受显存带宽限制。</translation>
    </message>
    <message>
        <source>Allocated, reserved, device</source>
        <translation>已分配、已预留、设备</translation>
    </message>
    <message>
        <source>What tensors take, what the allocator keeps for them, and what nvidia-smi shows in use.</source>
        <translation>张量占用的、分配器为其保留的，以及 nvidia-smi 显示的已用量。</translation>
    </message>
    <message>
        <source>NVLink domain</source>
        <translation>NVLink 域</translation>
    </message>
    <message>
        <source>Cards that reach each other at the speed of the links inside a node.</source>
        <translation>以节点内链路速度互通的卡。</translation>
    </message>
    <message>
        <source>there is no plan with this id</source>
        <translation>没有这个标识的方案</translation>
    </message>
    <message>
        <source>at least {} times the best: {} against {} ({})</source>
        <translation>至少为最佳的 {} 倍：{}，最佳为 {}（{}）</translation>
    </message>
    <message>
        <source>only served weights have formats by part</source>
        <translation>只有推理服务的权重分部分设格式</translation>
    </message>
    <message>
        <source>the model has no experts</source>
        <translation>该模型没有专家</translation>
    </message>
    <message>
        <source>What a user waits from one token to the next, the first one excluded: one iteration of the engine, and the prompts of others.</source>
        <translation>用户在两个词元之间的等待，不含首个词元：引擎的一次迭代，以及他人的提示。</translation>
    </message>
    <message>
        <source>Every iteration reads all dense weights of the card, however many sequences share them.</source>
        <translation>每次迭代都读取卡上全部稠密权重，无论多少序列共用。</translation>
    </message>
    <message>
        <source>Only experts that some token chooses are read: of E experts with k chosen, M tokens touch E (1 - (1 - k / E)^M).</source>
        <translation>只读取被词元选中的专家：E 个专家各词元选 k 个，M 个词元涉及 E (1 - (1 - k / E)^M) 个。</translation>
    </message>
    <message>
        <source>Every new token attends to all tokens before it, whose keys and values are read.</source>
        <translation>每个新词元关注此前的所有词元，须读取它们的键和值。</translation>
    </message>
    <message>
        <source>Products</source>
        <translation>矩阵乘法</translation>
    </message>
    <message>
        <source>Arithmetic that reading weights and cache does not hide. It grows with the sequences.</source>
        <translation>读取权重和缓存所不能掩盖的运算，随序列数增长。</translation>
    </message>
    <message>
        <source>All-reduce</source>
        <translation>全归约</translation>
    </message>
    <message>
        <source>Sums over tensor ranks, twice a layer, and exchanges with experts on other cards. They are small, so what counts is how long one takes to start.</source>
        <translation>张量并行各卡间的求和，每层两次，以及与其他卡上专家的交换。数据量小，因此取决于启动时间。</translation>
    </message>
    <message>
        <source>What a layer takes at least, whatever it computes, and sampling for each sequence.</source>
        <translation>每层无论计算什么都至少需要的时间，以及每个序列的采样。</translation>
    </message>
    <message>
        <source>Prompts of others</source>
        <translation>他人的提示</translation>
    </message>
    <message>
        <source>New requests arrive as fast as answers end, and their prompts are fed beside decoding; a part of that wait falls before a request&apos;s own first token.</source>
        <translation>回答结束多快，新请求就来多快，其提示与解码一同处理；这部分等待有一些落在请求自己的首个词元之前。</translation>
    </message>
    <message>
        <source>Stages that take longer than others, and transfers between them.</source>
        <translation>比其他阶段更慢的阶段，以及阶段间的传输。</translation>
    </message>
    <message>
        <source>Time per token, alone</source>
        <translation>单独时每词元时间</translation>
    </message>
    <message>
        <source>The same with one sequence in each replica and no prompts of others.</source>
        <translation>每个副本只有一个序列、没有他人的提示时的同一时间。</translation>
    </message>
    <message>
        <source>Time to the first token, alone</source>
        <translation>单独时首词元时间</translation>
    </message>
    <message>
        <source>The forward passes of one prompt, where nothing else is on the server.</source>
        <translation>服务器上没有其他请求时，一个提示的前向传播。</translation>
    </message>
    <message>
        <source>Time to the first token, in a burst</source>
        <translation>突发时首词元时间</translation>
    </message>
    <message>
        <source>The mean where all requests arrive at once, so that prompts wait for one another.</source>
        <translation>所有请求同时到来、提示相互等待时的平均值。</translation>
    </message>
    <message>
        <source>How requests arrive: a real server lies between a request alone and a burst.</source>
        <translation>请求如何到来：真实的服务器介于单独请求与突发之间。</translation>
    </message>
    <message>
        <source>Output tokens per second</source>
        <translation>每秒输出词元</translation>
    </message>
    <message>
        <source>Of all replicas, in the steady state.</source>
        <translation>所有副本，稳态时。</translation>
    </message>
    <message>
        <source>Output tokens per second and card</source>
        <translation>每卡每秒输出词元</translation>
    </message>
    <message>
        <source>Of all replicas, in the steady state, divided by the cards.</source>
        <translation>所有副本，稳态时，除以卡数。</translation>
    </message>
    <message>
        <source>Users within the limits</source>
        <translation>限制内的用户数</translation>
    </message>
    <message>
        <source>Most sequences at once, in all replicas, that the cache holds, the engine admits and the plan&apos;s limits of waiting allow.</source>
        <translation>所有副本合计：缓存能容纳、引擎允许且满足方案等待限制的最多同时序列数。</translation>
    </message>
    <message>
        <source>With {} sequences at once in each replica.</source>
        <translation>每个副本同时有 {} 个序列。</translation>
    </message>
    <message>
        <source>What binds: {}.</source>
        <translation>起作用的限制：{}。</translation>
    </message>
    <message>
        <source>The queue of {} requests takes full waves and one of the rest.</source>
        <translation>{} 个请求的队列分为若干整批和余下的一批。</translation>
    </message>
    <message>
        <source>the limit of the time per token</source>
        <translation>每词元时间的限制</translation>
    </message>
    <message>
        <source>the limit of the time to the first token</source>
        <translation>首词元时间的限制</translation>
    </message>
    <message>
        <source>the cache</source>
        <translation>缓存</translation>
    </message>
    <message>
        <source>how many sequences the engine admits</source>
        <translation>引擎允许的序列数</translation>
    </message>
    <message>
        <source>Attention and what stands in its place</source>
        <translation>注意力及其替代</translation>
    </message>
    <message>
        <source>Keys, values and states</source>
        <translation>键、值和状态</translation>
    </message>
    <message>
        <source>Attention of new tokens</source>
        <translation>新词元的注意力</translation>
    </message>
    <message>
        <source>Attention inside prompts</source>
        <translation>提示内的注意力</translation>
    </message>
    <message>
        <source>All-reduces</source>
        <translation>全归约</translation>
    </message>
    <message>
        <source>Exchanges with experts</source>
        <translation>与专家的交换</translation>
    </message>
    <message>
        <source>Launches and small kernels</source>
        <translation>启动和小内核</translation>
    </message>
    <message>
        <source>Routing to experts</source>
        <translation>专家路由</translation>
    </message>
    <message>
        <source>Recurrent layers</source>
        <translation>循环层</translation>
    </message>
    <message>
        <source>Indexer of sparse attention</source>
        <translation>稀疏注意力的索引器</translation>
    </message>
    <message>
        <source>Sampling and scheduling</source>
        <translation>采样与调度</translation>
    </message>
    <message>
        <source>{} layers of {}: {} at {}.</source>
        <translation>{} 层{}：{}，速率 {}。</translation>
    </message>
    <message>
        <source>{} layers of {}: what reading the weights does not hide.</source>
        <translation>{} 层{}：读取权重所不能掩盖的部分。</translation>
    </message>
    <message>
        <source>{} at {}.</source>
        <translation>{}，速率 {}。</translation>
    </message>
    <message>
        <source>What reading the weights does not hide.</source>
        <translation>读取权重所不能掩盖的部分。</translation>
    </message>
    <message>
        <source>Of {} sequences: {} at {}.</source>
        <translation>{} 个序列：{}，速率 {}。</translation>
    </message>
    <message>
        <source>What reading the cache does not hide.</source>
        <translation>读取缓存所不能掩盖的部分。</translation>
    </message>
    <message>
        <source>Over {} cards, {} kB each.</source>
        <translation>在 {} 张卡之间，每次 {} kB。</translation>
    </message>
    <message>
        <source>Iterations that take prompts along</source>
        <translation>带有提示的迭代</translation>
    </message>
    <message>
        <source>Waiting for the slowest stage, and transfers</source>
        <translation>等待最慢的阶段，以及传输</translation>
    </message>
    <message>
        <source>share of that wait before a request&apos;s first token</source>
        <translation>这部分等待中落在请求首词元之前的比例</translation>
    </message>
    <message>
        <source>share of iterations that take prompts of others along</source>
        <translation>带有他人提示的迭代所占比例</translation>
    </message>
    <message>
        <source>seconds of such an iteration</source>
        <translation>这种迭代的秒数</translation>
    </message>
    <message>
        <source>seconds of an iteration that only decodes</source>
        <translation>只解码的迭代的秒数</translation>
    </message>
    <message>
        <source>passes of a prompt</source>
        <translation>一个提示的前向次数</translation>
    </message>
    <message>
        <source>seconds of such a pass</source>
        <translation>这种前向的秒数</translation>
    </message>
    <message>
        <source>passes until half of the requests have their first token</source>
        <translation>到一半请求得到首词元为止的前向次数</translation>
    </message>
    <message>
        <source>seconds of such a pass, with prompts of others</source>
        <translation>带有他人提示时这种前向的秒数</translation>
    </message>
    <message>
        <source>seconds of the host before them</source>
        <translation>此前主机的秒数</translation>
    </message>
    <message>
        <source>sequences at once in a replica</source>
        <translation>一个副本同时的序列数</translation>
    </message>
    <message>
        <source>replicas</source>
        <translation>副本数</translation>
    </message>
    <message>
        <source>seconds of an iteration, in the mean</source>
        <translation>一次迭代的平均秒数</translation>
    </message>
    <message>
        <source>a command of vLLM, SGLang or TensorRT-LLM, in a script, a container&apos;s file or Python</source>
        <translation>vLLM、SGLang 或 TensorRT-LLM 的命令，位于脚本、容器文件或 Python 中</translation>
    </message>
    <message>
        <source>lengths of its requests are not in the command</source>
        <translation>命令中没有其请求的长度</translation>
    </message>
    <message>
        <source>a plan has a rate or a concurrency; the concurrency of {} is used</source>
        <translation>方案只能有速率或并发数之一；采用并发数 {}</translation>
    </message>
    <message>
        <source>not a number that is known here; not read</source>
        <translation>此处不知其数值；未读取</translation>
    </message>
    <message>
        <source>the stated lengths are taken as the mean</source>
        <translation>以所给长度为平均值</translation>
    </message>
    <message>
        <source>SGLang draws lengths from this share of the stated ones up to them; the mean is used</source>
        <translation>SGLang 的长度从所给长度的这一比例取到所给长度；采用平均值</translation>
    </message>
    <message>
        <source>could not be read, so its settings are not known</source>
        <translation>无法读取，因此不知其设置</translation>
    </message>
    <message>
        <source>settings that a plan has no field for</source>
        <translation>方案中没有对应字段的设置</translation>
    </message>
    <message>
        <source>does not divide the {} ranks</source>
        <translation>不能整除 {} 个并行卡</translation>
    </message>
    <message>
        <source>a degree that divides the {} tensor ranks</source>
        <translation>能整除 {} 个张量并行卡的并行度</translation>
    </message>
    <message>
        <source>Models of one family share rules of size, such as the ladder of the model size</source>
        <translation>同一系列的模型共用尺寸规律，例如模型大小的阶梯</translation>
    </message>
    <message>
        <source>A size instead of a shape: the shape is chosen to come to it</source>
        <translation>以大小代替形状：按此大小选取形状</translation>
    </message>
    <message>
        <source>heads of keys and values; fewer than attention heads: grouped-query attention</source>
        <translation>键和值的头数；少于注意力头数时为分组查询注意力</translation>
    </message>
    <message>
        <source>rows of the embedding and of the output layer, before padding</source>
        <translation>嵌入层和输出层的行数，填充之前</translation>
    </message>
    <message>
        <source>the output layer uses the embedding&apos;s weights</source>
        <translation>输出层使用嵌入层的权重</translation>
    </message>
    <message>
        <source>activation of the MLP, as Hugging Face names it</source>
        <translation>MLP 的激活函数，按 Hugging Face 的名称</translation>
    </message>
    <message>
        <source>the MLP multiplies two projections of its input, as SwiGLU does</source>
        <translation>MLP 将输入的两个投影相乘，如 SwiGLU</translation>
    </message>
    <message>
        <source>kind of the normalizations</source>
        <translation>归一化的种类</translation>
    </message>
    <message>
        <source>projections to queries, keys and values have a bias</source>
        <translation>到查询、键和值的投影带偏置</translation>
    </message>
    <message>
        <source>the projection behind attention has a bias; null: as the others</source>
        <translation>注意力之后的投影带偏置；空值：与其他投影相同</translation>
    </message>
    <message>
        <source>projections of the MLP have a bias</source>
        <translation>MLP 的投影带偏置</translation>
    </message>
    <message>
        <source>queries and keys are normalized</source>
        <translation>对查询和键做归一化</translation>
    </message>
    <message>
        <source>how positions enter: rotation, learned vectors or a bias of the scores</source>
        <translation>位置的引入方式：旋转、学习的向量或分数偏置</translation>
    </message>
    <message>
        <source>the longest sequence that the model was made for</source>
        <translation>模型设计支持的最长序列</translation>
    </message>
    <message>
        <source>the window is in one of so many layers; 1: in all</source>
        <translation>每多少层中有一层使用窗口；1：所有层</translation>
    </message>
    <message>
        <source>instead, the window is in all layers but one of so many; 0: as every says</source>
        <translation>改为：每多少层中除一层外都使用窗口；0：按 every</translation>
    </message>
    <message>
        <source>experts that every token visits</source>
        <translation>每个词元都访问的专家</translation>
    </message>
    <message>
        <source>layers with an MLP before the first ones with experts</source>
        <translation>第一个专家层之前带 MLP 的层数</translation>
    </message>
    <message>
        <source>one of so many layers after those has experts</source>
        <translation>此后每多少层中有一层带专家</translation>
    </message>
    <message>
        <source>1 for each layer with experts, 0 for each with an MLP; null: by the two fields above</source>
        <translation>带专家的层为 1，带 MLP 的层为 0；空值：由上面两个字段决定</translation>
    </message>
    <message>
        <source>an expert takes at most so many times its even share, padded up to it; null: it drops no token</source>
        <translation>专家最多接收平均份额的这么多倍，不足则填充；空值：不丢弃词元</translation>
    </message>
    <message>
        <source>tokens of the card with most of them over the mean, where experts lie on several cards</source>
        <translation>专家分布在多张卡上时，词元最多的卡与平均值之比</translation>
    </message>
    <message>
        <source>a gate scales what the shared experts give</source>
        <translation>用门控缩放共享专家的输出</translation>
    </message>
    <message>
        <source>depths of multi-token prediction, each with a layer of its own</source>
        <translation>多词元预测的深度，每个深度有自己的一层</translation>
    </message>
    <message>
        <source>how the state is updated</source>
        <translation>状态的更新方式</translation>
    </message>
    <message>
        <source>tokens that the convolution before linear attention covers</source>
        <translation>线性注意力之前的卷积覆盖的词元数</translation>
    </message>
    <message>
        <source>tokens that the convolution before Mamba-2 covers</source>
        <translation>Mamba-2 之前的卷积覆盖的词元数</translation>
    </message>
    <message>
        <source>tokens that the indexer chooses for each query</source>
        <translation>索引器为每个查询选取的词元数</translation>
    </message>
    <message>
        <source>learned positions of patches; 0: none</source>
        <translation>图块的学习位置数；0：没有</translation>
    </message>
    <message>
        <source>tokens that a short convolution covers</source>
        <translation>短卷积覆盖的词元数</translation>
    </message>
    <message>
        <source>a gate as wide as the queries scales attention&apos;s result</source>
        <translation>与查询同宽的门控缩放注意力的结果</translation>
    </message>
    <message>
        <source>all depths of prediction share one layer&apos;s weights</source>
        <translation>所有预测深度共用一层的权重</translation>
    </message>
    <message>
        <source>what the checkpoint or its publisher says, to compare the count with</source>
        <translation>检查点或其发布者给出的数目，用于核对</translation>
    </message>
    <message>
        <source>who makes the card</source>
        <translation>卡的制造商</translation>
    </message>
    <message>
        <source>generation of the card, which decides formats and the start of collectives</source>
        <translation>卡的世代，决定可用格式和集合通信的启动时间</translation>
    </message>
    <message>
        <source>peak of the card&apos;s memory</source>
        <translation>显存的峰值带宽</translation>
    </message>
    <message>
        <source>dense peak of the tensor cores, without sparsity</source>
        <translation>张量核心的稠密峰值，不含稀疏</translation>
    </message>
    <message>
        <source>dense peak; null: as bf16</source>
        <translation>稠密峰值；空值：同 bf16</translation>
    </message>
    <message>
        <source>dense peak; null: the card has no such products</source>
        <translation>稠密峰值；空值：该卡没有这种乘法</translation>
    </message>
    <message>
        <source>dense peak of products in fp32 on tensor cores</source>
        <translation>张量核心上 fp32 乘法的稠密峰值</translation>
    </message>
    <message>
        <source>peak without tensor cores</source>
        <translation>不用张量核心的峰值</translation>
    </message>
    <message>
        <source>fast link between cards of a node, one direction; null: PCIe alone</source>
        <translation>节点内卡间的高速互连，单向；空值：只有 PCIe</translation>
    </message>
    <message>
        <source>one direction, for offloading and for cards without a fast link</source>
        <translation>单向，用于卸载以及没有高速互连的卡</translation>
    </message>
    <message>
        <source>share of the peak that large products reach; null: as usual cards</source>
        <translation>大矩阵乘法达到的峰值比例；空值：按一般的卡</translation>
    </message>
    <message>
        <source>the same in fp8</source>
        <translation>fp8 下的同一比例</translation>
    </message>
    <message>
        <source>the same in fp4</source>
        <translation>fp4 下的同一比例</translation>
    </message>
    <message>
        <source>how products of small rows, inner sizes and columns fall behind large ones, by format</source>
        <translation>按格式：行数、内维和列数小的乘法比大乘法慢多少</translation>
    </message>
    <message>
        <source>the same of fused attention</source>
        <translation>融合注意力的同类曲线</translation>
    </message>
    <message>
        <source>start and rate of collectives inside a node and between nodes</source>
        <translation>节点内和节点间集合通信的启动时间和速率</translation>
    </message>
    <message>
        <source>rated power, for the energy of a run</source>
        <translation>额定功率，用于计算运行的能耗</translation>
    </message>
    <message>
        <source>of one card, for the cost of a run</source>
        <translation>一张卡的价格，用于计算运行的费用</translation>
    </message>
    <message>
        <source>machines of the cluster</source>
        <translation>集群的机器数</translation>
    </message>
    <message>
        <source>cards of each machine</source>
        <translation>每台机器的卡数</translation>
    </message>
    <message>
        <source>one direction per card; null: the card&apos;s own link</source>
        <translation>每卡单向；空值：卡自身的互连</translation>
    </message>
    <message>
        <source>until the first byte arrives</source>
        <translation>到第一个字节到达为止</translation>
    </message>
    <message>
        <source>one direction, where a fast switch joins several nodes</source>
        <translation>单向，用于由高速交换机连接的多个节点</translation>
    </message>
    <message>
        <source>one direction, the node&apos;s network divided by its cards</source>
        <translation>单向，节点的网络带宽除以其卡数</translation>
    </message>
    <message>
        <source>what is done with the model, and which weights are trained</source>
        <translation>对模型做什么，以及训练哪些权重</translation>
    </message>
    <message>
        <source>tokens of a sequence; of a served one prompt and answer together</source>
        <translation>一条序列的词元数；推理时为提示与回答之和</translation>
    </message>
    <message>
        <source>sequences that one card works on at a time</source>
        <translation>一张卡一次处理的序列数</translation>
    </message>
    <message>
        <source>sequences of one step of the optimizer, over all replicas</source>
        <translation>优化器一步的序列数，所有副本合计</translation>
    </message>
    <message>
        <source>what the run trains on in all; null: days and cost are not told</source>
        <translation>整个运行训练的词元数；空值：不给出天数和费用</translation>
    </message>
    <message>
        <source>chunks of layers on each pipeline stage</source>
        <translation>每个流水线阶段上的层块数</translation>
    </message>
    <message>
        <source>cards over which a layer&apos;s experts are spread</source>
        <translation>一层的专家分布在多少张卡上</translation>
    </message>
    <message>
        <source>replicas of the model; null: as many as the cards allow</source>
        <translation>模型的副本数；空值：卡数允许的数目</translation>
    </message>
    <message>
        <source>whose rules, buffers and launch options count</source>
        <translation>按哪个框架的规则、缓冲区和启动选项计算</translation>
    </message>
    <message>
        <source>whose operators run, which decides what they save for the backward pass</source>
        <translation>使用哪种算子，决定为反向传播保存什么</translation>
    </message>
    <message>
        <source>format of the products, and of a served model&apos;s weights</source>
        <translation>矩阵乘法的格式，推理时也是权重的格式</translation>
    </message>
    <message>
        <source>format in which gradients are added up and reduced</source>
        <translation>梯度累加和归约所用的格式</translation>
    </message>
    <message>
        <source>what updates the weights, and which states it keeps</source>
        <translation>更新权重的方法及其保存的状态</translation>
    </message>
    <message>
        <source>what is divided among data-parallel replicas: states, gradients, weights</source>
        <translation>在数据并行副本之间划分什么：状态、梯度、权重</translation>
    </message>
    <message>
        <source>groups of replicas that each hold all shards</source>
        <translation>各自保存全部分片的副本组数</translation>
    </message>
    <message>
        <source>order in which a pipeline&apos;s stages run micro-batches</source>
        <translation>流水线各阶段执行微批次的顺序</translation>
    </message>
    <message>
        <source>micro-batches that run through a chunk before the next one; null: as many as stages</source>
        <translation>在转到下一块之前通过一块的微批次数；空值：与阶段数相同</translation>
    </message>
    <message>
        <source>kernel of attention, which decides what is saved</source>
        <translation>注意力的内核，决定保存什么</translation>
    </message>
    <message>
        <source>how logits become the loss, and how many copies of them exist</source>
        <translation>如何由 logits 得到损失，以及其副本数</translation>
    </message>
    <message>
        <source>share of values dropped behind attention and MLP; above 0 masks are kept</source>
        <translation>注意力和 MLP 之后丢弃的比例；大于 0 时保存掩码</translation>
    </message>
    <message>
        <source>share of attention&apos;s scores dropped</source>
        <translation>注意力分数丢弃的比例</translation>
    </message>
    <message>
        <source>whether the backward pass computes activations again instead of keeping them</source>
        <translation>反向传播是否重算激活而不保存</translation>
    </message>
    <message>
        <source>what is computed again</source>
        <translation>重算哪些模块</translation>
    </message>
    <message>
        <source>all layers in groups, or the first ones of each stage</source>
        <translation>按组重算所有层，或只重算每个阶段的前几层</translation>
    </message>
    <message>
        <source>layers of a group, or that are computed again on each stage</source>
        <translation>每组的层数，或每个阶段重算的层数</translation>
    </message>
    <message>
        <source>how tokens get to the cards of their experts</source>
        <translation>词元如何到达其专家所在的卡</translation>
    </message>
    <message>
        <source>how context ranks exchange keys and values</source>
        <translation>上下文并行各卡如何交换键和值</translation>
    </message>
    <message>
        <source>elements of a buffer that gathers weights</source>
        <translation>收集权重的缓冲区的元素数</translation>
    </message>
    <message>
        <source>who keeps the frozen weights, and in which format</source>
        <translation>由谁保存冻结的权重，以及用什么格式</translation>
    </message>
    <message>
        <source>rank of the low-rank matrices</source>
        <translation>低秩矩阵的秩</translation>
    </message>
    <message>
        <source>projections that get adapters</source>
        <translation>带适配器的投影</translation>
    </message>
    <message>
        <source>share of an adapter&apos;s input that is dropped; above 0 a copy is kept</source>
        <translation>适配器输入丢弃的比例；大于 0 时保存一份副本</translation>
    </message>
    <message>
        <source>format of a server&apos;s keys and values; null: 16 bits</source>
        <translation>服务器键和值的格式；空值：16 位</translation>
    </message>
    <message>
        <source>workspace of matrix products; null: what cuBLAS takes on the card</source>
        <translation>矩阵乘法的工作区；空值：cuBLAS 在该卡上所取的值</translation>
    </message>
    <message>
        <source>driver and kernels, outside the allocator; null: what is known of the card</source>
        <translation>驱动和内核，不在分配器内；空值：按该卡已知的值</translation>
    </message>
    <message>
        <source>share of what is allocated that the allocator holds in addition; null: estimated</source>
        <translation>分配器在已分配之外额外持有的比例；空值：估算</translation>
    </message>
    <message>
        <source>measured throughput of the run</source>
        <translation>运行实测的吞吐量</translation>
    </message>
    <message>
        <source>measured time of a step</source>
        <translation>实测的一步时间</translation>
    </message>
    <message>
        <source>measured peak of torch.cuda.max_memory_allocated</source>
        <translation>实测的 torch.cuda.max_memory_allocated 峰值</translation>
    </message>
    <message>
        <source>the pipeline stage on which memory was measured</source>
        <translation>测量显存的流水线阶段</translation>
    </message>
    <message>
        <source>where the measurement comes from</source>
        <translation>测量的来源</translation>
    </message>
    <message>
        <source>measured over estimated time of computing</source>
        <translation>计算时间的实测值与估算值之比</translation>
    </message>
    <message>
        <source>measured over estimated time of communication</source>
        <translation>通信时间的实测值与估算值之比</translation>
    </message>
    <message>
        <source>measured less estimated memory, added to every stage</source>
        <translation>实测与估算显存之差，加到每个阶段</translation>
    </message>
    <message>
        <source>Waits in the pipeline</source>
        <translation>流水线中的等待</translation>
    </message>
    <message>
        <source>model size</source>
        <translation>模型规模</translation>
    </message>
    <message>
        <source>sequence length</source>
        <translation>序列长度</translation>
    </message>
    <message>
        <source>micro-batch</source>
        <translation>微批大小</translation>
    </message>
    <message>
        <source>dense or experts</source>
        <translation>稠密或专家</translation>
    </message>
    <message>
        <source>framework</source>
        <translation>框架</translation>
    </message>
    <message>
        <source>card</source>
        <translation>卡</translation>
    </message>
    <message>
        <source>pipeline parallelism</source>
        <translation>流水线并行</translation>
    </message>
    <message>
        <source>fits</source>
        <translation>放得下</translation>
    </message>
    <message>
        <source>tight</source>
        <translation>余量小</translation>
    </message>
    <message>
        <source>refused</source>
        <translation>拒绝启动</translation>
    </message>
    <message>
        <source>over</source>
        <translation>超出</translation>
    </message>
    <message>
        <source>invalid</source>
        <translation>无效</translation>
    </message>
    <message>
        <source>No run like this was measured, so times have no range.</source>
        <translation>没有测量过类似的训练，因此时间没有范围。</translation>
    </message>
    <message>
        <source>Ranges are those that eight in ten of {} measured runs of {} kept: {} to {} of the time that was predicted for them.</source>
        <translation>范围取自 {} 次{}实测训练中的八成：与其预测时间相差 {} 到 {}。</translation>
    </message>
    <message>
        <source>Ranges of a server&apos;s times hold half of the published ones: within {} %.</source>
        <translation>服务时间的范围包含半数已公布的结果：相差在 {} % 以内。</translation>
    </message>
    <message>
        <source>Why not</source>
        <translation>为何不选</translation>
    </message>
    <message>
        <source>{}: {}.</source>
        <translation>{}：{}。</translation>
    </message>
    <message>
        <source>Single changes that free memory or shorten the step</source>
        <translation>能释放显存或缩短一步的单项改动</translation>
    </message>
    <message>
        <source>Single changes that help it fit</source>
        <translation>有助于放下的单项改动</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>Cards</source>
        <translation>卡数</translation>
    </message>
    <message>
        <source>Fullest card</source>
        <translation>最满的卡</translation>
    </message>
    <message>
        <source>Free on it</source>
        <translation>该卡剩余</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>时长</translation>
    </message>
    <message>
        <source>Energy of the cards</source>
        <translation>各卡能耗</translation>
    </message>
    <message>
        <source>breaks a rule, {}: {}</source>
        <translation>违反规则 {}：{}</translation>
    </message>
    <message>
        <source>there are no figures for it</source>
        <translation>没有它的数据</translation>
    </message>
    <message>
        <source>does not fit, {} too much on a card of stage {}</source>
        <translation>放不下，阶段 {1} 的卡超出 {0}</translation>
    </message>
    <message>
        <source>does not fit</source>
        <translation>放不下</translation>
    </message>
    <message>
        <source>needs {} cards more</source>
        <translation>多需 {} 张卡</translation>
    </message>
    <message>
        <source>needs {} cards fewer</source>
        <translation>少需 {} 张卡</translation>
    </message>
    <message>
        <source>takes as long</source>
        <translation>用时相同</translation>
    </message>
    <message>
        <source>takes {} longer</source>
        <translation>用时长 {}</translation>
    </message>
    <message>
        <source>takes {} less time</source>
        <translation>用时短 {}</translation>
    </message>
    <message>
        <source>costs {} more</source>
        <translation>多花 {}</translation>
    </message>
    <message>
        <source>costs {} less</source>
        <translation>少花 {}</translation>
    </message>
    <message>
        <source>{} (a difference within the range of the prediction: measure before choosing by it)</source>
        <translation>{}（差异在预测范围之内：据此选择之前请先实测）</translation>
    </message>
    <message>
        <source>model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>No input differs.</source>
        <translation>没有不同的输入。</translation>
    </message>
    <message>
        <source>{} more</source>
        <translation>另有 {} 项</translation>
    </message>
    <message>
        <source>It differs in: {}.</source>
        <translation>不同之处：{}。</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>改动</translation>
    </message>
    <message>
        <source>Then</source>
        <translation>之后</translation>
    </message>
    <message>
        <source>not counted</source>
        <translation>未计入</translation>
    </message>
    <message>
        <source>Memory: a card of stage {} takes {} to {} where what no formula gives (device context, communication libraries, fragmentation, load of experts) is at its published extremes; it has {}.</source>
        <translation>显存：当公式无法给出的部分（设备上下文、通信库、碎片、专家负载）取已公布的极值时，阶段 {} 的一张卡占用 {} 到 {}；它有 {}。</translation>
    </message>
    <message>
        <source>Measured runs nearest to this plan</source>
        <translation>最接近本方案的实测训练</translation>
    </message>
    <message>
        <source>Not validated: no step times of such runs were published.</source>
        <translation>未经验证：没有公布过此类训练的一步时间。</translation>
    </message>
    <message>
        <source>A run near this plan was measured, with its framework and its kind of card.</source>
        <translation>已有与本方案相近的实测训练，框架与卡的类型相同。</translation>
    </message>
    <message>
        <source>Not validated: no run with its framework and its kind of card is near enough to count as measured.</source>
        <translation>未经验证：没有框架与卡类型相同且足够接近的实测训练。</translation>
    </message>
    <message>
        <source>Away: steps between the two, each a doubling of a number or another word; up to {} count as measured.</source>
        <translation>距离：两者之间的步数，每步是一个数翻倍或换一个选项；不超过 {} 视为已实测。</translation>
    </message>
    <message>
        <source>Differs in</source>
        <translation>不同之处</translation>
    </message>
    <message>
        <source>Away</source>
        <translation>距离</translation>
    </message>
    <message>
        <source>Predicted</source>
        <translation>预测误差</translation>
    </message>
    <message>
        <source>The fullest card holds more than it can by these figures; only its band leaves hope.</source>
        <translation>按这些数据，最满的卡已超出容量；只有误差范围留有余地。</translation>
    </message>
    <message>
        <source>It is tight: run its largest step on few cards before booking many.</source>
        <translation>余量很小：在预订大量的卡之前，先用少量的卡跑一次最大的一步。</translation>
    </message>
    <message>
        <source>Groups of {} of {} span nodes and depend on the network between them: {} of a step is lost to it.</source>
        <translation>{1}的 {0} 卡组跨节点，依赖节点间网络：每步因此损失 {2}。</translation>
    </message>
    <message>
        <source>Groups of {} of {} span nodes and depend on the network between them.</source>
        <translation>{1}的 {0} 卡组跨节点，依赖节点间网络。</translation>
    </message>
    <message>
        <source>The network between nodes is unknown; its speed is assumed.</source>
        <translation>节点间网络未知；其速度为假定值。</translation>
    </message>
    <message>
        <source>One node that fails stops all of them; {} of the cluster are spare.</source>
        <translation>一个节点故障会使全部节点停止；集群有 {} 个备用节点。</translation>
    </message>
    <message>
        <source>One node that fails stops all of them, and no node of the cluster is spare.</source>
        <translation>一个节点故障会使全部节点停止，而集群没有备用节点。</translation>
    </message>
    <message>
        <source>Assumptions of the models, each {} higher</source>
        <translation>模型的假设，各提高 {}</translation>
    </message>
    <message>
        <source>Constant</source>
        <translation>常数</translation>
    </message>
    <message>
        <source>Figures</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>Plan and network</source>
        <translation>方案与网络</translation>
    </message>
    <message>
        <source>Time of a step</source>
        <translation>一步的时间</translation>
    </message>
    <message>
        <source>Alternatives</source>
        <translation>备选方案</translation>
    </message>
    <message>
        <source>Risks and evidence</source>
        <translation>风险与依据</translation>
    </message>
    <message>
        <source>What moves the figures</source>
        <translation>哪些因素影响结果</translation>
    </message>
    <message>
        <source>Assumptions</source>
        <translation>假设</translation>
    </message>
    <message>
        <source>Launch command</source>
        <translation>启动命令</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>{} GB/s each way per card, {} microseconds</source>
        <translation>每卡每方向 {} GB/s，{} 微秒</translation>
    </message>
    <message>
        <source>Plan without a name</source>
        <translation>未命名的方案</translation>
    </message>
    <message>
        <source>Times of the server</source>
        <translation>服务时间</translation>
    </message>
    <message>
        <source>Users and their waits</source>
        <translation>用户与等待时间</translation>
    </message>
    <message>
        <source>{} is served on {}.</source>
        <translation>{} 部署在 {} 上提供服务。</translation>
    </message>
    <message>
        <source>{} is served on {}: {} sequences at once, {} for each token of a user, {} output tokens per second.</source>
        <translation>{} 部署在 {} 上：同时 {} 个序列，用户每个词元需 {}，每秒输出 {} 个词元。</translation>
    </message>
    <message>
        <source>{} is trained on {} with {} per step, {} tokens per second.</source>
        <translation>{} 在 {} 上训练，每步 {}，每秒 {} 个词元。</translation>
    </message>
    <message>
        <source>{} is trained on {} tokens with {} in {}</source>
        <translation>{} 用 {} 个词元在 {} 上训练，需 {}</translation>
    </message>
    <message>
        <source>{}; the card has no price.</source>
        <translation>{}；该卡没有价格。</translation>
    </message>
    <message>
        <source>{}, for {}.</source>
        <translation>{}，费用 {}。</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>范围</translation>
    </message>
    <message>
        <source>{} to {}</source>
        <translation>{} 到 {}</translation>
    </message>
    <message>
        <source>{} of {}, stage {}</source>
        <translation>{} / {}，阶段 {}</translation>
    </message>
    <message>
        <source>Missing on it</source>
        <translation>该卡缺少</translation>
    </message>
    <message>
        <source>Card-hours</source>
        <translation>卡时</translation>
    </message>
    <message>
        <source>{} at {} per card and hour</source>
        <translation>{}，按每卡每小时 {}</translation>
    </message>
    <message>
        <source>Sequences at once</source>
        <translation>同时的序列</translation>
    </message>
    <message>
        <source>{} per million output tokens</source>
        <translation>每百万输出词元 {}</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>{}, {} active for a token</source>
        <translation>{}，每个词元激活 {}</translation>
    </message>
    <message>
        <source>Trained parameters</source>
        <translation>训练的参数</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>结构</translation>
    </message>
    <message>
        <source>hidden {}, {} layers, {} heads ({} key/value), MLP {}, vocabulary {}</source>
        <translation>隐藏维度 {}，{} 层，{} 个头（{} 个键/值头），MLP {}，词表 {}</translation>
    </message>
    <message>
        <source>{} of width {}, {} for each token, {} shared</source>
        <translation>{} 个，宽度 {}，每个词元用 {} 个，共享 {} 个</translation>
    </message>
    <message>
        <source>the card&apos;s own link, {} GB/s each way</source>
        <translation>卡间自有链路，每方向 {} GB/s</translation>
    </message>
    <message>
        <source>PCIe, {} GB/s each way</source>
        <translation>PCIe，每方向 {} GB/s</translation>
    </message>
    <message>
        <source>Fast domain</source>
        <translation>高速域</translation>
    </message>
    <message>
        <source>{} nodes: {}</source>
        <translation>{} 个节点：{}</translation>
    </message>
    <message>
        <source>{} nodes on the link inside a node</source>
        <translation>{} 个节点，经由节点内链路</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>tensor {} with sequence parallelism</source>
        <translation>张量 {}，含序列并行</translation>
    </message>
    <message>
        <source>tensor {}</source>
        <translation>张量 {}</translation>
    </message>
    <message>
        <source>pipeline {} of {} chunks each</source>
        <translation>流水线 {}，每级 {} 个块</translation>
    </message>
    <message>
        <source>pipeline {}</source>
        <translation>流水线 {}</translation>
    </message>
    <message>
        <source>context {}</source>
        <translation>上下文 {}</translation>
    </message>
    <message>
        <source>expert {}</source>
        <translation>专家 {}</translation>
    </message>
    <message>
        <source>data {}</source>
        <translation>数据 {}</translation>
    </message>
    <message>
        <source>Layers of the stages</source>
        <translation>各阶段的层</translation>
    </message>
    <message>
        <source>Requests</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>{} tokens in and {} out in the mean</source>
        <translation>平均输入 {} 个、输出 {} 个词元</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>引擎</translation>
    </message>
    <message>
        <source>rank {}</source>
        <translation>秩 {}</translation>
    </message>
    <message>
        <source>Software</source>
        <translation>软件</translation>
    </message>
    <message>
        <source>Where the bytes of the fullest card go</source>
        <translation>最满的卡的显存去向</translation>
    </message>
    <message>
        <source>Segment</source>
        <translation>分段</translation>
    </message>
    <message>
        <source>Largest part of it</source>
        <translation>其中最大的部分</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Capacity</source>
        <translation>容量</translation>
    </message>
    <message>
        <source>A card of each stage ({})</source>
        <translation>各阶段的一张卡（{}）</translation>
    </message>
    <message>
        <source>The prefill of all prompts takes {}.</source>
        <translation>所有提示的预填充需 {}。</translation>
    </message>
    <message>
        <source>{}, {} micro-batches. Bubble: {} on stage {}, the busiest, {} of all card time.</source>
        <translation>{}，{} 个微批次。气泡：{}（最忙的阶段 {}），占全部卡时的 {}。</translation>
    </message>
    <message>
        <source>No pipeline: {} micro-batches one after the other.</source>
        <translation>没有流水线：{} 个微批次依次进行。</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>部分</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>From one token to the next</source>
        <translation>从一个词元到下一个</translation>
    </message>
    <message>
        <source>Calibrated: {}.</source>
        <translation>已校准：{}。</translation>
    </message>
    <message>
        <source>The card&apos;s figures, its price among them, are from: {}</source>
        <translation>该卡的数据（包括价格）来自：{}</translation>
    </message>
    <message>
        <source>Not in it:</source>
        <translation>其中不含：</translation>
    </message>
    <message>
        <source>Measured run</source>
        <translation>实测运行</translation>
    </message>
    <message>
        <source>Utilisation, three ways</source>
        <translation>利用率的三种求法</translation>
    </message>
    <message>
        <source>By FLOPs, as this window shows it; by a published throughput, which Plan &gt; Measured run compares with the plan; by a profiler, whose trace can be laid under the pipeline.</source>
        <translation>按 FLOPs，如本窗口所示；按公开的吞吐量，由“方案 &gt; 实测运行”与方案比较；按性能分析器，其轨迹可置于流水线之下。</translation>
    </message>
    <message>
        <source>Link inside a node</source>
        <translation>节点内互连</translation>
    </message>
    <message>
        <source>a rate has no end in a plan; not read</source>
        <translation>方案中的速率没有终点；未读取</translation>
    </message>
    <message>
        <source>the load of this benchmark is used; the script has others</source>
        <translation>采用此基准测试的负载；脚本中还有其他的</translation>
    </message>
    <message>
        <source>{} requests are asked for at once; the server runs {} of them, the others wait</source>
        <translation>要求同时处理 {} 个请求；服务器运行其中 {} 个，其余等待</translation>
    </message>
    <message>
        <source>{} requests at once miss the limit to the first token; {} would keep all limits</source>
        <translation>同时 {} 个请求超出首词元限时；{} 个可满足所有限制</translation>
    </message>
    <message>
        <source>{} requests at once miss the limit per token; {} would keep all limits</source>
        <translation>同时 {} 个请求超出每词元限时；{} 个可满足所有限制</translation>
    </message>
    <message>
        <source>answers of one token end with their first: a time per further token means nothing</source>
        <translation>只有一个词元的回答在首词元即结束：其后每词元的时间没有意义</translation>
    </message>
    <message>
        <source>the server does not start, or holds no sequence: it has no times</source>
        <translation>服务器无法启动或容不下任何序列：没有时间数值</translation>
    </message>
</context>
</TS>
