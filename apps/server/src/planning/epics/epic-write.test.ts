import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildEpicFixture, type EpicFixture } from '../../testing/fixtures/epics.ts'
import type { Json } from '../../testing/test-server.ts'

// Document 3, Epics: POST with `title`, `description`, `labels`, fixed dates and `parent_id`; PUT with
// `state_event`; GET of one. Document 1, Epic: the shape, with the fields of dates for those who may
// edit. Catalogue: notes `closed`, `reopened`, of titles, descriptions, tasks and dates; labels by
// events; unknown labels become labels of the group.

let fixture: EpicFixture
beforeAll(async () => {
  fixture = await buildEpicFixture()
})
afterAll(() => fixture.server.close())

const dates = {
  start_date_is_fixed: true,
  start_date_fixed: '2018-08-20',
  due_date_is_fixed: true,
  due_date_fixed: '2018-09-01',
}

describe('POST /groups/:id/epics', () => {
  it('creates an epic in its whole shape', async () => {
    const { group, reporter, open, call, guest } = fixture
    const epic = await open({ title: ' Ship ', description: 'All of it', labels: 'b,a', ...dates })
    expect(epic).toEqual({
      id: expect.any(Number),
      iid: expect.any(Number),
      group_id: group.id,
      parent_id: null,
      title: 'Ship',
      description: 'All of it',
      state: 'opened',
      author: expect.objectContaining({ id: reporter.id, username: reporter.username }),
      start_date: '2018-08-20',
      end_date: '2018-09-01',
      due_date: '2018-09-01',
      labels: ['a', 'b'],
      upvotes: 0,
      downvotes: 0,
      web_url: expect.stringMatching(new RegExp(`/groups/${group.full_path}/-/epics/${epic.iid}$`)),
      created_at: expect.stringMatching(/Z$/),
      updated_at: epic.created_at,
      closed_at: null,
      start_date_from_milestones: null,
      due_date_from_milestones: null,
      ...dates,
    })
    const below = {
      descendant_counts: expect.any(Object),
      descendant_weight_sum: expect.any(Object),
    }
    expect((await call('GET', `/${epic.iid}`)).body).toEqual({ ...epic, ...below })
    const { body: seen } = await call('GET', `/${epic.iid}`, undefined, guest)
    const hidden = [...Object.keys(dates), 'start_date_from_milestones', 'due_date_from_milestones']
    for (const name of hidden) expect(seen).not.toHaveProperty(name)
    expect(seen.start_date).toBe('2018-08-20')
  })

  it('numbers the epics of each group', async () => {
    const [first, second] = [await fixture.open(), await fixture.open()]
    expect(second.iid).toBe(first.iid + 1)
    const own = await fixture.open({}, undefined, fixture.subgroup)
    expect(own.iid).toBe(1)
  })

  it('creates unknown labels in the group, and takes those of groups above', async () => {
    const { server, group, subgroup, reporter } = fixture
    const { token } = reporter
    const label = { name: 'above', color: '#ff0000' }
    await server.inject('POST', `/groups/${group.id}/labels`, { token, body: label })
    const epic = await fixture.open({ labels: ['above', 'new'] }, undefined, subgroup)
    expect(epic.labels).toEqual(['above', 'new'])
    const { body } = await server.inject('GET', `/groups/${subgroup.id}/labels`, { token })
    expect(body.map((one: Json) => one.name)).toContain('new')
    for (const id of [epic.id, epic.iid]) {
      const path = `/groups/${subgroup.id}/epics/${id}/resource_label_events`
      const { body: events } = await server.inject('GET', path, { token })
      const seen = events.map((one: Json) => [one.action, one.label.name, one.resource_type])
      expect(seen).toEqual([
        ['add', 'above', 'Epic'],
        ['add', 'new', 'Epic'],
      ])
    }
  })

  it('keeps dates that are not used', async () => {
    const epic = await fixture.open({
      start_date_fixed: '2018-08-20',
      due_date_fixed: '2018-01-01',
    })
    expect(epic).toMatchObject({
      start_date: null,
      due_date: null,
      start_date_is_fixed: false,
      start_date_fixed: '2018-08-20',
      due_date_fixed: '2018-01-01',
    })
  })

  it.each([
    [{ title: undefined }, { error: 'title is missing' }],
    [{ title: '  ' }, { message: { title: ["can't be blank"] } }],
    [
      { title: 'x'.repeat(256) },
      { message: { title: ['is too long (maximum is 255 characters)'] } },
    ],
    [
      { description: 'x'.repeat(1_000_001) },
      { message: { description: ['is too long (maximum is 1000000 characters)'] } },
    ],
    [{ start_date_fixed: '2018-02-30' }, { error: 'start_date_fixed is invalid' }],
    [{ due_date_fixed: 'soon' }, { error: 'due_date_fixed is invalid' }],
    [{ start_date_is_fixed: 'perhaps' }, { error: 'start_date_is_fixed is invalid' }],
    [{ parent_id: 'x' }, { error: 'parent_id is invalid' }],
    [{ parent_id: 0 }, { message: { parent_id: ['is invalid'] } }],
    [{ parent_id: 999_999 }, { message: { parent_id: ['is invalid'] } }],
    [
      { ...dates, due_date_fixed: '2018-08-19' },
      { message: { due_date: ['must be greater than or equal to start date'] } },
    ],
  ])('returns 400 for %j', async (body, expected) => {
    const answer = await fixture.call('POST', '', { title: 'An epic', ...body })
    expect([answer.status, answer.body]).toEqual([400, expected])
  })

  it('takes a title of 255 characters, a description of 1,000,000 and one day', async () => {
    const texts = { title: 'x'.repeat(255), description: 'x'.repeat(1_000_000) }
    const epic = await fixture.open({ ...texts, ...dates, due_date_fixed: '2018-08-20' })
    expect(epic).toMatchObject({ ...texts, start_date: '2018-08-20', due_date: '2018-08-20' })
  })

  it('takes an epic of the group, or of one above it, as its parent', async () => {
    const { open, call, group, subgroup } = fixture
    const [above, below] = [await open(), await open({}, undefined, subgroup)]
    expect((await open({ parent_id: above.id })).parent_id).toBe(above.id)
    expect((await open({ parent_id: `${above.id}` }, undefined, subgroup)).parent_id).toBe(above.id)
    const refused = await call('POST', '', { title: 'x', parent_id: below.id }, undefined, group)
    expect(refused.status).toBe(400)
  })

  it('refuses a parent that the caller may not edit', async () => {
    const { server, open, call, subgroup } = fixture
    const parent = await open()
    const some = await server.buildUser()
    await server.addMember(`groups/${subgroup.id}`, some.id, 20)
    const answer = await call('POST', '', { title: 'x', parent_id: parent.id }, some, subgroup)
    expect([answer.status, answer.body]).toEqual([400, { message: { parent_id: ['is invalid'] } }])
    expect((await call('POST', '', { title: 'x' }, some, subgroup)).status).toBe(201)
  })

  it('executes the quick actions of the description', async () => {
    const { server, reporter } = fixture
    const epic = await fixture.open({
      description: 'Text\n/label ~quick\n/title Other\n/award :tada:\n/todo\n/spend 1h\n/close',
    })
    expect(epic).toMatchObject({ title: 'Other', state: 'closed', description: 'Text' })
    expect(epic.labels).toEqual(['quick'])
    const awards = await fixture.call('GET', `/${epic.iid}/award_emoji`)
    expect(awards.body.map((award: Json) => award.name)).toEqual(['tada'])
    const { body: todos } = await server.inject('GET', '/todos', { token: reporter.token })
    expect(todos.map((todo: Json) => todo.target.id)).toContain(epic.id)
  })

  it('mentions users and items', async () => {
    const { server, guest, open } = fixture
    const other = await open()
    const epic = await open({ description: `@${guest.username} see &${other.iid}` })
    expect(await fixture.systemNotes(other)).toEqual([`mentioned in epic &${epic.iid}`])
    const { body } = await server.inject('GET', '/todos?type=Epic', { token: guest.token })
    const todo = body.find((one: Json) => one.target.id === epic.id)
    expect(todo).toMatchObject({ action_name: 'directly_addressed', target_type: 'Epic' })
    expect(todo.target).not.toHaveProperty('start_date_fixed')
    expect(todo.group.id).toBe(fixture.group.id)
  })
})

describe('PUT /groups/:id/epics/:epic_iid', () => {
  const change = async (before: object, ...changes: object[]) => {
    const epic = await fixture.open(before)
    let last: Json = epic
    for (const body of changes) {
      const answer = await fixture.call('PUT', `/${epic.iid}`, body)
      expect(answer.status, answer.text).toBe(200)
      last = answer.body
    }
    return { epic: last, notes: await fixture.systemNotes(epic) }
  }

  it('closes and reopens with a note each, once', async () => {
    const closed = await change({}, { state_event: 'close' }, { state_event: 'close' })
    expect(closed.epic.state).toBe('closed')
    expect(closed.epic.closed_at).toMatch(/Z$/)
    expect(closed.notes).toEqual(['closed'])
    const events = [{ state_event: 'close' }, { state_event: 'reopen' }, { state_event: 'reopen' }]
    const opened = await change({}, ...events)
    expect(opened.epic).toMatchObject({ state: 'opened', closed_at: null })
    expect(opened.notes).toEqual(['closed', 'reopened'])
    expect((await change({}, { state_event: 'reopen' })).notes).toEqual([])
  })

  it('closes once for concurrent calls', async () => {
    const epic = await fixture.open()
    const close = () => fixture.call('PUT', `/${epic.iid}`, { state_event: 'close' })
    const answers = await Promise.all([close(), close(), close()])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await fixture.systemNotes(epic)).toEqual(['closed'])
  })

  it('notes changed texts, tasks and dates, and no others', async () => {
    const { notes } = await change(
      { title: 'Fix the bug', description: '- [ ] wash' },
      { title: 'Fix a bug' },
      { description: '- [x] wash' },
      { description: 'Clean' },
      { description: 'Clean', title: 'Fix a bug' },
      dates,
      dates,
      { start_date_fixed: '2018-08-21' },
      { start_date_fixed: null },
      { due_date_is_fixed: false },
    )
    expect(notes).toEqual([
      'changed title from **Fix {-the-} bug** to **Fix {+a+} bug**',
      'marked the task **wash** as completed',
      'changed the description',
      'changed start date to Aug 20, 2018',
      'changed due date to Sep 1, 2018',
      'changed start date to Aug 21, 2018',
      'removed the start date',
      'removed the due date',
    ])
  })

  it.each([null, ''])('clears a date and the description with %j', async (blank) => {
    const cleared = { start_date_fixed: blank, due_date_fixed: blank, description: blank }
    const { epic } = await change({ ...dates, description: 'Gone' }, cleared)
    expect(epic.description).toBeNull()
    expect(epic).toMatchObject({ start_date: null, due_date: null, end_date: null })
    expect(epic).toMatchObject({ start_date_is_fixed: true, start_date_fixed: null })
  })

  it('returns 400 for dates in the wrong order, also with a stored one', async () => {
    const epic = await fixture.open(dates)
    const late = await fixture.call('PUT', `/${epic.iid}`, { start_date_fixed: '2018-09-02' })
    expect([late.status, late.body]).toEqual([
      400,
      { message: { due_date: ['must be greater than or equal to start date'] } },
    ])
    const free = { start_date_fixed: '2018-09-02', due_date_is_fixed: false }
    expect((await fixture.call('PUT', `/${epic.iid}`, free)).status).toBe(200)
    const fixed = await fixture.call('PUT', `/${epic.iid}`, { due_date_is_fixed: true })
    expect(fixed.status).toBe(400)
  })

  it('replaces all labels, and clears them', async () => {
    expect((await change({ labels: 'a,b' }, { labels: ['b', 'c'] })).epic.labels).toEqual([
      'b',
      'c',
    ])
    expect((await change({ labels: 'a,b' }, { labels: '' })).epic.labels).toEqual([])
    expect((await change({ labels: 'a,b' }, { labels: [] })).notes).toEqual([])
  })

  it('keeps what is not sent, and sets updated_at', async () => {
    const epic = await fixture.open({ description: 'Kept', labels: 'a', ...dates })
    const { body } = await fixture.call('PUT', `/${epic.iid}`, { title: 'New' })
    expect(body).toEqual({ ...epic, title: 'New', updated_at: body.updated_at })
    expect(body.updated_at >= epic.updated_at).toBe(true)
  })

  it('returns 400 without anything to change, and for unknown events', async () => {
    const { iid } = await fixture.open()
    const none = await fixture.call('PUT', `/${iid}`, { parent_id: 1 })
    expect(none.body.error).toMatch(/are missing, at least one parameter must be provided$/)
    expect((await fixture.call('PUT', `/${iid}`, { state_event: 'merge' })).status).toBe(400)
    expect((await fixture.call('PUT', `/${iid}`, { title: '' })).status).toBe(400)
  })

  it('marks the pending todos of who changes it as done', async () => {
    const { server, reporter } = fixture
    const pending = async (epic: Json) => {
      const { body } = await server.inject('GET', '/todos', { token: reporter.token })
      return body.some((todo: Json) => todo.target.id === epic.id)
    }
    for (const body of [{ title: 'x' }, { state_event: 'close' }, { labels: 'x' }]) {
      const epic = await fixture.open()
      expect((await fixture.call('POST', `/${epic.iid}/todo`)).status).toBe(201)
      expect((await fixture.call('POST', `/${epic.iid}/todo`)).status).toBe(304)
      expect(await pending(epic)).toBe(true)
      await fixture.call('PUT', `/${epic.iid}`, body)
      expect(await pending(epic), JSON.stringify(body)).toBe(false)
    }
  })
})
