import { describe, expect, it } from 'vitest'
import { encodeLongJson, hasLongText, type LongBody } from './long-json.ts'

describe('hasLongText', () => {
  const long = 'x'.repeat(1024 * 1024 + 1)

  it('looks at the texts of an object, and no deeper', () => {
    expect(hasLongText({ id: 1, content: long })).toBe(true)
    for (const value of [null, 1, long, [long], { content: 'short' }, { nested: { long } }]) {
      expect(hasLongText(value)).toBe(false)
    }
  })

  it('adds up the texts of a list, on two levels', () => {
    const part = 'x'.repeat(100_000)
    const twelve = <T>(element: T) => Array.from({ length: 12 }, () => element)
    expect(hasLongText(twelve({ description: part }))).toBe(true)
    expect(hasLongText(twelve({ certificate: { text: part } }))).toBe(true)
    expect(hasLongText(twelve({ notes: [{ body: part }, { body: 'short' }] }))).toBe(true)
    expect(hasLongText(twelve({ a: part }).slice(0, 9))).toBe(false)
    expect(hasLongText(twelve({ a: { b: { c: part } } }))).toBe(false)
    expect(hasLongText([{ description: long }, null, 'text', 1])).toBe(true)
  })
})

describe('encodeLongJson', () => {
  it.each([
    ['nothing', {}],
    ['values of every type', { a: null, b: [1, { c: 'd' }], e: false, 'f"': 'g\n"\\' }],
    ['an absent value', { a: undefined, b: 1, c: undefined }],
    ['pairs of surrogates on every border', { a: `x${'😀'.repeat(400_000)}`, b: 1 }],
    ['a text that is escaped', { a: '"'.repeat(600_000) }],
    ['an empty list', []],
    ['a list in a list', [[{ a: 'x'.repeat(400_000) }]]],
    ['a list', [null, 1, 'a', undefined, { a: '"'.repeat(400_000), b: 1 }, [{ c: 'd' }], {}]],
  ])('writes %s as JSON', async (_, body: LongBody) => {
    const chunks = await encodeLongJson(body)
    const text = Buffer.concat(chunks).toString()
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(body)))
  })

  it('lets others run between the elements of a list', async () => {
    let turns = 0
    const timer = setInterval(() => {
      turns += 1
    }, 0)
    await encodeLongJson(Array.from({ length: 200 }, () => ({ a: 'x'.repeat(100_000) })))
    clearInterval(timer)
    expect(turns).toBeGreaterThan(1)
  })
})
