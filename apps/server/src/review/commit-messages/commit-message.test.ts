import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildMessageFixture, type MessageFixture } from '../../testing/fixtures/commit-messages.ts'
import { buildRepositoryFixture } from '../../testing/git/repository-fixture.ts'
import type { Json } from '../../testing/test-server.ts'
import { readCommitMessages } from './commit-message.service.ts'

let ada: MessageFixture['ada']
let buildFixture: MessageFixture['buildFixture']
let open: MessageFixture['open']
let push: MessageFixture['push']
let read: MessageFixture['read']
let server: MessageFixture['server']
beforeAll(async () => {
  ;({ ada, buildFixture, open, push, read, server } = await buildMessageFixture())
})
afterAll(() => server.close())

describe('a push to the default branch', () => {
  it('closes issues by closing patterns, and adds system notes to other mentioned items', async () => {
    const fixture = await buildFixture()
    const [closed, named, untouched] = [
      await open(fixture.project),
      await open(fixture.project),
      await open(fixture.project),
    ]
    const sha = await push(fixture, `Change\n\nCloses #${closed.iid}. See #${named.iid}.`)
    expect(await read(closed)).toEqual({
      state: 'closed',
      closedBy: ada.username,
      systemNotes: [`${ada.username}: closed via commit ${sha}`],
    })
    expect(await read(named)).toEqual({
      state: 'opened',
      closedBy: undefined,
      systemNotes: [`${ada.username}: mentioned in commit ${sha}`],
    })
    expect((await read(untouched)).systemNotes).toEqual([])
  })

  it('records one event, and closes several issues in one list', async () => {
    const fixture = await buildFixture()
    const [one, two] = [await open(fixture.project), await open(fixture.project)]
    await push(fixture, `Fixes #${one.iid}, #${two.iid}`)
    expect([(await read(one)).state, (await read(two)).state]).toEqual(['closed', 'closed'])
    const path = `/projects/${fixture.project.id}/events`
    const query = 'action=closed&target_type=issue'
    const events = (await server.inject('GET', path, { token: server.root.token, query })).body
    expect(events.map((event: Json) => event.target_iid).toSorted()).toEqual([one.iid, two.iid])
    expect(events[0].author_username).toBe(ada.username)
  })

  it("acts for the pusher when no user has the author's address", async () => {
    const fixture = await buildFixture()
    const issue = await open(fixture.project)
    await fixture.git('config', 'user.email', 'nobody@example.com')
    await fixture.commitTo('main', { 'b.txt': 'of nobody' }, 'x')
    const author = '--author=Nobody <nobody@example.com>'
    await fixture.git('commit', '--amend', author, '-m', `Fixes #${issue.iid}`)
    await fixture.push('main')
    await server.runJobs()
    expect((await read(issue)).closedBy).toBe('root')
  })

  it('ignores an unconfirmed address', async () => {
    const fixture = await buildFixture()
    const { id, email } = await server.buildUser()
    await server.app.db.run('test.unconfirm', { id }, (db, $) =>
      db.updateTable('emails').set({ confirmedAt: null }).where('userId', '=', $('id')),
    )
    const issue = await open(fixture.project)
    await fixture.commitTo('main', { 'b.txt': 'unconfirmed' }, 'x')
    const author = `--author=Someone <${email}>`
    await fixture.git('commit', '--amend', author, '-m', `Fixes #${issue.iid}`)
    await fixture.push('main')
    await server.runJobs()
    expect((await read(issue)).closedBy).toBe('root')
  })

  it('closes no issue that the author may not update, and adds a system note instead', async () => {
    const fixture = await buildFixture(0)
    const issue = await open(fixture.project)
    const sha = await push(fixture, `Fixes #${issue.iid}`)
    expect(await read(issue)).toMatchObject({
      state: 'opened',
      systemNotes: [`${ada.username}: mentioned in commit ${sha}`],
    })
  })

  it('ignores what the author may not read', async () => {
    const fixture = await buildFixture(10)
    const issue = await open(fixture.project, { confidential: true })
    await push(fixture, `Fixes #${issue.iid}`)
    expect(await read(issue)).toMatchObject({ state: 'opened', systemNotes: [] })
  })

  it('closes issues of other projects', async () => {
    const [fixture, other] = [
      await buildFixture(),
      await server.buildProject({ visibility: 'public' }),
    ]
    await server.addMember(`projects/${other.id}`, ada.id, 20)
    const [one, two] = [await open(other), await open(other)]
    const path = other.path_with_namespace
    const sha = await push(fixture, `Fixes ${path}#${one.iid}, see ${two.web_url}`)
    const here = fixture.project.path_with_namespace
    expect((await read(one)).systemNotes).toEqual([
      `${ada.username}: closed via commit ${here}@${sha}`,
    ])
    expect((await read(two)).systemNotes).toEqual([
      `${ada.username}: mentioned in commit ${here}@${sha}`,
    ])
  })

  it('does not close issues of the project that it was forked from', async () => {
    const fixture = await buildFixture()
    const issue = await open(fixture.project)
    const fork = await server.buildProject({ visibility: 'public' })
    await server.app.db.run('test.fork', { id: fork.id, from: fixture.project.id }, (db, $) =>
      db
        .updateTable('projects')
        .set({ forkedFromProjectId: $('from') })
        .where('id', '=', $('id')),
    )
    await server.addMember(`projects/${fork.id}`, ada.id, 30)
    const own = await open(fork)
    const forked = await buildRepositoryFixture(server, {}, fixture.tree)
    const remote = forked.remote.replace(
      forked.project.path_with_namespace,
      fork.path_with_namespace,
    )
    await fixture.git('push', remote, 'main')
    await server.runJobs()
    const path = fixture.project.path_with_namespace
    await fixture.commitTo('main', { 'f.txt': 'x' }, `Fixes ${path}#${issue.iid}, #${own.iid}`)
    await fixture.git('push', remote, 'main')
    await server.runJobs()
    expect([(await read(issue)).state, (await read(own)).state]).toEqual(['opened', 'closed'])
  })

  it('ignores references in code', async () => {
    const fixture = await buildFixture()
    const issue = await open(fixture.project)
    await push(fixture, `Change\n\n\`Fixes #${issue.iid}\``)
    expect(await read(issue)).toMatchObject({ state: 'opened', systemNotes: [] })
  })

  it('processes a commit of another branch when it reaches the default branch', async () => {
    const fixture = await buildFixture()
    const issue = await open(fixture.project)
    const sha = await push(fixture, `Fixes #${issue.iid}`, 'topic')
    await fixture.mergeInto('main', 'topic')
    await fixture.push('main')
    await server.runJobs()
    expect((await read(issue)).systemNotes).toEqual([
      `${ada.username}: mentioned in commit ${sha}`,
      `${ada.username}: closed via commit ${sha}`,
    ])
  })

  it('closes nothing with the first push to an empty repository', async () => {
    const fixture = await buildRepositoryFixture(server, { visibility: 'public' })
    await server.addMember(`projects/${fixture.project.id}`, ada.id, 40)
    const issue = await open(fixture.project)
    await push(fixture, `Fixes #${issue.iid}`)
    expect(await read(issue)).toMatchObject({ state: 'opened', systemNotes: [] })
    await push(fixture, `Resolves #${issue.iid}`)
    expect((await read(issue)).state).toBe('closed')
  })

  it('processes no commit twice', async () => {
    const fixture = await buildFixture()
    const [issue, named] = [await open(fixture.project), await open(fixture.project)]
    const before = await fixture.git('rev-parse', 'HEAD')
    const sha = await push(fixture, `Fixes #${issue.iid}, see #${named.iid}`)
    const { token } = server.root
    const path = `/projects/${fixture.project.id}/issues/${issue.iid}`
    await server.inject('PUT', path, { token, body: { state_event: 'reopen' } })
    const recorded = {
      key: 'again',
      projectId: fixture.project.id,
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
      systemNotes: [`${ada.username}: closed via commit ${sha}`, 'root: reopened'],
    })
    expect((await read(named)).systemNotes).toHaveLength(1)
  })

  it('ignores missing commits and deleted projects', async () => {
    const fixture = await buildFixture()
    const gone = { before: '1'.repeat(40), after: '2'.repeat(40) }
    const recorded = {
      key: 'gone',
      projectId: fixture.project.id,
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

  it('keeps closed issues as they are', async () => {
    const fixture = await buildFixture()
    const issue = await open(fixture.project)
    await push(fixture, `Fixes #${issue.iid}`)
    const second = await push(fixture, `Fixes #${issue.iid} again`)
    const { systemNotes } = await read(issue)
    expect(systemNotes).toHaveLength(2)
    expect(systemNotes[1]).toBe(`${ada.username}: mentioned in commit ${second}`)
  })
})
