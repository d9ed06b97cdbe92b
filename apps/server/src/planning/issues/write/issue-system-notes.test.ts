import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildIssueFixture, type IssueFixture } from '../../../testing/fixtures/issues.ts'
import type { Json } from '../../../testing/test-server.ts'

let fixture: IssueFixture

beforeAll(async () => {
  fixture = await buildIssueFixture()
})
afterAll(() => fixture.server.close())

async function systemNotesOn(before: object, ...changes: object[]): Promise<string[]> {
  const issue = await fixture.open(before)
  for (const change of changes) {
    const answer = await fixture.call('PUT', `/${issue.iid}`, change)
    expect(answer.status).toBe(200)
  }
  return fixture.systemNotes(issue)
}

async function milestone(owner: string, title: string): Promise<Json> {
  const { token } = fixture.owner
  const answer = await fixture.server.inject('POST', `/${owner}/milestones`, {
    token,
    body: { title },
  })
  return answer.body
}

describe('PUT /projects/:id/issues/:issue_iid', () => {
  it('writes system notes on changed titles and descriptions', async () => {
    expect(await systemNotesOn({ title: 'Fix the bug' }, { title: 'Fix a bug' })).toEqual([
      'changed title from **Fix {-the-} bug** to **Fix {+a+} bug**',
    ])
    expect(await systemNotesOn({ description: 'a' }, { description: 'b' })).toEqual([
      'changed the description',
    ])
  })

  it('writes one system note if many tasks are ticked', async () => {
    const tasks = (box: string, count: number) => `- [${box}] a\n`.repeat(count)
    const many = await systemNotesOn(
      { description: tasks(' ', 21) },
      { description: tasks('x', 21) },
    )
    expect(many).toEqual(['changed the description'])
    const few = await systemNotesOn(
      { description: tasks(' ', 20) },
      { description: tasks('x', 20) },
    )
    expect(few).toHaveLength(20)
  })

  it('writes system notes on ticked tasks instead of the description', async () => {
    const before = '- [ ] wash\n- [x] dry'
    expect(
      await systemNotesOn({ description: before }, { description: '- [x] wash\n- [ ] dry' }),
    ).toEqual(['marked the task **wash** as completed', 'marked the task **dry** as incomplete'])
  })

  it('writes system notes on changed assignees', async () => {
    const { developer: a, guest: b, owner: c } = fixture
    const people = (...users: { id: number }[]) => ({ assignee_ids: users.map(({ id }) => id) })
    expect(
      await systemNotesOn(people(a), people(b, c), people(a, b, c), { assignee_ids: [] }),
    ).toEqual([
      `assigned to @${b.username} and @${c.username} and unassigned @${a.username}`,
      `assigned to @${a.username}`,
      `unassigned @${a.username}, @${b.username}, and @${c.username}`,
    ])
  })

  it('writes system notes on milestones of the project and of the group', async () => {
    const own = await milestone(`projects/${fixture.project.id}`, 'own')
    const shared = await milestone(`groups/${fixture.group.id}`, 'of the group')
    expect(
      await systemNotesOn(
        {},
        { milestone_id: own.id },
        { milestone_id: shared.id },
        { milestone_id: 0 },
      ),
    ).toEqual([
      `changed milestone to %${own.iid}`,
      'changed milestone to %"of the group"',
      'removed milestone',
    ])
  })

  it('writes system notes on due dates, weights, confidentiality and locks', async () => {
    expect(
      await systemNotesOn(
        {},
        { due_date: '2016-03-11' },
        { due_date: '' },
        { weight: 5 },
        { weight: '' },
        { confidential: true },
        { confidential: false },
        { discussion_locked: true },
        { discussion_locked: false },
      ),
    ).toEqual([
      'changed due date to March 11, 2016',
      'removed due date',
      'changed weight to **5**',
      'removed the weight',
      'made the issue confidential',
      'made the issue visible to everyone',
      'locked this issue',
      'unlocked this issue',
    ])
  })

  it('writes system notes as the user who makes the change, and does not count them as comments', async () => {
    const issue = await fixture.open()
    const changed = await fixture.call('PUT', `/${issue.iid}`, { weight: 1 }, fixture.developer)
    expect(changed.body.user_notes_count).toBe(0)
    const path = `/projects/${fixture.project.id}/issues/${issue.iid}/notes`
    const { body } = await fixture.server.inject('GET', path, { token: fixture.guest.token })
    expect(body).toMatchObject([{ author: { id: fixture.developer.id }, system: true }])
  })

  it('writes label events instead of system notes', async () => {
    expect(await systemNotesOn({ labels: 'a' }, { labels: 'b' })).toEqual([])
  })

  it('writes one system note for two concurrent calls with the same change', async () => {
    const issue = await fixture.open()
    await Promise.all(
      Array.from({ length: 4 }, () => fixture.call('PUT', `/${issue.iid}`, { confidential: true })),
    )
    expect(await fixture.systemNotes(issue)).toEqual(['made the issue confidential'])
  })
})

describe('todos of PUT /projects/:id/issues/:issue_iid', () => {
  const todosOf = async ({ token }: { token: string }, issue: Json, state = 'pending') => {
    const { body } = await fixture.server.inject('GET', `/todos?state=${state}`, { token })
    return body
      .filter((todo: Json) => todo.target.id === issue.id)
      .map((todo: Json) => todo.action_name)
  }

  it.each([
    ['title', { title: 'New' }],
    ['description', { description: 'New' }],
    ['assignee_ids', { assignee_ids: [] }],
    ['labels', { labels: 'new' }],
  ])('marks those of the caller as done with a new %s', async (_, change) => {
    const { developer, reporter } = fixture
    const issue = await fixture.open({ assignee_ids: [developer.id, reporter.id] })
    await fixture.call('PUT', `/${issue.iid}`, change, developer)
    expect(await todosOf(developer, issue)).toEqual([])
    expect(await todosOf(developer, issue, 'done')).toEqual(['assigned'])
    expect(await todosOf(reporter, issue)).toEqual(['assigned'])
  })

  it('keeps them with a new due date', async () => {
    const { developer } = fixture
    const issue = await fixture.open({ assignee_ids: [developer.id] })
    await fixture.call('PUT', `/${issue.iid}`, { due_date: '2030-01-01' }, developer)
    expect(await todosOf(developer, issue)).toEqual(['assigned'])
  })

  it('adds todos for new assignees, the caller included, and for newly mentioned users', async () => {
    const { developer, guest, owner, reporter } = fixture
    const issue = await fixture.open({ description: `@${owner.username}` })
    await fixture.call('PUT', `/${issue.iid}`, {
      assignee_ids: [reporter.id, developer.id],
      description: `@${owner.username} and @${guest.username}`,
    })
    expect(await todosOf(reporter, issue)).toEqual(['assigned'])
    expect(await todosOf(developer, issue)).toEqual(['assigned'])
    expect(await todosOf(guest, issue)).toEqual(['mentioned'])
    expect(await todosOf(owner, issue)).toEqual(['directly_addressed'])
  })
})
