import type { CodeSearchSubject, SearchSourceKind } from '@stithy/store'
import { z } from 'zod'
import { type EngineIndex, readIndex } from './index-access.ts'
import { trigramsOf } from './trigrams.ts'

/** What the documents of a subject are, and the field of its text. */
interface SubjectFields {
  kind: SearchSourceKind
  type: 'commit' | 'file'
  field: 'message' | 'oid' | 'pathText' | 'text'
}

export const subjectFields: Readonly<Record<CodeSearchSubject, SubjectFields>> = {
  code_paths: { kind: 'code', type: 'file', field: 'pathText' },
  code_texts: { kind: 'code', type: 'file', field: 'text' },
  wiki_paths: { kind: 'wiki', type: 'file', field: 'pathText' },
  wiki_texts: { kind: 'wiki', type: 'file', field: 'text' },
  commit_ids: { kind: 'code', type: 'commit', field: 'oid' },
  commits: { kind: 'code', type: 'commit', field: 'message' },
}

/** Condition of a search; nothing in it is parsed. */
export type Filter = Readonly<Record<string, unknown>>

/** Documents of a subject that may contain a text, which is in lower case. */
export function textFilters(subject: CodeSearchSubject, text: string): Filter[] {
  const { kind, type, field } = subjectFields[subject]
  const common = [{ term: { type } }, { term: { kind } }]
  if (field === 'oid') return [...common, { prefix: { oid: text } }]
  return [...common, ...trigramsOf(text).map((trigram) => ({ term: { [field]: trigram } }))]
}

/** Values of one condition, as many as engines take. */
const maxTerms = 65_536

/** Documents of some projects. */
export function projectFilter(projectIds: readonly number[]): Filter {
  const chunks: Filter[] = []
  // Without projects, there is a condition that nothing meets.
  for (let at = 0; at === 0 || at < projectIds.length; at += maxTerms) {
    chunks.push({ terms: { projectId: projectIds.slice(at, at + maxTerms) } })
  }
  return { bool: { should: chunks, minimum_should_match: 1 } }
}

/** Values that a hit is sorted by, which the next page starts behind. */
type Position = readonly number[]

const PageAnswer = z.object({
  hits: z
    .object({
      hits: z
        .array(
          z.object({
            _id: z.string(),
            sort: z.array(z.number()),
            _source: z.object({
              projectId: z.number(),
              oid: z.string(),
              path: z.string().optional(),
            }),
          }),
        )
        .optional(),
    })
    .optional(),
})

export interface Hit {
  id: string
  projectId: number
  oid: string
  path: string | null
  position: Position
}

/** The next documents behind a position, those that were indexed last first. */
export async function searchPage(
  index: EngineIndex,
  filters: readonly Filter[],
  { limit, after }: { limit: number; after: Position | undefined },
): Promise<Hit[]> {
  const request = {
    method: 'POST',
    path: '/_search',
    query: {
      // A part of the results would be taken for all of them.
      allow_partial_search_results: 'false',
      filter_path: 'hits.hits._id,hits.hits._source,hits.hits.sort',
    },
    body: {
      size: limit,
      track_total_hits: false,
      _source: ['projectId', 'oid', 'path'],
      query: { bool: { filter: filters } },
      // One process at a time writes to a project, so that it has no two equal orders.
      sort: [{ order: 'desc' }, { projectId: 'desc' }],
      ...(after && { search_after: after }),
    },
  } as const
  const found = await readIndex(index, request, PageAnswer)
  const hits = found?.hits?.hits ?? []
  return hits.map(({ _id: id, sort: position, _source: { path = null, ...rest } }) => ({
    ...rest,
    id,
    path,
    position,
  }))
}

const ProjectsAnswer = z.object({
  hits: z
    .object({ hits: z.array(z.object({ sort: z.tuple([z.number()]) })).optional() })
    .optional(),
})

/** The projects of the index behind an id; one with code and a wiki occurs twice. */
export async function listSourceProjects(
  index: EngineIndex,
  { after, limit }: { after: number; limit: number },
): Promise<number[]> {
  const request = {
    method: 'POST',
    path: '/_search',
    query: { allow_partial_search_results: 'false', filter_path: 'hits.hits.sort' },
    body: {
      size: limit,
      _source: false,
      query: { bool: { filter: [{ term: { type: 'source' } }] } },
      sort: [{ projectId: 'asc' }],
      search_after: [after],
    },
  } as const
  const found = await readIndex(index, request, ProjectsAnswer)
  return found?.hits?.hits?.map(({ sort: [projectId] }) => projectId) ?? []
}
