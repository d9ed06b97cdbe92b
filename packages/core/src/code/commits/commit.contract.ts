import { z } from 'zod'
import { dateTime } from '../../platform/contract/date-fields.ts'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { boolean, oneOf, optional, text } from '../../platform/contract/fields.ts'
import { filePathText } from '../../platform/contract/text-options.ts'
import { Commit, CommitDetail, CommitRef, CommitSignature, DiffEntry } from './commit.schema.ts'
import { commitWriteEndpoints } from './commit-write.contract.ts'
import { rawDiffs, rawDiffText } from './raw-diff.rules.ts'

const auth = { on: 'project', ability: 'read_code', anonymous: true } as const

/** Commits of a repository. */
export const commitsContract = {
  ...commitWriteEndpoints,
  list: endpoint({
    name: 'commits.list',
    method: 'GET',
    path: '/projects/:id/repository/commits',
    query: z.object(
      optional({
        ref_name: text(),
        since: dateTime(),
        until: dateTime(),
        path: text(filePathText),
        all: boolean(),
        with_stats: boolean(),
        first_parent: boolean(),
      }),
    ),
    paginated: true,
    response: { 200: z.array(Commit) },
    auth,
    docs: {
      summary: 'List commits of a repository',
      description:
        'Newest first. An unknown `ref_name` and an empty repository return an empty list.',
    },
  }),
  show: endpoint({
    name: 'commits.show',
    method: 'GET',
    path: '/projects/:id/repository/commits/:sha',
    query: z.object({ stats: boolean().default(true) }),
    response: { 200: CommitDetail },
    auth,
    errors: ['not_found'],
    docs: { summary: 'Show a commit', description: 'By hash, branch or tag.' },
  }),
  diff: endpoint({
    name: 'commits.diff',
    method: 'GET',
    path: '/projects/:id/repository/commits/:sha/diff',
    paginated: true,
    response: { 200: z.array(DiffEntry) },
    auth,
    errors: ['not_found'],
    docs: { summary: 'Show the diff of a commit' },
  }),
  rawDiff: endpoint({
    ...rawDiffs,
    name: 'commits.rawDiffs',
    path: '/projects/:id/repository/commits/:sha/raw_diffs',
    auth,
    docs: {
      summary: 'Download the diff of a commit',
      description: `An extension. ${rawDiffText} Those of a merge are of the commits that it brings.`,
    },
  }),
  signature: endpoint({
    name: 'commits.signature',
    method: 'GET',
    path: '/projects/:id/repository/commits/:sha/signature',
    response: { 200: CommitSignature },
    auth,
    errors: ['not_found'],
    docs: {
      summary: 'Show the signature of a commit',
      description:
        'Verified with the GPG keys of users. It is `verified` if the e-mail address of the ' +
        'committer is in the key, and a confirmed one of its owner.',
    },
  }),
  refs: endpoint({
    name: 'commits.refs',
    method: 'GET',
    path: '/projects/:id/repository/commits/:sha/refs',
    query: z.object({ type: oneOf(['branch', 'tag', 'all']).default('all') }),
    paginated: true,
    response: { 200: z.array(CommitRef) },
    auth,
    errors: ['not_found'],
    docs: { summary: 'List branches and tags that contain a commit' },
  }),
}
