import { findRepository } from '@stithy/store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recordPush } from '../../code/pushes/push.service.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { buildMessageFixture, type MessageFixture } from '../../testing/fixtures/commit-messages.ts'
import { buildRepositoryFixture } from '../../testing/git/repository-fixture.ts'

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

describe('a push to another branch than the default one', () => {
  it('adds system notes to mentioned issues, on the push that creates the branch and on later ones', async () => {
    const fixture = await buildFixture()
    const issue = await open(fixture.project)
    const first = await push(fixture, `Fixes #${issue.iid}`, 'topic')
    const second = await push(fixture, `Closes #${issue.iid}`, 'topic')
    expect(await read(issue)).toEqual({
      state: 'opened',
      closedBy: undefined,
      systemNotes: [first, second].map((sha) => `${ada.username}: mentioned in commit ${sha}`),
    })
  })

  it('processes no commit twice, whichever branches it is pushed to', async () => {
    const fixture = await buildFixture()
    const issue = await open(fixture.project)
    const sha = await push(fixture, `See #${issue.iid}`, 'topic')
    await fixture.git('branch', 'copy', 'topic')
    await fixture.mergeInto('other', 'topic')
    await fixture.push('copy', 'other')
    await server.runJobs()
    await fixture.mergeInto('main', 'topic')
    await fixture.push('main')
    await server.runJobs()
    expect((await read(issue)).systemNotes).toEqual([`${ada.username}: mentioned in commit ${sha}`])
  })

  it('ignores commits that an existing branch contained before', async () => {
    const fixture = await buildFixture()
    await push(fixture, 'See #1 and #2', 'topic')
    server.advance(11_000)
    const [one, two] = [await open(fixture.project), await open(fixture.project)]
    const { token } = server.root
    const path = `/projects/${fixture.project.id}/repository/branches`
    const made = { branch: 'made', ref: 'topic' }
    expect((await server.inject('POST', path, { token, body: made })).status).toBe(201)
    await server.runJobs()
    await fixture.mergeInto('merged', 'topic')
    await fixture.push('merged')
    await server.runJobs()
    expect([(await read(one)).systemNotes, (await read(two)).systemNotes]).toEqual([[], []])
  })

  it('is processed late as it was, though its commits are on other branches by then', async () => {
    const fixture = await buildFixture()
    const issue = await open(fixture.project)
    const sha = await fixture.commitTo('topic', { 'a.txt': 'late' }, `See #${issue.iid}`)
    await fixture.push('topic')
    await fixture.git('branch', 'later', 'topic')
    await fixture.push('later')
    await server.runJobs()
    expect((await read(issue)).systemNotes).toEqual([`${ada.username}: mentioned in commit ${sha}`])
  })

  it('adds system notes for other branches pushed to an empty repository together with the default one', async () => {
    const fixture = await buildRepositoryFixture(server, { visibility: 'public' })
    await server.addMember(`projects/${fixture.project.id}`, ada.id, 40)
    const [one, two] = [await open(fixture.project), await open(fixture.project)]
    await fixture.commitTo('main', { 'a.txt': 'main' }, `Fixes #${one.iid}`)
    const sha = await fixture.commitTo('topic', { 'b.txt': 'topic' }, `Fixes #${two.iid}`)
    await fixture.push('main', 'topic')
    await server.runJobs()
    expect(await read(one)).toMatchObject({ state: 'opened', systemNotes: [] })
    expect(await read(two)).toMatchObject({
      state: 'opened',
      systemNotes: [`${ada.username}: mentioned in commit ${sha}`],
    })
  })

  it('adds one system note for a commit that two concurrent pushes bring', async () => {
    const { app, root } = server
    const fixture = await buildFixture()
    const issue = await open(fixture.project)
    const sha = await fixture.commitTo('topic', { 'a.txt': 'at once' }, `See #${issue.iid}`)
    const { id: projectId } = fixture.project
    const repository = await findRepository(app.db, projectId)
    if (repository === undefined) throw new Error('no repository')
    // The second push has moved its branch, and is recorded once the first one is done.
    await fixture.git('push', repositoryOf(app, repository).path, 'topic:second')
    await fixture.push('topic:first')
    await server.runJobs()
    const update = { ref: 'refs/heads/second', before: null, after: sha }
    await recordPush(app, { projectId, userId: root.id, updates: [update] })
    await server.runJobs()
    expect((await read(issue)).systemNotes).toEqual([`${ada.username}: mentioned in commit ${sha}`])
  })

  it('adds nothing for deleted branches, and for tags', async () => {
    const fixture = await buildFixture()
    const issue = await open(fixture.project)
    await fixture.commitTo('topic', { 'a.txt': 'tag' }, `See #${issue.iid}`)
    await fixture.git('tag', 'v1', 'topic')
    await fixture.push('v1')
    await server.runJobs()
    expect((await read(issue)).systemNotes).toEqual([])
    await fixture.push('main:gone')
    await fixture.git('push', fixture.remote, ':gone')
    await server.runJobs()
    expect((await read(issue)).systemNotes).toEqual([])
  })
})
