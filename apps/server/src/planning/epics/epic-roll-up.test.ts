import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type EpicTreeCalls,
  epicTreeCalls,
  type TestEpic,
} from '../../testing/fixtures/epic-tree.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let api: EpicTreeCalls
beforeAll(async () => {
  server = await buildTestServer()
  api = epicTreeCalls(server)
})
afterAll(() => server.close())

/** Opened and closed epics, opened and closed issues, and the weights of these. */
async function rollUp({ path }: TestEpic, by?: { token: string }): Promise<number[]> {
  const { body } = await api.call('GET', path, by)
  const { descendant_counts: counts, descendant_weight_sum: weights } = body
  return [
    ...[counts.opened_epics, counts.closed_epics, counts.opened_issues, counts.closed_issues],
    ...[weights.opened_issues, weights.closed_issues],
  ]
}

function close(path: string) {
  return api.call('PUT', path, server.root, { state_event: 'close' })
}

describe('GET /groups/:id/epics/:epic_iid', () => {
  it('counts what is below the epic on all levels', async () => {
    const group = await server.buildGroup()
    const project = await server.buildProject({ namespace_id: group.id })
    const line: Json = [await api.epic(group)]
    for (let level = 1; level < 5; level += 1) {
      line.push(await api.epic(group))
      await api.assignChild(line[level - 1], line[level])
    }
    expect(await rollUp(line[0])).toEqual([4, 0, 0, 0, 0, 0])
    const issues: Json[] = []
    for (const [index, weight] of [1, null, 3, 4, 5].entries()) {
      const issue = await api.issue(project, { weight })
      issues.push(issue)
      await api.assignIssue(line[index], issue)
    }
    await close(issues[3].path)
    await close(line[2].path)
    expect(await rollUp(line[0])).toEqual([3, 1, 4, 1, 9, 4])
    expect(await rollUp(line[3])).toEqual([1, 0, 1, 1, 5, 4])
    expect(await rollUp(line[4])).toEqual([0, 0, 1, 0, 5, 0])
  })

  it('counts only what the caller can read, and nothing below what they cannot', async () => {
    const group = await server.buildGroup({ visibility: 'public' })
    const hidden = await server.buildGroup({ parent_id: group.id })
    const project = await server.buildProject({ namespace_id: group.id, visibility: 'public' })
    const [top, middle] = [await api.epic(group), await api.epic(hidden)]
    await api.assignChild(top, middle)
    await api.assignIssue(top, await api.issue(project, { weight: 1 }))
    await api.assignIssue(top, await api.issue(project, { weight: 2, confidential: true }))
    await api.assignIssue(
      middle,
      await api.issue(await server.buildProject({ namespace_id: hidden.id })),
    )
    expect(await rollUp(top)).toEqual([1, 0, 3, 0, 3, 0])
    const stranger = await server.buildUser()
    expect(await rollUp(top, stranger)).toEqual([0, 0, 1, 0, 1, 0])
    const guest = await server.buildUser()
    await server.addMember(`groups/${group.id}`, guest.id, 10)
    expect(await rollUp(top, guest)).toEqual([1, 0, 2, 0, 1, 0])
  })

  it('takes one query for that, whatever is below', async () => {
    const group = await server.buildGroup()
    const project = await server.buildProject({ namespace_id: group.id })
    const top = await api.epic(group)
    const few = await api.queriesOf(() => rollUp(top))
    const child = await api.epic(group)
    await api.assignChild(top, child)
    for (let i = 0; i < 3; i += 1) await api.assignIssue(child, await api.issue(project))
    expect(await api.queriesOf(() => rollUp(top))).toBe(few)
    expect(few).toBeLessThanOrEqual(7)
  })
})
