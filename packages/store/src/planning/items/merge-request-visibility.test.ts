import {
  type CallerFacts,
  decideOnMergeRequest,
  featureLevels,
  type ProjectFacts,
  visibilities,
} from '@stithy/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listVisibleRequests } from '../../review/merge-requests/closing-store.ts'
import { listMergeRequests } from '../../review/merge-requests/merge-request-list.ts'
import {
  buildMember,
  buildNamespace,
  buildProject,
  buildUser,
  openTestDatabase,
  someTime,
  type TestDatabase,
} from '../../testing/index.ts'
import { buildMergeRequest } from '../../testing/merge-requests.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

const today = '2019-06-15'
const otherFeatures = {
  issues: 'enabled',
  builds: 'enabled',
  wiki: 'enabled',
  snippets: 'enabled',
} as const
const parts = ['none', 'author', 'assignee'] as const

interface Case {
  id: number
  facts: ProjectFacts
  part: (typeof parts)[number]
}

describe('visibleMergeRequests', () => {
  it('agrees with the policy for every visibility, feature level, role and relation', async () => {
    const [other, viewer] = [await buildUser(db), await buildUser(db)]
    const group = await buildNamespace(db, { visibility: 'public' })
    const cases: Case[] = []
    for (const visibility of visibilities) {
      for (const repository of featureLevels) {
        for (const mergeRequests of featureLevels) {
          for (const level of [0, 10, 20]) {
            const project = await buildProject(db, group, {
              visibility,
              repositoryAccessLevel: repository,
              mergeRequestsAccessLevel: mergeRequests,
            })
            const source = { kind: 'project', id: project.id } as const
            if (level > 0) await buildMember(db, viewer, source, level)
            const features = { ...otherFeatures, repository, merge_requests: mergeRequests }
            for (const part of parts) {
              const author = part === 'author' ? viewer : other
              const assigneeIds = part === 'assignee' ? [viewer.id] : []
              const { id } = await buildMergeRequest(db, project, author, { assigneeIds })
              cases.push({ id, facts: { visibility, archived: false, level, features }, part })
            }
          }
        }
      }
    }
    const ids = cases.map(({ id }) => id)
    const deleted = await buildProject(db, group, { visibility: 'public', deletedAt: someTime })
    await buildMergeRequest(db, deleted, viewer)
    const userId = viewer.id
    const callers: CallerFacts[] = [
      { userId, admin: false, external: false },
      { userId, admin: false, external: true },
      { userId, admin: true, external: false },
      { userId: null, admin: false, external: false },
    ]
    for (const caller of callers) {
      const readable = cases.filter(({ facts, part }) => {
        const known = caller.userId !== null
        const project = known ? facts : { ...facts, level: 0 }
        const authorId = part === 'author' ? viewer.id : other.id
        const assigned = known && part === 'assignee'
        const request = { discussionLocked: false, authorId, assigned }
        return decideOnMergeRequest('read_merge_request', caller, project, request).allowed
      })
      const page = { page: 1, perPage: 1000 }
      const found = await listVisibleRequests(db, { ids, caller, today }, page)
      expect(found.total).toBe(readable.length)
      expect(found.items.map(({ id }) => id)).toEqual(readable.map(({ id }) => id))
      await expectListed(caller, readable, [other, viewer])
    }
  })

  /** In known projects and, as lists of an author are read, wherever the caller can see them. */
  async function expectListed(
    caller: CallerFacts,
    readable: readonly Case[],
    [other, viewer]: readonly [{ id: number }, { id: number }],
  ): Promise<void> {
    const order = { orderBy: 'created_at', sort: 'desc' } as const
    const scope = { kind: 'anywhere', archived: true } as const
    const authored = (ofViewer: boolean) =>
      readable.filter(({ part }) => (part === 'author') === ofViewer)
    for (const [filter, cases] of [
      [{}, readable],
      [{ authorId: viewer.id }, authored(true)],
      [{ authorId: other.id }, authored(false)],
    ] as const) {
      const request = { scope, filter, caller, today, ...order }
      const { total, items } = await listMergeRequests(db, request, { page: 1, perPage: 1000 })
      expect(total).toBe(cases.length)
      const ids = items.map(({ id }) => id).toSorted((a, b) => a - b)
      expect(ids).toEqual(cases.map(({ id }) => id))
    }
  }
})
