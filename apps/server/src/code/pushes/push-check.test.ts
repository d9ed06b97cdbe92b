import { DomainError, type RefUpdate, refReasons } from '@stithy/core'
import { commitFiles, findBranch, updateRef } from '@stithy/git'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { loadProject, type ProjectSubject } from '../../directory/projects/project-subject.ts'
import type { Caller } from '../../platform/http/call.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { callAs } from '../../testing/clients/calls.ts'
import type { TestUser } from '../../testing/factories.ts'
import { setSetting } from '../../testing/settings.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'
import { loadBranchRights } from '../protected-refs/ref-access.service.ts'
import { checkPush, checkRefUpdates } from './push-check.service.ts'
import { changeRefs } from './ref-change.service.ts'

let server: TestServer
let reporter: TestUser
let developer: TestUser
let maintainer: TestUser
let project: Json
let first: string
let second: string
let aside: string

beforeAll(async () => {
  server = await buildTestServer()
  reporter = await server.buildUser()
  developer = await server.buildUser()
  maintainer = await server.buildUser()
})
afterAll(() => server.close())
beforeEach(async () => {
  project = await server.buildProject({ initialize_with_readme: true })
  for (const [user, level] of [
    [reporter, 20],
    [developer, 30],
    [maintainer, 40],
  ] as const) {
    await server.addMember(`projects/${project.id}`, user.id, level)
  }
  const { row } = await subjectOf(root())
  const head = await findBranch(server.app.git, repositoryOf(server.app, row), 'master')
  first = head?.oid ?? ''
  second = await write('second', first)
  aside = await write('aside', undefined)
})

const root = (): Caller => callerOf({ id: server.root.id, username: 'root' }, true)

function callerOf({ id, username }: { id: number; username: string }, admin = false): Caller {
  const facts = { userId: id, admin, external: false }
  const person = { name: username, email: `${username}@example.com`, canCreateGroup: true }
  const user = { id, username, ...person, admin, external: false, projectsLimit: 0 }
  return {
    facts,
    user: { ...user, mustChangePassword: false, acceptedTermsVersion: null, themeId: 0 },
    scopes: ['api'],
  }
}

async function subjectOf(caller: Caller): Promise<ProjectSubject> {
  const subject = await loadProject(server.app, String(project.id), caller)
  if (subject === undefined) throw new Error('the project is gone')
  return subject
}

/** A commit in the repository, on an unprotected branch of its own. */
async function write(branch: string, parent: string | undefined): Promise<string> {
  const { row } = await subjectOf(root())
  const repository = repositoryOf(server.app, row)
  const files = [{ path: `${branch}.txt`, content: Buffer.from(branch) }]
  const author = { name: 'A', email: 'a@example.com' }
  if (parent === undefined) {
    return commitFiles(server.app.git, repository, { branch, parent, files, message: 'm', author })
  }
  const temporary = `tmp-${branch}`
  await updateRef(server.app.git, repository, `refs/heads/${temporary}`, parent)
  const request = { branch: temporary, parent, files, message: 'm', author }
  return commitFiles(server.app.git, repository, request)
}

async function protect(kind: 'branches' | 'tags', body: object): Promise<void> {
  const path = `/projects/${project.id}/protected_${kind}`
  expect((await callAs(server, 'POST', path, maintainer.token, body)).status).toBe(201)
}

async function reasons(
  caller: Caller,
  update: RefUpdate,
  more: { merging?: boolean; forced?: boolean; deployKey?: boolean } = {},
): Promise<string[]> {
  const subject = await subjectOf(caller)
  const change = { subject, caller, updates: [update], via: 'api' as const, ...more }
  return (await checkRefUpdates(server.app, change)).map(({ reason }) => reason)
}

const master = (after: string | null, before: string | null = first): RefUpdate => {
  return { ref: 'refs/heads/master', before, after }
}

describe('checkRefUpdates for the API', () => {
  it.each(['developer', 'maintainer', 'root'] as const)(
    'returns the rights of a %s',
    async (who) => {
      await protect('branches', { name: 'open*', push_access_level: 30 })
      await protect('branches', { name: 'shut*', push_access_level: 0, merge_access_level: 0 })
      await protect('tags', { name: 'v*' })
      await protect('tags', { name: 'w*', create_access_level: 30 })
      const caller = {
        developer: callerOf(developer),
        maintainer: callerOf(maintainer),
        root: root(),
      }[who]
      const rows: [string, string | null, string | null, string | undefined, boolean][] = [
        // ref, before, after, the reason, and whether maintainers are exempt
        ['heads/plain', null, first, undefined, false],
        ['heads/plain', first, aside, undefined, false],
        ['heads/plain', first, null, undefined, false],
        ['heads/master', first, second, refReasons.updateBranch, true],
        ['heads/master', first, null, refReasons.deleteDefault, false],
        ['heads/open', null, first, undefined, false],
        ['heads/open', first, second, undefined, false],
        ['heads/open', first, aside, refReasons.forceBranch, false],
        ['heads/open', second, first, refReasons.forceBranch, false],
        ['heads/open', first, null, refReasons.deleteBranch, true],
        ['heads/shut', null, first, refReasons.createBranch, false],
        ['heads/shut', first, second, refReasons.updateBranch, false],
        ['heads/shut', first, null, refReasons.deleteBranch, true],
        ['tags/plain', first, null, undefined, false],
        ['tags/v1', null, first, refReasons.createTag, true],
        ['tags/v1', first, second, refReasons.updateTag, false],
        ['tags/v1', first, null, refReasons.deleteTag, false],
        ['tags/w1', null, first, undefined, false],
        ['keep-around/x', null, first, refReasons.namespace, false],
      ]
      for (const [ref, before, after, reason, spares] of rows) {
        const spared = spares && who !== 'developer'
        const expected = reason === undefined || spared ? [] : [reason]
        const found = await reasons(caller, { ref: `refs/${ref}`, before, after })
        expect([ref, before, after, found]).toEqual([ref, before, after, expected])
      }
    },
  )

  it('refuses users who may not push, and everything in an archived project', async () => {
    const plain = { ref: 'refs/heads/plain', before: null, after: first }
    expect(await reasons(callerOf(reporter), plain)).toEqual([refReasons.push])
    const path = `/projects/${project.id}/archive`
    await callAs(server, 'POST', path, server.root.token)
    expect(await reasons(root(), plain)).toEqual([refReasons.push])
  })

  it('trusts `forced`, and detects it by itself once the commits are written', async () => {
    const unwritten = 'e'.repeat(40)
    expect(await reasons(root(), master(unwritten))).toEqual([])
    expect(await reasons(root(), master(unwritten), { forced: true })).toEqual([
      refReasons.forceBranch,
    ])
    expect(await reasons(root(), master(aside))).toEqual([refReasons.forceBranch])
  })

  it('requires merge levels only for the result of a merge, and for a new branch from a protected one', async () => {
    await protect('branches', { name: 's*', push_access_level: 0, merge_access_level: 30 })
    const caller = callerOf(developer)
    const update = { ref: 'refs/heads/s1', before: first, after: second }
    expect(await reasons(caller, update)).toEqual([refReasons.updateBranch])
    expect(await reasons(caller, update, { merging: true })).toEqual([])
    const forced = { ...update, after: aside }
    expect(await reasons(caller, forced, { merging: true })).toEqual([refReasons.forceBranch])
    const create = (after: string) => ({ ref: 'refs/heads/s1', before: null, after })
    expect(await reasons(caller, create(first))).toEqual([])
    expect(await reasons(caller, create(aside))).toEqual([refReasons.createBranch])
    expect(await reasons(caller, create('e'.repeat(40)))).toEqual([refReasons.createBranch])
  })

  it('lets deploy keys push at any level, but not force', async () => {
    await protect('branches', { name: 's*', push_access_level: 0 })
    const update = { ref: 'refs/heads/s1', before: first, after: second }
    const key = { deployKey: true }
    expect(await reasons(callerOf(reporter), update, key)).toEqual([])
    expect(await reasons(callerOf(reporter), { ...update, after: aside }, key)).toEqual([
      refReasons.forceBranch,
    ])
  })

  it('takes the same number of queries for any number of refs and protections', async () => {
    const caller = callerOf(developer)
    const subject = await subjectOf(caller)
    const count = async (length: number) => {
      const updates = Array.from({ length }, (_, index) => {
        return { ref: `refs/heads/b${index}`, before: null, after: first }
      })
      const before = server.app.db.stats.queries
      await checkRefUpdates(server.app, { subject, caller, updates, via: 'api' })
      return server.app.db.stats.queries - before
    }
    const few = await count(1)
    for (let index = 0; index < 5; index += 1) await protect('branches', { name: `*-${index}` })
    expect([await count(1), await count(500)]).toEqual([few, few])
    expect(few).toBeLessThanOrEqual(3)
  })
})

describe('checkPush', () => {
  it('refuses what it can decide, and returns the branches that only git can check', async () => {
    await protect('branches', { name: 'open*', push_access_level: 30 })
    const caller = callerOf(developer)
    const subject = await subjectOf(caller)
    const updates = [
      { ref: 'refs/heads/open1', before: first, after: second },
      { ref: 'refs/heads/open2', before: null, after: second },
      { ref: 'refs/heads/plain', before: first, after: second },
      master(second),
    ]
    expect(await checkPush(server.app, { subject, caller, updates })).toEqual({
      refusals: [{ ref: 'refs/heads/master', reason: refReasons.updateBranch, cause: 'rights' }],
      forwardOnly: ['refs/heads/open1'],
    })
  })

  it('refuses more protected branches at once than git can be passed', async () => {
    await protect('branches', { name: '*', push_access_level: 30 })
    const caller = callerOf(developer)
    const subject = await subjectOf(caller)
    const updates = Array.from({ length: 1000 }, (_, index) => {
      return { ref: `refs/heads/${'x'.repeat(200)}${index}`, before: first, after: second }
    })
    const { refusals, forwardOnly } = await checkPush(server.app, { subject, caller, updates })
    expect([refusals.length, forwardOnly]).toEqual([1000, []])
    expect(refusals[0]?.reason).toContain('Too many protected branches')
  })
})

describe('changeRefs', () => {
  async function statusOf(update: RefUpdate, refusedAs?: 'bad_request'): Promise<string> {
    const caller = callerOf(developer)
    const subject = await subjectOf(caller)
    const style = refusedAs === undefined ? {} : { refusedAs }
    try {
      await changeRefs(server.app, { subject, caller, updates: [update], ...style })
      return 'done'
    } catch (error) {
      return error instanceof DomainError ? `${error.code}: ${error.detail.message}` : 'broken'
    }
  }

  it('returns 403 for what other rights would allow, and 400 for what nobody may', async () => {
    expect(await statusOf(master(second))).toBe(`forbidden: ${refReasons.updateBranch}`)
    const status = await statusOf(master(second), 'bad_request')
    expect(status).toBe(`bad_request: ${refReasons.updateBranch}`)
    expect(await statusOf(master(null))).toBe(`bad_request: ${refReasons.deleteDefault}`)
    expect(await statusOf({ ref: 'refs/heads/x', before: null, after: first })).toBe('done')
  })
})

describe('loadBranchRights', () => {
  it('returns the rights of each user on a branch', async () => {
    await protect('branches', { name: 's*', push_access_level: 40, merge_access_level: 30 })
    const rights = async (caller: Caller, name: string) => {
      const subject = await subjectOf(caller)
      const find = await loadBranchRights(server.app, { subject, caller })
      const { canPush, canMerge } = find(name)
      return [canPush, canMerge]
    }
    expect(await rights(callerOf(developer), 'stable')).toEqual([false, true])
    expect(await rights(callerOf(developer), 'other')).toEqual([true, true])
    expect(await rights(callerOf(maintainer), 'stable')).toEqual([true, true])
    expect(await rights(callerOf(reporter), 'other')).toEqual([false, false])
  })
})

describe('an empty repository', () => {
  it('requires the Maintainer role with the settings 2 and 3', async () => {
    project = await server.buildProject()
    await server.addMember(`projects/${project.id}`, developer.id, 30)
    const update = { ref: 'refs/heads/x', before: null, after: first }
    const found: Record<number, string[]> = {}
    for (const setting of [0, 1, 2, 3]) {
      await setSetting(server, 'default_branch_protection', setting)
      found[setting] = await reasons(callerOf(developer), update)
    }
    await setSetting(server, 'default_branch_protection', 2)
    const guarded = [refReasons.firstBranch]
    expect(found).toEqual({ 0: [], 1: [], 2: guarded, 3: guarded })
    expect(await reasons(root(), update)).toEqual([])
  })
})
