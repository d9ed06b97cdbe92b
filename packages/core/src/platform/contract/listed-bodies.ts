import { z } from 'zod'
import { integer, optional } from './fields.ts'

/** Parameters of all lists of comments, or with comments. */
export const listedBodies = {
  /** Texts of comments are cut to as many characters. */
  max_body_length: integer({ min: 0 }),
}

/** The query of those that have no filters. */
export const BodiesQuery = z.object(optional(listedBodies))
export type BodiesQuery = z.output<typeof BodiesQuery>
