import { groupSearchScopes, projectSearchScopes, searchScopes } from '@stithy/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { created } from '../../testing/clients/calls.ts'
import {
  buildSearchedInstance,
  needle,
  type SearchedInstance,
} from '../../testing/fixtures/searched.ts'
import type { Json } from '../../testing/test-server.ts'

/**
 * - Each of the three searches has its scopes, with an alias below `/-/`.
 * - Every call needs a token, also on public projects.
 * - `scope` and `search` are required; a scope that the context lacks is 400.
 * - The shape of each scope; no `subscribed` in issues and merge requests.
 * - Pages with the headers of other lists, newest first.
 * - No text has a special meaning.
 */

let fixture: SearchedInstance

beforeAll(async () => {
  fixture = await buildSearchedInstance()
}, 120_000)
afterAll(() => fixture.server.close())

/** The three paths with their scopes. */
function contexts(): [string, readonly string[]][] {
  const { groups, projects } = fixture
  return [
    ['/search', searchScopes],
    [`/groups/${groups.outer.id}/search`, groupSearchScopes],
    [`/projects/${projects.public.id}/search`, projectSearchScopes],
  ]
}

async function titles(path: string, query: Record<string, string | number>): Promise<string[]> {
  const { status, body, text } = await fixture.search(path, query)
  if (status !== 200) throw new Error(`${path}: ${status} ${text}`)
  return body.map((item: Json) => item.title ?? item.body ?? item.name)
}

const userKeys = ['avatar_url', 'id', 'name', 'state', 'username', 'web_url']
const snippetKeys = [
  ...['author', 'created_at', 'description', 'file_name', 'id', 'project_id', 'title'],
  ...['updated_at', 'web_url'],
]

const blobKeys = [
  ...['basename', 'data', 'filename', 'id', 'path', 'project_id', 'ref', 'startline'],
]

/** The fields of each scope's items. */
const keys: Record<string, readonly string[]> = {
  projects: [
    ...['avatar_url', 'created_at', 'default_branch', 'description', 'forks_count'],
    ...['http_url_to_repo', 'id', 'last_activity_at', 'name', 'name_with_namespace', 'path'],
    ...['path_with_namespace', 'ssh_url_to_repo', 'star_count', 'tag_list', 'web_url'],
  ],
  issues: [
    ...['assignee', 'assignees', 'author', 'closed_at', 'confidential', 'created_at'],
    ...['description', 'discussion_locked', 'downvotes', 'due_date', 'id', 'iid', 'labels'],
    ...['milestone', 'project_id', 'state', 'time_stats', 'title', 'updated_at', 'upvotes'],
    ...['user_notes_count', 'web_url', 'weight'],
  ],
  merge_requests: [
    ...['allow_maintainer_to_push', 'assignee', 'assignees', 'author', 'closed_at', 'created_at'],
    ...['description', 'discussion_locked', 'downvotes', 'force_remove_source_branch', 'id'],
    ...['iid', 'labels', 'merge_commit_sha', 'merge_status', 'merge_when_pipeline_succeeds'],
    ...['merged_at', 'milestone', 'project_id', 'reference', 'sha'],
    ...['should_remove_source_branch', 'source_branch', 'source_project_id', 'state'],
    ...['target_branch', 'target_project_id', 'task_completion_status', 'time_stats', 'title'],
    ...['updated_at', 'upvotes', 'user_notes_count', 'web_url', 'work_in_progress'],
  ],
  milestones: [
    ...['created_at', 'description', 'due_date', 'id', 'iid', 'project_id', 'start_date'],
    ...['state', 'title', 'updated_at', 'web_url'],
  ],
  snippet_titles: snippetKeys,
  snippet_blobs: snippetKeys,
  notes: [
    ...['attachment', 'author', 'body', 'created_at', 'id', 'noteable_id', 'noteable_iid'],
    ...['noteable_type', 'resolvable', 'system', 'type', 'updated_at'],
  ],
  users: userKeys,
  blobs: blobKeys,
  wiki_blobs: blobKeys,
  commits: [
    ...['author_email', 'author_name', 'authored_date', 'committed_date', 'committer_email'],
    ...['committer_name', 'created_at', 'id', 'message', 'parent_ids', 'project_id'],
    ...['short_id', 'title'],
  ],
}

/** Scopes without a total. */
const uncounted = ['blobs', 'wiki_blobs', 'commits']

describe('GET /search, /groups/:id/search and /projects/:id/search', () => {
  it('answer items of the shape of each scope, at both paths', async () => {
    for (const [path, scopes] of contexts()) {
      for (const scope of scopes) {
        const query = { scope, search: needle, per_page: 100 }
        const { status, body, headers } = await fixture.search(path, query)
        expect([path, scope, status]).toEqual([path, scope, 200])
        const total = uncounted.includes(scope) ? undefined : String(body.length)
        expect(headers['x-total']).toBe(total)
        const shapes = new Set(body.map((item: Json) => Object.keys(item).toSorted().join(' ')))
        const isDetailed = scope === 'commits' && path.startsWith('/projects')
        const shape = [...(keys[scope] ?? []), ...(isDetailed ? ['last_pipeline', 'status'] : [])]
          .toSorted()
          .join(' ')
        expect(shapes, `${path} ${scope}`).toContain(shape)
        // Milestones of groups, comments on commits, and projects whose code is hidden differ.
        const isMixed = ['milestones', 'notes', 'projects'].includes(scope)
        if (!isMixed) expect(shapes.size, `${path} ${scope}`).toBe(1)
        const alias = path.replace(/search$/, '-/search')
        expect((await fixture.search(alias, query)).body).toEqual(body)
      }
    }
  })

  it('answer milestones of groups with group_id, and comments on commits with commit_id', async () => {
    const query = { scope: 'milestones', search: 'Group needle' }
    const [milestone] = (await fixture.search('/search', query)).body
    expect(milestone).toMatchObject({ group_id: fixture.groups.inner.id, title: 'Group needle' })
    expect(milestone).not.toHaveProperty('project_id')
    const { id } = fixture.projects.public
    const comments = { scope: 'notes', search: needle }
    const { body } = await fixture.search(`/projects/${id}/search`, comments)
    const kinds = body.map((note: Json) => [
      note.noteable_type,
      note.noteable_iid,
      'commit_id' in note,
    ])
    expect(kinds).toEqual([
      ['Snippet', null, false],
      ['Snippet', null, false],
      ['Snippet', null, false],
      ['Commit', null, true],
      ['MergeRequest', 1, false],
      ['Issue', 2, false],
      ['Issue', 1, false],
    ])
  })

  it('answer 401 without a token, also for what is public', async () => {
    for (const [path] of contexts()) {
      const { status, body } = await fixture.server.inject('GET', path, {
        query: 'scope=users&search=x',
      })
      expect([path, status, body]).toEqual([path, 401, { message: '401 Unauthorized' }])
    }
  })

  it('answer 400 for a missing, unknown or foreign scope, and for no text', async () => {
    for (const [path, scopes] of contexts()) {
      const refusal = async (query: Record<string, string>) => {
        const { status, body } = await fixture.search(path, query)
        return `${status} ${body.error}`
      }
      expect(await refusal({})).toBe('400 scope is missing, search is missing')
      expect(await refusal({ search: 'x' })).toBe('400 scope is missing')
      expect(await refusal({ scope: 'users' })).toBe('400 search is missing')
      for (const search of ['', ' ', '\t\n ', '\u00a0']) {
        expect(await refusal({ scope: 'users', search })).toBe('400 search is empty')
      }
      const all = [...searchScopes, ...projectSearchScopes, 'wikis', 'Issues', 'issues,users', '%']
      for (const scope of all.filter((each) => !scopes.includes(each))) {
        expect(await refusal({ scope, search: 'x' })).toBe('400 scope does not have a valid value')
      }
      const long = 'x'.repeat(1025)
      const tooLong = '400 search is too long (maximum is 1024 characters)'
      expect(await refusal({ scope: 'users', search: long })).toBe(tooLong)
    }
  })

  it('answer 404 for what the caller cannot see', async () => {
    const { groups, projects, callers } = fixture
    const query = { scope: 'users', search: 'x' }
    for (const [path, title] of [
      [`/groups/${groups.inner.id}/search`, 'Group'],
      ['/groups/nothing/search', 'Group'],
      [`/projects/${projects.private.id}/search`, 'Project'],
      ['/projects/999999999/search', 'Project'],
    ] as const) {
      const { status, body } = await fixture.search(path, query, callers.stranger)
      expect([path, status, body.message]).toEqual([path, 404, `404 ${title} Not Found`])
    }
  })

  it('answer pages with the headers of lists, newest first', async () => {
    for (const [path, scopes] of contexts()) {
      for (const scope of scopes.filter((scope) => !uncounted.includes(scope))) {
        const query = { scope, search: needle }
        const all = (await fixture.search(path, { ...query, per_page: 100 })).body
        const ids = all.map(({ id }: Json) => id)
        const { body, headers } = await fixture.search(path, { ...query, page: 2, per_page: 1 })
        expect(
          body.map(({ id }: Json) => id),
          `${path} ${scope}`,
        ).toEqual(ids.slice(1, 2))
        const expected = { 'x-total': `${ids.length}`, 'x-page': '2', 'x-per-page': '1' }
        expect(headers).toMatchObject({ ...expected, 'x-total-pages': `${ids.length}` })
        expect(headers.link).toContain(`search=${needle}`)
        const descending = ids.toSorted((a: number, b: number) => b - a)
        // Members come by their user ids, oldest first, as in their lists.
        if (scope !== 'users' || path === '/search') expect(ids).toEqual(descending)
        const beyond = await fixture.search(path, { ...query, page: 1000 })
        expect([beyond.status, beyond.body]).toEqual([200, []])
      }
    }
  })
})

/** Texts that queries and patterns give a meaning. */
const texts = [
  "a' OR '1'='1' --",
  "'); drop table issues; --",
  'needle* NEAR(x y) AND NOT z OR {title} : ^q -r +s',
  '100% of_it \\ [a-z]+(.*)? $1 {{x}}',
  '"quoted phrase" and "un quoted',
  'zyx_wvu%tsr',
  'ÄPFEL und Öl',
  '日本語の題',
  '<script>&amp;',
  '../../etc/passwd',
]

describe('GET /search with any text', () => {
  const base = () => `/projects/${fixture.projects.public.id}`

  it('finds nothing by wildcards and quotes alone', async () => {
    for (const [path, scopes] of contexts()) {
      for (const scope of scopes) {
        for (const search of ['%%', '__', '**', '.*', '??', '""', '" "', "''", '%a%e%', '\\\\%']) {
          const found = await fixture.search(path, { scope, search })
          expect([path, scope, search, found.status, found.body]).toEqual([
            path,
            scope,
            search,
            200,
            [],
          ])
        }
      }
    }
  })

  it('finds it as it is written', async () => {
    const { server, projects } = fixture
    for (const [index, text] of texts.entries()) {
      await created(server, `${base()}/issues`, { title: text })
      await created(server, `${base()}/milestones`, { title: text })
      const snippet = { title: text, file_name: 'x.txt', code: `Before ${text} after` }
      const { id } = await created(server, '/snippets', { ...snippet, visibility: 'public' })
      expect(id).toBeGreaterThan(0)
      await created(server, `${base()}/issues/1/notes`, { body: text })
      const branch = { source: 'topic', target: `main-${index}` }
      await created(server, `${base()}/repository/branches`, { branch: branch.target, ref: 'main' })
      await server.buildMergeRequest(projects.public, branch.source, branch.target, { title: text })
    }
    for (const text of texts) {
      for (const search of [text, text.toLowerCase(), `  ${text} `]) {
        for (const scope of ['issues', 'merge_requests', 'milestones', 'snippet_titles']) {
          expect(await titles('/search', { scope, search }), `${scope} ${search}`).toEqual([text])
        }
        expect(await titles('/search', { scope: 'snippet_blobs', search })).toEqual([text])
        const notes = { scope: 'notes', search }
        expect(await titles(`${base()}/search`, notes), search).toEqual([text])
      }
    }
  })

  it('needs every word, and nothing in between', async () => {
    const { server } = fixture
    await created(server, `${base()}/milestones`, { title: 'Red', description: 'green blue' })
    const search = (text: string) => titles('/search', { scope: 'milestones', search: text })
    expect(await search('BLUE red')).toEqual(['Red'])
    expect(await search('"green blue"')).toEqual(['Red'])
    expect(await search('"blue green"')).toEqual([])
    expect(await search('red yellow')).toEqual([])
  })

  it('finds one letter', async () => {
    for (const [path, scopes] of contexts()) {
      for (const scope of scopes) {
        for (const search of ['e', 'E']) {
          const { status, body } = await fixture.search(path, { scope, search })
          expect([path, scope, status, body.length > 0]).toEqual([path, scope, 200, true])
        }
      }
    }
  })

  it('refuses one of 64 KiB, and one that is not text', async () => {
    const { server } = fixture
    const { token } = server.root
    for (const [path] of contexts()) {
      for (const text of ['a', '%25', '%22', 'a%20']) {
        const query = `scope=users&search=${text.repeat(65_536 / text.length)}`
        const { status } = await server.inject('GET', path, { token, query })
        expect([400, 414, 431]).toContain(status)
      }
      for (const query of ['search[]=a', 'search[a]=b', 'search=%00', 'search=a%00b']) {
        const answer = await server.inject('GET', path, { token, query: `scope=users&${query}` })
        expect([path, query, answer.status]).toEqual([path, query, 400])
      }
    }
  })
})
