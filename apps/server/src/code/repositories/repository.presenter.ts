import {
  languageShares,
  type RepositoryBlob,
  type Comparison as WireComparison,
  type Contributor as WireContributor,
  type TreeEntry as WireEntry,
} from '@stithy/core'
import type { Contributor, ObjectInfo } from '@stithy/git'
import { presentCommit, presentCommits, presentDiff } from '../commits/commit.presenter.ts'
import type { ComparisonResult } from './comparisons/comparison-result.ts'
import type { ListedEntry } from './listed-entry.ts'

/** Presents the entries of a directory. */
export function presentTree(entries: readonly ListedEntry[]): WireEntry[] {
  return entries.map(({ oid, name, type, path, mode, lastCommit }) => ({
    id: oid,
    name,
    type,
    path,
    mode,
    ...(lastCommit === undefined ? {} : { last_commit: lastCommit && presentCommit(lastCommit) }),
  }))
}

/** Presents a blob with its content in base64. */
export function presentBlob({ oid, size }: ObjectInfo, content: string): RepositoryBlob {
  return { size, encoding: 'base64', content, sha: oid }
}

/** Presents the comparison of two commits. */
export function presentComparison(found: ComparisonResult): WireComparison {
  const commits = presentCommits(found.commits)
  return {
    commit: commits.at(-1) ?? null,
    commits,
    diffs: presentDiff(found.diff.entries),
    compare_timeout: found.isTruncated,
    compare_same_ref: found.isSame,
  }
}

/** Presents the authors of commits; their lines are not counted. */
export function presentContributors(contributors: readonly Contributor[]): WireContributor[] {
  return contributors.map(({ name, email, commits }) => ({
    name,
    email,
    commits,
    additions: 0,
    deletions: 0,
  }))
}

/** The share of each language in the bytes of a project. */
export function presentLanguages(
  languages: readonly { language: string; bytes: number }[],
): Record<string, number> {
  return languageShares(new Map(languages.map(({ language, bytes }) => [language, bytes])))
}
