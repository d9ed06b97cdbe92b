import { describe, expect, it } from 'vitest'
import {
  type AccessEntry,
  mayUnprotect,
  type Protection,
  passesEntry,
  protectionFinder,
  type RefActor,
} from '../protected-refs/ref-protection.rules.ts'
import { branchRights, checkRefUpdate, type RefRules, refReasons } from './ref-update.rules.ts'

const one = 'a'.repeat(40)
const two = 'b'.repeat(40)

const level = (accessLevel: number): AccessEntry => ({ accessLevel, userId: null, groupId: null })

function protection(name: string, entries: Partial<Protection> = {}): Protection {
  const none: AccessEntry[] = []
  return { name, push: none, merge: none, unprotect: none, create: none, ...entries }
}

function actor(facts: Partial<RefActor> = {}): RefActor {
  const known = { userId: 7, admin: false, level: 30, groupIds: new Set<number>() }
  return { ...known, mayPush: true, deployKey: false, ...facts }
}

function rules(
  branches: Protection[] = [],
  tags: Protection[] = [],
  protectsFirstBranch = false,
): RefRules {
  return {
    defaultBranch: 'main',
    protectsFirstBranch,
    branches: protectionFinder(branches),
    tags: protectionFinder(tags),
  }
}

const actions = {
  create: { before: null, after: one },
  update: { before: one, after: two },
  delete: { before: one, after: null },
} as const
type Action = keyof typeof actions

function check(
  ref: string,
  action: Action,
  known: RefRules,
  who: RefActor,
  way: { via?: 'git' | 'api'; merging?: boolean } = {},
) {
  const { via = 'git', merging = false } = way
  return checkRefUpdate({ ref, ...actions[action] }, known, who, { via, merging })
}

function shown(decision: ReturnType<typeof checkRefUpdate>): string {
  return decision.kind === 'refused' ? `no: ${decision.reason}` : decision.kind
}

/** Actors that pass push level 0, 30, 40 and 60, in this order. */
const passes: [string, RefActor, string][] = [
  ['reporter', actor({ level: 20 }), '----'],
  ['developer', actor({ level: 30 }), '-y--'],
  ['maintainer', actor({ level: 40 }), '-yy-'],
  ['owner', actor({ level: 50 }), '-yy-'],
  ['administrator', actor({ level: 0, admin: true }), '-yyy'],
  ['deploy key', actor({ level: 30, deployKey: true }), 'yyyy'],
]

describe('a protected branch', () => {
  const levels = [0, 30, 40, 60]
  for (const [name, who, table] of passes) {
    for (const [index, accessLevel] of levels.entries()) {
      const may = table[index] === 'y'
      for (const via of ['git', 'api'] as const) {
        for (const pattern of ['stable', 'sta*']) {
          it(`${pattern} with push level ${accessLevel}, by ${via}, for a ${name}: ${may}`, () => {
            const known = rules([protection(pattern, { push: [level(accessLevel)] })])
            const say = (action: Action) =>
              shown(check('refs/heads/stable', action, known, who, { via }))
            expect(say('create')).toBe(may ? 'allowed' : `no: ${refReasons.createBranch}`)
            // Force pushes are rejected for everyone.
            expect(say('update')).toBe(may ? 'forward' : `no: ${refReasons.updateBranch}`)
            const removes = who.admin || who.level >= 40
            const refusal = removes ? 'allowed' : `no: ${refReasons.deleteBranch}`
            const byGit = `no: ${refReasons.deleteBranchByGit}`
            expect(say('delete')).toBe(via === 'git' ? byGit : refusal)
          })
        }
      }
    }
  }

  it('allows merge rights for the result of a merge request, through the API only', () => {
    const known = rules([protection('stable', { push: [level(0)], merge: [level(30)] })])
    const update = (way: { via: 'git' | 'api'; merging: boolean }) =>
      check('refs/heads/stable', 'update', known, actor(), way).kind
    expect(update({ via: 'api', merging: true })).toBe('forward')
    expect(update({ via: 'api', merging: false })).toBe('refused')
    expect(update({ via: 'git', merging: true })).toBe('refused')
  })

  it('allows merge rights to create one from a protected commit, through the API only', () => {
    const known = rules([protection('stable', { push: [level(0)], merge: [level(30)] })])
    const create = (via: 'git' | 'api') =>
      check('refs/heads/stable', 'create', known, actor(), { via }).kind
    expect(create('api')).toBe('from_protected')
    expect(create('git')).toBe('refused')
    expect(
      check('refs/heads/stable', 'create', known, actor({ level: 20 }), { via: 'api' }).kind,
    ).toBe('refused')
  })

  it('uses the most permissive of several protections', () => {
    const strict = protection('s*', { push: [level(0)] })
    const loose = protection('*ble', { push: [level(60), level(30)] })
    const kind = (...protections: Protection[]) =>
      check('refs/heads/stable', 'update', rules(protections), actor()).kind
    expect(kind(strict)).toBe('refused')
    expect(kind(strict, loose)).toBe('forward')
    expect(kind(loose, protection('stable'))).toBe('forward')
  })

  it('allows a named user and the members of a named group', () => {
    const users = protection('stable', {
      push: [level(0), { ...level(0), accessLevel: null, userId: 7 }],
    })
    const groups = protection('stable', { push: [{ accessLevel: null, userId: null, groupId: 3 }] })
    const kind = (known: Protection, who: RefActor) =>
      check('refs/heads/stable', 'update', rules([known]), who).kind
    expect(kind(users, actor())).toBe('forward')
    expect(kind(users, actor({ userId: 8, level: 50 }))).toBe('refused')
    expect(kind(users, actor({ userId: 8, admin: true }))).toBe('forward')
    expect(kind(groups, actor({ groupIds: new Set([3]) }))).toBe('forward')
    expect(kind(groups, actor({ groupIds: new Set([4]) }))).toBe('refused')
  })

  it('allows nobody without an access rule', () => {
    const known = rules([protection('stable')])
    expect(check('refs/heads/stable', 'update', known, actor({ admin: true })).kind).toBe('refused')
  })
})

describe('an unprotected branch', () => {
  it('may be created, updated, force-pushed and deleted with the right to push', () => {
    for (const action of ['create', 'update', 'delete'] as const) {
      expect(check('refs/heads/x', action, rules(), actor())).toEqual({ kind: 'allowed' })
      const decision = check('refs/heads/x', action, rules(), actor({ mayPush: false }))
      expect(decision).toEqual({ kind: 'refused', reason: refReasons.push, cause: 'rights' })
    }
  })

  it('requires maintainers in a protected empty repository', () => {
    const known = rules([], [], true)
    const say = (who: RefActor) => shown(check('refs/heads/x', 'create', known, who))
    expect(say(actor())).toBe(`no: ${refReasons.firstBranch}`)
    expect(say(actor({ level: 40 }))).toBe('allowed')
    expect(say(actor({ level: 0, admin: true }))).toBe('allowed')
    expect(say(actor({ deployKey: true }))).toBe('allowed')
    expect(shown(check('refs/tags/x', 'create', known, actor()))).toBe('allowed')
  })

  it('cannot be deleted when it is the default branch', () => {
    for (const via of ['git', 'api'] as const) {
      const decision = check('refs/heads/main', 'delete', rules(), actor({ admin: true }), { via })
      expect(decision).toEqual({
        kind: 'refused',
        reason: refReasons.deleteDefault,
        cause: 'request',
      })
    }
    expect(check('refs/tags/main', 'delete', rules(), actor()).kind).toBe('allowed')
  })

  it('cannot be deleted without stating the old value', () => {
    const hidden = { ref: 'refs/heads/stable', before: null, after: null }
    const known = rules([protection('stable', { push: [level(30)] })])
    const way = { via: 'git', merging: false } as const
    expect(checkRefUpdate(hidden, known, actor({ level: 50 }), way).kind).toBe('refused')
    const tag = { ...hidden, ref: 'refs/tags/v1' }
    const tags = rules([], [protection('v*', { create: [level(30)] })])
    expect(checkRefUpdate(tag, tags, actor({ admin: true }), way).kind).toBe('refused')
    expect(checkRefUpdate(tag, rules(), actor({ level: 20 }), way).kind).toBe('refused')
  })
})

describe('a protected tag', () => {
  for (const [name, who, table] of passes) {
    for (const [index, accessLevel] of [0, 30, 40].entries()) {
      const may = table[index] === 'y'
      it(`with level ${accessLevel}, for a ${name}: ${may}`, () => {
        const known = rules([], [protection('v*', { create: [level(accessLevel)] })])
        for (const via of ['git', 'api'] as const) {
          const say = (action: Action) => shown(check('refs/tags/v1', action, known, who, { via }))
          expect(say('create')).toBe(may ? 'allowed' : `no: ${refReasons.createTag}`)
          expect(say('update')).toBe(`no: ${refReasons.updateTag}`)
          expect(say('delete')).toBe(`no: ${refReasons.deleteTag}`)
        }
      })
    }
  }
})

describe('an unprotected tag', () => {
  it('may be updated and deleted by Developers and above', () => {
    for (const action of ['update', 'delete'] as const) {
      expect(shown(check('refs/tags/x', action, rules(), actor()))).toBe('allowed')
      const below = actor({ level: 20 })
      const refusal = `no: ${refReasons.existingTag}`
      expect(shown(check('refs/tags/x', action, rules(), below))).toBe(refusal)
      const key = actor({ level: 0, deployKey: true })
      expect(shown(check('refs/tags/x', action, rules(), key))).toBe('allowed')
    }
    expect(shown(check('refs/tags/x', 'create', rules(), actor({ level: 20 })))).toBe('allowed')
  })
})

describe('other refs', () => {
  it.each([
    'refs/notes/x',
    'refs/merge-requests/1/head',
    'refs/keep-around/x',
    'refs/environments/x',
    'refs/pipelines/1',
    'HEAD',
    'refs/heads/',
  ])('%s cannot be updated', (ref) => {
    for (const action of ['create', 'update', 'delete'] as const) {
      const decision = check(ref, action, rules(), actor({ admin: true }))
      expect(decision).toEqual({ kind: 'refused', reason: refReasons.namespace, cause: 'request' })
    }
  })

  it.each(['HEAD', '-x', 'refs/heads/y', 'refs/remotes/y', '@', 'a.lock', 'a..b'])(
    'allows only deleting %s',
    (name) => {
      for (const [folder, type] of [
        ['heads', 'branch'],
        ['tags', 'tag'],
      ]) {
        const say = (action: Action) =>
          shown(check(`refs/${folder}/${name}`, action, rules(), actor()))
        expect(say('create')).toBe(`no: No ${type} may have this name.`)
        expect(say('update')).toBe(`no: No ${type} may have this name.`)
        expect(say('delete')).toBe('allowed')
      }
    },
  )
})

describe('branchRights', () => {
  it('returns the rights of developers and of the caller', () => {
    const known = rules([
      protection('stable', { push: [level(40)], merge: [level(30)] }),
      protection('open', { push: [level(30)], merge: [level(40)] }),
    ])
    const rights = (name: string, who = actor()) => {
      const found = branchRights(name, known, who)
      const { developersCanPush, developersCanMerge, canPush, canMerge } = found
      const flags = [found.protected, developersCanPush, developersCanMerge, canPush, canMerge]
      return flags.map(Number).join('')
    }
    expect(rights('stable')).toBe('10101')
    expect(rights('stable', actor({ level: 40 }))).toBe('10111')
    expect(rights('open')).toBe('11011')
    expect(rights('other')).toBe('00011')
    const reader = actor({ level: 20, mayPush: false })
    expect(rights('other', reader)).toBe('00000')
    expect(rights('open', reader)).toBe('11000')
  })
})

describe('mayUnprotect', () => {
  it('is true for users named in the rules, and administrators', () => {
    const named = protection('x', { unprotect: [{ accessLevel: null, userId: 7, groupId: null }] })
    expect(mayUnprotect(named, actor())).toBe(true)
    expect(mayUnprotect(named, actor({ userId: 8, level: 50 }))).toBe(false)
    const closed = protection('x', { unprotect: [level(0)] })
    expect(mayUnprotect(closed, actor({ level: 50 }))).toBe(false)
    expect(mayUnprotect(closed, actor({ admin: true }))).toBe(true)
    expect(mayUnprotect(protection('x'), actor({ level: 40 }))).toBe(true)
  })
})

describe('passesEntry', () => {
  it('restricts level 60 to administrators, whatever the level of a member', () => {
    expect(passesEntry(level(60), actor({ level: 60 }))).toBe(false)
    expect(passesEntry(level(60), actor({ admin: true }))).toBe(true)
  })

  it('never matches a null user with an anonymous actor', () => {
    const nobody = { accessLevel: null, userId: null, groupId: null }
    expect(passesEntry(nobody, actor({ userId: null }))).toBe(false)
  })
})
