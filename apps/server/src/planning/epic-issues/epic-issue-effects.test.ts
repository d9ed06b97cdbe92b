import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { actingUser } from '../../directory/authentication/acting-user.ts'
import { transferProject } from '../../directory/projects/change/project-transfer.service.ts'
import { requireProject } from '../../directory/projects/project-subject.ts'
import type { App } from '../../platform/app.ts'
import {
  buildEpicIssueFixture,
  type EpicIssueFixture,
  june,
  may,
  noDates,
} from '../../testing/fixtures/epic-issues.ts'
import type { Json } from '../../testing/test-server.ts'
import { findReadableEpic } from '../epics/epic-lookup.service.ts'
import { assignIssue } from './epic-issue.service.ts'

/**
 * Covered here: what becomes of the issues of epics when issues and projects are moved, and when anything
 * is deleted.
 */

let api: EpicIssueFixture
beforeAll(async () => {
  api = await buildEpicIssueFixture()
})
afterAll(() => api.server.close())

describe('POST /projects/:id/issues/:issue_iid/move', () => {
  const move = (issue: Json, project: Json) =>
    api.call('POST', `${issue.path}/move`, api.server.root, { to_project_id: project.id })

  it('puts the copy into the place of the issue in its epic', async () => {
    const world = await api.buildWorld()
    const below = await api.server.buildGroup({ parent_id: world.group.id })
    const target = await api.server.buildProject({ namespace_id: below.id })
    const { issue } = await api.planned(world, may)
    const second = await api.planned(world, june)
    const answer = await move(issue, target)
    expect(answer.status).toBe(201)
    expect(await api.issues(world.epic)).toEqual([answer.body.id, second.issue.id])
    // The target has no such milestone.
    expect(await api.dates(world.epic)).toEqual(june)
    expect(await api.inconsistencies()).toEqual([])
  })

  it('takes the issue out of its epic if it leaves the group', async () => {
    const world = await api.buildWorld()
    const { issue } = await api.planned(world, may)
    const answer = await move(issue, await api.server.buildProject())
    expect(answer.status).toBe(201)
    expect([await api.issues(world.epic), await api.dates(world.epic)]).toEqual([[], noDates])
    const notes = await api.systemNotes(issue.path)
    expect(notes).toContain(`removed from epic &${world.epic.iid}`)
    const { groupId, id } = world.epic
    const onEpic = await api.systemNotes(`/groups/${groupId}/epics/${id}`)
    expect(onEpic.at(-1)).toMatch(/^removed issue /)
    expect(await api.inconsistencies()).toEqual([])
  })
})

describe('a transferred project', () => {
  const transfer = (project: Json, namespace: number | string) =>
    api.put(`/projects/${project.id}/transfer`, { namespace })

  it('keeps its issues in the epics of groups that still contain it', async () => {
    const world = await api.buildWorld()
    const below = await api.server.buildGroup({ parent_id: world.group.id })
    const inner = await api.epic(below)
    const project = await api.server.buildProject({ namespace_id: below.id })
    const { issue } = await api.planned({ ...world, project }, may)
    const other = await api.planned({ ...world, project, epic: inner }, june)
    expect((await transfer(project, world.group.id)).status).toBe(200)
    expect(await api.issues(world.epic)).toEqual([issue.id])
    expect([await api.issues(inner), await api.dates(inner)]).toEqual([[], noDates])
    const { iid } = other.issue
    expect(await api.systemNotes(`/projects/${project.id}/issues/${iid}`)).not.toContain(
      `removed from epic &${inner.iid}`,
    )
    expect(await api.inconsistencies()).toEqual([])
  })

  it('takes the issues along where it leaves the groups, many by a job', async () => {
    const world = await api.buildWorld()
    const { issue } = await api.planned(world, may)
    // The first 1,000 issues leave with the transfer; this one has a later iid.
    const late = await api.issue(world.project, { iid: 2000 })
    for (let iid = 10; iid < 1010; iid += 1) {
      const args = { projectId: world.project.id, iid, now: 1 }
      await api.server.app.db.run('test.issue', args, (db, $) =>
        db.insertInto('issues').values({
          ...{ projectId: $('projectId'), iid: $('iid'), authorId: 1, title: 'An issue' },
          ...{ state: 'closed', createdAt: $('now'), updatedAt: $('now') },
        }),
      )
    }
    await api.assignIssue(world.epic, late)
    const user = await api.server.buildUser()
    const { body } = await api.server.inject(
      'GET',
      `/namespaces?search=${user.username}`,
      api.server.root,
    )
    expect((await transfer(world.project, body[0].id)).status).toBe(200)
    expect(await api.issues(world.epic)).toEqual([late.id])
    await api.server.runJobs()
    expect([await api.issues(world.epic), await api.dates(world.epic)]).toEqual([[], noDates])
    expect(issue.id).not.toBe(late.id)
  })
})

describe('an issue that is put into an epic while its project leaves the group', () => {
  /** An app whose transactions wait for `release` before they are committed. */
  function holdCommits({ db, ...app }: App) {
    const [written, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const transaction: App['db']['transaction'] = (work) =>
      db.transaction(async (tx) => {
        const result = await work(tx)
        written.resolve()
        await released.promise
        return result
      })
    const held: App = { ...app, db: { ...db, transaction } }
    return { app: held, written: written.promise, release: released.resolve }
  }

  async function build() {
    const world = await api.buildWorld()
    const issue = await api.issue(world.project)
    const caller = await actingUser(api.server.app, api.server.root.id)
    if (caller === undefined) throw new Error('root cannot act')
    const { row } = await requireProject(api.server.app, String(world.project.id), caller)
    const target = String((await api.server.buildGroup()).id)
    const epic = await findReadableEpic(api.server.app, caller, world.epic.id)
    if (epic === undefined) throw new Error('no epic')
    return {
      ...{ world, issue },
      assign: (app: App) => assignIssue(app, caller, epic, issue.id),
      transfer: (app: App) => transferProject(app, caller, row, target),
    }
  }

  /** Time in which the other call comes to where it waits, if it does. */
  const pause = () => sleep(100)

  it('is not put into it once the transfer has begun', async () => {
    const { world, assign, transfer } = await build()
    const held = holdCommits(api.server.app)
    const transferring = transfer(held.app)
    await held.written
    const assigning = assign(api.server.app).catch((error: unknown) => error)
    await pause()
    held.release()
    await transferring
    expect(await assigning).toMatchObject({ code: 'not_found' })
    expect(await api.issues(world.epic)).toEqual([])
    expect(await api.inconsistencies()).toEqual([])
  })

  it('leaves it again where the transfer comes later', async () => {
    const { world, assign, transfer } = await build()
    const held = holdCommits(api.server.app)
    const assigning = assign(held.app)
    await held.written
    const transferring = transfer(api.server.app)
    await pause()
    held.release()
    await Promise.all([assigning, transferring])
    expect(await api.issues(world.epic)).toEqual([])
    expect(await api.inconsistencies()).toEqual([])
  })
})

describe('what is deleted', () => {
  it('leaves nothing: a project', async () => {
    const world = await api.buildWorld()
    await api.planned(world, may)
    await api.call('DELETE', `/projects/${world.project.id}`)
    expect(await api.issues(world.epic)).toEqual([])
    await api.server.runJobs()
    expect(await api.dates(world.epic)).toEqual(noDates)
    expect(await api.inconsistencies()).toEqual([])
  })

  it('leaves nothing: an epic with children and issues', async () => {
    const world = await api.buildWorld()
    const { issue } = await api.planned(world, may)
    const child = await api.epic(world.group)
    await api.assignChild(world.epic, child)
    expect((await api.call('DELETE', world.epic.path)).status).toBe(204)
    expect((await api.call('GET', child.path)).body.parent_id).toBe(null)
    expect(await api.systemNotes(issue.path)).not.toContain(`added to epic &${world.epic.iid}`)
    expect(await api.inconsistencies()).toEqual([])
  })

  it('leaves nothing: a group with epics of issues elsewhere', async () => {
    const world = await api.buildWorld()
    const below = await api.server.buildGroup({ parent_id: world.group.id })
    const child = await api.epic(below)
    await api.assignChild(world.epic, child)
    await api.planned(
      { ...world, epic: child, project: await api.server.buildProject({ namespace_id: below.id }) },
      may,
    )
    await api.call('DELETE', `/groups/${below.id}`)
    expect(await api.children(world.epic)).toEqual([])
    await api.server.runJobs()
    expect(await api.inconsistencies()).toEqual([])
  })
})
