import { findBranch, resolveCommit } from '@stithy/git'
import type { App } from '../../platform/app.ts'
import {
  type RepositoryLocation,
  repositoryOf,
} from '../../platform/repositories/repository-location.ts'

/** What is needed of a project to read its code. */
export interface SourceRepository extends RepositoryLocation {
  /** Null before the first push. */
  defaultBranch: string | null
}

/** The newest commit of the default branch; undefined if there is none. */
export async function headOf(app: App, location: SourceRepository): Promise<string | undefined> {
  if (location.defaultBranch === null) return undefined
  return (await findBranch(app.git, repositoryOf(app, location), location.defaultBranch))?.oid
}

/** Resolves a branch, tag or hash to a commit; the default branch without one. */
export function resolveRef(
  app: App,
  location: SourceRepository,
  ref: string | undefined,
): Promise<string | undefined> {
  if (ref === undefined || ref === '') return headOf(app, location)
  return resolveCommit(app.git, repositoryOf(app, location), ref)
}
