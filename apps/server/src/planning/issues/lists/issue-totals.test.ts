import { afterAll, beforeAll, describe, it } from 'vitest'
import { buildListedIssues, type ListedIssues } from '../../../testing/fixtures/listed-issues.ts'
import {
  changesAround,
  expectCountedWhenChanged,
  expectExactTotals,
  filteredPaths,
  type TotalsOf,
} from '../../../testing/list-totals.ts'

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
  return [...filteredPaths(lists, filters), ...filteredPaths([...events, '/events'], [''])]
}

function changes(): TotalsOf['changes'] {
  const { server, reporter, guest, group, project, other, send, post, add } = fixture
  const { root } = server
  const inProject = `/projects/${project.id}/issues`
  return [
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
    ...changesAround(server, { guest, group, project, other, feature: 'issues' }),
  ]
}

describe('totals of lists', () => {
  it('are exact after every kind of change', async () => {
    const { server, reporter, guest, get } = fixture
    const callers = [server.root, reporter, guest]
    await expectExactTotals({ server, paths: paths(), callers, get, changes: changes() })
  }, 120_000)

  it('of a project are not counted again for an issue in another project', async () => {
    const { server, project, add } = fixture
    const another = await server.buildProject({ namespace_id: fixture.group.id })
    for (const path of [`/projects/${project.id}/issues`, `/projects/${project.id}/events`]) {
      await expectCountedWhenChanged({
        server,
        path,
        elsewhere: () => add(another, { title: 'Elsewhere' }, server.root),
        here: () => add(project, { title: 'Here' }, server.root),
      })
    }
  })
})
