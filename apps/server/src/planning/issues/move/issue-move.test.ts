import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildIssueFixture, type IssueFixture } from '../../../testing/fixtures/issues.ts'
import type { Json } from '../../../testing/test-server.ts'
import { moveIssue } from '../issue-move.service.ts'

let fixture: IssueFixture
let target: Json

beforeAll(async () => {
  fixture = await buildIssueFixture()
  target = await fixture.server.buildProject({
    namespace_id: fixture.group.id,
    visibility: 'private',
  })
})
afterAll(() => fixture.server.close())

const move = ({ iid }: Json, to: unknown, as?: { token: string }) =>
  fixture.call('POST', `/${iid}/move`, { to_project_id: to }, as)

async function read(path: string): Promise<Json> {
  return (await fixture.server.inject('GET', path, { token: fixture.server.root.token })).body
}

const below = (issue: Json, path: string) =>
  read(`/projects/${issue.project_id}/issues/${issue.iid}${path}`)

describe('POST /projects/:id/issues/:issue_iid/move', () => {
  it('returns 201 with a copy of everything that belongs to the issue', async () => {
    const { server, developer, guest, owner, reporter, project, group } = fixture
    const { token } = owner
    await server.inject('POST', `/groups/${group.id}/labels`, {
      token,
      body: { name: 'shared', color: '#ff0000' },
    })
    for (const owner of [project, target]) {
      await server.inject('POST', `/projects/${owner.id}/milestones`, {
        token,
        body: { title: 'Both have it' },
      })
    }
    const [milestone] = await read(`/projects/${project.id}/milestones`)
    const issue = await fixture.open(
      {
        title: 'On its way',
        labels: 'shared,only here',
        assignee_ids: [developer.id],
        milestone_id: milestone.id,
        due_date: '2030-01-01',
        weight: 3,
        confidential: true,
        discussion_locked: false,
        description: `- [x] a\n\nfor @${reporter.username}`,
        created_at: '2015-01-01T00:00:00.000Z',
      },
      owner,
    )
    const path = `/projects/${project.id}/issues/${issue.iid}`
    await server.inject('POST', `${path}/notes`, { token, body: { body: 'A comment' } })
    await server.inject('POST', `${path}/award_emoji`, { token, body: { name: 'thumbsup' } })
    const answer = await move(issue, target.id)
    expect(answer.status).toBe(201)
    const copy = answer.body
    expect(copy).toMatchObject({
      iid: 1,
      project_id: target.id,
      title: 'On its way',
      description: issue.description,
      state: 'opened',
      created_at: '2015-01-01T00:00:00.000Z',
      author: { id: owner.id },
      assignees: [{ id: developer.id }],
      labels: ['shared'],
      due_date: '2030-01-01',
      weight: 3,
      confidential: true,
      discussion_locked: false,
      user_notes_count: 1,
      upvotes: 1,
      task_completion_status: { count: 1, completed_count: 1 },
      milestone: { title: 'Both have it', project_id: target.id },
    })
    expect(copy.id).not.toBe(issue.id)
    expect((await below(copy, '/award_emoji')).length).toBe(1)
    expect((await below(copy, '/resource_label_events')).length).toBe(2)
    const source = await below(issue, '')
    expect(source).toMatchObject({ state: 'closed', closed_by: { id: reporter.id } })
    const reference = (at: Json, { iid }: Json) => `${at.path_with_namespace}#${iid}`
    expect(await fixture.systemNotes(issue)).toEqual([
      'changed milestone to %1',
      'changed due date to January 1, 2030',
      `moved to ${reference(target, copy)}`,
    ])
    expect(await fixture.systemNotes(copy)).toEqual([
      `changed milestone to ${project.path_with_namespace}%1`,
      'changed due date to January 1, 2030',
      `moved from ${reference(project, issue)}`,
    ])
    expect((await fixture.activity(target)).at(-1)).toBe('opened Issue 1')
    expect((await fixture.activity()).at(-1)).toBe(`closed Issue ${issue.iid}`)
    expect((await below(copy, '/participants')).map(({ id }: Json) => id)).toContain(reporter.id)
    expect(guest.id).toBeGreaterThan(0)
  })

  it('rewrites references in description and notes, and nothing else', async () => {
    const { server, project, owner, stranger } = fixture
    const other = await fixture.open()
    const neighbour = await server.buildProject({
      namespace_id: fixture.group.id,
      path: 'next-admitted',
    })
    await fixture.open({}, server.root, neighbour)
    await server.inject('POST', `/projects/${project.id}/labels`, {
      token: owner.token,
      body: { name: 'known', color: '#ff0000' },
    })
    const text = `#${other.iid} next-admitted#1 #4711 ~known ~unknown @${stranger.username} 5$ \`#${other.iid}\` ${other.web_url}`
    const full = project.path_with_namespace
    const moved = `${full}#${other.iid} ${neighbour.path_with_namespace}#1 #4711 ${full}~known ~unknown @${stranger.username} 5$ \`#${other.iid}\` ${other.web_url}`
    const issue = await fixture.open({ description: text })
    const path = `/projects/${project.id}/issues/${issue.iid}/notes`
    await server.inject('POST', path, { token: owner.token, body: { body: `Note: ${text}` } })
    const copy = (await move(issue, target.id)).body
    expect(copy.description).toBe(moved)
    const notes = await below(copy, '/notes?sort=asc')
    expect(notes[0].body).toBe(`Note: ${moved}`)
    expect(notes[0].author.id).toBe(owner.id)
  })

  it('keeps threads together', async () => {
    const { server, project, owner } = fixture
    const issue = await fixture.open()
    const path = `/projects/${project.id}/issues/${issue.iid}/discussions`
    const { token } = owner
    const thread = await server.inject('POST', path, { token, body: { body: 'One' } })
    const reply = { body: { body: 'Two' }, token }
    await server.inject('POST', `${path}/${thread.body.id}/notes`, reply)
    const copy = (await move(issue, target.id)).body
    const discussions = await below(copy, '/discussions')
    expect(discussions[0].notes.map((note: Json) => note.body)).toEqual(['One', 'Two'])
    expect(discussions[0].id).not.toBe(thread.body.id)
  })

  it('hides the system notes on the target and on mentions from users who cannot see them', async () => {
    const { server, project, owner, guest, stranger } = fixture
    const issue = await fixture.open()
    const secret = await fixture.open({ confidential: true, description: `See #${issue.iid}` })
    const open = await server.buildProject({ namespace_id: fixture.group.id, visibility: 'public' })
    const there = (await move(issue, target.id, owner)).body
    const back = await fixture.call(
      'POST',
      `/${there.iid}/move`,
      { to_project_id: open.id },
      owner,
      target,
    )
    const systemNotesFor = async (of: Json, { token }: { token: string }): Promise<string[]> => {
      const path = `/projects/${of.project_id}/issues/${of.iid}/notes?sort=asc`
      return (await server.inject('GET', path, { token })).body.map((note: Json) => note.body)
    }
    const full = project.path_with_namespace
    const movedTo = `moved to ${target.path_with_namespace}#${there.iid}`
    expect(await systemNotesFor(issue, stranger)).toEqual([])
    expect(await systemNotesFor(issue, guest)).toEqual([movedTo])
    expect(await systemNotesFor(issue, owner)).toEqual([
      `mentioned in issue #${secret.iid}`,
      movedTo,
    ])
    expect(await systemNotesFor(back.body, stranger)).toEqual([`moved from ${full}#${issue.iid}`])
    expect((await systemNotesFor(back.body, owner)).length).toBe(3)
  })

  it('hides system notes that now name the source project from users who cannot see it', async () => {
    const { server, developer, stranger } = fixture
    const { token } = server.root
    const left = await server.buildProject({ visibility: 'private' })
    const open = await server.buildProject({ visibility: 'public' })
    const local = await server.buildUser()
    for (const user of [developer, local])
      await server.addMember(`projects/${open.id}`, user.id, 30)
    await server.addMember(`projects/${left.id}`, developer.id, 30)
    const body = { title: 'Of the left' }
    const to = `/projects/${left.id}/milestones`
    const { id } = (await server.inject('POST', to, { token, body })).body
    const values = { milestone_id: id, due_date: '2030-01-01' }
    const issue = await fixture.open(values, server.root, left)
    const path = `/${issue.iid}/move`
    const moving = { to_project_id: open.id }
    const copy = (await fixture.call('POST', path, moving, developer, left)).body
    const notesVisibleTo = async (user: { token: string }) => {
      const notes = `/projects/${open.id}/issues/${copy.iid}/notes?sort=asc`
      const answer = await server.inject('GET', notes, { token: user.token })
      return [answer.headers['x-total'], ...answer.body.map((note: Json) => note.body)]
    }
    const full = left.path_with_namespace
    const due = 'changed due date to January 1, 2030'
    const expected = [`changed milestone to ${full}%1`, due, `moved from ${full}#${issue.iid}`]
    expect(await notesVisibleTo(stranger)).toEqual(['1', due])
    expect(await notesVisibleTo(local)).toEqual(['1', due])
    expect(await notesVisibleTo(developer)).toEqual(['3', ...expected])
  })

  it('keeps a closed issue closed, without another event', async () => {
    const issue = await fixture.open()
    await fixture.call('PUT', `/${issue.iid}`, { state_event: 'close' }, fixture.developer)
    const { body } = await move(issue, target.id)
    expect(body).toMatchObject({ state: 'closed', closed_by: { id: fixture.developer.id } })
    const closings = (await fixture.activity()).filter(
      (line) => line === `closed Issue ${issue.iid}`,
    )
    expect(closings.length).toBe(1)
  })

  it('returns 400 for the same project, a second move, and callers below Reporter in either project', async () => {
    const insufficient = { message: 'Cannot move issue due to insufficient permissions!' }
    const issue = await fixture.open({}, fixture.guest)
    const same = await move(issue, fixture.project.id)
    expect([same.status, same.body.message]).toEqual([
      400,
      'Cannot move issue to project it originates from!',
    ])
    const byGuest = await move(issue, target.id, fixture.guest)
    expect([byGuest.status, byGuest.body]).toEqual([400, insufficient])
    const elsewhere = await fixture.server.buildProject({ visibility: 'public' })
    const stranger = await move(issue, elsewhere.id)
    expect([stranger.status, stranger.body]).toEqual([400, insufficient])
    expect((await move(issue, target.id)).status).toBe(201)
    const again = await move(issue, target.id)
    expect([again.status, again.body]).toEqual([400, insufficient])
  })

  it('moves once for two concurrent calls', async () => {
    const issue = await fixture.open()
    const answers = await Promise.all([1, 2, 3].map(() => move(issue, target.id)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400, 400])
    const other = await fixture.open()
    const { caller, item } = await fixture.read(other)
    expect((await move(other, target.id)).status).toBe(201)
    await expect(moveIssue(fixture.server.app, caller, item, target.id)).rejects.toMatchObject({
      code: 'bad_request',
    })
  })

  it('returns 404 for a hidden or unknown project, 400 without one', async () => {
    const issue = await fixture.open({ confidential: true })
    const hidden = await fixture.server.buildProject()
    expect((await move(issue, hidden.id)).body).toEqual({ message: '404 Project Not Found' })
    expect((await move(issue, 4_711_000)).body).toEqual({ message: '404 Project Not Found' })
    expect((await move({ iid: 4711 }, target.id)).body).toEqual({ message: '404 Issue Not Found' })
    expect((await move(issue, target.id, fixture.guest)).body).toEqual({
      message: '404 Issue Not Found',
    })
    expect((await move(issue, undefined)).body).toEqual({ error: 'to_project_id is missing' })
    expect((await move(issue, 'x')).body).toEqual({ error: 'to_project_id is invalid' })
  })

  it('returns 403 if the source project is archived, 400 if the target is', async () => {
    const { server } = fixture
    const { token } = server.root
    const origin = await server.buildProject()
    const issue = await fixture.open({}, server.root, origin)
    const closed = await server.buildProject()
    await server.inject('POST', `/projects/${closed.id}/archive`, { token })
    const from = (to: Json) =>
      fixture.call('POST', `/${issue.iid}/move`, { to_project_id: to.id }, server.root, origin)
    expect((await from(closed)).status).toBe(400)
    await server.inject('POST', `/projects/${origin.id}/archive`, { token })
    expect((await from(target)).status).toBe(403)
  })

  it('drops assignees who cannot read the copy', async () => {
    const { server, stranger, reporter } = fixture
    await server.addMember(`projects/${fixture.project.id}`, stranger.id, 20)
    const issue = await fixture.open({ assignee_ids: [stranger.id, reporter.id] })
    expect(issue.assignees.length).toBe(2)
    expect((await move(issue, target.id)).body.assignees).toMatchObject([{ id: reporter.id }])
  })
})
