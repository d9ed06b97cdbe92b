import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import Sqlite from 'better-sqlite3'
import { databaseOf } from '../data/generate.ts'
import { dataFolder } from '../paths.ts'
import { runGit } from '../transfers/client.ts'
import { openStithy } from '../transfers/sites.ts'
import { sourceFiles } from './source-text.ts'

/** A data folder whose projects have source-like text. */
export interface SearchedData {
  folder: string
  /** Paths of the bare repositories; the first is the largest. */
  repositories: string[]
  files: number
  bytes: number
}

/** How many repositories there are, and the bytes of text of each, by position. */
interface DataShape {
  /** Of the folder. */
  name: string
  repositories: number
  bytesOf: (position: number) => number
}

const repositoryCount = 20
/** Of each of many tiny repositories: one to three files. */
const tinyBytes = 12 * 1024
/** Changes with the generated text. */
const version = 1
const who = 'Bench <bench@example.com> 1600000000 +0000'

/**
 * Creates a data folder with 20 repositories of one commit each, `mebibytes` of text together, half
 * of it in the first three; one that is there already is left unchanged.
 */
export function buildSearchedData(mebibytes: number): Promise<SearchedData> {
  return buildData({
    name: `code-${mebibytes}`,
    repositories: repositoryCount,
    bytesOf: (position) => shareOf(position, repositoryCount) * mebibytes * 1024 * 1024,
  })
}

/** The same with so many repositories of a few files each. */
export function buildTinyRepositories(repositories: number): Promise<SearchedData> {
  return buildData({ name: `tiny-${repositories}`, repositories, bytesOf: () => tinyBytes })
}

async function buildData({ name, repositories, bytesOf }: DataShape): Promise<SearchedData> {
  const folder = dataFolder(name)
  const marker = join(folder, `searched-data-${version}.json`)
  if (existsSync(marker)) return JSON.parse(await readFile(marker, 'utf8'))
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await createProjects(folder, repositories)
  const db = new Sqlite(databaseOf(folder))
  const data: SearchedData = { folder, repositories: [], files: 0, bytes: 0 }
  try {
    const rows = db
      .prepare<[], { id: number; repositoryPath: string }>(
        'select id, "repositoryPath" from projects order by id',
      )
      .all()
    for (const [position, { id, repositoryPath }] of rows.entries()) {
      if (rows.length <= 100 || position % 1000 === 0) {
        process.stderr.write(`code: repository ${position + 1} of ${rows.length}\n`)
      }
      const path = join(folder, 'repositories', repositoryPath)
      await fillRepository(path, data, bytesOf(position))
      db.prepare(`update projects set "emptyRepo" = 0, "defaultBranch" = 'main' where id = ?`).run(
        id,
      )
      data.repositories.push(path)
    }
  } finally {
    db.close()
  }
  await writeFile(marker, JSON.stringify(data))
  return data
}

/** Falls with the position, as sizes of repositories do. */
function shareOf(position: number, count: number): number {
  const total = Array.from({ length: count }, (_, at) => 1 / (at + 1)).reduce((a, b) => a + b)
  return 1 / (position + 1) / total
}

async function createProjects(folder: string, count: number): Promise<void> {
  const site = await openStithy(folder)
  try {
    for (let number = 1; number <= count; number += 1) {
      await site.create(`searched-${number}`)
    }
  } finally {
    await site.target.stop()
  }
}

async function fillRepository(path: string, data: SearchedData, bytes: number): Promise<void> {
  const args = ['-c', 'core.compression=1', 'fast-import', '--quiet', '--done']
  const importing = spawn('git', args, { cwd: path, stdio: ['pipe', 'ignore', 'inherit'] })
  const ended = once(importing, 'exit')
  await pipeline(Readable.from(commitOf(data, bytes)), importing.stdin)
  const [code] = await ended
  if (code !== 0) throw new Error(`git fast-import ended with ${code}`)
  await runGit(path, 'symbolic-ref', 'HEAD', 'refs/heads/main')
}

function* commitOf(data: SearchedData, bytes: number): Generator<string> {
  yield `commit refs/heads/main\ncommitter ${who}\ndata 1\nx\n`
  for (const { path, content } of sourceFiles(`repository ${data.repositories.length}`, bytes)) {
    data.files += 1
    data.bytes += content.length
    yield `M 100644 inline ${path}\ndata ${content.length}\n${content}\n`
  }
  yield 'done\n'
}
