import { z } from 'zod'
import { timestamp } from '../../platform/contract/fields.ts'

/** Maximum length of an armored key, in characters. */
export const maxGpgKeyLength = 65_536

/** The most GPG keys of a user. */
export const maxGpgKeys = 100

/** An OpenPGP public key with which a user signs commits. */
export const GpgKey = z.object({
  id: z.int(),
  /** Armored. */
  key: z.string(),
  created_at: timestamp,
})
export type GpgKey = z.output<typeof GpgKey>
