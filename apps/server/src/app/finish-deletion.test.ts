import { randomUUID } from 'node:crypto'
import { insertDeployment, insertSystemNote, type Noteable, setEpicParent } from '@stithy/store'
import { findOrphans, findWrongCounts } from '@stithy/store/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { callAs, created } from '../testing/clients/calls.ts'
import {
  buildNoteableFixture,
  insertEpic,
  type NoteableFixture,
  type TestNoteable,
} from '../testing/fixtures/noteables.ts'
import { buildTestServer, type TestServer } from '../testing/test-server.ts'

// Deletions of more than one transaction: what an ended process leaves is deleted by a job.

let server: TestServer
let fixture: NoteableFixture

beforeAll(async () => {
  server = await buildTestServer()
  fixture = await buildNoteableFixture(server)
})
afterAll(() => server.close())
afterEach(() => {
  vi.restoreAllMocks()
})

const call = (method: string, path: string) => callAs(server, method, path, server.root.token)

/** Deletes something while the process ends after the first transaction, and a while later runs jobs. */
async function deleteInterrupted(path: string) {
  const { transaction } = server.app.db
  const work = vi.spyOn(server.app.db, 'transaction')
  work.mockImplementationOnce(transaction)
  work.mockImplementationOnce(async () => {
    throw new Error('the process ends')
  })
  expect((await call('DELETE', path)).status).toBe(500)
  vi.restoreAllMocks()
  expect((await call('GET', path)).status).toBe(200)
  await server.runJobs()
  expect((await call('GET', path)).status).toBe(200)
  server.advance(11 * 60_000)
  await server.runJobs()
  expect((await call('GET', path)).status).toBe(404)
}

/** Where the item is deleted; epics are deleted by their iid. */
function pathOf({ kind, path, iid }: TestNoteable): string {
  return kind === 'Epic' ? `/groups/${fixture.group.id}/epics/${iid}` : path
}

async function faults() {
  const { db } = server.app
  return [...(await findOrphans(db)), ...(await findWrongCounts(db))]
}

const types = { Issue: 'issue', MergeRequest: 'merge_request', Snippet: 'snippet', Epic: 'epic' }

function noteableOf({ kind, id }: TestNoteable, projectId: number): Noteable {
  const type = types[kind as keyof typeof types]
  return { type, id, projectId: kind === 'Epic' ? null : projectId } as Noteable
}

async function addNotes(item: TestNoteable, count: number) {
  const noteable = noteableOf(item, fixture.made.project.id)
  await server.app.db.transaction(async (tx) => {
    for (let index = 0; index < count; index += 1) {
      const by = { discussionId: randomUUID(), authorId: 1, createdAt: server.app.now() }
      await insertSystemNote(tx, { ...by, noteable, note: { action: 'closed' } })
    }
  })
}

describe('DELETE of an item with many notes', () => {
  it.each(['Issue', 'MergeRequest', 'Snippet', 'Epic'] as const)(
    'is finished by a job for one of type %s',
    async (kind) => {
      const item = await fixture.build(kind)
      await addNotes(item, 450)
      await deleteInterrupted(pathOf(item))
      expect(await faults()).toEqual([])
    },
  )

  it('needs no job for few notes', async () => {
    const item = await fixture.build('Issue')
    await addNotes(item, 150)
    const work = vi.spyOn(server.app.db, 'transaction')
    expect((await call('DELETE', item.path)).status).toBe(204)
    expect(work).toHaveBeenCalledTimes(1)
    expect(await faults()).toEqual([])
  })
})

describe('DELETE of an epic with many children', () => {
  it('is finished by a job, and leaves the children', async () => {
    const parent = await fixture.build('Epic')
    const children: number[] = []
    for (let index = 0; index < 450; index += 1) {
      children.push((await insertEpic(server, fixture.group.id, {})).id)
    }
    await server.app.db.transaction(async (tx) => {
      const at = server.app.now()
      for (const id of children) await setEpicParent(tx, { id, parentId: parent.id, at })
    })
    await deleteInterrupted(pathOf(parent))
    const left = await server.app.db.all('test.children', {}, (db) =>
      db.selectFrom('epics').select(['id', 'parentId']),
    )
    const parentOf = new Map(left.map(({ id, parentId }) => [id, parentId]))
    expect(children.map((id) => parentOf.get(id))).toEqual(children.map(() => null))
    expect(await faults()).toEqual([])
  })
})

describe('DELETE of an environment with many deployments', () => {
  it('is finished by a job', async () => {
    const { project, first } = fixture.made
    const path = `/projects/${project.id}/environments`
    const { id } = await created(server, path, { name: 'production' })
    await server.app.db.transaction(async (tx) => {
      for (let index = 0; index < 450; index += 1) {
        await insertDeployment(tx, {
          ...{ projectId: project.id, environmentId: id, ref: 'main', tag: 0, sha: first },
          ...{ status: 'success', userId: 1, jobId: null, createdAt: server.app.now() },
        })
      }
    })
    await deleteInterrupted(`${path}/${id}`)
    expect((await call('GET', `/projects/${project.id}/deployments`)).body).toEqual([])
    expect(await faults()).toEqual([])
  })
})
