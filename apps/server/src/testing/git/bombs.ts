import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gitInput, mustGit } from './git-client.ts'

/** Adds objects to a bare repository; returns the commit that stands for all of them. */
type Builder = (folder: string) => Promise<string>

/** Histories of a few objects, or a few kilobytes, that stand for far more. */
const builders = {
  messages: buildMessages,
  'a tree': buildTree,
  'empty trees': buildEmptyTrees,
  parents: buildParents,
  'many files': buildManyFiles,
  lines: buildLines,
  renames: buildRenames,
  'long paths': buildLongPaths,
  'a large commit': buildLargeCommit,
  'a large tree': buildLargeTree,
  'long blame': buildBlame,
} satisfies Record<string, Builder>

/** The name of a hostile history. */
export type Bomb = keyof typeof builders

export const bombNames = Object.keys(builders) as Bomb[]

/**
 * Builds all hostile histories in a new bare repository, each with its name, blanks as dashes, as
 * the branch, and returns its folder. Takes some seconds, in which the event loop is blocked.
 */
export async function buildBombs(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'stithy-bombs-'))
  await mustGit(folder, 'init', '--quiet', '--bare')
  for (const [name, build] of Object.entries(builders)) {
    await mustGit(folder, 'update-ref', `refs/heads/${branchOf(name)}`, await build(folder))
  }
  await mustGit(folder, 'repack', '-adq')
  return folder
}

/** The branch of a hostile history. */
export function branchOf(name: string): string {
  return name.replaceAll(' ', '-')
}

const who = 'Mallory <mallory@example.com> 1700000000 +0000'
const mebibyte = 1024 * 1024

/** Runs fast-import and returns the tip of `refs/heads/bomb`. */
async function importAll(folder: string, parts: readonly string[]): Promise<string> {
  await mustGit(folder, 'update-ref', '-d', 'refs/heads/bomb')
  const input = Buffer.concat([...parts, 'done\n'].map((part) => Buffer.from(part)))
  await gitInput(folder, input, 'fast-import', '--quiet', '--done', '--force')
  return mustGit(folder, 'rev-parse', 'refs/heads/bomb')
}

function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`
}

function commitOf(message: string, files: readonly string[] = [], author = who): string {
  const head = `commit refs/heads/bomb\nauthor ${author}\ncommitter ${who}\n${data(message)}`
  return head + files.join('')
}

function fileOf(path: string, content: string): string {
  return `M 100644 inline ${path}\n${data(content)}`
}

async function hash(folder: string, type: string, content: string): Promise<string> {
  const args = ['hash-object', '-w', '-t', type, '--stdin', '--literally']
  return (await gitInput(folder, content, ...args)).toString().trim()
}

async function commitTree(folder: string, tree: string, parents: readonly string[] = []) {
  const lines = parents.map((parent) => `parent ${parent}\n`).join('')
  const text = `tree ${tree}\n${lines}author ${who}\ncommitter ${who}\n\nBomb\n`
  return hash(folder, 'commit', text)
}

async function makeTree(folder: string, lines: readonly string[]): Promise<string> {
  return (await gitInput(folder, lines.join(''), 'mktree', '--missing')).toString().trim()
}

/** Twenty commits of 7 MB, which compress to a thousandth. */
function buildMessages(folder: string): Promise<string> {
  const message = (at: number) => `Commit ${at}\n\n${'x'.repeat(7_000_000)}`
  const files = (at: number) => [fileOf('file', `${at}\n`)]
  const commits = Array.from({ length: 20 }, (_, at) => commitOf(message(at), files(at)))
  return importAll(folder, commits)
}

/** A hundred million files in nine objects. */
async function buildTree(folder: string): Promise<string> {
  const blob = await hash(folder, 'blob', 'const x = 1\n')
  return nestTrees(folder, `100644 blob ${blob}`)
}

/** Ten million folders without a file in eight objects. */
async function buildEmptyTrees(folder: string): Promise<string> {
  return nestTrees(folder, `040000 tree ${await makeTree(folder, [])}`)
}

async function nestTrees(folder: string, leaf: string): Promise<string> {
  let entry = leaf
  for (let depth = 0; depth < 8; depth += 1) {
    const lines = 'abcdefghij'.split('').map((name) => `${entry}\t${name}.ts\n`)
    entry = `040000 tree ${await makeTree(folder, lines)}`
  }
  return commitTree(folder, entry.slice(-40))
}

async function buildParents(folder: string): Promise<string> {
  const tree = await makeTree(folder, [])
  const base = await commitTree(folder, tree)
  return commitTree(folder, tree, Array(100_000).fill(base))
}

/** Twenty thousand files in one folder. */
async function buildManyFiles(folder: string): Promise<string> {
  const blob = await hash(folder, 'blob', 'x\n')
  const names = Array.from({ length: 20_000 }, (_, at) => `file-${String(at).padStart(6, '0')}`)
  const lines = names.map((name) => `100644 blob ${blob}\t${name}\n`)
  return commitTree(folder, await makeTree(folder, lines))
}

/** A line of 40 MB, and a million lines. */
function buildLines(folder: string): Promise<string> {
  const files = (at: number) => [
    fileOf('line', `${at}${'x'.repeat(40 * mebibyte)}`),
    fileOf('lines', `${at}\n`.repeat(1_000_000)),
  ]
  return importAll(folder, [commitOf('First', files(1)), commitOf('Second', files(2))])
}

/** Two thousand files that moved and changed. */
function buildRenames(folder: string): Promise<string> {
  const numbers = Array.from({ length: 2000 }, (_, at) => at)
  const text = (at: number, end: string) => `${at} line of a file\n`.repeat(400) + end
  const before = numbers.map((at) => fileOf(`old-${at}`, text(at, '')))
  const moved = numbers.map((at) => `D old-${at}\n${fileOf(`new-${at}`, text(at, `more ${at}\n`))}`)
  return importAll(folder, [commitOf('First', before), commitOf('Second', moved)])
}

/** Six hundred nested folders with names of 200 characters. */
function buildLongPaths(folder: string): Promise<string> {
  const path = Array(600).fill('n'.repeat(200)).join('/')
  return importAll(folder, [commitOf('First', [fileOf(`${path}/file`, 'x\n')])])
}

function buildLargeCommit(folder: string): Promise<string> {
  const files = [fileOf('file', 'x\n')]
  return importAll(folder, [commitOf(`Large\n\n${'x'.repeat(20 * mebibyte)}`, files)])
}

async function buildLargeTree(folder: string): Promise<string> {
  const blob = await hash(folder, 'blob', 'x\n')
  const names = Array.from({ length: 6000 }, (_, at) => `${'n'.repeat(1500)}-${at}`)
  const lines = names.toSorted().map((name) => `100644 blob ${blob}\t${name}\n`)
  return commitTree(folder, await makeTree(folder, lines))
}

/** Lines that change hands between two commits with long messages. */
function buildBlame(folder: string): Promise<string> {
  const lines = (odd: string) =>
    Array.from({ length: 40_000 }, (_, at) => `${at} ${at % 2 === 0 ? 'even' : odd}\n`).join('')
  const message = `Change\n\n${'m'.repeat(9000)}`
  return importAll(folder, [
    commitOf(message, [fileOf('lines', lines('odd'))]),
    commitOf(message, [fileOf('lines', lines('ODD'))]),
  ])
}
