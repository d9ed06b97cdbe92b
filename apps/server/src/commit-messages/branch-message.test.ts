import { findRepository } from '@stithy/store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recordPush } from '../pushes/push.service.ts'
import { repositoryOf } from '../repositories/repository.service.ts'
import { buildWorkPlace } from '../testing/git/work-place.ts'
import { buildMessageWorld, type MessageWorld } from '../testing/worlds/commit-messages.ts'

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
    server.advance(11_000)
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

  it('remarks once on a commit that two pushes bring at once', async () => {
    const { app, root } = server
    const place = await buildPlace()
    const issue = await open(place.project)
    const sha = await place.commitTo('topic', { 'a.txt': 'at once' }, `See #${issue.iid}`)
    const { id: projectId } = place.project
    const repository = await findRepository(app.db, projectId)
    if (repository === undefined) throw new Error('no repository')
    // The second push has moved its branch, and is recorded once the first one is done.
    await place.git('push', repositoryOf(app, repository).path, 'topic:second')
    await place.push('topic:first')
    await server.runJobs()
    const update = { ref: 'refs/heads/second', before: null, after: sha }
    await recordPush(app, { projectId, userId: root.id, updates: [update] })
    await server.runJobs()
    expect((await read(issue)).remarks).toEqual([`${ada.username}: mentioned in commit ${sha}`])
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
