import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Queries } from '../../platform/queries/queries.ts'
import { explainQuery } from '../../testing/explain.ts'
import {
  buildMember,
  buildNamespace,
  buildProject,
  buildShare,
  buildUser,
  openTestDatabase,
  type TestDatabase,
} from '../../testing/index.ts'
import { listProjectDetails } from './project-details.ts'

const today = '2026-01-01'
const plain = { simple: false, statistics: false, today }

let db: TestDatabase
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

describe('listProjectDetails', () => {
  it('returns levels, active shares and whether their groups can be read', async () => {
    const user = await buildUser(db)
    const namespace = await buildNamespace(db)
    const [project, plainProject] = [
      await buildProject(db, namespace),
      await buildProject(db, namespace),
    ]
    await buildMember(db, user, { kind: 'project', id: project.id }, 20)
    const open = await buildNamespace(db, { visibility: 'public' })
    const hidden = await buildNamespace(db)
    const above = await buildNamespace(db)
    const joined = await buildNamespace(db, {}, above)
    await buildMember(db, user, { kind: 'group', id: above.id }, 30)
    const [expired, gone] = [await buildNamespace(db), await buildNamespace(db, { deletedAt: 1 })]
    for (const group of [open, hidden, joined, gone]) await buildShare(db, project.id, group.id, 10)
    await buildShare(db, project.id, expired.id, 10, { expiresOn: '2025-12-31' })
    const caller = { userId: user.id, admin: false, external: false }
    const ids = [project.id, plainProject.id]
    const before = db.stats.queries
    const details = await listProjectDetails(db, { ...plain, ids, caller })
    expect(db.stats.queries - before).toBe(1)
    const { levels, shares } = details.get(project.id) ?? {}
    expect(levels).toMatchObject({ projectLevel: 20, groupMembership: null, sharedLevel: 10 })
    expect(shares?.map((share) => [share.groupId, share.readable])).toEqual([
      [open.id, true],
      [hidden.id, false],
      [joined.id, true],
    ])
    expect(details.get(plainProject.id)?.shares).toEqual([])
    const admin = { ...caller, admin: true }
    const all = await listProjectDetails(db, { ...plain, ids, caller: admin })
    expect(all.get(project.id)?.shares.every((share) => share.readable)).toBe(true)
  })

  it('returns simple columns and statistics where requested and available', async () => {
    const project = await buildProject(db, await buildNamespace(db), { starCount: 3 })
    const caller = { userId: null, admin: false, external: false }
    const request = { ids: [project.id], caller, today, simple: true, statistics: true }
    const found = (await listProjectDetails(db, request)).get(project.id)
    expect(found?.simple).toMatchObject({ id: project.id, starCount: 3 })
    expect(found?.statistics).toBeUndefined()
  })

  it('joins from the projects to the other tables by indexes', async () => {
    const plans: string[][] = []
    const q: Queries = {
      dialect: 'sqlite',
      async all(_, __, build) {
        plans.push(await explainQuery(build))
        return []
      },
      first: async () => undefined,
      run: async () => ({ changes: 0 }),
    }
    const caller = { userId: 1, admin: false, external: false }
    await listProjectDetails(q, { ids: [1], caller, today, simple: true, statistics: true })
    const scans = plans.flat().filter((step) => step.startsWith('SCAN'))
    expect(scans).toEqual([expect.stringContaining('json_each'), 'SCAN own'])
  })
})
