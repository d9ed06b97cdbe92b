import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildIssueFixture, type IssueFixture } from '../../../testing/fixtures/issues.ts'
import { buildTestServer } from '../../../testing/test-server.ts'

let fixture: IssueFixture

beforeAll(async () => {
  fixture = await buildIssueFixture()
})
afterAll(() => fixture.server.close())

const post = (body: object, as?: { token: string }) => fixture.call('POST', '', body, as)

describe('POST /projects/:id/issues', () => {
  it('returns 201 with the whole issue', async () => {
    const { project, reporter, server } = fixture
    const answer = await post({ title: '  First <b>issue</b>  ' })
    const { body } = answer
    expect(answer.status).toBe(201)
    const self = `http://stithy.test/api/v4/projects/${project.id}/issues/${body.iid}`
    expect(body).toEqual({
      id: expect.any(Number),
      iid: expect.any(Number),
      project_id: project.id,
      title: 'First <b>issue</b>',
      description: null,
      state: 'opened',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: body.created_at,
      closed_at: null,
      closed_by: null,
      labels: [],
      milestone: null,
      assignees: [],
      author: expect.objectContaining({ id: reporter.id, username: reporter.username }),
      assignee: null,
      user_notes_count: 0,
      merge_requests_count: 0,
      upvotes: 0,
      downvotes: 0,
      due_date: null,
      confidential: false,
      discussion_locked: null,
      web_url: `${project.web_url}/issues/${body.iid}`,
      time_stats: {
        time_estimate: 0,
        total_time_spent: 0,
        human_time_estimate: null,
        human_total_time_spent: null,
      },
      task_completion_status: { count: 0, completed_count: 0 },
      weight: null,
      has_tasks: false,
      _links: {
        self,
        notes: `${self}/notes`,
        award_emoji: `${self}/award_emoji`,
        project: `http://stithy.test/api/v4/projects/${project.id}`,
      },
      subscribed: true,
    })
    const single = await server.inject('GET', `/projects/${project.id}/issues/${body.iid}`, {
      token: reporter.token,
    })
    expect(single.body).toEqual(body)
  })

  it('numbers issues from 1 in each project, without gaps, also concurrently', async () => {
    const { root } = fixture.server
    const project = await fixture.server.buildProject()
    await fixture.call('POST', '', { title: '' }, root, project)
    const made = await Promise.all(Array.from({ length: 8 }, () => fixture.open({}, root, project)))
    expect(made.map(({ iid }) => iid).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  })

  it('stores every setting that a reporter may set', async () => {
    const { project, group, developer, guest, maintainer, server } = fixture
    const token = maintainer.token
    const path = `/projects/${project.id}`
    await server.inject('POST', `/groups/${group.id}/labels`, {
      token,
      body: { name: 'of the group', color: '#00ff00' },
    })
    const milestone = await server.inject('POST', `/groups/${group.id}/milestones`, {
      token,
      body: { title: 'm1' },
    })
    expect(milestone.status).toBe(201)
    const { body } = await post({
      title: 'Everything',
      description: '- [x] one\n- [ ] two\n',
      confidential: 'true',
      assignee_ids: [developer.id, guest.id, developer.id],
      milestone_id: milestone.body.id,
      labels: 'zebra, of the group ,, apple',
      due_date: '2030-02-28',
      discussion_locked: true,
      weight: '7',
    })
    expect(body).toMatchObject({
      confidential: true,
      // A guest cannot read a confidential issue.
      assignees: [{ id: developer.id }],
      assignee: { id: developer.id },
      milestone: { id: milestone.body.id, title: 'm1' },
      labels: ['apple', 'of the group', 'zebra'],
      due_date: '2030-02-28',
      discussion_locked: true,
      weight: 7,
      has_tasks: true,
      task_status: '1 of 2 tasks completed',
      task_completion_status: { count: 2, completed_count: 1 },
    })
    const labels = await server.inject('GET', `${path}/labels`, { token })
    expect(labels.body.map((label: { name: string }) => label.name)).toEqual(
      expect.arrayContaining(['apple', 'of the group', 'zebra']),
    )
    expect(await fixture.systemNotes(body)).toEqual([
      'changed milestone to %"m1"',
      'changed due date to February 28, 2030',
    ])
  })

  it('keeps the order of assignees, and accepts assignee_id', async () => {
    const { developer, guest, owner } = fixture
    const several = await fixture.open({ assignee_ids: [owner.id, guest.id, developer.id] })
    expect(several.assignees.map(({ id }: { id: number }) => id)).toEqual([
      owner.id,
      guest.id,
      developer.id,
    ])
    expect(several.assignee.id).toBe(owner.id)
    expect((await fixture.open({ assignee_id: guest.id })).assignee.id).toBe(guest.id)
    for (const none of [0, '', null]) {
      expect((await fixture.open({ assignee_id: none })).assignees).toEqual([])
    }
    expect((await fixture.open({ assignee_ids: [0] })).assignees).toEqual([])
    expect((await fixture.open({ assignee_ids: [999_999] })).assignees).toEqual([])
  })

  it('accepts labels as a list, and an empty text as none', async () => {
    expect((await fixture.open({ labels: ['b', 'a'] })).labels).toEqual(['a', 'b'])
    expect((await fixture.open({ labels: '' })).labels).toEqual([])
    expect((await fixture.open({ labels: [''] })).labels).toEqual([])
  })

  it('shows one task in the singular', async () => {
    const { task_status } = await fixture.open({ description: '* [ ] one\n```\n- [x] code\n```' })
    expect(task_status).toBe('0 of 1 task completed')
  })

  it('silently ignores what a guest or a non-member may not set', async () => {
    const milestone = await fixture.server.inject(
      'POST',
      `/projects/${fixture.project.id}/milestones`,
      {
        token: fixture.owner.token,
        body: { title: 'Own' },
      },
    )
    for (const who of [fixture.guest, fixture.stranger]) {
      const answer = await post(
        {
          title: 'By a guest',
          description: 'text',
          confidential: true,
          assignee_ids: [fixture.developer.id],
          milestone_id: milestone.body.id,
          labels: 'made by a guest',
          due_date: '2030-01-01',
          discussion_locked: true,
          weight: 1,
          created_at: '2001-01-01T00:00:00Z',
          iid: 4711,
        },
        who,
      )
      expect(answer.status).toBe(201)
      expect(answer.body).toMatchObject({
        description: 'text',
        confidential: true,
        assignees: [],
        milestone: null,
        labels: [],
        due_date: null,
        discussion_locked: null,
        weight: null,
      })
      expect(answer.body.iid).not.toBe(4711)
      expect(answer.body.created_at > '2020').toBe(true)
    }
  })

  it('accepts created_at and iid from owners and administrators only', async () => {
    const { owner, maintainer, server } = fixture
    const dated = { created_at: '2001-02-03T04:05:06.789Z', due_date: '2030-01-01' }
    for (const [who, iid] of [
      [owner, 5000],
      [server.root, 5001],
    ] as const) {
      const made = await fixture.open({ ...dated, iid }, who)
      expect(made).toMatchObject({ iid, created_at: '2001-02-03T04:05:06.789Z' })
      const notes = await server.inject('GET', `/projects/${made.project_id}/issues/${iid}/notes`, {
        token: owner.token,
      })
      expect(notes.body).toMatchObject([{ system: true, created_at: '2001-02-03T04:05:06.789Z' }])
    }
    const ignored = await fixture.open({ ...dated, iid: 9000 }, maintainer)
    expect(ignored.iid).toBe(5002)
    expect(ignored.created_at > '2020').toBe(true)
  })

  it('returns 409 for an iid that is taken', async () => {
    const { iid } = await fixture.open({})
    const answer = await post({ title: 'Again', iid }, fixture.owner)
    expect(answer.status).toBe(409)
    expect((await fixture.open({})).iid).toBeGreaterThan(iid)
  })

  it.each([
    [{}, { error: 'title is missing' }],
    [{ title: '' }, { message: { title: ["can't be blank"] } }],
    [{ title: '   ' }, { message: { title: ["can't be blank"] } }],
    [
      { title: 'x'.repeat(256) },
      { message: { title: ['is too long (maximum is 255 characters)'] } },
    ],
    [
      { title: 'x', description: 'x'.repeat(1_000_001) },
      { message: { description: ['is too long (maximum is 1000000 characters)'] } },
    ],
    [{ title: 'x', confidential: 'perhaps' }, { error: 'confidential is invalid' }],
    [{ title: 'x', assignee_ids: ['a'] }, { error: 'assignee_ids is invalid' }],
    [{ title: 'x', milestone_id: 'm' }, { error: 'milestone_id is invalid' }],
    [{ title: 'x', due_date: '2019-02-30' }, { error: 'due_date is invalid' }],
    [{ title: 'x', weight: -1 }, { error: 'weight does not have a valid value' }],
    [{ title: 'x', weight: 1.5 }, { error: 'weight is invalid' }],
    [{ title: 'x', created_at: 'yesterday' }, { error: 'created_at is invalid' }],
    [{ title: 'x', iid: 0 }, { error: 'iid does not have a valid value' }],
    [{ title: 'x\0' }, { error: 'title is invalid' }],
    [{ title: { a: 1 } }, { error: 'title is invalid' }],
    [{ title: 'x', labels: { a: 1 } }, { error: 'labels is invalid' }],
  ])('answers 400 for %j', async (body, expected) => {
    const answer = await post(body, fixture.owner)
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual(expected)
  })

  it('ignores milestones of other projects and unknown ones', async () => {
    const other = await fixture.server.buildProject()
    const foreign = await fixture.server.inject('POST', `/projects/${other.id}/milestones`, {
      token: fixture.server.root.token,
      body: { title: 'elsewhere' },
    })
    for (const id of [foreign.body.id, 0, '', 123_456_789]) {
      expect((await fixture.open({ milestone_id: id })).milestone).toBeNull()
    }
  })

  it('returns 401 without a token, 404 in a hidden project and 403 if issues are disabled or the project is archived', async () => {
    const { server, project, stranger, owner } = fixture
    const path = `/projects/${project.id}/issues`
    expect((await server.inject('POST', path, { body: { title: 'x' } })).status).toBe(401)
    const hidden = await server.buildProject()
    const title = { title: 'x' }
    const there = (id: number, token: string) =>
      server.inject('POST', `/projects/${id}/issues`, { token, body: title })
    expect((await there(hidden.id, stranger.token)).body).toEqual({
      message: '404 Project Not Found',
    })
    const off = await server.buildProject({
      visibility: 'public',
      issues_access_level: 'disabled',
    })
    expect((await there(off.id, server.root.token)).status).toBe(403)
    const archived = await server.buildProject({ namespace_id: fixture.group.id }, server.root)
    await server.inject('POST', `/projects/${archived.id}/archive`, { token: server.root.token })
    expect((await there(archived.id, owner.token)).status).toBe(403)
  })

  it('stores one assignee and no weight in the community tier', async () => {
    const server = await buildTestServer({ tier: 'community' })
    try {
      const project = await server.buildProject()
      const user = await server.buildUser()
      await server.addMember(`projects/${project.id}`, user.id, 30)
      const path = `/projects/${project.id}/issues`
      const { token } = server.root
      const body = { title: 'x', assignee_ids: [user.id, server.root.id] }
      const made = await server.inject('POST', path, { token, body })
      expect(made.body.assignees).toMatchObject([{ id: user.id }])
      expect(made.body).not.toHaveProperty('weight')
      const weighted = await server.inject('POST', path, { token, body: { title: 'x', weight: 1 } })
      expect(weighted.status).toBe(403)
    } finally {
      await server.close()
    }
  })
})
