import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildWorkPlace } from '../testing/git/work-place.ts'
import type { Json } from '../testing/test-server.ts'
import { buildMessageWorld, type MessageWorld } from '../testing/worlds/commit-messages.ts'
import { readCommitMessages } from './commit-message.service.ts'

let ada: MessageWorld['ada']
let buildPlace: MessageWorld['buildPlace']
let open: MessageWorld['open']
let push: MessageWorld['push']
let read: MessageWorld['read']
let server: MessageWorld['server']
beforeAll(async () => {
  ;({ ada, buildPlace, open, push, read, server } = await buildMessageWorld())
})
afterAll(() => server.close())

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
    await place.commitTo('main', { 'b.txt': 'of nobody' }, 'x')
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
