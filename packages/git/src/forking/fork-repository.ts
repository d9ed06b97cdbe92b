import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Git, type Repository, runIn } from '../git.ts'
import { GitError } from '../git-error.ts'
import { createRepository, flush } from '../repository.ts'
import { linkCommitGraph, linkObjects } from './link-objects.ts'

/** A branch or tag; the name is bytes as latin1. */
interface CopiedRef {
  oid: string
  name: string
}

/** How often the refs are read again because some moved or were deleted meanwhile. */
const maxTries = 5
/** Some 5,000,000 refs. */
const maxOutputBytes = 512 * 1024 * 1024

/** What a copy of a repository has. */
export interface CopyOptions {
  defaultBranch: string
  /** Prefixes of the refs that are copied; by default branches and tags. */
  refs?: readonly string[]
}

/**
 * Creates a repository with the refs of another, as they are at one moment, and its
 * objects, which take no space of their own as long as both sides keep them in the same files.
 * Everything else (other refs, settings) is as in a new repository. A crash leaves what one of
 * `createRepository` leaves.
 * @throws GitError `conflict` if the path exists, `not_found` if there is no source or it is
 * deleted, `corrupt` if a ref of the source names a missing object.
 */
export function forkRepository(
  git: Git,
  source: Repository,
  path: string,
  { defaultBranch, refs = ['refs/heads', 'refs/tags'] }: CopyOptions,
): Promise<Repository> {
  const fill = (target: Repository) => copyInto(git, source, target, refs)
  return createRepository(git, path, { defaultBranch, fill })
}

async function copyInto(
  git: Git,
  source: Repository,
  target: Repository,
  prefixes: readonly string[],
): Promise<void> {
  for (let tries = maxTries; tries > 0; tries -= 1) {
    await linkCommitGraph(source, target)
    const refs = await readRefsOf(git, source, prefixes)
    await linkObjects(source, target)
    const peeled = await peelTags(git, target, refs)
    if (peeled === undefined) continue
    const kept = await oidsOf(git, source, prefixes)
    const lost = refs.filter(({ oid }) => !kept.has(oid))
    if (lost.length > 0 && tries > 1) continue
    if (lost.length > 0 && !(await isComplete(git, target, lost, kept))) break
    if (refs.length > 0) await writePackedRefs(target, refs, peeled)
    return
  }
  throw new GitError('corrupt', `a ref of ${source.path} names a missing object`)
}

/**
 * The ids that refs of the source have after its objects were linked. What those reach was there all
 * the time. What only a moved or deleted ref had reached may be half linked: maintenance deletes old
 * packs one by one, with the unreachable objects that it doesn't keep.
 */
async function oidsOf(
  git: Git,
  source: Repository,
  prefixes: readonly string[],
): Promise<Set<string>> {
  return new Set((await readRefsOf(git, source, prefixes)).map(({ oid }) => oid))
}

/** Whether all that `lost` reaches is there. Takes time for what `kept` doesn't reach as well. */
async function isComplete(
  git: Git,
  target: Repository,
  lost: readonly CopiedRef[],
  kept: ReadonlySet<string>,
): Promise<boolean> {
  const lines = [...lost.map(({ oid }) => oid), ...[...kept].map((oid) => `^${oid}`)]
  const stdin = `${lines.join('\n')}\n`
  // Ids that are not in the target came later.
  const args = ['rev-list', '--objects', '--quiet', '--ignore-missing', '--stdin']
  const { code } = await runIn(git, target, args, { stdin, accept: [128] })
  return code === 0
}

/** In byte order. */
async function readRefsOf(
  git: Git,
  source: Repository,
  prefixes: readonly string[],
): Promise<CopiedRef[]> {
  const args = ['for-each-ref', '--format=%(objectname) %(refname)', ...prefixes]
  const { stdout } = await runIn(git, source, args, { maxOutputBytes })
  const lines = stdout.toString('latin1').split('\n').filter(Boolean)
  return lines.map((line) => ({ oid: line.slice(0, 40), name: line.slice(41) }))
}

/** The peeled objects of annotated tags by the id of the tag; undefined if an object is missing. */
async function peelTags(
  git: Git,
  target: Repository,
  refs: readonly CopiedRef[],
): Promise<Map<string, string> | undefined> {
  const oids = [...new Set(refs.map(({ oid }) => oid))]
  if (oids.length === 0) return new Map()
  const args = ['cat-file', '--batch-check=%(objectname)', '--buffer']
  const stdin = oids.map((oid) => `${oid}^{}\n`).join('')
  const { stdout } = await runIn(git, target, args, { stdin, maxOutputBytes })
  const answers = stdout.toString('latin1').split('\n')
  const peeled = new Map<string, string>()
  for (const [index, oid] of oids.entries()) {
    const answer = answers[index] ?? ''
    if (!/^[0-9a-f]{40}$/.test(answer)) return undefined
    if (answer !== oid) peeled.set(oid, answer)
  }
  return peeled
}

/** Writes the refs as git packs them (gitformat-packed-refs): one file, however many there are. */
async function writePackedRefs(
  target: Repository,
  refs: readonly CopiedRef[],
  peeled: ReadonlyMap<string, string>,
): Promise<void> {
  const lines = refs.map(({ oid, name }) => {
    const object = peeled.get(oid)
    return `${oid} ${name}\n${object === undefined ? '' : `^${object}\n`}`
  })
  const text = `# pack-refs with: peeled fully-peeled sorted \n${lines.join('')}`
  await writeFile(join(target.path, 'packed-refs'), text, { encoding: 'latin1', flush: true })
  await flush(target.path)
}
