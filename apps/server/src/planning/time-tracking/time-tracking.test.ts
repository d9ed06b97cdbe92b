import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildPushedProject } from '../../testing/git/repository.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let requestProject: Json
let requests = 0
beforeAll(async () => {
  server = await buildTestServer()
  const pushed = await buildPushedProject(server)
  requestProject = pushed.project
})
afterAll(() => server.close())

type User = Awaited<ReturnType<TestServer['buildUser']>>

/** An issue or merge request, by the path of its endpoints. */
interface TrackedItem {
  project: Json
  path: string
  author: User
}

async function buildIssue(): Promise<TrackedItem> {
  const project = await server.buildProject({ visibility: 'public' })
  const author = await server.buildUser()
  const body = { title: 'Broken' }
  const made = await server.inject('POST', `/projects/${project.id}/issues`, {
    token: author.token,
    body,
  })
  expect(made.status).toBe(201)
  return { project, author, path: `/projects/${project.id}/issues/${made.body.iid}` }
}

async function buildRequest(): Promise<TrackedItem> {
  const author = await server.buildUser()
  requests += 1
  const { token } = server.root
  const branch = `topic-${requests}`
  const body = { branch, start_branch: 'main', commit_message: 'Add', actions: [] }
  const action = { action: 'create', file_path: `${branch}.txt`, content: branch }
  await server.inject('POST', `/projects/${requestProject.id}/repository/commits`, {
    token,
    body: { ...body, actions: [action] },
  })
  const { iid } = await server.buildMergeRequest(requestProject, branch, 'main', {
    authorId: author.id,
  })
  const path = `/projects/${requestProject.id}/merge_requests/${iid}`
  return { project: requestProject, author, path }
}

const empty = {
  time_estimate: 0,
  total_time_spent: 0,
  human_time_estimate: null,
  human_total_time_spent: null,
}

async function systemNotesOn({ path }: TrackedItem): Promise<string[]> {
  const answer = await server.inject('GET', `${path}/notes`, {
    token: server.root.token,
    query: 'sort=asc',
  })
  expect(answer.status).toBe(200)
  return answer.body.filter(({ system }: Json) => system).map(({ body }: Json) => body)
}

describe.each([
  ['issues', buildIssue, 20],
  ['merge_requests', buildRequest, 30],
] as const)('the time of %s', (_, build, level) => {
  it('GET time_stats returns 200 with zeros at first, to everyone who may read', async () => {
    const item = await build()
    const { token } = await server.buildUser()
    const answer = await server.inject('GET', `${item.path}/time_stats`, { token })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual(empty)
    const missing = await server.inject('GET', `${item.path}999/time_stats`, { token })
    expect(missing.status).toBe(404)
  })

  it('POST time_estimate returns 200 and writes a system note; reset_time_estimate removes it', async () => {
    const item = await build()
    const { token } = item.author
    const estimate = (duration: string) =>
      server.inject('POST', `${item.path}/time_estimate`, { token, body: { duration } })
    const first = await estimate('3h30m')
    expect(first.status).toBe(200)
    const stats = { ...empty, time_estimate: 12_600, human_time_estimate: '3h 30m' }
    expect(first.body).toEqual(stats)
    expect((await estimate('3.5')).body).toEqual(stats)
    expect((await estimate('1w 4d 3h')).body.human_time_estimate).toBe('1w 4d 3h')
    expect((await estimate('999999mo')).body.time_estimate).toBe(2_147_483_647)
    const reset = () => server.inject('POST', `${item.path}/reset_time_estimate`, { token })
    const cleared = await reset()
    expect([cleared.status, cleared.body]).toEqual([200, empty])
    expect((await reset()).status).toBe(200)
    expect(await systemNotesOn(item)).toEqual([
      'changed time estimate to 3h 30m',
      'changed time estimate to 1w 4d 3h',
      'changed time estimate to 3728mo 1w 3h 14m 7s',
      'removed time estimate',
    ])
  })

  it.each(['soon', '-1h', '1h x'])('POST time_estimate returns 400 for %j', async (duration) => {
    const item = await build()
    const { token } = item.author
    const input = { token, body: { duration } }
    const answer = await server.inject('POST', `${item.path}/time_estimate`, input)
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual({ message: { time_estimate: ['has an invalid format'] } })
    expect(await systemNotesOn(item)).toEqual([])
  })

  it('POST add_spent_time returns 201, and subtracts time; reset_spent_time removes all', async () => {
    const item = await build()
    const { token } = item.author
    const spend = (duration: string) =>
      server.inject('POST', `${item.path}/add_spent_time`, { token, body: { duration } })
    const first = await spend('2h')
    expect(first.status).toBe(201)
    const stats = { ...empty, total_time_spent: 7200, human_total_time_spent: '2h' }
    expect(first.body).toEqual(stats)
    expect((await spend('-30m')).body.total_time_spent).toBe(5400)
    expect((await spend('0h')).body.total_time_spent).toBe(5400)
    const tooMuch = await spend('-1h 31m')
    expect(tooMuch.status).toBe(400)
    expect(tooMuch.body).toEqual({
      message: { time_spent: ['Time to subtract exceeds the total time spent'] },
    })
    const unread = await spend('much')
    expect(unread.body).toEqual({ message: { time_spent: ['has an invalid format'] } })
    const reset = () => server.inject('POST', `${item.path}/reset_spent_time`, { token })
    const cleared = await reset()
    expect([cleared.status, cleared.body]).toEqual([200, empty])
    expect((await reset()).body).toEqual(empty)
    expect(await systemNotesOn(item)).toEqual([
      'added 2h of time spent',
      'subtracted 30m of time spent',
      'removed time spent',
    ])
  })

  it('POST add_spent_time adds up concurrent calls', async () => {
    const item = await build()
    const { token } = item.author
    const spend = (duration: string) =>
      server.inject('POST', `${item.path}/add_spent_time`, { token, body: { duration } })
    await spend('1h')
    const durations = ['1h', '1h', '-2h', '1h', '-2h', '-2h']
    const answers = await Promise.all(durations.map(spend))
    const refused = answers.filter(({ status }) => status === 400).length
    expect(refused).toBeGreaterThanOrEqual(1)
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(6 - refused)
    const { body } = await server.inject('GET', `${item.path}/time_stats`, { token })
    expect(body.total_time_spent).toBe((4 - 2 * (3 - refused)) * 3600)
  })

  it('returns 400 without a duration', async () => {
    const item = await build()
    const { token } = item.author
    for (const call of ['time_estimate', 'add_spent_time']) {
      const answer = await server.inject('POST', `${item.path}/${call}`, { token })
      expect([answer.status, answer.body]).toEqual([400, { error: 'duration is missing' }])
    }
  })

  it('POST is for the author, assignees and members', async () => {
    const item = await build()
    const member = async (given: number) => {
      const user = await server.buildUser()
      await server.addMember(`projects/${item.project.id}`, user.id, given)
      return user
    }
    const [enough, tooLow] = [await member(level), await member(level - 10)]
    const other = await server.buildUser()
    const calls = ['time_estimate', 'reset_time_estimate', 'add_spent_time', 'reset_spent_time']
    for (const call of calls) {
      const status = async ({ token }: User) => {
        const input = { token, body: { duration: '1h' } }
        return (await server.inject('POST', `${item.path}/${call}`, input)).status
      }
      const success = call === 'add_spent_time' ? 201 : 200
      expect(await status(item.author)).toBe(success)
      expect(await status(enough)).toBe(success)
      expect(await status(tooLow)).toBe(403)
      expect(await status(other)).toBe(403)
    }
  })

  it('changes updated_at', async () => {
    const item = await build()
    const { token } = item.author
    server.advance(5000)
    const at = server.app.now()
    const input = { token, body: { duration: '1h' } }
    await server.inject('POST', `${item.path}/add_spent_time`, input)
    const table = item.path.includes('issues') ? 'issues' : 'mergeRequests'
    const args = { projectId: item.project.id, iid: Number(item.path.split('/').at(-1)) }
    const row = await server.app.db.first(`test.updated|${table}`, args, (db, $) =>
      db
        .selectFrom(table)
        .select('updatedAt')
        .where('projectId', '=', $('projectId'))
        .where('iid', '=', $('iid')),
    )
    expect(row?.updatedAt).toBeGreaterThanOrEqual(at)
  })
})

/** The time log of an item: user, seconds and date, oldest first. */
function logOf(targetId: number) {
  return server.app.db.all('test.time-log', { targetId }, (db, $) =>
    db
      .selectFrom('timeLogs')
      .select(['userId', 'seconds', 'spentOn'])
      .where('targetType', '=', 'issue')
      .where('targetId', '=', $('targetId'))
      .orderBy('id'),
  )
}

describe('the log of time spent', () => {
  it('has an entry for each change, which is kept when the user is deleted', async () => {
    const { path, author } = await buildIssue()
    const { token } = author
    const { id } = (await server.inject('GET', path, { token })).body
    const today = new Date(server.app.now()).toISOString().slice(0, 10)
    for (const duration of ['2h', '-30m']) {
      await server.inject('POST', `${path}/add_spent_time`, { token, body: { duration } })
    }
    await server.inject('POST', `${path}/reset_spent_time`, { token })
    const entries = [7200, -1800, -5400]
    expect(await logOf(id)).toEqual(
      entries.map((seconds) => ({ userId: author.id, seconds, spentOn: today })),
    )
    const removed = await server.inject('DELETE', `/users/${author.id}`, server.root)
    expect(removed.status).toBe(204)
    await server.runJobs()
    const left = await logOf(id)
    expect(left.map(({ seconds }) => seconds)).toEqual(entries)
    expect(left.some(({ userId }) => userId === author.id)).toBe(false)
  })

  it('has the date of a quick action, as the system note has', async () => {
    const item = await buildIssue()
    const { token } = server.root
    const { id } = (await server.inject('GET', item.path, { token })).body
    const body = { body: 'Done\n/spend 1h 2019-03-10' }
    const answer = await server.inject('POST', `${item.path}/notes`, { token, body })
    expect(answer.status).toBe(201)
    expect(await logOf(id)).toEqual([{ userId: 1, seconds: 3600, spentOn: '2019-03-10' }])
    expect(await systemNotesOn(item)).toEqual(['added 1h of time spent at 2019-03-10'])
  })
})

describe('the time of issues', () => {
  it('is part of the issue, too', async () => {
    const item = await buildIssue()
    const { token } = item.author
    const input = { token, body: { duration: '1d' } }
    await server.inject('POST', `${item.path}/time_estimate`, input)
    const { body } = await server.inject('GET', item.path, { token })
    expect(body.time_stats).toEqual({
      ...empty,
      time_estimate: 28_800,
      human_time_estimate: '1d',
    })
  })

  it('returns 404 for a hidden confidential issue', async () => {
    const project = await server.buildProject({ visibility: 'public' })
    const path = `/projects/${project.id}/issues`
    const body = { title: 'Hush', confidential: true }
    const made = await server.inject('POST', path, { token: server.root.token, body })
    const { token } = await server.buildUser()
    const one = `${path}/${made.body.iid}`
    expect((await server.inject('GET', `${one}/time_stats`, { token })).status).toBe(404)
    const input = { token, body: { duration: '1h' } }
    expect((await server.inject('POST', `${one}/add_spent_time`, input)).status).toBe(404)
  })
})
