import { afterAll, beforeAll, describe, it } from 'vitest'
import {
  buildListedMergeRequests,
  type ListedMergeRequests,
} from '../../../testing/fixtures/listed-merge-requests.ts'
import {
  changesAround,
  expectCountedWhenChanged,
  expectExactTotals,
  filteredPaths,
  type TotalsOf,
} from '../../../testing/list-totals.ts'

let fixture: ListedMergeRequests

beforeAll(async () => {
  fixture = await buildListedMergeRequests()
})
afterAll(() => fixture.server.close())

function paths(): string[] {
  const { group, project, other, guest } = fixture
  const lists = [
    `/projects/${project.id}/merge_requests`,
    `/projects/${other.id}/merge_requests`,
    `/groups/${group.id}/merge_requests`,
    '/merge_requests?scope=all',
  ]
  const filters = [
    '',
    'labels=bug',
    'state=opened',
    'state=merged',
    'search=lamp',
    'wip=yes',
    'source_branch=red',
    'target_branch=stable',
    `approver_ids[]=${guest.id}`,
  ]
  return filteredPaths(lists, filters)
}

function changes(): TotalsOf['changes'] {
  const { server, reporter, guest, group, project, other, repository, send } = fixture
  const requests = `/projects/${project.id}/merge_requests`
  const change = (iid: number, body: object) => () => send('PUT', `${requests}/${iid}`, body)
  const open = (into: { id: number }, source: string, title: string) => () => {
    server.advance(1000)
    return server.buildMergeRequest(into, source, 'main', { title, authorId: reporter.id })
  }
  const push = async () => {
    await repository.commitTo('green', { 'more.txt': 'more\n' }, 'WIP')
    await repository.push('green')
    await server.runJobs()
  }
  return [
    ['a merge request in one project', open(project, 'blue', 'A lamp')],
    ['one in the other', open(other, 'blue', 'Lamp')],
    ['a note', () => send('POST', `${requests}/1/notes`, { body: 'Look' })],
    ['work in progress', change(1, { title: 'WIP: Red lamp' })],
    ['no longer', change(1, { title: 'Red lamp' })],
    ['an assignee', change(3, { assignee_ids: [guest.id] })],
    ['another target', change(1, { target_branch: 'stable' })],
    ['the first one', change(1, { target_branch: 'main' })],
    ['closed', change(4, { state_event: 'close' })],
    ['opened again', change(4, { state_event: 'reopen' })],
    ['a label', change(3, { labels: 'bug' })],
    ['a push', push],
    ['approvers', () => send('PUT', `${requests}/1/approvers`, approvers(guest.id))],
    [
      'approvers of the project',
      () => send('PUT', `/projects/${project.id}/approvers`, approvers(guest.id)),
    ],
    ['merged', () => send('PUT', `${requests}/1/merge`, {})],
    ['deleted', () => send('DELETE', `${requests}/2`, {})],
    [
      'a label renamed',
      () => send('PUT', `/projects/${project.id}/labels`, { name: 'bug', new_name: 'b' }),
    ],
    ...changesAround(server, { guest, group, project, other, feature: 'merge_requests' }),
  ]
}

function approvers(userId: number) {
  return { approver_ids: [userId], approver_group_ids: [] }
}

describe('totals of lists of merge requests', () => {
  it('of a project are not counted again for a merge request in another project', async () => {
    const { server, project, repository } = fixture
    const another = await server.buildProject({ namespace_id: fixture.group.id })
    const remote = repository.remote.replace(
      project.path_with_namespace,
      another.path_with_namespace,
    )
    await repository.git('push', '--force', remote, 'main', 'red')
    await repository.commitTo('yellow', { 'yellow.txt': 'yellow\n' }, 'Add yellow')
    await repository.push('yellow')
    await server.runJobs()
    await expectCountedWhenChanged({
      server,
      path: `/projects/${project.id}/merge_requests`,
      elsewhere: () => server.buildMergeRequest(another, 'red', 'main'),
      here: () => server.buildMergeRequest(project, 'yellow', 'main'),
    })
  })

  it('are exact after every kind of change', async () => {
    const { server, reporter, guest, get } = fixture
    const callers = [server.root, reporter, guest]
    await expectExactTotals({ server, paths: paths(), callers, get, changes: changes() })
  }, 120_000)
})
