import { decideOnProject, type ReferenceTarget } from '@stithy/core'
import { readCommit } from '@stithy/git'
import { webUrl } from '../../http/urls.ts'
import type { ProjectSubject } from '../../projects/project-subject.ts'
import { repositoryOf, resolveRef } from '../../repositories/repository.service.ts'
import type { ResolvedReference } from '../rendering/render-context.ts'
import {
  type Found,
  findPlaces,
  placeOf,
  type Reader,
  shortPath,
  type Wanted,
} from './reference-place.ts'

type CommitTarget = Extract<ReferenceTarget, { kind: 'commit' | 'commit_range' }>

/** Commits of one text that are looked up; git has to be asked for each. */
const maxCommits = 50

/** Commits and ranges of them, by the first digits of their hashes. One query. */
export async function findCommitReferences(
  reader: Reader,
  wanted: Wanted<CommitTarget>,
): Promise<Found> {
  const found: Found = new Map()
  if (wanted.size === 0) return found
  const places = await findPlaces(reader, wanted.values())
  const some = [...wanted].slice(0, maxCommits)
  await Promise.all(
    some.map(async ([key, target]) => {
      const place = places.get(placeOf(target, reader) ?? '')
      if (place === undefined) return
      if (!decideOnProject('read_code', reader.caller.facts, place.facts).allowed) return
      const resolved = await resolve(reader, place, target)
      if (resolved !== undefined) found.set(key, resolved)
    }),
  )
  return found
}

function resolve(
  reader: Reader,
  place: ProjectSubject,
  target: CommitTarget,
): Promise<ResolvedReference | undefined> {
  return target.kind === 'commit'
    ? resolveOne(reader, place, target.sha)
    : resolveRange(reader, place, target)
}

async function resolveOne(reader: Reader, place: ProjectSubject, sha: string) {
  const { app } = reader
  const oid = await oidOf(reader, place, sha)
  if (oid === undefined) return undefined
  const commit = await readCommit(app.git, repositoryOf(app, place.row), oid)
  return {
    kind: 'commit',
    href: webUrl(app.config, `${place.row.fullPath}/commit/${oid}`),
    title: commit?.title ?? '',
    text: `${prefix(reader, place)}${oid.slice(0, 8)}`,
    data: { project: place.row.id, commit: oid },
  }
}

async function resolveRange(
  reader: Reader,
  place: ProjectSubject,
  target: Extract<CommitTarget, { kind: 'commit_range' }>,
) {
  const from = await oidOf(reader, place, target.from)
  const to = await oidOf(reader, place, target.to)
  if (from === undefined || to === undefined) return undefined
  const dots = '.'.repeat(target.dots)
  return {
    kind: 'commit_range',
    href: webUrl(reader.app.config, `${place.row.fullPath}/compare/${from}${dots}${to}`),
    title: `Commits ${from.slice(0, 8)} through ${to.slice(0, 8)}`,
    text: `${prefix(reader, place)}${from.slice(0, 8)}${dots}${to.slice(0, 8)}`,
    data: { project: place.row.id, 'commit-range': `${from}${dots}${to}` },
  }
}

/** The commit whose hash begins like this; a branch or a tag that is called so is none. */
async function oidOf({ app }: Reader, { row }: ProjectSubject, sha: string) {
  const oid = await resolveRef(app, row, sha)
  return oid?.startsWith(sha) ? oid : undefined
}

function prefix(reader: Reader, { row }: ProjectSubject): string {
  const path = shortPath(row.fullPath, reader)
  return path === '' ? '' : `${path}@`
}
