import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'

/** How far the index of code, wikis and commits is. */
export const SearchIndexStatus = z.object({
  /** Whether repositories are indexed. */
  enabled: z.boolean(),
  /** Repositories of projects and wikis that it should have: none while it is off. */
  repositories: z.int(),
  /** Repositories that it has; null for an external engine, which isn't asked. */
  indexed: z.int().nullable(),
  /** Repositories that wait for it. */
  waiting: z.int(),
  /** Seconds that the first of them has waited. */
  lag: z.int(),
})
export type SearchIndexStatus = z.output<typeof SearchIndexStatus>

/** The index that code, wikis and commits are found by. */
export const searchIndexContract = {
  show: endpoint({
    name: 'searchIndex.show',
    method: 'GET',
    path: '/search_index',
    response: { 200: SearchIndexStatus },
    auth: { on: 'instance', ability: 'administer' },
    docs: {
      summary: 'Show how far the search index is',
      description: 'For administrators. An extension: `lag` is in seconds.',
    },
  }),
}
