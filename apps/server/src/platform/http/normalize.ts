import { fieldMeta, forbidden } from '@stithy/core'
import type { z } from 'zod'
import { type Tier, tierAllows } from '../config/config.ts'
import type { Params } from './nested-params.ts'

/** What a null or blank value becomes: absent, an empty text, or itself. */
type Replacement = 'absent' | 'blank' | 'unchanged'

interface Field {
  name: string
  onNull: Replacement
  onBlank: Replacement
  /** Belongs to a feature that this server's tier does not have. */
  refused: boolean
}

/**
 * Compiles the normalization of parameters before they are parsed: clients send empty strings and
 * null for absent values, including those that they have just read from a response. The result
 * throws DomainError `forbidden` for parameters of a tier that the server does not have.
 */
export function compileNormalizer(schema: z.ZodObject, tier: Tier): (raw: Params) => Params {
  const fields = Object.entries(schema.shape)
    .map(([name, field]) => fieldOf(name, field as z.ZodType, tier))
    .filter(
      ({ onNull, onBlank, refused }) =>
        onNull !== 'unchanged' || onBlank !== 'unchanged' || refused,
    )
  return (raw) => {
    let normal = raw
    for (const { name, onNull, onBlank, refused } of fields) {
      const value = raw[name]
      if (value === undefined) continue
      if (refused) throw forbidden()
      const action = value === null ? onNull : value === '' ? onBlank : 'unchanged'
      if (action === 'unchanged') continue
      if (normal === raw) normal = { ...raw }
      if (action === 'absent') delete normal[name]
      else normal[name] = ''
    }
    return normal
  }
}

function fieldOf(name: string, field: z.ZodType, tier: Tier): Field {
  const meta = fieldMeta(field)
  const refused = meta?.tier !== undefined && !tierAllows(tier, meta.tier)
  const onBlank = meta?.blankIsAbsent ? 'absent' : 'unchanged'
  return { name, onNull: onNullOf(field, meta?.blankIsAbsent === false), onBlank, refused }
}

function onNullOf(field: z.ZodType, acceptsBlank: boolean): Replacement {
  if (field.safeParse(null).success || !field.safeParse(undefined).success) return 'unchanged'
  return acceptsBlank && field.safeParse('').success ? 'blank' : 'absent'
}
