import {
  boolean,
  clearableDate,
  date,
  filledText,
  integer,
  oneOf,
  paid,
  text,
  textList,
} from '@stithy/core'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { compileNormalizer } from './normalize.ts'

const schema = z.object({
  name: filledText(),
  description: text().optional(),
  word: oneOf(['a', 'b']).optional(),
  flag: boolean().optional(),
  count: integer().optional(),
  limit: integer().nullable().optional(),
  day: date().optional(),
  until: clearableDate().optional(),
  tags: textList().optional(),
  mirror: paid(boolean()).optional(),
})

describe('compileNormalizer', () => {
  const normalize = compileNormalizer(schema, 'ultimate')

  it('leaves ordinary parameters as they are, without a copy', () => {
    const raw = { name: 'a', description: 'b', flag: 'true', unknown: null }
    expect(normalize(raw)).toBe(raw)
  })

  it('drops blank values of anything but texts, lists and clearable dates', () => {
    const raw = {
      name: '',
      description: '',
      word: '',
      flag: '',
      count: '',
      day: '',
      until: '',
      tags: '',
    }
    expect(normalize(raw)).toEqual({ name: '', description: '', until: '', tags: '' })
  })

  it('takes null for what clears a value: an empty text, null where it may be kept, or nothing', () => {
    const raw = {
      name: null,
      description: null,
      word: null,
      flag: null,
      count: null,
      limit: null,
      until: null,
      tags: null,
    }
    const cleared = { name: null, description: '', limit: null, until: null, tags: null }
    expect(normalize(raw)).toEqual(cleared)
  })

  it('refuses parameters of a tier that the server is not in', () => {
    const community = compileNormalizer(schema, 'community')
    expect(() => community({ name: 'a', mirror: false })).toThrow('forbidden')
    expect(compileNormalizer(schema, 'premium')({ mirror: false })).toEqual({ mirror: false })
  })
})
