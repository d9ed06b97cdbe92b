import { z } from 'zod'
import { Commit, DiffEntry } from '../../code/commits/commit.schema.ts'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { integer, timestamp } from '../../platform/contract/fields.ts'
import { versionStates } from './merge-request.rules.ts'
import { MergeRequestChanges } from './merge-request-detail.schema.ts'

const one = '/projects/:id/merge_requests/:merge_request_iid'
const params = z.object({ merge_request_iid: integer() })
const auth = { on: 'merge_request', ability: 'show_merge_request' } as const

/** The diff of a merge request after a push to one of its branches. */
export const MergeRequestVersion = z.object({
  id: z.int(),
  head_commit_sha: z.string(),
  /** Null where the branches share no history. */
  base_commit_sha: z.string().nullable(),
  start_commit_sha: z.string(),
  created_at: timestamp,
  merge_request_id: z.int(),
  state: z.enum([...versionStates, 'without_files']),
  /** The number of changed files. */
  real_size: z.string(),
})
export type MergeRequestVersion = z.output<typeof MergeRequestVersion>

/** A version with its commits and its diff. */
export const MergeRequestVersionDetail = MergeRequestVersion.extend({
  commits: z.array(Commit),
  diffs: z.array(DiffEntry),
})
export type MergeRequestVersionDetail = z.output<typeof MergeRequestVersionDetail>

/** The commits, the diff and the versions of merge requests. */
export const mergeRequestVersionsContract = {
  listCommits: endpoint({
    name: 'mergeRequests.commits',
    method: 'GET',
    path: `${one}/commits`,
    params,
    paginated: true,
    response: { 200: z.array(Commit) },
    auth,
    errors: ['not_found'],
    docs: {
      summary: 'List commits of a merge request',
      description: 'Those of its latest version, newest first.',
    },
  }),
  showChanges: endpoint({
    name: 'mergeRequests.changes',
    method: 'GET',
    path: `${one}/changes`,
    params,
    response: { 200: MergeRequestChanges },
    auth,
    errors: ['not_found', 'payload_too_large'],
    docs: {
      summary: 'Show a merge request with its diff',
      description: 'The diff between the merge base and the head of its latest version.',
    },
  }),
  list: endpoint({
    name: 'mergeRequests.versions.list',
    method: 'GET',
    path: `${one}/versions`,
    params,
    paginated: true,
    response: { 200: z.array(MergeRequestVersion) },
    auth,
    errors: ['not_found'],
    docs: { summary: 'List versions of a merge request', description: 'Newest first.' },
  }),
  show: endpoint({
    name: 'mergeRequests.versions.show',
    method: 'GET',
    path: `${one}/versions/:version_id`,
    params: params.extend({ version_id: integer() }),
    response: { 200: MergeRequestVersionDetail },
    auth,
    errors: ['not_found', 'payload_too_large'],
    docs: { summary: 'Show a version of a merge request with its commits and diff' },
  }),
}
