import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type QuickActionHelpers,
  quickActionHelpers,
  type Who,
} from '../../testing/clients/quick-actions.ts'
import { buildIssueFixture, type IssueFixture } from '../../testing/fixtures/issues.ts'
import type { Json } from '../../testing/test-server.ts'

let fixture: IssueFixture
let read: QuickActionHelpers['read']
let run: QuickActionHelpers['run']
let label: QuickActionHelpers['label']
let milestone: QuickActionHelpers['milestone']
beforeAll(async () => {
  fixture = await buildIssueFixture()
  ;({ read, run, label, milestone } = quickActionHelpers(fixture))
})
afterAll(() => fixture.server.close())

describe('quick actions of reporters on an issue', () => {
  it.each<[string, object, object]>([
    ['/due tomorrow', {}, { due_date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) }],
    ['/due 2030-02-03', {}, { due_date: '2030-02-03' }],
    ['/remove_due_date', { due_date: '2030-02-03' }, { due_date: null }],
    ['/weight 5', {}, { weight: 5 }],
    ['/clear_weight', { weight: 5 }, { weight: null }],
    ['/lock', {}, { discussion_locked: true }],
    ['/estimate 1h 30m', {}, { time_stats: { time_estimate: 5400 } }],
    ['/spend 2h', {}, { time_stats: { total_time_spent: 7200 } }],
    ['/spend 1d 2019-03-11', {}, { time_stats: { total_time_spent: 28_800 } }],
  ])('%s', async (command, values, expected) => {
    const issue = await fixture.open(values)
    expect(await run(issue, command, 'guest')).not.toMatchObject(expected)
    expect(await run(issue, command)).toMatchObject(expected)
  })

  it.each([
    '/due nonsense',
    '/weight -1',
    '/weight much',
    '/weight 99999999999',
    '/estimate long',
    '/estimate -1h',
    '/spend',
    '/spend -1h',
    '/spend 1h 2999-01-01',
    '/spend 1h 2019-02-31',
    '/milestone %nope',
    '/milestone',
    '/label',
    '/assign',
    '/assign @nobody-here',
    '/move nowhere',
    '/move no/where',
    '/duplicate #99999',
    '/duplicate',
    '/relate nothing',
    '/award :no_such_emoji:',
    '/award',
    '/epic &1',
    '/merge',
    '/approve',
    '/tag v1',
    '/target_branch main',
    '/wip',
  ])('%s does nothing', async (command) => {
    const issue = await fixture.open()
    const changed = await run(issue, command)
    expect({ ...changed, updated_at: '', user_notes_count: 0 }).toEqual({
      ...(await read(issue)),
      ...issue,
      updated_at: '',
      user_notes_count: 0,
      subscribed: changed.subscribed,
    })
    expect(await fixture.systemNotes(issue)).toEqual([])
  })

  it('/unlock', async () => {
    const issue = await fixture.open()
    await run(issue, '/lock')
    expect((await run(issue, '/unlock', 'guest')).discussion_locked).toBe(true)
    expect((await run(issue, '/unlock')).discussion_locked).toBe(false)
    expect(await fixture.systemNotes(issue)).toEqual(['locked this issue', 'unlocked this issue'])
  })

  it('/remove_estimate and /remove_time_spent', async () => {
    const issue = await fixture.open()
    await run(issue, '/estimate 2h\n/spend 1h')
    const unchanged = await run(issue, '/remove_estimate\n/remove_time_spent', 'guest')
    expect(unchanged.time_stats).toMatchObject({ time_estimate: 7200, total_time_spent: 3600 })
    const cleared = await run(issue, '/remove_estimate\n/remove_time_spent')
    expect(cleared.time_stats).toMatchObject({ time_estimate: 0, total_time_spent: 0 })
    expect(await fixture.systemNotes(issue)).toEqual([
      'changed time estimate to 2h',
      'added 1h of time spent',
      'removed time estimate',
      'removed time spent',
    ])
  })

  it('/spend with a date writes the date in the system note', async () => {
    const issue = await fixture.open()
    await run(issue, '/spend 1h 2019-03-11')
    expect(await fixture.systemNotes(issue)).toEqual(['added 1h of time spent at 2019-03-11'])
  })

  it('/assign, /unassign and /reassign', async () => {
    const issue = await fixture.open()
    const { developer, maintainer, reporter } = fixture
    const names = async (command: string, who: Who = 'reporter') =>
      (await run(issue, command, who)).assignees.map((user: Json) => user.username)
    const [dev, main, own] = [developer, maintainer, reporter].map(({ username }) => username)
    expect(await names(`/assign @${dev}`, 'guest')).toEqual([])
    expect(await names(`/assign @${dev}`)).toEqual([dev])
    expect(await names(`/assign ${main} and me`)).toEqual([dev, main, own])
    expect(await names(`/unassign @${main}`, 'guest')).toEqual([dev, main, own])
    expect(await names(`/unassign @${main}`)).toEqual([dev, own])
    expect(await names(`/reassign @${main}`)).toEqual([main])
    expect(await names(`/unassign\n/assign @${dev}`)).toEqual([dev])
    expect(await names(`/assign @${main}\n/unassign @${main}`)).toEqual([dev])
    expect(await names('/unassign')).toEqual([])
    expect(await fixture.systemNotes(issue)).toEqual([
      `assigned to @${dev}`,
      `assigned to @${main} and @${own}`,
      `unassigned @${main}`,
      `assigned to @${main} and unassigned @${dev} and @${own}`,
      `assigned to @${dev} and unassigned @${main}`,
      `unassigned @${dev}`,
    ])
  })

  it('/label, /unlabel and /relabel', async () => {
    await label('bug')
    await label('two words')
    await label('other')
    const issue = await fixture.open()
    const names = async (command: string, who: Who = 'reporter') =>
      (await run(issue, command, who)).labels
    expect(await names('/label ~bug', 'guest')).toEqual([])
    expect(await names('/label ~bug ~"two words"')).toEqual(['bug', 'two words'])
    expect(await names('/label other nonexistent')).toEqual(['bug', 'other', 'two words'])
    expect(await names('/unlabel ~bug', 'guest')).toHaveLength(3)
    expect(await names('/unlabel ~bug')).toEqual(['other', 'two words'])
    expect(await names('/relabel ~bug')).toEqual(['bug'])
    expect(await names('/label ~other\n/unlabel ~other')).toEqual(['bug'])
    expect(await names('/label ~"is new"')).toEqual(['bug', 'is new'])
    expect(await names('/unlabel\n/label ~other')).toEqual(['other'])
    expect(await names('/unlabel')).toEqual([])
    expect(await fixture.systemNotes(issue)).toEqual([])
  })

  it('/label with the id of a label', async () => {
    const { id } = await label('by id')
    const issue = await fixture.open()
    expect((await run(issue, `/label ~${id}`)).labels).toEqual(['by id'])
  })

  it('/label with the id of a label of another project, whose title it has too', async () => {
    await label('same title')
    const { server } = fixture
    const other = await server.buildProject()
    const { body: hidden } = await server.inject('POST', `/projects/${other.id}/labels`, {
      token: server.root.token,
      body: { name: 'same title', color: '#ff0000' },
    })
    const issue = await fixture.open()
    const path = `/${issue.iid}/notes`
    const known = await fixture.call('POST', path, { body: `/label ~${hidden.id}` })
    const unknown = await fixture.call('POST', path, { body: '/label ~99999999' })
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body])
    expect((await fixture.call('GET', `/${issue.iid}`)).body.labels).toEqual([])
  })

  it('/milestone and /remove_milestone', async () => {
    const first = await milestone('first')
    const second = await milestone('the second')
    const issue = await fixture.open()
    const title = async (command: string, who: Who = 'reporter') =>
      (await run(issue, command, who)).milestone?.title
    expect(await title('/milestone %first', 'guest')).toBeUndefined()
    expect(await title('/milestone %first')).toBe('first')
    expect(await title(`/milestone %${second.iid}`)).toBe('the second')
    expect(await title('/milestone first')).toBe('first')
    expect(await title('/milestone %"the second"')).toBe('the second')
    expect(await title('/remove_milestone', 'guest')).toBe('the second')
    expect(await title('/remove_milestone')).toBeUndefined()
    expect((await fixture.systemNotes(issue)).at(0)).toBe(`changed milestone to %${first.iid}`)
  })

  it('/relate', async () => {
    const [issue, other] = [await fixture.open(), await fixture.open()]
    const linked = async () => (await fixture.call('GET', `/${issue.iid}/links`)).body.length
    await run(issue, `/relate #${other.iid}`, 'guest')
    expect(await linked()).toBe(0)
    await run(issue, `/relate #${other.iid}`)
    expect(await linked()).toBe(1)
  })

  it('/duplicate writes a system note on both, and closes this one', async () => {
    const [issue, original] = [await fixture.open(), await fixture.open()]
    expect((await run(issue, `/duplicate #${original.iid}`, 'guest')).state).toBe('opened')
    expect((await run(issue, `/duplicate #${original.iid}`)).state).toBe('closed')
    expect(await fixture.systemNotes(issue)).toEqual([
      `marked this issue as a duplicate of #${original.iid}`,
      'closed',
    ])
    expect(await fixture.systemNotes(original)).toEqual([
      `marked #${issue.iid} as a duplicate of this issue`,
    ])
    await run(original, `/duplicate #${original.iid}`)
    expect((await read(original)).state).toBe('opened')
  })

  it('/move', async () => {
    const target = await fixture.server.buildProject({ namespace_id: fixture.group.id })
    const issue = await fixture.open({ title: 'Moving' })
    const path = target.path_with_namespace
    expect((await run(issue, `/move ${path}`, 'guest')).state).toBe('opened')
    expect((await run(issue, `/move ${path}`)).state).toBe('closed')
    const list = await fixture.call('GET', '', undefined, fixture.reporter, target)
    expect(list.body).toMatchObject([{ title: 'Moving', state: 'opened' }])
  })
})
