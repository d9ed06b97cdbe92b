import { z } from 'zod'
import { timestamp } from '../../platform/contract/fields.ts'

/** What all lists show of a domain. */
const basics = {
  domain: z.string(),
  url: z.string(),
  verified: z.boolean(),
  verification_code: z.string(),
  enabled_until: timestamp.nullable(),
}

/** A domain of the site of a project. */
export const PagesDomain = z.object({
  ...basics,
  /** Left out without one. */
  certificate: z
    .object({
      subject: z.string(),
      expired: z.boolean(),
      certificate: z.string(),
      certificate_text: z.string(),
    })
    .optional(),
})
export type PagesDomain = z.output<typeof PagesDomain>

/** A domain in the list of administrators. */
export const InstancePagesDomain = z.object({
  ...basics,
  project_id: z.int(),
  certificate: z.object({ expired: z.boolean(), expiration: timestamp }).optional(),
})
export type InstancePagesDomain = z.output<typeof InstancePagesDomain>
