import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { countLines, type FilesFound } from './count-lines.ts'
import type { SearchedData } from './repositories.ts'
import type { MeasuredText } from './texts.ts'

/** Where Debian's package `codesearch` installs them. */
const cindex = '/usr/bin/cindex'
const csearch = '/usr/bin/csearch'

export const hasCodesearch: boolean = existsSync(cindex) && existsSync(csearch)

/** The index of codesearch of the same files, which it reads from work trees. */
export interface CodesearchIndex {
  /** Seconds of `cindex`, which uses the operating system's cache: all files have just been written. */
  seconds: number
  /** The size of the index as a share of the text. */
  share: number
  file: string
}

/** Checks out all repositories, and indexes them. */
export async function indexByCodesearch(data: SearchedData): Promise<CodesearchIndex> {
  const folder = join(data.folder, 'codesearch')
  await rm(folder, { recursive: true, force: true })
  for (const repository of data.repositories) {
    const tree = join(folder, 'trees', basename(repository, '.git'))
    await mkdir(tree, { recursive: true })
    const args = [
      '--git-dir',
      repository,
      '--work-tree',
      tree,
      'read-tree',
      '-u',
      '--reset',
      'main',
    ]
    const env = { ...process.env, GIT_INDEX_FILE: join(folder, 'git-index') }
    await rm(env.GIT_INDEX_FILE, { force: true })
    execFileSync('git', args, { env, stdio: 'inherit' })
  }
  const file = join(folder, 'index')
  const start = performance.now()
  const args = [join(folder, 'trees')]
  const indexing = spawn(cindex, args, { env: environment(file), stdio: 'ignore' })
  const [code] = await once(indexing, 'close')
  if (code !== 0) throw new Error(`cindex ended with ${code}`)
  const seconds = (performance.now() - start) / 1000
  return { seconds, share: (await stat(file)).size / data.bytes, file }
}

/** Searches everything; ends with the file after `limit`. */
export async function searchByCodesearch(
  { file }: CodesearchIndex,
  { text, pathPattern }: MeasuredText,
  limit: number,
): Promise<FilesFound> {
  const start = performance.now()
  const paths = pathPattern === undefined ? [] : ['-f', pathPattern]
  const args = ['-l', '-i', ...paths, escapePattern(text)]
  const searching = spawn(csearch, args, {
    env: environment(file),
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const files = await countLines(searching, limit)
  return { ms: performance.now() - start, files }
}

function environment(file: string) {
  return { ...process.env, CSEARCHINDEX: file }
}

/** What has a meaning in RE2. */
function escapePattern(text: string): string {
  return text.replace(/[\\.+*?()|[\]{}^$]/g, '\\$&')
}
