/**
 * What segments have of texts: every trigram, and every part of six code units in a column of the
 * text; the same after merges, without what is deleted.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldedText, isText } from './file-text.ts'
import {
  assignColumns,
  columnPart,
  decodeTexts,
  encodeTexts,
  packTexts,
  readCounts,
  readUnits,
  unpackTexts,
} from './indexed-texts.ts'
import { eachNumber, hasBit, setBit } from './posting-list.ts'
import { nextList, openPage, splitPages } from './posting-pages.ts'
import { buildSegment } from './segment-build.ts'
import { mergePages, mergeTexts } from './segment-merge.ts'
import {
  firstSignatureKey,
  gramUnits,
  keyLimit,
  maxSignedUnits,
  nextGram,
  searchedKeys,
  signatureBit,
  symbols,
} from './text-keys.ts'

const words = fc.constantFrom('const ', 'retu', 'x', ' = ', '日本', 'é', '😀', '\n', 'zqx', 'value')
const texts = fc.oneof(
  fc.array(words, { maxLength: 40 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc
    .tuple(fc.array(words, { minLength: 1, maxLength: 5 }), fc.nat({ max: 2500 }))
    .map(([parts, count]) => parts.join('').repeat(count).slice(0, 20_000)),
)
const textLists = fc.array(texts, { minLength: 1, maxLength: 12 })

type Lists = Map<number, number[]>

function listsOf(pages: Iterable<Uint8Array>): Lists {
  const lists: Lists = new Map()
  for (const page of pages) {
    const cursor = openPage(page)
    while (nextList(cursor)) {
      const numbers: number[] = []
      eachNumber(cursor, (number) => numbers.push(number))
      lists.set(cursor.key, numbers)
    }
  }
  return lists
}

function buildPages(packed: Buffer, isSigned: boolean): Uint8Array {
  return buildSegment(packed, [], isSigned).pages
}

/** The next pages take the memory of these. */
function pagesOf(built: Uint8Array): Uint8Array[] {
  return [...splitPages(built)].map(([, page]) => page.slice())
}

function textsOf(packed: Buffer): string[] {
  return unpackTexts(packed).map((text) => {
    const units = new Uint16Array(text.length)
    readUnits(text, units)
    return Array.from(units, (unit) => String.fromCharCode(unit)).join('')
  })
}

function keyOf(text: string, at: number): number {
  const symbol = (place: number) =>
    place < text.length ? (symbols[text.charCodeAt(place)] ?? 0) : 0
  return (symbol(at) << 16) | (symbol(at + 1) << 8) | symbol(at + 2)
}

/** The lists of trigrams and of bits of signatures, by a simple way. */
function expectedLists(list: readonly string[], withSignatures = true): Lists {
  const sets = new Map<number, Set<number>>()
  const add = (key: number, number: number) => {
    const set = sets.get(key) ?? new Set()
    sets.set(key, set.add(number))
  }
  const { firstColumns } = assignColumns(list.map(({ length }) => length))
  for (const [number, text] of list.entries()) {
    for (let at = 0; at < text.length; at += 1) add(keyOf(text, at), number)
    if (!withSignatures) continue
    for (let position = 0, isLast = false; !isLast; position += 1) {
      const { start, end } = columnPart(text.length, position)
      isLast = end === text.length
      for (let at = start; at + gramUnits <= end; at += 1) {
        let gram = 0
        for (let unit = 0; unit < gramUnits; unit += 1) {
          gram = nextGram(gram, text.charCodeAt(at + unit), 0)
        }
        add(firstSignatureKey + signatureBit(gram), (firstColumns[number] ?? 0) + position)
      }
    }
  }
  return sorted(sets)
}

function sorted(sets: ReadonlyMap<number, ReadonlySet<number>>): Lists {
  const entries = [...sets].toSorted(([a], [b]) => a - b)
  return new Map(entries.map(([key, set]) => [key, [...set].toSorted((a, b) => a - b)]))
}

function segmentOf(list: readonly string[], firstId: number) {
  const ids = Float64Array.from(list, (_, index) => firstId + index)
  const columns = assignColumns(list.map(({ length }) => length))
  return encodeTexts({ ids, ...columns })
}

describe('texts of a segment', () => {
  it('are unpacked as they were packed', () => {
    fc.assert(
      fc.property(textLists, (list) => {
        expect(textsOf(packTexts(list))).toEqual(list)
      }),
    )
  })

  it('are in lower case if they were packed as contents of files', () => {
    fc.assert(
      fc.property(textLists, fc.uint8Array(), (list, bytes) => {
        const contents = [...list.map((text) => Buffer.from(text)), Buffer.from(bytes)]
        const kept = contents.filter(isText)
        const expected = kept.map(foldedText)
        expect(textsOf(packTexts(kept))).toEqual(expected)
      }),
    )
    const others = [Buffer.from('ÀÖ', 'latin1'), Buffer.from('\ufeffÀĀ', 'utf16le')]
    expect(textsOf(packTexts([Buffer.from('Ab@[`{Z'), ...others]))).toEqual(['ab@[`{z', 'àö', 'àā'])
  })

  it('keep their ids and columns', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 50_000 })), fc.maxSafeNat(), (lengths, start) => {
        const first = Math.floor(start / 4)
        const ids = Float64Array.from(lengths, (length, index) => first - index * length)
        const encoded = { ids, ...assignColumns(lengths) }
        expect(decodeTexts(encodeTexts(encoded))).toEqual(encoded)
        expect(readCounts(encodeTexts(encoded))).toEqual({
          texts: lengths.length,
          columns: encoded.columns,
        })
      }),
    )
  })

  it('have a column with all of a part that is looked up', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 50_000 }), { minLength: 1 }), (lengths) => {
        const { columns, firstColumns, lastColumns } = assignColumns(lengths)
        expect(lastColumns.at(-1)).toBe(columns - 1)
        for (const [number, length] of lengths.entries()) {
          const count = (lastColumns[number] ?? 0) - (firstColumns[number] ?? 0) + 1
          const parts = Array.from({ length: count }, (_, at) => columnPart(length, at))
          expect(parts.at(-1)?.end).toBe(length)
          const starts = parts.flatMap(({ start, end }) => [
            start,
            end - maxSignedUnits + 1,
            end - 1,
          ])
          for (const start of starts) {
            const first = Math.min(Math.max(start, 0), length - 1)
            const end = Math.min(first + maxSignedUnits, length)
            expect(parts.some((part) => part.start <= first && end <= part.end)).toBe(true)
          }
        }
      }),
      { numRuns: 30 },
    )
  })
})

describe('a segment', () => {
  it('has the trigrams and signatures of its texts', () => {
    fc.assert(
      fc.property(textLists, (list) => {
        expect(listsOf(pagesOf(buildPages(packTexts(list), true)))).toEqual(expectedLists(list))
        expect(listsOf(pagesOf(buildPages(packTexts(list), false)))).toEqual(
          expectedLists(list, false),
        )
      }),
      { numRuns: 50 },
    )
  })

  it('that is merged has the lists of all, without what is deleted, by ranges of keys', () => {
    const segments = fc.array(fc.tuple(textLists, fc.infiniteStream(fc.boolean())), {
      minLength: 1,
      maxLength: 4,
    })
    const ends = fc.uniqueArray(fc.nat({ max: keyLimit - 1 }), { maxLength: 3 })
    fc.assert(
      fc.property(segments, fc.boolean(), ends, (parts, hasDeleted, ranges) => {
        const merged = parts.map(([list, deletions], index) => {
          const deleted = new Uint8Array(4)
          for (const number of list.keys()) if (deletions.next().value) setBit(deleted, number)
          const pages = pagesOf(buildPages(packTexts(list), true))
          const texts = segmentOf(list, 100 * index)
          return { list, texts, deleted: hasDeleted ? deleted : null, pages: pages.toReversed() }
        })
        const kept = merged.flatMap(({ list, deleted }, index) =>
          list.flatMap((text, number) =>
            deleted !== null && hasBit(deleted, number) ? [] : [{ id: 100 * index + number, text }],
          ),
        )
        const decoded = decodeTexts(mergeTexts(merged))
        expect([...decoded.ids]).toEqual(kept.map(({ id }) => id))
        const bounds = [0, ...ranges.toSorted((a, b) => a - b), keyLimit]
        const pages = bounds
          .slice(1)
          .flatMap((to, index) => pagesOf(mergePages(merged, { from: bounds[index] ?? 0, to })))
        const lists = listsOf(pages)
        const trigrams = new Map([...lists].filter(([key]) => key < firstSignatureKey))
        expect(trigrams).toEqual(
          expectedLists(
            kept.map(({ text }) => text),
            false,
          ),
        )
        for (const [number, { text }] of kept.entries()) {
          const at = Math.max(0, text.length - 20)
          const part = text.slice(at, at + 9)
          const columns = searchedKeys(part, true)
            .filter(({ from }) => from >= firstSignatureKey)
            .map(({ from }) => new Set(lists.get(from)))
          const own: number[] = []
          for (
            let column = decoded.firstColumns[number] ?? 0;
            column <= (decoded.lastColumns[number] ?? 0);
            column += 1
          ) {
            own.push(column)
          }
          expect(own.some((column) => columns.every((list) => list.has(column)))).toBe(true)
        }
      }),
      { numRuns: 50 },
    )
  })
})
