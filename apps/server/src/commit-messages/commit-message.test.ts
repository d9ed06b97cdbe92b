import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestUser } from '../testing/factories.ts'
import { buildWorkPlace, type WorkPlace } from '../testing/git/work-place.ts'
import { buildTestServer, type Json, type TestServer } from '../testing/test-server.ts'
import { readCommitMessages } from './commit-message.service.ts'

let server: TestServer
/** Whose address stands in the commits. */
let ada: TestUser
beforeAll(async () => {
  server = await buildTestServer()
  ada = await server.buildUser({ email: 'Ada@example.com' })
})
afterAll(() => server.close())

/** A project with `main` pushed, in which Ada is a reporter unless told. */
async function buildPlace(level = 20, overrides = {}): Promise<WorkPlace> {
  const place = await buildWorkPlace(server, { visibility: 'public', ...overrides })
  if (level > 0) await server.addMember(`projects/${place.project.id}`, ada.id, level)
  await place.push('main')
  await server.runJobs()
  return place
}

async function open({ id }: Json, values: object = {}): Promise<Json> {
  const body = { title: 'An issue', ...values }
  const { token } = server.root
  return (await server.inject('POST', `/projects/${id}/issues`, { token, body })).body
}

async function read(issue: Json): Promise<Json> {
  const path = `/projects/${issue.project_id}/issues/${issue.iid}`
  const { token } = server.root
  const { body } = await server.inject('GET', path, { token })
  const notes = (await server.inject('GET', `${path}/notes`, { token, query: 'sort=asc' })).body
  const remarks = notes.map((note: Json) => `${note.author.username}: ${note.body}`)
  return { state: body.state, closedBy: body.closed_by?.username, remarks }
}

let commits = 0

/** Commits to a branch with a message, pushes it, and lets all follow from it. */
async function push(place: WorkPlace, message: string, branch = 'main'): Promise<string> {
  commits += 1
  const sha = await place.commitTo(branch, { 'a.txt': `${commits}` }, message)
  await place.push(branch)
  await server.runJobs()
  return sha
}

describe('a push to the default branch', () => {
  it('closes what the message closes, and remarks on what else it names', async () => {
    const place = await buildPlace()
    const [closed, named, untouched] = [
      await open(place.project),
      await open(place.project),
      await open(place.project),
    ]
    const sha = await push(place, `Change\n\nCloses #${closed.iid}. See #${named.iid}.`)
    expect(await read(closed)).toEqual({
      state: 'closed',
      closedBy: ada.username,
      remarks: [`${ada.username}: closed via commit ${sha}`],
    })
    expect(await read(named)).toEqual({
      state: 'opened',
      closedBy: undefined,
      remarks: [`${ada.username}: mentioned in commit ${sha}`],
    })
    expect((await read(untouched)).remarks).toEqual([])
  })

  it('records one event, and closes several in one list', async () => {
    const place = await buildPlace()
    const [one, two] = [await open(place.project), await open(place.project)]
    await push(place, `Fixes #${one.iid}, #${two.iid}`)
    expect([(await read(one)).state, (await read(two)).state]).toEqual(['closed', 'closed'])
    const path = `/projects/${place.project.id}/events`
    const query = 'action=closed&target_type=issue'
    const events = (await server.inject('GET', path, { token: server.root.token, query })).body
    expect(events.map((event: Json) => event.target_iid).toSorted()).toEqual([one.iid, two.iid])
    expect(events[0].author_username).toBe(ada.username)
  })

  it('is in the name of the pusher where nobody here has the address of the author', async () => {
    const place = await buildPlace()
    const issue = await open(place.project)
    await place.git('config', 'user.email', 'nobody@example.com')
    commits += 1
    await place.commitTo('main', { 'b.txt': `${commits}` }, 'x')
    const author = '--author=Nobody <nobody@example.com>'
    await place.git('commit', '--amend', author, '-m', `Fixes #${issue.iid}`)
    await place.push('main')
    await server.runJobs()
    expect((await read(issue)).closedBy).toBe('root')
  })

  it('does not take an address that was never confirmed', async () => {
    const place = await buildPlace()
    const { id, email } = await server.buildUser()
    await server.app.db.run('test.unconfirm', { id }, (db, $) =>
      db.updateTable('users').set({ confirmedAt: null }).where('id', '=', $('id')),
    )
    const issue = await open(place.project)
    await place.commitTo('main', { 'b.txt': 'unconfirmed' }, 'x')
    const author = `--author=Somebody <${email}>`
    await place.git('commit', '--amend', author, '-m', `Fixes #${issue.iid}`)
    await place.push('main')
    await server.runJobs()
    expect((await read(issue)).closedBy).toBe('root')
  })

  it('closes nothing that the author may not change, and remarks on it instead', async () => {
    const place = await buildPlace(0)
    const issue = await open(place.project)
    const sha = await push(place, `Fixes #${issue.iid}`)
    expect(await read(issue)).toMatchObject({
      state: 'opened',
      remarks: [`${ada.username}: mentioned in commit ${sha}`],
    })
  })

  it('does not touch what the author may not read', async () => {
    const place = await buildPlace(10)
    const issue = await open(place.project, { confidential: true })
    await push(place, `Fixes #${issue.iid}`)
    expect(await read(issue)).toMatchObject({ state: 'opened', remarks: [] })
  })

  it('reaches issues of other projects', async () => {
    const [place, other] = [await buildPlace(), await server.buildProject({ visibility: 'public' })]
    await server.addMember(`projects/${other.id}`, ada.id, 20)
    const [one, two] = [await open(other), await open(other)]
    const path = other.path_with_namespace
    const sha = await push(place, `Fixes ${path}#${one.iid}, see ${two.web_url}`)
    const here = place.project.path_with_namespace
    expect((await read(one)).remarks).toEqual([`${ada.username}: closed via commit ${here}@${sha}`])
    expect((await read(two)).remarks).toEqual([
      `${ada.username}: mentioned in commit ${here}@${sha}`,
    ])
  })

  it('does not close issues of the project that it was forked from', async () => {
    const place = await buildPlace()
    const issue = await open(place.project)
    const fork = await server.buildProject({ visibility: 'public' })
    await server.app.db.run('test.fork', { id: fork.id, from: place.project.id }, (db, $) =>
      db
        .updateTable('projects')
        .set({ forkedFromProjectId: $('from') })
        .where('id', '=', $('id')),
    )
    await server.addMember(`projects/${fork.id}`, ada.id, 30)
    const own = await open(fork)
    const forked = await buildWorkPlace(server, {}, place.tree)
    const remote = forked.remote.replace(
      forked.project.path_with_namespace,
      fork.path_with_namespace,
    )
    await place.git('push', remote, 'main')
    await server.runJobs()
    const path = place.project.path_with_namespace
    await place.commitTo('main', { 'f.txt': 'x' }, `Fixes ${path}#${issue.iid}, #${own.iid}`)
    await place.git('push', remote, 'main')
    await server.runJobs()
    expect([(await read(issue)).state, (await read(own)).state]).toEqual(['opened', 'closed'])
  })

  it('says nothing for code', async () => {
    const place = await buildPlace()
    const issue = await open(place.project)
    await push(place, `Change\n\n\`Fixes #${issue.iid}\``)
    expect(await read(issue)).toMatchObject({ state: 'opened', remarks: [] })
  })

  it('counts a commit of another branch once it reaches the default branch', async () => {
    const place = await buildPlace()
    const issue = await open(place.project)
    const sha = await push(place, `Fixes #${issue.iid}`, 'topic')
    await place.mergeInto('main', 'topic')
    await place.push('main')
    await server.runJobs()
    expect((await read(issue)).remarks).toEqual([
      `${ada.username}: mentioned in commit ${sha}`,
      `${ada.username}: closed via commit ${sha}`,
    ])
  })

  it('closes nothing when it is the first into an empty repository', async () => {
    const place = await buildWorkPlace(server, { visibility: 'public' })
    await server.addMember(`projects/${place.project.id}`, ada.id, 40)
    const issue = await open(place.project)
    await push(place, `Fixes #${issue.iid}`)
    expect(await read(issue)).toMatchObject({ state: 'opened', remarks: [] })
    await push(place, `Resolves #${issue.iid}`)
    expect((await read(issue)).state).toBe('closed')
  })

  it('counts no commit twice', async () => {
    const place = await buildPlace()
    const [issue, named] = [await open(place.project), await open(place.project)]
    const before = await place.git('rev-parse', 'HEAD')
    const sha = await push(place, `Fixes #${issue.iid}, see #${named.iid}`)
    const { token } = server.root
    const path = `/projects/${place.project.id}/issues/${issue.iid}`
    await server.inject('PUT', path, { token, body: { state_event: 'reopen' } })
    const recorded = {
      key: 'again',
      projectId: place.project.id,
      userId: 1,
      updates: [{ ref: 'refs/heads/main', before, after: sha }],
      options: [],
      pushedAt: server.app.now(),
      defaultBranch: 'main',
      head: sha,
    }
    await readCommitMessages(server.app, recorded, new AbortController().signal)
    expect(await read(issue)).toMatchObject({
      state: 'opened',
      remarks: [`${ada.username}: closed via commit ${sha}`, 'root: reopened'],
    })
    expect((await read(named)).remarks).toHaveLength(1)
  })

  it('survives what is gone again', async () => {
    const place = await buildPlace()
    const gone = { before: '1'.repeat(40), after: '2'.repeat(40) }
    const recorded = {
      key: 'gone',
      projectId: place.project.id,
      userId: 1,
      updates: [{ ref: 'refs/heads/main', ...gone }],
      options: [],
      pushedAt: server.app.now(),
      defaultBranch: 'main',
      head: null,
    }
    await readCommitMessages(server.app, recorded, new AbortController().signal)
    await readCommitMessages(
      server.app,
      { ...recorded, projectId: 99_999 },
      AbortSignal.timeout(9e5),
    )
  })

  it('leaves what is closed already as it is', async () => {
    const place = await buildPlace()
    const issue = await open(place.project)
    await push(place, `Fixes #${issue.iid}`)
    const second = await push(place, `Fixes #${issue.iid} again`)
    const { remarks } = await read(issue)
    expect(remarks).toHaveLength(2)
    expect(remarks[1]).toBe(`${ada.username}: mentioned in commit ${second}`)
  })
})

describe('a push to another branch', () => {
  it('remarks on what is named, by the push that makes the branch and by later ones', async () => {
    const place = await buildPlace()
    const issue = await open(place.project)
    const first = await push(place, `Fixes #${issue.iid}`, 'topic')
    const second = await push(place, `Closes #${issue.iid}`, 'topic')
    expect(await read(issue)).toEqual({
      state: 'opened',
      closedBy: undefined,
      remarks: [first, second].map((sha) => `${ada.username}: mentioned in commit ${sha}`),
    })
  })

  it('counts no commit twice, whichever branches it comes to', async () => {
    const place = await buildPlace()
    const issue = await open(place.project)
    const sha = await push(place, `See #${issue.iid}`, 'topic')
    await place.git('branch', 'copy', 'topic')
    await place.mergeInto('other', 'topic')
    await place.push('copy', 'other')
    await server.runJobs()
    await place.mergeInto('main', 'topic')
    await place.push('main')
    await server.runJobs()
    expect((await read(issue)).remarks).toEqual([`${ada.username}: mentioned in commit ${sha}`])
  })

  it('says nothing of commits that a branch had before', async () => {
    const place = await buildPlace()
    await push(place, 'See #1 and #2', 'topic')
    const [one, two] = [await open(place.project), await open(place.project)]
    const { token } = server.root
    const path = `/projects/${place.project.id}/repository/branches`
    const made = { branch: 'made', ref: 'topic' }
    expect((await server.inject('POST', path, { token, body: made })).status).toBe(201)
    await server.runJobs()
    await place.mergeInto('merged', 'topic')
    await place.push('merged')
    await server.runJobs()
    expect([(await read(one)).remarks, (await read(two)).remarks]).toEqual([[], []])
  })

  it('is read late as it was, though the commits are on other branches by then', async () => {
    const place = await buildPlace()
    const issue = await open(place.project)
    const sha = await place.commitTo('topic', { 'a.txt': 'late' }, `See #${issue.iid}`)
    await place.push('topic')
    await place.git('branch', 'later', 'topic')
    await place.push('later')
    await server.runJobs()
    expect((await read(issue)).remarks).toEqual([`${ada.username}: mentioned in commit ${sha}`])
  })

  it('into an empty repository remarks on what other branches have beside the default one', async () => {
    const place = await buildWorkPlace(server, { visibility: 'public' })
    await server.addMember(`projects/${place.project.id}`, ada.id, 40)
    const [one, two] = [await open(place.project), await open(place.project)]
    await place.commitTo('main', { 'a.txt': 'main' }, `Fixes #${one.iid}`)
    const sha = await place.commitTo('topic', { 'b.txt': 'topic' }, `Fixes #${two.iid}`)
    await place.push('main', 'topic')
    await server.runJobs()
    expect(await read(one)).toMatchObject({ state: 'opened', remarks: [] })
    expect(await read(two)).toMatchObject({
      state: 'opened',
      remarks: [`${ada.username}: mentioned in commit ${sha}`],
    })
  })

  it('says nothing when the branch goes, and for tags', async () => {
    const place = await buildPlace()
    const issue = await open(place.project)
    await place.commitTo('topic', { 'a.txt': 'tag' }, `See #${issue.iid}`)
    await place.git('tag', 'v1', 'topic')
    await place.push('v1')
    await server.runJobs()
    expect((await read(issue)).remarks).toEqual([])
    await place.push('main:gone')
    await place.git('push', place.remote, ':gone')
    await server.runJobs()
    expect((await read(issue)).remarks).toEqual([])
  })
})
