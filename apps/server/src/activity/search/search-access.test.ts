import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  buildSearchedInstance,
  needle,
  type SearchedInstance,
} from '../../testing/fixtures/searched.ts'
import { type UsedEngine, useEngine } from '../../testing/search-engine/engines.ts'
import { setSetting } from '../../testing/settings.ts'
import type { Json } from '../../testing/test-server.ts'

/**
 * Everything in the fixture contains the word. A search finds exactly what the caller can read by
 * its own address, and a search of a project is refused as the list is.
 */

let fixture: SearchedInstance

beforeAll(async () => {
  fixture = await buildSearchedInstance()
}, 120_000)
afterAll(() => fixture.server.close())

type CallerName = keyof SearchedInstance['callers']

const callerNames: CallerName[] = [
  'administrator',
  'assignee',
  'direct',
  'external',
  'guest',
  'reporter',
  'stranger',
]

/** The address of each result of a scope. */
const addressOf: Record<string, (item: Json) => string> = {
  projects: ({ id }) => `/projects/${id}`,
  issues: ({ project_id, iid }) => `/projects/${project_id}/issues/${iid}`,
  merge_requests: ({ project_id, iid }) => `/projects/${project_id}/merge_requests/${iid}`,
  milestones: ({ id, project_id, group_id }) =>
    group_id === undefined
      ? `/projects/${project_id}/milestones/${id}`
      : `/groups/${group_id}/milestones/${id}`,
  snippet_titles: ({ id, project_id }) =>
    project_id === null ? `/snippets/${id}` : `/projects/${project_id}/snippets/${id}`,
  snippet_blobs: (item) => addressOf.snippet_titles?.(item) ?? '',
  blobs: ({ project_id, path, ref }) =>
    `/projects/${project_id}/repository/files/${encodeURIComponent(path)}?ref=${ref}`,
  wiki_blobs: ({ project_id, basename }) => `/projects/${project_id}/wikis/${basename}`,
  commits: ({ project_id, id }) => `/projects/${project_id}/repository/commits/${id}`,
}

/** Scopes without a total. */
const uncounted = ['blobs', 'wiki_blobs', 'commits']

/** The address of a comment in a project. */
function noteAddress(projectId: number, note: Json): string {
  const base = `/projects/${projectId}`
  const { id, noteable_type, noteable_id, noteable_iid, commit_id } = note
  if (noteable_type === 'Commit') return `${base}/repository/commits/${commit_id}/comments`
  if (noteable_type === 'Snippet') return `${base}/snippets/${noteable_id}/notes/${id}`
  const items = noteable_type === 'Issue' ? 'issues' : 'merge_requests'
  return `${base}/${items}/${noteable_iid}/notes/${id}`
}

/** All results, by their addresses. */
async function found(path: string, scope: string, by: CallerName): Promise<string[]> {
  const query = { scope, search: needle, per_page: 100 }
  const { status, body, text, headers } = await fixture.search(path, query, fixture.callers[by])
  if (status !== 200) throw new Error(`${path} ${scope} ${by}: ${status} ${text}`)
  const total = uncounted.includes(scope) ? undefined : String(body.length)
  expect(headers['x-total']).toBe(total)
  return body.map((item: Json) => addressOf[scope]?.(item) ?? '').toSorted()
}

/** Those that the caller can read by their addresses. */
async function readable(addresses: readonly string[], by: CallerName): Promise<string[]> {
  const statuses = await Promise.all(
    addresses.map(async (path) => (await fixture.get(path, fixture.callers[by])).status),
  )
  return addresses.filter((_, index) => statuses[index] === 200)
}

/** Finds everywhere what each caller can read. */
async function expectReadable(scope: string): Promise<void> {
  const everything = await found('/search', scope, 'administrator')
  expect(everything.length).toBeGreaterThan(4)
  for (const by of callerNames) {
    // Those in projects where the feature is disabled are not even the administrator's.
    expect([by, await found('/search', scope, by)]).toEqual([by, await readable(everything, by)])
  }
}

/** The same in groups. */
async function expectReadableInGroups(scope: string): Promise<void> {
  for (const group of [fixture.groups.outer, fixture.groups.inner]) {
    const path = `/groups/${group.id}/search`
    const everything = await found(path, scope, 'administrator')
    expect(everything.length).toBeGreaterThan(0)
    for (const by of callerNames) {
      const query = { scope, search: needle }
      const { status } = await fixture.search(path, query, fixture.callers[by])
      const own = await fixture.get(`/groups/${group.id}`, fixture.callers[by])
      expect([by, status]).toEqual([by, own.status])
      if (status !== 200) continue
      expect([by, await found(path, scope, by)]).toEqual([by, await readable(everything, by)])
    }
  }
}

/** How many results different callers have. */
function numbers(scope: string): Promise<number[]> {
  const different = ['external', 'stranger', 'guest', 'assignee', 'reporter', 'administrator']
  return Promise.all(
    different.map(async (by) => (await found('/search', scope, by as CallerName)).length),
  )
}

/** Guests read wikis, but no code. */
const readers = {
  blobs: [2, 3, 3, 3, 5, 5],
  commits: [2, 3, 3, 3, 5, 5],
  wiki_blobs: [2, 3, 5, 5, 5, 5],
}

describe('GET /search', () => {
  for (const scope of Object.keys(addressOf)) {
    it(`finds all ${scope} that the caller can read, and nothing else`, () => expectReadable(scope))
  }

  it('finds different things for different callers', async () => {
    // Without the archived project, the disabled features, and the confidential issues of others.
    expect(await numbers('issues')).toEqual([1, 2, 4, 8, 8, 8])
    // The assignee wrote all, and sees them as a guest.
    expect(await numbers('merge_requests')).toEqual([2, 3, 3, 5, 5, 5])
    expect(await numbers('projects')).toEqual([4, 5, 6, 6, 6, 6])
    expect(await numbers('milestones')).toEqual([3, 4, 7, 7, 7, 7])
    expect(await numbers('snippet_titles')).toEqual([3, 8, 17, 17, 17, 18])
    expect(await numbers('blobs')).toEqual(readers.blobs)
    expect(await numbers('commits')).toEqual(readers.commits)
    expect(await numbers('wiki_blobs')).toEqual(readers.wiki_blobs)
  })
})

describe('GET /search of users', () => {
  it('finds those that GET /users finds, e-mail addresses only as complete ones', async () => {
    const { server, callers, get, search } = fixture
    const { email } = await server.buildUser({ email: 'haystack@example.com' })
    const counts: number[] = []
    for (const text of [needle, 'user', email, email.slice(0, 8)]) {
      for (const by of [callers.external, callers.stranger, callers.administrator]) {
        const { body } = await search('/search', { scope: 'users', search: text }, by)
        const listed = await get(`/users?search=${encodeURIComponent(text)}`, by)
        expect([text, idsOf(body)]).toEqual([text, idsOf(listed.body)])
        counts.push(body.length)
      }
    }
    expect(counts.slice(6)).toEqual([1, 1, 1, 0, 0, 1])
  })
})

describe('GET /groups/:id/search', () => {
  for (const scope of ['projects', 'issues', 'merge_requests', 'milestones', ...uncounted]) {
    it(`finds all ${scope} of the group that the caller can read, and nothing else`, async () => {
      await expectReadableInGroups(scope)
    })
  }

  it('finds the members of a group for whoever may list them', async () => {
    for (const { id } of Object.values(fixture.groups)) {
      for (const by of callerNames) {
        const caller = fixture.callers[by]
        const query = { scope: 'users', search: needle }
        const answer = await fixture.search(`/groups/${id}/search`, query, caller)
        const list = await fixture.get(`/groups/${id}/members/all?query=${needle}`, caller)
        expect([by, answer.status]).toEqual([by, list.status])
        if (list.status !== 200) expect(answer.body).toEqual(list.body)
        else expect(idsOf(answer.body)).toEqual(idsOf(list.body))
      }
    }
  })
})

function idsOf(items: readonly Json[]): number[] {
  return items.map(({ id }) => id)
}

const lists: Record<string, string> = {
  issues: 'issues?state=all&search=needle',
  merge_requests: 'merge_requests?state=all&search=needle',
  milestones: 'milestones?search=needle',
  users: 'members/all?query=needle',
}

describe('GET /projects/:id/search', () => {
  for (const [scope, list] of Object.entries(lists)) {
    it(`answers as the list of ${scope} does, in every project`, async () => {
      for (const [kind, { id }] of Object.entries(fixture.projects)) {
        for (const by of callerNames) {
          const caller = fixture.callers[by]
          const query = { scope, search: needle }
          const answer = await fixture.search(`/projects/${id}/search`, query, caller)
          const listed = await fixture.get(`/projects/${id}/${list}`, caller)
          expect([kind, by, answer.status]).toEqual([kind, by, listed.status])
          if (listed.status !== 200) expect(answer.body).toEqual(listed.body)
          else expect([kind, by, idsOf(answer.body)]).toEqual([kind, by, idsOf(listed.body)])
        }
      }
    })
  }

  it('answers for code as reading it does, with and without the index', async () => {
    await expectAsReading()
    await setSetting(fixture.server, 'searchengine_indexing', false)
    await expectAsReading()
    await setSetting(fixture.server, 'searchengine_indexing', true)
  })

  it('finds all comments that the caller can read, and nothing else', async () => {
    const numbers: Record<string, number[]> = {}
    for (const [kind, { id }] of Object.entries(fixture.projects)) {
      const query = { scope: 'notes', search: needle }
      const path = `/projects/${id}/search`
      const everything = (await fixture.search(path, query)).body.map((note: Json) =>
        noteAddress(id, note),
      )
      expect(everything).toHaveLength(kind === 'disabled_features' ? 0 : 7)
      for (const by of callerNames) {
        const answer = await fixture.search(path, query, fixture.callers[by])
        const project = await fixture.get(`/projects/${id}`, fixture.callers[by])
        expect([kind, by, answer.status]).toEqual([kind, by, project.status])
        if (answer.status !== 200) continue
        const addresses = answer.body.map((note: Json) => noteAddress(id, note))
        expect([kind, by, addresses]).toEqual([kind, by, await readable(everything, by)])
        numbers[by] = [...(numbers[by] ?? []), addresses.length]
      }
    }
    expect(numbers.external).toEqual([4, 0, 0, 4])
    expect(numbers.reporter).toEqual([7, 7, 7, 7, 0, 7])
  })
})

/** A project is searched by whom its code can be read. */
async function expectAsReading(): Promise<void> {
  const reads: Record<string, string> = {
    blobs: 'repository/files/a.txt?ref=main',
    commits: 'repository/commits',
    wiki_blobs: 'wikis',
  }
  const counts = new Set<number>()
  for (const [kind, { id }] of Object.entries(fixture.projects)) {
    for (const by of callerNames) {
      for (const [scope, path] of Object.entries(reads)) {
        const query = { scope, search: needle }
        const answer = await fixture.search(`/projects/${id}/search`, query, fixture.callers[by])
        const read = await fixture.get(`/projects/${id}/${path}`, fixture.callers[by])
        expect([kind, by, scope, answer.status]).toEqual([kind, by, scope, read.status])
        if (answer.status === 200) counts.add(answer.body.length)
      }
    }
  }
  expect([...counts]).toEqual([1])
}

describe('the search of code with an external engine', () => {
  let engine: UsedEngine

  beforeAll(async () => {
    engine = await useEngine(fixture.server, 'external')
    expect(await found('/search', 'blobs', 'administrator')).toEqual([])
    await fixture.server.runJobs()
  }, 60_000)
  afterAll(() => engine.close())

  for (const scope of uncounted) {
    it(`finds all ${scope} that the caller can read, and nothing else`, async () => {
      await expectReadable(scope)
      await expectReadableInGroups(scope)
      expect(await numbers(scope)).toEqual(readers[scope as keyof typeof readers])
    })
  }

  it('answers in a project as reading it does', () => expectAsReading())
})
