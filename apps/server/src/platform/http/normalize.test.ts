import {
  boolean,
  clearableDate,
  date,
  integer,
  nonEmptyText,
  oneOf,
  paid,
  text,
  textList,
} from '@stithy/core'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { compileNormalizer } from './normalize.ts'

const schema = z.object({
  name: nonEmptyText(),
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

  it('returns ordinary parameters unchanged, without a copy', () => {
    const raw = { name: 'a', description: 'b', flag: 'true', unknown: null }
    expect(normalize(raw)).toBe(raw)
  })

  it('drops blank values except for texts, lists and clearable dates', () => {
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

  it('converts null to the value that clears a field: an empty text, null, or absent', () => {
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

  it('rejects parameters of a tier that the server does not have', () => {
    const community = compileNormalizer(schema, 'community')
    expect(() => community({ name: 'a', mirror: false })).toThrow('forbidden')
    expect(compileNormalizer(schema, 'premium')({ mirror: false })).toEqual({ mirror: false })
  })
})
