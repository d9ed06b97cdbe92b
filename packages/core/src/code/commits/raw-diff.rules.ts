import { z } from 'zod'
import { oneOf } from '../../platform/contract/fields.ts'

/** The formats of raw diffs, which are also endings of the addresses of pages. */
export const rawDiffFormats = ['diff', 'patch'] as const
export type RawDiffFormat = (typeof rawDiffFormats)[number]

/** What the endpoints of raw diffs have in common. */
export const rawDiffs = {
  method: 'GET',
  query: z.object({ format: oneOf(rawDiffFormats).default('diff') }),
  kind: 'raw',
  contentTypes: ['text/plain'],
  response: { 200: null },
  errors: ['not_found', 'payload_too_large', 'unprocessable', 'too_many_requests'],
} as const

/** What `format` means. */
export const rawDiffText =
  '`format` is `diff` for one diff as `git apply` takes it, with binary files, or `patch` for an e-mail ' +
  'for each commit but merges, as `git am` takes them.'
