import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { findBranch, updateRef } from '@stithy/git'
import { findRepository, listPushJournals } from '@stithy/store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { deleteUser } from '../../testing/delete-user.ts'
import { buildWorkTree, commit, git, mustGit, remoteUrl } from '../../testing/git/git-client.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'
import { reconcilePushes } from './push.jobs.ts'
import { recordPush } from './push.service.ts'
import { journalPush } from './push-journal.ts'

let server: TestServer
let base: string

beforeAll(async () => {
  server = await buildTestServer()
  base = await server.url()
})
afterAll(() => server.close())

const leaseMs = 3 * 60_000

interface Pushed {
  project: Json
  tree: string
  remote: string
  first: string
}

async function pushed(): Promise<Pushed> {
  const project = await server.buildProject()
  const tree = await buildWorkTree()
  const { username, token } = server.root
  const remote = remoteUrl(base, project.path_with_namespace, username, token)
  await mustGit(tree, 'push', remote, 'main')
  return { project, tree, remote, first: await mustGit(tree, 'rev-parse', 'HEAD') }
}

async function events(project: Json): Promise<Json[]> {
  const query = 'action=pushed'
  const { token } = server.root
  const path = `/projects/${project.id}/events`
  return (await server.inject('GET', path, { token, query })).body
}

async function repository(project: Json) {
  const row = await findRepository(server.app.db, project.id)
  if (row === undefined) throw new Error('the project is gone')
  return repositoryOf(server.app, row)
}

/** A push that git accepted, whose server died before it was recorded. */
async function crashedPush({ project, tree, remote, first }: Pushed, userId = 1): Promise<string> {
  const second = await commit(tree, {}, 'Second')
  await mustGit(tree, 'push', remote, 'HEAD:refs/heads/carrier')
  const updates = [{ ref: 'refs/heads/main', before: first, after: second }]
  const pendingPush = await journalPush(server.app, { projectId: project.id, userId, updates })
  await updateRef(server.app.git, await repository(project), 'refs/heads/main', second, first)
  pendingPush.release()
  return second
}

const isMain = (event: Json) => event.push_data.ref === 'main'

describe('an interrupted push', () => {
  it('is recorded later, exactly once', async () => {
    const pushedProject = await pushed()
    const second = await crashedPush(pushedProject)
    expect((await events(pushedProject.project)).filter(isMain)).toHaveLength(1)
    server.advance(leaseMs)
    await server.runJobs()
    await server.runJobs()
    const found = (await events(pushedProject.project)).filter(isMain)
    expect(found).toHaveLength(2)
    expect(found[0].push_data).toMatchObject({
      commit_to: second,
      commit_from: pushedProject.first,
    })
    expect(await listPushJournals(server.app.db)).toEqual([])
  })

  it('is recorded immediately when the only server starts again', async () => {
    const pushedProject = await pushed()
    await crashedPush(pushedProject)
    await reconcilePushes(server.app)
    await server.runJobs()
    expect((await events(pushedProject.project)).filter(isMain)).toHaveLength(2)
  })

  it('is recorded even if another push followed it', async () => {
    const pushedProject = await pushed()
    const second = await crashedPush(pushedProject)
    const third = await commit(pushedProject.tree, {}, 'Third')
    await mustGit(pushedProject.tree, 'push', pushedProject.remote, 'main')
    server.advance(leaseMs)
    await server.runJobs()
    const moves = (await events(pushedProject.project))
      .filter(isMain)
      .map((event) => event.push_data)
    expect(moves).toContainEqual(expect.objectContaining({ commit_to: second }))
    expect(moves).toContainEqual(expect.objectContaining({ commit_from: second, commit_to: third }))
    expect(moves).toHaveLength(3)
  })

  it('is recorded for the ghost user if its user was deleted', async () => {
    const pushedProject = await pushed()
    const user = await server.buildUser()
    const second = await crashedPush(pushedProject, user.id)
    await deleteUser(server, user.id)
    await reconcilePushes(server.app)
    await server.runJobs()
    const [event] = (await events(pushedProject.project)).filter(isMain)
    expect(event).toMatchObject({ author_username: 'ghost', push_data: { commit_to: second } })
    expect(await listPushJournals(server.app.db)).toEqual([])
  })

  it('records nothing when no ref moved', async () => {
    const { project, first } = await pushed()
    const updates = [{ ref: 'refs/heads/main', before: first, after: 'c'.repeat(40) }]
    const pendingPush = await journalPush(server.app, { projectId: project.id, userId: 1, updates })
    pendingPush.release()
    server.advance(leaseMs)
    await server.runJobs()
    expect(await events(project)).toHaveLength(1)
    expect(await listPushJournals(server.app.db)).toEqual([])
  })

  it('is left alone while it is in progress', async () => {
    const { project, first } = await pushed()
    const updates = [{ ref: 'refs/heads/main', before: null, after: first }]
    const pendingPush = await journalPush(server.app, { projectId: project.id, userId: 1, updates })
    server.advance(leaseMs)
    await server.runJobs()
    expect(await events(project)).toHaveLength(1)
    expect(await listPushJournals(server.app.db)).toHaveLength(1)
    await pendingPush.discard()
    expect(await listPushJournals(server.app.db)).toEqual([])
  })

  it('is recorded once when the push and the job run concurrently', async () => {
    const pushedProject = await pushed()
    const second = await crashedPush(pushedProject)
    const [journal] = await listPushJournals(server.app.db)
    const updates = [{ ref: 'refs/heads/main', before: pushedProject.first, after: second }]
    const push = {
      projectId: pushedProject.project.id,
      userId: 1,
      updates,
      journalId: journal?.id ?? 0,
    }
    await Promise.all([recordPush(server.app, push), recordPush(server.app, push)])
    expect((await events(pushedProject.project)).filter(isMain)).toHaveLength(2)
  })
})

describe('a connection that drops during a push', () => {
  it('leaves the repository as it was', async () => {
    const { project, first } = await pushed()
    const line = `${first} ${'d'.repeat(40)} refs/heads/main\0 report-status side-band-64k`
    const head = `${(line.length + 4).toString(16).padStart(4, '0')}${line}0000`
    // One blob of a megabyte, of which a few kilobytes are sent.
    const start = Buffer.from([0, 0, 0, 2, 0, 0, 0, 1, 0xb0, 0x80, 0x80, 0x02])
    const pack = Buffer.concat([Buffer.from('PACK'), start, deflateSync(randomBytes(2 ** 20))])
    const { hostname, port } = new URL(base)
    const socket = connect(Number(port), hostname)
    const request = [
      `POST /${project.path_with_namespace}.git/git-receive-pack HTTP/1.1`,
      `Host: ${hostname}`,
      `Authorization: Basic ${btoa(`root:${server.root.token}`)}`,
      'Content-Type: application/x-git-receive-pack-request',
      'Content-Length: 1000000',
      '',
      head,
    ]
    socket.write(Buffer.concat([Buffer.from(request.join('\r\n')), pack.subarray(0, 5000)]))
    const { path } = await repository(project)
    const quarantines = async () => {
      const names = await readdir(join(path, 'objects'))
      return names.filter((name) => name.startsWith('tmp_objdir-'))
    }
    await expect.poll(quarantines).toHaveLength(1)
    socket.destroy()
    await expect.poll(quarantines).toEqual([])
    expect(await listPushJournals(server.app.db)).toEqual([])
    const branch = await findBranch(server.app.git, { path }, 'main')
    expect(branch?.oid).toBe(first)
    expect(await events(project)).toHaveLength(1)
  })
})

describe('concurrent pushes', () => {
  it('are all accepted and recorded, and give an empty project one default branch', async () => {
    const project = await server.buildProject()
    const { username, token } = server.root
    const remote = remoteUrl(base, project.path_with_namespace, username, token)
    const tree = await buildWorkTree()
    const names = Array.from({ length: 6 }, (_, i) => `b${i}`)
    const results = await Promise.all(
      names.map((name) => git(tree, 'push', remote, `main:refs/heads/${name}`)),
    )
    expect(results.map(({ code }) => code)).toEqual(names.map(() => 0))
    const refs = (await events(project)).map((event) => event.push_data.ref)
    expect(refs.toSorted()).toEqual(names)
    const row = await findRepository(server.app.db, project.id)
    const { stdout } = await git(tree, 'ls-remote', '--symref', remote, 'HEAD')
    expect(stdout).toContain(`ref: refs/heads/${row?.defaultBranch}\tHEAD`)
  })
})
