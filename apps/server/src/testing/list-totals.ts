import { expect } from 'vitest'
import { succeeded } from './clients/calls.ts'
import type { InjectedAnswer, Json, TestServer } from './test-server.ts'

interface Token {
  token: string
}

/** Lists, and what changes them. */
export interface TotalsOf {
  server: TestServer
  /** Paths to which parameters can be added, so with a `?`. */
  paths: readonly string[]
  callers: readonly Token[]
  get: (path: string, by: Token) => Promise<InjectedAnswer>
  /** By name, in order. */
  changes: readonly [string, () => Promise<unknown>][]
}

/**
 * Asserts before and after every change that the total of each list, for every caller, is the number
 * of items on the only page, which is read each time.
 */
export async function expectExactTotals(of: TotalsOf): Promise<void> {
  const check = async (after: string) => {
    for (const by of of.callers) {
      for (const path of of.paths) {
        const { status, headers, body } = await of.get(`${path}&per_page=100`, by)
        // Hidden from this caller, or disabled.
        if (status === 404 || status === 403) continue
        expect([headers['x-total'], path], after).toEqual([String(body.length), path])
      }
    }
  }
  await check('nothing')
  for (const [name, change] of of.changes) {
    await change()
    await check(name)
  }
}

/** The combinations of lists and query strings, each with a `?`. */
export function filteredPaths(lists: readonly string[], filters: readonly string[]): string[] {
  return lists.flatMap((list) =>
    filters.map((filter) => `${list}${list.includes('?') ? '&' : '?'}${filter}`),
  )
}

/** Two changes: one that a list doesn't show, and one that it does. */
export interface CountedAgain {
  server: TestServer
  path: string
  elsewhere: () => Promise<unknown>
  here: () => Promise<unknown>
}

/** Asserts that a list is counted again after a change to it, and only then. */
export async function expectCountedWhenChanged(of: CountedAgain): Promise<void> {
  const { server, path } = of
  const queriesFor = async () => {
    const before = server.app.db.stats.queries
    await server.inject('GET', path, { token: server.root.token })
    return server.app.db.stats.queries - before
  }
  await queriesFor()
  const cached = await queriesFor()
  await of.elsewhere()
  expect(await queriesFor(), path).toBe(cached)
  await of.here()
  expect(await queriesFor(), path).toBeGreaterThan(cached)
}

/** Two private projects, `project` in a subgroup of the group that has `other`. */
export interface TwoProjects {
  /** A member of the group. */
  guest: { id: number }
  group: Json
  project: Json
  other: Json
  /** The feature that is disabled: `issues`. */
  feature: string
}

/** Changes of members, groups and projects that change who sees what; the last delete `other`. */
export function changesAround(
  server: TestServer,
  { guest, group, project, other, feature }: TwoProjects,
): [string, () => Promise<unknown>][] {
  const send = (method: string, path: string, body?: object) =>
    succeeded(server, method, path, body, server.root)
  const member = `/groups/${group.id}/members/${guest.id}`
  const ofOther = `/projects/${other.id}`
  return [
    ['a new member', () => server.addMember(`projects/${other.id}`, guest.id, 30)],
    ['a member gone', () => send('DELETE', member)],
    ['the member back', () => server.addMember(`groups/${group.id}`, guest.id, 20)],
    ['transferred', () => send('PUT', `/projects/${project.id}/transfer`, { namespace: group.id })],
    ['a public group', () => send('PUT', `/groups/${group.id}`, { visibility: 'public' })],
    ['visible', () => send('PUT', ofOther, { visibility: 'public' })],
    [`without ${feature}`, () => send('PUT', ofOther, { [`${feature}_access_level`]: 'disabled' })],
    ['archived', () => send('POST', `${ofOther}/archive`)],
    ['a project deleted', () => send('DELETE', ofOther)],
    ['its contents deleted', () => server.runJobs()],
  ]
}
