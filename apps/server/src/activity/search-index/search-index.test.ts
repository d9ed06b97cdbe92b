/**
 * What the index promises: after the jobs of a change it is as one that was made anew, for pushes,
 * forced pushes, deletions, renamed files, other default branches, imports and forks, transfers and
 * deleted projects; an interrupted job is continued by the next one; the settings say what is in it.
 */
import {
  addSearchedCommits,
  addSearchedFiles,
  findSearchSource,
  removeSearchedFiles,
} from '@stithy/store'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { App } from '../../platform/app.ts'
import { created } from '../../testing/clients/calls.ts'
import { engineNames, type UsedEngine, useEngine } from '../../testing/search-engine/engines.ts'
import { setSetting, setSettings } from '../../testing/settings.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'
import { searchEngine } from '../search-engine/engine-choice.ts'
import { indexRepository } from './index-run.ts'
import { readIndexStatus } from './index-status.ts'
import { enqueueCatchUp, enqueueIndexing } from './search-index.jobs.ts'

let server: TestServer
let project: Json

let engine: UsedEngine

interface Action {
  action: 'create' | 'update' | 'delete' | 'move'
  file_path: string
  content?: string
  previous_path?: string
}

function commit(
  message: string,
  actions: readonly Action[],
  values: object = {},
  { id } = project,
): Promise<Json> {
  const body = { branch: 'main', commit_message: message, actions, ...values }
  return created(server, `/projects/${id}/repository/commits`, body)
}

const create = (file_path: string, content: string): Action => ({
  action: 'create',
  file_path,
  content,
})

async function found(search: string, scope = 'blobs', { id } = project): Promise<string[]> {
  const query = new URLSearchParams({ scope, search, per_page: '100' })
  const { status, body, text } = await server.inject('GET', `/search?${query}`, {
    token: server.root.token,
  })
  if (status !== 200) throw new Error(text)
  const own = body.filter((item: Json) => item.project_id === id)
  return own.map((item: Json) => item.path ?? item.title).toSorted()
}

describe.each(engineNames)('with the %s engine', (name) => {
  beforeAll(async () => {
    server = await buildTestServer()
    engine = await useEngine(server, name)
  })
  afterAll(async () => {
    await engine.close()
    await server.close()
  })
  beforeEach(async () => {
    project = await server.buildProject()
  })

  describe('the search index', () => {
    it('follows pushes: files are added, changed, renamed and deleted', async () => {
      await commit('First', [create('a', 'alpha'), create('b', 'beta'), create('c', 'gamma')])
      await server.runJobs()
      await commit('Second', [
        { action: 'update', file_path: 'a', content: 'delta' },
        { action: 'delete', file_path: 'b' },
        { action: 'move', file_path: 'd/c', previous_path: 'c', content: 'gamma' },
      ])
      expect(await found('gamma')).toEqual(['c'])
      await server.runJobs()
      expect(await found('alpha')).toEqual([])
      expect(await found('beta')).toEqual([])
      expect(await found('delta')).toEqual(['a'])
      expect(await found('gamma')).toEqual(['d/c'])
      expect(await found('first', 'commits')).toEqual(['First'])
      expect(await found('second', 'commits')).toEqual(['Second'])
    })

    it('follows forced pushes', async () => {
      const protection = `/projects/${project.id}/protected_branches/main`
      await commit('Base', [create('base', 'common')])
      const { status } = await server.inject('DELETE', protection, { token: server.root.token })
      expect(status).toBe(204)
      await created(server, `/projects/${project.id}/repository/branches`, {
        branch: 'base',
        ref: 'main',
      })
      await commit('Dropped', [create('dropped', 'common')])
      await server.runJobs()
      expect(await found('common')).toEqual(['base', 'dropped'])
      await commit('Kept', [create('kept', 'common')], { start_branch: 'base', force: true })
      await server.runJobs()
      expect(await found('common')).toEqual(['base', 'kept'])
      expect(await found('dropped', 'commits')).toEqual([])
      expect(await found('kept', 'commits')).toEqual(['Kept'])
    })

    it('follows the default branch', async () => {
      await commit('On main', [create('main', 'somewhere')])
      const path = `/projects/${project.id}`
      await commit('Elsewhere', [create('other', 'somewhere')], {
        branch: 'other',
        start_branch: 'main',
      })
      await server.runJobs()
      expect(await found('somewhere')).toEqual(['main'])
      const body = { default_branch: 'other' }
      await server.inject('PUT', path, { token: server.root.token, body })
      await server.runJobs()
      expect(await found('somewhere')).toEqual(['main', 'other'])
      expect(await found('elsewhere', 'commits')).toEqual(['Elsewhere'])
    })

    it('follows wikis', async () => {
      const path = `/projects/${project.id}/wikis`
      await created(server, path, { title: 'home', content: 'a cosy place' })
      await server.runJobs()
      expect(await found('cosy', 'wiki_blobs')).toEqual(['home.md'])
      await server.inject('DELETE', `${path}/home`, { token: server.root.token })
      await server.runJobs()
      expect(await found('cosy', 'wiki_blobs')).toEqual([])
    })

    it('has forks, and what is left after a transfer', async () => {
      await commit('Message', [create('a', 'forked text')])
      const fork = await created(server, `/projects/${project.id}/fork`, {
        path: `fork-${project.id}`,
        namespace_id: (await server.buildGroup()).id,
      })
      await server.runJobs()
      expect(await found('forked text', 'blobs', fork)).toEqual(['a'])
      const group = await server.buildGroup()
      await server.inject('PUT', `/projects/${project.id}/transfer`, {
        token: server.root.token,
        body: { namespace: group.id },
      })
      const query = new URLSearchParams({ scope: 'blobs', search: 'forked text' })
      const { body } = await server.inject('GET', `/groups/${group.id}/search?${query}`, {
        token: server.root.token,
      })
      expect(body.map((item: Json) => item.project_id)).toEqual([project.id])
    })

    it('loses deleted projects', async () => {
      await commit('Message', [create('a', 'text to delete')])
      await created(server, `/projects/${project.id}/wikis`, { title: 'home', content: 'text' })
      await server.runJobs()
      expect(await isKnown()).toBe(true)
      await server.inject('DELETE', `/projects/${project.id}`, { token: server.root.token })
      expect(await found('text to delete')).toEqual([])
      await server.runJobs()
      await engine.refresh()
      expect(await isKnown()).toBe(false)
    })

    it('goes on after an interruption, also when more was pushed since', async () => {
      const many = Array.from({ length: 600 }, (_, index) => create(`f${index}`, `text ${index}`))
      await commit('Many', many)
      const part = { projectId: project.id, kind: 'code' as const }
      const controller = new AbortController()
      const run = indexRepository(interruptedBy(controller), part, { signal: controller.signal })
      await expect(run).rejects.toMatchObject({ name: 'AbortError' })
      await engine.refresh()
      const before = (await found('text ')).length
      expect(before).toBeGreaterThan(0)
      expect(before).toBeLessThan(600)
      await commit('Fewer', [
        ...many.slice(0, 550).map(({ file_path }) => ({ action: 'delete' as const, file_path })),
        { action: 'update', file_path: 'f599', content: 'other' },
      ])
      await server.runJobs()
      expect((await found('text ')).length).toBe(49)
      expect(await found('other')).toEqual(['f599'])
      expect(await found('many', 'commits')).toEqual(['Many'])
    })

    it('is not written to by two runs at the same time', async () => {
      await commit('Message', [create('a', 'twice')])
      const part = { projectId: project.id, kind: 'code' as const }
      const options = { signal: new AbortController().signal }
      const runs = await Promise.allSettled([
        indexRepository(server.app, part, options),
        indexRepository(server.app, part, options),
        indexRepository(server.app, part, options),
      ])
      for (const run of runs) {
        if (run.status === 'rejected') expect(run.reason).toMatchObject({ code: 'busy' })
      }
      await indexRepository(server.app, part, options)
      expect(await found('twice')).toEqual(['a'])
    })

    it('follows pushes of more files than it compares', async () => {
      const { config } = server.app
      const { codeLimits } = config
      await commit('First', [create('old', 'compared')])
      await server.runJobs()
      const search = { ...codeLimits.search, maxChanges: 2 }
      config.codeLimits = { ...codeLimits, search }
      await commit('Second', [
        ...['a', 'b', 'c'].map((name) => create(name, 'compared')),
        { action: 'delete', file_path: 'old' },
      ])
      await server.runJobs()
      expect(await found('compared')).toEqual(['a', 'b', 'c'])
      expect(await found('first', 'commits')).toEqual(['First'])
      // More files than may be listed: they are not indexed, until there are fewer.
      config.codeLimits = { ...codeLimits, search, tree: { ...codeLimits.tree, maxEntries: 2 } }
      await commit('Third', [create('d', 'compared'), create('e', 'compared'), create('f', 'x')])
      await server.runJobs()
      expect(await found('compared')).toEqual([])
      config.codeLimits = codeLimits
      await server.app.db.transaction((tx) => enqueueCatchUp(tx, server.app.now()))
      await server.runJobs()
      expect(await found('compared')).toEqual(['a', 'b', 'c', 'd', 'e'])
    })

    it('can be made anew', async () => {
      await commit('Message', [create('a', 'renewed')])
      await server.runJobs()
      const part = { projectId: project.id, kind: 'code' as const }
      await indexRepository(server.app, part, {
        signal: new AbortController().signal,
        rebuild: true,
      })
      expect(await found('renewed')).toEqual(['a'])
      expect(await found('message', 'commits')).toEqual(['Message'])
    })

    it.runIf(name === 'embedded')('finds the same while it is made anew', async () => {
      const many = Array.from({ length: 600 }, (_, at) => create(`f${at}`, `the text ${at}.`))
      await commit('Many', many)
      await server.runJobs()
      const found5 = async () => {
        const texts = [0, 150, 300, 450, 599].map((at) => found(`the text ${at}.`))
        return (await Promise.all(texts)).flat()
      }
      const all = ['f0', 'f150', 'f300', 'f450', 'f599']
      expect(await found5()).toEqual(all)
      const part = { projectId: project.id, kind: 'code' as const }
      const controller = new AbortController()
      const options = { signal: controller.signal, rebuild: true }
      const run = indexRepository(interruptedBy(controller), part, options)
      await expect(run).rejects.toMatchObject({ name: 'AbortError' })
      expect(await found5()).toEqual(all)
      expect(await found('many', 'commits')).toEqual(['Many'])
      expect(await readIndexStatus(server.app)).toMatchObject({ waiting: 1, lag: 0 })
      // The check that waits is of the same repository.
      await server.app.db.transaction((tx) => enqueueIndexing(tx, part, server.app.now()))
      expect((await readIndexStatus(server.app)).waiting).toBe(1)
      await server.runJobs()
      expect(await readIndexStatus(server.app)).toMatchObject({ waiting: 0 })
      expect(await found5()).toEqual(all)
    })

    it.runIf(name === 'embedded')('has nothing else once it was made anew', async () => {
      await commit('Message', [create('a', 'first'), create('b', 'second')])
      await server.runJobs()
      const part = { projectId: project.id, kind: 'code' as const }
      const { searchIndex } = server.app.db
      const source = await findSearchSource(searchIndex.reads, part)
      const id = source?.id ?? 0
      const stray = { path: 'stray', oid: '1'.repeat(40), pathText: 'stray', content: null }
      await searchIndex.transaction(async (tx) => {
        await removeSearchedFiles(tx, id, ['a'])
        await addSearchedFiles(tx, id, [stray])
        await addSearchedCommits(tx, id, [{ oid: '2'.repeat(40), text: 'stray' }])
      })
      expect(await found('first')).toEqual([])
      const { signal } = new AbortController()
      await indexRepository(server.app, part, { signal, rebuild: true })
      expect(await found('first')).toEqual(['a'])
      const paths = await searchIndex.reads.all('test.paths', { id }, (db, $) =>
        db.selectFrom('searchFiles').select('path').where('sourceId', '=', $('id')),
      )
      expect(paths.map(({ path }) => path).toSorted()).toEqual(['a', 'b'])
      const commits = await searchIndex.reads.all('test.commits', { id }, (db, $) =>
        db.selectFrom('searchCommits').select('oid').where('sourceId', '=', $('id')),
      )
      expect(commits).toHaveLength(1)
      expect(await findSearchSource(searchIndex.reads, part)).toMatchObject({ target: null })
    })
  })

  describe('the settings of the search index', () => {
    it('switch it off, and what was pushed meanwhile is found when it is on again', async () => {
      await setSetting(server, 'searchengine_indexing', false)
      await commit('Message', [create('a', 'meanwhile')])
      await server.runJobs()
      await setSetting(server, 'searchengine_indexing', true)
      expect(await found('meanwhile')).toEqual([])
      await server.runJobs()
      expect(await found('meanwhile')).toEqual(['a'])
    })

    it('limit it to projects and namespaces', async () => {
      await commit('Message', [create('a', 'limited')])
      const group = await server.buildGroup()
      const inner = await server.buildGroup({ parent_id: group.id })
      const below = await server.buildProject({ namespace_id: inner.id })
      await commit('Message', [create('b', 'limited')], {}, below)
      await server.runJobs()
      expect(await found('limited', 'blobs', below)).toEqual(['b'])
      expect(await found('limited')).toEqual(['a'])
      await setSettings(server, {
        searchengine_limit_indexing: true,
        searchengine_namespace_ids: [group.id],
        searchengine_project_ids: [],
      })
      await server.runJobs()
      expect(await found('limited', 'blobs', below)).toEqual(['b'])
      expect(await found('limited')).toEqual([])
      await setSetting(server, 'searchengine_project_ids', [project.id])
      await server.runJobs()
      expect(await found('limited')).toEqual(['a'])
      await setSetting(server, 'searchengine_limit_indexing', false)
    })
  })
})

/** Whether the index knows the project. */
async function isKnown(): Promise<boolean> {
  const index = searchEngine(server.app, new AbortController().signal)
  const kinds = ['code', 'wiki'] as const
  const states = kinds.map((kind) => index.findState({ projectId: project.id, kind }))
  const ids = await index.listProjectIds({ after: project.id - 1, limit: 1 })
  return (
    ids.includes(project.id) || (await Promise.all(states)).some((state) => state !== undefined)
  )
}

/** The application, of which a run is aborted when it reads its 550th file: after the first step is written. */
function interruptedBy(controller: AbortController): App {
  const { app } = server
  const { git } = app
  const { objects } = git.parts
  let files = 0
  const counting: typeof objects = {
    ...objects,
    ask(path, command, oid) {
      if (command === 'contents') files += 1
      if (files === 550) controller.abort()
      return objects.ask(path, command, oid)
    },
  }
  const { codeLimits } = app.config
  const search = { ...codeLimits.search, stepFiles: 128 }
  const config = { ...app.config, codeLimits: { ...codeLimits, search } }
  return { ...app, config, git: { ...git, parts: { ...git.parts, objects: counting } } }
}
