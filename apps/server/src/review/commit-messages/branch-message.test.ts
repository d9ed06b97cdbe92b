import { findRepository } from '@stithy/store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recordPush } from '../../code/pushes/push.service.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { buildRepositoryWorld } from '../../testing/git/repository-world.ts'
import { buildMessageWorld, type MessageWorld } from '../../testing/worlds/commit-messages.ts'

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

describe('a push to another branch than the default one', () => {
  it('adds system notes to mentioned issues, on the push that creates the branch and on later ones', async () => {
    const world = await buildWorld()
    const issue = await open(world.project)
    const first = await push(world, `Fixes #${issue.iid}`, 'topic')
    const second = await push(world, `Closes #${issue.iid}`, 'topic')
    expect(await read(issue)).toEqual({
      state: 'opened',
      closedBy: undefined,
      systemNotes: [first, second].map((sha) => `${ada.username}: mentioned in commit ${sha}`),
    })
  })

  it('processes no commit twice, whichever branches it is pushed to', async () => {
    const world = await buildWorld()
    const issue = await open(world.project)
    const sha = await push(world, `See #${issue.iid}`, 'topic')
    await world.git('branch', 'copy', 'topic')
    await world.mergeInto('other', 'topic')
    await world.push('copy', 'other')
    await server.runJobs()
    await world.mergeInto('main', 'topic')
    await world.push('main')
    await server.runJobs()
    expect((await read(issue)).systemNotes).toEqual([`${ada.username}: mentioned in commit ${sha}`])
  })

  it('ignores commits that an existing branch contained before', async () => {
    const world = await buildWorld()
    await push(world, 'See #1 and #2', 'topic')
    server.advance(11_000)
    const [one, two] = [await open(world.project), await open(world.project)]
    const { token } = server.root
    const path = `/projects/${world.project.id}/repository/branches`
    const made = { branch: 'made', ref: 'topic' }
    expect((await server.inject('POST', path, { token, body: made })).status).toBe(201)
    await server.runJobs()
    await world.mergeInto('merged', 'topic')
    await world.push('merged')
    await server.runJobs()
    expect([(await read(one)).systemNotes, (await read(two)).systemNotes]).toEqual([[], []])
  })

  it('is processed late as it was, though its commits are on other branches by then', async () => {
    const world = await buildWorld()
    const issue = await open(world.project)
    const sha = await world.commitTo('topic', { 'a.txt': 'late' }, `See #${issue.iid}`)
    await world.push('topic')
    await world.git('branch', 'later', 'topic')
    await world.push('later')
    await server.runJobs()
    expect((await read(issue)).systemNotes).toEqual([`${ada.username}: mentioned in commit ${sha}`])
  })

  it('adds system notes for other branches pushed to an empty repository beside the default one', async () => {
    const world = await buildRepositoryWorld(server, { visibility: 'public' })
    await server.addMember(`projects/${world.project.id}`, ada.id, 40)
    const [one, two] = [await open(world.project), await open(world.project)]
    await world.commitTo('main', { 'a.txt': 'main' }, `Fixes #${one.iid}`)
    const sha = await world.commitTo('topic', { 'b.txt': 'topic' }, `Fixes #${two.iid}`)
    await world.push('main', 'topic')
    await server.runJobs()
    expect(await read(one)).toMatchObject({ state: 'opened', systemNotes: [] })
    expect(await read(two)).toMatchObject({
      state: 'opened',
      systemNotes: [`${ada.username}: mentioned in commit ${sha}`],
    })
  })

  it('adds one system note for a commit that two concurrent pushes bring', async () => {
    const { app, root } = server
    const world = await buildWorld()
    const issue = await open(world.project)
    const sha = await world.commitTo('topic', { 'a.txt': 'at once' }, `See #${issue.iid}`)
    const { id: projectId } = world.project
    const repository = await findRepository(app.db, projectId)
    if (repository === undefined) throw new Error('no repository')
    // The second push has moved its branch, and is recorded once the first one is done.
    await world.git('push', repositoryOf(app, repository).path, 'topic:second')
    await world.push('topic:first')
    await server.runJobs()
    const update = { ref: 'refs/heads/second', before: null, after: sha }
    await recordPush(app, { projectId, userId: root.id, updates: [update] })
    await server.runJobs()
    expect((await read(issue)).systemNotes).toEqual([`${ada.username}: mentioned in commit ${sha}`])
  })

  it('adds nothing for deleted branches, and for tags', async () => {
    const world = await buildWorld()
    const issue = await open(world.project)
    await world.commitTo('topic', { 'a.txt': 'tag' }, `See #${issue.iid}`)
    await world.git('tag', 'v1', 'topic')
    await world.push('v1')
    await server.runJobs()
    expect((await read(issue)).systemNotes).toEqual([])
    await world.push('main:gone')
    await world.git('push', world.remote, ':gone')
    await server.runJobs()
    expect((await read(issue)).systemNotes).toEqual([])
  })
})
