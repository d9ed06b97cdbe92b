import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type QuickActionHelpers,
  quickActionHelpers,
  type Who,
} from '../../testing/clients/quick-actions.ts'
import { buildIssueFixture, type IssueFixture } from '../../testing/fixtures/issues.ts'
import type { Json } from '../../testing/test-server.ts'

let fixture: IssueFixture
let say: QuickActionHelpers['say']
let read: QuickActionHelpers['read']
let run: QuickActionHelpers['run']
let label: QuickActionHelpers['label']
let milestone: QuickActionHelpers['milestone']
beforeAll(async () => {
  fixture = await buildIssueFixture()
  ;({ say, read, run, label, milestone } = quickActionHelpers(fixture))
})
afterAll(() => fixture.server.close())

describe('POST /projects/:id/issues/:issue_iid/notes with commands alone', () => {
  it('returns 400, writes no note, and executes them', async () => {
    const issue = await fixture.open()
    const answer = await say(issue, '/close')
    expect(answer.status).toBe(400)
    expect(answer.text).toContain('Commands applied')
    const closed = await read(issue)
    expect(closed).toMatchObject({ state: 'closed', user_notes_count: 0 })
    expect(await fixture.systemNotes(issue)).toEqual(['closed'])
  })

  it('returns 400 also if the caller may not execute them', async () => {
    const issue = await fixture.open()
    const answer = await say(issue, '/close\n/title Mine', 'stranger')
    expect(answer.status).toBe(400)
    expect(answer.text).toContain('Could not apply')
    expect(await read(issue)).toMatchObject({ state: 'opened', title: 'An issue' })
  })
})

describe('quick actions on an issue', () => {
  it('leave other lines, code and unknown commands unchanged', async () => {
    const issue = await fixture.open()
    const body = '/unknown\n```\n/close\n```\n> /close\n a /close'
    const answer = await say(issue, body)
    expect(answer.body.body).toBe(body)
    expect((await read(issue)).state).toBe('opened')
  })

  it('are one update with every system note', async () => {
    await label('one')
    const issue = await fixture.open()
    const before = Date.parse(issue.updated_at)
    await say(issue, 'x\n/title New\n/label ~one\n/due 2030-01-02\n/weight 3\n/confidential')
    const changed = await read(issue)
    expect(changed).toMatchObject({
      title: 'New',
      labels: ['one'],
      due_date: '2030-01-02',
      weight: 3,
      confidential: true,
    })
    expect(Date.parse(changed.updated_at)).toBeGreaterThanOrEqual(before)
    expect(await fixture.systemNotes(issue)).toEqual([
      'changed title from **{-An issue-}** to **{+New+}**',
      'changed due date to January 2, 2030',
      'changed weight to **3**',
      'made the issue confidential',
    ])
  })

  it('of an author require Guest access for what an author may do', async () => {
    const issue = await fixture.open({}, fixture.guest)
    const changed = await run(issue, '/title Mine\n/close', 'guest')
    expect(changed).toMatchObject({ title: 'Mine', state: 'closed' })
  })

  describe('by users who may update it', () => {
    it.each<[string, object, object]>([
      ['/close', {}, { state: 'closed' }],
      ['/title Another title ', {}, { title: 'Another title' }],
      ['/confidential', {}, { confidential: true }],
    ])('%s', async (command, values, expected) => {
      const issue = await fixture.open(values)
      const untouched = await run(issue, command, 'guest')
      expect(untouched).not.toMatchObject(expected)
      expect(await run(issue, command)).toMatchObject(expected)
    })

    it('/reopen', async () => {
      const issue = await fixture.open()
      await fixture.call('PUT', `/${issue.iid}`, { state_event: 'close' })
      expect((await run(issue, '/reopen', 'guest')).state).toBe('closed')
      expect((await run(issue, '/reopen')).state).toBe('opened')
    })

    it('/title without a title, or with one that is too long, does nothing', async () => {
      const issue = await fixture.open()
      expect((await run(issue, '/title')).title).toBe('An issue')
      expect((await run(issue, `/title ${'x'.repeat(256)}`)).title).toBe('An issue')
    })

    it('/copy_metadata copies labels and milestone of another item', async () => {
      await label('copied')
      const { id: milestone_id } = await milestone('copied')
      const source = await fixture.open({ labels: 'copied', milestone_id })
      const issue = await fixture.open({ labels: 'kept' })
      expect((await run(issue, `/copy_metadata #${source.iid}`, 'guest')).labels).toEqual(['kept'])
      const changed = await run(issue, `/copy_metadata #${source.iid}`)
      expect(changed).toMatchObject({ labels: ['copied', 'kept'], milestone: { id: milestone_id } })
      await run(issue, '/copy_metadata #99999')
      const own = await fixture.open(
        { description: `/copy_metadata #${source.iid}` },
        fixture.stranger,
      )
      expect(own).toMatchObject({ labels: [], milestone: null })
    })
  })

  describe('by everyone who may comment', () => {
    const todos = async (who: Who, state = 'pending') => {
      const { token } = fixture[who]
      const answer = await fixture.server.inject('GET', '/todos', {
        token,
        query: `state=${state}`,
      })
      return answer.body.map((todo: Json) => todo.target.iid)
    }

    it('/todo and /done, with other text in the note', async () => {
      const issue = await fixture.open()
      await run(issue, '/todo', 'stranger')
      expect(await todos('stranger')).toContain(issue.iid)
      await run(issue, '/done', 'stranger')
      expect(await todos('stranger')).not.toContain(issue.iid)
      expect((await say(issue, '/todo', 'stranger')).status).toBe(400)
      expect(await todos('stranger')).toContain(issue.iid)
      expect((await say(issue, '/done', 'stranger')).status).toBe(400)
      expect(await todos('stranger')).not.toContain(issue.iid)
    })

    it('/subscribe and /unsubscribe', async () => {
      const issue = await fixture.open()
      await say(issue, '/subscribe', 'stranger')
      expect((await read(issue, 'stranger')).subscribed).toBe(true)
      await say(issue, '/unsubscribe', 'stranger')
      expect((await read(issue, 'stranger')).subscribed).toBe(false)
    })

    it('/award, a second time to remove it', async () => {
      const issue = await fixture.open()
      await say(issue, '/todo', 'stranger')
      await say(issue, '/award :thumbsup:', 'stranger')
      expect((await read(issue)).upvotes).toBe(1)
      expect(await todos('stranger')).not.toContain(issue.iid)
      await say(issue, '/award thumbsup', 'stranger')
      expect((await read(issue)).upvotes).toBe(0)
    })

    it('/shrug and /tableflip', async () => {
      const issue = await fixture.open()
      const { body } = await say(issue, '/shrug Whatever\n/tableflip', 'stranger')
      expect(body.body).toBe('Whatever ¯\\＿(ツ)＿/¯\n(╯°□°)╯︵ ┻━┻')
    })
  })
})

describe('POST /projects/:id/issues with quick actions in the description', () => {
  it('executes and removes them', async () => {
    await label('at once')
    const { username } = fixture.developer
    const issue = await fixture.open({
      description: `What is wrong\n/label ~"at once"\n/assign @${username}\n/spend 1h\n/shrug`,
    })
    expect(issue).toMatchObject({
      description: 'What is wrong\n¯\\＿(ツ)＿/¯',
      labels: ['at once'],
      assignees: [{ username }],
      time_stats: { total_time_spent: 3600 },
    })
  })

  it('executes nothing that the caller may not do', async () => {
    const description = 'What is wrong\n/label ~bug\n/due tomorrow\n/title Mine'
    const issue = await fixture.open({ description }, fixture.guest)
    expect(issue).toMatchObject({ description: 'What is wrong', labels: [], due_date: null })
    expect(issue.title).toBe('Mine')
  })

  it('writes the emoticon even if there is no other command', async () => {
    expect((await fixture.open({ description: '/shrug' })).description).toBe('¯\\＿(ツ)＿/¯')
  })
})

describe('PUT /projects/:id/issues/:issue_iid with commands in the description', () => {
  it('leaves them as text', async () => {
    const issue = await fixture.open()
    const answer = await fixture.call('PUT', `/${issue.iid}`, { description: '/close' })
    expect(answer.body).toMatchObject({ description: '/close', state: 'opened' })
  })
})
