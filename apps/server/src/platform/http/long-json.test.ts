import { describe, expect, it } from 'vitest'
import { encodeLongJson, hasLongText } from './long-json.ts'

describe('hasLongText', () => {
  const long = 'x'.repeat(1024 * 1024 + 1)

  it('looks at the texts of an object, and no deeper', () => {
    expect(hasLongText({ id: 1, content: long })).toBe(true)
    for (const value of [null, 1, long, [long], { content: 'short' }, { nested: { long } }]) {
      expect(hasLongText(value)).toBe(false)
    }
  })
})

describe('encodeLongJson', () => {
  it.each([
    ['nothing', {}],
    ['values of every type', { a: null, b: [1, { c: 'd' }], e: false, 'f"': 'g\n"\\' }],
    ['an absent value', { a: undefined, b: 1, c: undefined }],
    ['pairs of surrogates on every border', { a: `x${'😀'.repeat(400_000)}`, b: 1 }],
    ['a text that is escaped', { a: '"'.repeat(600_000) }],
  ])('writes %s as JSON', async (_, body: Record<string, unknown>) => {
    const chunks = await encodeLongJson(body)
    const text = Buffer.concat(chunks).toString()
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(body)))
  })
})
