import { setTimeout as sleep } from 'node:timers/promises'
import { findRepository, listPushJournals } from '@stithy/store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { commit, git, mustGit, pushedProject } from '../../testing/git/git-client.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'
import { reconcilePushes } from '../pushes/push.jobs.ts'
import { journalPush } from '../pushes/push-journal.ts'

let server: TestServer

beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

/** The push options that jobs received, newest push last. */
async function receivedOptions(project: Json): Promise<unknown[]> {
  const rows = await server.app.db.all('test.effects', {}, (db) =>
    db
      .selectFrom('jobs')
      .select('payload')
      .where('queue', '=', 'pushes')
      .where('kind', '<>', 'push.reconcile')
      .orderBy('id'),
  )
  const payloads = rows.map(({ payload }) => JSON.parse(payload))
  return payloads.filter(({ projectId }) => projectId === project.id).map(({ options }) => options)
}

describe('git push -o', () => {
  it('accepts known and unknown options, and passes them to jobs', async () => {
    const { project, tree, remote } = await pushedProject(server)
    await commit(tree, {}, 'Two')
    const options = ['ci.skip', 'merge_request.target=main', 'unknown thing', 'ünï=code']
    const flags = options.flatMap((option) => ['-o', option])
    const { code, stderr } = await git(tree, 'push', ...flags, remote, 'main')
    expect([code, stderr.includes('remote rejected')]).toEqual([0, false])
    const received = await receivedOptions(project)
    expect(received[0]).toEqual([])
    expect(received.at(-1)).toEqual(options)
  })

  it('keeps them through a crash', async () => {
    const { project, tree, remote } = await pushedProject(server)
    const before = await mustGit(tree, 'rev-parse', 'HEAD')
    const after = await commit(tree, {}, 'Two')
    await mustGit(tree, 'push', remote, 'main:carrier')
    const row = await findRepository(server.app.db, project.id)
    if (row === undefined) throw new Error('the project is gone')
    const updates = [{ ref: 'refs/heads/main', before, after }]
    const push = { projectId: project.id, userId: 1, updates, options: ['ci.skip'] }
    const pendingPush = await journalPush(server.app, push)
    const path = repositoryOf(server.app, row).path
    await mustGit(tree, '--git-dir', path, 'update-ref', 'refs/heads/main', after, before)
    pendingPush.release()
    await reconcilePushes(server.app)
    await sleep(5)
    await server.runJobs()
    expect(await listPushJournals(server.app.db)).toEqual([])
    expect((await receivedOptions(project)).at(-1)).toEqual(['ci.skip'])
  })
})

describe('a push of very many refs', () => {
  it('is recorded with a handful of git processes', async () => {
    const { project, tree, remote } = await pushedProject(server)
    await commit(tree, {}, 'Two')
    const head = await mustGit(tree, 'rev-parse', 'HEAD')
    const names = Array.from({ length: 1500 }, (_, i) => `many/b${i}`)
    const specs = names.map((name) => `${head}:refs/heads/${name}`)
    const before = server.app.git.spawnCount
    await mustGit(tree, 'push', '--quiet', remote, ...specs)
    expect(server.app.git.spawnCount - before).toBeLessThan(15)
    const query = 'per_page=1&action=pushed'
    const { token } = server.root
    const { headers, body } = await server.inject('GET', `/projects/${project.id}/events`, {
      token,
      query,
    })
    expect(headers['x-total']).toBe('1501')
    expect(body[0].push_data).toMatchObject({ commit_count: 1, commit_title: 'Two' })
  })
})
