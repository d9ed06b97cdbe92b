import { listLanguages } from '@stithy/store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commit, mustGit, pushedProject } from '../../testing/git/git-client.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let project: Json
let tree: string
let remote: string

beforeAll(async () => {
  server = await buildTestServer()
  ;({ project, tree, remote } = await pushedProject(server))
  await commit(tree, { 'main.ts': 'export {}\n' }, 'Code')
  await mustGit(tree, 'push', remote, 'main')
  await server.runJobs()
})
afterAll(() => server.close())

const languages = () => listLanguages(server.app.db, project.id)

async function statistics(): Promise<Json> {
  const { body } = await server.inject('GET', `/projects/${project.id}`, {
    token: server.root.token,
    query: 'statistics=true',
  })
  return body.statistics
}

describe('repository statistics', () => {
  it('follow the default branch, and read its files only when it moved', async () => {
    expect(await languages()).toEqual([{ language: 'TypeScript', bytes: 10 }])
    await server.app.db.run('test.languages', { id: project.id }, (db, $) =>
      db.updateTable('projectLanguages').set({ bytes: 7 }).where('projectId', '=', $('id')),
    )
    const before = await statistics()
    await commit(tree, { 'more.ts': 'export const more = 1\n' }, 'More')
    await mustGit(tree, 'push', remote, 'HEAD:topic')
    await server.runJobs()
    expect(await languages()).toEqual([{ language: 'TypeScript', bytes: 7 }])
    const after = await statistics()
    expect(after.commit_count).toBe(before.commit_count)
    expect(after.repository_size).toBeGreaterThan(before.repository_size)
    await mustGit(tree, 'push', remote, 'HEAD:main')
    await server.runJobs()
    expect(await languages()).toEqual([{ language: 'TypeScript', bytes: 32 }])
    expect((await statistics()).commit_count).toBe(before.commit_count + 1)
  })

  it('are computed once for concurrent pushes', async () => {
    for (const name of ['a', 'b', 'c'])
      await mustGit(tree, 'push', remote, `HEAD:refs/heads/${name}`)
    const jobs = await server.app.db.all('test.refreshes', {}, (db) =>
      db
        .selectFrom('jobs')
        .select('id')
        .where('kind', '=', 'repository.refresh')
        .where('state', '=', 'queued'),
    )
    expect(jobs).toHaveLength(1)
    await server.runJobs()
  })

  it('follow writes through the API', async () => {
    const { commit_count: before } = await statistics()
    const body = {
      branch: 'main',
      content: 'x\n',
      commit_message: 'By the API',
    }
    const where = `/projects/${project.id}/repository/files/by-api.txt`
    const answer = await server.inject('POST', where, { token: server.root.token, body })
    expect(answer.status).toBe(201)
    await server.runJobs()
    expect((await statistics()).commit_count).toBe(before + 1)
  })
})
