import { decideOnProject, type ReferenceTarget } from '@stithy/core'
import { readCommit } from '@stithy/git'
import { resolveRef } from '../../../code/revisions/revision.service.ts'
import type { ProjectSubject } from '../../../directory/projects/project-subject.ts'
import { webUrl } from '../../../platform/http/urls.ts'
import { repositoryOf } from '../../../platform/repositories/repository-location.ts'
import type { ResolvedReference } from '../../../platform/text/rendering/render-context.ts'
import {
  findReferenceParents,
  projectPath,
  type Reader,
  type References,
  type ResolvedReferences,
  shortPath,
} from './reference-parent.ts'

type CommitTarget = Extract<ReferenceTarget, { kind: 'commit' | 'commit_range' }>

/** The maximum number of commits resolved for one text; each requires git. */
const maxCommits = 50

/** Resolves commits and commit ranges by abbreviated hashes. One query. */
export async function findCommitReferences(
  reader: Reader,
  references: References<CommitTarget>,
): Promise<ResolvedReferences> {
  const found: ResolvedReferences = new Map()
  if (references.size === 0) return found
  const projects = await findReferenceParents(reader, references.values())
  const limited = [...references].slice(0, maxCommits)
  await Promise.all(
    limited.map(async ([key, target]) => {
      const project = projects.get(projectPath(target, reader) ?? '')
      if (project === undefined) return
      if (!decideOnProject('read_code', reader.caller.facts, project.facts).allowed) return
      const resolved = await resolve(reader, project, target)
      if (resolved !== undefined) found.set(key, resolved)
    }),
  )
  return found
}

function resolve(
  reader: Reader,
  project: ProjectSubject,
  target: CommitTarget,
): Promise<ResolvedReference | undefined> {
  return target.kind === 'commit'
    ? resolveOne(reader, project, target.sha)
    : resolveRange(reader, project, target)
}

async function resolveOne(reader: Reader, project: ProjectSubject, sha: string) {
  const { app } = reader
  const oid = await oidOf(reader, project, sha)
  if (oid === undefined) return undefined
  const commit = await readCommit(app.git, repositoryOf(app, project.row), oid)
  return {
    kind: 'commit',
    href: webUrl(app.config, `${project.row.fullPath}/commit/${oid}`),
    title: commit?.title ?? '',
    text: `${prefix(reader, project)}${oid.slice(0, 8)}`,
    data: { project: project.row.id, commit: oid },
  }
}

async function resolveRange(
  reader: Reader,
  project: ProjectSubject,
  target: Extract<CommitTarget, { kind: 'commit_range' }>,
) {
  const from = await oidOf(reader, project, target.from)
  const to = await oidOf(reader, project, target.to)
  if (from === undefined || to === undefined) return undefined
  const dots = '.'.repeat(target.dots)
  return {
    kind: 'commit_range',
    href: webUrl(reader.app.config, `${project.row.fullPath}/compare/${from}${dots}${to}`),
    title: `Commits ${from.slice(0, 8)} through ${to.slice(0, 8)}`,
    text: `${prefix(reader, project)}${from.slice(0, 8)}${dots}${to.slice(0, 8)}`,
    data: { project: project.row.id, 'commit-range': `${from}${dots}${to}` },
  }
}

/** The commit whose hash starts with `sha`; a branch or tag of that name does not count. */
async function oidOf({ app }: Reader, { row }: ProjectSubject, sha: string) {
  const oid = await resolveRef(app, row, sha)
  return oid?.startsWith(sha) ? oid : undefined
}

function prefix(reader: Reader, { row }: ProjectSubject): string {
  const path = shortPath(row.fullPath, reader)
  return path === '' ? '' : `${path}@`
}
