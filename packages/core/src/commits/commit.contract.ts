import { z } from 'zod'
import { instant } from '../contract/date-fields.ts'
import { endpoint } from '../contract/endpoint.ts'
import { boolean, oneOf, optional, text } from '../contract/fields.ts'
import { Commit, CommitDetail, CommitRef, CommitSignature, DiffEntry } from './commit.schema.ts'
import { commitWriteEndpoints } from './commit-write.contract.ts'

const auth = { on: 'project', ability: 'read_code', anonymous: true } as const

/** Document 2, Commits; catalogue: repository, 3. */
export const commitsContract = {
  ...commitWriteEndpoints,
  list: endpoint({
    method: 'GET',
    path: '/projects/:id/repository/commits',
    query: z.object(
      optional({
        ref_name: text(),
        since: instant(),
        until: instant(),
        path: text(),
        all: boolean(),
        with_stats: boolean(),
        first_parent: boolean(),
      }),
    ),
    paginated: true,
    response: { 200: z.array(Commit) },
    auth,
    docs: {
      summary: 'List the commits of a branch or tag, newest first',
      tag: 'Commits',
      description: 'An unknown `ref_name` and an empty repository give an empty list.',
    },
  }),
  show: endpoint({
    method: 'GET',
    path: '/projects/:id/repository/commits/:sha',
    query: z.object({ stats: boolean().default(true) }),
    response: { 200: CommitDetail },
    auth,
    errors: ['not_found'],
    docs: { summary: 'Show a commit by hash, branch or tag', tag: 'Commits' },
  }),
  diff: endpoint({
    method: 'GET',
    path: '/projects/:id/repository/commits/:sha/diff',
    paginated: true,
    response: { 200: z.array(DiffEntry) },
    auth,
    errors: ['not_found'],
    docs: { summary: 'List the files that a commit changes', tag: 'Commits' },
  }),
  signature: endpoint({
    method: 'GET',
    path: '/projects/:id/repository/commits/:sha/signature',
    response: { 200: CommitSignature },
    auth,
    errors: ['not_found'],
    docs: { summary: 'Show who signed a commit with OpenPGP', tag: 'Commits' },
  }),
  refs: endpoint({
    method: 'GET',
    path: '/projects/:id/repository/commits/:sha/refs',
    query: z.object({ type: oneOf(['branch', 'tag', 'all']).default('all') }),
    paginated: true,
    response: { 200: z.array(CommitRef) },
    auth,
    errors: ['not_found'],
    docs: { summary: 'List the branches and tags that contain a commit', tag: 'Commits' },
  }),
}
