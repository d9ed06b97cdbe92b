import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildListedIssues, type ListedIssues } from '../../../testing/fixtures/listed-issues.ts'

let fixture: ListedIssues

beforeAll(async () => {
  fixture = await buildListedIssues()
})
afterAll(() => fixture.server.close())

function paths(): string[] {
  const { group, project, other } = fixture
  const lists = [
    `/projects/${project.id}/issues`,
    `/projects/${other.id}/issues`,
    `/groups/${group.id}/issues`,
    '/issues?scope=all',
  ]
  const filters = ['', 'labels=bug', 'state=opened', 'search=lamp', 'confidential=true']
  const events = [project, other].map(({ id }) => `/projects/${id}/events`)
  return [
    ...lists.flatMap((list) =>
      filters.map((filter) => `${list}${list.includes('?') ? '&' : '?'}${filter}`),
    ),
    ...events.map((path) => `${path}?`),
    '/events?',
  ]
}

/** Every total must be the number of items on the only page, which is read each time. */
async function expectExactTotals(after: string): Promise<void> {
  const { server, reporter, guest, get } = fixture
  for (const by of [server.root, reporter, guest]) {
    for (const path of paths()) {
      const { status, headers, body } = await get(`${path}&per_page=100`, by)
      // Hidden from this caller, or disabled.
      if (status === 404 || status === 403) continue
      expect([headers['x-total'], path], after).toEqual([String(body.length), path])
    }
  }
}

describe('totals of lists', () => {
  it('are exact after every kind of change', async () => {
    const { server, reporter, guest, group, project, other, send, post, add } = fixture
    const { root } = server
    const inProject = `/projects/${project.id}/issues`
    const changes: [string, () => Promise<unknown>][] = [
      ['an issue in one project', () => add(project, { title: 'A lamp', labels: 'bug' }, reporter)],
      ['an issue in the other', () => add(other, { title: 'Lamp', labels: 'bug' }, root)],
      ['a note', () => post(`${inProject}/1/notes`, { body: 'Look' }, reporter)],
      ['confidential', () => send('PUT', `${inProject}/1`, { confidential: true }, root)],
      ['no longer', () => send('PUT', `${inProject}/1`, { confidential: false }, root)],
      ['an assignee', () => send('PUT', `${inProject}/3`, { assignee_ids: [guest.id] }, root)],
      ['closed', () => send('PUT', `${inProject}/2`, { state_event: 'close' }, root)],
      ['a label', () => send('PUT', `${inProject}/3`, { labels: 'bug' }, root)],
      ['moved', () => post(`${inProject}/2/move`, { to_project_id: other.id }, root)],
      ['deleted', () => server.inject('DELETE', `${inProject}/1`, { token: root.token })],
      [
        'a label renamed',
        () => send('PUT', `/projects/${project.id}/labels`, { name: 'bug', new_name: 'b' }, root),
      ],
      ['a new member', () => server.addMember(`projects/${other.id}`, guest.id, 30)],
      [
        'a member gone',
        () =>
          server.inject('DELETE', `/groups/${group.id}/members/${guest.id}`, { token: root.token }),
      ],
      ['the member back', () => server.addMember(`groups/${group.id}`, guest.id, 20)],
      [
        'transferred',
        () => send('PUT', `/projects/${project.id}/transfer`, { namespace: group.id }, root),
      ],
      ['a public group', () => send('PUT', `/groups/${group.id}`, { visibility: 'public' }, root)],
      ['visible', () => send('PUT', `/projects/${other.id}`, { visibility: 'public' }, root)],
      [
        'without issues',
        () => send('PUT', `/projects/${other.id}`, { issues_access_level: 'disabled' }, root),
      ],
      ['archived', () => post(`/projects/${other.id}/archive`, {}, root)],
      [
        'a project deleted',
        () => server.inject('DELETE', `/projects/${other.id}`, { token: root.token }),
      ],
      ['its contents deleted', () => server.runJobs()],
    ]
    await expectExactTotals('nothing')
    for (const [name, change] of changes) {
      await change()
      await expectExactTotals(name)
    }
  }, 120_000)

  it('of a project are not counted again for an issue in another project', async () => {
    const { server, project, get } = fixture
    const { root } = server
    const another = await server.buildProject({ namespace_id: fixture.group.id })
    const queriesFor = async (path: string) => {
      const before = server.app.db.stats.queries
      await get(path, root)
      return server.app.db.stats.queries - before
    }
    for (const path of [`/projects/${project.id}/issues`, `/projects/${project.id}/events`]) {
      await get(path, root)
      const cached = await queriesFor(path)
      await fixture.add(another, { title: 'Elsewhere' }, root)
      expect(await queriesFor(path), path).toBe(cached)
      await fixture.add(project, { title: 'Here' }, root)
      expect(await queriesFor(path), path).toBeGreaterThan(cached)
    }
  })
})
