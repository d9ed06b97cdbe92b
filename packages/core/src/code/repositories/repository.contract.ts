import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { boolean, nonEmptyText, oneOf, optional, text } from '../../platform/contract/fields.ts'
import { textList } from '../../platform/contract/list-fields.ts'
import { filePathText } from '../../platform/contract/text-options.ts'
import { Commit } from '../commits/commit.schema.ts'
import { fileContentTypes } from '../files/repository-file.schema.ts'
import { archiveContentTypes } from './archive.rules.ts'
import {
  Comparison,
  Contributor,
  LanguageShares,
  RepositoryBlob,
  TreeEntry,
} from './repository.schema.ts'
import { maxSearchedEntries } from './tree-path.rules.ts'

const auth = { on: 'project', ability: 'read_code', anonymous: true } as const

/** Repositories, and languages of projects. */
export const repositoryContract = {
  tree: endpoint({
    name: 'repository.tree',
    method: 'GET',
    path: '/projects/:id/repository/tree',
    query: z.object(
      optional({
        path: text(filePathText),
        ref: text(),
        recursive: boolean(),
        search: text(),
        with_last_commits: boolean(),
      }),
    ),
    constraints: [{ mutuallyExclusive: ['recursive', 'with_last_commits'] }],
    paginated: true,
    response: { 200: z.array(TreeEntry) },
    auth,
    errors: ['not_found'],
    docs: {
      summary: 'List the repository tree',
      description:
        'Files and directories. An unknown `path` returns an empty list, an unknown `ref` a ' +
        '404. `with_last_commits` is an extension: a commit that is not found in time is null, and ' +
        'is looked for until a later call. `search`, an extension, lists files below the directory, ' +
        `of its first ${maxSearchedEntries} entries.`,
    },
  }),
  blob: endpoint({
    name: 'repository.blobs.show',
    method: 'GET',
    path: '/projects/:id/repository/blobs/:sha',
    response: { 200: RepositoryBlob },
    auth,
    errors: ['not_found', 'payload_too_large'],
    docs: { summary: 'Show a blob' },
  }),
  rawBlob: endpoint({
    name: 'repository.blobs.raw',
    method: 'GET',
    path: '/projects/:id/repository/blobs/:sha/raw',
    kind: 'raw',
    contentTypes: fileContentTypes,
    response: { 200: null, 206: null },
    auth,
    errors: ['not_found'],
    docs: { summary: 'Show the raw content of a blob' },
  }),
  archive: endpoint({
    name: 'repository.archive',
    method: 'GET',
    path: '/projects/:id/repository/archive',
    query: z.object(optional({ sha: text() })),
    kind: 'raw',
    contentTypes: [archiveContentTypes['tar.gz']],
    response: { 200: null },
    auth,
    errors: ['not_found', 'payload_too_large', 'unprocessable'],
    docs: {
      summary: 'Download an archive of the repository',
      description: 'As `tar.gz`. `sha` is a commit, branch or tag; the default branch by default.',
    },
  }),
  archiveAs: endpoint({
    name: 'repository.archive',
    method: 'GET',
    path: '/projects/:id/repository/archive.:format',
    query: z.object(optional({ sha: text() })),
    kind: 'raw',
    contentTypes: Object.values(archiveContentTypes),
    response: { 200: null },
    auth,
    errors: ['not_found', 'not_acceptable', 'payload_too_large', 'unprocessable'],
    docs: {
      summary: 'Download an archive of the repository in a format',
      description:
        'Formats: `tar.gz`, `tgz`, `gz`, `tar.bz2`, `tbz`, `tbz2`, `tb2`, `bz2`, `tar`, ' +
        '`zip`. `sha` is a commit, branch or tag; the default branch by default.',
    },
  }),
  compare: endpoint({
    name: 'repository.compare',
    method: 'GET',
    path: '/projects/:id/repository/compare',
    query: z.object({
      from: nonEmptyText(),
      to: nonEmptyText(),
      ...optional({ straight: boolean() }),
    }),
    response: { 200: Comparison },
    auth,
    errors: ['not_found'],
    docs: {
      summary: 'Compare branches, tags or commits',
      description:
        'The diff starts at the merge base, or at `from` with `straight`. `compare_timeout` ' +
        'is true if the diff was cut off.',
    },
  }),
  contributors: endpoint({
    name: 'repository.contributors',
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
      summary: 'List contributors of a repository',
      description:
        'By the commits of the default branch, without merge commits. Ordering by `commits` ' +
        'means by the date of the last commit.',
    },
  }),
  mergeBase: endpoint({
    name: 'repository.mergeBase',
    method: 'GET',
    path: '/projects/:id/repository/merge_base',
    query: z.object({ refs: textList() }),
    response: { 200: Commit },
    auth,
    errors: ['bad_request', 'not_found'],
    docs: { summary: 'Show the merge base of two or more refs' },
  }),
  languages: endpoint({
    name: 'projects.languages',
    method: 'GET',
    path: '/projects/:id/languages',
    response: { 200: LanguageShares },
    auth: { on: 'project', ability: 'read_project', anonymous: true },
    docs: {
      summary: 'Show languages of a project',
      description: 'The share of each language, in percent.',
    },
  }),
}
