import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  buildNamespace,
  buildProject,
  buildUser,
  explainQuery,
  openTestDatabase,
  type TestDatabase,
} from '../../testing/index.ts'
import { type CandidateRequest, listCandidates } from './candidate-search.ts'
import {
  addSearchedCommits,
  addSearchedFiles,
  removeSearchedCommits,
  removeSearchedFiles,
  removeSomeEntries,
} from './entry-store.ts'
import { advanceSearchSource, ensureSearchSource, findSearchSource } from './source-store.ts'

let db: TestDatabase
let projectId: number

beforeEach(async () => {
  db = await openTestDatabase()
  projectId = await createProject()
})
afterEach(() => db.close())

async function createProject(): Promise<number> {
  const owner = await buildUser(db)
  const namespace = await buildNamespace(db, { visibility: 'public' })
  const project = await buildProject(db, namespace, { creatorId: owner.id, visibility: 'public' })
  return project.id
}

function file(path: string, text: string | null) {
  return {
    path,
    oid: '1'.repeat(40),
    pathText: path.toLowerCase(),
    content: text === null ? null : Buffer.from(text),
  }
}

async function addFiles(id: number, files: readonly ReturnType<typeof file>[]): Promise<number> {
  return db.searchIndex.transaction(async (tx) => {
    const source = await ensureSearchSource(tx, { projectId: id, kind: 'code' })
    await addSearchedFiles(tx, source.id, files)
    return source.id
  })
}

function find(text: string, changes: Partial<CandidateRequest> = {}) {
  return listCandidates(db, {
    scope: { kind: 'anywhere' },
    subject: 'code_texts',
    caller: { userId: null, admin: false, external: false },
    today: '2019-06-15',
    text,
    before: undefined,
    limit: 100,
    ...changes,
  })
}

async function paths(text: string, changes: Partial<CandidateRequest> = {}) {
  return (await find(text, changes)).map(({ path }) => path)
}

describe('listCandidates', () => {
  it('finds texts by any part, newest first, and goes on below an id', async () => {
    await addFiles(projectId, [
      file('a.ts', 'const answer = 42\n'),
      file('b.ts', 'print(answers)\n'),
      file('c.ts', 'nothing'),
      file('d.bin', null),
    ])
    expect(await paths('answer')).toEqual(['b.ts', 'a.ts'])
    expect(await paths('nsw')).toEqual(['b.ts', 'a.ts'])
    expect(await paths('answers')).toEqual(['b.ts'])
    const [first] = await find('answer', { limit: 1 })
    expect(await paths('answer', { before: first?.id })).toEqual(['a.ts'])
  })

  it('finds texts with one or two letters', async () => {
    await addFiles(projectId, [file('a.ts', 'one'), file('b.ts', 'only'), file('c.ts', 'é😀')])
    for (const [text, path] of Object.entries({
      ly: 'b.ts',
      on: 'a.ts',
      é: 'c.ts',
      '😀': 'c.ts',
    })) {
      expect(await paths(text)).toContain(path)
    }
  })

  it('leaves out texts whose trigrams are not one after another', async () => {
    const files = Array.from({ length: 50 }, (_, number) =>
      file(`${number}.ts`, `const value${number} = return\nimport value${number} from const\n`),
    )
    await addFiles(projectId, files)
    expect(await paths('return\nimport value7 ')).toEqual(['7.ts'])
    expect(await paths('importvalue')).toEqual([])
    expect((await paths('import value from')).length).toBeLessThan(5)
  })

  it.each([
    '"',
    'a" OR "b',
    'x AND y',
    "it's",
    '%_%',
    '\\',
    'a*b',
    'é€😀',
    'NEAR(a b)',
    'text:abc',
  ])('takes %s literally', async (text) => {
    await addFiles(projectId, [file('with', `start ${text} end`), file('without', 'b y n text')])
    const found = await paths(text.length < 3 ? `t ${text} e` : text.toLowerCase())
    expect(found).toEqual(['with'])
  })

  it('finds long texts', async () => {
    const long = Array.from({ length: 5000 }, (_, index) => `word${index}`).join(' ')
    await addFiles(projectId, [file('long', long), file('short', long.slice(0, 1000))])
    expect(await paths(long)).toEqual(['long'])
  })

  it('finds paths', async () => {
    await addFiles(projectId, [file('src/Main.ts', ''), file('README.md', 'main')])
    expect(await paths('main', { subject: 'code_paths' })).toEqual(['src/Main.ts'])
  })

  it('finds files of one project or group alone', async () => {
    const other = await createProject()
    // Each takes a second block of ids, between those of the other.
    const many = (name: string) =>
      Array.from({ length: 4096 }, (_, index) => file(`${name}${index}`, null))
    for (const id of [projectId, other]) {
      await addFiles(id, [...many('first'), file(`of-${id}`, 'shared text')])
    }
    const { namespaceId } = (await db.first('test.namespace', { other }, (q, $) =>
      q.selectFrom('projects').select('namespaceId').where('id', '=', $('other')),
    )) ?? { namespaceId: 0 }
    expect(await paths('shared')).toEqual([`of-${other}`, `of-${projectId}`])
    expect(await paths('shared', { scope: { kind: 'project', projectId } })).toEqual([
      `of-${projectId}`,
    ])
    expect(await paths('shared', { scope: { kind: 'group', groupId: namespaceId } })).toEqual([
      `of-${other}`,
    ])
    expect(await paths('shared', { scope: { kind: 'project', projectId: 0 } })).toEqual([])
  })

  it('uses ids that are left of a block, and no id twice', async () => {
    const sourceId = await addFiles(projectId, [file('a', 'first text')])
    await db.searchIndex.transaction((tx) => removeSearchedFiles(tx, sourceId, ['a', 'unknown']))
    expect(await paths('text')).toEqual([])
    await addFiles(projectId, [file('a', 'second text'), file('b', 'third text')])
    const found = await find('text')
    expect(found.map(({ path }) => path)).toEqual(['b', 'a'])
    expect(found.map(({ id }) => id % 4096)).toEqual([2, 1])
  })

  it('finds commits, each once', async () => {
    const commits = ['a', 'b', 'c'].map((letter) => ({
      oid: letter.repeat(40),
      text: `commit ${letter}`,
    }))
    const source = await db.searchIndex.transaction(async (tx) => {
      const added = await ensureSearchSource(tx, { projectId, kind: 'code' })
      await addSearchedCommits(tx, added.id, commits.slice(0, 2))
      await addSearchedCommits(tx, added.id, commits)
      return added
    })
    const oids = async () =>
      (await find('commit', { subject: 'commits' })).map(({ oid }) => oid.slice(0, 1))
    expect(await oids()).toEqual(['c', 'b', 'a'])
    await db.searchIndex.transaction((tx) =>
      removeSearchedCommits(tx, source.id, commits.slice(1, 2)),
    )
    expect(await oids()).toEqual(['c', 'a'])
    const removed = await db.searchIndex.transaction((tx) =>
      removeSomeEntries(tx, { sourceId: source.id, limit: 10 }),
    )
    expect(removed).toBe(2)
    expect(await oids()).toEqual([])
  })
})

it('listCandidates finds commits by the start of their id', async () => {
  const oids = ['abcdef1', 'abcdef2', 'abcdeg0', 'abcde'].map((start) => start.padEnd(40, '0'))
  await db.searchIndex.transaction(async (tx) => {
    const { id } = await ensureSearchSource(tx, { projectId, kind: 'code' })
    await addSearchedCommits(
      tx,
      id,
      oids.map((oid) => ({ oid, text: 'message' })),
    )
  })
  const found = await find('abcdef', { subject: 'commit_ids' })
  expect(found.map(({ oid }) => oid)).toEqual([oids[1], oids[0]])
  expect(await find('abcdef'.padEnd(40, '0'), { subject: 'commit_ids' })).toEqual([])
})

describe('a transaction of the search index', () => {
  it('is rolled back if it fails, and the next one starts anew', async () => {
    const failing = db.searchIndex.transaction(async (tx) => {
      await ensureSearchSource(tx, { projectId, kind: 'code' })
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(
      await findSearchSource(db.searchIndex.reads, { projectId, kind: 'code' }),
    ).toBeUndefined()
    await addFiles(projectId, [file('a', 'some text')])
    expect(await paths('some')).toEqual(['a'])
  })

  it('refuses a source that another one wrote to since', async () => {
    const source = await db.searchIndex.transaction((tx) =>
      ensureSearchSource(tx, { projectId, kind: 'wiki' }),
    )
    const advance = () =>
      db.searchIndex.transaction((tx) =>
        advanceSearchSource(tx, { ...source, target: 'f'.repeat(40) }),
      )
    expect(await advance()).toBe(1)
    await expect(advance()).rejects.toMatchObject({ code: 'busy' })
  })

  it('runs in turn with those of another process', async () => {
    const other = await db.openAgain()
    await Promise.all(
      [db, other, db, other].map(({ searchIndex }) =>
        searchIndex.transaction((tx) => ensureSearchSource(tx, { projectId, kind: 'code' })),
      ),
    )
    expect(
      await findSearchSource(other.searchIndex.reads, { projectId, kind: 'code' }),
    ).toBeDefined()
  })
})

describe('the look-ups of the search index', () => {
  it('are served by indices', async () => {
    const plans = await Promise.all([
      explainQuery((q) => q.selectFrom('searchFiles').selectAll().where('sourceId', '=', 1)),
      explainQuery((q) => q.selectFrom('searchCommits').selectAll().where('oid', '=', 'a')),
      explainQuery((q) =>
        q
          .selectFrom('searchSources')
          .select('id')
          .where('projectId', '=', 1)
          .where('kind', '=', 'code'),
      ),
    ])
    for (const step of plans.flat()) expect(step).toMatch(/^SEARCH \w+ USING/)
  })
})
