import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../../testing/test-server.ts'
import { buildIssueWorld, type IssueWorld } from '../../testing/worlds/issues.ts'

let world: IssueWorld

beforeAll(async () => {
  world = await buildIssueWorld()
})
afterAll(() => world.server.close())

async function remarksOn(before: object, ...changes: object[]): Promise<string[]> {
  const issue = await world.open(before)
  for (const change of changes) {
    const answer = await world.call('PUT', `/${issue.iid}`, change)
    expect(answer.status).toBe(200)
  }
  return world.remarks(issue)
}

async function milestone(owner: string, title: string): Promise<Json> {
  const { token } = world.owner
  const answer = await world.server.inject('POST', `/${owner}/milestones`, {
    token,
    body: { title },
  })
  return answer.body
}

describe('PUT /projects/:id/issues/:issue_iid', () => {
  it('remarks on titles and descriptions', async () => {
    expect(await remarksOn({ title: 'Fix the bug' }, { title: 'Fix a bug' })).toEqual([
      'changed title from **Fix {-the-} bug** to **Fix {+a+} bug**',
    ])
    expect(await remarksOn({ description: 'a' }, { description: 'b' })).toEqual([
      'changed the description',
    ])
  })

  it('remarks once on more ticked tasks than anybody would read', async () => {
    const tasks = (box: string, count: number) => `- [${box}] a\n`.repeat(count)
    const many = await remarksOn({ description: tasks(' ', 21) }, { description: tasks('x', 21) })
    expect(many).toEqual(['changed the description'])
    const few = await remarksOn({ description: tasks(' ', 20) }, { description: tasks('x', 20) })
    expect(few).toHaveLength(20)
  })

  it('remarks on tasks that are ticked in place of the description', async () => {
    const before = '- [ ] wash\n- [x] dry'
    expect(
      await remarksOn({ description: before }, { description: '- [x] wash\n- [ ] dry' }),
    ).toEqual(['marked the task **wash** as completed', 'marked the task **dry** as incomplete'])
  })

  it('remarks on assignees', async () => {
    const { developer: a, guest: b, owner: c } = world
    const people = (...users: { id: number }[]) => ({ assignee_ids: users.map(({ id }) => id) })
    expect(await remarksOn(people(a), people(b, c), people(a, b, c), { assignee_ids: [] })).toEqual(
      [
        `assigned to @${b.username} and @${c.username} and unassigned @${a.username}`,
        `assigned to @${a.username}`,
        `unassigned @${a.username}, @${b.username}, and @${c.username}`,
      ],
    )
  })

  it('remarks on milestones of the project and of the group', async () => {
    const own = await milestone(`projects/${world.project.id}`, 'own')
    const shared = await milestone(`groups/${world.group.id}`, 'of the group')
    expect(
      await remarksOn(
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

  it('remarks on the rest', async () => {
    expect(
      await remarksOn(
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

  it('remarks in the name of who makes the change, and does not count that as a comment', async () => {
    const issue = await world.open()
    const changed = await world.call('PUT', `/${issue.iid}`, { weight: 1 }, world.developer)
    expect(changed.body.user_notes_count).toBe(0)
    const path = `/projects/${world.project.id}/issues/${issue.iid}/notes`
    const { body } = await world.server.inject('GET', path, { token: world.guest.token })
    expect(body).toMatchObject([{ author: { id: world.developer.id }, system: true }])
  })

  it('writes label events in place of remarks', async () => {
    expect(await remarksOn({ labels: 'a' }, { labels: 'b' })).toEqual([])
  })

  it('remarks once where two make the same change at once', async () => {
    const issue = await world.open()
    await Promise.all(
      Array.from({ length: 4 }, () => world.call('PUT', `/${issue.iid}`, { confidential: true })),
    )
    expect(await world.remarks(issue)).toEqual(['made the issue confidential'])
  })
})

describe('todos of PUT /projects/:id/issues/:issue_iid', () => {
  const todosOf = async ({ token }: { token: string }, issue: Json, state = 'pending') => {
    const { body } = await world.server.inject('GET', `/todos?state=${state}`, { token })
    return body
      .filter((todo: Json) => todo.target.id === issue.id)
      .map((todo: Json) => todo.action_name)
  }

  it.each([
    ['title', { title: 'New' }],
    ['description', { description: 'New' }],
    ['assignee_ids', { assignee_ids: [] }],
    ['labels', { labels: 'new' }],
  ])('sets those of the actor done with a new %s', async (_, change) => {
    const { developer, reporter } = world
    const issue = await world.open({ assignee_ids: [developer.id, reporter.id] })
    await world.call('PUT', `/${issue.iid}`, change, developer)
    expect(await todosOf(developer, issue)).toEqual([])
    expect(await todosOf(developer, issue, 'done')).toEqual(['assigned'])
    expect(await todosOf(reporter, issue)).toEqual(['assigned'])
  })

  it('leaves them with a new due date', async () => {
    const { developer } = world
    const issue = await world.open({ assignee_ids: [developer.id] })
    await world.call('PUT', `/${issue.iid}`, { due_date: '2030-01-01' }, developer)
    expect(await todosOf(developer, issue)).toEqual(['assigned'])
  })

  it('gives one to new assignees, also oneself, and to who is newly named', async () => {
    const { developer, guest, owner, reporter } = world
    const issue = await world.open({ description: `@${owner.username}` })
    await world.call('PUT', `/${issue.iid}`, {
      assignee_ids: [reporter.id, developer.id],
      description: `@${owner.username} and @${guest.username}`,
    })
    expect(await todosOf(reporter, issue)).toEqual(['assigned'])
    expect(await todosOf(developer, issue)).toEqual(['assigned'])
    expect(await todosOf(guest, issue)).toEqual(['mentioned'])
    expect(await todosOf(owner, issue)).toEqual(['directly_addressed'])
  })
})
