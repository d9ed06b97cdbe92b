import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildRepositoryWorld } from '../../testing/git/repository-world.ts'
import type { Json } from '../../testing/test-server.ts'
import { buildMessageWorld, type MessageWorld } from '../../testing/worlds/commit-messages.ts'
import { readCommitMessages } from './commit-message.service.ts'

let ada: MessageWorld['ada']
let buildWorld: MessageWorld['buildWorld']
let open: MessageWorld['open']
let push: MessageWorld['push']
let read: MessageWorld['read']
let server: MessageWorld['server']
beforeAll(async () => {
  ;({ ada, buildWorld, open, push, read, server } = await buildMessageWorld())
})
afterAll(() => server.close())

describe('a push to the default branch', () => {
  it('closes issues by closing patterns, and adds system notes to other mentioned items', async () => {
    const world = await buildWorld()
    const [closed, named, untouched] = [
      await open(world.project),
      await open(world.project),
      await open(world.project),
    ]
    const sha = await push(world, `Change\n\nCloses #${closed.iid}. See #${named.iid}.`)
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
    const world = await buildWorld()
    const [one, two] = [await open(world.project), await open(world.project)]
    await push(world, `Fixes #${one.iid}, #${two.iid}`)
    expect([(await read(one)).state, (await read(two)).state]).toEqual(['closed', 'closed'])
    const path = `/projects/${world.project.id}/events`
    const query = 'action=closed&target_type=issue'
    const events = (await server.inject('GET', path, { token: server.root.token, query })).body
    expect(events.map((event: Json) => event.target_iid).toSorted()).toEqual([one.iid, two.iid])
    expect(events[0].author_username).toBe(ada.username)
  })

  it("acts for the pusher when no user has the author's address", async () => {
    const world = await buildWorld()
    const issue = await open(world.project)
    await world.git('config', 'user.email', 'nobody@example.com')
    await world.commitTo('main', { 'b.txt': 'of nobody' }, 'x')
    const author = '--author=Nobody <nobody@example.com>'
    await world.git('commit', '--amend', author, '-m', `Fixes #${issue.iid}`)
    await world.push('main')
    await server.runJobs()
    expect((await read(issue)).closedBy).toBe('root')
  })

  it('ignores an unconfirmed address', async () => {
    const world = await buildWorld()
    const { id, email } = await server.buildUser()
    await server.app.db.run('test.unconfirm', { id }, (db, $) =>
      db.updateTable('users').set({ confirmedAt: null }).where('id', '=', $('id')),
    )
    const issue = await open(world.project)
    await world.commitTo('main', { 'b.txt': 'unconfirmed' }, 'x')
    const author = `--author=Somebody <${email}>`
    await world.git('commit', '--amend', author, '-m', `Fixes #${issue.iid}`)
    await world.push('main')
    await server.runJobs()
    expect((await read(issue)).closedBy).toBe('root')
  })

  it('closes no issue that the author may not update, and adds a system note instead', async () => {
    const world = await buildWorld(0)
    const issue = await open(world.project)
    const sha = await push(world, `Fixes #${issue.iid}`)
    expect(await read(issue)).toMatchObject({
      state: 'opened',
      systemNotes: [`${ada.username}: mentioned in commit ${sha}`],
    })
  })

  it('ignores what the author may not read', async () => {
    const world = await buildWorld(10)
    const issue = await open(world.project, { confidential: true })
    await push(world, `Fixes #${issue.iid}`)
    expect(await read(issue)).toMatchObject({ state: 'opened', systemNotes: [] })
  })

  it('closes issues of other projects', async () => {
    const [world, other] = [await buildWorld(), await server.buildProject({ visibility: 'public' })]
    await server.addMember(`projects/${other.id}`, ada.id, 20)
    const [one, two] = [await open(other), await open(other)]
    const path = other.path_with_namespace
    const sha = await push(world, `Fixes ${path}#${one.iid}, see ${two.web_url}`)
    const here = world.project.path_with_namespace
    expect((await read(one)).systemNotes).toEqual([
      `${ada.username}: closed via commit ${here}@${sha}`,
    ])
    expect((await read(two)).systemNotes).toEqual([
      `${ada.username}: mentioned in commit ${here}@${sha}`,
    ])
  })

  it('does not close issues of the project that it was forked from', async () => {
    const world = await buildWorld()
    const issue = await open(world.project)
    const fork = await server.buildProject({ visibility: 'public' })
    await server.app.db.run('test.fork', { id: fork.id, from: world.project.id }, (db, $) =>
      db
        .updateTable('projects')
        .set({ forkedFromProjectId: $('from') })
        .where('id', '=', $('id')),
    )
    await server.addMember(`projects/${fork.id}`, ada.id, 30)
    const own = await open(fork)
    const forked = await buildRepositoryWorld(server, {}, world.tree)
    const remote = forked.remote.replace(
      forked.project.path_with_namespace,
      fork.path_with_namespace,
    )
    await world.git('push', remote, 'main')
    await server.runJobs()
    const path = world.project.path_with_namespace
    await world.commitTo('main', { 'f.txt': 'x' }, `Fixes ${path}#${issue.iid}, #${own.iid}`)
    await world.git('push', remote, 'main')
    await server.runJobs()
    expect([(await read(issue)).state, (await read(own)).state]).toEqual(['opened', 'closed'])
  })

  it('ignores references in code', async () => {
    const world = await buildWorld()
    const issue = await open(world.project)
    await push(world, `Change\n\n\`Fixes #${issue.iid}\``)
    expect(await read(issue)).toMatchObject({ state: 'opened', systemNotes: [] })
  })

  it('processes a commit of another branch when it reaches the default branch', async () => {
    const world = await buildWorld()
    const issue = await open(world.project)
    const sha = await push(world, `Fixes #${issue.iid}`, 'topic')
    await world.mergeInto('main', 'topic')
    await world.push('main')
    await server.runJobs()
    expect((await read(issue)).systemNotes).toEqual([
      `${ada.username}: mentioned in commit ${sha}`,
      `${ada.username}: closed via commit ${sha}`,
    ])
  })

  it('closes nothing with the first push to an empty repository', async () => {
    const world = await buildRepositoryWorld(server, { visibility: 'public' })
    await server.addMember(`projects/${world.project.id}`, ada.id, 40)
    const issue = await open(world.project)
    await push(world, `Fixes #${issue.iid}`)
    expect(await read(issue)).toMatchObject({ state: 'opened', systemNotes: [] })
    await push(world, `Resolves #${issue.iid}`)
    expect((await read(issue)).state).toBe('closed')
  })

  it('processes no commit twice', async () => {
    const world = await buildWorld()
    const [issue, named] = [await open(world.project), await open(world.project)]
    const before = await world.git('rev-parse', 'HEAD')
    const sha = await push(world, `Fixes #${issue.iid}, see #${named.iid}`)
    const { token } = server.root
    const path = `/projects/${world.project.id}/issues/${issue.iid}`
    await server.inject('PUT', path, { token, body: { state_event: 'reopen' } })
    const recorded = {
      key: 'again',
      projectId: world.project.id,
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
    const world = await buildWorld()
    const gone = { before: '1'.repeat(40), after: '2'.repeat(40) }
    const recorded = {
      key: 'gone',
      projectId: world.project.id,
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
    const world = await buildWorld()
    const issue = await open(world.project)
    await push(world, `Fixes #${issue.iid}`)
    const second = await push(world, `Fixes #${issue.iid} again`)
    const { systemNotes } = await read(issue)
    expect(systemNotes).toHaveLength(2)
    expect(systemNotes[1]).toBe(`${ada.username}: mentioned in commit ${second}`)
  })
})
