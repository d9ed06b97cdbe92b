import { mkdirSync, readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { findRepository } from '@stithy/store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { commit, mustGit, newFolder, pushedProject } from '../../testing/git/git-client.ts'
import { unrecordedJob } from '../../testing/jobs.ts'
import { setSettings } from '../../testing/settings.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'
import { sweepRepositoriesJob } from './housekeeping.jobs.ts'

let server: TestServer

beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

async function folderOf(project: Json): Promise<string> {
  const row = await findRepository(server.app.db, project.id)
  if (row === undefined) throw new Error('the project is gone')
  return repositoryOf(server.app, row).path
}

/** The number of packs, of which every push with new objects adds one. */
async function packs(project: Json): Promise<number> {
  const files = readdirSync(join(await folderOf(project), 'objects', 'pack'))
  return files.filter((name) => name.endsWith('.pack')).length
}

/** Pushes a commit a time. */
async function pushCommits(tree: string, remote: string, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    await commit(tree, { 'a.txt': `${index}\n` }, `Commit ${index}`)
    await mustGit(tree, 'push', '--quiet', remote, 'main')
  }
}

async function waiting(): Promise<number> {
  const rows = await server.app.db.all('test.waiting', {}, (db) =>
    db
      .selectFrom('jobs')
      .select('id')
      .where('kind', '=', 'repository.housekeep')
      .where('state', '=', 'queued'),
  )
  return rows.length
}

async function setPushCount(project: Json, pushCount: number): Promise<void> {
  await server.app.db.run('test.count', { id: project.id, pushCount }, (db, $) =>
    db
      .updateTable('repositoryHousekeeping')
      .set({ pushCount: $('pushCount') })
      .where('projectId', '=', $('id')),
  )
}

const start = (project: Json, token = server.root.token) =>
  server.inject('POST', `/projects/${project.id}/housekeeping`, { token })

describe('POST /projects/:id/housekeeping', () => {
  it('packs the repository in the background', async () => {
    const { project, tree, remote } = await pushedProject(server)
    await pushCommits(tree, remote, 2)
    await server.runJobs()
    expect(await packs(project)).toBe(3)
    const answer = await start(project)
    expect([answer.status, answer.text]).toEqual([201, ''])
    await server.runJobs()
    expect(await packs(project)).toBe(1)
    const tip = await commit(tree, { 'a.txt': 'a\n' }, 'After')
    await mustGit(tree, 'push', remote, 'main')
    const where = `/projects/${project.id}/repository/commits/${tip}`
    const shown = await server.inject('GET', where, { token: server.root.token })
    expect(shown.body.title).toBe('After')
    await mustGit(await newFolder(), 'clone', '--quiet', remote, 'copy')
  })

  it('returns 409 while it is in progress, and 201 afterwards', async () => {
    const { project } = await pushedProject(server)
    expect((await start(project)).status).toBe(201)
    const refused = await start(project)
    expect(refused.status).toBe(409)
    expect(refused.body.message).toMatch(/in progress/)
    const both = await Promise.all([start(project), start(project)])
    expect(both.map(({ status }) => status)).toEqual([409, 409])
    await server.runJobs()
    const race = await Promise.all([start(project), start(project), start(project)])
    expect(race.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
    await server.runJobs()
  })

  it('returns 403 below Maintainer, 404 to non-members, and 401 without a token', async () => {
    const { project } = await pushedProject(server)
    const developer = await server.buildUser()
    await server.addMember(`projects/${project.id}`, developer.id, 30)
    const stranger = await server.buildUser()
    expect((await start(project, developer.token)).status).toBe(403)
    expect((await start(project, stranger.token)).status).toBe(404)
    expect((await server.inject('POST', `/projects/${project.id}/housekeeping`)).status).toBe(401)
    await server.addMember(`projects/${project.id}`, stranger.id, 40)
    expect((await start(project, stranger.token)).status).toBe(201)
    await server.runJobs()
  })

  it('measures the size of the repository again', async () => {
    const { project } = await pushedProject(server)
    await server.runJobs()
    await server.app.db.run('test.size', { id: project.id }, (db, $) =>
      db
        .updateTable('projectStatistics')
        .set({ repositorySize: 1 })
        .where('projectId', '=', $('id')),
    )
    await start(project)
    await server.runJobs()
    const { body } = await server.inject('GET', `/projects/${project.id}`, {
      token: server.root.token,
      query: 'statistics=true',
    })
    expect(body.statistics.repository_size).toBeGreaterThan(1000)
  })
})

describe('pushes', () => {
  it('enqueue housekeeping after every tenth, once', async () => {
    const { project, tree, remote } = await pushedProject(server)
    await pushCommits(tree, remote, 4)
    expect(await packs(project)).toBe(5)
    await setPushCount(project, 8)
    await mustGit(tree, 'push', remote, 'main:b8')
    expect(await waiting()).toBe(0)
    await mustGit(tree, 'push', remote, 'main:b9')
    expect(await waiting()).toBe(1)
    await setPushCount(project, 19)
    await mustGit(tree, 'push', remote, 'main:b10')
    expect(await waiting()).toBe(1)
    await server.runJobs()
    expect(await packs(project)).toBeLessThan(3)
  })

  it('through the API count as well', async () => {
    const { project } = await pushedProject(server)
    await setPushCount(project, 9)
    const where = `/projects/${project.id}/repository/branches`
    const body = { branch: 'by-api', ref: 'main' }
    const made = await server.inject('POST', where, { token: server.root.token, body })
    expect(made.status).toBe(201)
    expect(await waiting()).toBe(1)
    await server.runJobs()
  })

  it('repack everything after two hundred', async () => {
    const { project, tree, remote } = await pushedProject(server)
    await setPushCount(project, 199)
    await mustGit(tree, 'push', remote, 'main:last')
    await server.runJobs()
    const packs = readdirSync(join(await folderOf(project), 'objects', 'pack'))
    expect(packs.some((name) => name.endsWith('.bitmap'))).toBe(true)
    const [row] = await server.app.db.all('test.counted', { id: project.id }, (db, $) =>
      db.selectFrom('repositoryHousekeeping').select('pushCount').where('projectId', '=', $('id')),
    )
    expect(row?.pushCount).toBe(0)
  })
})

describe('the settings of housekeeping', () => {
  it('say after how many pushes it runs, and whether', async () => {
    const { project, tree, remote } = await pushedProject(server)
    await server.runJobs()
    const before = await waiting()
    await setSettings(server, {
      housekeeping_incremental_repack_period: 3,
      housekeeping_full_repack_period: 3,
    })
    await setPushCount(project, 2)
    await pushCommits(tree, remote, 1)
    expect(await waiting()).toBe(before + 1)
    await server.runJobs()
    await setSettings(server, { housekeeping_enabled: false })
    await setPushCount(project, 2)
    await pushCommits(tree, remote, 1)
    expect(await waiting()).toBe(0)
    await setSettings(server, { housekeeping_enabled: true })
  })

  it('say after how many pushes everything is repacked', async () => {
    const { project, tree, remote } = await pushedProject(server)
    await setSettings(server, { housekeeping_gc_period: 5 })
    await setPushCount(project, 5)
    await pushCommits(tree, remote, 1)
    expect(await waiting()).toBe(1)
    await server.runJobs()
    expect(await packs(project)).toBe(1)
    const counted = await server.app.db.first('test.counted', { id: project.id }, (db, $) =>
      db.selectFrom('repositoryHousekeeping').select('pushCount').where('projectId', '=', $('id')),
    )
    expect(counted?.pushCount).toBe(0)
    await setSettings(server, {
      housekeeping_incremental_repack_period: 10,
      housekeeping_full_repack_period: 50,
      housekeeping_gc_period: 200,
    })
  })
})

describe('the cleanup of repositories', () => {
  it('removes the quarantine of a push that died a day ago, and no newer one', async () => {
    const { project } = await pushedProject(server)
    const objects = join(await folderOf(project), 'objects')
    for (const [name, age] of [
      ['old', 2 * 86_400],
      ['new', 60],
    ] as const) {
      const path = join(objects, `tmp_objdir-incoming-${name}`)
      mkdirSync(path)
      const then = Date.now() / 1000 - age
      utimesSync(path, then, then)
    }
    await sweepRepositoriesJob.run(server.app, null, new AbortController().signal, unrecordedJob)
    const left = readdirSync(objects).filter((name) => name.startsWith('tmp_objdir'))
    expect(left).toEqual(['tmp_objdir-incoming-new'])
  })
})
