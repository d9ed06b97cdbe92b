import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createWriter, readSigned, readVarint, writeSigned, writeVarint } from './bytes.ts'
import {
  countBits,
  eachNumber,
  orList,
  type PostingList,
  setBit,
  writeBitmap,
  writeJoined,
  writeNumbers,
} from './posting-list.ts'

/** Ascending numbers, dense or not. */
const numberLists = fc
  .tuple(fc.constantFrom(40, 3000, 100_000), fc.integer({ min: 1, max: 300 }))
  .chain(([max, maxLength]) =>
    fc
      .uniqueArray(fc.nat({ max }), { minLength: 1, maxLength })
      .map((numbers) => Uint32Array.from(numbers).sort()),
  )

function numbersOf(list: PostingList): number[] {
  const numbers: number[] = []
  eachNumber(list, (number) => numbers.push(number))
  return numbers
}

function bitsOf(bitmap: Uint8Array): number[] {
  return numbersOf({ isBitmap: true, bytes: bitmap, start: 0, end: bitmap.length })
}

function bitmapOf(numbers: Iterable<number>, size = 200_000): Uint8Array {
  const bitmap = new Uint8Array(size >>> 3)
  for (const number of numbers) setBit(bitmap, number)
  return bitmap
}

describe('varints', () => {
  it('are read as they were written', () => {
    const values = fc.array(fc.oneof(fc.maxSafeNat(), fc.nat({ max: 300 })))
    fc.assert(
      fc.property(values, (numbers) => {
        const writer = createWriter(1)
        for (const number of numbers) writeVarint(writer, number)
        const reader = { bytes: writer.bytes, at: 0 }
        expect(numbers.map(() => readVarint(reader))).toEqual(numbers)
        expect(reader.at).toBe(writer.length)
      }),
    )
  })

  it('may be negative', () => {
    const limit = 2 ** 52 - 1
    const values = fc.array(fc.oneof(fc.integer({ min: -200, max: 200 }), fc.constant(-limit)))
    fc.assert(
      fc.property(values, (numbers) => {
        const writer = createWriter()
        for (const number of numbers) writeSigned(writer, number)
        const reader = { bytes: writer.bytes, at: 0 }
        expect(numbers.map(() => readSigned(reader))).toEqual(numbers)
      }),
    )
  })

  it('are 0 behind the end', () => {
    expect(readVarint({ bytes: new Uint8Array([255]), at: 0 })).toBe(127)
    expect(readVarint({ bytes: new Uint8Array(), at: 0 })).toBe(0)
  })
})

describe('a posting list', () => {
  it('has the numbers that were written, as numbers or bits', () => {
    fc.assert(
      fc.property(numberLists, fc.nat({ max: 30 }), (numbers, before) => {
        const out = createWriter(8)
        out.length = 4
        expect(numbersOf(writeNumbers(out, numbers, 0, numbers.length))).toEqual([...numbers])
        const bitmap = new Uint8Array(20_000)
        bitmap.set(bitmapOf(numbers, 8 * (20_000 - before)), before)
        const list = writeBitmap(out, bitmap, { from: before, to: bitmap.length })
        expect(list && numbersOf(list)).toEqual([...numbers])
      }),
    )
  })

  it('has the form that is shorter', () => {
    const dense = Uint32Array.from({ length: 100 }, (_, number) => number)
    const rare = Uint32Array.of(3, 100_000)
    for (const numbers of [dense, rare]) {
      const { start, end } = writeNumbers(createWriter(), numbers, 0, numbers.length)
      expect(end - start).toBeLessThanOrEqual(13)
    }
  })

  it('is undefined without a bit', () => {
    expect(writeBitmap(createWriter(), new Uint8Array(10), { from: 2, to: 10 })).toBeUndefined()
  })

  it('is added to a bitmap at an offset', () => {
    fc.assert(
      fc.property(numberLists, numberLists, fc.nat({ max: 50 }), (before, numbers, offset) => {
        const bitmap = bitmapOf(before)
        orList(bitmap, writeNumbers(createWriter(), numbers, 0, numbers.length), offset)
        const expected = new Set([...before, ...numbers.map((number) => number + offset)])
        expect(bitsOf(bitmap)).toEqual([...expected].toSorted((a, b) => a - b))
        expect(countBits(bitmap)).toBe(expected.size)
      }),
    )
  })

  it('of differences is joined with others', () => {
    const rare = fc.array(fc.uniqueArray(fc.nat({ max: 99_999 }), { minLength: 1, maxLength: 9 }))
    fc.assert(
      fc.property(rare, (lists) => {
        const parts = lists.map((numbers, index) => {
          const ascending = Uint32Array.from(numbers).sort()
          // Few numbers are not a bitmap.
          const spaced = ascending.map((number) => 100 * number)
          const list = writeNumbers(createWriter(), spaced, 0, spaced.length)
          return { list, places: { offset: index * 10_000_000 }, numbers: [...spaced] }
        })
        const isJoinable = parts.every(({ list }) => !list.isBitmap)
        fc.pre(isJoinable)
        const joined = writeJoined(createWriter(1), parts)
        const expected = parts.flatMap(({ numbers, places }) =>
          numbers.map((number) => number + places.offset),
        )
        expect(numbersOf(joined)).toEqual(expected)
      }),
    )
  })
})
