import { listVersionCommits } from '@stithy/store'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  buildRepositoryFixture,
  type RepositoryFixture,
} from '../../testing/git/repository-fixture.ts'
import { readEvents, readRequest, readVersions, remoteHead } from '../../testing/merge-requests.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let parent: RepositoryFixture
let fork: RepositoryFixture
let first: string
let request: { id: number; iid: number }

beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  parent = await buildRepositoryFixture(server, { visibility: 'public' })
  await parent.push('main')
  fork = await buildRepositoryFixture(server, { visibility: 'public' }, parent.tree)
  first = await fork.commitTo('topic', { 'f.txt': 'f\n' }, 'Fork')
  await fork.push('main', 'topic')
  request = await server.buildMergeRequest(fork.project, 'topic', 'main', {
    targetProjectId: parent.project.id,
    allowCollaboration: true,
  })
})

const show = () => readRequest(server, request.id)
const list = async ({ project }: RepositoryFixture, sha: string) => {
  const path = `/projects/${project.id}/repository/commits/${sha}/merge_requests`
  return server.inject('GET', path, { token: server.root.token })
}

describe('a merge request from a fork by who may not read the code of the target', () => {
  it('neither shows that code nor brings it to the fork', async () => {
    const user = await server.buildUser()
    const hidden = await buildRepositoryFixture(server, { visibility: 'private' })
    await hidden.commitTo('main', { 'secret.txt': 'secret\n' }, 'Secret')
    await hidden.push('main')
    await server.addMember(`projects/${hidden.project.id}`, user.id, 10)
    const own = await buildRepositoryFixture(server)
    await server.addMember(`projects/${own.project.id}`, user.id, 40)
    await own.git('checkout', '--quiet', '--orphan', 'alone')
    await own.git('commit', '--quiet', '--message', 'Alone')
    await own.push('alone')
    const { iid } = await server.buildMergeRequest(own.project, 'alone', 'main', {
      targetProjectId: hidden.project.id,
      authorId: user.id,
    })
    const path = `/projects/${hidden.project.id}/merge_requests/${iid}`
    const { token } = user
    const { status, text } = await server.inject('GET', `${path}/changes`, { token })
    expect(status).toBe(200)
    expect(text).not.toContain('secret')
    expect((await server.inject('PUT', `${path}/rebase`, { token })).status).toBe(403)
  })
})

describe('a merge request from a fork', () => {
  it('has a version for each of several pushes in a row, also if they lose commits', async () => {
    await server.runJobs()
    const heads = [first, await fork.commitTo('topic', { 'f.txt': 'g\n' }, 'Second')]
    await fork.push('topic')
    await fork.git('checkout', '--quiet', '-B', 'topic', 'main')
    heads.push(await fork.commitTo('topic', { 'g.txt': 'g\n' }, 'Instead'))
    await fork.push('topic')
    await server.runJobs()
    expect((await readVersions(server, request.id)).map(({ headSha }) => headSha)).toEqual(heads)
  })

  it('copies its commits to the target repository, where they can be fetched', async () => {
    expect(await remoteHead(parent, request.iid)).toBe(first)
    expect(await remoteHead(fork, request.iid)).toBe('')
    const { status, body } = await list(parent, first)
    expect(status).toBe(200)
    expect(body).toMatchObject([
      {
        project_id: parent.project.id,
        target_project_id: parent.project.id,
        source_project_id: fork.project.id,
        allow_collaboration: true,
        allow_maintainer_to_push: true,
        merge_status: 'can_be_merged',
        sha: first,
        web_url: `http://stithy.test/${parent.project.path_with_namespace}/merge_requests/1`,
      },
    ])
    // It belongs to the target project only.
    expect((await list(fork, first)).body).toEqual([])
    const events = await readEvents(server, parent.project.id, 'created')
    expect(events[0]).toMatchObject({ action_name: 'opened', target_type: 'MergeRequest' })
  })

  it('follows pushes to the fork', async () => {
    const second = await fork.commitTo('topic', { 'f.txt': 'g\n' }, 'fixup! Fork')
    await fork.push('topic')
    await server.runJobs()
    expect(await show()).toMatchObject({ headSha: second, workInProgress: 1, state: 'opened' })
    expect(await remoteHead(parent, request.iid)).toBe(second)
    const newest = (await readVersions(server, request.id)).at(-1)
    expect(await listVersionCommits(server.app.db, newest?.id ?? 0)).toEqual([second, first])
    expect((await list(parent, second)).body).toHaveLength(1)
  })

  it('is merged when its head is pushed to the target', async () => {
    const merge = await parent.mergeInto('main', 'topic')
    await parent.push('main')
    await server.runJobs()
    expect(await show()).toMatchObject({ state: 'merged', mergeCommitSha: merge })
  })

  it('is closed when its branch is deleted', async () => {
    await fork.push(':topic')
    await server.runJobs()
    expect(await show()).toMatchObject({ state: 'closed', closedById: 1 })
    expect(await remoteHead(parent, request.iid)).toBe(first)
  })

  it('is closed when the fork is deleted, and stays', async () => {
    const path = `/projects/${fork.project.id}`
    expect((await server.inject('DELETE', path, { token: server.root.token })).status).toBe(202)
    await server.runJobs()
    expect(await show()).toMatchObject({ state: 'closed', closedById: server.root.id })
    const [shown] = (await list(parent, first)).body
    expect(shown).toMatchObject({
      state: 'closed',
      source_project_id: null,
      sha: first,
      merge_status: 'cannot_be_merged',
    })
    const events = await readEvents(server, parent.project.id, 'closed')
    expect(events).toMatchObject([{ target_type: 'MergeRequest', author_id: server.root.id }])
    const one = `/projects/${parent.project.id}/merge_requests/${request.iid}`
    const { token } = server.root
    const notes = await server.inject('GET', `${one}/notes`, { token })
    expect(notes.body.map((note: Json) => note.body)).toEqual(['closed'])
    const body = { state_event: 'reopen', remove_source_branch: true, target_branch: 'other' }
    const reopened = await server.inject('PUT', one, { token, body })
    expect(reopened).toMatchObject({
      status: 200,
      body: { state: 'closed', force_remove_source_branch: false, target_branch: 'main' },
    })
  })

  it('is deleted with the target', async () => {
    const path = `/projects/${parent.project.id}`
    expect((await server.inject('DELETE', path, { token: server.root.token })).status).toBe(202)
    await server.runJobs()
    await expect(show()).rejects.toThrow()
    expect(await readVersions(server, request.id)).toEqual([])
  })
})

describe('a branch of the same name in both projects', () => {
  it('is distinguished', async () => {
    await fork.commitTo('main', { 'm.txt': 'm\n' }, 'Ahead')
    await fork.push('main')
    const { id } = await server.buildMergeRequest(fork.project, 'main', 'main', {
      targetProjectId: parent.project.id,
    })
    const more = await fork.commitTo('main', { 'm.txt': 'n\n' }, 'Further')
    await fork.push('main')
    await server.runJobs()
    expect(await readRequest(server, id)).toMatchObject({ headSha: more, state: 'opened' })
    await parent.push('main')
    await server.runJobs()
    expect(await readRequest(server, id)).toMatchObject({ state: 'merged', mergeCommitSha: null })
  })
})
