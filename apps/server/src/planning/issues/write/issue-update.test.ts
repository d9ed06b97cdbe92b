import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildIssueFixture, type IssueFixture } from '../../../testing/fixtures/issues.ts'
import type { Json } from '../../../testing/test-server.ts'
import { updateIssue } from '../issue-update.service.ts'

let fixture: IssueFixture

beforeAll(async () => {
  fixture = await buildIssueFixture()
})
afterAll(() => fixture.server.close())

const put = ({ iid }: Json, body: object, as?: { token: string }) =>
  fixture.call('PUT', `/${iid}`, body, as)

const parameters =
  'assignee_id, assignee_ids, confidential, created_at, description, discussion_locked, due_date, labels, milestone_id, state_event, title, weight'

describe('PUT /projects/:id/issues/:issue_iid', () => {
  it('changes what is sent and nothing else', async () => {
    const { developer } = fixture
    const issue = await fixture.open({ description: 'text', labels: 'a,b', weight: 1 })
    fixture.server.advance(5000)
    const { status, body } = await put(issue, {
      title: ' New ',
      assignee_ids: [developer.id],
      due_date: '2030-01-31',
      weight: 0,
    })
    expect(status).toBe(200)
    expect(body).toEqual({
      ...issue,
      title: 'New',
      assignees: [expect.objectContaining({ id: developer.id })],
      assignee: expect.objectContaining({ id: developer.id }),
      due_date: '2030-01-31',
      weight: 0,
      updated_at: expect.any(String),
    })
    expect(body.updated_at > issue.updated_at).toBe(true)
    expect((await fixture.call('GET', `/${issue.iid}`)).body).toEqual(body)
  })

  it('keeps the day of a due date that is a timestamp', async () => {
    const issue = await fixture.open({ due_date: '2026-03-05T00:00:00Z' })
    expect(issue.due_date).toBe('2026-03-05')
    const { body } = await put(issue, { due_date: '2026-03-06T22:00:00+02:00' })
    expect(body.due_date).toBe('2026-03-06')
    expect((await put(issue, { due_date: '2026-03-06T25:00:00Z' })).status).toBe(400)
  })

  it('clears settings with empty values, null and 0', async () => {
    const { developer, owner, server, project } = fixture
    const milestone = await server.inject('POST', `/projects/${project.id}/milestones`, {
      token: owner.token,
      body: { title: 'to clear' },
    })
    const all = {
      assignee_ids: [developer.id],
      milestone_id: milestone.body.id,
      labels: 'a',
      due_date: '2030-01-01',
      weight: 3,
      description: 'text',
    }
    for (const body of [
      {
        assignee_ids: [],
        milestone_id: 0,
        labels: '',
        due_date: '',
        weight: '',
        description: '',
      },
      {
        assignee_id: 0,
        milestone_id: '',
        labels: [],
        due_date: null,
        weight: null,
        description: null,
      },
      { assignee_ids: [0], milestone_id: null, labels: [''], due_date: null, weight: '' },
    ]) {
      const issue = await fixture.open(all)
      expect(issue).toMatchObject({ milestone: { title: 'to clear' }, weight: 3, labels: ['a'] })
      const answer = await put(issue, body)
      expect(answer.body).toMatchObject({
        assignees: [],
        assignee: null,
        milestone: null,
        labels: [],
        due_date: null,
        weight: null,
        description: 'description' in body ? '' : 'text',
      })
    }
  })

  it('replaces all labels, and creates unknown ones', async () => {
    const issue = await fixture.open({ labels: 'a,b' })
    expect((await put(issue, { labels: 'c , b' })).body.labels).toEqual(['b', 'c'])
    expect((await put(issue, { labels: ['d'] })).body.labels).toEqual(['d'])
    expect((await put(issue, { title: 'x' })).body.labels).toEqual(['d'])
  })

  it('changes updated_at if only labels change', async () => {
    const issue = await fixture.open({ labels: 'a' })
    fixture.server.advance(5000)
    const { body } = await put(issue, { labels: 'b' })
    expect(body.updated_at > issue.updated_at).toBe(true)
  })

  it('changes nothing if all values are the same', async () => {
    const { developer } = fixture
    const issue = await fixture.open({ labels: 'a', assignee_ids: [developer.id] })
    fixture.server.advance(5000)
    const { status, body } = await put(issue, {
      title: issue.title,
      labels: 'a',
      assignee_ids: [developer.id],
      confidential: false,
      discussion_locked: false,
      state_event: 'reopen',
    })
    expect(status).toBe(200)
    expect(body).toEqual(issue)
    expect(await fixture.systemNotes(issue)).toEqual([])
  })

  it('drops assignees who cannot read it, and ignores the parameter if none is left', async () => {
    const { developer, guest, stranger } = fixture
    const issue = await fixture.open({ confidential: true, assignee_ids: [developer.id] })
    const both = await put(issue, { assignee_ids: [stranger.id, fixture.owner.id] })
    expect(both.body.assignees).toMatchObject([{ id: fixture.owner.id }])
    const none = await put(issue, { assignee_ids: [stranger.id, guest.id] })
    expect(none.body.assignees).toMatchObject([{ id: fixture.owner.id }])
  })

  it('keeps quick actions in the description as text', async () => {
    const issue = await fixture.open()
    const { body } = await put(issue, { description: 'a\n/close' })
    expect(body).toMatchObject({ description: 'a\n/close', state: 'opened' })
  })

  it('lets author and assignees with Guest access change texts, state and confidentiality only', async () => {
    const { guest, stranger } = fixture
    const own = await fixture.open({}, stranger)
    const assigned = await fixture.open({ assignee_ids: [guest.id], labels: 'kept' })
    for (const [issue, who] of [
      [own, stranger],
      [assigned, guest],
    ] as const) {
      const { status, body } = await put(
        issue,
        {
          title: 'Changed',
          confidential: true,
          description: 'text',
          labels: 'not this',
          weight: 9,
          due_date: '2030-01-01',
          discussion_locked: true,
          assignee_ids: [],
          state_event: 'close',
        },
        who,
      )
      expect(status).toBe(200)
      expect(body).toMatchObject({
        title: 'Changed',
        confidential: true,
        description: 'text',
        state: 'closed',
        labels: issue.labels,
        weight: null,
        due_date: null,
        discussion_locked: null,
        assignees: issue.assignees,
      })
    }
  })

  it('returns 403 to others, also for a confidential issue that they cannot read', async () => {
    const { guest, stranger } = fixture
    const issue = await fixture.open()
    const secret = await fixture.open({ confidential: true })
    for (const who of [guest, stranger]) {
      expect((await put(issue, { title: 'x' }, who)).status).toBe(403)
      expect((await put(secret, { title: 'x' }, who)).status).toBe(403)
    }
    const path = `/projects/${fixture.project.id}/issues/${issue.iid}`
    expect((await fixture.server.inject('PUT', path, { body: { title: 'x' } })).status).toBe(401)
    expect((await put({ iid: 4711 }, { title: 'x' })).body).toEqual({
      message: '404 Issue Not Found',
    })
  })

  it('returns 403 in an archived project, to owners and administrators too', async () => {
    const { server } = fixture
    const project = await server.buildProject()
    const issue = await fixture.open({}, server.root, project)
    await server.inject('POST', `/projects/${project.id}/archive`, { token: server.root.token })
    const path = `/${issue.iid}`
    const answer = await fixture.call('PUT', path, { title: 'x' }, server.root, project)
    expect(answer.status).toBe(403)
    expect((await fixture.call('GET', path, undefined, server.root, project)).body.title).toBe(
      issue.title,
    )
  })

  it.each([
    [{}, { error: `${parameters} are missing, at least one parameter must be provided` }],
    [
      { updated_at: '2019-01-01T00:00:00Z' },
      { error: `${parameters} are missing, at least one parameter must be provided` },
    ],
    [{ title: ' ' }, { message: { title: ["can't be blank"] } }],
    [{ title: 'x'.repeat(256) }, { message: { title: [expect.stringContaining('255')] } }],
    [
      { description: 'x'.repeat(1_000_001) },
      { message: { description: [expect.stringContaining('1000000')] } },
    ],
    [{ state_event: 'destroy' }, { error: 'state_event does not have a valid value' }],
    [{ confidential: 'maybe' }, { error: 'confidential is invalid' }],
    [{ due_date: '2019-13-01' }, { error: 'due_date is invalid' }],
    [{ weight: -1 }, { error: 'weight does not have a valid value' }],
  ])('answers 400 for %j', async (body, expected) => {
    const issue = await fixture.open()
    const answer = await put(issue, body)
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual(expected)
    expect((await fixture.call('GET', `/${issue.iid}`)).body).toEqual(issue)
  })

  it('accepts updated_at from owners only, also as the time of system notes and closed_at', async () => {
    const { owner, maintainer, server } = fixture
    const at = '2010-02-03T04:05:06.789Z'
    const body = { title: 'New', state_event: 'close', updated_at: at }
    const issue = await fixture.open()
    const dated = await put(issue, body, owner)
    expect(dated.body).toMatchObject({ updated_at: at, closed_at: at, title: 'New' })
    const path = `/projects/${fixture.project.id}/issues/${issue.iid}/notes`
    const notes = await server.inject('GET', path, { token: owner.token })
    expect(notes.body.map((note: Json) => note.created_at)).toEqual([at, at])
    const other = await put(await fixture.open(), body, maintainer)
    expect(other.body.updated_at > '2020').toBe(true)
  })

  it('returns 409 to concurrent changes of the title that would overwrite each other', async () => {
    const issue = await fixture.open()
    const answers = await Promise.all(
      ['one', 'two', 'three', 'four'].map((title) => put(issue, { title })),
    )
    const won = answers.filter(({ status }) => status === 200)
    const lost = answers.filter(({ status }) => status === 409)
    expect(won.length + lost.length).toBe(4)
    expect(won.length).toBeGreaterThan(0)
    for (const { body } of lost) expect(body).toEqual({ message: '409 Conflict: Resource lock' })
    expect((await fixture.systemNotes(issue)).length).toBe(won.length)
  })

  it('returns 409 for a text that would overwrite a newer one, and accepts changes of other settings', async () => {
    const { app } = fixture.server
    const issue = await fixture.open({ description: 'old' })
    const { caller, item } = await fixture.read(issue)
    await put(issue, { description: 'newer' })
    for (const change of [{ title: 'x' }, { description: 'x' }]) {
      await expect(updateIssue(app, caller, item, change)).rejects.toMatchObject({
        code: 'conflict',
      })
    }
    const changed = await updateIssue(app, caller, item, { weight: 3 })
    expect(changed.row).toMatchObject({ weight: 3, description: 'newer' })
  })

  it('keeps concurrent changes of different settings', async () => {
    const { developer } = fixture
    const issue = await fixture.open({ labels: 'a' })
    const answers = await Promise.all([
      put(issue, { due_date: '2030-01-01' }),
      put(issue, { weight: 4 }),
      put(issue, { assignee_ids: [developer.id] }),
      put(issue, { labels: 'b' }),
      put(issue, { title: 'Title' }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect((await fixture.call('GET', `/${issue.iid}`)).body).toMatchObject({
      due_date: '2030-01-01',
      weight: 4,
      assignees: [{ id: developer.id }],
      labels: ['b'],
      title: 'Title',
    })
  })
})
