import { z } from 'zod'
import { Commit } from '../commits/commit.schema.ts'
import { endpoint } from '../contract/endpoint.ts'
import { boolean, filledText, oneOf, optional, text, textList } from '../contract/fields.ts'
import {
  Comparison,
  Contributor,
  LanguageShares,
  RepositoryBlob,
  TreeEntry,
} from './repository.schema.ts'

const tag = 'Repositories'
const auth = { on: 'project', ability: 'read_code', anonymous: true } as const

/** Catalogue: repository, 1; projects, languages. */
export const repositoryContract = {
  tree: endpoint({
    method: 'GET',
    path: '/projects/:id/repository/tree',
    query: z.object(optional({ path: text(), ref: text(), recursive: boolean() })),
    paginated: true,
    response: { 200: z.array(TreeEntry) },
    auth,
    errors: ['not_found'],
    docs: {
      summary: 'List the files and directories of a repository',
      tag,
      description: 'An unknown `path` gives an empty list, an unknown `ref` a 404.',
    },
  }),
  blob: endpoint({
    method: 'GET',
    path: '/projects/:id/repository/blobs/:sha',
    response: { 200: RepositoryBlob },
    auth,
    errors: ['not_found', 'payload_too_large'],
    docs: { summary: 'Show the content of a file by its hash', tag },
  }),
  rawBlob: endpoint({
    method: 'GET',
    path: '/projects/:id/repository/blobs/:sha/raw',
    kind: 'raw',
    response: { 200: null },
    auth,
    errors: ['not_found'],
    docs: { summary: 'Read the bytes of a file by its hash', tag },
  }),
  archive: endpoint({
    method: 'GET',
    path: '/projects/:id/repository/archive',
    query: z.object(optional({ sha: text() })),
    kind: 'raw',
    response: { 200: null },
    auth,
    errors: ['not_found', 'payload_too_large', 'unprocessable'],
    docs: { summary: 'Download the files of a commit, branch or tag as tar.gz', tag },
  }),
  archiveAs: endpoint({
    method: 'GET',
    path: '/projects/:id/repository/archive.:format',
    query: z.object(optional({ sha: text() })),
    kind: 'raw',
    response: { 200: null },
    auth,
    errors: ['not_found', 'not_acceptable', 'payload_too_large', 'unprocessable'],
    docs: {
      summary: 'Download the files of a commit, branch or tag in a format',
      tag,
      description:
        'Formats: `tar.gz`, `tgz`, `gz`, `tar.bz2`, `tbz`, `tbz2`, `tb2`, `bz2`, `tar`, `zip`.',
    },
  }),
  compare: endpoint({
    method: 'GET',
    path: '/projects/:id/repository/compare',
    query: z.object({
      from: filledText(),
      to: filledText(),
      ...optional({ straight: boolean() }),
    }),
    response: { 200: Comparison },
    auth,
    errors: ['not_found'],
    docs: {
      summary: 'Compare two branches, tags or commits',
      tag,
      description:
        'The diff starts at the merge base, with `straight` at `from`. `compare_timeout` says that it was cut.',
    },
  }),
  contributors: endpoint({
    method: 'GET',
    path: '/projects/:id/repository/contributors',
    query: z.object(
      optional({
        order_by: oneOf(['name', 'email', 'commits']),
        sort: oneOf(['asc', 'desc']),
      }),
    ),
    paginated: true,
    response: { 200: z.array(Contributor) },
    auth,
    errors: ['unprocessable'],
    docs: {
      summary: 'List who wrote the commits of the default branch',
      tag,
      description: 'Merge commits do not count. `commits` orders by the date of the last commit.',
    },
  }),
  mergeBase: endpoint({
    method: 'GET',
    path: '/projects/:id/repository/merge_base',
    query: z.object({ refs: textList() }),
    response: { 200: Commit },
    auth,
    errors: ['bad_request', 'not_found'],
    docs: { summary: 'Show the common ancestor of two or more refs', tag },
  }),
  languages: endpoint({
    method: 'GET',
    path: '/projects/:id/languages',
    response: { 200: LanguageShares },
    auth: { on: 'project', ability: 'read_project', anonymous: true },
    docs: {
      summary: 'Show the languages of a project by their share in per cent',
      tag: 'Projects',
    },
  }),
}
