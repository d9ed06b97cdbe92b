import { sql } from 'kysely'
import type { Queries } from '../../platform/queries/queries.ts'
import { asBigint, inList, jsonElements, jsonText } from '../../platform/queries/sql.ts'
import type { Row } from '../../platform/schema/schema.ts'
import { addTexts, deleteTexts } from './text-store.ts'

/** How many ids a block has: entry `n` of a block has the id `block * blockSize + n`. */
export const searchBlockSize = 4096

type Holds = Row<'searchBlocks'>['holds']

/** A file to index. */
export interface SearchedFile {
  path: string
  oid: string
  /** The path in lower case. */
  pathText: string
  /** The bytes of the file, which are decoded where they are written; null for no text, or a large one. */
  content: Buffer | null
}

/** A commit to index. */
export interface SearchedCommit {
  oid: string
  /** The message in lower case. */
  text: string
}

/** Adds files, at paths that are not in the index. */
export async function addSearchedFiles(
  tx: Queries,
  sourceId: number,
  files: readonly SearchedFile[],
): Promise<void> {
  const ids = await takeIds(tx, { sourceId, holds: 'files', count: files.length })
  const added = files.map((file, index) => ({ ...file, id: ids[index] ?? 0 }))
  const rows = jsonText(added.map(({ id, path, oid }) => [id, path, oid]))
  await tx.run(
    'searchFiles.add',
    { sourceId, rows },
    (_, $) => sql`
      insert into "searchFiles" ("id", "sourceId", "path", "oid")
      select cast(item.value->>0 as bigint), ${asBigint($('sourceId'))}, item.value->>1,
        item.value->>2
      from ${jsonElements(tx, $('rows'))}`,
  )
  const paths = added.map(({ id, pathText }) => ({ id, text: pathText }))
  const texts = added.flatMap(({ id, content }) =>
    content === null ? [] : [{ id, text: content }],
  )
  await addTexts(tx, 'paths', paths)
  await addTexts(tx, 'texts', texts)
}

/** Removes the files at these paths; paths that are not in the index are ignored. */
export async function removeSearchedFiles(
  tx: Queries,
  sourceId: number,
  paths: readonly string[],
): Promise<void> {
  const rows = await tx.all('searchFiles.at', { sourceId, paths }, (db, $) =>
    db
      .selectFrom('searchFiles')
      .select('id')
      .where('sourceId', '=', $('sourceId'))
      .where(inList('searchFiles.path', $('paths'))),
  )
  await deleteFiles(
    tx,
    rows.map(({ id }) => id),
  )
}

/** Adds commits, the oldest first; those that are in the index already are left out. */
export async function addSearchedCommits(
  tx: Queries,
  sourceId: number,
  commits: readonly SearchedCommit[],
): Promise<void> {
  const known = new Map(await knownCommits(tx, sourceId, commits))
  const added = commits.filter(({ oid }) => !known.has(oid))
  const ids = await takeIds(tx, { sourceId, holds: 'commits', count: added.length })
  for (const [index, { oid }] of added.entries()) {
    const id = ids[index] ?? 0
    await tx.run('searchCommits.add', { id, sourceId, oid }, (db, $) =>
      db
        .insertInto('searchCommits')
        .values({ id: $('id'), sourceId: $('sourceId'), oid: $('oid') }),
    )
  }
  const texts = added.map(({ text }, index) => ({ id: ids[index] ?? 0, text }))
  await addTexts(tx, 'messages', texts)
}

/** Removes commits; those that are not in the index are ignored. */
export async function removeSearchedCommits(
  tx: Queries,
  sourceId: number,
  commits: readonly Pick<SearchedCommit, 'oid'>[],
): Promise<void> {
  const known = await knownCommits(tx, sourceId, commits)
  await deleteCommits(
    tx,
    known.map(([, id]) => id),
  )
}

/** Ids of files and of commits of a source, which its later ones have or are above. */
export type EntryIds = Readonly<Record<Holds, number>>

/** The ids that the next entries of a source have at least. */
export async function nextEntryIds(q: Queries, sourceId: number): Promise<EntryIds> {
  const nextOf = async (holds: Holds) => {
    const block = await lastBlock(q, { sourceId, holds })
    return block === undefined ? 0 : block.id * searchBlockSize + block.used
  }
  return { files: await nextOf('files'), commits: await nextOf('commits') }
}

const anyId: EntryIds = { files: Number.MAX_SAFE_INTEGER, commits: Number.MAX_SAFE_INTEGER }

/**
 * Removes up to `limit` files and as many commits of a source, with ids below `before` if given;
 * returns how many entries it were.
 */
export async function removeSomeEntries(
  tx: Queries,
  {
    sourceId,
    before = anyId,
    limit,
  }: { sourceId: number; before?: EntryIds | undefined; limit: number },
): Promise<number> {
  const args = { sourceId, limit, files: before.files, commits: before.commits }
  const files = await tx.all('searchFiles.some', args, (db, $) =>
    db
      .selectFrom('searchFiles')
      .select('id')
      .where('sourceId', '=', $('sourceId'))
      .where('id', '<', $('files'))
      .limit($('limit')),
  )
  const commits = await tx.all('searchCommits.some', args, (db, $) =>
    db
      .selectFrom('searchCommits')
      .select('id')
      .where('sourceId', '=', $('sourceId'))
      .where('id', '<', $('commits'))
      .limit($('limit')),
  )
  await deleteFiles(
    tx,
    files.map(({ id }) => id),
  )
  await deleteCommits(
    tx,
    commits.map(({ id }) => id),
  )
  return files.length + commits.length
}

async function knownCommits(
  tx: Queries,
  sourceId: number,
  commits: readonly Pick<SearchedCommit, 'oid'>[],
): Promise<(readonly [oid: string, id: number])[]> {
  const args = { sourceId, oids: commits.map(({ oid }) => oid) }
  const rows = await tx.all('searchCommits.known', args, (db, $) =>
    db
      .selectFrom('searchCommits')
      .select(['oid', 'id'])
      .where('sourceId', '=', $('sourceId'))
      .where(inList('searchCommits.oid', $('oids'))),
  )
  return rows.map(({ oid, id }) => [oid, id] as const)
}

/** Takes unused ids, ascending: first those that are left of the last block, then of new ones. */
async function takeIds(
  tx: Queries,
  { sourceId, holds, count }: { sourceId: number; holds: Holds; count: number },
): Promise<number[]> {
  const ids: number[] = []
  let block = await lastBlock(tx, { sourceId, holds })
  while (ids.length < count) {
    if (block === undefined || block.used >= searchBlockSize) {
      block = await addBlock(tx, { sourceId, holds })
    }
    const taken = Math.min(count - ids.length, searchBlockSize - block.used)
    const first = block.id * searchBlockSize + block.used
    for (let id = first; id < first + taken; id += 1) ids.push(id)
    block = { id: block.id, used: block.used + taken }
    await tx.run('searchBlocks.use', block, (db, $) =>
      db
        .updateTable('searchBlocks')
        .set({ used: $('used') })
        .where('id', '=', $('id')),
    )
  }
  return ids
}

type Block = Pick<Row<'searchBlocks'>, 'id' | 'used'>

function lastBlock(
  tx: Queries,
  key: { sourceId: number; holds: Holds },
): Promise<Block | undefined> {
  return tx.first('searchBlocks.last', key, (db, $) =>
    db
      .selectFrom('searchBlocks')
      .select(['id', 'used'])
      .where('sourceId', '=', $('sourceId'))
      .where('holds', '=', $('holds'))
      .orderBy('id', 'desc')
      .limit(1),
  )
}

async function addBlock(tx: Queries, key: { sourceId: number; holds: Holds }): Promise<Block> {
  const row = await tx.first('searchBlocks.add', key, (db, $) =>
    db
      .insertInto('searchBlocks')
      .values({ sourceId: $('sourceId'), holds: $('holds') })
      .returning('id'),
  )
  return { id: row?.id ?? 0, used: 0 }
}

async function deleteFiles(tx: Queries, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await deleteTexts(tx, 'texts', ids)
  await deleteTexts(tx, 'paths', ids)
  await tx.run('searchFiles.delete', { ids }, (db, $) =>
    db.deleteFrom('searchFiles').where(inList('searchFiles.id', $('ids'))),
  )
}

async function deleteCommits(tx: Queries, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await deleteTexts(tx, 'messages', ids)
  await tx.run('searchCommits.delete', { ids }, (db, $) =>
    db.deleteFrom('searchCommits').where(inList('searchCommits.id', $('ids'))),
  )
}
