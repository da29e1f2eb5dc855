// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cassert>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

namespace cardfit {

/// A long series of items in which stretches repeat with a constant shift, as a pipeline does in its steady state. Only
/// the first repeat of a stretch is stored, so the series takes no more room than its beginning, one period and its
/// end:
///
///     index       0 1 2 | 3 4 | 5 6 | 7 8 | 9 10
///     stored      a b c | d e                f g      segments {a b c}, {d e} x 3, {f g}
///     item        a b c | d e | d'e'| d"e"| f g       d' = d.shifted(shift, 1), d" = d.shifted(shift, 2)
///
/// An item has a type Item::Shift, and item.shifted(shift, n) is the same item n repeats later. The series reads like a
/// vector; the visit functions below take time for the stored items only.
template <class Item> class FoldedSeries {
public:
    struct Segment : Item::Shift {
        std::size_t first = 0; ///< index of its first item in the series
        std::size_t stored = 0; ///< index of that item among the stored ones
        std::size_t count = 0; ///< items of one repeat; never 0
        std::size_t repeats = 1;

        /// Where an item of the segment is stored, and in which repeat it is.
        struct Place {
            std::size_t stored, repeat;
        };

        [[nodiscard]] std::size_t size() const { return count * repeats; }
        /// Requires an index that is not before the segment.
        [[nodiscard]] bool contains(std::size_t index) const { return index - first < size(); }
        [[nodiscard]] Place placeOf(std::size_t index) const
        {
            const std::size_t inside = index - first;
            if (repeats == 1) return {stored + inside, 0};
            return {stored + inside % count, inside / count};
        }
        /// A stored item shifted to one of the repeats.
        [[nodiscard]] Item at(const Item& item, std::size_t repeat) const { return item.shifted(*this, repeat); }
    };
    class Iterator;
    using value_type = Item;
    using iterator = Iterator;
    using const_iterator = Iterator;

    void reserve(std::size_t items)
    {
        m_stored.reserve(items);
        m_segments.reserve(3);
    }
    /// Adds an item after the last repeat. The reference is valid until the next one is added.
    template <class... Arguments> Item& append(Arguments&&... arguments)
    {
        if (m_segments.empty() || m_segments.back().repeats > 1) {
            const std::size_t before = size();
            Segment& segment = m_segments.emplace_back();
            segment.first = before;
            segment.stored = m_stored.size();
        }
        ++m_segments.back().count;
        return m_stored.emplace_back(std::forward<Arguments>(arguments)...);
    }
    /// Repeats the last `count` items `more` times. They must be stored and not repeated yet.
    void repeatLast(std::size_t count, std::size_t more, const typename Item::Shift& shift)
    {
        if (count == 0 || more == 0) return;
        assert(!m_segments.empty() && m_segments.back().repeats == 1 && m_segments.back().count >= count);
        const Segment last = m_segments.back();
        if (last.count == count)
            m_segments.pop_back();
        else
            m_segments.back().count -= count;
        Segment& repeated = m_segments.emplace_back();
        static_cast<typename Item::Shift&>(repeated) = shift;
        repeated.first = last.first + last.count - count;
        repeated.stored = last.stored + last.count - count;
        repeated.count = count;
        repeated.repeats = 1 + more;
    }

    [[nodiscard]] bool empty() const { return m_segments.empty(); }
    [[nodiscard]] std::size_t size() const
    {
        return m_segments.empty() ? 0 : m_segments.back().first + m_segments.back().size();
    }
    /// Number of items in memory.
    [[nodiscard]] std::size_t storedSize() const { return m_stored.size(); }
    [[nodiscard]] const Segment& segmentOf(std::size_t index) const
    {
        assert(index < size());
        const Segment* segment = m_segments.data();
        while (!segment->contains(index))
            ++segment;
        return *segment;
    }
    [[nodiscard]] Item operator[](std::size_t index) const
    {
        const Segment& segment = segmentOf(index);
        const auto place = segment.placeOf(index);
        return segment.at(m_stored[place.stored], place.repeat);
    }
    [[nodiscard]] Item front() const { return (*this)[0]; }
    [[nodiscard]] Item back() const { return (*this)[size() - 1]; }
    [[nodiscard]] Iterator begin() const { return {*this, 0}; }
    [[nodiscard]] Iterator end() const { return {*this, size()}; }

    [[nodiscard]] std::span<const Segment> segments() const { return m_segments; }
    /// First repeat of a segment.
    [[nodiscard]] std::span<const Item> storedOf(const Segment& segment) const
    {
        return std::span(m_stored).subspan(segment.stored, segment.count);
    }

    /// Calls visit(item) for every item, shifted to its repeat: faster than the iterator.
    template <class Visit> void visitAll(const Visit& visit) const
    {
        for (const Segment& segment : m_segments) {
            for (std::size_t repeat = 0; repeat < segment.repeats; ++repeat) {
                for (const Item& item : storedOf(segment))
                    visit(segment.at(item, repeat));
            }
        }
    }

    /// Calls visit(stored item, times) such that each of the first `count` items of the series is counted once.
    template <class Visit> void visitFirst(std::size_t count, const Visit& visit) const
    {
        for (const Segment& segment : m_segments) {
            if (segment.first >= count) return;
            const std::size_t passed = std::min(count - segment.first, segment.size());
            const std::size_t whole = passed / segment.count;
            const std::size_t rest = passed % segment.count;
            const auto stored = storedOf(segment);
            for (std::size_t i = 0; i < stored.size(); ++i)
                visit(stored[i], static_cast<std::int64_t>(whole + (i < rest ? 1 : 0)));
        }
    }
    /// visitFirst() for all items.
    template <class Visit> void visitStored(const Visit& visit) const { visitFirst(size(), visit); }

    /// Calls visit(total, stored item, index) for the first two repeats of each segment and its last one, in order.
    /// `visit` adds to the total and may depend on nothing else. The total changes by the same in every repeat, so what
    /// grows or shrinks with it has its extremes in these repeats. If it does not change, they are all alike, and only
    /// the first one is visited.
    template <class Total, class Visit> void visitExtremes(const Visit& visit) const
    {
        Total total{};
        for (const Segment& segment : m_segments) {
            const auto visitRepeat = [&](std::size_t repeat) {
                Total now = total; // a local variable stays in registers
                std::size_t index = segment.first + repeat * segment.count;
                for (const Item& item : storedOf(segment))
                    visit(now, item, index++);
                total = now;
            };
            const Total before = total;
            visitRepeat(0);
            if (segment.repeats == 1 || total == before) continue;
            const Total change = total - before;
            visitRepeat(1);
            if (segment.repeats == 2) continue;
            total += static_cast<std::int64_t>(segment.repeats - 3) * change;
            visitRepeat(segment.repeats - 1);
        }
    }

    /// Calls visit(before, item, index, times) for neighbours in the series, each stored item once or twice; `before`
    /// is null for the first item. For uses where all repeats of two neighbours are alike.
    template <class Visit> void visitNeighbours(const Visit& visit) const
    {
        Item before;
        for (const Segment& segment : m_segments) {
            std::size_t index = segment.first;
            std::size_t times = 1; // the first item comes after another segment, and then after this one
            for (const Item& item : storedOf(segment)) {
                visit(index > 0 ? &before : nullptr, item, index, times);
                ++index;
                before = item;
                times = segment.repeats;
            }
            if (segment.repeats == 1) continue;
            visit(&before, segment.at(storedOf(segment).front(), 1), index, segment.repeats - 1);
            before = segment.at(before, segment.repeats - 1);
        }
    }

    /// visitNeighbours() that visits the first and the last repeat of a segment separately, for uses where what follows
    /// an item matters: it may be different there.
    template <class Visit> void visitNeighboursByEnds(const Visit& visit) const
    {
        Item before;
        for (const Segment& segment : m_segments) {
            const auto visitRepeat = [&](std::size_t repeat, std::size_t times) {
                std::size_t index = segment.first + repeat * segment.count;
                for (const Item& stored : storedOf(segment)) {
                    const Item item = segment.at(stored, repeat);
                    visit(index > 0 ? &before : nullptr, item, index, times);
                    ++index;
                    before = item;
                }
            };
            visitRepeat(0, 1);
            if (segment.repeats > 2) {
                visitRepeat(1, segment.repeats - 2);
                before = segment.at(before, segment.repeats - 3);
            }
            if (segment.repeats > 1) visitRepeat(segment.repeats - 1, 1);
        }
    }

private:
    std::vector<Item> m_stored;
    std::vector<Segment> m_segments;
};

/// Returns items by value, as std::vector<bool> does its bits.
template <class Item> class FoldedSeries<Item>::Iterator {
public:
    using iterator_concept = std::forward_iterator_tag;
    using iterator_category = std::input_iterator_tag;
    using value_type = Item;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = Item;

    Iterator() = default;
    Iterator(const FoldedSeries& series, std::size_t index)
        : m_series(&series)
        , m_index(index)
    {
    }

    Item operator*() const { return (*m_series)[m_index]; }
    Iterator& operator++()
    {
        ++m_index;
        return *this;
    }
    Iterator operator++(int) { return {*m_series, m_index++}; }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.m_index == b.m_index; }

private:
    const FoldedSeries* m_series = nullptr;
    std::size_t m_index = 0;
};

} // namespace cardfit
