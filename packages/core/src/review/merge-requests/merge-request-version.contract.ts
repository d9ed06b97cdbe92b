import { z } from 'zod'
import { Commit, DiffEntry } from '../../code/commits/commit.schema.ts'
import { rawDiffs, rawDiffText } from '../../code/commits/raw-diff.rules.ts'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { boolean, integer, optional, text, timestamp } from '../../platform/contract/fields.ts'
import { filePathText } from '../../platform/contract/text-options.ts'
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
  listDiffs: endpoint({
    name: 'mergeRequests.diffs.list',
    method: 'GET',
    path: `${one}/diffs`,
    params,
    query: z.object(
      optional({
        /** By default the latest. */
        version_id: integer(),
        /** An older version to compare it with, instead of the merge base. */
        start_version_id: integer(),
        /** The new path of the only file to show. */
        path: text(filePathText),
        ignore_whitespace: boolean(),
      }),
    ),
    paginated: true,
    response: { 200: z.array(DiffEntry) },
    auth,
    errors: ['not_found', 'payload_too_large'],
    docs: {
      summary: 'List the changed files of a merge request',
      description:
        'With their diffs, in pages; the limits of a diff apply to each page. A file that is ' +
        'asked for by `path` may be as large as all files of a page. An extension: v4 clients use ' +
        '`.../changes`.',
    },
  }),
  rawDiff: endpoint({
    ...rawDiffs,
    name: 'mergeRequests.rawDiffs',
    path: `${one}/raw_diffs`,
    params,
    auth,
    docs: {
      summary: 'Download the diff of a merge request',
      description: `Between the merge base and the head of its latest version. ${rawDiffText} \`format\` is an extension.`,
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
