import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildIssueFixture, type IssueFixture } from '../../../testing/fixtures/issues.ts'
import type { Json } from '../../../testing/test-server.ts'

let fixture: IssueFixture

beforeAll(async () => {
  fixture = await buildIssueFixture()
})
afterAll(() => fixture.server.close())

async function todosOf({ token }: { token: string }, issue: Json): Promise<string[]> {
  const { body } = await fixture.server.inject('GET', '/todos', { token })
  return body
    .filter((todo: Json) => todo.target.id === issue.id)
    .map((todo: Json) => todo.action_name)
}

const labelsOf = (issue: Json): string[] => issue.labels

describe('POST /projects/:id/issues', () => {
  it('creates an event and updates open_issues_count and last_activity_at', async () => {
    const { server, stranger } = fixture
    const project = await server.buildProject({ visibility: 'public' })
    const issue = await fixture.open({}, server.root, project)
    await fixture.open({ confidential: true }, stranger, project)
    expect(await fixture.activity(project)).toEqual([
      'created  ',
      `opened Issue ${issue.iid}`,
      `opened Issue ${issue.iid + 1}`,
    ])
    const { body } = await server.inject('GET', `/projects/${project.id}`, {
      token: server.root.token,
    })
    // A confidential issue changes neither.
    expect(body.open_issues_count).toBe(1)
  })

  it('adds one todo for each assigned, addressed and mentioned user', async () => {
    const { developer, guest, owner, maintainer, reporter } = fixture
    const issue = await fixture.open({
      title: `About @${owner.username}`,
      description: `@${guest.username} please look, and @${developer.username} too`,
      assignee_ids: [developer.id, reporter.id],
    })
    expect(await todosOf(developer, issue)).toEqual(['assigned'])
    expect(await todosOf(reporter, issue)).toEqual(['assigned'])
    expect(await todosOf(guest, issue)).toEqual(['directly_addressed'])
    expect(await todosOf(owner, issue)).toEqual(['mentioned'])
    expect(await todosOf(maintainer, issue)).toEqual([])
  })

  it('adds no todos for users who cannot read the issue', async () => {
    const { guest, stranger } = fixture
    const issue = await fixture.open({
      confidential: true,
      description: `@${guest.username} @${stranger.username}`,
    })
    expect(await todosOf(guest, issue)).toEqual([])
    expect(await todosOf(stranger, issue)).toEqual([])
  })

  it('writes system notes on the items that it mentions', async () => {
    const named = await fixture.open()
    const issue = await fixture.open({ description: `See #${named.iid} and #${named.iid}` })
    expect(await fixture.systemNotes(named)).toEqual([`mentioned in issue #${issue.iid}`])
  })

  it('writes label events, and no system notes, for labels and assignees', async () => {
    const { server, project, developer, reporter } = fixture
    const issue = await fixture.open({ labels: 'e1,e2', assignee_ids: [developer.id] })
    expect(await fixture.systemNotes(issue)).toEqual([])
    const path = `/projects/${project.id}/issues/${issue.iid}/resource_label_events`
    const { body } = await server.inject('GET', path, { token: reporter.token })
    expect(body.map((event: Json) => [event.action, event.label.name])).toEqual([
      ['add', 'e1'],
      ['add', 'e2'],
    ])
  })

  it('executes the quick actions in the description and removes them', async () => {
    const { developer, guest } = fixture
    const issue = await fixture.open({
      title: 'Old',
      labels: 'kept',
      description: [
        'Some text',
        `/assign @${developer.username}`,
        '/label ~"from a command"',
        '/title New',
        '/due 2031-05-06',
        '/weight 3',
        '/estimate 1h 30m',
        '/confidential',
        'and more',
      ].join('\n'),
    })
    expect(issue).toMatchObject({
      title: 'New',
      description: 'Some text\nand more',
      assignees: [{ id: developer.id }],
      due_date: '2031-05-06',
      weight: 3,
      confidential: true,
      time_stats: { time_estimate: 5400 },
    })
    expect(labelsOf(issue)).toEqual(['from a command', 'kept'])
    expect(await fixture.systemNotes(issue)).toEqual([
      'changed due date to May 6, 2031',
      'changed time estimate to 1h 30m',
    ])
    expect(await todosOf(developer, issue)).toEqual(['assigned'])
    const plain = await fixture.open({ description: 'x\n/weight 9\n/label ~nope' }, guest)
    expect(plain).toMatchObject({ description: 'x', weight: null, labels: [] })
  })

  it('creates a closed issue with /close', async () => {
    const issue = await fixture.open({ description: '/close' })
    expect(issue).toMatchObject({ state: 'closed', description: '' })
    expect(await fixture.systemNotes(issue)).toEqual(['closed'])
    const actual = (await fixture.activity()).filter((line) => line.endsWith(` ${issue.iid}`))
    expect(actual).toEqual([`opened Issue ${issue.iid}`, `closed Issue ${issue.iid}`])
  })
})
