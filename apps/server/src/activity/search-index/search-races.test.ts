/**
 * Searches, and the jobs of the index, while projects are pushed to with and without force, renamed,
 * transferred, hidden, shown and deleted. What is promised: no search fails; whoever may not read a
 * project any more finds nothing of it from the answer that hid it on; what is shown is in git; and
 * once the jobs are done, the index is as one that was made anew.
 */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { removeRepository } from '@stithy/git'
import { findProject } from '@stithy/store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { created } from '../../testing/clients/calls.ts'
import type { TestUser } from '../../testing/factories.ts'
import { engineNames, type UsedEngine, useEngine } from '../../testing/search-engine/engines.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let engine: UsedEngine
let outsider: TestUser

async function send(method: string, path: string, body?: object): Promise<Json> {
  const { token } = server.root
  const answer = await server.inject(method, path, body === undefined ? { token } : { token, body })
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
  return answer.body
}

/** The hits of a word in everything that the user may read. */
async function search(
  word: string,
  { token }: { token: string },
  scope = 'blobs',
): Promise<Json[]> {
  const query = new URLSearchParams({ scope, search: word, per_page: '100' })
  const { status, body, text } = await server.inject('GET', `/search?${query}`, { token })
  if (status !== 200) throw new Error(`${status} ${text}`)
  return body
}

/** Adds or replaces the file of a project whose name is `round`. */
function push(project: Json, round: number, values: object = {}): Promise<Json> {
  return created(server, `/projects/${project.id}/repository/commits`, {
    branch: 'main',
    commit_message: `Round ${round}`,
    actions: [{ action: 'create', file_path: `f${round}`, content: `raced in round ${round}` }],
    ...values,
  })
}

/** Repeats the work until what it accompanies has ended, and at least once. */
async function meanwhile<T>(main: Promise<T>, works: readonly (() => Promise<unknown>)[]) {
  let hasEnded = false
  const ended = main.finally(() => {
    hasEnded = true
  })
  const repeat = async (work: () => Promise<unknown>) => {
    do await work()
    while (!hasEnded)
  }
  const [result] = await Promise.all([ended, ...works.map(repeat)])
  return result
}

async function buildRacedProject(): Promise<Json> {
  const project = await server.buildProject({ visibility: 'public' })
  await push(project, 0)
  await send('DELETE', `/projects/${project.id}/protected_branches/main`)
  await send('POST', `/projects/${project.id}/repository/branches`, { branch: 'base', ref: 'main' })
  return project
}

describe.each(engineNames)('with the %s engine', (name) => {
  beforeAll(async () => {
    server = await buildTestServer()
    engine = await useEngine(server, name)
    outsider = await server.buildUser()
  })
  afterAll(async () => {
    await engine.close()
    await server.close()
  })

  it('is as git is after pushes, forced ones too, renames and transfers during jobs and searches', async () => {
    const project = await buildRacedProject()
    const values = { visibility: 'public' }
    const groups = [await server.buildGroup(values), await server.buildGroup(values)]
    const write = async () => {
      for (let round = 1; round <= 12; round += 1) {
        const forced = { start_branch: 'base', force: true }
        await push(project, round, round % 3 === 0 ? forced : {})
        await send('PUT', `/projects/${project.id}`, { path: `raced-${name}-${round}` })
        const namespace = groups[round % 2]?.id
        await send('PUT', `/projects/${project.id}/transfer`, { namespace })
      }
    }
    await meanwhile(write(), [
      () => server.runJobs(),
      () => search('raced', server.root),
      () => search('raced', outsider),
    ])
    await server.runJobs()
    await engine.refresh()
    const tree = await send('GET', `/projects/${project.id}/repository/tree?per_page=100`)
    const paths = tree.map((entry: Json) => entry.path)
    expect(paths).toEqual(['f0', 'f12'])
    for (const user of [server.root, outsider]) {
      const hits = await search('raced', user)
      expect(hits.map((hit) => [hit.project_id, hit.path]).toSorted()).toEqual(
        paths.map((path: string) => [project.id, path]),
      )
    }
    await send('DELETE', `/projects/${project.id}`)
    await server.runJobs()
  })

  it('shows an outsider nothing from the answer on that hides a project', async () => {
    const project = await buildRacedProject()
    await server.runJobs()
    const leaks: Json[] = []
    // The round in which it is hidden, while it is.
    let hiddenIn: number | undefined
    const lookAround = async () => {
      const before = hiddenIn
      const hits = await search('raced', outsider)
      if (before !== undefined && before === hiddenIn) leaks.push(...hits)
    }
    const write = async () => {
      for (let round = 1; round <= 10; round += 1) {
        await send('PUT', `/projects/${project.id}`, { visibility: 'private' })
        hiddenIn = round
        await push(project, round)
        for (let count = 0; count < 3; count += 1) await lookAround()
        hiddenIn = undefined
        await send('PUT', `/projects/${project.id}`, { visibility: 'public' })
      }
    }
    await meanwhile(write(), [() => server.runJobs(), lookAround, lookAround])
    expect(leaks).toEqual([])
    await server.runJobs()
    await engine.refresh()
    expect(await search('raced', outsider)).toHaveLength(11)
    await send('DELETE', `/projects/${project.id}`)
    await server.runJobs()
  })

  it('leaves out repositories that cannot be read, and finds the others', async () => {
    const projects = [await buildRacedProject(), await buildRacedProject()]
    const [damaged, gone] = await Promise.all(
      projects.map(async (project) => {
        const row = await findProject(server.app.db, { id: project.id })
        if (row === undefined) throw new Error('no project')
        return repositoryOf(server.app, row)
      }),
    )
    const kept = await buildRacedProject()
    await server.runJobs()
    await engine.refresh()
    expect(await search('raced', outsider)).toHaveLength(3)
    await rm(join(damaged?.path ?? '', 'objects'), { recursive: true })
    await removeRepository(server.app.git, gone ?? { path: '' })
    server.app.git.forget(damaged?.path ?? '')
    for (const scope of ['blobs', 'commits']) {
      const hits = await search(scope === 'blobs' ? 'raced' : 'round', outsider, scope)
      expect(hits.map((hit) => [scope, hit.project_id])).toEqual([[scope, kept.id]])
    }
    for (const { id } of [...projects, kept]) await send('DELETE', `/projects/${id}`)
    await server.runJobs()
  })

  it('forgets projects that are deleted during jobs and searches', async () => {
    const projects = await Promise.all(Array.from({ length: 6 }, () => buildRacedProject()))
    const kept = projects.pop()
    const remove = async () => {
      for (const [round, project] of projects.entries()) {
        await push(project, round + 1)
        await send('DELETE', `/projects/${project.id}`)
        const hits = await search('raced', server.root)
        expect(hits.filter((hit) => hit.project_id === project.id)).toEqual([])
      }
    }
    await meanwhile(remove(), [() => server.runJobs(), () => search('raced', outsider)])
    await server.runJobs()
    await engine.refresh()
    const hits = await search('raced', server.root)
    expect(hits.map((hit) => [hit.project_id, hit.path])).toEqual([[kept?.id, 'f0']])
    await send('DELETE', `/projects/${kept?.id}`)
    await server.runJobs()
  })
})
