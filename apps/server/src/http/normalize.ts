import { fieldMeta, forbidden } from '@stithy/core'
import type { z } from 'zod'
import { type Tier, tierAllows } from '../config/config.ts'
import type { Params } from './nested-params.ts'

/** What a value that stands for none becomes: left out, an empty text, or itself. */
type Nothing = 'absent' | 'blank' | 'kept'

interface Field {
  name: string
  onNull: Nothing
  onBlank: Nothing
  /** Belongs to a feature that this server does not have. */
  refused: boolean
}

/**
 * Compiles what happens to parameters before they are parsed: clients send empty strings and null for
 * values that they do not have, also for those that they have just read from an answer.
 * The result throws DomainError `forbidden` for parameters of a tier that the server is not in.
 */
export function compileNormalizer(schema: z.ZodObject, tier: Tier): (raw: Params) => Params {
  const fields = Object.entries(schema.shape)
    .map(([name, field]) => fieldOf(name, field as z.ZodType, tier))
    .filter(({ onNull, onBlank, refused }) => onNull !== 'kept' || onBlank !== 'kept' || refused)
  return (raw) => {
    let normal = raw
    for (const { name, onNull, onBlank, refused } of fields) {
      const value = raw[name]
      if (value === undefined) continue
      if (refused) throw forbidden()
      const action = value === null ? onNull : value === '' ? onBlank : 'kept'
      if (action === 'kept') continue
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
  const onBlank = meta?.blankIsAbsent ? 'absent' : 'kept'
  return { name, onNull: onNullOf(field, meta?.blankIsAbsent === false), onBlank, refused }
}

function onNullOf(field: z.ZodType, takesBlank: boolean): Nothing {
  if (field.safeParse(null).success || !field.safeParse(undefined).success) return 'kept'
  return takesBlank && field.safeParse('').success ? 'blank' : 'absent'
}
