import { z } from 'zod'

/** A client of the OAuth2 provider (RFC 6749, section 2). */
export const Application = z.object({
  id: z.int(),
  /** The `client_id` of requests. */
  application_id: z.string(),
  application_name: z.string(),
  /** The redirect URIs, one in each line. */
  callback_url: z.string(),
  /** Whether it can keep its secret; others must use PKCE. */
  confidential: z.boolean(),
  /** Whether users are not asked for their consent. */
  trusted: z.boolean(),
})
export type Application = z.output<typeof Application>

/** The response to its creation, the only one that contains the `client_secret`. */
export const NewApplication = Application.extend({ secret: z.string() })
export type NewApplication = z.output<typeof NewApplication>
