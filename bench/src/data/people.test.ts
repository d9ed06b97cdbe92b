import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databaseOf, generate } from './generate.ts'
import { busyProject, deepProject, member, peopleGroup } from './measured.ts'
import type { Size } from './sizes.ts'

const tiny: Size = {
  users: 300,
  groups: 130,
  depth: 8,
  projects: 20,
  events: 0,
  issues: 0,
  mergeRequests: 0,
  epics: 0,
  notes: 0,
  busyLabels: 0,
  busyMembers: 10,
  repositories: 0,
  commits: 0,
  history: 0,
  branches: 0,
  changedFiles: 0,
  vulnerabilities: 0,
  groupProjects: 40,
}

let parent: string
let db: Sqlite.Database
beforeAll(async () => {
  parent = mkdtempSync(join(tmpdir(), 'stithy-people-'))
  const folder = join(parent, 'first')
  await generate(folder, tiny)
  db = new Sqlite(databaseOf(folder), { readonly: true })
})
afterAll(() => {
  db.close()
  rmSync(parent, { recursive: true, force: true })
})

const query = (sql: string, database = db) => database.prepare(sql).all()
const count = (sql: string) => db.prepare<[], number>(`select count(*) ${sql}`).pluck().get()

describe('the data of people', () => {
  it('is the same in every run', async () => {
    const folder = join(parent, 'second')
    await generate(folder, tiny)
    const second = new Sqlite(databaseOf(folder), { readonly: true })
    const tables = ['sshKeys', 'emails', 'tokens', 'groupGroupLinks', 'accessRequests', 'badges']
    tables.push('environments', 'deployments')
    for (const table of tables) {
      const sql = `select * from "${table}" order by id`
      expect(query(sql, second)).toEqual(query(sql))
      expect(query(sql).length).toBeGreaterThan(20)
    }
    second.close()
  })

  it('has a group with very many projects, members and subgroups', () => {
    const group = `(select id from namespaces where "fullPath" = '${peopleGroup.path}')`
    expect(count(`from projects where "namespaceId" = ${group}`)).toBe(tiny.groupProjects)
    expect(count(`from namespaces where "parentId" = ${group}`)).toBe(30)
    expect(count(`from members where "sourceKind" = 'group' and "sourceId" = ${group}`)).toBe(300)
    expect(count(`from "groupGroupLinks" where "sharedGroupId" = ${group}`)).toBe(20)
    expect(count(`from "accessRequests" where "sourceId" = ${group}`)).toBe(100)
  })

  it('has a project with thousands of environments, each with a successful deployment', () => {
    expect(count(`from environments where "projectId" = ${busyProject}`)).toBe(5000)
    expect(count(`from deployments where status = 'success'`)).toBe(5000)
    expect(count('from deployments')).toBe(20_000)
  })

  it('has a project five groups deep that the member reaches by two shares alone', () => {
    const deep = `projects p join "namespaceAncestors" a on a."descendantId" = p."namespaceId"
      where p."fullPath" = '${deepProject.path}' and p.visibility = 'private'`
    expect(count(`from ${deep}`)).toBe(5)
    const reached = (links: string) => `"namespaceAncestors" h join members m
      on m."sourceId" = h."ancestorId" and m."sourceKind" = 'group' and m."userId" = ${member.id}
      where h."descendantId" in (${links})`
    const direct = `select a."ancestorId" from ${deep}`
    expect(count(`from ${reached(direct)}`)).toBe(0)
    const byGroup = `select "sharedWithGroupId" from "groupGroupLinks"
      where "sharedGroupId" in (${direct})`
    const byProject = `select "groupId" from "projectGroupLinks"
      where "projectId" in (select p.id from ${deep})`
    expect(count(`from ${reached(byGroup)} and h.distance = 4`)).toBe(1)
    expect(count(`from ${reached(byProject)}`)).toBe(1)
  })
})
