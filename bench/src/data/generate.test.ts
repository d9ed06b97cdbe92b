import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databaseOf, generate } from './generate.ts'
import {
  branchesProject,
  busyProject,
  historyProject,
  itemsOfMember,
  member,
  memberGroups,
  memberProjects,
  rareWord,
} from './measured.ts'
import type { Size } from './sizes.ts'

const tiny: Size = {
  users: 30,
  groups: 60,
  depth: 8,
  projects: 20,
  events: 40,
  issues: 300,
  mergeRequests: 200,
  epics: 400,
  notes: 600,
  busyLabels: 8,
  busyMembers: 10,
  repositories: 7,
  commits: 60,
  history: 70,
  branches: 12,
  changedFiles: 5,
  vulnerabilities: 300,
  groupProjects: 0,
}

let parent: string
let folder: string

beforeAll(async () => {
  parent = mkdtempSync(join(tmpdir(), 'stithy-bench-'))
  folder = join(parent, 'first')
  await generate(folder, tiny)
})

afterAll(() => rmSync(parent, { recursive: true, force: true }))

function query<Row>(sql: string, from = folder): Row[] {
  const db = new Sqlite(databaseOf(from), { readonly: true })
  try {
    return db.prepare<[], Row>(sql).all()
  } finally {
    db.close()
  }
}

function dump(from: string): Record<string, unknown[]> {
  const tables = query<{ name: string }>(
    `select name from sqlite_master where type = 'table' and name not in
     ('sqlite_sequence', 'sqlite_stat1', 'sqlite_stat4', 'schema_migrations') order by name`,
    from,
  )
  return Object.fromEntries(
    tables.map(({ name }) => [name, query(`select * from "${name}" order by 1, 2`, from)]),
  )
}

function refs(from: string): string[] {
  return query<{ repositoryPath: string }>(
    'select "repositoryPath" from projects where "emptyRepo" = 0 order by id',
    from,
  ).map(({ repositoryPath }) => {
    const path = join(from, 'repositories', repositoryPath)
    return execFileSync('git', ['--git-dir', path, 'for-each-ref'], { encoding: 'utf8' })
  })
}

describe('generate', () => {
  it('generates the same rows and the same commits on every run', async () => {
    const second = join(parent, 'second')
    await generate(second, tiny)
    expect(dump(second)).toEqual(dump(folder))
    expect(refs(second)).toEqual(refs(folder))
    expect(refs(folder)).toHaveLength(tiny.repositories)
  })

  it('keeps a folder that is up to date, and replaces one of another size', async () => {
    const again = join(parent, 'again')
    const few = { ...tiny, repositories: 0 }
    expect(await generate(again, few)).toBe(true)
    const before = statSync(databaseOf(again)).mtimeMs
    expect(await generate(again, few)).toBe(false)
    expect(statSync(databaseOf(again)).mtimeMs).toBe(before)
    expect(await generate(again, { ...few, users: 31 })).toBe(true)
    expect(query('select * from users', again)).toHaveLength(31)
  })

  it('fills the closure of the parents, down to the full depth', () => {
    const closure = query(
      `with recursive line(descendantId, ancestorId, distance) as (
         select id, id, 0 from namespaces
         union all
         select line.descendantId, parent."parentId", line.distance + 1
         from line join namespaces parent on parent.id = line.ancestorId
         where parent."parentId" is not null
       ) select * from line order by 1, 2`,
    )
    const stored = query('select * from "namespaceAncestors" order by 1, 2')
    expect(stored).toEqual(closure)
    const [deepest] = query<{ levels: number }>(
      'select max(distance) + 1 as levels from "namespaceAncestors"',
    )
    expect(deepest?.levels).toBe(tiny.depth)
  })

  it('puts nothing into a less visible group', () => {
    const rank = (table: string) =>
      `case ${table}.visibility when 'public' then 2 when 'internal' then 1 else 0 end`
    const wider = (child: string, key: string) =>
      `select child.id from ${child} child join namespaces home on home.id = child."${key}"
       where ${rank('child')} > ${rank('home')}`
    expect(query(wider('namespaces', 'parentId'))).toEqual([])
    expect(query(wider('projects', 'namespaceId'))).toEqual([])
  })

  it('gives the measured member the same memberships in every size', () => {
    const own = query<{ sourceKind: string; sourceId: number }>(
      `select "sourceKind", "sourceId" from members where "userId" = ${member.id} order by 1, 2`,
    )
    expect(own).toEqual([
      ...memberGroups.map((position) => ({ sourceKind: 'group', sourceId: position + 1 })),
      ...memberProjects.map((id) => ({ sourceKind: 'project', sourceId: id })),
    ])
  })

  it.each([
    { id: 1, commits: tiny.commits },
    { id: historyProject, commits: tiny.history },
    { id: branchesProject, commits: 1 },
  ])('counts the commits that it wrote to project $id', ({ id, commits }) => {
    const [project] = query<{ repositoryPath: string; commitCount: number }>(
      `select p."repositoryPath", s."commitCount" from projects p
       join "projectStatistics" s on s."projectId" = p.id where p.id = ${id}`,
    )
    const path = join(folder, 'repositories', project?.repositoryPath ?? '')
    const args = ['--git-dir', path, 'rev-list', '--count', 'HEAD']
    expect(Number(execFileSync('git', args, { encoding: 'utf8' }))).toBe(commits)
    expect(project?.commitCount).toBe(commits)
    expect(execFileSync('git', ['--git-dir', path, 'fsck'], { encoding: 'utf8' })).toBe('')
  })

  it('stores the counters and search texts of issues', () => {
    const wrong = query<{ id: number }>(
      `select i.id from issues i where "labelCount" <> (select count(*) from "labelLinks" l
         where l."targetType" = 'issue' and l."targetId" = i.id and l."createdAt" = i."createdAt")
       or "assigneeCount" <> (select count(*) from "issueAssignees" a
         where a."issueId" = i.id and a."createdAt" = i."createdAt")
       or "userNotesCount" <> (select count(*) from notes n
         where n."noteableType" = 'issue' and n."noteableId" = i.id)`,
    )
    expect(wrong).toEqual([])
    const [counts] = query<{ issues: number; own: number; found: number }>(
      `select (select count(*) from issues) as issues,
         (select count(*) from issues where "authorId" = ${member.id}) as own,
         (select count(*) from "issueTexts" where "issueTexts" match '${rareWord}') as found`,
    )
    expect(counts).toEqual({ issues: tiny.issues, own: itemsOfMember, found: itemsOfMember })
  })

  it('fills a tree of epics with five levels, within groups that go down with it', () => {
    const levels = query<{ level: number; count: number }>(
      `with recursive tree(id, level) as (
         select id, 1 from epics where "parentId" is null
         union all select e.id, tree.level + 1 from epics e join tree on e."parentId" = tree.id
       ) select level, count(*) as count from tree group by 1 order by 1`,
    )
    expect(levels.map(({ level }) => level)).toEqual([1, 2, 3, 4, 5])
    expect(levels.reduce((sum, { count }) => sum + count, 0)).toBe(tiny.epics)
    const outside = query(
      `select child.id from epics child join epics parent on parent.id = child."parentId"
       where not exists (select 1 from "namespaceAncestors" a
         where a."descendantId" = child."groupId" and a."ancestorId" = parent."groupId")`,
    )
    expect(outside).toEqual([])
    const [counts] = query<{ wrong: number; issues: number; found: number }>(
      `select (select count(*) from epics e where "labelCount" <> (select count(*)
           from "labelLinks" l where l."targetType" = 'epic' and l."targetId" = e.id)) as wrong,
         (select count(*) from "epicIssues") as issues,
         (select count(*) from "epicTexts" where "epicTexts" match 'server') as found`,
    )
    expect(counts?.wrong).toBe(0)
    expect(counts?.issues).toBeGreaterThan(0)
    expect(counts?.found).toBeGreaterThan(0)
  })

  it('stores the search texts of comments', () => {
    const scope = (id: number) => String.fromCharCode(57_344, 57_344, 57_344 + id)
    const [found] = query<{ notes: number; found: number; own: number; there: number }>(
      `select (select count(*) from notes) as notes,
         (select count(*) from "noteTexts") as found,
         (select count(*) from notes where "projectId" = ${busyProject}) as own,
         (select count(*) from "noteTexts"
           where "noteTexts" match 'scope : ${scope(busyProject)}') as there`,
    )
    expect(found?.found).toBe(found?.notes)
    expect(found?.there).toBe(found?.own)
    expect(found?.own).toBeGreaterThan(0)
  })

  it('stores the counters, search texts and newest versions of merge requests', () => {
    const wrong = query<{ id: number }>(
      `select m.id from "mergeRequests" m
       left join "mergeRequestVersions" v on v.id = m."latestVersionId" and v."mergeRequestId" = m.id
       where v."headSha" is not m."headSha" or v.id <> (select max(id) from "mergeRequestVersions" o
         where o."mergeRequestId" = m.id)
       or v."commitCount" <> (select count(*) from "mergeRequestCommits" c where c."versionId" = v.id)
       or "labelCount" <> (select count(*) from "labelLinks" l
         where l."targetType" = 'merge_request' and l."targetId" = m.id)
       or "assigneeCount" <> (select count(*) from "mergeRequestAssignees" a
         where a."mergeRequestId" = m.id and a."createdAt" = m."createdAt")`,
    )
    expect(wrong).toEqual([])
    const [counts] = query<{ requests: number; own: number; found: number; approver: number }>(
      `select (select count(*) from "mergeRequests") as requests,
         (select count(*) from "mergeRequests" where "authorId" = ${member.id}) as own,
         (select count(*) from "mergeRequestTexts"
           where "mergeRequestTexts" match '${rareWord}') as found,
         (select count(*) from "approvalRuleUsers" where "userId" = ${member.id}) as approver`,
    )
    const own = itemsOfMember
    expect(counts).toEqual({ requests: tiny.mergeRequests, own, found: own, approver: own })
  })

  it('counts the items with each label, as triggers do', () => {
    const counted = query(
      `select l."labelId", l."projectId", l."targetType", coalesce(i.state, m.state) as state,
         coalesce(i.confidential, 0) as confidential, count(*) as total
       from "labelLinks" l
       left join issues i on i.id = l."targetId" and l."targetType" = 'issue'
       left join "mergeRequests" m on m.id = l."targetId" and l."targetType" = 'merge_request'
       where l."targetType" <> 'epic'
       group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`,
    )
    expect(query('select * from "labelTotals" order by 1, 2, 3, 4, 5')).toEqual(counted)
    expect(counted.length).toBeGreaterThan(0)
  })

  it('creates every index and trigger of the schema', () => {
    const names = query<{ name: string }>(
      `select name from sqlite_master where tbl_name in ('issues', 'mergeRequests', 'notes', 'events') and
       type in ('index', 'trigger') and sql is not null`,
    )
    expect(names.length).toBeGreaterThan(45)
  })
})
