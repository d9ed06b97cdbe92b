import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CommitAction } from '@stithy/core'
import {
  createCommit,
  createRepository,
  type Git,
  openGit,
  readObject,
  TreeChangeError,
} from '@stithy/git'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mustGit } from '../../../testing/git/git-client.ts'
import { changeOf } from './action-changes.ts'

/** A repository as a plain map: a second, simple implementation of the commit actions. */
type Model = ReadonlyMap<string, { content: string; executable: boolean }>

/** The paths of the model collide often, as files and as folders of each other. */
const paths = ['a', 'a/b', 'a/b/c', 'a.b', '-x', 'ü/ß']

const path = fc.constantFrom(...paths)
const content = fc.constantFrom('', 'one', 'two\n', 'ü\0')
const encoded = content.chain((text) =>
  fc.constantFrom(
    { content: text, encoding: 'text' as const },
    { content: Buffer.from(text).toString('base64'), encoding: 'base64' as const },
    { content: text },
  ),
)

/** An action whose path is not chosen yet: usually that of an existing file, sometimes any. */
const shot = fc.record({
  action: fc.constantFrom('create', 'update', 'delete', 'move', 'chmod'),
  isAimed: fc.integer({ min: 0, max: 7 }).map((number) => number > 0),
  nth: fc.nat(),
  path,
  other: path,
  encoded,
  keepsContent: fc.boolean(),
  execute_filemode: fc.boolean(),
})
type Shot = typeof shot extends fc.Arbitrary<infer T> ? T : never

function aim(model: Model, one: Shot): CommitAction {
  const there = [...model.keys()]
  const found = one.isAimed ? (there[one.nth % Math.max(1, there.length)] ?? one.path) : one.path
  const { execute_filemode } = one
  switch (one.action) {
    case 'create':
      return { action: 'create', file_path: one.path, ...one.encoded }
    case 'update':
      return { action: 'update', file_path: found, ...one.encoded }
    case 'delete':
      return { action: 'delete', file_path: found }
    case 'move': {
      const content = one.keepsContent ? {} : one.encoded
      return { action: 'move', file_path: one.other, previous_path: found, ...content }
    }
    case 'chmod':
      return { action: 'chmod', file_path: found, execute_filemode }
  }
}

function textOf({ content: sent = '', encoding }: CommitAction): string {
  return encoding === 'base64' ? Buffer.from(sent ?? '', 'base64').toString() : (sent ?? '')
}

/** Whether a new file fits in: neither it nor a path below exists, and no parent is a file. */
function fits(model: Model, at: string): boolean {
  return ![...model.keys()].some(
    (other) => other === at || other.startsWith(`${at}/`) || at.startsWith(`${other}/`),
  )
}

/** The model after an action; undefined if the action cannot apply. */
function step(model: Model, done: CommitAction): Model | undefined {
  const { file_path: at, previous_path: from = '' } = done
  const next = new Map(model)
  const file = model.get(done.action === 'move' ? from : at)
  if (done.action === 'create') {
    return fits(model, at) ? next.set(at, { content: textOf(done), executable: false }) : undefined
  }
  if (file === undefined) return undefined
  if (done.action === 'update') return next.set(at, { ...file, content: textOf(done) })
  if (done.action === 'chmod') {
    return next.set(at, { ...file, executable: done.execute_filemode ?? false })
  }
  next.delete(done.action === 'move' ? from : at)
  if (done.action === 'delete') return next
  if (from === at || !fits(next, at)) return undefined
  return next.set(at, done.content === undefined ? file : { ...file, content: textOf(done) })
}

/**
 * Chooses the path of each action in the state after the previous ones; what follows a refusal
 * hardly matters.
 */
function shoot(
  model: Model,
  shots: Shot[],
): { actions: CommitAction[]; result: Model | undefined } {
  const actions: CommitAction[] = []
  let result: Model | undefined = model
  for (const one of shots) {
    const action = aim(result ?? model, one)
    actions.push(action)
    result = result && step(result, action)
  }
  return { actions, result }
}

let folder: string
let git: Git

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stithy-model-'))
  git = await openGit()
})
afterAll(async () => {
  await git.close()
  await rm(folder, { recursive: true, force: true })
})

const someone = { name: 'Ada', email: 'ada@example.com' }

/** Every file of a commit, as git itself lists it. */
async function readModel(repository: string, oid: string): Promise<[string, object][]> {
  const listing = await mustGit(repository, 'ls-tree', '-r', '-z', oid)
  const found: [string, object][] = []
  for (const line of listing.split('\0').filter(Boolean)) {
    const [, mode, blob = '', name = ''] = /^(\d+) blob (\w+)\t(.*)$/s.exec(line) ?? []
    const object = await readObject(git, { path: repository }, blob)
    found.push([name, { content: object?.content.toString(), executable: mode === '100755' }])
  }
  return found
}

it('applies any sequence of actions as a plain map would, or refuses it as a whole', async () => {
  const repository = await createRepository(git, join(folder, 'r.git'), { defaultBranch: 'main' })
  const apply = async (actions: CommitAction[], base: string | undefined) => {
    const parents = base === undefined ? [] : [base]
    const changes = actions.map(changeOf)
    const request = { base, parents, changes, message: 'm', author: someone }
    return createCommit(git, repository, request).catch((error: unknown) => {
      if (error instanceof TreeChangeError) return undefined
      throw error
    })
  }
  const outcomes = { refused: 0, made: 0 }
  const batches = fc.array(fc.array(shot, { minLength: 1, maxLength: 3 }), { maxLength: 15 })
  await fc.assert(
    fc.asyncProperty(batches, async (commits) => {
      let model: Model = new Map()
      let base: string | undefined
      for (const shots of commits) {
        const { actions, result } = shoot(model, shots)
        const oid = await apply(actions, base)
        expect(oid !== undefined, JSON.stringify(actions)).toBe(result !== undefined)
        outcomes[oid === undefined ? 'refused' : 'made'] += 1
        if (oid !== undefined && result !== undefined) [model, base] = [result, oid]
      }
      if (base !== undefined) expect(new Map(await readModel(repository.path, base))).toEqual(model)
    }),
    { numRuns: 150 },
  )
  expect(Math.min(outcomes.refused, outcomes.made)).toBeGreaterThan(50)
  expect(await mustGit(repository.path, 'fsck', '--strict', '--no-dangling')).toBe('')
}, 120_000)
