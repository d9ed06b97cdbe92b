/**
 * What holds of writes to wikis, whatever else happens at the same time:
 * - a write that another one overtook is planned again on top of it, and gives up after a while
 * - a write or push that a crash cut off after the branch moved is recorded later, exactly once
 * - nothing is left of a wiki whose project is deleted meanwhile
 */
import { existsSync } from 'node:fs'
import { DomainError } from '@stithy/core'
import { commitFiles, createCommit, removeRepository, updateRef } from '@stithy/git'
import { findRepository, listPushJournals, readPushCount } from '@stithy/store'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { actingUser } from '../../directory/authentication/acting-user.ts'
import { loadProject } from '../../directory/projects/project-subject.ts'
import { created } from '../../testing/clients/calls.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'
import { journalPush } from '../pushes/push-journal.ts'
import { recordWikiPush } from './wiki-record.service.ts'
import { ensureWikiRepository, openWiki, type Wiki, wikiRepositoryOf } from './wiki-repository.ts'
import { type WikiWriter, writeWiki } from './wiki-write.service.ts'

let server: TestServer
let project: Json
let writer: WikiWriter

const leaseMs = 3 * 60_000
const author = { name: 'Other', email: 'other@example.com' }

beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

beforeEach(async () => {
  project = await server.buildProject()
  const caller = await actingUser(server.app, server.root.id)
  if (caller === undefined) throw new Error('no user')
  const subject = await loadProject(server.app, String(project.id), caller)
  if (subject === undefined) throw new Error('no project')
  writer = { caller, subject }
})

const list = async (): Promise<string[]> => {
  const { token } = server.root
  const { body } = await server.inject('GET', `/projects/${project.id}/wikis`, { token })
  return body.map(({ slug }: Json) => slug)
}

/** Commits a page as another server does, which waits for nobody. */
function overtake({ repository, branch, head }: Wiki, name: string): Promise<string> {
  const files = [{ path: `${name}.md`, content: Buffer.from(name) }]
  const { git } = server.app
  return commitFiles(git, repository, { branch, parent: head, files, message: name, author })
}

const planOf = (path: string) => ({
  changes: [{ kind: 'write' as const, path, content: Buffer.from('x') }],
  message: 'x',
  result: path,
})

describe('a write that another one overtook', () => {
  it('is planned again, and loses nothing', async () => {
    await ensureWikiRepository(server.app, writer.subject.row)
    let plans = 0
    await writeWiki(server.app, writer, {
      async plan(wiki) {
        plans += 1
        if (plans <= 3) await overtake(wiki, `other-${plans}`)
        return planOf('mine.md')
      },
    })
    expect(plans).toBe(4)
    expect(await list()).toEqual(['mine', 'other-1', 'other-2', 'other-3'])
    expect(await listPushJournals(server.app.db)).toEqual([])
  })

  it('is refused with 409 if that never ends', async () => {
    await ensureWikiRepository(server.app, writer.subject.row)
    let plans = 0
    const write = writeWiki(server.app, writer, {
      async plan(wiki) {
        plans += 1
        await overtake(wiki, `other-${plans}`)
        return planOf('mine.md')
      },
    })
    await expect(write).rejects.toMatchObject({ code: 'conflict' })
    expect(await list()).not.toContain('mine')
  })
})

describe('a write that a crash cut off', () => {
  async function crashed(move: boolean): Promise<void> {
    const repository = await ensureWikiRepository(server.app, writer.subject.row)
    const { git } = server.app
    const changes = planOf('crashed.md').changes
    const after = await createCommit(git, repository, {
      parents: [],
      changes,
      message: 'x',
      author,
    })
    const ref = 'refs/heads/main'
    const updates = [{ ref, before: null, after }]
    const pending = await journalPush(server.app, {
      projectId: project.id,
      userId: server.root.id,
      updates,
      isWiki: true,
    })
    if (move) await updateRef(git, repository, ref, after)
    pending.release()
  }

  const wikiSize = async (): Promise<number> => {
    const { token } = server.root
    const path = `/projects/${project.id}`
    const { body } = await server.inject('GET', path, { token, query: 'statistics=true' })
    return body.statistics.wiki_size
  }

  it('is recorded later, with its branch as that of the pages', async () => {
    await crashed(true)
    expect(await list()).toEqual([])
    server.advance(leaseMs)
    await server.runJobs()
    expect(await list()).toEqual(['crashed'])
    expect(await wikiSize()).toBeGreaterThan(0)
    expect(await listPushJournals(server.app.db)).toEqual([])
    const { body } = await server.inject('GET', `/projects/${project.id}/events`, {
      token: server.root.token,
    })
    expect(body.filter((event: Json) => event.push_data !== undefined)).toEqual([])
  })

  it('is recorded once, whoever is first', async () => {
    const repository = await ensureWikiRepository(server.app, writer.subject.row)
    const { git, db } = server.app
    const { changes } = planOf('once.md')
    const after = await createCommit(git, repository, {
      parents: [],
      changes,
      message: 'x',
      author,
    })
    const updates = [{ ref: 'refs/heads/master', before: null, after }]
    const push = { projectId: project.id, userId: server.root.id, updates, isWiki: true }
    const pending = await journalPush(server.app, push)
    await updateRef(git, repository, 'refs/heads/master', after)
    pending.release()
    const record = () => recordWikiPush(server.app, { ...push, journalId: pending.id })
    await Promise.all([record(), record()])
    await record()
    expect(await readPushCount(db, project.id)).toBe(1)
  })

  it('is recorded even if another write followed it', async () => {
    await crashed(true)
    const wiki = await openWiki(server.app, writer.subject.row, 'main')
    await overtake(wiki, 'later')
    server.advance(leaseMs)
    await server.runJobs()
    expect(await list()).toEqual(['crashed', 'later'])
  })

  it('is forgotten if nothing moved', async () => {
    await crashed(false)
    server.advance(leaseMs)
    await server.runJobs()
    expect(await list()).toEqual([])
    expect(await wikiSize()).toBe(0)
    expect(await listPushJournals(server.app.db)).toEqual([])
  })

  it('is forgotten with its project', async () => {
    await crashed(true)
    await server.inject('DELETE', `/projects/${project.id}`, { token: server.root.token })
    server.advance(leaseMs)
    await server.runJobs()
    expect(await listPushJournals(server.app.db)).toEqual([])
    expect(existsSync(wikiRepositoryOf(server.app, writer.subject.row).path)).toBe(false)
  })
})

describe('a write to the wiki of a project that is deleted meanwhile', () => {
  const remove = async () => {
    await server.inject('DELETE', `/projects/${project.id}`, { token: server.root.token })
    await server.runJobs()
    expect(await findRepository(server.app.db, project.id)).toBeUndefined()
  }

  it('leaves no new repository', async () => {
    const write = writeWiki(server.app, writer, {
      async plan() {
        await remove()
        return planOf('a.md')
      },
    })
    await expect(write).rejects.toMatchObject({ code: 'not_found' })
    expect(existsSync(wikiRepositoryOf(server.app, writer.subject.row).path)).toBe(false)
  })

  it('leaves nothing, at whatever moment it is deleted', async () => {
    const { path } = wikiRepositoryOf(server.app, writer.subject.row)
    const writes = Array.from({ length: 8 }, (_, index) =>
      writeWiki(server.app, writer, { plan: async () => planOf(`${index}.md`) }),
    )
    await writes[0]
    const [, ...results] = await Promise.allSettled([remove(), ...writes])
    expect(results[0]?.status).toBe('fulfilled')
    expect(existsSync(path)).toBe(false)
  })

  it('is answered with 404 when it is deleted just before the branch moves', async () => {
    const path = `/projects/${project.id}/wikis`
    await created(server, path, { title: 'a', content: 'x' })
    const { spawner } = server.app.git.parts
    const start = spawner.start.bind(spawner)
    const spy = vi.spyOn(spawner, 'start').mockImplementation(async (options) => {
      if (options.args.includes('update-ref')) {
        spy.mockRestore()
        await remove()
      }
      return start(options)
    })
    const { token } = server.root
    const body = { title: 'b', content: 'x' }
    const { status } = await server.inject('POST', path, { token, body })
    expect(status).toBe(404)
    expect(existsSync(wikiRepositoryOf(server.app, writer.subject.row).path)).toBe(false)
    server.advance(leaseMs)
    await server.runJobs()
    expect(await listPushJournals(server.app.db)).toEqual([])
  })

  it('leaves nothing of the repository either', async () => {
    const { path } = await ensureWikiRepository(server.app, writer.subject.row)
    await created(server, `/projects/${project.id}/wikis`, { title: 'a', content: 'x' })
    const write = writeWiki(server.app, writer, {
      async plan() {
        await remove()
        return planOf('b.md')
      },
    })
    await expect(write).rejects.toBeInstanceOf(DomainError)
    expect(existsSync(path)).toBe(false)
    await removeRepository(server.app.git, { path })
  })
})
