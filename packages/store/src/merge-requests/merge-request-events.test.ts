import {
  type CallerFacts,
  decideOnProject,
  featureLevels,
  type ProjectFacts,
  visibilities,
} from '@stithy/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listEventsOfAuthor, listEventsOfProject } from '../events/event-list.ts'
import { recordEvents } from '../events/event-store.ts'
import {
  buildMember,
  buildNamespace,
  buildProject,
  buildUser,
  openTestDatabase,
  someTime,
  type TestDatabase,
} from '../testing/index.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

const today = '2019-06-15'
const page = { page: 1, perPage: 1000 }
const otherFeatures = {
  issues: 'enabled',
  builds: 'enabled',
  wiki: 'enabled',
  snippets: 'enabled',
} as const

/** An event of a merge request, of a note on it, and one that is neither. */
function eventsOf(projectId: number, authorId: number) {
  const whose = { projectId, authorId, createdAt: someTime }
  const note = { ...whose, action: 'commented' as const, target: { type: 'note' as const, id: 1 } }
  return [
    { ...whose, action: 'created' as const },
    { ...whose, action: 'merged' as const, target: { type: 'merge_request' as const, id: 7 } },
    { ...note, noteable: { type: 'merge_request' as const, id: 7 } },
    { ...note, noteable: { type: 'issue' as const, id: 8 } },
  ]
}

describe('events of merge requests', () => {
  it('are shown to whom the policy lets read merge requests', async () => {
    const [author, viewer] = [await buildUser(db), await buildUser(db)]
    const group = await buildNamespace(db, { visibility: 'public' })
    const projects: { id: number; facts: ProjectFacts }[] = []
    for (const visibility of visibilities) {
      for (const repository of featureLevels) {
        for (const mergeRequests of featureLevels) {
          for (const level of [0, 10, 20]) {
            const { id } = await buildProject(db, group, {
              visibility,
              repositoryAccessLevel: repository,
              mergeRequestsAccessLevel: mergeRequests,
            })
            if (level > 0) await buildMember(db, viewer, { kind: 'project', id }, level)
            const features = { ...otherFeatures, repository, merge_requests: mergeRequests }
            projects.push({ id, facts: { visibility, archived: false, level, features } })
          }
        }
      }
    }
    const events = projects.flatMap(({ id }) => eventsOf(id, author.id))
    await db.transaction((tx) => recordEvents(tx, events))
    const userId = viewer.id
    const callers: CallerFacts[] = [
      { userId, admin: false, external: false },
      { userId, admin: false, external: true },
      { userId, admin: true, external: false },
      { userId: null, admin: false, external: false },
    ]
    for (const caller of callers) {
      const expected = projects.flatMap(({ id, facts }) => {
        const seen = caller.userId === null ? { ...facts, level: 0 } : facts
        if (!decideOnProject('read_project', caller, seen).allowed) return []
        const all = decideOnProject('read_merge_requests', caller, seen).allowed
        const shown = all ? ['created', 'merged', 'merge_request', 'issue'] : ['created', 'issue']
        return shown.map((what) => `${id} ${what}`)
      })
      const whose = { authorId: author.id, caller, today }
      const { items } = await listEventsOfAuthor(db, whose, { sort: 'asc' }, page)
      expect(items.map((row) => `${row.projectId} ${row.noteableType ?? row.action}`)).toEqual(
        expected,
      )
    }
  })

  it('are left out of those of a project for others', async () => {
    const { id: authorId } = await buildUser(db)
    const { id: projectId } = await buildProject(db, await buildNamespace(db))
    await db.transaction((tx) => recordEvents(tx, eventsOf(projectId, authorId)))
    const seen = async (withMergeRequests: boolean) => {
      const whose = { projectId, withCode: false, withMergeRequests }
      const { items } = await listEventsOfProject(db, whose, { sort: 'asc' }, page)
      return items.map((row) => row.noteableType ?? row.action)
    }
    expect(await seen(true)).toEqual(['created', 'merged', 'merge_request', 'issue'])
    expect(await seen(false)).toEqual(['created', 'issue'])
  })
})
