import { z } from 'zod'

const sentences = z.array(z.string())

/** The body of an error, in the shapes that v4 clients know. */
export const ErrorBody = z.union([
  z.object({
    message: z.union([
      z.string(),
      sentences,
      z.object({ error: z.string() }),
      z.record(z.string(), sentences),
    ]),
    /** For an invalid token: `invalid_token`, and why. */
    error: z.string().optional(),
    error_description: z.string().optional(),
  }),
  z.object({
    error: z.union([z.string(), sentences]),
    error_description: z.string().optional(),
    /** For a token without the required scopes: those that would suffice. */
    scope: z.string().optional(),
  }),
])
